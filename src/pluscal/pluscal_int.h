/* What the files of this room share: lines as Java sees them, tokens, expressions, the tree, and
 * the state of one translation.
 *
 * The output of the translator depends on details of its data that a tidier design would not have:
 * columns are counted in UTF-16 units; the checksum of the algorithm is that of the tree *after* it
 * was translated, so what the translation changes in place (sequences of statements that become
 * longer, assignments that are sorted, names that are replaced) must be changed in place here, too,
 * and what it copies must be copied. Sequences and expressions are therefore shared by pointer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"

/* ---- arrays in an arena ---- */
#define AVEC(type)                                                                                 \
    struct {                                                                                       \
        type *v;                                                                                   \
        size_t n, cap;                                                                             \
    }
void *pcal_grow(struct arena *arena, void *old, size_t n, size_t *cap, size_t elem_bytes);
#define AVEC_PUSH(arena, vec, ...)                                                                 \
    ((vec)->n < (vec)->cap                                                                         \
         ? (void)0                                                                                 \
         : (void)((vec)->v = (__typeof__((vec)->v))pcal_grow((arena), (void *)(vec)->v, (vec)->n,  \
                                                             &(vec)->cap, sizeof *(vec)->v)),      \
     (void)((vec)->v[(vec)->n++] = (__VA_ARGS__)))

struct strs {
    struct str *v;
    size_t n, cap;
};
bool pcal_strs_has(const struct strs *strs, struct str s);
size_t pcal_strs_find(const struct strs *strs, struct str s); /* or its length */

/* ---- text (lines.c) ---- */
/* Length in UTF-16 units, which is what columns are counted in. */
int pcal_width(struct str utf8);
struct u16s {
    uint16_t *v;
    size_t n;
};
struct lines {
    struct u16s *v;
    size_t n, cap;
};
/* Cuts a text at \n, \r or \r\n. */
void pcal_lines_cut(struct arena *arena, struct str text, struct strs *ret_lines);
/* The lines as the parser reads them: tabs become blanks up to the next multiple of eight, and a
 * blank is added at the end of each. */
void pcal_lines_read(struct arena *arena, const struct strs *text, struct lines *ret_lines);
struct u16s pcal_u16_of(struct arena *arena, struct str utf8);
struct str pcal_u16_to_str(struct arena *arena, const uint16_t *v, size_t n);
bool pcal_u16_starts(struct u16s line, size_t at, const char *ascii);
/* Where an ASCII text is in the line, or -1. */
long pcal_u16_find(struct u16s line, const char *ascii);
void pcal_lines_insert(struct arena *arena, struct lines *lines, size_t at, struct u16s line);
void pcal_strs_insert(struct arena *arena, struct strs *strs, size_t at, struct str s);

/* ---- expressions (expr.c) ---- */
enum tok_type { TOK_NONE, TOK_BUILTIN, TOK_NUMBER, TOK_STRING, TOK_IDENT, TOK_ADDED };
struct tok {
    struct str text; /* of a string: without quotes */
    int col;         /* from the left end of the expression */
    int len;         /* of the text, in UTF-16 units */
    enum tok_type type;
};
struct tok_line {
    struct tok **v;
    size_t n, cap;
};
/* An expression is its tokens with their columns, line by line: nothing is known of its structure.
 * A line hangs on a token of a line above, its anchor: the last one that begins at or left of the
 * line. When that moves to the right, so does the line, which is how junction lists survive. */
struct expr {
    struct tok_line **v;
    size_t n, cap;
    struct tok **anchor; /* [n] or NULL for a line that hangs on nothing */
    int *anchor_col;     /* [n] where the anchor was when the line hung well */
};
/* A place in an expression: line and number of the token. */
struct coord {
    size_t line, at;
    bool none;
};
struct pcal;
struct tok *pcal_tok_new(struct arena *arena, struct str text, int col, enum tok_type type);
int pcal_tok_width(const struct tok *tok);
struct expr *pcal_expr_new(struct arena *arena);
void pcal_expr_add_line(struct arena *arena, struct expr *e);
void pcal_expr_add(struct arena *arena, struct expr *e, struct tok *tok); /* to the last line */
bool pcal_expr_empty(const struct expr *e);
/* Drops empty lines at both ends, moves everything to column 0, and finds the anchors. */
void pcal_expr_normalize(struct arena *arena, struct expr *e);
struct expr *pcal_expr_clone(struct arena *arena, const struct expr *e); /* and normalizes */
/* Puts `front` before e, which begins `spaces` behind its end; the lines of `front` are e's then.
 * False when a line would have to move to the left. */
