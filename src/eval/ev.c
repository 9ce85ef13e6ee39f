/* The machine: memory, errors, frames and closures.
 *
 * Every entry into evaluation from outside the room goes through ev_try, which sets the catcher for
 * errors; vctx.fail and ev_fail record code and text and jump there. The jump crosses frames of
 * this room and of value only, and those own nothing but arena memory, so that nothing leaks. An
 * error is recorded once; the caller of the room reads it from the ev. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/registers.h"
#include "model/model.h"
#include "syntax/ast.h"
#include "syntax/source.h"
#include "value/value.h"

#define FRAME_STACK_VALS                                                                           \
    ((size_t)1 << 24) /* 128 MiB of address space; touched only as deep as evaluation goes */
#define STACK_RESERVE ((size_t)256 << 10)

/* ---- errors ---- */
static void err_text_set(struct ev *ev, const char *text)
{
    size_t len = strlen(text) + 1;
    if (len > ev->err_cap) {
        ev->err_text = vec_grow(ev->err_text, &ev->err_cap, len, 1);
    }
    memcpy(ev->err_text, text, len);
}

__attribute__((noreturn)) static void ev_throw(struct ev *ev, int code, const char *text)
{
    ev->err_code = code;
    err_text_set(ev, text);
    ev->failed.n = 0;
    for (size_t i = 0; i < ev->stack.n; i++) {
        VEC_PUSH(&ev->failed, ev->stack.v[i].node);
    }
    ASSERT(ev->catcher != NULL);
    longjmp(*ev->catcher, 1);
}

__attribute__((noreturn)) static void ev_vctx_fail(struct vctx *ctx, int code, const char *text)
{
    ev_throw(ctx->owner, code ? code : 1000, text);
}

void ev_fail(struct ev *ev, const struct node *at, int code, const char *fmt, ...)
{
    struct strbuf sb = {.arena = &ev->scratch};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&sb, fmt, ap);
    va_end(ap);
    if (at) {
        if (sb.n && sb.p[sb.n - 1] != '\n') {
            strbuf_addc(&sb, '\n');
        }
        ev_place(ev->spec, at, &sb);
    }
    char *text = arena_strndup(&ev->scratch, strbuf_cstr(&sb), sb.n);
    strbuf_done(&sb);
    ev_throw(ev, code ? code : 1000, text);
}

void ev_stack_overflow(struct ev *ev)
{
    ev_throw(ev, 1005, VAL_STACK_TEXT);
}

void ev_not_bool(struct ev *ev, const struct ex *x, struct val v, const char *what)
{
    ev_fail(ev, x->src, 0, "A non-boolean expression (%s) was used as %s.", val_kind_text(v), what);
}

static void ev_scratch_full(void *arg)
{
    struct ev *ev = arg;
    size_t limit = ev->scratch.limit_bytes;
    ev->scratch.limit_bytes = limit + (limit >> 3) + ((size_t)16 << 20); /* room for the message */
    ev_throw(ev, 1001,
             "The evaluation of one expression needed more memory than a worker may use.\n"
             "Look for a set or function with very many elements, or give assay more memory.");
}

int ev_try(struct ev *ev, void (*fn)(struct ev *ev, void *arg), void *arg)
{
    jmp_buf here;
    jmp_buf *outer = ev->catcher;
    struct val *top = ev->frame_top;
    size_t depth = ev->stack.n;
    struct val *s0 = ev->s0;
    struct val *s1 = ev->s1;
    uint32_t missing = ev->missing;
    uint64_t epoch = ev->epoch;
    ev->catcher = &here;
    int failed = setjmp(here);
    if (failed == 0) {
        fn(ev, arg);
    }
    ev->catcher = outer;
    if (failed) {
        ev->frame_top = top;
        ev->stack.n = depth;
        ev->s0 = s0;
        ev->s1 = s1;
        ev->missing = missing;
        ev->epoch = epoch;
        ev->scratch.limit_bytes = ev->spec->options.scratch_bytes_max;
    }
    return failed ? -1 : 0;
}

