/* A whole specification as C text: types from samples, one function for each disjunct of Next and
 * for each predicate. */
#include "cgen/csource.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/reach.h"
#include "cgen/tidy.h"
#include "cgen/tree.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "eval/worker.h"

/* What is larger keeps a C compiler busy for minutes; it is left to the interpreter. */
#define FUNCTION_TEXT_MAX ((size_t)1 << 20)
#define ALL_TEXT_MAX      ((size_t)3 << 20)

static const char helpers[] =
    "static inline int atom_eq(uint32_t a, uint32_t b, int *ret)\n"
    "{ if (a == b) GIVE(1); uint32_t x = atom_class[a], y = atom_class[b];\n"
    "  if (x == y || x == 1 || y == 1) GIVE(0); TRAP(T_KIND); }\n"
    "static inline int mix_model(int64_t m)\n"
    "{ return m >= MIX_ATOM && m < MIX_BOOL && is_model[m - MIX_ATOM]; }\n"
    "static inline int mix_kind(int64_t m) { return m < MIX_ATOM ? 0 : m < MIX_BOOL ? 1 : 2; }\n"
    "static inline int mix_eq(int64_t a, int64_t b, int *ret)\n"
    "{ if (a == b) GIVE(1); if (mix_kind(a) == mix_kind(b)) GIVE(0);\n"
    "  if (mix_model(a) || mix_model(b)) GIVE(0); TRAP(T_KIND); }\n"
    "static inline int mix_cmp(int64_t a, int64_t b, int *ret)\n"
    "{ if (mix_kind(a) == mix_kind(b)) GIVE((a > b) - (a < b));\n"
    "  if (mix_model(a)) GIVE(-1); if (mix_model(b)) GIVE(1); TRAP(T_KIND); }\n"
    "static inline int mix_is_int(int64_t m, int *ret)\n"
    "{ if (m < MIX_ATOM) GIVE(1); if (mix_model(m)) GIVE(0); TRAP(T_KIND); }\n"
    "static inline int mix_in_atoms(int64_t m, uint64_t set, int *ret)\n"
    "{ if (mix_kind(m) == 1) GIVE((int)(set >> (m - MIX_ATOM) & 1));\n"
    "  for (; set; set &= set - 1) if (!is_model[__builtin_ctzll(set)]) TRAP(T_KIND);\n"
    "  GIVE(0); }\n"
    "static inline int mix_in_ints(int64_t m, uint64_t set, int *ret)\n"
    "{ if (m < MIX_ATOM) GIVE(m >= 0 && m < 64 && (set >> m & 1));\n"
    "  if (mix_model(m) || !set) GIVE(0); TRAP(T_KIND); }\n"
    "static inline int range_bits(int64_t lo, int64_t hi, uint64_t *ret)\n"
    "{ if (lo > hi) GIVE(0); if (lo < 0 || hi > 63) TRAP(T_FIT);\n"
    "  GIVE((hi == 63 ? 0 : UINT64_C(1) << (hi + 1)) - (UINT64_C(1) << lo)); }\n"
    "static inline int bits_cmp(uint64_t a, uint64_t b)\n"
    "{ int x = __builtin_popcountll(a), y = __builtin_popcountll(b);\n"
    "  if (x != y) return x < y ? -1 : 1; if (a == b) return 0;\n"
    "  return a >> __builtin_ctzll(a ^ b) & 1 ? -1 : 1; }\n"
    "#ifdef ASSAY_GPU /* a successor is treated when it is made: room gpu */\n"
    "static int next_state(struct W *w, S **ret);\n"
    "static void next_done(struct W *w, uint32_t action, uint64_t changed);\n"
    "#else\n"
    "static inline int next_state(struct W *w, S **ret)\n"
    "{ POLL(); if (w->n == w->cap) TRAP(T_FULL); GIVE((S *)(w->out + (size_t)w->n * sizeof(S))); "
    "}\n"
    "static inline void next_done(struct W *w, uint32_t action, uint64_t changed)\n"
    "{ w->cand[w->n].action = action; w->changed[w->n] = changed; w->n++; }\n"
    "#endif\n";

/* ---- functions ---- */
struct function {
    struct tree *out, *decls;
};

