/* The syntax tree of TLA+ modules: plain nodes in an arena, every kind with a fixed layout of
 * children.
 *
 * One struct serves all kinds, so that walks (printing, levels, subexpression names) are loops. The
 * comment after each kind gives its fields and children in order; `x...` is a list of any length,
 * `x?` may be NULL in place. Operators carry canonical ASCII names whatever the source spelling:
 * `\leq` `=<` `<=` are all "\\leq", see below.
 *
 * Canonical operator names, with the spellings that map to them (and Unicode ones besides):
 *   /\ \land        \/ \lor          ~ \lnot \neg     \equiv <=>       # /=
 *   \leq =< <=      \geq >=          \cup \union      \cap \intersect
 *   \o \circ        \X \times        (+) \oplus       (-) \ominus
 *   (.) \odot       (/) \oslash      (\X) \otimes     -. (unary minus)
 * All others are named as they are written. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "syntax/source.h"

#define NODE_KINDS(X)                                                                              \
    /* units of a module */                                                                        \
    X(MODULE)    /* name; kids: units...  (flag LOCAL never) */                                    \
    X(EXTENDS)   /* kids: ID... */                                                                 \
    X(CONSTANTS) /* kids: OPDECL... */                                                             \
    X(VARIABLES) /* kids: OPDECL... (arity 0) */                                                   \
    X(RECURSIVE) /* kids: OPDECL... */                                                             \
    X(OPDEF)   /* name; flag LOCAL; kids: OPDECL params..., body (last). infix/prefix/postfix defs \
                  too */                                                                           \
    X(FCNDEF)  /* name; flag LOCAL; kids: BOUND..., body (last):  f[x \in S] == e */               \
    X(INSTDEF) /* name; flag LOCAL; kids: OPDECL params..., INSTANCE (last):  I(x) == INSTANCE M   \
                */                                                                                 \
    X(INSTANCE)    /* name = module; flag LOCAL (as a unit); kids: SUBST... */                     \
    X(SUBST)       /* name (left of <-; may be an operator symbol); kids: expr */                  \
    X(ASSUME)      /* name or empty; kids: expr, or ASSUMEPROVE */                                 \
    X(THEOREM)     /* name or empty; kids: expr, or ASSUMEPROVE. Proofs are parsed and dropped */  \
    X(ASSUMEPROVE) /* no kids kept: parsed and skipped */                                          \
    X(OPDECL) /* name; num = arity: a declared constant, variable or parameter: x, Op(_, _), _+_   \
               */                                                                                  \
    /* names and literals */                                                                       \
    X(ID)      /* name: identifier, or operator symbol passed as an argument */                    \
    X(BANG)    /* kids: left, right.  left!right, left-associative; right is ID, APP or SEL */     \
    X(SEL)     /* subexpression selector: name "<<" ">>" ":" "@", a number in num (name empty), or \
                  "()" with kids args */                                                           \
    X(NUM)     /* name = the digits as written, with prefix \b \o \h when there is one */          \
    X(DECIMAL) /* name = digits with a point */                                                    \
    X(STRING)  /* name = contents with escapes resolved */                                         \
    X(AT)      /* @ */                                                                             \
    /* application */                                                                              \
    X(APP) /* kids: callee (ID), args...:  Op(a, b). An argument may be a LAMBDA or operator ID.   \
              I!Op(a) is BANG(I, APP(Op, a)) */                                                    \
    X(OP)  /* name = canonical operator; kids: 1 or 2 operands (prefix, infix, postfix) */         \
    X(FAPPLY) /* kids: f, args...:  f[a, b] */                                                     \
    X(DOT)    /* name = field; kids: record */                                                     \
    /* logic */                                                                                    \
    X(CONJ)  /* flag BULLETS: a list by column, 1 or more kids; else infix (left-assoc, 2 kids) */ \
    X(DISJ)  /* the same */                                                                        \
    X(IF)    /* kids: cond, then, else */                                                          \
    X(CASE)  /* kids: ARM..., OTHER? (OTHER last, absent when there is none) */                    \
    X(ARM)   /* kids: guard, expr */                                                               \
    X(OTHER) /* kids: expr */                                                                      \
    X(LET)   /* kids: OPDEF | FCNDEF | INSTDEF | RECURSIVE..., body (last) */                      \
    X(FORALL)   /* kids: BOUND..., body (last) */                                                  \
    X(EXISTS)   /* the same */                                                                     \
    X(FORALL_U) /* unbounded; kids: ID..., body (last) */                                          \
    X(EXISTS_U) /* the same */                                                                     \
    X(TFORALL)  /* \AA; kids: ID..., body */                                                       \
    X(TEXISTS)  /* \EE; kids: ID..., body */                                                       \
    X(CHOOSE)   /* kids: BOUND (one name or one tuple), body */                                    \
    X(CHOOSE_U) /* kids: ID or TUPLE of ID, body */                                                \
    X(BOUND)    /* kids: ID... | one TUPLE of ID (flag TUPLE), set (last) */                       \
    X(LAMBDA)   /* kids: OPDECL params..., body (last) */                                          \
    X(LABEL)    /* name; kids: ID params..., body (last):  lab(x) :: e */                          \
    /* sets, functions, records */                                                                 \
    X(SETENUM)   /* kids: elements... */                                                           \
    X(SETFILTER) /* kids: BOUND, pred:  {x \in S : p} */                                           \
    X(SETMAP)    /* kids: expr, BOUND...:  {e : x \in S, y \in T} */                               \
    X(FCN)       /* kids: BOUND..., body (last):  [x \in S |-> e] */                               \
    X(FCNSET)    /* kids: S, T:  [S -> T] */                                                       \
    X(RECORD)    /* kids: FIELD... */                                                              \
    X(RECSET)    /* kids: FIELD... */                                                              \
    X(FIELD)     /* name; kids: expr */                                                            \
    X(EXCEPT)    /* kids: f, EXSPEC... */                                                          \
    X(EXSPEC)    /* kids: EXIDX | EXFLD..., expr (last):  ![a].b = expr */                         \
    X(EXIDX)     /* kids: index exprs...:  [a, b] */                                               \
    X(EXFLD)     /* name:  .b */                                                                   \
    X(TUPLE)     /* kids: elements... */                                                           \
    X(TIMES)     /* kids: 2 or more sets:  A \X B \X C */                                          \
    /* actions and temporal */                                                                     \
    X(BOXACT)   /* kids: A, v:  [A]_v */                                                           \
    X(ANGLEACT) /* kids: A, v:  <<A>>_v */                                                         \
    X(WF)       /* kids: v, A */                                                                   \
    X(SF)       /* kids: v, A */                                                                   \
    X(ERROR)    /* where parsing failed and went on; a diagnostic stands for it */

