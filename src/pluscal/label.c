/* Labels: where one is missing it is added, and statements are put together under their labels.
 *
 * A label is needed where control must be able to come back (while), behind what leaves (call,
 * return, goto, and a branch that has a label inside), and before a second assignment to the same
 * variable. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

/* ---- adding labels ---- */
static void need_label(struct pcal *p, struct node *node)
{
    if (node->lbl.n > 0) {
        return;
    }
    struct str label;
    do {
        label = str_of(
            arena_printf(p->arena, "%.*s%d", STR_ARG(p->options->label_root), p->next_label));
        p->next_label++;
    } while (pcal_strs_has(&p->labels, label));
    node->lbl = label;
    AVEC_PUSH(p->arena, &p->added, label);
    AVEC_PUSH(p->arena, &p->added_places, str_of(pcal_node_place(p->arena, node)));
}

static bool disjoint(const struct strs *a, const struct strs *b)
{
    for (size_t i = 0; i < b->n; i++) {
        if (pcal_strs_has(a, b->v[i])) {
            return false;
        }
    }
    return true;
}

static void strs_add_all(struct pcal *p, struct strs *to, const struct strs *more)
{
    for (size_t i = 0; i < more->n; i++) {
        if (!pcal_strs_has(to, more->v[i])) {
            AVEC_PUSH(p->arena, to, more->v[i]);
        }
    }
}

static struct strs strs_copy(struct pcal *p, const struct strs *from)
{
    struct strs to = {0};
    for (size_t i = 0; i < from->n; i++) {
        AVEC_PUSH(p->arena, &to, from->v[i]);
    }
    return to;
}

/* A walk along a sequence of statements. */
struct walk {
    struct strs before;   /* variables assigned since the last label, where the sequence begins */
    struct strs assigned; /* ... and now */
    bool in_with;
    bool labelled; /* a label was there, or was added */
    bool next;     /* the next statement needs one */
};

static bool add_labels(struct pcal *p, struct nodes *statements, struct walk *w);

static void label_here(struct pcal *p, struct walk *w, struct node *node)
{
    need_label(p, node);
    w->labelled = true;
    w->assigned.n = 0;
}

/* Walks a part of a statement from where w is. */
static bool branch(struct pcal *p, const struct walk *w, struct nodes *body, struct strs *all)
{
    struct walk inner = {.before = strs_copy(p, &w->assigned), .in_with = w->in_with};
    bool needs = add_labels(p, body, &inner);
    strs_add_all(p, all, &inner.assigned);
    return needs;
}

/* Variables that a statement assigns, all at once. `why` is the error inside of a with. */
static void assigns(struct pcal *p, struct walk *w, struct node *node, const struct strs *vars,
                    const char *why)
{
    if (disjoint(&w->assigned, vars)) {
        strs_add_all(p, &w->assigned, vars);
        return;
    }
    if (w->in_with) {
        pcal_fail(p, node, "%s", why);
        return;
    }
    need_label(p, node);
    w->labelled = true;
    w->assigned = strs_copy(p, vars);
}

static void walk_with(struct pcal *p, struct walk *w, struct node *node)
{
    struct walk inner = {.in_with = true};
    if (w->in_with) {
        inner.before = strs_copy(p, &w->before);
    }
    w->next = add_labels(p, node->body, &inner);
    w->assigned = inner.assigned;
    if (!w->in_with && !disjoint(&w->before, &w->assigned)) {
        label_here(p, w, node);
    }
}

static void walk_while(struct pcal *p, struct walk *w, struct node *node)
{
    if (w->in_with) {
        pcal_fail(p, node, "`while' inside a `with' statement");
        return;
    }
    label_here(p, w, node);
    struct strs unused = {0};
    (void)branch(p, w, node->body, &unused);
    w->next = false;
}

static void walk_assign(struct pcal *p, struct walk *w, struct node *node)
{
    struct strs vars = {0};
    for (size_t i = 0; i < node->body->n; i++) {
        if (!pcal_strs_has(&vars, node->body->v[i]->name)) {
            AVEC_PUSH(p->arena, &vars, node->body->v[i]->name);
        }
    }
    w->next = false;
    assigns(p, w, node, &vars, "Second assignment to same variable inside a `with' statement");
}

/* Everything else: calls and returns assign the stack, and may assign what procedures declare. */
static void walk_simple(struct pcal *p, struct walk *w, struct node *node)
{
    bool returns = node->kind == RETURN || node->kind == CALL_RETURN;
    bool calls = node->kind == CALL || node->kind == CALL_GOTO;
    bool own = calls && p->procedure.p != NULL && str_eq(node->name, p->procedure);
    struct strs vars = {0};
    w->next = calls || returns || node->kind == GOTO;
    if (calls || returns) {
        AVEC_PUSH(p->arena, &vars, STR("stack"));
    }
    for (size_t i = 0; (returns || own) && i < p->procedures->n; i++) {
        const struct node *unit = p->procedures->v[i];
        for (size_t k = 0; k < unit->params->n; k++) {
            AVEC_PUSH(p->arena, &vars, unit->params->v[k]->name);
        }
        for (size_t k = 0; k < unit->decls->n; k++) {
            AVEC_PUSH(p->arena, &vars, unit->decls->v[k]->name);
        }
    }
    assigns(p, w, node, &vars,
            "Call or return makes second assignment to a variable inside a `with' statement");
}

