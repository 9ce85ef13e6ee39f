/* The parser: text to tree. Recovers at the next unit after an error, so that several are reported.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "syntax/ast.h"
#include "syntax/diag.h"

struct arena;

struct parse_options {
    /* Called for every token that is parsed (proofs too), in the order of the text: identifiers,
     * operators, words and punctuation as they are spelled, strings with escapes resolved and
     * is_string set. TLC orders strings by first sight, so the order matters to CHOOSE. The text
     * lives only during the call. May be NULL. */
    void (*seen)(void *arg, struct str token, bool is_string);
    void *seen_arg;
    uint32_t *next_id; /* counter of node ids, shared by all modules of a program */
};

/* Parses one module file. Text before and after the module is ignored, as SANY does. Returns NULL
 * (with diagnostics) when no module can be had; a tree with N_ERROR nodes and diags->errors > 0
 * when parts failed. */
struct node *parse_module(struct arena *arena, const struct source *source,
                          const struct parse_options *options, struct diags *diags);
/* Parses one expression that must take the whole text (repl, eval, -inv). */
struct node *parse_expression(struct arena *arena, const struct source *source,
                              const struct parse_options *options, struct diags *diags);
/* A unit (definition) or an expression, for the repl: tries the unit first. */
struct node *parse_repl(struct arena *arena, const struct source *source,
                        const struct parse_options *options, struct diags *diags);

/* Tokens for other readers (.cfg). */
enum token_kind { TOK_EOF, TOK_ID, TOK_NUMBER, TOK_STRING, TOK_SYMBOL, TOK_ERROR };
struct token {
    enum token_kind kind;
    struct str text; /* canonical spelling; contents of a string with escapes resolved */
    struct span span;
    uint32_t line, column; /* 1-based */
};
struct lexer;
struct lexer *lexer_new(struct arena *arena, const struct source *source, struct diags *diags);
struct token lexer_next(struct lexer *lexer);
