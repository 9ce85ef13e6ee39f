/* Expressions: operators by precedence ranges, bulleted lists by column, names with ! paths,
 * labels.
 *
 * Operators wait on a stack for their operands. When a new operator arrives, those on the stack
 * that bind tighter are reduced; if neither binds tighter than the other the text is ambiguous and
 * refused. The rules are those of SANY, including the fine points: `-` is pushed as the infix
 * operator even when it is a prefix, and is told apart by what lies below it; a prefix minus may
 * not follow an operator that binds tighter than it (`a * -b`); what a label covers may not be
 * changed by the label's presence.
 *
 * A bulleted list ends at the first token that is at or to the left of its bullets. So each place
 * where an expression could go on asks whether the next token lies to the right; every other token
 * inside an item must (take() checks that). Parentheses do not change this. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse_int.h"
#include "syntax/source.h"
#include "syntax/syntax_int.h"

bool parse_above_junction(const struct parser *p)
{
    return p->junctions.n == 0 || tok_now(p)->column > VEC_LAST(&p->junctions).column;
}

static enum fix fix_of(enum op_id op)
{
    return (enum fix)parse_op_table[op].fix;
}

static bool is_infix(enum op_id op)
{
    return fix_of(op) == FIX_INFIX || fix_of(op) == FIX_NFIX;
}

/* ---- the stack ---- */

static void push_operand(struct parser *p, struct node *node, uint32_t begin)
{
    VEC_PUSH(&p->stack, ((struct elem){node, OP_NONE, begin, p->last_end}));
}

static struct node *spanned(struct parser *p, enum node_kind kind, uint32_t begin, uint32_t end,
                            size_t mark)
{
    struct node *node = node_make(p, kind, begin, mark);
    node->span = span_make(p, begin, end);
    return node;
}

/* A \X B \X C is one product. Its list of kids doubles, so that a long product takes linear time.
 */
static struct node *extend_product(struct parser *p, struct elem left, struct elem right)
{
    struct node *node = left.node;
    if ((node->nkid & (node->nkid - 1)) == 0) {
        struct node **kid = ARENA_ARRAY(p->node_arena, struct node *, (size_t)node->nkid * 2);
        for (uint32_t i = 0; i < node->nkid; i++) {
            kid[i] = node->kid[i];
        }
        node->kid = kid;
    }
    node->kid[node->nkid++] = right.node;
    node->span = span_make(p, left.begin, right.end);
    node_grown(p, node, right.node);
    return node;
}

static struct node *infix_node(struct parser *p, struct elem left, struct elem op,
                               struct elem right)
{
    if (op.op == OP_TIMES && left.node->kind == N_TIMES && !(left.node->flags & NF_PAREN)) {
        return extend_product(p, left, right);
    }
    size_t mark = kids_mark(p);
    kid_push(p, left.node);
    kid_push(p, right.node);
    enum node_kind kind = op.op == OP_AND     ? N_CONJ
                          : op.op == OP_OR    ? N_DISJ
                          : op.op == OP_TIMES ? N_TIMES
                                              : N_OP;
    struct node *node = spanned(p, kind, left.begin, right.end, mark);
    node->name = kind == N_OP ? parse_op_table[op.op].name : STR("");
    node->name_span = span_make(p, op.begin, op.end);
    return node;
}

static struct node *unary_node(struct parser *p, struct elem op, struct elem operand,
                               uint32_t begin, uint32_t end)
{
    if (op.op == OP_APPLY) {
        op.node->kid[0] = operand.node;
        op.node->span = span_make(p, begin, end);
        node_grown(p, op.node, operand.node);
        return op.node;
    }
    size_t mark = kids_mark(p);
    kid_push(p, operand.node);
    struct node *node = spanned(p, N_OP, begin, end, mark);
    node->name = parse_op_table[op.op == OP_MINUS ? OP_NEGATIVE : op.op].name;
    node->name_span = span_make(p, op.begin, op.end);
    return node;
}

/* The element on top has just been pushed; these reduce what lies below it. */
static void replace_below_top(struct parser *p, size_t count, struct elem elem)
{
    struct elem top = VEC_POP(&p->stack);
    p->stack.n -= count;
    VEC_PUSH(&p->stack, elem);
    VEC_PUSH(&p->stack, top);
}

