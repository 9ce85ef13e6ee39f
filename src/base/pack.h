/* Numbers and bytes one after the other, to be kept in a file and taken out again. What is taken
 * need not be what was put: a packet that is too short gives zeros and says so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

static inline void pack_bytes(struct strbuf *out, const void *bytes, size_t n)
{
    strbuf_add(out, (const char *)&n, sizeof n);
    if (n != 0) {
        strbuf_add(out, bytes, n);
    }
}

static inline void pack_u64(struct strbuf *out, uint64_t v)
{
    strbuf_add(out, (const char *)&v, sizeof v);
}

struct unpack {
    struct str rest;
    bool cut; /* there was less than wanted */
};

static inline uint64_t unpack_u64(struct unpack *in)
{
    uint64_t v = 0;
    if (in->rest.n < sizeof v) {
        in->cut = true;
        in->rest.n = 0;
        return 0;
    }
    memcpy(&v, in->rest.p, sizeof v);
    in->rest = (struct str){in->rest.p + sizeof v, in->rest.n - sizeof v};
    return v;
}

static inline struct str unpack_bytes(struct unpack *in)
{
    uint64_t n = unpack_u64(in);
    if (n > in->rest.n) {
        in->cut = true;
        n = 0;
    }
    struct str bytes = {in->rest.p, (size_t)n};
    in->rest = (struct str){in->rest.p + n, in->rest.n - (size_t)n};
    return bytes;
}