/* ---- places ---- */
struct mplace ev_mplace(const struct spec *spec, const struct node *node)
{
    struct mplace p = {"--unknown--", 0, 0, 0, 0};
    if (!node || node->span.end == 0) {
        return p;
    }
    const struct sources *sources = spec->program->sources;
    const struct source *source = sources_get(sources, node->span.file);
    struct place place = sources_place(sources, node->span);
    struct str base = path_base(str_of(source->path));
    if (base.n > 4 && memcmp(base.p + base.n - 4, ".tla", 4) == 0) {
        base.n -= 4;
    }
    p.module = arena_strndup(spec->arena, base.p, base.n);
    p.line = place.line;
    p.column = place.column;
    p.end_line = place.end_line;
    p.end_column = place.end_column;
    return p;
}

void ev_place(const struct spec *spec, const struct node *node, struct strbuf *out)
{
    const struct sources *sources = spec->program->sources;
    if (!node || node->span.end == 0) {
        strbuf_adds(out, "Unknown location");
        return;
    }
    const struct source *source = sources_get(sources, node->span.file);
    struct place place = sources_place(sources, node->span);
    struct str base = path_base(str_of(source->path));
    if (base.n > 4 && memcmp(base.p + base.n - 4, ".tla", 4) == 0) {
        base.n -= 4;
    }
    strbuf_printf(out, "line %u, col %u to line %u, col %u of module %.*s", place.line,
                  place.column, place.end_line, place.end_column, STR_ARG(base));
}

/* ---- life ---- */
static bool ev_poll(struct vctx *ctx)
{
    struct ev *ev = ctx->owner;
    return ev->host && ev->host->interrupt &&
           __atomic_load_n(ev->host->interrupt, __ATOMIC_RELAXED);
}

int ev_init(struct ev *ev, struct spec *spec, unsigned index, uint64_t seed)
{
    memset(ev, 0, sizeof *ev);
    ev->spec = spec;
    arena_init(&ev->scratch, (size_t)1 << 20);
    arena_init(&ev->keep, 0);
    ev->scratch.limit_bytes = spec->options.scratch_bytes_max;
    ev->scratch.full = ev_scratch_full;
    ev->scratch.full_arg = ev;
    ev->vctx.arena = &ev->scratch;
    ev->vctx.strings = spec->strings;
    ev->vctx.set_size_max = spec->options.set_size_max;
    ev->vctx.terse = spec->options.terse;
    ev->vctx.fail = ev_vctx_fail;
    ev->vctx.owner = ev;
    ev->vctx.poll = ev_poll;
    ev->host = spec->host;
    ev->only_action = NO_SLOT;
    ev->index = index == UINT32_MAX ? 0 : index;
    rng_seed(&ev->rng, hash_combine(seed, index));
    size_t bytes = FRAME_STACK_VALS * sizeof(struct val);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) {
        return -1;
    }
    ev->frames = p;
    ev->frames_end = ev->frames + FRAME_STACK_VALS;
    ev->frame_top = ev->frames;
    return 0;
}

void ev_done(struct ev *ev)
{
    if (ev->frames) {
        (void)munmap(ev->frames, FRAME_STACK_VALS * sizeof(struct val));
    }
    bank_leave(ev);
    VEC_DONE(&ev->stack);
    VEC_DONE(&ev->failed);
    vec_release(ev->err_text);
    arena_done(&ev->scratch);
    arena_done(&ev->keep);
}

/* Evaluation may use the C stack of the calling thread down to this far. */
void ev_stack_here(struct ev *ev)
{
    char *here = __builtin_frame_address(0);
    size_t bytes = ev->spec->options.stack_bytes;
    ev->stack_limit = here - (bytes - STACK_RESERVE);
}

struct val ev_eval_hooked(struct ev *ev, const struct ex *x, struct val *fr)
{
    if (ev->cover) {
        ev->cover[x->id]++;
    }
    if (!ev->tracing) {
        return x->run(ev, x, fr);
    }
    VEC_PUSH(&ev->stack, (struct ev_trace_entry){x->src});
    struct val v = x->run(ev, x, fr);
    ev->stack.n--;
    return v;
}

int act_run_hooked(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k)
{
    if (!ev->tracing) {
        return ev->cover ? cover_act(ev, a, fr, k) : a->run(ev, a, fr, k);
    }
    VEC_PUSH(&ev->stack, (struct ev_trace_entry){a->src});
    int stop = a->run(ev, a, fr, k);
    ev->stack.n--;
    return stop;
}

