/* The emitter on trees that no specification has.
 *
 * A specification is lowered, and then its graph is changed at random: operands are exchanged for
 * other expressions of the same frame or for constants of any kind, operators for others that hold
 * the same, fields and native operators for others, branches of actions for each other; and
 * variables were seen to hold random values of any type. Nothing of it makes sense, and nothing is
 * run. The emitter has to write C, or to say what it leaves to the interpreter; it must not crash,
 * and some of the C is shown to a compiler, which must take it.
 *
 * Each specification has a process of its own. What went wrong is told with its seed and round,
 * and --round=N does that one alone.
 *
 * usage: emit_fuzz [--seed=N] [--specs=N] [--rounds=N] [--round=N] [--check=N] [--cc=COMPILER]
 *                  [--out=DIR] [FILE.tla...]
 *
 *   --specs=N   generated ones, from the seed on; the FILEs follow
 *   --check=N   one of so many rounds is compiled (0: none) */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/csource.h"
#include "cgen/emit.h"
#include "cgen/profile.h"
#include "cgen/ty.h"
#include "check/check.h"
#include "eval/code.h"
#include "eval/native.h"
#include "eval/worker.h"
#include "ir/ir.h"
#include "ir/walk.h"
#include "model/model.h"
#include "sem/sem.h"
#include "tier_load.h"
#include "value/value.h"

#define NO_ROUND    UINT64_MAX
#define SECONDS     90 /* of the processor, for one specification */
#define CHANGES_MAX 12

/* Counted by the process of a specification, read by the one around it. */
struct counts {
    uint64_t round, specs, rounds, pieces, written, lefts, checked, failed;
};

struct settings {
    uint64_t seed, specs, rounds, round, check;
    const char *compiler, *out;
    char **files;
    int nfile;
};

struct exes {
    VEC(struct ex *) v;
};
struct acts {
    VEC(struct act *) v;
};
/* What has the same frame. */
struct pool {
    const struct unit *unit;
    struct exes exes;
    struct acts acts;
};

/* What was there before. */
struct undo_ex {
    const struct ex **at, *was;
};
struct undo_act {
    const struct act **at, *was;
};
struct undo_op {
    struct ex *x, was;
};

struct fuzz {
    const struct settings *set;
    struct counts *counts;
    const char *name; /* of the file; NULL: generated */
    uint64_t seed;
    struct spec *spec;
    struct spec_worker *w;
    struct rng rng;
    VEC(struct pool) pools;
    size_t pool;          /* being filled */
    struct visits visits; /* while pools are filled, or one looks for a loop */
    const void *sought;   /* ... by what would be in it */
    bool found;
    VEC(struct undo_ex) ex;
    VEC(struct undo_act) act;
    VEC(struct undo_op) op;
    VEC(struct val) seen; /* values of the states that the specification begins with */
};

static uint64_t below(struct fuzz *f, uint64_t n)
{
    return rng_below(&f->rng, n);
}

/* ---- what is there ---- */
static void fill_ex(void *arg, const struct ex *x);
static void fill_act(void *arg, const struct act *a);

static size_t pool_of(struct fuzz *f, const struct unit *unit)
{
    for (size_t i = 0; i < f->pools.n; i++) {
        if (f->pools.v[i].unit == unit) {
            return i;
        }
    }
    VEC_PUSH(&f->pools, (struct pool){.unit = unit});
    return f->pools.n - 1;
}

static void fill_unit(void *arg, const struct unit *u)
{
    struct fuzz *f = arg;
    size_t around = f->pool;
    struct visitor v = {fill_ex, fill_act, fill_unit, f};
    if (visits_first_unit(&f->visits, u)) {
        f->pool = pool_of(f, u);
        walk_unit(u, &v);
        f->pool = around;
    }
}