/* Is the next value of a variable its current one with some parts changed? */
static bool is_delta(const struct gen *g, uint32_t var)
{
    const struct cv *v = &g->next[var];
    return v->delta && v->delta->var == var && v->ty == g->var_ty[var];
}

static void leaf_next(struct gen *g, void *arg)
{
    (void)arg;
    if (g->missing > 0) {
        gen_trap(g, "T_KIND");
        return;
    }
    struct cv v[256];
    bool changed[256] = {false};
    uint64_t mask = 0;
    for (uint32_t i = 0; i < g->spec->nvar; i++) {
        if (g->next[i].now == i + 1) {
            continue;
        }
        changed[i] = true;
        mask |= i < 64 ? UINT64_C(1) << i : UINT64_MAX;
        if (!is_delta(g, i)) {
            v[i] = cv_conv(g, g->next[i], g->var_ty[i]);
        }
    }
    gen_block(g);
    const struct cx *to = cx_name(g, CX_POINTER, NULL, gen_tmp(g), false);
    const struct cx *next = cx_deref(g, to);
    gen_put_room_of(g, to, "S *");
    gen_call_into(g, cx_call(g, CX_INT, NULL, "next_state", cx_worker(g), cx_addr(g, to)));
    gen_do(g, cx_call(g, CX_OTHER, NULL, "memcpy", to, cx_name(g, CX_POINTER, NULL, "s", true),
                      cx_sizeof(g, next)));
    for (uint32_t i = 0; i < g->spec->nvar; i++) {
        const struct delta *d = changed[i] && is_delta(g, i) ? g->next[i].delta : NULL;
        const struct ty *ty = g->var_ty[i];
        const struct cx *var = cx_member(g, next, gen_text(g, "v%u", i), cx_kind_of(ty), ty);
        for (uint32_t k = 0; d && k < d->n; k++) {
            gen_set(g, cx_moved(g, d->place[k], d->of, var), d->val[k]);
        }
        if (changed[i] && !d) {
            gen_set(g, var, cv_e(g, &v[i]));
        }
    }
    gen_do(g, cx_call(g, CX_OTHER, NULL, "next_done", cx_worker(g), cx_int(g, g->action),
                      cx_u64(g, mask)));
    gen_scope_close(g);
}

static struct cv *state_cvs(struct gen *g, const char *pointer)
{
    struct cv *v = ARENA_ARRAY(g->arena, struct cv, g->spec->nvar + g->spec->extra_vars.n + 1);
    for (uint32_t i = 0; pointer && i < g->spec->nvar; i++) {
        v[i] = cv_state(g, pointer, i);
    }
    return v;
}

struct job {
    struct gen *g;
    struct csource *p;
    struct piece *piece;
    struct function fn;
    const char *head, *name, *params;
    bool view, symmetry;
};

/* ---- predicates ----
 * Conjunct by conjunct: one that reads nothing of what changed holds as it did before. What takes
 * long and reads little is remembered where it held: many states differ in something else. */
enum { MEMO_BYTES = 96, MEMO_SPACE = 1 << 16 };

struct range {
    uint32_t at, n;
};

/* The bytes of a state that hold these variables, from the first on; 0: too many. */
static uint32_t memo_ranges(const struct gen *g, uint64_t vars, struct range *ranges)
{
    uint32_t n = 0;
    uint32_t bytes = 0;
    for (;;) {
        uint32_t next = UINT32_MAX; /* the variable that comes next in the layout */
        for (uint32_t i = 0; i < g->spec->nvar && i < 64; i++) {
            bool after = n == 0 || g->var_offset[i] >= ranges[n - 1].at + ranges[n - 1].n;
            if ((vars >> i & 1) && after && g->var_ty[i]->size > 0 &&
                (next == UINT32_MAX || g->var_offset[i] < g->var_offset[next])) {
                next = i;
            }
        }
        if (next == UINT32_MAX) {
            return n;
        }
        uint32_t size = g->var_ty[next]->size;
        bytes += size;
        if (bytes > MEMO_BYTES || n == 16) {
            return 0;
        }
        if (n > 0 && ranges[n - 1].at + ranges[n - 1].n == g->var_offset[next]) {
            ranges[n - 1].n += size;
        } else {
            ranges[n++] = (struct range){g->var_offset[next], size};
        }
    }
}

