/* Private to this room: operators, tokens and the scanner that the parser reads from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "syntax/diag.h"
#include "syntax/source.h"

struct arena;

/* ---- operators ---- */
enum assoc { ASSOC_NONE, ASSOC_LEFT };
enum fix { FIX_PREFIX, FIX_INFIX, FIX_NFIX, FIX_POSTFIX };
enum op_id {
    OP_NONE, /* not an operator; also the end of an expression, which binds weakest of all */
#define OP(id, name, low, high, assoc, fix) OP_##id,
#include "syntax/ops.def"
#undef OP
    OP_COUNT
};
struct op {
    struct str name;
    uint8_t low, high;
    uint8_t assoc; /* enum assoc */
    uint8_t fix;   /* enum fix */
};
extern const struct op parse_op_table[OP_COUNT];

/* ---- tokens ---- */
enum tok_kind {
    T_EOF,
    T_DEFBREAK, /* not in the text: stands before the first token of a definition */
    T_BEGIN,    /* ---- MODULE */
    T_SEPARATOR,
    T_END,
    T_IDENT,
    T_NUMBER,
    T_STRING,
    T_OP, /* tok.op says which */
    /* proof steps: <1>a  <*>a  <1>a.  <1>  <1>* */
    T_STEP,
    T_STEP_IMPLICIT,
    T_STEP_DOT,
    T_STEP_BARE,
    T_STEP_UNNUMBERED,
    /* punctuation */
    T_COMMA,
    T_COLON,
    T_COLON_COLON,
    T_DOT,
    T_UNDERSCORE,
    T_DEF,
    T_LPAREN,
    T_RPAREN,
    T_LBRACKET,
    T_RBRACKET,
    T_RBRACKET_SUB, /* ]_ */
    T_LBRACE,
    T_RBRACE,
    T_LANGLE,
    T_RANGLE,
    T_RANGLE_SUB, /* >>_ */
    T_BANG,
    T_ARROW,
    T_SUBSTITUTE,
    T_MAPSTO,
    T_EXISTS,
    T_FORALL,
    T_TEMPORAL_EXISTS,
    T_TEMPORAL_FORALL,
    /* words; tok_is_word relies on T_ACTION being first */
    T_ACTION,
    T_ASSUME,
    T_BOX_ASSUME,
    T_ASSUMPTION,
    T_BY,
    T_CASE,
    T_CHOOSE,
    T_CONSTANT,
    T_DEFINE,
    T_DEFS,
    T_ELSE,
    T_EXCEPT,
    T_EXTENDS,
    T_HAVE,
    T_HIDE,
    T_IF,
    T_INSTANCE,
    T_LAMBDA,
    T_LET,
    T_LET_IN,
    T_LOCAL,
    T_MODULE,
    T_NEW,
    T_OBVIOUS,
    T_OMITTED,
    T_ONLY,
    T_OTHER,
    T_PICK,
    T_PROOF,
    T_PROPOSITION,
    T_PROVE,
    T_BOX_PROVE,
    T_QED,
    T_RECURSIVE,
    T_SF,
    T_STATE,
    T_SUFFICES,
    T_TAKE,
    T_TEMPORAL,
    T_THEN,
    T_THEOREM,
    T_USE,
    T_VARIABLE,
    T_WF,
    T_WITH,
    T_WITNESS
};

enum tok_flag {
    TF_DEF = 1 /* a definition begins here */
};

struct tok {
    uint32_t begin, end; /* bytes of the source */
    uint32_t column;     /* 1-based, as source_column counts */
    uint32_t match;      /* of <<: number of the >> that balances it; 0 when there is none */
    uint8_t kind;        /* enum tok_kind */
    uint8_t flags;
    uint16_t op; /* enum op_id, for T_OP */
};

/* Scans a text into tokens. Lexical errors become diagnostics and the offending characters are left
 * out. */
struct scan {
    const struct source *source;
    struct diags *diags;
    const char *text;
    uint32_t n;
    uint32_t pos;
    uint32_t column; /* of the character before pos; 0 at the start of a line */
    bool plain;      /* for other readers: words are just words, no proof steps */
    bool nul_reported;
    uint16_t symbol_first[512]; /* where the spellings with a given first (or, 256 + second) byte
                                   begin; see scan.c */
};

void scan_init(struct scan *scan, const struct source *source, struct diags *diags);
bool scan_to_module(
    struct scan *scan); /* moves to the first ---- MODULE; false when there is none */
struct tok scan_next(struct scan *scan);

struct tokens {
    VEC(struct tok) v; /* ends with T_EOF */
};
/* Scans all of a module (to the ==== that balances) or, with whole_text, everything; marks where
 * definitions begin and pairs
 * << with >>. */
void tokens_scan(struct tokens *tokens, struct scan *scan, bool whole_text);

/* Contents of a string token with escapes resolved, NUL-terminated. */
struct str parse_string_contents(struct arena *arena, struct str literal);

static inline bool tok_is_word(const struct tok *tok)
{
    return tok->kind >= T_ACTION;
}

/* Column after a character: tabs go to the next multiple of eight, characters outside the basic
 * plane count twice (as in Java). */
uint32_t parse_column_after(uint32_t column, const char *text, uint32_t begin, uint32_t end);
/* Bytes of the UTF-8 character at text[0..n), 0 when it is malformed. */
unsigned utf8_len(const char *text, size_t n);