static void fill_ex(void *arg, const struct ex *x)
{
    struct fuzz *f = arg;
    struct visitor v = {fill_ex, fill_act, fill_unit, f};
    if (visits_first(&f->visits, x->id)) {
        VEC_PUSH(&f->pools.v[f->pool].exes.v, (struct ex *)(uintptr_t)x);
        walk_ex(x, &v);
    }
}

static void fill_act(void *arg, const struct act *a)
{
    struct fuzz *f = arg;
    struct visitor v = {fill_ex, fill_act, fill_unit, f};
    struct pool *pool = &f->pools.v[f->pool];
    for (size_t i = 0; i < pool->acts.v.n; i++) {
        if (pool->acts.v.v[i] == a) {
            return;
        }
    }
    VEC_PUSH(&pool->acts.v, (struct act *)(uintptr_t)a);
    walk_act(a, &v);
}

static void fill(struct fuzz *f)
{
    const struct spec *spec = f->spec;
    visits_init(&f->visits, spec->arena, spec->nex + 1);
    f->pool = pool_of(f, spec->next_unit);
    fill_act(f, spec->next);
    for (size_t i = 0; i < spec->prop_preds.n; i++) {
        if (spec->prop_preds.v[i].unit) {
            fill_unit(f, spec->prop_preds.v[i].unit);
        }
    }
    visits_done(&f->visits);
}

/* ---- is one thing below another? ---- */
static void seek_ex(void *arg, const struct ex *x);
static void seek_act(void *arg, const struct act *a);

static void seek_unit(void *arg, const struct unit *u)
{
    struct fuzz *f = arg;
    struct visitor v = {seek_ex, seek_act, seek_unit, f};
    if (!f->found && visits_first_unit(&f->visits, u)) {
        walk_unit(u, &v);
    }
}

/* A name leads to what fills its slot, too. */
static void seek_ex(void *arg, const struct ex *x)
{
    struct fuzz *f = arg;
    struct visitor v = {seek_ex, seek_act, seek_unit, f};
    f->found |= x == f->sought;
    if (f->found || !visits_first(&f->visits, x->id)) {
        return;
    }
    walk_ex(x, &v);
    const struct exes *all = &f->pools.v[f->pool].exes;
    for (size_t i = 0; ex_is_name(x) && i < all->v.n; i++) {
        if (ex_is_lazy(all->v.v[i]) && all->v.v[i]->slot == x->slot) {
            seek_ex(f, all->v.v[i]);
        }
    }
}

static void seek_act(void *arg, const struct act *a)
{
    struct fuzz *f = arg;
    struct visitor v = {seek_ex, seek_act, seek_unit, f};
    f->found |= a == f->sought;
    if (!f->found) {
        walk_act(a, &v);
    }
}

static bool is_below(struct fuzz *f, const void *sought, const struct ex *x, const struct act *a)
{
    struct arena arena;
    arena_init(&arena, 0);
    visits_init(&f->visits, &arena, f->spec->nex + 1);
    f->sought = sought;
    f->found = false;
    if (x) {
        seek_ex(f, x);
    } else {
        seek_act(f, a);
    }
    visits_done(&f->visits);
    arena_done(&arena);
    return f->found;
}

/* ---- random values ---- */
static struct val random_value(struct fuzz *f, uint32_t depth);

static struct val random_text(struct fuzz *f)
{
    static const char *const names[] = {"a", "b", "type", "n1", "x", "new"};
    return val_str(&f->w->ev.vctx, str_of(names[below(f, 6)]));
}

static struct val random_scalar(struct fuzz *f)
{
    switch (below(f, 8)) {
    case 0: return val_small((int64_t)below(f, 70) - 3);
    case 1: return val_small((int64_t)below(f, 4));
    case 2: return below(f, 2) ? VAL_TRUE : VAL_FALSE;
    case 3: return val_small((int64_t)(rng_next(&f->rng) >> 4) - (INT64_C(1) << 59));
    case 4: return below(f, 2) ? set_empty() : tuple_empty();
    case 5: return f->seen.n ? f->seen.v[below(f, f->seen.n)] : VAL_TRUE;
    default: return random_text(f);
    }
}

