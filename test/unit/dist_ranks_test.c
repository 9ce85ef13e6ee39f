/* Messages between processes, and what all of them do together. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "ranks_util.h"

static void everybody(struct ranks *ranks, void *arg)
{
    struct err err = {0};
    unsigned n = ranks_size(ranks);
    unsigned me = ranks_me(ranks);
    (void)arg;
    for (int round = 0; round < 50; round++) {
        struct strbuf all[RANKS_MOST] = {0};
        char mine[32];
        int len = snprintf(mine, sizeof mine, "%u in round %d", me, round);
        CHECK_EQ(ranks_gather(ranks, (struct str){mine, (size_t)len}, all, &err), 0);
        for (unsigned i = 0; i < n; i++) {
            snprintf(mine, sizeof mine, "%u in round %d", i, round);
            CHECK_STR(strbuf_cstr(&all[i]), mine);
            strbuf_done(&all[i]);
        }
        SCOPED_STRBUF shared = {0};
        unsigned root = (unsigned)round % n;
        if (me == root) {
            strbuf_printf(&shared, "from %u", root);
        }
        CHECK_EQ(ranks_share(ranks, root, &shared, &err), 0);
        snprintf(mine, sizeof mine, "from %u", root);
        CHECK_STR(strbuf_cstr(&shared), mine);
        bool whole = false;
        CHECK_EQ(ranks_all(ranks, true, &whole, &err), 0);
        CHECK(whole);
        CHECK_EQ(ranks_all(ranks, me != root, &whole, &err), 0);
        CHECK(!whole);
    }
}

TEST(gather_and_share)
{
    for (unsigned n = 1; n <= 4; n++) {
        run_ranks(n, everybody, NULL);
    }
}

/* More than fits into sockets, of two kinds: each kind comes in order, whole, when it is asked for.
 */
static void much(struct ranks *ranks, void *arg)
{
    enum { MESSAGES = 300, LONG = 40000 };
    struct err err = {0};
    unsigned n = ranks_size(ranks);
    SCOPED_STRBUF message = {0};
    (void)arg;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        ranks_begin(&message, i % 3 == 0 ? RANKS_SYNC : RANKS_PARCEL);
        strbuf_add(&message, (const char *)&i, sizeof i);
        strbuf_pad(&message, (char)i, i % 3 == 0 ? 0 : i * 131 % LONG);
        CHECK_EQ(ranks_send_all(ranks, &message, &err), 0);
    }
    for (int pass = 0; pass < 2; pass++) {
        uint32_t next[RANKS_MOST];
        unsigned left = (n - 1) * (pass == 0 ? MESSAGES / 3 : MESSAGES - MESSAGES / 3);
        for (unsigned i = 0; i < n; i++) {
            next[i] = pass == 0 ? 0 : 1;
        }
        unsigned turns = 0;
        while (left > 0) {
            struct ranks_message got;
            uint32_t number;
            int status =
                ranks_next(ranks, RANKS_ANY, pass == 0 ? RANKS_SYNC : RANKS_PARCEL, &got, &err);
            CHECK(status >= 0);
            if (status == 0) {
                ranks_idle(&turns);
                continue;
            }
            memcpy(&number, got.body.p, sizeof number);
            CHECK_EQ(number, next[got.from]);
            CHECK_EQ(got.body.n, sizeof number + (pass == 0 ? 0 : number * 131 % LONG));
            for (size_t k = sizeof number; k < got.body.n; k++) {
                CHECK_EQ(got.body.p[k], (char)number);
            }
            next[got.from] += pass == 0 ? 3 : number % 3 == 1 ? 1 : 2;
            left--;
        }
    }
    CHECK(ranks_sent_bytes(ranks) > 0 || n == 1);
}

TEST(many_long_messages)
{
    for (unsigned n = 1; n <= 3; n++) {
        run_ranks(n, much, NULL);
    }
}

/* A rank that ends is an error for whoever waits for it. */
static void one_ends(struct ranks *ranks, void *arg)
{
    struct err err = {0};
    (void)arg;
    if (ranks_me(ranks) == 1) {
        _exit(0); /* without closing */
    }
    struct strbuf bytes = {0};
    CHECK(ranks_share(ranks, 1, &bytes, &err) < 0);
    CHECK(strstr(err.text, "rank 1 has ended") != NULL);
    strbuf_done(&bytes);
}

TEST(a_rank_that_ends_is_noticed)
{
    run_ranks(3, one_ends, NULL);
}