/* An entry of what is remembered, and the bytes of the state that it is about. */
struct memo {
    const struct range *ranges;
    uint32_t n;
    uint32_t size, entries;
};

static struct memo memo_of(const struct range *ranges, uint32_t n)
{
    struct memo m = {ranges, n, 1, 1}; /* the first byte says whether there is an entry */
    for (uint32_t i = 0; i < n; i++) {
        m.size += ranges[i].n;
    }
    m.size = (m.size + 7) / 8 * 8;
    while (m.entries * 2 * m.size <= MEMO_SPACE) {
        m.entries *= 2;
    }
    return m;
}

static const struct cx *plus(struct gen *g, const struct cx *pointer, const struct cx *n)
{
    return cx_call(g, CX_POINTER, NULL, "BYTES", pointer, n);
}

/* Where the bytes of a range are: in the state, and in an entry. */
static const struct cx *in_state(struct gen *g, const struct range *range)
{
    return plus(g, cx_name(g, CX_POINTER, NULL, "s", true), cx_int(g, range->at));
}

/* Finds the entry, in m: is it about this state? */
static void memo_look(struct gen *g, const struct memo *memo, const struct cx *mm,
                      const struct cx *m, const struct cx *known)
{
    const struct cx *hash = cx_u64(g, 0);
    const struct cx *same = cx_call(g, CX_INT, NULL, "FIRST_BYTE", m);
    uint32_t at = 1;
    for (uint32_t i = 0; i < memo->n; i++) {
        const struct range *range = &memo->ranges[i];
        const struct cx *bytes = cx_int(g, range->n);
        hash = gen_let(g, cx_call(g, CX_U64, NULL, "memo_hash", hash, in_state(g, range), bytes));
        same = cx_two(g, CX_BOTH, same,
                      cx_call(g, CX_INT, NULL, "same_bytes", plus(g, m, cx_int(g, at)),
                              in_state(g, range), bytes));
        at += range->n;
    }
    const struct cx *number = cx_two(g, CX_AND, hash, cx_int(g, memo->entries - 1));
    gen_set(g, m,
            cx_call(g, CX_POINTER, NULL, "MEMO_ENTRY", mm,
                    cx_two(g, CX_MUL, number, cx_int(g, memo->size))));
    gen_set(g, known, same);
    gen_do(g, cx_call(g, CX_OTHER, NULL, "memo_count", mm, known));
}

/* Puts the conjunct, whose code is `body`, behind a look at whether it is known to hold. Where that
 * is known too seldom, looking is given up. */
static void write_memo(struct gen *g, const struct memo *memo, struct tree *body)
{
    const struct cx *mm = cx_name(g, CX_POINTER, NULL, gen_tmp(g), true);
    const struct cx *m = cx_name(g, CX_POINTER, NULL, gen_tmp(g), false);
    const struct cx *space = cx_call(g, CX_POINTER, NULL, "MEMO_AT", cx_worker(g),
                                     cx_int(g, g->memo_size - g->memo_start));
    gen_put_var_of(g, mm, "struct memo *", space);
    gen_put_var_of(g, m, "uint8_t *", cx_int(g, 0));
    const struct cx *known = gen_new_flag(g, cx_int(g, 0));
    gen_if(g, cx_not(g, cx_member(g, cx_deref(g, mm), "off", CX_U32, NULL)));
    memo_look(g, memo, mm, m, known);
    gen_scope_close(g);
    gen_if(g, cx_not(g, known));
    tree_splice(g->out, body);
    gen_if(g, cx_call(g, CX_INT, NULL, "IS_THERE", m));
    gen_do(g, cx_call(g, CX_OTHER, NULL, "SET_FIRST_BYTE", m));
    uint32_t at = 1;
    for (uint32_t i = 0; i < memo->n; i++) {
        gen_do(g, cx_call(g, CX_OTHER, NULL, "memcpy", plus(g, m, cx_int(g, at)),
                          in_state(g, &memo->ranges[i]), cx_int(g, memo->ranges[i].n)));
        at += memo->ranges[i].n;
    }
    gen_scopes_close(g, 2);
    g->memo_size += 16 + memo->entries * memo->size; /* struct memo of the prelude is before them */
}

