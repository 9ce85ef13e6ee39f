/* Any bytes as a module, as an expression, and as what the repl accepts; all diagnostics are
 * printed. */
#include "base/arena.h"
#include "fuzz.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"

typedef struct node *(*parse_fn)(struct arena *, const struct source *,
                                 const struct parse_options *, struct diags *);

static void parse_once(parse_fn parse, struct str text)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    SCOPED_STRBUF out = {0};
    uint32_t next_id = 0;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct source *source = sources_add(&sources, "fuzz.tla", str_dup(&arena, text), false);
    struct parse_options options = {.next_id = &next_id};
    (void)parse(&arena, source, &options, &diags);
    for (size_t i = 0; i < diags.n; i++) {
        diag_print(&sources, diags.v[i], i % 2 == 0, &out);
    }
    arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    parse_once(parse_module, text);
    parse_once(parse_expression, text);
    parse_once(parse_repl, text);
    return 0;
}