/* ---- frames and closures ---- */
struct val *frame_push(struct ev *ev, uint32_t nslot)
{
    struct val *fr = ev->frame_top;
    vctx_poll(&ev->vctx); /* recursion, and what is applied again and again */
    if (__builtin_expect((size_t)(ev->frames_end - fr) < nslot, 0)) {
        ev_stack_overflow(ev);
    }
    ev->frame_top = fr + nslot;
    return fr;
}

/* A value that reads what is being assigned is captured as the thunk that makes it, which outlives
 * the assignment; what is known already is told to it. */
static struct val capture_step(struct ev *ev, const struct binding *b, uint32_t from,
                               struct val *fr)
{
    struct val known = fr[from];
    if (val_is_kind(known, VK_THUNK)) {
        return known;
    }
    struct val thunk = closure_thunk(ev, b->thunk, fr);
    if (!val_is_undef(known)) {
        struct vobj *o = val_obj(thunk);
        o->v[0] = known;
        o->hash = fr[from + 1].w;
    }
    fr[from] = thunk;
    return thunk;
}

struct val closure_capture(struct ev *ev, const struct binding *b, uint32_t from, struct val *fr)
{
    if (!b || b->kind != BIND_LAZY) {
        return fr[from];
    }
    if (b->step) {
        return capture_step(ev, b, from, fr);
    }
    if (val_is_undef(fr[from])) {
        fr[from] = closure_thunk(ev, b->thunk, fr);
    }
    return fr[from];
}

static void captures_copy(struct ev *ev, const struct unit *unit, struct val *fr, struct val *ret)
{
    for (size_t i = 0; i < unit->captures.n; i++) {
        ret[i] = closure_capture(ev, unit->captures.v[i].binding, unit->captures.v[i].from, fr);
    }
}

struct val unit_call(struct ev *ev, const struct unit *unit, const struct val *captured,
                     const struct val *args, size_t nargs, struct val self)
{
    ev_check_stack(ev);
    struct val *fr = frame_push(ev, unit->nslot);
    for (size_t i = 0; i < unit->captures.n; i++) {
        fr[unit->captures.v[i].to] = captured[i];
    }
    for (size_t i = 0; i < nargs; i++) {
        fr[unit->param[i]] = args[i];
    }
    if (unit->self != NO_SLOT) {
        fr[unit->self] = self;
    }
    struct val v = ex_eval(ev, unit->body, fr);
    frame_pop(ev, fr);
    return v;
}

static struct val closure_new(struct ev *ev, enum vkind kind, const struct unit *unit,
                              struct val *fr)
{
    struct vobj *o =
        arena_alloc(&ev->scratch, sizeof *o + sizeof(struct val) * (2 + unit->captures.n));
    o->kind = (uint8_t)kind;
    o->flags = 0;
    o->pad = 0;
    o->n = 0;
    o->hash = 0;
    o->v[0] = VAL_UNDEF;
    o->v[1] = (struct val){(uint64_t)(uintptr_t)unit};
    captures_copy(ev, unit, fr, &o->v[2]);
    return val_of_obj(o);
}

static const struct unit *closure_unit(struct val raw)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored by closure_new */
    return (const struct unit *)(uintptr_t)raw.w;
}

struct val closure_oper(struct ev *ev, const struct unit *unit, struct val *fr)
{
    return closure_new(ev, VK_OPER, unit, fr);
}

struct val closure_thunk(struct ev *ev, const struct unit *unit, struct val *fr)
{
    return closure_new(ev, VK_THUNK, unit, fr);
}

struct val thunk_force(struct ev *ev, struct val thunk)
{
    struct vobj *o = val_obj(thunk);
    const struct unit *unit = closure_unit(o->v[1]);
    if (val_is_undef(o->v[0]) || (unit->step && o->hash != ev->epoch)) {
        struct val v = unit_call(ev, unit, &o->v[2], NULL, 0, VAL_UNDEF);
        if (o->flags & VF_FROZEN) {
            return v;
        }
        o->v[0] = v;
        o->hash = ev->epoch; /* a thunk has no hash */
    }
    return o->v[0];
}

/* LAMBDA and FILTER objects: op[0] = domain or base set, op[1] = unit, op[2..] = captured. */
static struct val lazy_closure(struct ev *ev, enum vkind kind, const struct lazy_ops *ops,
                               const struct unit *unit, struct val *fr, struct val base)
{
    struct vlazy *o =
        arena_alloc(&ev->scratch, sizeof *o + sizeof(struct val) * (2 + unit->captures.n));
    o->kind = (uint8_t)kind;
    o->flags = 0;
    o->pad = 0;
    o->n = 1;
    o->hash = 0;
    o->ops = ops;
    o->forced = VAL_UNDEF;
    o->op[0] = base;
    o->op[1] = (struct val){(uint64_t)(uintptr_t)unit};
    captures_copy(ev, unit, fr, &o->op[2]);
    return val_of_obj((struct vobj *)o);
}

