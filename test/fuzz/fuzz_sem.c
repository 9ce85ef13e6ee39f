/* Modules that use each other: the input is cut at lines "%%MODULE"; the first part is the root,
 * the others are the modules M1, M2, ... Then an expression is resolved in the root. */
#include "base/arena.h"
#include "fuzz.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

enum { PARTS_MAX = 4 };

static struct str parts[PARTS_MAX]; /* the callback has no argument */

static const char *part_builtin(const char *name, size_t *ret_len, bool *ret_standard)
{
    if (name[0] == 'M' && name[1] >= '1' && name[1] < '0' + PARTS_MAX && name[2] == 0) {
        struct str part = parts[name[1] - '0'];
        *ret_len = part.n;
        *ret_standard = true;
        return part.n > 0 ? part.p : NULL;
    }
    return fuzz_builtin(name, ret_len, ret_standard);
}

static void cut(struct arena *arena, const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%%MODULE\n";
    struct str rest = str_dup(arena, (struct str){(const char *)data, size});
    for (size_t i = 0; i < PARTS_MAX; i++) {
        const char *at = rest.n > 0 ? memmem(rest.p, rest.n, mark, sizeof mark - 1) : NULL;
        size_t n = at != NULL ? (size_t)(at - rest.p) + 1 : rest.n;
        parts[i] = (struct str){rest.p, n};
        size_t skip = at != NULL ? n + sizeof mark - 2 : n;
        rest = (struct str){rest.p + skip, rest.n - skip};
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct program program = {0};
    struct program_options options = {.builtin = part_builtin};
    struct err err = {0};
    SCOPED_STRBUF out = {0};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    cut(&arena, data, size);
    struct source *root = sources_add(&sources, "fuzz.tla", parts[0], false);
    (void)!program_load_source(&program, &arena, root, &options, &sources, &diags, &err);
    if (program.root != NULL) {
        struct source *source = sources_add(&sources, "<input>", STR("<<Op!1, I!Op, x'>>"), false);
        (void)program_expression(&program, source);
        source = sources_add(&sources, "<input>", STR("Op == x"), false);
        (void)program_define(&program, source);
    }
    for (size_t i = 0; i < diags.n; i++) {
        diag_print(&sources, diags.v[i], false, &out);
    }
    program_done(&program);
    arena_done(&arena);
    return 0;
}
