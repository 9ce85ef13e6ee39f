/* Tokens for other readers: a thin face on the scanner. */
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"
#include "syntax/syntax_int.h"

struct lexer {
    struct arena *arena;
    const struct source *source;
    struct scan scan;
    uint32_t line; /* 0-based line of the last token: they come in order */
};

struct lexer *lexer_new(struct arena *arena, const struct source *source, struct diags *diags)
{
    struct lexer *lexer = ARENA_NEW(arena, struct lexer);
    lexer->arena = arena;
    lexer->source = source;
    scan_init(&lexer->scan, source, diags);
    lexer->scan.plain = true;
    return lexer;
}

struct token lexer_next(struct lexer *lexer)
{
    struct tok tok = scan_next(&lexer->scan);
    const struct source *source = lexer->source;
    while (lexer->line + 1 < source->lines && source->line_begin[lexer->line + 1] <= tok.begin) {
        lexer->line++;
    }
    struct str text = {source->text.p + tok.begin, tok.end - tok.begin};
    struct token token = {
        .kind = TOK_SYMBOL,
        .text = text,
        .span = {source->id, tok.begin, tok.end},
        .line = lexer->line + 1,
        .column = tok.column,
    };
    if (tok.kind == T_EOF) {
        token.kind = TOK_EOF;
    } else if (tok.kind == T_STRING) {
        token.kind = TOK_STRING;
        token.text = parse_string_contents(lexer->arena, text);
    } else if (tok.kind == T_NUMBER) {
        token.kind = TOK_NUMBER;
        token.text = str_dup(lexer->arena, text);
    } else if (tok.kind == T_IDENT || tok_is_word(&tok) ||
               (tok.kind == T_OP && text.p[0] >= 'A' && text.p[0] <= 'Z')) {
        token.kind = TOK_ID;
        token.text = str_dup(lexer->arena, text);
    } else {
        token.text = tok.kind == T_OP ? parse_op_table[tok.op].name : str_dup(lexer->arena, text);
    }
    return token;
}