/* Enters the unit of a LAMBDA or FILTER with `elem` bound by its binder. */
static struct val lazy_enter(struct vctx *ctx, struct vlazy *self, struct val elem)
{
    struct ev *ev = ctx->owner;
    const struct unit *unit = closure_unit(self->op[1]);
    ev_check_stack(ev);
    struct val *fr = frame_push(ev, unit->nslot);
    for (size_t i = 0; i < unit->captures.n; i++) {
        fr[unit->captures.v[i].to] = self->op[2 + i];
    }
    if (unit->self != NO_SLOT) {
        fr[unit->self] = val_of_obj((struct vobj *)self);
    }
    const struct binder *b = unit->binder;
    if (b->nvar == 1) {
        loop_bind(ev, unit->body, &b->vars[0], fr, elem);
    } else {
        const struct vobj *t = seq_of(ctx, elem);
        if (!t || t->n != b->nvar) {
            ev_fail(ev, unit->body->src, 2170,
                    "The argument of a function of %u arguments is not a tuple of that length.",
                    b->nvar);
        }
        for (uint32_t i = 0; i < b->nvar; i++) {
            loop_bind(ev, unit->body, &b->vars[i], fr, t->v[i]);
        }
    }
    struct val v = ex_eval(ev, unit->body, fr);
    frame_pop(ev, fr);
    return v;
}

static bool filter_member(struct vctx *ctx, struct vlazy *self, struct val elem)
{
    struct val v = lazy_enter(ctx, self, elem);
    if (!val_is_bool(v)) {
        struct ev *ev = ctx->owner;
        ev_fail(ev, closure_unit(self->op[1])->body->src, 0,
                "Attempted to evaluate an expression of form {x \\in S : P(x)} when P was %s.",
                val_kind_text(v));
    }
    return val_same(v, VAL_TRUE);
}

static struct val lambda_apply(struct vctx *ctx, struct vlazy *self, struct val arg)
{
    return lazy_enter(ctx, self, arg);
}

static struct val lazy_freeze(struct vctx *ctx, struct vlazy *self, struct arena *into)
{
    struct ev *ev = ctx->owner;
    const struct unit *unit = closure_unit(self->op[1]);
    struct vlazy *o = arena_alloc(into, sizeof *o + sizeof(struct val) * (2 + unit->captures.n));
    *o = *self;
    o->flags = (uint8_t)((self->flags | VF_FROZEN) & ~VF_FORCED);
    o->forced = VAL_UNDEF;
    o->hash = 0;
    o->op[0] = val_freeze(ctx, into, self->op[0]);
    o->op[1] = self->op[1];
    for (size_t i = 0; i < unit->captures.n; i++) {
        struct val v = self->op[2 + i];
        if (val_is_kind(v, VK_THUNK)) {
            v = thunk_force(ev, v);
        }
        o->op[2 + i] =
            val_is_kind(v, VK_OPER) ? closure_freeze(ev, into, v) : val_freeze(ctx, into, v);
    }
    return val_of_obj((struct vobj *)o);
}

struct val closure_freeze(struct ev *ev, struct arena *into, struct val oper)
{
    const struct vobj *self = val_obj(oper);
    const struct unit *unit = closure_unit(self->v[1]);
    struct vobj *o = arena_alloc(into, sizeof *o + sizeof(struct val) * (2 + unit->captures.n));
    *o = *self;
    o->flags |= VF_FROZEN;
    o->v[0] = VAL_UNDEF;
    o->v[1] = self->v[1];
    for (size_t i = 0; i < unit->captures.n; i++) {
        struct val v = self->v[2 + i];
        if (val_is_kind(v, VK_THUNK)) {
            v = thunk_force(ev, v);
        }
        o->v[2 + i] =
            val_is_kind(v, VK_OPER) ? closure_freeze(ev, into, v) : val_freeze(&ev->vctx, into, v);
    }
    return val_of_obj(o);
}

