/* Any bytes as tokens, to the end of the input. */
#include "base/arena.h"
#include "fuzz.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct str text = str_dup(&arena, (struct str){(const char *)data, size});
    struct source *source = sources_add(&sources, "fuzz.tla", text, false);
    struct lexer *lexer = lexer_new(&arena, source, &diags);
    for (size_t n = 0; n <= size + 1; n++) { /* every token but the last takes a byte or more */
        struct token token = lexer_next(lexer);
        if (token.kind == TOK_EOF) {
            break;
        }
        (void)sources_place(&sources, token.span);
    }
    arena_done(&arena);
    return 0;
}
