/* States packed for the way: whatever goes in comes out, alike or not; damage is noticed. */
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "dist/parcel.h"
#include "test.h"

enum { RECORDS = 400, LONGEST = 300 };

struct sample {
    struct parcel_record record;
    uint8_t bytes[LONGEST];
};

/* Each is the one before it with some bytes changed, put in or taken out, or a new one. */
static void make(struct sample *samples, uint64_t seed)
{
    size_t len = 0;
    for (uint32_t i = 0; i < RECORDS; i++) {
        struct sample *s = &samples[i];
        uint64_t h = hash_mix(seed * 1000 + i);
        if (i > 0) {
            memcpy(s->bytes, samples[i - 1].bytes, LONGEST);
        }
        if (i == 0 || h % 7 == 0) {
            len = (h >> 8) % 13 == 0 ? 0 : (h >> 8) % LONGEST;
            for (size_t k = 0; k < len; k++) {
                s->bytes[k] = (uint8_t)(hash_mix(h + k) % 5);
            }
        } else if (h % 7 < 3 && len + 4 < LONGEST) {
            memmove(s->bytes + len / 2 + 3, s->bytes + len / 2, len - len / 2);
            len += 3;
        }
        for (unsigned k = 0; k < (h >> 16) % 6 && len > 0; k++) {
            s->bytes[hash_mix(h + k) % len] = (uint8_t)(h >> (8 * k));
        }
        s->record = (struct parcel_record){
            .fp = hash_mix(h),
            .parent = seed + i / 3,
            .ordinal = (uint32_t)(h >> 20) % (i % 5 == 0 ? UINT32_MAX : 200),
            .action = (uint32_t)(h >> 40) % 300,
            .bytes = s->bytes,
            .len = len,
        };
    }
}

static void same(const struct parcel_record *a, const struct parcel_record *b)
{
    CHECK(a->fp == b->fp && a->parent == b->parent);
    CHECK_EQ(a->ordinal, b->ordinal);
    CHECK_EQ(a->action, b->action);
    CHECK_EQ(a->len, b->len);
    CHECK(a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

TEST(whatever_goes_in_comes_out)
{
    static struct sample samples[RECORDS];
    struct parcel parcel = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        make(samples, seed);
        strbuf_adds(&parcel.out, "head");
        for (int i = 0; i < RECORDS; i++) {
            parcel_add(&parcel, &samples[i].record);
        }
        struct parcel_reader reader = {
            .left = {parcel.out.p + 4, parcel.out.n - 4}
        };
        struct parcel_record got;
        for (int i = 0; i < RECORDS; i++) {
            CHECK_EQ(parcel_next(&reader, &got), 1);
            same(&got, &samples[i].record);
        }
        CHECK_EQ(parcel_next(&reader, &got), 0);
        parcel_reader_done(&reader);
        parcel_reset(&parcel);
    }
    parcel_done(&parcel);
}

/* Successors of one state take little more than their fingerprints. */
TEST(what_is_alike_is_small)
{
    struct parcel parcel = {0};
    uint8_t bytes[696] = {0};
    for (uint32_t i = 0; i < 100; i++) {
        bytes[i * 5] ^= 1;
        parcel_add(&parcel, &(struct parcel_record){.fp = hash_mix(i),
                                                    .parent = i / 4,
                                                    .ordinal = i % 4,
                                                    .bytes = bytes,
                                                    .len = sizeof bytes});
    }
    CHECK(parcel.out.n < 696 + 100 * 20);
    parcel_done(&parcel);
}

TEST(damage_is_no_crash)
{
    static struct sample samples[RECORDS];
    struct parcel parcel = {0};
    unsigned bad = 0;
    make(samples, 7);
    for (int i = 0; i < RECORDS; i++) {
        parcel_add(&parcel, &samples[i].record);
    }
    for (uint64_t k = 0; k < 3000; k++) {
        struct strbuf copy = {0};
        uint64_t h = hash_mix(k);
        strbuf_add(&copy, parcel.out.p, k % 2 ? parcel.out.n : h % parcel.out.n);
        if (copy.n > 0) {
            copy.p[(h >> 8) % copy.n] ^= (char)(h >> 32);
        }
        struct parcel_reader reader = {.left = strbuf_str(&copy)};
        struct parcel_record got;
        int status = 1;
        while ((status = parcel_next(&reader, &got)) == 1 && got.len < 1 << 20) {
        }
        bad += status < 0;
        parcel_reader_done(&reader);
        strbuf_done(&copy);
    }
    CHECK(bad > 100);
    parcel_done(&parcel);
}

TEST(owners_are_even)
{
    unsigned counts[64] = {0};
    for (uint64_t i = 0; i < 64000; i++) {
        unsigned owner = parcel_owner(hash_mix(i), 64);
        CHECK(owner < 64);
        counts[owner]++;
    }
    for (int i = 0; i < 64; i++) {
        CHECK(counts[i] > 800 && counts[i] < 1200);
    }
}

TEST(what_was_sent_is_never_invented)
{
    struct sent sieve;
    sent_init(&sieve, 8);
    CHECK(!sent_has(&sieve, 0));
    for (uint64_t i = 1; i < 3000; i++) {
        uint64_t fp = hash_mix(i);
        CHECK(!sent_has(&sieve, fp));
        sent_put(&sieve, fp);
        CHECK(sent_has(&sieve, fp));
    }
    sent_done(&sieve);
}