static struct val random_record(struct fuzz *f, uint32_t n, uint32_t depth)
{
    static const char *const names[] = {"a", "b", "c", "type", "x"};
    struct val name[5];
    struct val value[5];
    uint32_t at = 0;
    for (uint32_t i = 0; i < 5 && at < n; i++) {
        if (below(f, 2)) {
            name[at] = val_str(&f->w->ev.vctx, str_of(names[i]));
            value[at++] = random_value(f, depth);
        }
    }
    return at ? record_make(&f->w->ev.vctx, name, value, at) : tuple_empty();
}

static struct val random_value(struct fuzz *f, uint32_t depth)
{
    struct vctx *ctx = &f->w->ev.vctx;
    struct val part[4];
    struct val key[4];
    uint32_t n = (uint32_t)below(f, 4);
    uint64_t kind = below(f, 8);
    if (depth == 0 || kind < 3) {
        return random_scalar(f);
    }
    if (kind == 3) {
        return random_record(f, n + 1, depth - 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        part[i] = random_value(f, depth - 1);
        key[i] = kind == 4 ? random_text(f) : val_small((int64_t)(i * i));
    }
    switch (kind) {
    case 4:
    case 5: return n ? fcn_make(ctx, key, part, kind == 4 ? 1 : n) : tuple_empty();
    case 6: return set_make(ctx, part, n);
    default: return tuple_make(ctx, part, n);
    }
}

struct made {
    struct fuzz *f;
    struct val v;
};

static void make_now(struct ev *ev, void *arg)
{
    struct made *made = arg;
    static const struct val special[] = {VAL_NAT, VAL_INT, VAL_STRING};
    (void)ev;
    struct fuzz *f = made->f;
    struct val v = random_value(f, 3);
    switch (below(f, 12)) {
    case 0: v = special[below(f, 3)]; break;
    case 1: v = set_interval(ev_vctx(ev), val_small(1), val_small((int64_t)below(f, 80))); break;
    case 2: v = set_subset(ev_vctx(ev), set_make(ev_vctx(ev), &v, 1)); break;
    default: break;
    }
    made->v = val_freeze(ev_vctx(ev), f->spec->arena, v);
}

static struct val any_value(struct fuzz *f)
{
    struct made made = {f, VAL_TRUE}; /* values that cannot be compared make no set */
    return ev_try(&f->w->ev, make_now, &made) == 0 ? made.v : VAL_TRUE;
}

/* ---- changes ---- */
static void set_ex(struct fuzz *f, const struct ex **at, const struct ex *to)
{
    VEC_PUSH(&f->ex, (struct undo_ex){at, *at});
    *at = to;
}

static struct ex *any_ex(struct fuzz *f, const struct pool *pool)
{
    return pool->exes.v.v[below(f, pool->exes.v.n)];
}

/* Something that may stand in the place of an operand of `of`. */
static const struct ex *other_ex(struct fuzz *f, const struct pool *pool, const void *of,
                                 const struct node *src)
{
    uint64_t what = below(f, 8);
    if (what == 0) {
        return lower_ex_const(f->spec, src, any_value(f));
    }
    if (what == 1) {
        struct ex *x = lower_ex(f->spec, below(f, 4) ? EX_VAR0 : EX_VAR1, src, 0);
        x->u.i = (int64_t)below(f, f->spec->nvar);
        x->level = x->op == EX_VAR0 ? LEVEL_STATE : LEVEL_ACTION;
        return x;
    }
    const struct ex *x = any_ex(f, pool);
    return is_below(f, of, x, NULL) ? NULL : x;
}

static void change_operand(struct fuzz *f, const struct pool *pool)
{
    struct ex *x = any_ex(f, pool);
    if (x->n > 0) {
        const struct ex **at = &x->kid[below(f, x->n)];
        const struct ex *to = other_ex(f, pool, x, (*at)->src);
        if (to) {
            set_ex(f, at, to);
        }
    }
}

/* Names stand for slots of the kind that they say, and stay as they are. */
static bool may_change(const struct ex *x)
{
    return !ex_is_name(x) && x->op != EX_CALL_SLOT && x->op != EX_LET && x->op != EX_CALL;
}

static void change_op(struct fuzz *f, const struct pool *pool)
{
    struct ex *x = any_ex(f, pool);
    uint8_t op = (uint8_t)below(f, EX_COUNT);
    const struct ir_op *now = &ir_ex_ops[x->op];
    const struct ir_op *then = &ir_ex_ops[op];
    struct ex like = {.op = op};
    if (!may_change(x) || !may_change(&like) || now->payload != then->payload ||
        (then->kids != IR_ANY ? then->kids != x->n : x->n == 0)) {
        return;
    }
    VEC_PUSH(&f->op, (struct undo_op){x, *x});
    x->op = op;
}

static void change_payload(struct fuzz *f, const struct pool *pool)
{
    struct ex *x = any_ex(f, pool);
    const struct native *native = &natives[below(f, NATIVE_COUNT)];
    struct undo_op was = {x, *x};
    if (x->op == EX_NATIVE && native->op == EX_NATIVE && native->arity == x->n) {
        x->u.p = native;
    } else if (x->op == EX_DOT) {
        x->u.val = random_text(f);
    } else if (x->op == EX_CONST) {
        x->u.val = any_value(f);
    } else if (ex_is_var(x)) {
        x->u.i = (int64_t)below(f, f->spec->nvar);
    } else {
        return;
    }
    VEC_PUSH(&f->op, was);
}

static void change_act(struct fuzz *f, const struct pool *pool)
{
    if (pool->acts.v.n == 0) {
        return;
    }
    struct act *a = pool->acts.v.v[below(f, pool->acts.v.n)];
    struct act *b = pool->acts.v.v[below(f, pool->acts.v.n)];
    if (a->n > 0 && below(f, 2)) {
        const struct act **at = &a->kid[below(f, a->n)];
        if (!is_below(f, a, NULL, b)) {
            VEC_PUSH(&f->act, (struct undo_act){at, *at});
            *at = b;
        }
    } else if (a->x && ir_act_ops[a->op].payload != IR_PAY_SLOT) {
        const struct ex *to = other_ex(f, pool, a, a->x->src);
        if (to) {
            set_ex(f, &a->x, to);
        }
    }
}

static void change(struct fuzz *f)
{
    uint64_t n = below(f, CHANGES_MAX);
    for (uint64_t i = 0; i < n; i++) {
        const struct pool *pool = &f->pools.v[f->pool = below(f, f->pools.n)];
        uint64_t what = below(f, 8);
        if (pool->exes.v.n == 0) {
            continue;
        }
        if (what < 4) {
            change_operand(f, pool);
        } else if (what == 4) {
            change_op(f, pool);
        } else if (what < 7) {
            change_payload(f, pool);
        } else {
            change_act(f, pool);
        }
    }
}

static void change_back(struct fuzz *f)
{
    while (f->ex.n > 0) {
        struct undo_ex u = f->ex.v[--f->ex.n];
        *u.at = u.was;
    }
    while (f->act.n > 0) {
        struct undo_act u = f->act.v[--f->act.n];
        *u.at = u.was;
    }
    while (f->op.n > 0) {
        struct undo_op u = f->op.v[--f->op.n];
        u.x->op = u.was.op;
        u.x->u = u.was.u;
    }
}

/* ---- what variables were seen to hold ---- */
static int note_init(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct fuzz *f = arg;
    (void)worker;
    (void)cand;
    for (uint32_t i = 0; i < f->spec->nvar && f->seen.n < 200; i++) {
        VEC_PUSH(&f->seen, val_freeze(&f->w->ev.vctx, f->spec->arena, f->w->cand[i]));
    }
    return f->seen.n >= 200;
}

struct sampling {
    struct samples *samples;
    uint32_t var;
    struct val v;
};

/* What no state may hold is no sample. */
static void sample_now(struct ev *ev, void *arg)
{
    struct sampling *s = arg;
    samples_add(s->samples, ev_vctx(ev), s->var, s->v);
}

static void sample(struct fuzz *f, struct samples *samples)
{
    samples_init(samples, f->spec->nvar);
    uint64_t odd = below(f, 3); /* of three rounds one has types that fit, but for a few */
    for (uint32_t i = 0; i < f->spec->nvar; i++) {
        struct sampling s = {samples, i, VAL_TRUE};
        for (size_t k = i; odd == 0 && k < f->seen.n; k += f->spec->nvar) {
            s.v = f->seen.v[k];
            (void)ev_try(&f->w->ev, sample_now, &s);
        }
        bool none = f->seen.n == 0 || odd != 0;
        for (uint64_t k = none ? 1 + below(f, 3) : below(f, 8) == 0; k > 0; k--) {
            s.v = any_value(f);
            (void)ev_try(&f->w->ev, sample_now, &s);
        }
    }
}

/* ---- one tree ---- */
static void report(struct fuzz *f, const char *what)
{
    printf("%s seed %" PRIu64 " round %" PRIu64 ": %s\n", f->name ? f->name : "generated", f->seed,
           f->counts->round, what);
    (void)fflush(stdout);
}

/* The whole text, as build.c puts it together but for its names. */
static void compile(struct fuzz *f, const struct csource *source)
{
    SCOPED_STRBUF text = {0};
    cgen_prelude(&text);
    strbuf_addstr(&text, strbuf_str(&source->text));
    for (size_t i = 0; i < source->functions.n; i++) {
        const struct cfunction *fn = &source->functions.v[i];
        strbuf_printf(&text, "%.*s%s%.*s", (int)fn->head.n, fn->head.p, fn->name, (int)fn->body.n,
                      fn->body.p);
    }
    struct err err = {0};
    SCOPED_STRBUF path = {0};
    SCOPED_STRBUF command = {0};
    strbuf_printf(&path, "%s/emit-%" PRIu64 "-%" PRIu64 ".c", f->set->out, f->seed,
                  f->counts->round);
    strbuf_printf(&command, "%s -std=gnu11 -w -fsyntax-only %s", f->set->compiler,
                  strbuf_cstr(&path));
    if (file_write(strbuf_cstr(&path), strbuf_str(&text), &err) != 0) {
        report(f, err.text);
        f->counts->failed++;
        return;
    }
    f->counts->checked++;
    if (system(strbuf_cstr(&command)) != 0) { /* NOLINT(cert-env33-c,concurrency-mt-unsafe) */
        report(f, "the compiler does not take it");
        f->counts->failed++;
        return;
    }
    (void)unlink(strbuf_cstr(&path));
}

static void count(struct fuzz *f, const struct piece *piece, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        f->counts->pieces++;
        f->counts->written += piece[i].why == NULL;
        f->counts->lefts += piece[i].lefts.v.n;
    }
}