static void reduce_infix(struct parser *p)
{
    struct elem *e = &p->stack.v[p->stack.n - 4];
    uint32_t begin = e[0].begin, end = e[2].end;
    replace_below_top(p, 3, (struct elem){infix_node(p, e[0], e[1], e[2]), OP_NONE, begin, end});
}

static void reduce_prefix(struct parser *p)
{
    struct elem *e = &p->stack.v[p->stack.n - 3];
    uint32_t begin = e[0].begin, end = e[1].end;
    replace_below_top(p, 2,
                      (struct elem){unary_node(p, e[0], e[1], begin, end), OP_NONE, begin, end});
}

static void reduce_postfix(struct parser *p)
{
    struct elem *e = &p->stack.v[p->stack.n - 3];
    uint32_t begin = e[0].begin, end = e[1].end;
    replace_below_top(p, 2,
                      (struct elem){unary_node(p, e[1], e[0], begin, end), OP_NONE, begin, end});
}

/* Neither of two operators binds tighter than the other. */
static void conflict(struct parser *p, struct elem left, struct elem right)
{
    struct str left_text = {p->source->text.p + left.begin, left.end - left.begin};
    struct str right_text = {p->source->text.p + right.begin, right.end - right.begin};
    struct span span = span_make(p, right.begin, right.end);
    struct diag *diag =
        left.op == right.op
            ? parse_fail(p, DIAG_PARSE_PRECEDENCE, span,
                         "`%.*s` cannot be repeated without parentheses", STR_ARG(right_text))
            : parse_fail(p, DIAG_PARSE_PRECEDENCE, span,
                         "it is not clear which of the operators `%.*s` and `%.*s` binds tighter",
                         STR_ARG(left_text), STR_ARG(right_text));
    parse_fail_note(p, diag, span_make(p, left.begin, left.end), "the other operator");
}

static bool binds_tighter(enum op_id left, enum op_id right)
{
    return parse_op_table[left].low > parse_op_table[right].high;
}

static bool binds_weaker(enum op_id left, enum op_id right)
{
    return parse_op_table[left].high < parse_op_table[right].low;
}

/* The top is an operator and an operand lies below it: settle with the operator below that. Returns
 * whether something was reduced. */
static bool settle_operand(struct parser *p, size_t base)
{
    size_t top = p->stack.n - 1;
    if (top - base < 2) {
        return false;
    }
    struct elem *e = p->stack.v;
    enum op_id right = e[top].op, left = e[top - 2].op;
    bool left_is_prefix = fix_of(left) == FIX_PREFIX;
    if (left == OP_MINUS && (top - base == 2 || e[top - 3].op != OP_NONE)) {
        left_is_prefix = true;
        left = fix_of(right) == FIX_POSTFIX ? OP_MINUS : OP_NEGATIVE;
    }
    bool same =
        left == right && parse_op_table[left].assoc == ASSOC_LEFT && fix_of(right) != FIX_POSTFIX;
    if (binds_tighter(left, right) || same) {
        if (left_is_prefix) {
            reduce_prefix(p);
        } else {
            reduce_infix(p);
        }
        return true;
    }
    if (!binds_weaker(left, right)) {
        conflict(p, e[top - 2], e[top]);
    }
    return false;
}

/* Reduces as far as the operator on top demands. */
static void reduce(struct parser *p, size_t base)
{
    while (!p->panic) {
        size_t top = p->stack.n - 1;
        if (top == base) {
            return;
        }
        struct elem right = p->stack.v[top], below = p->stack.v[top - 1];
        if (below.op == OP_NONE) {
            if (fix_of(right.op) == FIX_PREFIX || !settle_operand(p, base)) {
                return;
            }
        } else if (fix_of(below.op) == FIX_POSTFIX) {
            reduce_postfix(p);
        } else {
            /* A prefix operator, or `-` as one, after another operator. */
            if (right.op == OP_MINUS && binds_tighter(below.op, OP_NEGATIVE)) {
                conflict(p, below, right);
            }
            return;
        }
    }
}

static void push_op(struct parser *p, size_t base)
{
    const struct tok *tok = parse_take(p);
    if (p->panic) {
        return;
    }
    p->last_op = (enum op_id)tok->op;
    VEC_PUSH(&p->stack, ((struct elem){NULL, (enum op_id)tok->op, tok->begin, tok->end}));
    reduce(p, base);
}