/* When the conjunct is looked at: only where something that it reads has changed. */
static const struct cx *guard(struct gen *g, uint64_t vars)
{
    const struct cx *changed = cx_name(g, CX_U64, NULL, "changed", true);
    return vars ? cx_two(g, CX_AND, changed, cx_u64(g, vars))
                : cx_not(g, cx_flip(g, changed)); /* only where nothing is known yet */
}

/* The test since `from` is not made again for values that passed it, if that may save something. */
static void remember(struct gen *g, uint64_t vars, const struct tree_mark *from)
{
    struct range ranges[16];
    uint32_t n = vars && vars != UINT64_MAX ? memo_ranges(g, vars, ranges) : 0;
    if (n > 0 && tree_loops(g->out, from)) {
        struct memo memo = memo_of(ranges, n);
        write_memo(g, &memo, tree_take(g->arena, g->out, from));
    }
}

static void write_conjuncts(struct gen *g, const struct ex *x, struct fenv *f)
{
    while (x->op == EX_CALL && x->n == 0 && ((const struct call_info *)x->u.p)->ncapture == 0) {
        const struct unit *unit = ((const struct call_info *)x->u.p)->unit;
        if (unit->def && unit->def->recursive) {
            break;
        }
        f = fenv_new(g, unit);
        x = unit->body;
    }
    if (x->op == EX_CONJ) {
        for (uint32_t i = 0; i < x->n; i++) {
            write_conjuncts(g, x->kid[i], f);
        }
        return;
    }
    uint64_t vars = reach_vars(g->spec, x);
    bool level_read = g->reads_level;
    g->reads_level = false;
    gen_if(g, cx_int(g, 1));
    struct tree_node *block = VEC_LAST(&g->scopes).block;
    struct tree_mark from = tree_mark(g->out);
    gen_if(g, cx_not(g, emit_bool(g, x, f)));
    gen_return(g, NULL, false);
    gen_scope_close(g);
    bool by_level = g->reads_level || (level_read && g->recs.n > 0);
    g->reads_level = g->reads_level || level_read;
    if (!by_level) {
        remember(g, vars, &from);
        block->x = guard(g, vars);
    }
    gen_scope_close(g);
}

static void write_body(struct gen *g, struct job *job)
{
    if (job->symmetry) {
        struct subject y = {"S", "hash_state", g->var_ty, g->spec->nvar, g->spec->left_out};
        emit_symmetry(g, &y);
        const struct cx *s = cx_name(g, CX_POINTER, NULL, "s", true);
        const struct cx *hash = cx_call(g, CX_U64, NULL, "hash_state", s);
        gen_return(g, cx_call(g, CX_INT, NULL, "canon_fp", cx_worker(g), s, hash, cx_ret(g)), true);
        return;
    }
    if (job->piece && job->piece->act) {
        g->next = state_cvs(g, NULL);
        g->next_given = false;
        g->missing = g->spec->nvar;
        emit_act(g, job->piece->act, fenv_new(g, g->spec->next_unit), leaf_next, NULL);
        gen_return(g, NULL, false);
        return;
    }
    ASSERT(job->view || job->piece != NULL);
    const struct pred *pred = job->view ? &g->spec->view : job->piece->pred;
    g->next = state_cvs(g, "n");
    g->next_given = true;
    g->missing = 0;
    struct fenv *f = fenv_new(g, pred->unit);
    if (!job->view) {
        write_conjuncts(g, pred->unit->body, f);
        gen_give(g, cx_int(g, 1));
        return;
    }
    emit_view(g, pred->unit->body, f);
}

static void try_job(struct ev *ev, void *arg)
{
    struct job *job = arg;
    struct gen *g = job->g;
    (void)ev;
    g->out = job->fn.out = tree_new(g->arena);
    g->decls = job->fn.decls = tree_new(g->arena);
    g->bytes = 0;
    g->scopes.n = 0;
    g->passed.n = 0;
    g->facts.n = 0;
    g->active.n = 0;
    g->known.n = 0;
    g->known_from = 0;
    g->known_off = false;
    gen_scope_enter(g);
    g->declined = false;
    write_body(g, job);
    if (!g->declined) {
        g->why = NULL;
    }
}

static void add_text(struct csource *p, const char *head, const char *name, struct str body)
{
    VEC_PUSH(&p->functions, (struct cfunction){name, str_of(head), body, defs_key(body)});
}

