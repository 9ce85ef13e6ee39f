/* Theorems and proofs. A proof is parsed in full, so that mistakes in it are found as SANY finds
 * them, and then dropped: its nodes live in an arena of their own that is emptied afterwards, and
 * their ids are given back.
 *
 * Steps carry levels: <2>1 belongs to a proof of level 2, <*> to the current one, <+> to one level
 * more. Each nested proof must have a higher level than the one around it, and all its steps the
 * same. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse_int.h"
#include "syntax/syntax_int.h"

static bool is_step(enum tok_kind kind)
{
    return kind >= T_STEP && kind <= T_STEP_UNNUMBERED;
}

enum { LEVEL_STAR = -1, LEVEL_PLUS = -2 };

static int64_t step_level(const struct parser *p, const struct tok *tok)
{
    struct str text = tok_text(p, tok);
    if (text.p[1] == '*') {
        return LEVEL_STAR;
    }
    if (text.p[1] == '+') {
        return LEVEL_PLUS;
    }
    int64_t level = 0;
    for (size_t i = 1; text.p[i] != '>' && level < INT32_MAX; i++) {
        level = level * 10 + (text.p[i] - '0');
    }
    return level;
}

static bool begins_proof(const struct parser *p)
{
    enum tok_kind kind = kind_now(p);
    if (kind == T_BY || kind == T_PROOF || kind == T_OBVIOUS || kind == T_OMITTED) {
        return true;
    }
    if (!is_step(kind)) {
        return false;
    }
    int64_t level = step_level(p, tok_now(p));
    if (level == LEVEL_PLUS) {
        return true;
    }
    if (level == LEVEL_STAR || p->proof_depth < 0) {
        return p->proof_depth < 0;
    }
    int64_t current = p->proof_level[p->proof_depth];
    return current >= 0 && level > current;
}

/* Checks the level of a step; the first step of a proof fixes the level. */
static bool level_fits(struct parser *p, int64_t level)
{
    int64_t outer = p->proof_depth > 0 ? p->proof_level[p->proof_depth - 1] : -1;
    int64_t *current = &p->proof_level[p->proof_depth];
    bool first = *current < 0;
    if (level == LEVEL_STAR || level == LEVEL_PLUS) {
        if (first) {
            *current = outer + 1;
        }
        return first || level == LEVEL_STAR;
    }
    if (first) {
        *current = level;
        return level > outer;
    }
    return *current == level;
}

bool parse_check_step_reference(struct parser *p, const struct tok *tok)
{
    bool inside = p->proof_depth > 0 || (p->proof_depth == 0 && p->proof_level[0] >= 0);
    if (!inside) {
        parse_fail(p, DIAG_PARSE_PROOF, tok_span(p, tok),
                   "the name of a proof step is used outside a proof");
    } else if (step_level(p, tok) == LEVEL_PLUS) {
        parse_fail(p, DIAG_PARSE_PROOF, tok_span(p, tok),
                   "a step named with `<+>` cannot be used in an expression");
    }
    return !p->panic;
}

/* ---- facts ---- */

static void facts(struct parser *p)
{
    do {
        if (parse_accept(p, T_MODULE)) {
            parse_take_ident(p, "the name of a module");
        } else {
            parse_expr(p);
        }
    } while (parse_accept(p, T_COMMA));
}

void parse_use_or_hide(struct parser *p)
{
    parse_accept(p, T_PROOF);
    bool hide = kind_now(p) == T_HIDE;
    if (!hide && kind_now(p) != T_USE && kind_now(p) != T_BY) {
        parse_fail_expected(p, "BY, USE or HIDE");
        return;
    }
    parse_take(p);
    if (!hide) {
        parse_accept(p, T_ONLY);
    }
    if (kind_now(p) == T_MODULE || parse_starts_expr(p)) {
        facts(p);
    }
    if (parse_accept(p, T_DEFS)) {
        facts(p);
    }
}