bool pcal_expr_prepend(struct arena *arena, struct expr *e, const struct expr *front, int spaces);
/* Replaces identifiers by expressions; field names of records are let alone. NULL, or what is
 * wrong.
 */
const char *pcal_expr_substitute(struct arena *arena, struct expr *e, struct expr *const *by,
                                 const struct strs *names, bool parenthesize);
extern const char pcal_moved_left[]; /* what is wrong with a line that would move to the left */
void pcal_expr_lines(struct arena *arena, const struct expr *e, struct strs *ret_lines);
struct coord pcal_expr_step(const struct expr *e, struct coord from, int by);

/* ---- the tree (tree.c) ---- */
/* Which fields a node of each kind uses, besides its place:
 *
 *   UNIPROCESS    name, decls, expr (define), macros, procedures, body (labeled)
 *   MULTIPROCESS  name, decls, expr (define), macros, procedures, body (processes)
 *   PROCEDURE     name, params, decls, body (labeled), labels and calls
 *   PROCESS       name, is_eq, expr (id), decls, body (labeled), fairness, labels and calls
 *   VAR, PVAR     name, is_eq, expr (value)
 *   LABELED       name, body
 *   WHILE         expr, body, lab_body
 *   ASSIGN        body (SINGLEs)
 *   SINGLE        name, sub, expr
 *   IF            expr, body (then), other (else)
 *   EITHER        body (CLAUSEs, of which only body counts)
 *   WITH          name, is_eq, expr, body
 *   WHEN, PRINT, ASSERT   expr
 *   LABEL_IF      expr, body, lab_body, other, lab_other
 *   LABEL_EITHER  body (CLAUSEs)
 *   CLAUSE        body, lab_body
 *   CALL          name, args
 *   RETURN        from
 *   CALL_RETURN   name, from, args
 *   CALL_GOTO     name, from (the label that is gone to), args
 *   GOTO          name
 *   MACRO         name, param_names, body
 *   MACRO_CALL    name, args */
enum node_kind {
    UNIPROCESS,
    MULTIPROCESS,
    PROCEDURE,
    PROCESS,
    VAR,
    PVAR,
    LABELED,
    WHILE,
    ASSIGN,
    SINGLE,
    IF,
    EITHER,
    WITH,
    WHEN,
    PRINT,
    ASSERTION,
    SKIP,
    LABEL_IF,
    LABEL_EITHER,
    CLAUSE,
    CALL,
    RETURN,
    CALL_RETURN,
    CALL_GOTO,
    GOTO,
    MACRO,
    MACRO_CALL
};
struct node;
struct nodes {
    struct node **v;
    size_t n, cap;
};
struct exprs {
    struct expr **v;
    size_t n, cap;
};
struct node {
    enum node_kind kind;
    int line, col;             /* from 1; 0 = nowhere */
    int macro_line, macro_col; /* where the macro was called; -1 = none */
    struct str lbl;            /* the label in front of a statement, or "" */
    struct str name, from;     /* from.p is NULL where the translator has no string */
    bool is_eq;
    struct expr *expr, *sub;
    int sub_line, sub_col; /* of the left-hand side of a SINGLE */
    struct nodes *decls, *params, *macros, *procedures;
    struct nodes *body, *lab_body, *other, *lab_other;
    struct exprs args;
    struct strs param_names;
    /* of procedures and processes */
    int fairness; /* 0 unfair, 1 weak, 2 strong */
    struct strs minus_labels, plus_labels, calls;
};
struct node *pcal_node_new(struct arena *arena, enum node_kind kind);
struct nodes *pcal_nodes_new(struct arena *arena);
struct nodes *pcal_nodes_copy(struct arena *arena, const struct nodes *nodes);
void pcal_nodes_push(struct arena *arena, struct nodes *nodes, struct node *node);
void pcal_nodes_push_all(struct arena *arena, struct nodes *nodes, const struct nodes *more);
struct node *pcal_nodes_last(const struct nodes *nodes);
/* "line 3, column 5 of macro called at ..." */
const char *pcal_node_place(struct arena *arena, const struct node *node);
/* The tree as a TLA+ expression: what -writeAST writes, and what the checksum is of. */
void pcal_tree_print(const struct node *root, const struct pluscal_options *options,
                     struct strbuf *out);