/* Functions that make fingerprints have a name for each other, and belong to the definitions. */
static void add_function(struct gen *g, const struct job *job, const char *text, size_t n)
{
    if (!job->piece) {
        gen_define_fixed(g, "%s%s%.*s", job->head, job->name, (int)n, text);
        return;
    }
    g->written += n;
    add_text(job->p, job->head, job->name, (struct str){arena_strndup(g->arena, text, n), n});
}

/* Writes one function; NULL, or why it cannot be. */
static const char *write_function(struct spec_worker *w, struct gen *g, struct job *job)
{
    struct defs_mark defs;
    uint32_t ntmp = 0;
    defs_mark(g, &defs);
    g->why = NULL;
    g->lefts = job->piece ? &job->piece->lefts : NULL;
    if (g->lefts) {
        g->lefts->v.n = 0;
    }
    g->whole = job->view || job->symmetry;
    g->rec_depth = 0;
    g->steps.n = 0;
    g->steps_from = 0;
    g->kept.n = 0;
    g->memo_start = g->memo_size;
    g->ntmp = &ntmp;
    job->g = g;
    if (ev_try(&w->ev, try_job, job) != 0) {
        g->why = arena_strndup(g->arena, w->ev.err_text, strlen(w->ev.err_text));
    }
    g->declined = false;
    if (g->why) { /* what it brought goes with it */
        defs_back(g, &defs);
        g->memo_size = g->memo_start;
    } else {
        SCOPED_STRBUF body = {0};
        tidy(job->fn.decls, job->fn.out, g->cxs.names.n);
        strbuf_printf(&body, "%s {\n", job->params);
        tree_print(job->fn.decls, &body);
        tree_print(job->fn.out, &body);
        strbuf_adds(&body, "}\n");
        add_function(g, job, body.p, body.n);
    }
    return g->why;
}

/* ---- the whole ---- */
static void top_acts(struct csource *p, const struct spec *spec, const struct act *a)
{
    if (a->op == ACT_DISJ) {
        for (uint32_t i = 0; i < a->n; i++) {
            top_acts(p, spec, a->kid[i]);
        }
        return;
    }
    VEC_PUSH(&p->acts, (struct piece){.act = a, .prints = reach_act_prints(spec, a)});
}

static void add_pred(struct csource *p, const struct pred *pred)
{
    VEC_PUSH(&p->preds, (struct piece){.pred = pred});
}

static void add_preds(struct csource *p, const struct spec *spec)
{
    for (size_t i = 0; i < spec->prop_preds.n; i++) {
        add_pred(p, &spec->prop_preds.v[i]);
    }
    for (size_t i = 0; i < spec->constraints.n; i++) {
        add_pred(p, &spec->constraints.v[i]);
    }
    for (size_t i = 0; i < spec->action_constraints.n; i++) {
        add_pred(p, &spec->action_constraints.v[i]);
    }
    for (size_t i = 0; i < spec->state_leaves.n; i++) {
        add_pred(p, &spec->state_leaves.v[i]);
    }
    for (size_t i = 0; i < spec->action_leaves.n; i++) {
        add_pred(p, &spec->action_leaves.v[i]);
    }
}

static void write_pieces(struct spec_worker *w, struct gen *g, struct csource *p)
{
    /* First: without them nothing is compiled, whatever room is left. */
    if (w->spec->model.has_view) {
        struct job job = {.p = p, .view = true};
        job.head = "static int ";
        job.name = "view_fp";
        job.params = "(struct W *w, const S *s, const S *n, uint64_t *ret)";
        p->view_why = write_function(w, g, &job);
    }
    if (w->spec->nperm && !w->spec->model.has_view) {
        struct job job = {.p = p, .symmetry = true};
        job.head = "static int ";
        job.name = "least_fp";
        job.params = "(struct W *w, const S *s, uint64_t *ret)";
        p->view_why = write_function(w, g, &job);
    }
    for (size_t i = 0; i < p->acts.n; i++) {
        struct job job = {.p = p, .piece = &p->acts.v[i]};
        job.head = "static int ";
        job.name = gen_text(g, "act%zu", i);
        job.params = "(struct W *w, const S *s, const S *n)";
        p->acts.v[i].why = write_function(w, g, &job);
    }
    for (size_t i = 0; i < p->preds.n; i++) {
        struct job job = {.p = p, .piece = &p->preds.v[i]};
        job.head = "static int ";
        job.name = gen_text(g, "pred%zu", i);
        job.params = "(struct W *w, const S *s, const S *n, uint64_t changed, int *ret)";
        p->preds.v[i].memo_at = g->memo_size;
        p->preds.v[i].why =
            p->preds.v[i].pred->unit ? write_function(w, g, &job) : "it is no predicate";
    }
}