static void walk_branches(struct pcal *p, struct walk *w, struct node *node)
{
    struct strs all = {0};
    bool next = false;
    if (node->kind == LABEL_IF) {
        next = branch(p, w, node->body, &all);
        next = branch(p, w, node->other, &all) || next;
    } else {
        for (size_t i = 0; i < node->body->n; i++) {
            next = branch(p, w, node->body->v[i]->body, &all) || next;
        }
    }
    w->next = next;
    w->assigned = all;
}

static void walk_one(struct pcal *p, struct walk *w, struct node *node)
{
    if (node->lbl.n > 0) {
        w->labelled = true;
        w->assigned.n = 0;
        if (w->in_with) {
            pcal_fail(p, node, "Label in `with' statement");
        }
    }
    if (w->next) {
        if (w->in_with) {
            pcal_fail(p, node, "Statement follows `call' or `return' inside a `with' statement.");
        }
        label_here(p, w, node);
        w->next = false;
    }
    switch (node->kind) {
    case LABEL_IF:
    case LABEL_EITHER: walk_branches(p, w, node); break;
    case WHILE: walk_while(p, w, node); break;
    case WITH: walk_with(p, w, node); break;
    case ASSIGN: walk_assign(p, w, node); break;
    default: walk_simple(p, w, node); break;
    }
}

/* Whether what follows the sequence needs a label. */
static bool add_labels(struct pcal *p, struct nodes *statements, struct walk *w)
{
    w->assigned = strs_copy(p, &w->before);
    for (size_t i = 0; i < statements->n && !p->failed; i++) {
        walk_one(p, w, statements->v[i]);
    }
    return w->labelled || w->next;
}

void pcal_label_add(struct pcal *p, struct nodes *statements)
{
    struct walk w = {.next = true};
    (void)add_labels(p, statements, &w);
}

/* ---- grouping ---- */
static struct nodes *group(struct pcal *p, const struct nodes *statements, size_t from);

/* Takes the statements from the first label on out of a sequence, grouped by their labels. */
static struct nodes *split(struct pcal *p, struct nodes **sequence)
{
    const struct nodes *all = *sequence;
    struct nodes *head = pcal_nodes_new(p->arena);
    size_t n = 0;
    while (n < all->n && all->v[n]->lbl.n == 0) {
        pcal_nodes_push(p->arena, head, all->v[n++]);
    }
    *sequence = head;
    return group(p, all, n);
}

static void group_inside(struct pcal *p, struct nodes *statements)
{
    for (size_t i = 0; i < statements->n; i++) {
        struct node *node = statements->v[i];
        if (node->kind == LABEL_IF || node->kind == WHILE) {
            node->lab_body = split(p, &node->body);
            group_inside(p, node->body);
        }
        if (node->kind == LABEL_IF) {
            node->lab_other = split(p, &node->other);
            group_inside(p, node->other);
        }
        for (size_t j = 0; node->kind == LABEL_EITHER && j < node->body->n; j++) {
            struct node *clause = node->body->v[j];
            clause->lab_body = split(p, &clause->body);
            group_inside(p, clause->body);
        }
    }
}

static struct nodes *group(struct pcal *p, const struct nodes *statements, size_t from)
{
    struct nodes *out = pcal_nodes_new(p->arena);
    for (size_t i = from; i < statements->n;) {
        const struct node *first = statements->v[i];
        struct node *labeled = pcal_node_new(p->arena, LABELED);
        labeled->line = first->line;
        labeled->col = first->col;
        labeled->macro_line = first->macro_line;
        labeled->macro_col = first->macro_col;
        labeled->name = first->lbl;
        labeled->body = pcal_nodes_new(p->arena);
        do {
            pcal_nodes_push(p->arena, labeled->body, statements->v[i++]);
        } while (i < statements->n && statements->v[i]->lbl.n == 0);
        group_inside(p, labeled->body);
        pcal_nodes_push(p->arena, out, labeled);
    }
    return out;
}

/* ---- what has labels inside, and what leaves ---- */
enum leaving { PLAIN, LEAVES, HAS_LABELS };

static enum leaving classify(struct pcal *p, struct nodes *statements);

static void classify_labeled(struct pcal *p, const struct nodes *labeled)
{
    for (size_t i = 0; i < labeled->n && !p->failed; i++) {
        (void)classify(p, labeled->v[i]->body);
    }
}

static enum leaving classify_part(struct pcal *p, struct nodes *body, const struct nodes *labeled)
{
    enum leaving found = classify(p, body);
    if (labeled->n > 0) {
        classify_labeled(p, labeled);
        return HAS_LABELS;
    }
    return found;
}