static struct node *final_reduce(struct parser *p, size_t base)
{
    if (p->panic) {
        p->stack.n = base;
        return parse_error_node(p);
    }
    VEC_PUSH(&p->stack, ((struct elem){NULL, OP_NONE, p->last_end, p->last_end}));
    /* OP_NONE has precedence 0, so everything is reduced. */
    while (!p->panic && p->stack.n - base > 2) {
        size_t top = p->stack.n - 1;
        if (p->stack.v[top - 1].op == OP_NONE) {
            if (!settle_operand(p, base)) {
                break;
            }
        } else {
            reduce_postfix(p);
        }
    }
    struct node *node = p->panic ? parse_error_node(p) : p->stack.v[base].node;
    p->stack.n = base;
    return node;
}

/* ---- names ---- */

struct node *parse_symbol_node(struct parser *p, const struct tok *tok)
{
    p->last_op = (enum op_id)tok->op;
    return node_leaf(p, N_ID, tok, parse_op_table[tok->op].name);
}

void parse_args(struct parser *p)
{
    if (!parse_enter(p, "list of arguments")) {
        return;
    }
    parse_expect(p, T_LPAREN, "`(`");
    do {
        kid_push(p, parse_op_or_expr(p));
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RPAREN, "`,` or `)`");
    parse_leave(p);
}

/* name, or name(args) when arguments follow. */
static struct node *maybe_applied(struct parser *p, struct node *name)
{
    if (kind_now(p) != T_LPAREN) {
        return name;
    }
    size_t mark = kids_mark(p);
    kid_push(p, name);
    parse_args(p);
    struct node *node = node_make(p, N_APP, name->span.begin, mark);
    node->name_span = name->span;
    return node;
}

