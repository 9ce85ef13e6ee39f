/* Where two values differ, in both directions; and values against what trace files say of them. */
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "conform/conform_int.h"
#include "test.h"
#include "unit/value_util.h"
#include "value/value.h"

static struct val RECORD(struct world *w, struct val a, struct val b) {
    struct val names[] = {STRV(w, "a"), STRV(w, "b")}, vals[] = {a, b};
    return record_make(&w->ctx, names, vals, 2);
}

static struct val
FCN(struct world *w, struct val k1, struct val v1, struct val k2, struct val v2) {
    struct val keys[] = {k1, k2}, vals[] = {v1, v2};
    return fcn_make(&w->ctx, keys, vals, 2);
}

/* What value_diff says of the two, and whether it agrees with itself when it may say nothing. */
static const char *
differ(struct world *w, struct val spec, struct val real, unsigned most)
{
    static char text[1000];
    struct strbuf out = {0}, none = {0};
    unsigned differs = value_diff(&w->ctx, spec, real, &out, most);
    CHECK_EQ(value_diff(&w->ctx, spec, real, &none, 0), differs);
    CHECK_EQ(none.n, 0);
    CHECK(differs != 0 || out.n == 0);
    snprintf(text, sizeof text, "%s%s", differs != 0 ? "" : "same", strbuf_cstr(&out));
    strbuf_done(&out);
    strbuf_done(&none);
    return text;
}

#define SAYS(spec, real, text) CHECK_STR(differ(w, spec, real, 9), text)
#define HAS(where, a, b)       where ": the specification has " a ", the implementation " b "\n"

TEST(same)
{
    struct world *w = world_new();
    SAYS(I(3), I(3), "same");
    SAYS(SET(w, I(1), I(2)), RANGE(w, 1, 2), "same");
    SAYS(RANGE(w, 1, 2), SET(w, I(1), I(2)), "same");
    SAYS(TUPLE(w, I(5), I(6)), FCN(w, I(2), I(6), I(1), I(5)), "same");
    SAYS(val_int(&w->ctx, INT64_MAX), val_int(&w->ctx, INT64_MAX), "same");
    SAYS(SET(w, TUPLE(w, I(1)), TUPLE(w, I(2))), SET(w, TUPLE(w, I(2)), TUPLE(w, I(1))), "same");
    world_free(w);
}

TEST(sets)
{
    struct world *w = world_new();
    SAYS(SET(w, I(1), I(2)), SET(w, I(1)), HAS("", "2", "nothing"));
    SAYS(SET(w, I(1)), SET(w, I(1), I(2)), HAS("", "nothing", "2"));
    SAYS(set_make(&w->ctx, NULL, 0), SET(w, I(2)), HAS("", "nothing", "2"));
    SAYS(SET(w, I(1), I(2)), SET(w, I(2), I(3)), HAS("", "1", "nothing") HAS("", "nothing", "3"));
    world_free(w);
}

TEST(functions)
{
    struct world *w = world_new();
    SAYS(RECORD(w, I(1), I(2)), RECORD(w, I(1), I(3)), HAS(".b", "2", "3"));
    SAYS(TUPLE(w, I(1), I(2)), TUPLE(w, I(1)), HAS("[2]", "2", "nothing"));
    SAYS(TUPLE(w, I(1)), TUPLE(w, I(1), I(2)), HAS("[2]", "nothing", "2"));
    SAYS(RECORD(w, TUPLE(w, I(7)), I(2)), RECORD(w, TUPLE(w, I(8)), I(1)),
         HAS(".a[1]", "7", "8") HAS(".b", "2", "1"));
    SAYS(FCN(w, I(1), I(4), I(2), I(5)), FCN(w, I(1), I(4), I(3), I(5)),
         HAS("[2]", "5", "nothing") HAS("[3]", "nothing", "5"));
    world_free(w);
}