/* An if or either without labels inside becomes the simpler kind of node; its place is lost. */
static struct node *simpler(struct pcal *p, const struct node *node)
{
    struct node *copy = pcal_node_new(p->arena, node->kind == LABEL_IF ? IF : EITHER);
    copy->expr = node->expr;
    if (node->kind == LABEL_IF) {
        copy->body = node->body;
        copy->other = node->other;
        return copy;
    }
    copy->body = pcal_nodes_new(p->arena);
    for (size_t i = 0; i < node->body->n; i++) {
        struct node *clause = pcal_node_new(p->arena, CLAUSE);
        clause->body = node->body->v[i]->body;
        pcal_nodes_push(p->arena, copy->body, clause);
    }
    return copy;
}

static enum leaving classify_branches(struct pcal *p, struct node **place)
{
    struct node *node = *place;
    enum leaving found = PLAIN;
    if (node->kind == LABEL_IF) {
        enum leaving other;
        found = classify_part(p, node->body, node->lab_body);
        other = classify_part(p, node->other, node->lab_other);
        found = other > found ? other : found;
    } else {
        for (size_t i = 0; i < node->body->n && !p->failed; i++) {
            struct node *clause = node->body->v[i];
            enum leaving one = classify_part(p, clause->body, clause->lab_body);
            found = one > found ? one : found;
        }
    }
    if (found < HAS_LABELS) {
        *place = simpler(p, node);
    }
    return found;
}

static enum leaving classify_one(struct pcal *p, const struct nodes *statements, size_t i)
{
    struct node *node = statements->v[i];
    enum leaving found = PLAIN;
    switch (node->kind) {
    case LABEL_IF:
    case LABEL_EITHER: return classify_branches(p, &statements->v[i]);
    case WITH:
        found = classify(p, node->body);
        if (found == HAS_LABELS) {
            pcal_fail(p, NULL, "with statement at %s contains a labeled statement",
                      pcal_node_place(p->arena, node));
        }
        return found;
    case WHILE:
        if (i != 0) {
            pcal_bug(p, "ParseAlgorithm.ClassifyStmtSeq encountered `while' not at beginning of "
                        "StmtSeq");
        }
        (void)classify(p, node->body);
        classify_labeled(p, node->lab_body);
        return PLAIN;
    case CALL:
        return i + 1 < statements->n && statements->v[i + 1]->kind == RETURN ? PLAIN : LEAVES;
    case RETURN:
    case CALL_RETURN:
        if (p->procedure.p == NULL) {
            pcal_fail(p, NULL, "return statement not in a procedure at %s",
                      pcal_node_place(p->arena, node));
        }
        return LEAVES;
    case GOTO:
    case CALL_GOTO: return LEAVES;
    default: return PLAIN;
    }
}

static enum leaving classify(struct pcal *p, struct nodes *statements)
{
    for (size_t i = 0; i < statements->n && !p->failed; i++) {
        enum leaving found = classify_one(p, statements, i);
        if (found != PLAIN && i + 1 < statements->n) {
            pcal_bug(p, arena_printf(p->arena,
                                     "Translator discovered later than it should have  that\n"
                                     "  Statement at %s must have a label",
                                     pcal_node_place(p->arena, statements->v[i + 1])));
        }
        if (found != PLAIN) {
            return found;
        }
    }
    return PLAIN;
}

struct nodes *pcal_label_group(struct pcal *p, struct nodes *statements)
{
    if (p->failed) {
        return statements;
    }
    struct nodes *labeled = group(p, statements, 0);
    classify_labeled(p, labeled);
    return labeled;
}

/* ---- can pc be left out? ---- */
/* The body of an algorithm that does the same for ever: one label, in front of `while TRUE`. */
static const struct node *endless_loop(const struct nodes *body)
{
    const struct nodes *statements = body->n == 1 ? body->v[0]->body : NULL;
    if (statements == NULL || statements->n != 1 || statements->v[0]->kind != WHILE) {
        return NULL;
    }
    const struct node *loop = statements->v[0];
    bool one = loop->expr->n == 1 && loop->expr->v[0]->n == 1;
    return one && str_is(loop->expr->v[0]->v[0]->text, "TRUE") ? loop : NULL;
}

void pcal_label_check_body(struct pcal *p, const struct nodes *body)
{
    if (body->n == 0) {
        return;
    }
    const struct node *loop = endless_loop(body);
    if (loop == NULL) {
        p->omit_pc = p->omit_stuttering = false;
        return;
    }
    if (loop->lab_body->n > 0) {
        p->omit_pc = false;
    }
    for (size_t i = 0; i < loop->body->n; i++) {
        enum node_kind kind = loop->body->v[i]->kind;
        if (kind == LABEL_IF || kind == LABEL_EITHER) {
            p->omit_pc = false;
        }
    }
}
