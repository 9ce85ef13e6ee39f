/* Bytes: size, round trips of every kind, and damage. */
#include "unit/value_util.h"

static size_t encode(struct world *w, struct val v, struct strbuf *out)
{
    strbuf_reset(out);
    val_encode(&w->ctx, v, out);
    return out->n;
}

static bool decode(struct world *w, const void *bytes, size_t n, struct val *ret)
{
    const uint8_t *at = bytes;
    return val_decode(&w->ctx, &at, at + n, ret) && at == (const uint8_t *)bytes + n;
}

TEST(round_trips)
{
    struct world *w = world_new();
    struct vctx *ctx = &w->ctx;
    for (int i = 0; i < 20000; i++) { /* ids of one, two and more bytes */
        char text[20];
        snprintf(text, sizeof text, "s%d", i);
        STRV(w, text);
    }
    struct val keys[] = {MODEL(w, "m1"), MODEL(w, "m2")};
    struct val names[] = {STRV(w, "s17"), STRV(w, "s19999")};
    struct val two[] = {I(-1), VAL_TRUE};
    struct val many[40];
    for (int i = 0; i < 40; i++) {
        many[i] = I(i * 1000003 - 5);
    }
    struct val rows[] = {I(0),
                         I(95),
                         I(96),
                         I(-1),
                         I(SMALL_MAX),
                         I(SMALL_MIN),
                         VAL_TRUE,
                         VAL_FALSE,
                         VAL_UNDEF,
                         STRV(w, "s0"),
                         STRV(w, "s16383"),
                         STRV(w, "s16384"),
                         MODEL(w, "m1"),
                         MODEL(w, "x_typed"),
                         int_pow(ctx, I(-7), I(101)),
                         val_int(ctx, INT64_MIN),
                         set_empty(),
                         tuple_empty(),
                         set_make(ctx, many, 40),
                         tuple_make(ctx, many, 40),
                         RANGE(w, -5, 100000),
                         record_make(ctx, names, two, 2),
                         fcn_make(ctx, names, two, 2),
                         fcn_make(ctx, keys, two, 2),
                         fcn_make(ctx, two, two, 1)};
    struct strbuf bytes = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val back = VAL_UNDEF;
        size_t n = encode(w, rows[i], &bytes);
        CHECK(decode(w, bytes.p, n, &back));
        CHECK_STR(TEXT(w, back), TEXT(w, rows[i]));
        CHECK(val_equal(ctx, back, rows[i]));
        for (size_t cut = 0; cut < n; cut++) { /* every shorter input is refused */
            char *copy = malloc(cut + 1);
            CHECK(copy != NULL);
            memcpy(copy, bytes.p, cut);
            CHECK(!decode(w, copy, cut, &back));
            free(copy);
        }
    }
    CHECK_EQ(encode(w, I(95), &bytes), 1);
    CHECK_EQ(encode(w, TUPLE(w, I(1), SET(w, I(2)), VAL_TRUE), &bytes), 5);
    CHECK_EQ(encode(w, STRV(w, "s100"), &bytes), 2);
    strbuf_done(&bytes);
    world_free(w);
}

/* Bytes that no canonical value has. */
TEST(refused)
{
    struct world *w = world_new();
    STRV(w, "a");
    STRV(w, "b");
    MODEL(w, "x_1");
    static const struct {
        const char *what;
        uint8_t bytes[12];
        size_t n;
    } rows[] = {
        {"set out of order",                {0xe2, 2, 1},                            3 },
        {"set with a duplicate",            {0xe2, 1, 1},                            3 },
        {"record names out of order",       {0xf1, 1, 0, 1, 1},                      5 },
        {"record without fields",           {0x6b, 0},                               2 },
        {"function that is a tuple",        {0x6d, 2, 1, 2, 5, 5},                   6 },
        {"function that is a record",       {0x6d, 1, 0x80, 0, 5},                   5 },
        {"empty function",                  {0x6d, 0},                               2 },
        {"big integer that is small",       {0x63, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0},    11},
        {"big integer without limbs",       {0x63, 0, 0},                            3 },
        {"sign",                            {0x63, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0xff}, 11},
        {"string id",                       {0x80, 77},                              2 },
        {"model id",                        {0x65, 77},                              2 },
        {"untyped model with a typed name", {0x65, 2},                               2 },
        {"typed model with another type",   {0x66, 'y', 2},                          3 },
        {"special",                         {0x67, 6},                               2 },
        {"count beyond the end",            {0x69, 0xff, 0xff, 0xff, 0xff, 0x0f},    6 },
        {"varint without end",
         {0x62, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
         12                                                                            },
        {"unknown kind",                    {0x7f},                                  1 },
        {"nothing",                         {0},                                     0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct val v;
        if (decode(w, rows[i].bytes, rows[i].n, &v)) {
            fprintf(stderr, "accepted: %s\n", rows[i].what);
            exit(1);
        }
    }
    world_free(w);
}

TEST(damage)
{
    struct world *w = world_new();
    struct rng rng;
    rng_seed(&rng, test_seed());
    struct strbuf bytes = {0};
    struct strbuf again = {0};
    for (int round = 0; round < 30000; round++) {
        struct val v = random_shaped(w, &rng, (unsigned)rng_below(&rng, 1000), 3);
        size_t n = encode(w, v, &bytes);
        for (int k = 0; k < 3; k++) {
            bytes.p[rng_below(&rng, n)] = (char)rng_next(&rng);
        }
        const uint8_t *at = (const uint8_t *)bytes.p;
        struct val back;
        if (val_decode(&w->ctx, &at, at + n, &back)) { /* then it is a value like others */
            strbuf_reset(&again);
            val_encode(&w->ctx, back, &again);
            struct val twice;
            CHECK(decode(w, again.p, again.n, &twice));
        }
        arena_reset(&w->arena);
    }
    strbuf_done(&bytes);
    strbuf_done(&again);
    world_free(w);
}
