/* The table of strings, alone and with several threads (run under V=tsan, too). */
#include <pthread.h>

#include "unit/value_util.h"

TEST(ids_grow_in_order_of_first_sight)
{
    struct strtab *strtab = strtab_new();
    char text[32];
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "name %u", i * 7919 % 5000);
        CHECK_EQ(strtab_intern(strtab, str_of(text)), i);
    }
    CHECK_EQ(strtab_count(strtab), 5000);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "name %u", i * 7919 % 5000);
        CHECK_EQ(strtab_intern(strtab, str_of(text)), i);
        CHECK(str_is(strtab_text(strtab, i), text));
    }
    CHECK_EQ(strtab_intern(strtab, STR("")), 5000);
    CHECK_EQ(strtab_intern(strtab, (struct str){"a\0b", 3}), 5001);
    CHECK_EQ(strtab_intern(strtab, STR("a")), 5002);
    struct strtab *other = strtab_new(); /* hashes are of the text */
    CHECK_EQ(strtab_hash(other, strtab_intern(other, STR("name 3"))),
             strtab_hash(strtab, strtab_intern(strtab, STR("name 3"))));
    strtab_free(other);
    strtab_free(strtab);
    strtab_free(NULL);
}

enum { THREADS = 4, NAMES = 3000 };

struct job {
    struct strtab *strtab;
    uint32_t start;
    uint32_t ids[NAMES];
};

static void *intern_all(void *arg)
{
    struct job *job = arg;
    char text[32];
    for (uint32_t i = 0; i < NAMES; i++) {
        uint32_t name = (job->start + i) % NAMES;
        snprintf(text, sizeof text, "%u", name);
        job->ids[name] = strtab_intern(job->strtab, str_of(text));
        if (!str_is(strtab_text(job->strtab, job->ids[name]), text)) {
            return NULL;
        }
    }
    return job;
}

TEST(threads_agree)
{
    static struct job jobs[THREADS];
    pthread_t threads[THREADS];
    struct strtab *strtab = strtab_new();
    for (uint32_t i = 0; i < THREADS; i++) {
        jobs[i] = (struct job){.strtab = strtab, .start = i * (NAMES / THREADS)};
        CHECK_EQ(pthread_create(&threads[i], NULL, intern_all, &jobs[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        void *done = NULL;
        CHECK_EQ(pthread_join(threads[i], &done), 0);
        CHECK(done != NULL);
    }
    CHECK_EQ(strtab_count(strtab), NAMES);
    for (uint32_t i = 1; i < THREADS; i++) {
        CHECK(memcmp(jobs[0].ids, jobs[i].ids, sizeof jobs[0].ids) == 0);
    }
    strtab_free(strtab);
}

TEST(model_values)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    struct val untyped = MODEL(w, "mv");
    struct val typed = MODEL(w, "t_1");
    struct val other = MODEL(w, "u_1");
    CHECK(val_same(untyped, MODEL(w, "mv")));
    CHECK(!val_equal(ctx, untyped, STRV(w, "mv")));
    CHECK(!val_equal(ctx, SET(w, I(1)), untyped));
    CHECK(!val_equal(ctx, typed, untyped));
    CHECK(val_compare(ctx, untyped, I(5)) < 0 && val_compare(ctx, I(5), untyped) > 0);
    FAILS(w, val_equal(ctx, typed, other));
    CHECK_STR(w->error,
              "Attempted to check equality of the differently-typed model values t_1 and u_1");
    FAILS(w, val_equal(ctx, I(1), typed));
    CHECK_STR(
        w->error,
        "Attempted to check equality of the typed model value t_1 and the non-model value\n1");
    FAILS(w, set_member(ctx, typed, VAL_NAT));
    CHECK_STR(w->error, "Attempted to check if the typed model value t_1 is an element of\nNat");
    CHECK(!set_member(ctx, untyped, VAL_NAT));
    CHECK(set_member(ctx, typed, VAL_ANYSET));
    /* A name of two characters has no type. */
    CHECK(!val_equal(ctx, MODEL(w, "t_"), I(1)));
    world_free(w);
}
