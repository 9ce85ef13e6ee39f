/* Any bytes as a stored value. What can be read is used in every way that the checker uses values;
 * errors of the spec may come of it (the order of damaged sets is not checked), crashes may not.
 * What was read, written and read again must be the same bytes. */
#include <setjmp.h>

#include "base/arena.h"
#include "base/assert.h"
#include "fuzz.h"
#include "value/value.h"

__attribute__((noreturn)) static void fail_jump(struct vctx *ctx, int code, const char *text)
{
    (void)code;
    (void)text;
    longjmp(*(jmp_buf *)ctx->owner, 1);
}

static bool stop_soon(struct vctx *ctx) /* an interval of 2^60 elements has few bytes */
{
    return ctx->interrupt > 20000;
}

static void round_trip(struct vctx *ctx, struct val v, struct strbuf *once, struct strbuf *twice)
{
    val_encode(ctx, v, once);
    const uint8_t *at = (const uint8_t *)once->p;
    struct val back;
    ASSERT(val_decode(ctx, &at, at + once->n, &back));
    val_encode(ctx, back, twice);
    ASSERT(str_eq(strbuf_str(once), strbuf_str(twice)));
}

static void use(struct vctx *ctx, struct val a, struct val b, struct strbuf *out)
{
    val_print_pretty(ctx, a, 0, 80, out);
    (void)val_hash(ctx, a);
    (void)val_force(ctx, a);
    (void)val_equal(ctx, a, b);
    (void)val_compare(ctx, a, b);
    if (val_is_fcn(a)) {
        struct val ret;
        (void)fcn_domain(ctx, a);
        (void)fcn_try(ctx, a, b, &ret);
    }
    if (val_is_set(b)) {
        (void)set_member(ctx, a, b);
        (void)set_cup(ctx, b, b);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a", "b", "x_1", "x_2", "y_1", "two words", ""};
    struct arena arena;
    struct arena frozen;
    struct strbuf out = {0};
    struct strbuf once = {0};
    struct strbuf twice = {0};
    jmp_buf failed;
    arena_init(&arena, 0);
    arena_init(&frozen, 0);
    struct strtab *strings = strtab_new();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        strtab_intern(strings, str_of(names[i]));
    }
    struct vctx ctx = {.arena = &arena,
                       .strings = strings,
                       .set_size_max = 2000,
                       .fail = fail_jump,
                       .poll = stop_soon,
                       .owner = &failed};
    if (setjmp(failed) == 0) {
        const uint8_t *at = data;
        struct val a;
        struct val b = VAL_TRUE;
        while (val_decode(&ctx, &at, data + size, &a)) {
            round_trip(&ctx, a, &once, &twice);
            strbuf_reset(&once);
            strbuf_reset(&twice);
            (void)val_freeze(&ctx, &frozen, a);
            use(&ctx, a, b, &out);
            b = a;
        }
    }
    strbuf_done(&out);
    strbuf_done(&once);
    strbuf_done(&twice);
    strtab_free(strings);
    arena_done(&frozen);
    arena_done(&arena);
    return 0;
}
