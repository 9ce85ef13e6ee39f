/* Which operators name the steps of a next-state relation.
 *
 * The evaluator goes through disjunctions, quantifiers and operators, and the operator entered last
 * names the step. A conjunction ends that: of `\E i \in Server : Timeout(i) /\ History` the steps
 * belong to Next. Here the operators inside such conjunctions are looked for: where the conjunction
 * stands in the next-state relation itself, or in an operator without parameters that only
 * distributes (several actions stand below it). Of several conjuncts the one that sets the most
 * variables is the action, the others are bookkeeping. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "sem/sem.h"
#include "sketch/sketch.h"
#include "sketch/sketch_int.h"
#include "syntax/ast.h"

enum { LABEL_DEPTH = 40, PRIME_DEPTH = 8 };

struct labels {
    struct arena *arena;
    VEC(const struct def *) v;
    VEC(const struct def *) around; /* of v, one for each; */
    VEC(const struct def *) beside; /* conjuncts that are not the action: bookkeeping */
};

static void labels_done(struct labels *labels)
{
    VEC_DONE(&labels->v);
    VEC_DONE(&labels->around);
    VEC_DONE(&labels->beside);
}

/* An operator of the specification that is an action, named by this node; or NULL. */
static const struct def *action_def(const struct node *node)
{
    const struct node *callee = node->kind == N_APP ? node->kid[0] : node;
    if (callee->kind != N_ID || callee->ref == NULL) {
        return NULL;
    }
    const struct def *def = callee->ref;
    return def->kind == DEF_OP && def->level == LEVEL_ACTION && def->body != NULL &&
                   def->orig == NULL && !def->is_fcn && !def->module->builtin
               ? def
               : NULL;
}

static const struct node *last_kid(const struct node *node)
{
    return node->nkid != 0 ? node->kid[node->nkid - 1] : NULL;
}

/* Variables that are set below a node: primes, each place once. */
static size_t count_primes(const struct node *node, unsigned depth)
{
    size_t n = node->kind == N_OP && str_is(node->name, "'") ? 1 : 0;
    const struct def *def = depth < PRIME_DEPTH ? action_def(node) : NULL;
    n += def != NULL ? count_primes(def->body, depth + 1) : 0;
    for (uint32_t i = 0; i < node->nkid && node->kid[i] != NULL; i++) {
        n += count_primes(node->kid[i], depth);
    }
    return n;
}

static void look(const struct node *node, struct labels *found, unsigned depth);

/* Of the conjuncts that have actions in them, the one that sets the most. */
static void look_conj(const struct node *node, struct labels *found, unsigned depth)
{
    const struct node *best = NULL;
    size_t most = 0;
    for (uint32_t i = 0; i < node->nkid; i++) {
        struct labels some = {.arena = found->arena};
        look(node->kid[i], &some, depth + 1);
        size_t n = count_primes(node->kid[i], 0);
        if (some.v.n != 0 && (best == NULL || n > most)) {
            best = node->kid[i];
            most = n;
        }
        labels_done(&some);
    }
    for (uint32_t i = 0; best != NULL && i < node->nkid; i++) {
        struct labels some = {.arena = found->arena};
        look(node->kid[i], node->kid[i] == best ? found : &some, depth + 1);
        for (size_t k = 0; k < some.v.n; k++) {
            VEC_PUSH(&found->beside, some.v.v[k]);
        }
        labels_done(&some);
    }
}

/* Actions inside a part of a conjunction. */
static void look(const struct node *node, struct labels *found, unsigned depth)
{
    const struct def *def = action_def(node);
    if (depth > LABEL_DEPTH) {
        return;
    }
    if (def != NULL) {
        size_t before = found->v.n;
        const struct node *body = def->body;
        while (body->kind == N_EXISTS || body->kind == N_LET) {
            body = last_kid(body);
        }
        if (def->in_let || (body->kind == N_DISJ && def->arity == 0)) {
            look(body, found, depth + 1); /* it only distributes */
        }
        if (found->v.n == before && !def->in_let) {
            VEC_PUSH(&found->v, def);
        }
        return;
    }
    switch (node->kind) {
    case N_CONJ: look_conj(node, found, depth); break;
    case N_EXISTS:
    case N_LET: look(last_kid(node), found, depth + 1); break;
    case N_DISJ:
    case N_IF:
    case N_CASE:
    case N_ARM:
    case N_OTHER:
        for (uint32_t i = node->kind == N_IF || node->kind == N_ARM ? 1 : 0; i < node->nkid; i++) {
            if (node->kid[i] != NULL) {
                look(node->kid[i], found, depth + 1);
            }
        }
        break;
    default: break;
    }
}