static void one_round(struct fuzz *f, uint64_t round)
{
    struct samples samples;
    struct csource source;
    const char *why = NULL;
    f->counts->round = round;
    f->counts->rounds++;
    rng_seed(&f->rng, hash_combine(f->seed, round));
    arena_reset(&f->w->ev.scratch);
    change(f);
    sample(f, &samples);
    int rc = csource_write(f->w, &samples, &source, &why);
    if (rc != 0 && !why) {
        report(f, "refused without a reason");
        f->counts->failed++;
    }
    if (rc == 0) {
        count(f, source.acts.v, source.acts.n);
        count(f, source.preds.v, source.preds.n);
        if (f->set->check && round % f->set->check == 0) {
            compile(f, &source);
        }
    }
    csource_done(&source);
    samples_done(&samples);
    change_back(f);
}

static void with_model(struct model *model, void *arg)
{
    struct fuzz *f = arg;
    struct err err = {0};
    struct mworker *worker;
    f->spec = (struct spec *)model;
    if (!f->spec->next || model->ops->worker_new(model, WORKER_ASIDE, 1, &worker, &err) != 0) {
        return;
    }
    worker->quiet = true;
    f->w = worker_of(worker);
    (void)model->ops->init(worker, note_init, f);
    fill(f);
    f->counts->specs++;
    for (uint64_t i = 0; i < f->set->rounds; i++) {
        if (f->set->round == NO_ROUND || f->set->round == i) {
            one_round(f, i);
        }
    }
}

