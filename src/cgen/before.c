/* States of the model before, as states of this one, and the other way round.
 *
 * When types become wider in the middle of a search, the states that wait are packed anew, and the
 * fingerprints of the states that were found stay what they are: those of the layout of the time. A
 * state that does not fit that layout was not found then; one that does is packed in it, and has
 * the fingerprint that it had. Nearly all variables of a successor are those of the state before
 * it, so that these are packed once for all successors. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/compiled.h"
#include "cgen/csource.h"
#include "cgen/host.h"
#include "cgen/ty.h"
#include "eval/worker.h"
#include "model/model.h"
#include "value/value.h"

/* One of the compiled models before, and the state at hand in its layout. */
struct earlier {
    const struct cmodel *m;
    struct W w;
    struct ty_packer packer;
    uint8_t *bytes; /* of the candidate */
    uint8_t *cur;   /* of the current state, as far as it fits */
    bool *fits;     /* [nvar] */
    bool *alike;    /* [nvar] the layout of the variable has not changed */
    uint64_t of;    /* which state `cur` is */
};

struct before {
    struct mworker *aside; /* the specification's, whose values are used */
    struct strbuf bytes;
    VEC(struct earlier) earlier; /* the model before is the first */
};

static void earlier_add(struct cworker *cw, const struct cmodel *m)
{
    struct earlier e = {.m = m, .packer = ty_packer(&cw->m->source.tys, &m->source.tys)};
    size_t size = m->code->size;
    e.bytes = vec_grow(NULL, &(size_t){0}, size + 8, 1);
    e.cur = vec_grow(NULL, &(size_t){0}, size + 8, 1);
    e.fits = vec_grow(NULL, &(size_t){0}, m->cgen->spec->nvar + 1, sizeof *e.fits);
    e.alike = vec_grow(NULL, &(size_t){0}, m->cgen->spec->nvar + 1, sizeof *e.alike);
    for (uint32_t i = 0; i < m->cgen->spec->nvar; i++) {
        e.alike[i] = ty_alike(&e.packer, cw->m->source.var_ty[i], m->source.var_ty[i]);
    }
    e.w.stop = cw->w.stop;
    if (m->cgen->spec->nperm) {
        size_t bytes = (size_t)HOST_CANON * 2 * sizeof(uint64_t);
        e.w.canon = vec_grow(NULL, &(size_t){0}, bytes, 1);
        memset(e.w.canon, 0, bytes);
    }
    VEC_PUSH(&cw->before->earlier, e);
}

/* Made when first needed; NULL: there is no memory. */
static struct before *before_of(struct cworker *cw)
{
    if (cw->before) {
        return cw->before;
    }
    struct model *spec = &cw->cgen->spec->model;
    struct mworker *aside;
    struct err err = {0};
    if (spec->ops->worker_new(spec, WORKER_ASIDE, 0, &aside, &err) != 0) {
        return NULL;
    }
    aside->quiet = true;
    cw->before = vec_grow(NULL, &(size_t){0}, 1, sizeof *cw->before);
    *cw->before = (struct before){.aside = aside};
    for (const struct cmodel *m = cw->m->before; m; m = m->before) {
        earlier_add(cw, m);
    }
    return cw->before;
}

void compiled_before_done(struct cworker *cw)
{
    struct before *b = cw->before;
    if (!b) {
        return;
    }
    b->aside->model->ops->worker_free(b->aside);
    strbuf_done(&b->bytes);
    for (size_t i = 0; i < b->earlier.n; i++) {
        struct earlier *e = &b->earlier.v[i];
        vec_release(e->bytes);
        vec_release(e->cur);
        vec_release(e->fits);
        vec_release(e->alike);
        vec_release(e->w.canon);
    }
    VEC_DONE(&b->earlier);
    vec_release(b);
    cw->before = NULL;
}

/* ---- states that wait ---- */

/* The values of a state of the model before; false: it is damaged. */
static bool values_before(const struct cmodel *m, struct vctx *ctx, const uint8_t *at, size_t len,
                          struct val *vals)
{
    const uint8_t *end = at + len;
    if (m->before) {
        if (len == m->before->code->size) {
            compiled_decode(m->before, ctx, at, vals);
        }
        return len == m->before->code->size;
    }
    for (uint32_t i = 0; i < m->cgen->spec->nvar; i++) {
        if (!val_decode(ctx, &at, end, &vals[i])) {
            return false;
        }
    }
    return at == end;
}