/* Sequences, sets and maps, and functions to them. */
bool ty_varies(const struct ty *ty)
{
    const struct ty *part = ty; /* small ones are hashed faster as a whole */
    while (part->kind == TY_FUN) {
        part = part->elem;
    }
    return ty->size > 256 && (part->kind == TY_SEQ || part->kind == TY_SET || part->kind == TY_MAP);
}

static bool left_out(const struct spec *spec, uint32_t var)
{
    return spec->left_out && spec->left_out[var];
}

/* First what is hashed as a whole, then what is hashed in part, then what is not hashed. */
static uint32_t part_of(const struct csource *p, const struct spec *spec, uint32_t var)
{
    return left_out(spec, var) ? 2 : ty_varies(p->var_ty[var]) ? 1 : 0;
}

static void lay_out(struct csource *p, const struct spec *spec)
{
    uint32_t at = 0;
    for (uint32_t part = 0; part < 3; part++) {
        for (uint32_t i = 0; i < spec->nvar; i++) {
            if (part_of(p, spec, i) == part) {
                p->var_offset[i] = at;
                at += p->var_ty[i]->size;
            }
        }
        p->fixed_size = part == 0 ? at : p->fixed_size;
    }
    p->used_size = at;
    p->state_size = (at + 7) / 8 * 8;
}

static void write_state(struct csource *p, const struct spec *spec, struct strbuf *out)
{
    strbuf_adds(out, "typedef struct __attribute__((packed)) {\n");
    for (uint32_t part = 0; part < 3; part++) {
        for (uint32_t i = 0; i < spec->nvar; i++) {
            if (part_of(p, spec, i) == part) {
                strbuf_printf(out, "  %s v%u;\n", ty_c(&p->tys, p->var_ty[i]), i);
            }
        }
    }
    if (p->state_size > p->used_size) {
        strbuf_printf(out, "  uint8_t pad[%u];\n", p->state_size - p->used_size);
    }
    strbuf_printf(out, "} S_ALIGN S;\n_Static_assert(sizeof(S) == %u, \"layout\");\n",
                  p->state_size);
}

void gen_put_hash(struct strbuf *out, const struct ty *ty, const char *at, unsigned depth)
{
    if (ty->kind == TY_FUN) {
        char inner[64];
        strbuf_printf(out, "for (uint32_t i%u = 0; i%u < %u; i%u++) {\n", depth, depth, ty->n,
                      depth);
        (void)snprintf(inner, sizeof inner, "%s.a[i%u]", at, depth);
        gen_put_hash(out, ty->elem, inner, depth + 1);
        strbuf_adds(out, "}\n");
        return;
    }
    strbuf_printf(
        out, "h = mum(h ^ UINT64_C(0x8ebc6af09c88c6e3), %s.n ^ UINT64_C(0x589965cc75374cc3));\n",
        at);
    strbuf_printf(out, "if (%s.n) {\nh ^= hash_bytes(%s.a, (size_t)%s.n * sizeof %s.a[0]);\n", at,
                  at, at, at);
    if (ty->kind == TY_MAP) {
        strbuf_printf(
            out,
            "h = mum(h ^ UINT64_C(0x1d8e4e27c47d124f), hash_bytes(%s.k, (size_t)%s.n * sizeof "
            "%s.k[0]));\n",
            at, at, at);
    }
    strbuf_adds(out, "}\n");
}

