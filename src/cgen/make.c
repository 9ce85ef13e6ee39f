/* Compiled models: made, made again with wider types, described, saved. See cgen.h. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/build.h"
#include "cgen/cgen.h"
#include "cgen/compiled.h"
#include "cgen/csource.h"
#include "cgen/load.h"
#include "cgen/profile.h"
#include "cgen/reach.h"
#include "cgen/trial.h"
#include "cgen/ty.h"
#include "eval/native.h"
#include "eval/worker.h"
#include "model/model.h"
#include "syntax/source.h"
#include "value/value.h"

struct cgen *cgen_new(struct model *model, const struct cgen_options *options)
{
    struct cgen *c = vec_grow(NULL, &(size_t){0}, 1, sizeof *c);
    memset(c, 0, sizeof *c);
    c->spec = (struct spec *)model;
    c->options = *options;
    arena_init(&c->arena, 4096);
    samples_init(&c->samples, c->spec->nvar);
    pthread_mutex_init(&c->lock, NULL);
    if (!reach_effects(c->spec) && !reach_prints(c->spec)) {
        starts_keep(c->spec);
    }
    return c;
}

static void cmodel_free(struct cmodel *m)
{
    if (!m) {
        return;
    }
    build_done(&m->build);
    for (size_t i = 0; i < REFINED; i++) {
        build_done(&m->refined[i]);
    }
    arena_done(&m->arena_code);
    vec_release(m->traps);
    csource_done(&m->source);
    vec_release(m);
}

static struct cmodel *cmodel_new(struct cgen *c)
{
    struct cmodel *m = vec_grow(NULL, &(size_t){0}, 1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->cgen = c;
    arena_init(&m->arena_code, 1 << 16);
    return m;
}

void cgen_forget_before(struct cgen *cgen)
{
    if (!cgen->now) {
        return;
    }
    for (struct cmodel *m = cgen->now->before; m;) {
        struct cmodel *before = m->before;
        cmodel_free(m);
        m = before;
    }
    cgen->now->before = NULL;
    cgen->now->model.before = &cgen->spec->model;
}

void cgen_free(struct cgen *cgen)
{
    if (!cgen) {
        return;
    }
    cgen_forget_before(cgen);
    cmodel_free(cgen->now);
    samples_done(&cgen->samples);
    arena_done(&cgen->arena);
    pthread_mutex_destroy(&cgen->lock);
    vec_release(cgen);
}

static const char *refuse(const struct cmodel *m)
{
    const struct spec *spec = m->cgen->spec;
    const struct native *native = reach_effects(spec);
    if (native) {
        return native->name;
    }
    if (m->source.tys.many_types) {
        return "model values of many types";
    }
    return spec->options.coverage ? "coverage" : NULL;
}

static struct build_options build_options(const struct cgen *c)
{
    return (struct build_options){.cache_dir = c->options.cache_dir,
                                  .temp_dir = c->options.temp_dir,
                                  .compiler = c->options.compiler,
                                  .at_once = c->options.at_once,
                                  .limit_s = c->options.compiler_s,
                                  .keep = c->options.keep,
                                  .interrupt = c->options.interrupt};
}

static int load(struct cmodel *m, const char **why)
{
    struct cgen *c = m->cgen;
    struct build_options options = build_options(c);
    options.effort = c->options.effort;
    options.may_compile = c->options.may_compile;
    options.may_compile_arg = c->options.may_compile_arg;
    struct code *code;
    if (code_load(&m->arena_code, &m->source, &options, &m->build, &code, why) != 0) {
        *why = arena_printf(&c->arena, "%s", *why);
        return -1;
    }
    atomic_store(&m->code, code);
    return 0;
}

/* Of the processor, at most. Where code is made at once, wrong types cost little. */
static uint64_t walks_ns(const struct cgen *c)
{
    static const uint64_t ms[] = {60, 250, 1000}; /* ORDER enum cgen_effort */
    enum cgen_effort effort = c->options.effort;
    if (c->options.walks_ms > 0) {
        return UINT64_C(1000000) * c->options.walks_ms;
    }
    return 1000000 * ms[effort == CGEN_AT_ONCE && c->options.at_once == NULL ? CGEN_QUICK : effort];
}