int compiled_adopt(struct mworker *worker, const void *bytes, size_t len, struct strbuf *out)
{
    struct cworker *cw = cw_of(worker);
    const struct csource *src = &cw->m->source;
    struct before *b = before_of(cw);
    if (!b) {
        return MODEL_ERROR;
    }
    struct spec_worker *in = worker_of(b->aside);
    struct vctx *ctx = &in->ev.vctx;
    struct arena_mark mark = arena_mark(&in->ev.scratch);
    size_t size = cw->m->code->size;
    bool fits = values_before(cw->m, ctx, bytes, len, in->cand);
    strbuf_reserve(out, size + 8);
    uint8_t *to = (uint8_t *)out->p + out->n;
    memset(to, 0, size);
    for (uint32_t i = 0; i < cw->cgen->spec->nvar && fits; i++) {
        fits = ty_encode(&src->tys, ctx, src->var_ty[i], in->cand[i], to + src->var_offset[i]);
    }
    out->n += fits ? size : 0;
    arena_rewind(&in->ev.scratch, mark);
    return fits ? MODEL_OK : MODEL_ERROR;
}

/* ---- states that were found ---- */

static bool repack_by_value(struct cworker *cw, const struct cmodel *earlier, uint32_t var,
                            const uint8_t *at, uint8_t *to)
{
    const struct csource *now = &cw->m->source;
    const struct csource *then = &earlier->source;
    struct spec_worker *in = worker_of(cw->before->aside);
    struct vctx *ctx = &in->ev.vctx;
    struct arena_mark mark = arena_mark(&in->ev.scratch);
    memset(to, 0, then->var_ty[var]->size);
    struct val v = ty_decode(&now->tys, ctx, now->var_ty[var], at);
    bool fits = ty_encode(&then->tys, ctx, then->var_ty[var], v, to);
    arena_rewind(&in->ev.scratch, mark);
    return fits;
}

/* One variable of a state of this model, in an earlier layout; false: it does not fit. */
static bool repack(struct cworker *cw, const struct earlier *e, uint32_t var, const uint8_t *state,
                   uint8_t *out)
{
    const struct csource *now = &cw->m->source;
    const struct csource *then = &e->m->source;
    const uint8_t *at = state + now->var_offset[var];
    uint8_t *to = out + then->var_offset[var];
    if (e->alike[var]) {
        memcpy(to, at, now->var_ty[var]->size);
        return true;
    }
    memset(to, 0, then->var_ty[var]->size);
    enum ty_packed rc = ty_pack(&e->packer, now->var_ty[var], at, then->var_ty[var], to);
    return rc == PACK_UNKNOWN ? repack_by_value(cw, e->m, var, at, to) : rc == PACK_FITS;
}

static void repack_current(struct cworker *cw, struct earlier *e)
{
    if (e->of == cw->cur_id) {
        return;
    }
    e->of = cw->cur_id;
    memset(e->cur, 0, e->m->code->size);
    for (uint32_t i = 0; i < cw->cgen->spec->nvar; i++) {
        e->fits[i] = repack(cw, e, i, cw->cur, e->cur);
    }
}

static bool repack_candidate(struct cworker *cw, struct earlier *e)
{
    const struct csource *now = &cw->m->source;
    memcpy(e->bytes, e->cur, e->m->code->size);
    for (uint32_t i = 0; i < cw->cgen->spec->nvar; i++) {
        uint32_t at = now->var_offset[i];
        bool same = memcmp(cw->sel + at, cw->cur + at, now->var_ty[i]->size) == 0;
        if (same ? !e->fits[i] : !repack(cw, e, i, cw->sel, e->bytes)) {
            return false;
        }
    }
    return true;
}

/* The fingerprint that the interpreter has for the candidate. */
static int interpreted_fp(struct cworker *cw, uint64_t *ret_fp)
{
    struct mworker *aside = cw->before->aside;
    struct spec_worker *in = worker_of(aside);
    struct arena_mark mark = arena_mark(&in->ev.scratch);
    strbuf_reset(&cw->before->bytes);
    compiled_decode(cw->m, &in->ev.vctx, cw->sel, in->cand);
    for (uint32_t i = 0; i < cw->cgen->spec->nvar; i++) {
        val_encode(&in->ev.vctx, in->cand[i], &cw->before->bytes);
    }
    arena_rewind(&in->ev.scratch, mark);
    return aside->model->ops->load(aside, cw->before->bytes.p, cw->before->bytes.n, 1) ==
               MODEL_OK &&
           aside->model->ops->fingerprint(aside, ret_fp) == MODEL_OK;
}

int compiled_fp_before(struct mworker *worker, unsigned back, uint64_t *ret_fp)
{
    struct cworker *cw = cw_of(worker);
    struct before *b = before_of(cw);
    if (!b) {
        return 0;
    }
    if (back > b->earlier.n) {
        return interpreted_fp(cw, ret_fp);
    }
    struct earlier *e = &b->earlier.v[back - 1];
    repack_current(cw, e);
    if (!repack_candidate(cw, e)) {
        return 0;
    }
    e->w.depth = 0;
    return e->m->code->fp(&e->w, e->bytes, ret_fp) == 0;
}