/* How they differ is told apart from what is printed. */
TEST(ways)
{
    struct world *w = world_new();
    struct strbuf out = {0};
    CHECK_EQ(value_diff(&w->ctx, I(1), I(2), &out, 0), DIFF_OTHER);
    CHECK_EQ(value_diff(&w->ctx, SET(w, I(1)), SET(w, I(1), I(2)), &out, 0), DIFF_MORE);
    CHECK_EQ(value_diff(&w->ctx, TUPLE(w, I(1), I(2)), TUPLE(w, I(1)), &out, 0), DIFF_LESS);
    CHECK_EQ(value_diff(&w->ctx, SET(w, I(1)), SET(w, I(2)), &out, 0), DIFF_MORE | DIFF_LESS);
    CHECK_EQ(value_diff(&w->ctx, TUPLE(w, I(1)), TUPLE(w, I(3), I(2)), &out, 0),
             DIFF_MORE | DIFF_OTHER);
    strbuf_done(&out);
    world_free(w);
}

TEST(kinds)
{
    struct world *w = world_new();
    SAYS(I(1), STRV(w, "1"), HAS("", "1", "\"1\""));
    SAYS(I(1), VAL_TRUE, HAS("", "1", "TRUE"));
    SAYS(VAL_FALSE, VAL_TRUE, HAS("", "FALSE", "TRUE"));
    SAYS(STRV(w, "m"), MODEL(w, "m"), HAS("", "\"m\"", "m"));
    SAYS(STRV(w, "m"), STRV(w, "n"), HAS("", "\"m\"", "\"n\""));
    SAYS(SET(w, I(1)), TUPLE(w, I(1)), HAS("", "{1}", "<<1>>"));
    SAYS(val_int(&w->ctx, INT64_MAX), val_int(&w->ctx, INT64_MIN),
         HAS("", "9223372036854775807", "-9223372036854775808"));
    world_free(w);
}

TEST(no_more_than_asked)
{
    struct world *w = world_new();
    struct val a = TUPLE(w, I(1), I(2), I(3)), b = TUPLE(w, I(4), I(5), I(6));
    CHECK_STR(differ(w, a, b, 2), HAS("[1]", "1", "4") HAS("[2]", "2", "5"));
    world_free(w);
}

/* ---- what files say ---- */

struct row {
    struct val spec, file;
    bool is;
};

TEST(written)
{
    struct world *w = world_new();
    struct val one = I(1), two = I(2), text = STRV(w, "n1"), model = MODEL(w, "n1");
    const struct row rows[] = {
        {one, one, true},
        {one, two, false},
        {one, STRV(w, "1"), false},
        {VAL_TRUE, VAL_TRUE, true},
        {VAL_TRUE, VAL_FALSE, false},
        {model, text, true}, /* ITF */
        {text, text, true},
        {text, STRV(w, "n2"), false},
        {text, one, false},
        {SET(w, one, two), TUPLE(w, two, one), true}, /* TLC's JSON */
        {SET(w, one, two), SET(w, two, one), true},
        {SET(w, one, two), TUPLE(w, one), false},
        {SET(w, one), TUPLE(w, one, two), false},
        {SET(w, one, two), TUPLE(w, one, I(3)), false},
        {SET(w, one), one, false},
        {TUPLE(w, one, two), TUPLE(w, one, two), true},
        {TUPLE(w, one, two), TUPLE(w, two, one), false},
        {TUPLE(w, one), TUPLE(w, one, two), false},
        {TUPLE(w, one), SET(w, one), false},
        {FCN(w, one, two, two, one), RECORD(w, two, one), false},
        {FCN(w, model, two, MODEL(w, "n2"), one), FCN(w, text, two, STRV(w, "n2"), one), true},
        {FCN(w, I(3), two, I(4), one), FCN(w, STRV(w, "3"), two, STRV(w, "4"), one), true},
        {FCN(w, I(3), two, I(4), one), FCN(w, STRV(w, "3"), one, STRV(w, "4"), two), false},
        {RECORD(w, SET(w, one), two), RECORD(w, TUPLE(w, one), two), true},
        {RECORD(w, SET(w, one), two), RECORD(w, TUPLE(w, two), two), false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (value_is_written(&w->ctx, rows[i].spec, rows[i].file) != rows[i].is) {
            fprintf(stderr, "row %zu: %s\n", i, TEXT(w, rows[i].spec));
            exit(1);
        }
    }
    world_free(w);
}