static int write_and_build(struct cmodel *m, struct spec_worker *w, const char **why)
{
    struct cgen *c = m->cgen;
    if (c->samples.nstate == 0) {
        profile_run(w, &c->samples,
                    &(struct profile_limits){.seed = 1,
                                             .budget_ns = walks_ns(c),
                                             .states = c->options.samples_max,
                                             .stop = c->options.interrupt});
    }
    arena_reset(&w->ev.scratch);
    if (c->samples.nstate == 0) {
        *why = "there is no state to learn from";
        return -1;
    }
    if (csource_write(w, &c->samples, &m->source, why) != 0) {
        return -1;
    }
    const char *no = refuse(m);
    if (no) {
        *why = arena_printf(&c->arena, "it uses %s", no);
        return -1;
    }
    size_t compiled = 0;
    for (size_t i = 0; i < m->source.acts.n; i++) {
        compiled += m->source.acts.v[i].why == NULL;
    }
    m->some_interpreted = compiled < m->source.acts.n;
    if (compiled == 0) {
        *why = arena_printf(&c->arena, "no action could be compiled: %s",
                            m->source.acts.n ? m->source.acts.v[0].why : "");
        return -1;
    }
    size_t npiece = m->source.acts.n + m->source.preds.n;
    m->traps = vec_grow(NULL, &(size_t){0}, npiece + 1, sizeof *m->traps);
    memset(m->traps, 0, sizeof *m->traps * (npiece + 1));
    return load(m, why);
}

/* What the model says of itself. */
static void fill_model(struct cmodel *m)
{
    const struct model *inner = &m->cgen->spec->model;
    m->source.tys.ctx = NULL; /* types are complete; the worker that made them is gone */
    m->model = *inner;
    m->model.ops = &compiled_ops;
    ASSERT(m->code != NULL);
    m->model.state_size = m->code->size;
    m->model.batch_slots = SLOTS - 1;
    m->model.ignores_stats = true; /* what reads them is not compiled */
    m->model.judges_states = m->source.judges_states;
    m->model.postcondition = inner->postcondition ? compiled_postcondition : NULL;
    m->before = m->cgen->now;
    m->model.before = m->before ? &m->before->model : &m->cgen->spec->model;
}

/* Types, text and code, by a worker of the interpreter's. */
static int make(struct cmodel *m, const char **ret_why)
{
    struct cgen *c = m->cgen;
    struct err err = {0};
    struct mworker *worker;
    struct model *inner = &c->spec->model;
    const struct native *effect = reach_effects(c->spec);
    if (atomic_load(&c->no_fingerprint)) {
        *ret_why = "a state has no fingerprint in compiled code";
        return -1;
    }
    if (effect) {
        *ret_why = arena_printf(&c->arena, "it uses %s", effect->name);
        return -1;
    }
    if (inner->ops->worker_new(inner, WORKER_ASIDE, c->options.seed, &worker, &err) != 0) {
        *ret_why = arena_printf(&c->arena, "%s", err.text);
        return -1;
    }
    worker_of(worker)->from_starts = true;
    int rc = write_and_build(m, worker_of(worker), ret_why);
    if (rc != 0 && *ret_why) {
        *ret_why = arena_printf(&c->arena, "%s", *ret_why);
    }
    inner->ops->worker_free(worker);
    return rc;
}

int cgen_build(struct cgen *cgen, struct model **ret_model, const char **ret_why)
{
    struct cmodel *m = cmodel_new(cgen);
    cgen->samples.widenings += cgen->now != NULL;
    *ret_why = NULL;
    if (make(m, ret_why) != 0) {
        cmodel_free(m);
        return -1;
    }
    fill_model(m);
    cgen->now = m;
    atomic_store(&cgen->widen, false);
    *ret_model = &m->model;
    return 0;
}

enum cgen_effort cgen_effort(const struct cgen *cgen)
{
    return cgen->now->nrefined > 0 ? cgen->now->refined[cgen->now->nrefined - 1].effort
                                   : cgen->now->build.effort;
}

size_t cgen_text_bytes(const struct cgen *cgen)
{
    size_t n = cgen->now->source.text.n;
    for (size_t i = 0; i < cgen->now->source.functions.n; i++) {
        n += cgen->now->source.functions.v[i].body.n;
    }
    return n;
}