static void write_hash(const struct csource *p, const struct spec *spec, struct strbuf *out)
{
    if (p->state_size == 8 && p->fixed_size > 0) { /* one word: no two states share a fingerprint */
        strbuf_printf(
            out,
            "static inline uint64_t hash_state(const S *s) {\n"
            "return fin64(word_at((const uint8_t *)s) & (~UINT64_C(0) >> (64 - 8 * %u)));\n}\n",
            p->fixed_size);
        return;
    }
    strbuf_printf(out,
                  "static inline uint64_t hash_state(const S *s) {\n"
                  "uint64_t h = hash_bytes(s, %u);\n",
                  p->fixed_size);
    bool more = false;
    for (uint32_t i = 0; i < spec->nvar; i++) {
        if (!left_out(spec, i) && ty_varies(p->var_ty[i])) {
            char at[32];
            (void)snprintf(at, sizeof at, "s->v%u", i);
            gen_put_hash(out, p->var_ty[i], at, 0);
            more = true;
        }
    }
    strbuf_adds(out, more ? "return fin64(h);\n}\n" : "return h;\n}\n");
}

/* See struct model. */
static bool judges_states(const struct gen *g, const struct csource *p)
{
    const struct spec *spec = g->spec;
    bool all = !spec->left_out;
    for (size_t i = 0; i < spec->prop_preds.n + spec->constraints.n; i++) {
        all &= p->preds.v[i].why == NULL;
    }
    return all && spec->possible.n == 0 && spec->action_constraints.n == 0 && spec->nperm == 0 &&
           !spec->model.has_view && !g->reads_level && !reach_prints(spec);
}

/* The functions that make fingerprints. */
static void write_prints(struct gen *g, struct csource *p)
{
    const struct spec *spec = g->spec;
    bool least = spec->nperm && !spec->model.has_view;
    gen_define_fixed(
        g, "static inline int state_fp(struct W *w, const S *s, uint64_t *ret)\n{ %s; }\n",
        spec->model.has_view ? "return view_fp(w, s, s, ret)"
        : spec->nperm        ? "return least_fp(w, s, ret)"
                             : "GIVE(hash_state(s))");
    /* After all of them: a state that was just written in small pieces is slow to read. */
    const char *finish =
        gen_text(g,
                 "(struct W *w, const S *s)\n"
                 "{ const S *t = (const S *)w->out;\n%s",
                 least ? "  for (uint32_t i = 0; i < w->n; i++) {\n"
                         "    w->cand[i].fp = hash_state(t + i);\n"
                         "    __builtin_prefetch(&w->canon[w->cand[i].fp % CANON]); }\n"
                         "  for (uint32_t i = 0; i < w->n; i++)\n"
                         "    CALL(canon_fp(w, t + i, w->cand[i].fp, &w->cand[i].fp));\n"
                         "  return 0; }\n"
                       : "  for (uint32_t i = 0; i < w->n; i++)\n"
                         "    CALL(state_fp(w, t + i, &w->cand[i].fp));\n"
                         "  return 0; }\n");
    add_text(p, "static int ", "fingerprint",
             str_of("(struct W *w, const S *s, uint64_t *ret)\n{ return state_fp(w, s, ret); }\n"));
    add_text(p, "static int ", "finish", str_of(finish));
    for (size_t i = p->functions.n - 2; i < p->functions.n; i++) {
        struct part_key *key = &p->functions.v[i].key;
        key->v[0] = hash_combine(key->v[0], g->fixed);
        key->v[1] = hash_combine(key->v[1], g->fixed);
    }
}

static void assemble(struct gen *g, struct csource *p)
{
    struct strbuf *out = &p->text;
    uint32_t nvar = g->spec->nvar;
    for (uint32_t i = 0; i < nvar; i++) {
        (void)ty_c(&p->tys, p->var_ty[i]);
    }
    ty_define_all(&p->tys, out);
    size_t layout = out->n;
    write_state(p, g->spec, out);
    strbuf_adds(out, "static const uint8_t is_model[] = {");
    for (size_t i = 0; i < p->tys.atoms.n; i++) {
        strbuf_printf(out, "%d,", tys_class(&p->tys, p->tys.atoms.v[i]) == ATOM_UNTYPED);
    }
    strbuf_adds(out, "0};\nstatic const uint8_t atom_class[] = {");
    for (size_t i = 0; i < p->tys.atoms.n; i++) {
        strbuf_printf(out, "%u,", tys_class(&p->tys, p->tys.atoms.v[i]));
    }
    strbuf_adds(out, "0};\n");
    write_hash(p, g->spec, out);
    strbuf_adds(out, helpers);
    p->layout = hash_bytes(out->p + layout, out->n - layout, 1);
    write_prints(g, p);
    strbuf_addstr(out, strbuf_str(&g->defs));
    p->judges_states = judges_states(g, p);
    p->memo_size = g->memo_size;
}
struct pass {
    struct spec_worker *w;
    const struct samples *samples;
    struct csource *p;
    const char *why;
};

