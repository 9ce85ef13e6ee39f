/* Private to the parser: its state and the functions its files share.
 *
 * Errors: the first one in a unit is reported and sets `panic`. From then on the parser sees only
 * T_EOF, so that every loop and every production ends by itself; the module's loop then looks for
 * the next unit and goes on. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "syntax/parse.h"
#include "syntax/syntax_int.h"

#define PARSE_NEST_MAX  4000 /* constructs inside each other: bounds the parser's own recursion */
#define PROOF_DEPTH_MAX 100

/* An element of the stack on which operators wait for their operands. */
struct elem {
    struct node *node; /* operand; for OP_APPLY the half-built N_FAPPLY; NULL for other operators */
    enum op_id op;     /* OP_NONE for an operand */
    uint32_t begin, end; /* with the parentheses around an operand */
};

struct junction {
    enum op_id op;
    uint32_t column;
    uint32_t begin; /* of the first bullet */
};

/* What is being parsed, for error messages. */
struct context {
    const char *what; /* "IF expression" */
    uint32_t tok;     /* its first token */
};

struct name_slot {
    struct str name;
    uint64_t hash;
};

struct parser {
    struct arena *arena; /* of the result */
    struct arena
        *node_arena; /* arena, or proofs while in a proof: proofs are checked and dropped */
    struct arena proofs;
    struct arena scratch; /* the table of names */
    const struct source *source;
    const struct parse_options *options;
    struct diags *diags;
    struct scan scan;
    struct tokens tokens;
    struct tok eof; /* what is seen in panic */
    uint32_t pos;
    uint32_t last_end; /* end of the last token taken */
    uint32_t error_pos;
    bool panic;
    uint32_t nest;
    uint32_t own_id;
    uint32_t *next_id;
    enum op_id last_op; /* the last operator symbol, for check_label_reach */
    struct node hole;   /* stands for a kid that comes later */
    VEC(struct elem) stack;
    VEC(struct node *) kids;
    VEC(struct junction) junctions;
    VEC(struct context) contexts;
    struct name_slot *names; /* hash table of identifiers, open addressing */
    size_t names_cap, names_n;
    int proof_depth;                      /* -1 outside proofs */
    int64_t proof_level[PROOF_DEPTH_MAX]; /* -1 while not known */
};

/* ---- parse.c: tokens, errors, nodes ---- */
const struct tok *tok_at(const struct parser *p, uint32_t ahead);
static inline const struct tok *tok_now(const struct parser *p)
{
    return p->panic ? &p->eof : &p->tokens.v.v[p->pos];
}
/* The kind of the token `ahead` places on; T_DEFBREAK in front of a definition. */
enum tok_kind parse_kind_at(const struct parser *p, uint32_t ahead);
static inline enum tok_kind kind_now(const struct parser *p)
{
    const struct tok *tok = tok_now(p);
    return tok->flags & TF_DEF ? T_DEFBREAK : (enum tok_kind)tok->kind;
}
/* The operator that comes next, or OP_NONE. */
static inline enum op_id op_now(const struct parser *p)
{
    return kind_now(p) == T_OP ? (enum op_id)tok_now(p)->op : OP_NONE;
}
const struct tok *parse_take(
    struct parser *p); /* consumes; checks that the token is indented inside its junction list */
void parse_take_bullet(struct parser *p);
bool parse_accept(struct parser *p, enum tok_kind kind);
bool parse_accept_op(struct parser *p, enum op_id op);
bool parse_expect(struct parser *p, enum tok_kind kind, const char *expected);
void parse_fail_expected(struct parser *p, const char *expected);
struct diag *parse_fail(struct parser *p, enum diag_code code, struct span span, const char *fmt,
                        ...) __attribute__((format(printf, 4, 5)));
void parse_fail_note(struct parser *p, struct diag *diag, struct span span, const char *text);
bool parse_enter(struct parser *p, const char *what); /* one level deeper; false when that is too
                                                   deep. NULL: not worth naming in errors */
void parse_leave(struct parser *p);

static inline struct span span_make(const struct parser *p, uint32_t begin, uint32_t end)
{
    return (struct span){p->source->id, begin, end};
}
static inline struct span tok_span(const struct parser *p, const struct tok *tok)
{
    return span_make(p, tok->begin, tok->end);
}
struct str tok_text(const struct parser *p, const struct tok *tok);
struct str parse_name_intern(struct parser *p, struct str text);

/* Makes a node from the kids pushed since `mark`, spanning from `begin` to the last token taken. */
struct node *node_make(struct parser *p, enum node_kind kind, uint32_t begin, size_t mark);
struct node *node_leaf(struct parser *p, enum node_kind kind, const struct tok *tok,
                       struct str name);
void node_grown(struct parser *p, struct node *node,
                const struct node *kid); /* a kid was put in after node_make */
struct node *parse_error_node(struct parser *p);
static inline size_t kids_mark(const struct parser *p)
{
    return p->kids.n;
}
static inline void kid_push(struct parser *p, struct node *node)
{
    VEC_PUSH(&p->kids, node);
}

struct node *parse_take_ident(struct parser *p, const char *expected); /* N_ID */
struct node *
parse_take_field_name(struct parser *p,
                      const char *expected); /* the same, but reserved words are names too */
struct node *parse_opdecl(struct parser *p, const struct tok *tok, struct str name, int32_t arity,
                          uint16_t flags);

/* ---- parse_unit.c ---- */
struct node *parse_module_body(struct parser *p);
struct node *parse_definition(struct parser *p); /* at LOCAL or T_DEFBREAK */
struct node *parse_recursive(struct parser *p);
struct node *parse_instance(struct parser *p); /* at INSTANCE */
struct node *parse_unit(struct parser *p);     /* NULL when nothing of it is kept */
bool parse_unit_starts(const struct parser *p);
void parse_fail_no_definition(struct parser *p,
                              const char *expected); /* with a hint, if there is one */
struct node *parse_op_decl(struct parser *p);        /* x, Op(_, _), _+_, -._ */

/* ---- parse_expr.c ---- */
struct node *parse_expr(struct parser *p);
struct node *
parse_op_or_expr(struct parser *p); /* an argument: expression, operator symbol or LAMBDA */
bool parse_above_junction(
    const struct parser *p);       /* is the next token to the right of the current bullets? */
void parse_args(struct parser *p); /* ( a, b ): pushes kids */
struct node *parse_symbol_node(struct parser *p, const struct tok *tok);
bool parse_starts_expr(const struct parser *p);

/* ---- parse_atom.c ---- */
struct node *parse_open(struct parser *p); /* IF, CASE, LET, CHOOSE, quantifiers; NULL when the next
                                              token begins none */
struct node *
parse_closed(struct parser *p); /* ( { [ << WF_ SF_; NULL when the next token begins none */
struct node *parse_bound(struct parser *p);
bool parse_idents_then(const struct parser *p, enum tok_kind kind, enum op_id op);
bool parse_bound_ahead(const struct parser *p); /* x, y \in ... or << .. >> \in ... */

/* ---- parse_proof.c ---- */
struct node *parse_theorem(struct parser *p);
void parse_use_or_hide(struct parser *p); /* USE, HIDE, BY, PROOF BY */
bool parse_check_step_reference(struct parser *p, const struct tok *tok);