/* ---- ASSUME ... PROVE ---- */

static void new_symbol(struct parser *p)
{
    bool is_new = parse_accept(p, T_NEW);
    enum tok_kind kind = kind_now(p);
    if (kind == T_VARIABLE) {
        parse_take(p);
        parse_take_ident(p, "the name of a variable");
        return;
    }
    if (kind == T_STATE || kind == T_ACTION || kind == T_TEMPORAL) {
        parse_take(p);
        parse_op_decl(p);
        return;
    }
    if (!parse_accept(p, T_CONSTANT) && !is_new) {
        parse_fail_expected(p, "a declaration");
        return;
    }
    const struct node *decl = parse_op_decl(p);
    if (decl->kind == N_OPDECL && !(decl->flags & (NF_INFIX | NF_PREFIX | NF_POSTFIX)) &&
        op_now(p) == OP_IN) {
        if (decl->num > 0) {
            parse_fail_expected(p, "no `\\in` after a symbol with parameters");
            return;
        }
        parse_take(p);
        parse_expr(p);
    }
}

static bool at_assume(const struct parser *p, uint32_t ahead)
{
    return parse_kind_at(p, ahead) == T_ASSUME || parse_kind_at(p, ahead) == T_BOX_ASSUME;
}

static void assume_prove(struct parser *p)
{
    if (!parse_enter(p, "ASSUME ... PROVE")) {
        return;
    }
    if (kind_now(p) == T_IDENT) {
        parse_take(p);
        parse_expect(p, T_COLON_COLON, "`::`");
    }
    if (!parse_accept(p, T_ASSUME)) {
        parse_expect(p, T_BOX_ASSUME, "ASSUME");
    }
    do {
        if (at_assume(p, 0) || (parse_kind_at(p, 1) == T_COLON_COLON && at_assume(p, 2))) {
            assume_prove(p);
            continue;
        }
        switch (kind_now(p)) {
        case T_NEW:
        case T_CONSTANT:
        case T_VARIABLE:
        case T_STATE:
        case T_ACTION:
        case T_TEMPORAL: new_symbol(p); break;
        default: parse_expr(p); break;
        }
    } while (parse_accept(p, T_COMMA));
    if (!parse_accept(p, T_PROVE)) {
        parse_expect(p, T_BOX_PROVE, "`,` or PROVE");
    }
    parse_expr(p);
    parse_leave(p);
}

/* ---- steps ---- */

static void proof(struct parser *p);

static void define_step(struct parser *p)
{
    parse_accept(p, T_DEFINE);
    do {
        parse_definition(p);
    } while (kind_now(p) == T_DEFBREAK ||
             (kind_now(p) == T_LOCAL && parse_kind_at(p, 1) == T_DEFBREAK));
}

static void names_or_bounds(struct parser *p, bool names)
{
    do {
        if (names) {
            parse_take_ident(p, "a name");
        } else {
            parse_bound(p);
        }
    } while (parse_accept(p, T_COMMA));
}

static void take_step(struct parser *p)
{
    parse_take(p);
    names_or_bounds(p, kind_now(p) != T_LANGLE && !parse_idents_then(p, T_OP, OP_IN));
}

static void pick_step(struct parser *p)
{
    parse_take(p);
    names_or_bounds(p, parse_idents_then(p, T_COLON, OP_NONE));
    parse_expect(p, T_COLON, "`,` or `:`");
    parse_expr(p);
}

static void witness_step(struct parser *p)
{
    parse_take(p);
    do {
        parse_expr(p);
    } while (parse_accept(p, T_COMMA));
}

static void assert_step(struct parser *p)
{
    parse_accept(p, T_SUFFICES);
    if (at_assume(p, 0)) {
        assume_prove(p);
    } else {
        parse_expr(p);
    }
}

