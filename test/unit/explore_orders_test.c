/* Orders of what clients saw against all orders of small runs, one event at a time: which returns
 * came before which calls. Runs are drawn; seeds are fixed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/cuts.h"
#include "explore/orders.h"
#include "test.h"

enum { NODES = 4, EVENTS_MOST = 8 };

/* What an event says: a line of its own, so that it is known by its bytes. */
enum { SAYS_NOTHING, SAYS_CALL, SAYS_RETURN, SAYS_BOTH, SAYS_KINDS };
static const char *const lines[EVENTS_MOST][SAYS_KINDS] = {
#define EVENT(n)                                                                                   \
    {"", "{\"invoke\" " n "}\n", "{\"ok\" " n "}\n", "{\"info\" " n "}\n{\"invoke\" " n "}\n"},
    EVENT("0") EVENT("1") EVENT("2") EVENT("3") EVENT("4") EVENT("5") EVENT("6") EVENT("7")
#undef EVENT
};

struct paper { /* a run on paper */
    struct cuts cuts;
    int says[EVENTS_MOST];
};

static void draw(struct paper *p, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    *p = (struct paper){0};
    size_t n = 1 + rng_below(&rng, EVENTS_MOST);
    for (size_t i = 0; i < n; i++) {
        struct cuts_event e = {.sender = CUTS_NONE};
        e.node[0] = e.node[1] = (uint32_t)rng_below(&rng, NODES);
        if (i > 0 && rng_below(&rng, 3) == 0) {
            e.sender = rng_below(&rng, i);
        }
        VEC_PUSH(&p->cuts.events, e);
        p->says[i] = (int)rng_below(&rng, SAYS_KINDS);
    }
}

static bool may_come(const struct paper *p, unsigned done, size_t i)
{
    const struct cuts_event *e = &p->cuts.events.v[i];
    for (size_t k = 0; k < i; k++) {
        bool needed = p->cuts.events.v[k].node[0] == e->node[0] || e->sender == k;
        if (needed && (done >> k & 1) == 0) {
            return false;
        }
    }
    return (done >> i & 1) == 0;
}

/* Which returns came before which calls, in this order. */
static uint64_t relation(const struct paper *p, const size_t *order)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->cuts.events.n; i++) {
        for (size_t k = i + 1; k < p->cuts.events.n; k++) {
            bool returns = p->says[order[i]] >= SAYS_RETURN;
            bool calls = p->says[order[k]] == SAYS_CALL || p->says[order[k]] == SAYS_BOTH;
            sum += returns && calls ? hash_mix(order[i] * EVENTS_MOST + order[k] + 1) : 0;
        }
    }
    return sum;
}

static void all_orders(const struct paper *p, unsigned done, size_t *order, size_t n,
                       struct u64map *ret)
{
    if (n == p->cuts.events.n) {
        u64map_put(ret, relation(p, order), 1);
    }
    for (size_t i = 0; i < p->cuts.events.n; i++) {
        if (may_come(p, done, i)) {
            order[n] = i;
            all_orders(p, done | 1U << i, order, n + 1, ret);
        }
    }
}

struct told {
    const struct paper *paper;
    struct u64map relations;
    size_t n, stop;
};

/* The events that come with a history are an order of the run, and have that history. */
static int on_history(void *arg, struct str history, const size_t *events)
{
    struct told *t = arg;
    const struct paper *p = t->paper;
    unsigned done = 0;
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, "before\n");
    for (size_t i = 0; i < p->cuts.events.n; i++) {
        CHECK(may_come(p, done, events[i]));
        done |= 1U << events[i];
        strbuf_adds(&text, lines[events[i]][p->says[events[i]]]);
    }
    CHECK(str_eq(history, strbuf_str(&text)));
    static const size_t itself[EVENTS_MOST] = {0, 1, 2, 3, 4, 5, 6, 7};
    CHECK(t->n != 0 || relation(p, events) == relation(p, itself));
    u64map_put(&t->relations, relation(p, events), 1);
    return ++t->n == t->stop ? 7 : 0;
}

static int each(const struct paper *p, uint64_t most, bool *ret_all, struct told *told)
{
    struct orders o = {.cuts = &p->cuts, .n_nodes = NODES, .before = STR("before\n")};
    for (size_t i = 0; i < p->cuts.events.n; i++) {
        const char *text = lines[i][p->says[i]];
        if (text[0] != '\0') {
            VEC_PUSH(&o.parts, ((struct orders_part){
                                   i, {text, strlen(text)}
            }));
        }
    }
    int status = orders_each(&o, most, ret_all, on_history, told);
    orders_done(&o);
    return status;
}

TEST(explore_orders_are_the_histories_of_all_orders)
{
    size_t several = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct paper p;
        size_t order[EVENTS_MOST];
        struct u64map all = {0};
        bool whole = false;
        draw(&p, seed);
        struct told told = {.paper = &p};
        all_orders(&p, 0, order, 0, &all);
        CHECK(each(&p, UINT64_MAX, &whole, &told) == 0 && whole);
        CHECK(told.relations.n == all.n);
        CHECK(told.n == all.n); /* none twice */
        for (size_t i = 0; i < all.n; i++) {
            uint64_t value = 0;
            CHECK(u64map_get(&told.relations, all.entries[i].key, &value));
        }
        several += all.n > 2 ? 1 : 0;
        u64map_done(&told.relations);
        u64map_done(&all);
        cuts_done(&p.cuts);
    }
    CHECK(several > 50);
}

/* Two clients with an operation each, which never hear of each other: one after the other, the
 * other way around, at the same time. */
TEST(explore_orders_end_when_they_are_to)
{
    struct paper p = {
        .says = {SAYS_CALL, SAYS_RETURN, SAYS_CALL, SAYS_RETURN}
    };
    for (uint32_t i = 0; i < 4; i++) {
        VEC_PUSH(&p.cuts.events, ((struct cuts_event){
                                     {i / 2, i / 2},
                                     {0,     0    },
                                     CUTS_NONE
        }));
    }
    struct told told = {.paper = &p};
    bool whole = false;
    CHECK(each(&p, 3, &whole, &told) == 0 && whole && told.n == 3);
    told.n = 0;
    CHECK(each(&p, 2, &whole, &told) == 0 && !whole && told.n == 2);
    told.n = 0;
    told.stop = 2;
    CHECK(each(&p, 3, &whole, &told) == 7 && told.n == 2);
    u64map_done(&told.relations);
    cuts_done(&p.cuts);
}