void cgen_refine(struct cgen *cgen, enum cgen_effort effort)
{
    struct build_options options = build_options(cgen);
    struct code *better;
    const char *why;
    if (cgen_effort(cgen) >= effort || cgen->now->nrefined == REFINED) {
        return;
    }
    options.effort = effort;
    struct build *build = &cgen->now->refined[cgen->now->nrefined];
    if (code_load(&cgen->now->arena_code, &cgen->now->source, &options, build, &better, &why) ==
        0) {
        atomic_store(&cgen->now->code, better); /* what the other one had stays loaded */
        cgen->now->nrefined++;
    } else {
        build_done(build);
        memset(build, 0, sizeof *build);
    }
}

bool cgen_must_widen(const struct cgen *cgen)
{
    return atomic_load(&cgen->widen);
}

/* More than so many times for each state the interpreter may be asked. */
#define TRAPS_MAX 2
/* Bytes of a state: copies of larger ones, most of them room for what is not there, take longer
 * than the interpreter does (measured: 48 against 41 microseconds a state for 8.5 KB). */
#define STATE_BYTES_MAX 4096

bool cgen_pays(struct cgen *cgen)
{
    const struct csource *src = &cgen->now->source;
    volatile sig_atomic_t *leave = cgen->options.leave;
    uint64_t expanded, asked = 0;
    if (src->state_size > STATE_BYTES_MAX) {
        return false;
    }
    cgen->options.leave = NULL; /* what does not fit here need not be met by the search */
    int rc = trial_run(&cgen->now->model, WORKER_ASIDE, cgen->options.seed, &expanded);
    cgen->options.leave = leave;
    for (size_t i = 0; i < src->acts.n + src->preds.n; i++) {
        asked += atomic_exchange(&cgen->now->traps[i].n, 0);
        asked += i < src->acts.n && src->acts.v[i].why ? expanded : 0;
    }
    atomic_store(&cgen->now->fallbacks, 0);
    atomic_store(&cgen->widen, false);
    return rc != 0 || asked <= TRAPS_MAX * expanded;
}

static void describe_name(const struct piece *piece, size_t i, struct strbuf *out)
{
    if (piece->act) {
        strbuf_printf(out, "  action %zu", i + 1);
    } else {
        strbuf_printf(out, "  %s", piece->pred->name ? piece->pred->name : "a predicate");
    }
}

/* "a long tuple (line 7, col 3 of Spec.tla)" */
static void describe_left(const struct cgen *cgen, const struct left *left, struct strbuf *out)
{
    strbuf_adds(out, left->why);
    if (left->src) {
        const struct sources *sources = cgen->spec->program->sources;
        struct place place = sources_place(sources, left->src->span);
        const struct source *source = sources_get(sources, left->src->span.file);
        strbuf_printf(out, " (line %u, col %u of ", place.line, place.column);
        strbuf_addstr(out, path_base(str_of(source->path)));
        strbuf_addc(out, ')');
    }
}

static void describe_piece(const struct cgen *cgen, const struct piece *piece, size_t i,
                           struct strbuf *out)
{
    if (piece->why) {
        describe_name(piece, i, out);
        strbuf_printf(out, " is interpreted: %s\n", piece->why);
        return;
    }
    for (size_t k = 0; k < piece->lefts.v.n; k++) {
        describe_name(piece, i, out);
        strbuf_adds(out, " is interpreted at times: ");
        describe_left(cgen, &piece->lefts.v.v[k], out);
        strbuf_addc(out, '\n');
    }
}

void cgen_describe_run(const struct cgen *cgen, struct strbuf *out)
{
    static const char *const why[] = {/* ORDER T_FIT */
                                      "",
                                      "a value that did not fit",
                                      "a value of another kind",
                                      "outside a domain",
                                      "CHOOSE",
                                      "CASE",
                                      "a large number",
                                      "a large set",
                                      "interrupted"};
    const struct csource *src = &cgen->now->source;
    for (size_t i = 0; i < src->acts.n + src->preds.n; i++) {
        uint64_t n = atomic_load(&cgen->now->traps[i].n);
        bool act = i < src->acts.n;
        if (n > 0) {
            const struct piece *piece = act ? &src->acts.v[i] : &src->preds.v[i - src->acts.n];
            uint32_t last = (uint32_t)atomic_load(&cgen->now->traps[i].why);
            describe_name(piece, i, out);
            strbuf_printf(out, " was interpreted %llu times, last because of ",
                          (unsigned long long)n);
            if (last >= TRAP_LEFT) {
                describe_left(cgen, &piece->lefts.v.v[last - TRAP_LEFT], out);
            } else {
                strbuf_adds(out, why[last]);
            }
            strbuf_addc(out, '\n');
        }
    }
    if (atomic_load(&cgen->now->fallbacks) > 0) {
        strbuf_printf(out, "  %llu states were expanded by the interpreter\n",
                      (unsigned long long)atomic_load(&cgen->now->fallbacks));
    }
}

