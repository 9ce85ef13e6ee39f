/* Initial states, kept as bytes when all of them have been made once: a search that starts again in
 * compiled code, and whoever samples the model beside it, need not make them again. Where there are
 * very many of them they are not kept. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/worker.h"
#include "value/value.h"

#define BYTES_MAX ((size_t)32 << 20)

enum phase { NOBODY, BEING_KEPT, READY, TOO_MANY };

struct starts {
    _Atomic int phase;   /* enum phase; the states belong to whoever moved it to BEING_KEPT */
    struct strbuf bytes; /* of all states, one after the other */
};

void starts_keep(struct spec *spec)
{
    if (!spec->starts) {
        spec->starts = vec_grow(NULL, &(size_t){0}, 1, sizeof *spec->starts);
        memset(spec->starts, 0, sizeof *spec->starts);
    }
}

void starts_free(struct starts *starts)
{
    if (starts) {
        strbuf_done(&starts->bytes);
        vec_release(starts);
    }
}

bool starts_begin(struct starts *starts)
{
    int nobody = NOBODY;
    return atomic_compare_exchange_strong(&starts->phase, &nobody, BEING_KEPT);
}

void starts_add(struct starts *starts, struct spec_worker *w)
{
    for (uint32_t i = 0; starts->bytes.n <= BYTES_MAX && i < w->spec->nvar; i++) {
        val_encode(&w->ev.vctx, w->cand[i], &starts->bytes);
    }
}

void starts_end(struct starts *starts, bool all)
{
    bool fits = starts->bytes.n <= BYTES_MAX;
    if (!all || !fits) {
        strbuf_done(&starts->bytes);
    }
    atomic_store(&starts->phase, !fits ? TOO_MANY : all ? READY : NOBODY);
}

bool starts_ready(struct starts *starts)
{
    return atomic_load(&starts->phase) == READY;
}

bool starts_next(const struct starts *starts, size_t *at, struct spec_worker *w)
{
    const uint8_t *first = (const uint8_t *)starts->bytes.p;
    const uint8_t *end = first + starts->bytes.n;
    const uint8_t *p = first + *at;
    if (p == end) {
        return false;
    }
    for (uint32_t i = 0; i < w->spec->nvar; i++) {
        bool whole = val_decode(&w->ev.vctx, &p, end, &w->cand[i]);
        ASSERT(whole);
    }
    *at = (size_t)(p - first);
    return true;
}
