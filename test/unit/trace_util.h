/* A value context for the tests of traces: a failure ends the test. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/str.h"
#include "trace/trace.h"
#include "value/value.h"

struct fixture {
    struct arena arena;
    struct strtab *strings;
    struct vctx ctx;
    struct strbuf out;
};

__attribute__((noreturn)) static void fixture_fail(struct vctx *ctx, int code, const char *text)
{
    (void)ctx;
    fprintf(stderr, "failed with %d: %s\n", code, text);
    exit(1);
}

static inline void fixture_init(struct fixture *f)
{
    *f = (struct fixture){0};
    arena_init(&f->arena, 0);
    f->strings = strtab_new();
    f->ctx = (struct vctx){
        .arena = &f->arena, .strings = f->strings, .set_size_max = 1000000, .fail = fixture_fail};
}

static inline void fixture_done(struct fixture *f)
{
    strbuf_done(&f->out);
    strtab_free(f->strings);
    arena_done(&f->arena);
}

/* What the writer makes of a value, until the next call. */
static inline const char *as_json(struct fixture *f, struct val v)
{
    strbuf_reset(&f->out);
    json_write_val(&f->ctx, v, &f->out);
    return strbuf_cstr(&f->out);
}

static inline const char *as_itf(struct fixture *f, struct val v)
{
    strbuf_reset(&f->out);
    itf_write_val(&f->ctx, v, &f->out);
    return strbuf_cstr(&f->out);
}

static inline const char *as_tla(struct fixture *f, struct val v)
{
    strbuf_reset(&f->out);
    val_print(&f->ctx, v, &f->out);
    return strbuf_cstr(&f->out);
}