enum node_kind {
#define X(name) N_##name,
    NODE_KINDS(X)
#undef X
};

/* Deeper trees are refused with a diagnostic, so that walks may recurse: chains like a + b + c +
 * ... nest to the left. */
#define NODE_HEIGHT_MAX 5000

enum node_flag {
    NF_LOCAL = 1,   /* LOCAL definition or instance */
    NF_BULLETS = 2, /* a junction list by column */
    NF_TUPLE = 4,   /* BOUND with a tuple pattern */
    NF_INFIX = 8,   /* OPDEF / OPDECL of an infix operator */
    NF_PREFIX = 16,
    NF_POSTFIX = 32,
    NF_PAREN = 64, /* stood in parentheses */
    NF_AXIOM = 128 /* ASSUME written as AXIOM: not checked */
};

struct node {
    uint16_t kind; /* enum node_kind */
    uint16_t flags;
    uint32_t nkid;
    struct span span;
    struct str name;   /* NUL-terminated too */
    struct node **kid; /* [nkid] */
    int32_t num;
    uint32_t id;           /* unique in the program; index for tables beside the tree */
    const void *ref;       /* what sem resolved a name to (struct def *), NULL before */
    struct span name_span; /* the name alone, where a node has one */
    uint32_t
        height; /* 1 for a leaf, else one more than the highest kid; never above NODE_HEIGHT_MAX */
};

const char *node_kind_name(enum node_kind kind);
struct strbuf;
/* One line of s-expressions, for tests: (OPDEF Foo (OPDECL x 0) (OP + (ID x) (NUM 1))) */
void node_print(const struct node *node, struct strbuf *out);
