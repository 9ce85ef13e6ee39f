/* Definitions that are shared, by names that are made of their text. See defs.h.
 *
 * Rejected: numbers as names, with the text read again to find out what depends on what and to
 * number names anew (a C tokenizer, and a form that it did not know cost reuse); lists of what each
 * text uses, kept beside it (names travel inside of C expressions, from one function to another,
 * and a use that is not noted would be found as a wrong answer). */
#include "cgen/defs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/emit.h"
#include "cgen/tidy.h"
#include "cgen/tree.h"

struct part_key defs_key(struct str text)
{
    return (struct part_key){
        {hash_bytes(text.p, text.n, 21), hash_bytes(text.p, text.n, 22)}
    };
}

/* Notes the hash of a definition; false: it is there already. */
static bool is_new(struct gen *g, uint64_t hash)
{
    for (size_t i = 0; i < g->defined.n; i++) {
        if (g->defined.v[i] == hash) {
            return false;
        }
    }
    VEC_PUSH(&g->defined, hash);
    return true;
}

const char *gen_define(struct gen *g, const char *prefix, const char *before, struct str after)
{
    if (g->declined) {
        return "0";
    }
    uint64_t hash = hash_bytes(after.p, after.n, hash_bytes(before, strlen(before), 23));
    const char *name = gen_text(g, "%s%016" PRIx64, prefix, hash);
    if (is_new(g, hash_combine(hash, hash_bytes(prefix, strlen(prefix), 24)))) {
        strbuf_printf(&g->defs, "%s%s", before, name);
        strbuf_addstr(&g->defs, after);
    }
    return name;
}

void gen_define_line(struct gen *g, const char *line)
{
    if (!g->declined && is_new(g, hash_bytes(line, strlen(line), 25))) {
        strbuf_printf(&g->defs, "%s\n", line);
    }
}

static void fix(struct gen *g, size_t from)
{
    g->fixed = hash_combine(g->fixed, hash_bytes(g->defs.p + from, g->defs.n - from, 26));
}

void gen_define_fixed(struct gen *g, const char *fmt, ...)
{
    size_t from = g->defs.n;
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&g->defs, fmt, ap);
    va_end(ap);
    fix(g, from);
}

void gen_side_open(struct gen *g, struct side *s)
{
    *s = (struct side){.out = tree_new(g->arena),
                       .decls = tree_new(g->arena),
                       .old_out = g->out,
                       .old_decls = g->decls,
                       .old_ntmp = g->ntmp,
                       .old_bytes = g->bytes};
    g->out = s->out;
    g->decls = s->decls;
    g->ntmp = &s->ntmp;
    g->bytes = 0;
    s->known = gen_known_apart(g);
}

static void side_leave(struct gen *g, struct side *s)
{
    ASSERT(g->out == s->out && g->ntmp == &s->ntmp);
    g->out = s->old_out;
    g->decls = s->old_decls;
    g->ntmp = s->old_ntmp;
    g->bytes = s->old_bytes;
    gen_known_back(g, s->known);
    s->traps = s->out->ntrap > 0;
}

const char *gen_side_close(struct gen *g, struct side *s, const char *prefix, const char *head,
                           const char *params)
{
    side_leave(g, s);
    struct strbuf after = {.arena = g->arena};
    tidy(s->decls, s->out, g->cxs.names.n);
    strbuf_printf(&after, "%s {\n", params);
    tree_print(s->decls, &after);
    tree_print(s->out, &after);
    strbuf_adds(&after, "}\n");
    const char *name = gen_define(g, prefix, head, strbuf_str(&after));
    strbuf_done(&after);
    return name;
}

void gen_side_close_fixed(struct gen *g, struct side *s, const char *head)
{
    side_leave(g, s);
    size_t from = g->defs.n;
    tidy(s->decls, s->out, g->cxs.names.n);
    strbuf_printf(&g->defs, "%s {\n", head);
    tree_print(s->decls, &g->defs);
    tree_print(s->out, &g->defs);
    strbuf_adds(&g->defs, "}\n");
    fix(g, from);
}

void defs_mark(const struct gen *g, struct defs_mark *mark)
{
    *mark = (struct defs_mark){.text = g->defs.n,
                               .defined = g->defined.n,
                               .consts = g->consts.n,
                               .convs = g->convs.n,
                               .cmps = g->cmps.n,
                               .images = g->images.n,
                               .sigs = g->sigs.n,
                               .spreads = g->spreads.n,
                               .set_ops = g->set_ops.n,
                               .map_ops = g->map_ops.n,
                               .unis = g->unis.n,
                               .recs = g->recs.n};
}

void defs_back(struct gen *g, const struct defs_mark *mark)
{
    g->defs.n = mark->text;
    g->defined.n = mark->defined;
    g->consts.n = mark->consts;
    g->convs.n = mark->convs;
    g->cmps.n = mark->cmps;
    g->images.n = mark->images;
    g->sigs.n = mark->sigs;
    g->spreads.n = mark->spreads;
    g->set_ops.n = mark->set_ops;
    g->map_ops.n = mark->map_ops;
    g->unis.n = mark->unis;
    g->recs.n = mark->recs;
}

uint64_t defs_since(const struct gen *g, const struct defs_mark *mark)
{
    return hash_bytes(g->defs.p + mark->text, g->defs.n - mark->text, 27);
}