/* As TLC shows what it cannot enumerate: bounds, and where the expression stands. */
static void print_bounds(struct vctx *ctx, const struct unit *unit, struct val base,
                         struct strbuf *out)
{
    const struct binder *b = unit->binder;
    for (uint32_t i = 0; i < b->nvar; i++) {
        const struct binder_var *var = &b->vars[i];
        strbuf_adds(out, i ? ", " : "");
        strbuf_adds(out, var->tuple ? "<<" : "");
        for (uint32_t k = 0; k < var->nslot; k++) {
            strbuf_adds(out, k ? ", " : "");
            strbuf_addstr(out, var->names[k]);
        }
        strbuf_adds(out, var->tuple ? ">> \\in " : " \\in ");
        const struct vlazy *product =
            b->nvar > 1 && val_is_kind(base, VK_PRODUCT) ? vobj_lazy(val_obj(base)) : NULL;
        val_print(ctx, product && i < product->n ? product->op[i] : base, out);
    }
}

static void print_closure(struct vctx *ctx, const struct vlazy *self, const char *infix,
                          struct strbuf *out)
{
    struct ev *ev = ctx->owner;
    const struct unit *unit = closure_unit(self->op[1]);
    print_bounds(ctx, unit, self->op[0], out);
    strbuf_printf(out, " %s <expression ", infix);
    ev_place(ev->spec, unit->body->src, out);
    strbuf_addc(out, '>');
}

static void filter_print(struct vctx *ctx, struct vlazy *self, struct strbuf *out)
{
    strbuf_addc(out, '{');
    print_closure(ctx, self, ":", out);
    strbuf_adds(out, " }");
}

static void lambda_print(struct vctx *ctx, struct vlazy *self, struct strbuf *out)
{
    strbuf_addc(out, '[');
    print_closure(ctx, self, "|->", out);
    strbuf_addc(out, ']');
}

static const struct lazy_ops filter_ops = {filter_member, NULL, lazy_freeze, filter_print};
static const struct lazy_ops lambda_ops = {NULL, lambda_apply, lazy_freeze, lambda_print};

const struct unit *closure_code(struct val lambda)
{
    const struct vlazy *lazy = vobj_lazy(val_obj(lambda));
    return lazy->ops == &lambda_ops ? closure_unit(lazy->op[1]) : NULL;
}

struct val closure_lambda(struct ev *ev, const struct unit *unit, struct val *fr, struct val domain)
{
    return lazy_closure(ev, VK_LAMBDA, &lambda_ops, unit, fr, domain);
}

struct val closure_filter(struct ev *ev, const struct unit *unit, struct val *fr, struct val base)
{
    return lazy_closure(ev, VK_FILTER, &filter_ops, unit, fr, base);
}

/* ---- what native operators may ask ---- */
struct vctx *ev_vctx(struct ev *ev)
{
    return &ev->vctx;
}

struct val ev_call(struct ev *ev, struct val oper, const struct val *args, size_t n)
{
    ASSERT(val_is_kind(oper, VK_OPER));
    const struct vobj *o = val_obj(oper);
    const struct unit *unit = closure_unit(o->v[1]);
    if (unit->nparam != n) {
        ev_fail(ev, NULL, 2170, "An operator of %u parameters was applied to %zu arguments.",
                unit->nparam, n);
    }
    return unit_call(ev, unit, &o->v[2], args, n, VAL_UNDEF);
}

bool ev_call_bool(struct ev *ev, struct val oper, const struct val *args, size_t n)
{
    struct val v = ev_call(ev, oper, args, n);
    if (!val_is_bool(v)) {
        ev_fail(ev, NULL, 0, "An operator that must give a boolean gave %s.", val_kind_text(v));
    }
    return val_same(v, VAL_TRUE);
}

struct mhost *ev_host(struct ev *ev)
{
    return ev->host;
}

bool ev_quiet(struct ev *ev)
{
    return ev->replaying || (ev->worker && ev->worker->quiet);
}

struct rng *ev_rng(struct ev *ev)
{
    return &ev->rng;
}

uint64_t ev_level(struct ev *ev)
{
    return ev->level;
}

bool ev_is_checking(struct ev *ev)
{
    return ev->spec->checking;
}

const char *ev_spec_dir(struct ev *ev)
{
    return ev->spec->options.spec_dir;
}

bool ev_may_exec(struct ev *ev)
{
    return !ev->spec->options.no_exec;
}