/* ---- one specification ---- */
static void one_spec(struct fuzz *f)
{
    static const struct tier_size small = {
        .nvar = 6, .nact = 6, .ninv = 8, .nconstraint = 1, .nstep = 1, .ninit = 6, .depth = 4};
    struct rlimit limit = {SECONDS, SECONDS};
    (void)setrlimit(RLIMIT_CPU, &limit);
    if (f->name) {
        (void)tier_load_file(f->name, NULL, with_model, f);
    } else {
        (void)tier_load_generated(f->seed, &small, NULL, with_model, f);
    }
}

static void on_big_stack(void *arg)
{
    one_spec(arg);
    (void)fflush(stdout);
    _exit(0); /* all memory goes with the process */
}

static void apart(const struct settings *set, struct counts *counts, uint64_t seed,
                  const char *name)
{
    struct fuzz f = {.set = set, .counts = counts, .seed = seed, .name = name};
    struct err err = {0};
    int status = 0;
    (void)fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (check_on_big_stack(on_big_stack, &f, &err) != 0) {
            printf("%s\n", err.text);
        }
        _exit(2);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        report(&f,
               WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
                   ? "takes too long"
                   : "the emitter crashed");
        counts->failed++;
    }
}

static bool number(const char *arg, const char *name, uint64_t *ret)
{
    size_t n = strlen(name);
    if (strncmp(arg, name, n) != 0) {
        return false;
    }
    *ret = strtoull(arg + n, NULL, 0);
    return true;
}

