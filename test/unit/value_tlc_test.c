/* Values against TLC: random expressions whose answers (results, orders, error texts, layout) were
 * recorded from TLC's own classes.
 *
 * Notation, prefix: i 3 | b 1 | s "text" | m model | S n elems (set) | T n elems (tuple) | X n sets
 * (product) | R n name value... (record) | Q n name set... (record set) | F n key value...
 * (function) | .. lo hi | P S (SUBSET) | A D R ([D -> R]) | U S (UNION) | cup cap diff | Nat Int
 * Str | Seq S. */
#include "unit/value_tlc_rows.h"
#include "unit/value_util.h"

struct reader {
    struct world *w;
    char *rest;
};

static char *word(struct reader *r)
{
    return strtok_r(NULL, " ", &r->rest);
}

static int64_t number(struct reader *r)
{
    return strtoll(word(r), NULL, 10);
}

static struct val expr(struct reader *r);

static struct val list(struct reader *r, char kind)
{
    struct val v[16];
    size_t n = (size_t)number(r);
    for (size_t i = 0; i < n; i++) {
        v[i] = expr(r);
    }
    struct vctx *ctx = &r->w->ctx;
    return kind == 'S'   ? set_make(ctx, v, n)
           : kind == 'T' ? tuple_make(ctx, v, n)
                         : set_product(ctx, v, n);
}

static struct val pairs(struct reader *r, char kind)
{
    struct val k[16];
    struct val v[16];
    size_t n = (size_t)number(r);
    for (size_t i = 0; i < n; i++) {
        k[i] = kind == 'F' ? expr(r) : STRV(r->w, word(r));
        v[i] = expr(r);
    }
    struct vctx *ctx = &r->w->ctx;
    return kind == 'R'   ? record_make(ctx, k, v, n)
           : kind == 'F' ? fcn_make(ctx, k, v, n)
                         : set_recset(ctx, k, v, n);
}

static struct val named(struct reader *r, const char *name)
{
    struct vctx *ctx = &r->w->ctx;
    if (strcmp(name, "Nat") == 0) {
        return VAL_NAT;
    }
    if (strcmp(name, "Int") == 0) {
        return VAL_INT;
    }
    if (strcmp(name, "Str") == 0) {
        return VAL_STRING;
    }
    if (strcmp(name, "Seq") == 0) {
        return set_seqset(ctx, expr(r));
    }
    struct val a = strcmp(name, "..") == 0 ? I(number(r)) : expr(r);
    if (strcmp(name, "..") == 0) {
        return set_interval(ctx, a, I(number(r)));
    }
    struct val b = expr(r);
    return strcmp(name, "cup") == 0   ? set_cup(ctx, a, b)
           : strcmp(name, "cap") == 0 ? set_cap(ctx, a, b)
                                      : set_diff(ctx, a, b);
}

static struct val expr(struct reader *r)
{
    const char *name = word(r);
    CHECK(name != NULL);
    if (name[1] != '\0') {
        return named(r, name);
    }
    switch (name[0]) {
    case 'i': return I(number(r));
    case 'b': return val_bool(number(r) != 0);
    case 's': return STRV(r->w, word(r));
    case 'm': return MODEL(r->w, word(r));
    case 'S':
    case 'T':
    case 'X': return list(r, name[0]);
    case 'R':
    case 'Q':
    case 'F': return pairs(r, name[0]);
    case 'P': return set_subset(&r->w->ctx, expr(r));
    case 'U': return set_union_lazy(&r->w->ctx, expr(r));
    default: {
        struct val domain = expr(r);
        return set_fcnset(&r->w->ctx, domain, expr(r));
    }
    }
}

static void elements(struct world *w, struct val set, bool sorted, struct strbuf *out)
{
    struct set_iter it;
    struct val elem;
    if (sorted) {
        set_iter_init_sorted(&it, &w->ctx, set);
    } else {
        set_iter_init(&it, &w->ctx, set);
    }
    for (int n = 0; n < 300 && set_iter_next(&it, &elem); n++) {
        val_print(&w->ctx, elem, out);
        strbuf_adds(out, " ; ");
    }
}

static void answer(struct reader *r, const char *op, struct strbuf *out)
{
    struct vctx *ctx = &r->w->ctx;
    struct val a = expr(r);
    if (strcmp(op, "cmp") == 0) {
        int cmp = val_compare(ctx, a, expr(r));
        strbuf_printf(out, "%d", (cmp > 0) - (cmp < 0));
    } else if (strcmp(op, "eq") == 0) {
        strbuf_adds(out, val_equal(ctx, a, expr(r)) ? "true" : "false");
    } else if (strcmp(op, "mem") == 0) {
        strbuf_adds(out, set_member(ctx, a, expr(r)) ? "true" : "false");
    } else if (strcmp(op, "sub") == 0) {
        strbuf_adds(out, set_subseteq(ctx, a, expr(r)) ? "true" : "false");
    } else if (strcmp(op, "card") == 0) {
        val_print(ctx, set_card(ctx, a), out);
    } else if (strcmp(op, "fin") == 0) {
        strbuf_adds(out, set_is_finite(ctx, a) ? "true" : "false");
    } else if (strcmp(op, "print") == 0) {
        val_print(ctx, a, out);
    } else if (strcmp(op, "pp") == 0) {
        val_print_pretty(ctx, a, 0, 80, out);
    } else if (strcmp(op, "app") == 0) {
        struct val arg = expr(r);
        strbuf_adds(out, val_is_fcn(a) ? val_line(ctx, fcn_apply(ctx, a, arg)) : "nofcn");
    } else if (strcmp(op, "dom") == 0) {
        strbuf_adds(out,
                    val_is_fcn(a) ? val_line(ctx, set_force(ctx, fcn_domain(ctx, a))) : "nofcn");
    } else {
        elements(r->w, a, op[0] == 's', out);
    }
}

TEST(answers_of_tlc)
{
    struct world *w = world_new();
    static const char *const first_seen[] = {"a",  "b",  "c",   "d",   "e",  "foo",
                                             "m1", "m2", "x_1", "x_2", "y_1"};
    for (size_t i = 0; i < sizeof first_seen / sizeof first_seen[0]; i++) {
        strtab_intern(w->ctx.strings, str_of(first_seen[i]));
    }
    struct strbuf got = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s", rows[i].expr);
        struct reader r = {w, NULL};
        const char *op = strtok_r(text, " ", &r.rest);
        strbuf_reset(&got);
        w->catching = true;
        if (setjmp(w->jump) == 0) {
            answer(&r, op, &got);
        } else {
            strbuf_reset(&got);
            strbuf_printf(&got, "ERR %s", w->error);
        }
        w->catching = false;
        if (strcmp(strbuf_cstr(&got), rows[i].answer) != 0) {
            fprintf(stderr, "row %zu: %s\n", i, rows[i].expr);
        }
        CHECK_STR(strbuf_cstr(&got), rows[i].answer);
        arena_reset(&w->arena);
    }
    strbuf_done(&got);
    world_free(w);
}
