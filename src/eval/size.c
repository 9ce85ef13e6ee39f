/* How large operators become when they are inlined, and which may become functions instead.
 *
 * Inlining everything makes code that grows exponentially with the nesting of operators. So the
 * size of a definition is counted with all that would be inlined into it, once for each definition;
 * above a bound it is lowered once, as a function, and the calls refer to it. Both are linear in
 * the size of the specification.
 *
 * The facts are those of the text, without substitutions: a bound need not be exact. */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "eval/code.h"
#include "eval/lower.h"
#include "sem/sem.h"
#include "syntax/ast.h"

#define OWN_MAX    80    /* nodes of the text of an operator that is inlined */
#define GROWN_MAX  400   /* ... with all that is inlined into it */
#define LET_MAX    20000 /* the same of an operator of LET: what it uses around it must be passed */
#define SIZE_LIMIT 100000

struct def_facts {
    uint32_t own;      /* nodes of the body */
    uint32_t grown;    /* with what is inlined */
    bool primes_param; /* a parameter may be primed: it must stay a name */
};

static const struct def_facts *facts_of(struct spec *spec, const struct def *def);

/* What is lowered for a name. */
static const struct def *meaning(const struct spec *spec, const struct def *def)
{
    for (int steps = 0; steps < 1000; steps++) {
        uint64_t p;
        const struct def_override *o = NULL;
        if (u64map_get(&spec->overrides, (uint64_t)(uintptr_t)def, &p)) {
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored by spec_config.c */
            o = (const struct def_override *)(uintptr_t)p;
        }
        if (o && !o->def) {
            return NULL; /* a value */
        }
        if (o) {
            def = o->def;
        } else if (def->orig) {
            def = def->orig;
        } else {
            return def;
        }
    }
    return NULL;
}

/* An operator with a body that is not written in C. */
static bool has_text(const struct spec *spec, const struct def *def)
{
    return def && def->kind == DEF_OP && def->body && !native_of_def(spec, def);
}

static bool by_itself(const struct def *def, const struct def_facts *facts)
{
    bool large =
        def->in_let ? facts->grown > LET_MAX : facts->own > OWN_MAX || facts->grown > GROWN_MAX;
    return large && !(def->arity > 0 && facts->primes_param);
}

/* Nodes that a reference to the definition adds. */
static uint32_t size_at_use(struct spec *spec, const struct def *ref)
{
    const struct def *def = meaning(spec, ref);
    if (!has_text(spec, def) || def->recursive) {
        return 0;
    }
    if (def->arity == 0 && (def->in_let || def->level == LEVEL_CONSTANT)) {
        return 0; /* a slot, or a cell */
    }
    const struct def_facts *facts = facts_of(spec, def);
    return by_itself(def, facts) ? 0 : facts->grown;
}

static bool is_name_node(const struct node *node)
{
    return node->kind == N_ID || node->kind == N_OP || node->kind == N_BANG;
}

struct count {
    struct spec *spec;
    struct def_facts *facts;
};

static void add(uint32_t *n, uint32_t more)
{
    *n = *n + more < SIZE_LIMIT ? *n + more : SIZE_LIMIT;
}

/* `primed`: below a prime, or where one is meant. */
static void count_node(struct count *c, const struct node *node, bool primed)
{
    const struct def *ref = is_name_node(node) ? node->ref : NULL;
    bool op = ref && ref->kind == DEF_BUILTIN;
    add(&c->facts->own, 1);
    add(&c->facts->grown, 1);
    if (ref && ref->kind == DEF_OP) {
        const struct def *def = meaning(c->spec, ref);
        bool other = has_text(c->spec, def) && !def->in_let && def->arity > 0;
        c->facts->primes_param |= other && facts_of(c->spec, def)->primes_param;
        c->facts->primes_param |= primed && ref->in_let;
        add(&c->facts->grown, size_at_use(c->spec, ref));
    }
    c->facts->primes_param |= ref && primed && ref->kind == DEF_PARAM;
    c->facts->primes_param |= op && lower_is_builtin(ref, "\\cdot");
    primed |= op && (lower_is_builtin(ref, "'") || lower_is_builtin(ref, "UNCHANGED"));
    bool subscripted = node->kind == N_BOXACT || node->kind == N_ANGLEACT;
    for (uint32_t i = 0; i < node->nkid; i++) {
        count_node(c, node->kid[i], primed || (subscripted && i > 0));
    }
}

static const struct def_facts *facts_of(struct spec *spec, const struct def *def)
{
    uint64_t found;
    if (u64map_get(&spec->def_facts, (uint64_t)(uintptr_t)def, &found)) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): stored below */
        return (const struct def_facts *)(uintptr_t)found;
    }
    struct def_facts *facts = ARENA_NEW(spec->arena, struct def_facts);
    u64map_put(&spec->def_facts, (uint64_t)(uintptr_t)def, (uint64_t)(uintptr_t)facts);
    struct count c = {spec, facts};
    count_node(&c, def->body, false);
    return facts;
}

bool lower_takes_values(struct spec *spec, const struct def *def)
{
    return !facts_of(spec, def)->primes_param;
}

bool lower_by_itself(struct spec *spec, const struct def *def)
{
    return by_itself(def, facts_of(spec, def));
}