void cgen_describe(const struct cgen *cgen, struct strbuf *out)
{
    const struct csource *src = &cgen->now->source;
    size_t acts = 0;
    size_t preds = 0;
    for (size_t i = 0; i < src->acts.n; i++) {
        acts += src->acts.v[i].why == NULL;
    }
    for (size_t i = 0; i < src->preds.n; i++) {
        preds += src->preds.v[i].why == NULL;
    }
    strbuf_printf(out, "compiled: %zu of %zu actions, %zu of %zu predicates, %u bytes a state\n",
                  acts, src->acts.n, preds, src->preds.n, src->state_size);
    strbuf_printf(out, "  code: %zu functions compiled, %zu from the cache\n",
                  cgen->now->build.compiled, cgen->now->build.part.n - cgen->now->build.compiled);
    for (uint32_t i = 0; src->var_ty && i < cgen->spec->nvar; i++) {
        strbuf_printf(out, "  %s: ", cgen->spec->var_names[i]);
        ty_print(&src->tys, src->var_ty[i], out);
        strbuf_printf(out, ", %u bytes\n", src->var_ty[i]->size);
    }
    for (size_t i = 0; i < src->acts.n; i++) {
        describe_piece(cgen, &src->acts.v[i], i, out);
    }
    for (size_t i = 0; i < src->preds.n; i++) {
        describe_piece(cgen, &src->preds.v[i], i, out);
    }
}

/* ---- layouts in checkpoints ---- */
__attribute__((noreturn)) static void layout_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    (void)code;
    assert_failed(__FILE__, __LINE__, "samples are plain values", "%s", text);
}

static struct vctx layout_ctx(struct cgen *cgen)
{
    return (struct vctx){.arena = &cgen->samples.arena,
                         .strings = cgen->spec->strings,
                         .set_size_max = UINT64_C(1) << 40,
                         .fail = layout_fail};
}

static void put_u64(struct strbuf *out, uint64_t v)
{
    strbuf_add(out, (const char *)&v, sizeof v);
}

void cgen_save(struct cgen *cgen, struct strbuf *out)
{
    struct vctx ctx = layout_ctx(cgen);
    put_u64(out, cgen->samples.nvar);
    put_u64(out, cgen->samples.widenings);
    for (uint32_t i = 0; i < cgen->samples.nvar; i++) {
        put_u64(out, cgen->samples.of[i].v.n);
        for (size_t k = 0; k < cgen->samples.of[i].v.n; k++) {
            val_encode(&ctx, cgen->samples.of[i].v.v[k], out);
        }
    }
}

static bool get_u64(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
    if ((size_t)(end - *at) < sizeof *ret) {
        return false;
    }
    memcpy(ret, *at, sizeof *ret);
    *at += sizeof *ret;
    return true;
}

bool cgen_restore(struct cgen *cgen, struct str bytes)
{
    struct vctx ctx = layout_ctx(cgen);
    const uint8_t *at = (const uint8_t *)bytes.p;
    const uint8_t *end = at + bytes.n;
    uint64_t nvar;
    uint64_t widenings;
    if (!get_u64(&at, end, &nvar) || !get_u64(&at, end, &widenings) || nvar != cgen->samples.nvar) {
        return false;
    }
    cgen->samples.widenings = (uint32_t)widenings;
    cgen->samples.nstate = 1;
    for (uint32_t i = 0; i < nvar; i++) {
        uint64_t n;
        if (!get_u64(&at, end, &n)) {
            return false;
        }
        for (uint64_t k = 0; k < n; k++) {
            struct val v;
            if (!val_decode(&ctx, &at, end, &v)) {
                return false;
            }
            VEC_PUSH(&cgen->samples.of[i].v, val_freeze(&ctx, &cgen->samples.arena, v));
        }
    }
    return at == end;
}

uint64_t cgen_layout(const struct cgen *cgen)
{
    uint64_t h = hash_bytes(cgen->now->source.text.p, cgen->now->source.text.n, 5);
    for (size_t i = 0; i < cgen->now->source.functions.n; i++) {
        h = hash_combine(h, cgen->now->source.functions.v[i].key.v[0]);
    }
    return h;
}