/* What a step says. Returns whether it may have a proof. */
static bool step_body(struct parser *p)
{
    switch (kind_now(p)) {
    case T_USE:
    case T_HIDE: parse_use_or_hide(p); return false;
    case T_INSTANCE: parse_instance(p); return false;
    case T_DEFBREAK:
    case T_DEFINE: define_step(p); return false;
    case T_HAVE:
        parse_take(p);
        parse_expr(p);
        return false;
    case T_TAKE: take_step(p); return false;
    case T_WITNESS: witness_step(p); return false;
    case T_PICK: pick_step(p); return true;
    case T_CASE:
        parse_take(p);
        parse_expr(p);
        return true;
    default: assert_step(p); return true;
    }
}

/* One step with its proof. Returns true when it was the QED step. */
static bool step(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (!is_step(kind_now(p))) {
        parse_fail_expected(p, "a proof step or QED");
        return true;
    }
    if (!parse_enter(p, "proof step")) {
        return true;
    }
    parse_take(p);
    bool qed = kind_now(p) == T_QED;
    if (!level_fits(p, step_level(p, tok))) {
        parse_fail(p, DIAG_PARSE_PROOF, tok_span(p, tok),
                   "the level of this step does not fit the proof it stands in");
    }
    bool provable = true;
    if (qed) {
        parse_take(p);
    } else {
        provable = step_body(p);
    }
    if (begins_proof(p)) {
        if (!provable) {
            parse_fail(p, DIAG_PARSE_PROOF, tok_span(p, tok_now(p)),
                       "the step before this takes no proof");
        }
        proof(p);
    }
    parse_leave(p);
    return qed || p->panic;
}

static void proof(struct parser *p)
{
    if (p->proof_depth + 1 >= PROOF_DEPTH_MAX) {
        parse_fail(p, DIAG_PARSE_TOO_DEEP, tok_span(p, tok_now(p)),
                   "proofs are nested more than %d deep", PROOF_DEPTH_MAX);
        return;
    }
    if (!parse_enter(p, "proof")) {
        return;
    }
    p->proof_level[++p->proof_depth] = -1;
    if (kind_now(p) == T_BY || parse_kind_at(p, 1) == T_BY) {
        parse_use_or_hide(p);
    } else {
        parse_accept(p, T_PROOF);
        if (!parse_accept(p, T_OBVIOUS) && !parse_accept(p, T_OMITTED)) {
            while (!step(p)) {
            }
        }
    }
    p->proof_depth--;
    parse_leave(p);
}

struct node *parse_theorem(struct parser *p)
{
    uint32_t begin = parse_take(p)->begin;
    const struct tok *name = NULL;
    if (tok_now(p)->kind == T_IDENT && parse_kind_at(p, 1) == T_DEF) {
        p->tokens.v.v[p->pos].flags = 0;
        name = parse_take(p);
        parse_take(p);
    }
    size_t mark = kids_mark(p);
    uint32_t ids = *p->next_id;
    bool sequent = at_assume(p, 0);
    uint32_t statement = tok_now(p)->begin;
    if (sequent) {
        p->node_arena = &p->proofs;
        assume_prove(p);
        p->node_arena = p->arena;
        *p->next_id = ids;
        p->kids.n = mark;
        kid_push(p, node_make(p, N_ASSUMEPROVE, statement, kids_mark(p)));
    } else {
        kid_push(p, parse_expr(p));
    }
    ids = *p->next_id;
    uint32_t end = p->last_end;
    if (begins_proof(p)) {
        p->node_arena = &p->proofs;
        proof(p);
        p->node_arena = p->arena;
        *p->next_id = ids;
    }
    p->kids.n = mark + 1;
    arena_reset(&p->proofs);
    struct node *node = node_make(p, N_THEOREM, begin, mark);
    node->span.end = p->last_end > end ? p->last_end : end;
    if (name) {
        node->name = parse_name_intern(p, tok_text(p, name));
        node->name_span = tok_span(p, name);
    }
    return node;
}