/* ---- the state of one translation ---- */
enum { LOOKAHEAD_MAX = 10, NESTING_MAX = 400, CH_END = '\t' };
struct reader {
    const struct lines *lines;
    uint32_t *cur; /* the characters of the line; NULL behind the last */
    size_t cur_n;
    size_t line, column;
};
struct scanner {
    struct reader reader;
    int32_t next; /* read, but not used */
    int next_col, col;
    struct strbuf token;
    struct str previous;
    bool in_expr, ended, at_end, in_quantifier;
    int parens;
    struct expr *expr; /* complete lines */
    struct tok_line *line;
    struct str delimiter; /* what ended the last expression; or the last token */
    int delimiter_line, delimiter_col;
};
struct pcal {
    struct arena *arena;
    struct pluscal_options *options;
    const struct pluscal_sink *sink;
    struct lines lines;
    bool failed; /* error has the text; everything ends as soon as it sees this */
    bool c_syntax, in_macro;
    struct str error;
    struct scanner scan;
    /* tokens that were looked at before they were taken; places count from 0 */
    struct str ahead[LOOKAHEAD_MAX];
    int ahead_line[LOOKAHEAD_MAX], ahead_col[LOOKAHEAD_MAX];
    int nahead;
    int last_line, last_col; /* of the token taken last, from 1 */
    int depth;               /* of nested statements, at most NESTING_MAX */
    size_t expanded;         /* statements that macros made */
    /* what the parser learns about the algorithm */
    struct str procedure; /* being parsed; p is NULL outside */
    struct nodes *procedures;
    struct strs plus_labels, minus_labels, calls, labels;
    struct strs added, added_places; /* labels that were missing */
    int next_label;
    bool has_label, has_default, goto_used, goto_done_used;
    bool omit_pc, omit_stuttering;
};

