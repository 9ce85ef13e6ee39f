/* Any bytes as a trace (TLC's JSON, ITF) and as single values; what can be read is written again in
 * every format. */
#include <setjmp.h>

#include "base/arena.h"
#include "fuzz.h"
#include "trace/trace.h"
#include "value/value.h"

__attribute__((noreturn)) static void fail_jump(struct vctx *ctx, int code, const char *text)
{
    (void)code;
    (void)text;
    longjmp(*(jmp_buf *)ctx->owner, 1);
}

static void read_all_forms(struct vctx *ctx, struct str text, struct strbuf *out)
{
    struct trace trace = {0};
    struct val value = {0};
    struct err err = {0};
    if (json_read_val(ctx, text, &value, &err) == 0) {
        json_write_val(ctx, value, out);
    }
    if (itf_read_val(ctx, text, &value, &err) == 0) {
        itf_write_val(ctx, value, out);
    }
    if (trace_read(ctx, text, &trace, &err) == 0) {
        for (int format = TRACE_JSON; format <= TRACE_ACTION; format++) {
            trace_write(ctx, &trace, (enum trace_format)format, out);
        }
        trace_print_counterexample(ctx, &trace, out);
    }
}

/* In a function of its own, so that no variable lives across setjmp. */
static void read_guarded(struct vctx *ctx, jmp_buf *failed, const struct str *text,
                         struct strbuf *out)
{
    if (setjmp(*failed) == 0) {
        read_all_forms(ctx, *text, out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct strbuf out = {0};
    jmp_buf failed;
    arena_init(&arena, 0);
    struct strtab *strings = strtab_new();
    struct str text = {(const char *)data, size};
    struct vctx ctx = {.arena = &arena,
                       .strings = strings,
                       .set_size_max = 2000,
                       .fail = fail_jump,
                       .owner = &failed};
    read_guarded(&ctx, &failed, &text, &out);
    strbuf_done(&out);
    strtab_free(strings);
    arena_done(&arena);
    return 0;
}
