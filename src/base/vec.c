/* The growth of arrays: by half again, so that freed blocks can be reused by later, larger ones. */
#include "base/vec.h"

#include <stdlib.h>

#include "base/assert.h"

void *vec_grow(void *block, size_t *cap, size_t need, size_t elem_bytes)
{
#ifdef ASSAY_TINY
    size_t next = need; /* moves at every growth: pointers kept into the array are found out */
#else
    size_t next = *cap + *cap / 2;
    if (next < 8) {
        next = 8;
    }
    if (next < need) {
        next = need;
    }
#endif
    size_t bytes = 0;
    if (__builtin_mul_overflow(next, elem_bytes, &bytes)) {
        out_of_memory((size_t)-1);
    }
    void *grown = realloc(block, bytes);
    if (!grown) {
        out_of_memory(bytes);
    }
    *cap = next;
    return grown;
}

void vec_release(void *block)
{
    free(block);
}