static struct node *number_selector(struct parser *p, const struct tok *tok)
{
    struct node *node = node_leaf(p, N_SEL, tok, STR(""));
    struct str text = tok_text(p, tok);
    int64_t base = 10, value = 0;
    size_t i = 0;
    if (text.n > 2 && text.p[0] == '\\') {
        char letter = (char)(text.p[1] | 0x20);
        base = letter == 'b' ? 2 : letter == 'o' ? 8 : 16;
        i = 2;
    }
    for (; i < text.n && value <= INT32_MAX; i++) {
        char c = text.p[i];
        value = value * base + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    node->num = value > INT32_MAX ? INT32_MAX : (int32_t)value;
    return node;
}

/* What follows a !: a name or operator with or without arguments, arguments alone, or a selector.
 */
static struct node *bang_part(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    switch (kind_now(p)) {
    case T_IDENT:
        parse_take(p);
        if (!p->panic && str_is(tok_text(p, tok), "@")) {
            return node_leaf(p, N_SEL, tok, STR("@"));
        }
        return maybe_applied(p, node_leaf(p, N_ID, tok, parse_name_intern(p, tok_text(p, tok))));
    case T_OP: parse_take(p); return maybe_applied(p, parse_symbol_node(p, tok));
    case T_LPAREN: {
        size_t mark = kids_mark(p);
        parse_args(p);
        struct node *node = node_make(p, N_SEL, tok->begin, mark);
        node->name = STR("()");
        return node;
    }
    case T_LANGLE: parse_take(p); return node_leaf(p, N_SEL, tok, STR("<<"));
    case T_RANGLE: parse_take(p); return node_leaf(p, N_SEL, tok, STR(">>"));
    case T_COLON: parse_take(p); return node_leaf(p, N_SEL, tok, STR(":"));
    case T_NUMBER:
        parse_take(p);
        if (kind_now(p) == T_DOT && parse_kind_at(p, 1) == T_NUMBER) {
            parse_fail_expected(p, "a whole number after `!`");
        }
        return number_selector(p, tok);
    default:
        parse_fail_expected(p,
                            "a name, an operator, a number, `(`, `<<`, `>>`, `:` or `@` after `!`");
        return parse_error_node(p);
    }
}

/* A name, an operator symbol used as a name, or in proofs the name of a step; then ( args ) and !
 * parts. */
static struct node *name_expr(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    struct node *node;
    if (tok->kind == T_OP) {
        parse_take(p);
        node = parse_symbol_node(p, tok);
    } else if (tok->kind == T_IDENT) {
        parse_take(p);
        struct str text = tok_text(p, tok);
        bool at = text.n == 1 && text.p[0] == '@';
        node = at ? node_leaf(p, N_AT, tok, STR(""))
                  : node_leaf(p, N_ID, tok, parse_name_intern(p, text));
    } else {
        if (!parse_check_step_reference(p, tok)) {
            return parse_error_node(p);
        }
        parse_take(p);
        node = node_leaf(p, N_ID, tok, parse_name_intern(p, tok_text(p, tok)));
    }
    uint32_t begin = tok->begin;
    node = maybe_applied(p, node);
    while (parse_accept(p, T_BANG)) {
        size_t mark = kids_mark(p);
        kid_push(p, node);
        kid_push(p, bang_part(p));
        node = node_make(p, N_BANG, begin, mark);
    }
    return node;
}

static struct node *number_expr(struct parser *p)
{
    const struct tok *tok = parse_take(p);
    if (kind_now(p) == T_DOT && parse_kind_at(p, 1) == T_NUMBER) {
        parse_take(p);
        const struct tok *fraction = parse_take(p);
        struct strbuf digits = {0};
        strbuf_addstr(&digits, tok_text(p, tok));
        strbuf_addc(&digits, '.');
        strbuf_addstr(&digits, tok_text(p, fraction));
        struct node *node = node_leaf(p, N_DECIMAL, tok, parse_name_intern(p, strbuf_str(&digits)));
        strbuf_done(&digits);
        node->span.end = p->last_end;
        return node;
    }
    /* long numbers are seldom written twice, and would fill the table of names */
    struct str text = tok_text(p, tok);
    return node_leaf(p, N_NUM, tok,
                     text.n > 3 ? str_dup(p->node_arena, text) : parse_name_intern(p, text));
}

/* ---- bulleted lists ---- */

static bool is_bullet(const struct parser *p)
{
    /* \land and \lor are operators only; the bullets are /\ and \/ in ASCII or Unicode */
    const struct tok *tok = tok_now(p);
    if (op_now(p) != OP_AND && op_now(p) != OP_OR) {
        return false;
    }
    struct str text = tok_text(p, tok);
    return !(text.n > 2 && text.p[0] == '\\');
}

static bool at_bullet(const struct parser *p)
{
    struct junction junction = VEC_LAST(&p->junctions);
    return is_bullet(p) && op_now(p) == junction.op && tok_now(p)->column == junction.column;
}

static struct node *junction_list(struct parser *p)
{
    const struct tok *bullet = tok_now(p);
    enum op_id op = (enum op_id)bullet->op;
    if (!parse_enter(p, op == OP_AND ? "conjunction list" : "disjunction list")) {
        return parse_error_node(p);
    }
    parse_take(p);
    VEC_PUSH(&p->junctions, ((struct junction){op, bullet->column, bullet->begin}));
    size_t mark = kids_mark(p);
    kid_push(p, parse_expr(p));
    while (!p->panic && at_bullet(p)) {
        parse_take_bullet(p);
        kid_push(p, parse_expr(p));
    }
    (void)VEC_POP(&p->junctions);
    struct node *node = node_make(p, op == OP_AND ? N_CONJ : N_DISJ, bullet->begin, mark);
    node->flags |= NF_BULLETS;
    parse_leave(p);
    return node;
}

/* ---- the expression loop ---- */

bool parse_starts_expr(const struct parser *p)
{
    switch (kind_now(p)) {
    case T_OP:
    case T_IDENT:
    case T_NUMBER:
    case T_STRING:
    case T_STEP:
    case T_STEP_IMPLICIT:
    case T_LPAREN:
    case T_LBRACE:
    case T_LBRACKET:
    case T_LANGLE:
    case T_WF:
    case T_SF:
    case T_CASE:
    case T_CHOOSE:
    case T_EXISTS:
    case T_FORALL:
    case T_TEMPORAL_EXISTS:
    case T_TEMPORAL_FORALL:
    case T_IF:
    case T_LET: return true;
    default: return false;
    }
}

static struct node *primary(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (is_bullet(p)) {
        return junction_list(p);
    }
    switch (kind_now(p)) {
    case T_STRING:
        parse_take(p);
        return node_leaf(p, N_STRING, tok, parse_string_contents(p->node_arena, tok_text(p, tok)));
    case T_NUMBER: return number_expr(p);
    case T_IDENT:
    case T_OP:
    case T_STEP:
    case T_STEP_IMPLICIT: return name_expr(p);
    case T_LPAREN:
    case T_LBRACE:
    case T_LBRACKET:
    case T_LANGLE:
    case T_WF:
    case T_SF: return parse_closed(p);
    default: parse_fail_expected(p, "an expression"); return parse_error_node(p);
    }
}

/* .field binds to whatever lies on top, after a postfix operator there has been applied. */
static void apply_field(struct parser *p)
{
    parse_take(p);
    if (!parse_above_junction(p)) {
        parse_fail_expected(p, "a field name after `.`");
        return;
    }
    const struct node *field = parse_take_field_name(p, "a field name after `.`");
    if (p->panic) {
        return;
    }
    if (VEC_LAST(&p->stack).op != OP_NONE) {
        VEC_PUSH(&p->stack, ((struct elem){0}));
        reduce_postfix(p);
        (void)VEC_POP(&p->stack);
    }
    struct elem record = VEC_POP(&p->stack);
    size_t mark = kids_mark(p);
    kid_push(p, record.node);
    struct node *node = node_make(p, N_DOT, record.begin, mark);
    node->name = field->name;
    node->name_span = field->span;
    push_operand(p, node, record.begin);
}

/* f[a, b]: waits on the stack like a postfix operator. */
static void apply_function(struct parser *p, size_t base)
{
    const struct tok *open = tok_now(p);
    if (!parse_enter(p, "function application")) {
        return;
    }
    parse_take(p);
    if (parse_bound_ahead(p)) {
        parse_fail_expected(
            p, "a function argument (put parentheses around one that begins with `x \\in`)");
    }
    size_t mark = kids_mark(p);
    kid_push(p, &p->hole); /* the function, filled in by unary_node */
    do {
        kid_push(p, parse_expr(p));
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_RBRACKET, "`,` or `]`");
    struct node *node = node_make(p, N_FAPPLY, open->begin, mark);
    parse_leave(p);
    if (p->panic) {
        return;
    }
    p->last_op = OP_APPLY;
    VEC_PUSH(&p->stack, ((struct elem){node, OP_APPLY, open->begin, p->last_end}));
    reduce(p, base);
}

static void postfix_operators(struct parser *p, size_t base)
{
    while (!p->panic && parse_above_junction(p)) {
        enum tok_kind kind = kind_now(p);
        if (kind == T_OP && fix_of(op_now(p)) == FIX_POSTFIX) {
            push_op(p, base);
        } else if (kind == T_DOT) {
            apply_field(p);
        } else if (kind == T_LBRACKET) {
            apply_function(p, base);
        } else {
            return;
        }
    }
}

/* The name and parameters of a label: lab or lab(x, y). A path may lead to the second form, as SANY
 * has it: A!lab(x). NULL when the node is no label. */
static struct node *label_head(struct node *node)
{
    if (node->flags & NF_PAREN) {
        return NULL;
    }
    if (node->kind == N_ID) {
        return node;
    }
    if (node->kind == N_BANG) {
        node = node->kid[1];
    }
    if (node->kind != N_APP || node->kid[0]->kind != N_ID) {
        return NULL;
    }
    for (uint32_t i = 1; i < node->nkid; i++) {
        if (node->kid[i]->kind != N_ID || (node->kid[i]->flags & NF_PAREN)) {
            return NULL;
        }
    }
    return node;
}

/* A label takes in everything to its right, and that must be what its operand would have been
 * without it. */
static void check_label_reach(struct parser *p, size_t base, const struct node *body,
                              struct span label)
{
    bool open = body->kind == N_OP || body->kind == N_FAPPLY ||
                ((body->kind == N_CONJ || body->kind == N_DISJ) && !(body->flags & NF_BULLETS));
    bool prefix =
        body->kind == N_OP && body->nkid == 1 && body->span.begin == body->name_span.begin;
    if (!open || prefix || body->kind == N_FAPPLY || (body->flags & NF_PAREN) ||
        p->stack.n == base) {
        return;
    }
    enum op_id outer = VEC_LAST(&p->stack).op;
    if (outer != OP_NONE && !binds_weaker(outer, p->last_op)) {
        parse_fail(p, DIAG_PARSE_PRECEDENCE, label,
                   "without this label the expression would be parsed differently");
    }
}

static void label(struct parser *p, size_t base)
{
    struct elem top = VEC_LAST(&p->stack);
    struct node *head = top.op == OP_NONE ? label_head(top.node) : NULL;
    if (!head) {
        parse_fail(p, DIAG_PARSE_UNEXPECTED, tok_span(p, tok_now(p)),
                   "`::` must follow a label: a name, or a name with names as parameters");
        return;
    }
    parse_take(p);
    (void)VEC_POP(&p->stack);
    struct node *body = parse_expr(p);
    if (p->panic) {
        return;
    }
    check_label_reach(p, base, body, top.node->span);
    size_t mark = kids_mark(p);
    const struct node *name = head;
    if (head->kind == N_APP) {
        name = head->kid[0];
        for (uint32_t i = 1; i < head->nkid; i++) {
            kid_push(p, head->kid[i]);
        }
    }
    kid_push(p, body);
    struct node *node = node_make(p, N_LABEL, top.begin, mark);
    node->name = name->name;
    node->name_span = name->span;
    push_operand(p, node, top.begin);
}

static bool at_prefix_op(const struct parser *p)
{
    enum op_id op = op_now(p);
    return op == OP_MINUS || (op != OP_NONE && op != OP_NEGATIVE && fix_of(op) == FIX_PREFIX);
}

static void expression_loop(struct parser *p, size_t base)
{
    while (!p->panic) {
        while (!p->panic && at_prefix_op(p) && parse_above_junction(p)) {
            push_op(p, base);
        }
        if (!p->panic && !parse_above_junction(p)) {
            parse_fail_expected(p, "an expression, indented to the right of the bullet,");
        }
        uint32_t begin = tok_now(p)->begin;
        struct node *node = parse_open(p);
        if (node) {
            push_operand(p, node, begin);
            return;
        }
        node = primary(p);
        if (p->panic) {
            return;
        }
        push_operand(p, node, begin);
        postfix_operators(p, base);
        if (p->panic || !parse_above_junction(p)) {
            return;
        }
        if (kind_now(p) == T_COLON_COLON) {
            label(p, base);
            return;
        }
        if (op_now(p) == OP_NONE || !is_infix(op_now(p))) {
            return;
        }
        push_op(p, base);
    }
}

struct node *parse_expr(struct parser *p)
{
    if (!parse_enter(p, NULL)) {
        return parse_error_node(p);
    }
    size_t base = p->stack.n;
    expression_loop(p, base);
    struct node *node = final_reduce(p, base);
    parse_leave(p);
    return node;
}

/* ---- arguments ---- */

static bool ends_argument(const struct parser *p, uint32_t ahead)
{
    switch (parse_kind_at(p, ahead)) {
    case T_COMMA:
    case T_RPAREN:
    case T_DEFBREAK:
    case T_LOCAL:
    case T_INSTANCE:
    case T_THEOREM:
    case T_ASSUME:
    case T_ASSUMPTION:
    case T_END:
    case T_SEPARATOR:
    case T_BEGIN:
    case T_CONSTANT:
    case T_VARIABLE:
    case T_RECURSIVE:
    case T_EOF: return true;
    default: return false;
    }
}

static struct node *lambda(struct parser *p)
{
    uint32_t begin = tok_now(p)->begin;
    if (!parse_enter(p, "LAMBDA")) {
        return parse_error_node(p);
    }
    parse_take(p);
    size_t mark = kids_mark(p);
    do {
        struct node *param = parse_take_ident(p, "a parameter of the LAMBDA");
        param->kind = param->kind == N_ID ? N_OPDECL : param->kind;
        kid_push(p, param);
    } while (parse_accept(p, T_COMMA));
    parse_expect(p, T_COLON, "`,` or `:`");
    kid_push(p, parse_expr(p));
    struct node *node = node_make(p, N_LAMBDA, begin, mark);
    parse_leave(p);
    return node;
}

struct node *parse_op_or_expr(struct parser *p)
{
    const struct tok *tok = tok_now(p);
    if (kind_now(p) == T_OP && ends_argument(p, 1) && parse_above_junction(p)) {
        parse_take(p);
        if (tok->op == OP_TIMES && tok_text(p, tok).p[0] == '\\') {
            parse_fail(p, DIAG_PARSE_UNEXPECTED, tok_span(p, tok),
                       "`\\X` cannot be passed as an operator");
        }
        return parse_symbol_node(p, tok);
    }
    if (kind_now(p) == T_LAMBDA && parse_above_junction(p)) {
        return lambda(p);
    }
    return parse_expr(p);
}