static void gen_done(struct gen *g)
{
    strbuf_done(&g->defs);
    VEC_DONE(&g->defined);
    VEC_DONE(&g->unis);
    VEC_DONE(&g->scopes);
    cxs_done(&g->cxs);
    VEC_DONE(&g->known);
    VEC_DONE(&g->known_at);
    VEC_DONE(&g->origins);
    VEC_DONE(&g->shared);
    VEC_DONE(&g->passed);
    VEC_DONE(&g->facts);
    VEC_DONE(&g->convs);
    VEC_DONE(&g->cmps);
    VEC_DONE(&g->images);
    VEC_DONE(&g->sigs);
    VEC_DONE(&g->spreads);
    VEC_DONE(&g->consts);
    VEC_DONE(&g->set_ops);
    VEC_DONE(&g->map_ops);
    VEC_DONE(&g->active);
    VEC_DONE(&g->steps);
    VEC_DONE(&g->kept);
    VEC_DONE(&g->recs);
}

static void note_cells(struct tys *tys, const struct spec *spec)
{
    for (size_t i = 0; i < spec->cells.n; i++) {
        if (spec->cells.v[i]->done) {
            tys_atoms(tys, spec->cells.v[i]->value);
        }
    }
}

static void types_pass(struct ev *ev, void *arg)
{
    struct pass *pass = arg;
    (void)ev;
    struct csource *p = pass->p;
    tys_seal(&p->tys);
    if (!csource_types(p, pass->w->spec, pass->samples, &pass->why)) {
        return;
    }
    lay_out(p, pass->w->spec);
    pass->why = NULL;
}

int csource_write(struct spec_worker *w, const struct samples *samples, struct csource *ret,
                  const char **why)
{
    struct spec *spec = w->spec;
    struct csource *p = ret;
    *p = (struct csource){0};
    arena_init(&p->arena, 1 << 16);
    struct arena *arena = &p->arena;
    p->var_ty = ARENA_ARRAY(arena, const struct ty *, spec->nvar + 1);
    p->var_offset = ARENA_ARRAY(arena, uint32_t, spec->nvar + 1);
    tys_init(&p->tys, arena, &w->ev.vctx);
    if (spec->nvar > 256 || spec->nvar == 0 || !spec->next) {
        *why = "there are no variables, or too many";
        return -1;
    }
    csource_atoms(&p->tys, samples);
    note_cells(&p->tys, spec);
    top_acts(p, spec, spec->next);
    add_preds(p, spec);
    for (int round = 0; round < 4; round++) {
        struct pass pass = {w, samples, p, "the types could not be made"};
        if (ev_try(&w->ev, types_pass, &pass) != 0 || pass.why) {
            *why = pass.why ? pass.why : "the samples could not be read";
            return -1;
        }
        struct gen g = {.tys = &p->tys,
                        .spec = spec,
                        .arena = arena,
                        .ctx = &w->ev.vctx,
                        .var_ty = p->var_ty,
                        .var_offset = p->var_offset,
                        .limit = FUNCTION_TEXT_MAX,
                        .limit_all = ALL_TEXT_MAX};
        p->functions.n = 0;
        write_pieces(w, &g, p);
        bool again = p->tys.fresh.n > 0 && round < 3;
        if (!again) {
            assemble(&g, p);
        }
        gen_done(&g);
        if (!again) {
            break;
        }
        tys_reopen(&p->tys);
    }
    if (p->view_why) {
        *why = p->view_why;
        return -1;
    }
    return 0;
}

static void lefts_done(struct piece *piece, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        VEC_DONE(&piece[i].lefts.v);
    }
}

void csource_done(struct csource *source)
{
    lefts_done(source->acts.v, source->acts.n);
    lefts_done(source->preds.v, source->preds.n);
    tys_done(&source->tys);
    VEC_DONE(&source->acts);
    VEC_DONE(&source->preds);
    VEC_DONE(&source->functions);
    strbuf_done(&source->text);
    arena_done(&source->arena);
}