/* As the evaluator names steps. `around` is the operator entered last, NULL at the top. */
static void name(const struct node *node, const struct def *around, struct labels *found,
                 unsigned depth)
{
    const struct def *def = action_def(node);
    if (depth > LABEL_DEPTH) {
        return;
    }
    if (def != NULL) {
        name(def->body, def, found, depth + 1);
        return;
    }
    if (node->kind == N_EXISTS || node->kind == N_LET) {
        name(last_kid(node), around, found, depth + 1);
        return;
    }
    if (node->kind == N_DISJ) {
        for (uint32_t i = 0; i < node->nkid; i++) {
            name(node->kid[i], around, found, depth + 1);
        }
        return;
    }
    struct labels some = {.arena = found->arena};
    look(node, &some, depth + 1);
    if (around == NULL || (around->arity == 0 && some.v.n > 1)) {
        for (size_t i = 0; i < some.v.n; i++) {
            VEC_PUSH(&found->v, some.v.v[i]);
            VEC_PUSH(&found->around, around);
        }
        for (size_t i = 0; i < some.beside.n; i++) {
            VEC_PUSH(&found->beside, some.beside.v[i]);
        }
    }
    labels_done(&some);
}

/* Whether the i-th comes for the first time, and is nowhere mere bookkeeping. */
static bool is_label(const struct labels *found, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (found->v.v[k] == found->v.v[i]) {
            return false;
        }
    }
    for (size_t k = 0; k < found->beside.n; k++) {
        if (found->beside.v[k] == found->v.v[i]) {
            return false;
        }
    }
    return true;
}

/* The next-state relation of a formula: what stands in [Next]_vars. */
static const struct node *find_next(const struct node *node, unsigned depth)
{
    const struct def *def = NULL;
    if (node == NULL || depth > LABEL_DEPTH) {
        return NULL;
    }
    if (node->kind == N_BOXACT) {
        return node->kid[0];
    }
    if (node->kind == N_ID && node->ref != NULL) {
        def = node->ref;
    }
    if (def != NULL && def->kind == DEF_OP && def->body != NULL && !def->is_fcn) {
        return find_next(def->body, depth + 1);
    }
    for (uint32_t i = 0; i < node->nkid; i++) {
        const struct node *found = find_next(node->kid[i], depth + 1);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

void sketch_labels(const struct program *program, const struct config *config, struct arena *arena,
                   struct sketch_labels *ret)
{
    bool plain = config->next.name.n != 0;
    const struct def *def =
        program_lookup(program, plain ? config->next.name : config->specification.name);
    const struct node *next = def == NULL || def->body == NULL ? NULL : def->body;
    struct labels found = {.arena = arena};
    next = plain ? next : find_next(next, 0);
    /* Next itself is no name worth keeping. */
    const struct def *itself = next != NULL && !plain ? action_def(next) : NULL;
    if (next != NULL) {
        name(itself != NULL ? itself->body : next, NULL, &found, 0);
    }
    const struct def *top = itself != NULL ? itself : def;
    *ret = (struct sketch_labels){.names = ARENA_ARRAY(arena, struct str, found.v.n + 1),
                                  .around = ARENA_ARRAY(arena, struct str, found.v.n + 1)};
    for (size_t i = 0; i < found.v.n; i++) {
        if (is_label(&found, i)) {
            const struct def *around = found.around.v[i];
            ret->names[ret->n++] = found.v.v[i]->name;
            ret->around[ret->n_around++] = around != NULL ? around->name : top->name;
        }
    }
    labels_done(&found);
}