/* Messages. pcal_fail keeps the first error only; `at` adds its place unless it is NULL. */
void pcal_say(const struct pcal *p, enum pluscal_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void pcal_fail(struct pcal *p, const struct node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The translator of tla2tools would crash here. */
void pcal_bug(struct pcal *p, const char *what);

/* ---- steps, in their order ---- */
/* Options in the text (options.c), and comments (comment.c). */
void pcal_text_options(struct pcal *p);
bool pcal_uncomment(struct pcal *p, size_t line, size_t col);

/* Tokens (scan.c). */
void pcal_scan_begin(struct pcal *p, size_t line, size_t col);
struct expr *pcal_scan_expr(struct pcal *p);
struct str pcal_scan_token(struct pcal *p);
/* Goes over blanks. The next character, and the one after it (or '\n'); CH_END at the end. */
int32_t pcal_scan_peek(struct pcal *p, int32_t *ret_second);

/* Text to tree (parse.c, parse_stmt.c). `fair`: --fair was read, "algorithm" must follow. */
struct node *pcal_parse_algorithm(struct pcal *p, bool fair);
struct str pcal_parse_peek(struct pcal *p, int n); /* n-th token ahead, from 1 */
struct str pcal_parse_take(struct pcal *p);
bool pcal_parse_peek_is(struct pcal *p, int n, const char *text);
void pcal_parse_gobble(struct pcal *p, const char *text);   /* ";" may be missing before some */
void pcal_parse_must(struct pcal *p, const char *text);     /* without exceptions */
void pcal_parse_open(struct pcal *p);                       /* begin or { */
void pcal_parse_close(struct pcal *p, const char *what);    /* end what, or } */
void pcal_parse_comma(struct pcal *p);                      /* , or ; */
bool pcal_parse_eq_or_in(struct pcal *p);                   /* = is true */
void pcal_parse_error(struct pcal *p, const char *fmt, ...) /* at the last token */
    __attribute__((format(printf, 2, 3)));
int32_t pcal_parse_peek_past(struct pcal *p, int n); /* the character behind the n-th token ahead */
struct expr *pcal_parse_expr(struct pcal *p);
struct nodes *pcal_parse_statements(struct pcal *p);
void pcal_parse_mark(const struct pcal *p, struct node *node); /* the last token is its place */

/* Macros (macro.c), labels (label.c). */
void pcal_macro_expand(struct pcal *p, struct nodes *statements, const struct nodes *macros);
void pcal_label_add(struct pcal *p, struct nodes *statements);
struct nodes *pcal_label_group(struct pcal *p, struct nodes *statements);
/* Can the variable pc be left out, and the disjunct for stuttering? */
void pcal_label_check_body(struct pcal *p, const struct nodes *body);

/* Names (names.c): who is called what, after clashes were resolved. */
enum symbol_type {
    SYM_GLOBAL,
    SYM_LABEL,
    SYM_PROCEDURE,
    SYM_PROCESS,
    SYM_PROCESS_VAR,
    SYM_PROCEDURE_VAR,
    SYM_PARAMETER,
    SYM_TYPES
};
struct symbol {
    enum symbol_type type;
    struct str id, context, context_type, use;
    int line, col;
};
struct unit { /* a procedure or process */
    struct str name, first_label;
    struct node *node;
};
struct names {
    AVEC(struct symbol) symbols;
    AVEC(struct unit) procedures;
    AVEC(struct unit) processes;
    struct str first_label;
    struct strs renamed; /* comment lines that say what was renamed */
};
struct names *pcal_names_resolve(struct pcal *p, struct node *root);
struct str pcal_names_use(const struct names *names, enum symbol_type type, struct str id,
                          struct str context);
const struct unit *pcal_names_procedure(const struct names *names, struct str name); /* or NULL */
void pcal_names_check_default(struct pcal *p, const struct names *names);

/* Statements to assignments of pc and stack (explode.c). */
struct node *pcal_explode(struct pcal *p, struct node *root, const struct names *names);

/* Tree to lines of TLA+ (gen.c, gen_stmt.c, gen_spec.c). */
void pcal_generate(struct pcal *p, const struct node *root, const struct names *names,
                   struct strs *ret_lines);

/* The first steps, and all the others (translate.c). An error goes to the sink; NULL or false then.
 */
struct algorithm;
struct node *pcal_parse(struct pcal *p, const struct algorithm *algorithm);
bool pcal_finish(struct pcal *p, struct node *root, struct strs *ret_lines);

/* ---- the text around an algorithm (translate.c) ---- */
void pcal_init(struct pcal *p, struct arena *arena, struct pluscal_options *options,
               const struct pluscal_sink *sink);
/* The first line at or after `from` with both words, or -1. */
long pcal_find_words(const struct lines *lines, size_t from, const char *first, const char *second);
/* Where the algorithm begins, behind the keyword. */
struct algorithm {
    size_t line, col;
    bool found, fair;
};
struct algorithm pcal_find_algorithm(const struct lines *lines);
/* Checksums (checksum.c). */
struct checksums {
    struct str pcal, tla; /* parts of a line; p is NULL where it says not to look */
};
bool pcal_checksums_find(struct str line, struct checksums *ret);
struct str pcal_checksum_of(struct arena *arena, struct str text);
struct str pcal_checksum_of_lines(struct arena *arena, const struct str *lines, size_t n);
struct str pcal_checksum_of_tree(struct pcal *p, const struct node *root, bool fair);