int main(int argc, char **argv)
{
    struct settings set = {.seed = 1,
                           .specs = 20,
                           .rounds = 50,
                           .round = NO_ROUND,
                           .check = 20,
                           .compiler = "cc",
                           .out = ".",
                           .files = argv + 1};
    for (int i = 1; i < argc; i++) {
        if (number(argv[i], "--seed=", &set.seed) || number(argv[i], "--specs=", &set.specs) ||
            number(argv[i], "--rounds=", &set.rounds) || number(argv[i], "--round=", &set.round) ||
            number(argv[i], "--check=", &set.check)) {
            continue;
        }
        if (strncmp(argv[i], "--cc=", 5) == 0) {
            set.compiler = argv[i] + 5;
        } else if (strncmp(argv[i], "--out=", 6) == 0) {
            set.out = argv[i] + 6;
        } else if (argv[i][0] == '-') {
            printf("unknown option %s\n", argv[i]);
            return 2;
        } else {
            set.files[set.nfile++] = argv[i];
        }
    }
    struct counts *counts =
        mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    for (uint64_t i = 0; i < set.specs; i++) {
        apart(&set, counts, set.seed + i, NULL);
    }
    for (int i = 0; i < set.nfile; i++) {
        apart(&set, counts, set.seed, set.files[i]);
    }
    printf("# %" PRIu64 " specifications, %" PRIu64 " trees; written %" PRIu64 " of %" PRIu64
           " pieces with %" PRIu64 " places left out, %" PRIu64 " compiled\n",
           counts->specs, counts->rounds, counts->written, counts->pieces, counts->lefts,
           counts->checked);
    printf("%" PRIu64 " trees, %" PRIu64 " failures\n", counts->rounds, counts->failed);
    return counts->failed == 0 && counts->rounds > 0 ? 0 : 1;
}
