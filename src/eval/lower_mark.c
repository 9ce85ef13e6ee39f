/* Names of actions: marks where the walk through Next ends, and labels that were asked for. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/lower.h"
#include "eval/lower_act_int.h"
#include "eval/ops.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "value/value.h"

/* ---- marks ---- */

/* Keeps the parameters that TLC gives to the action: those of the operator it is in. */
void lower_tlc_stops(struct spec *spec, struct naming *nm)
{
    nm->ntlc = nm->nown;
    nm->tlc_params = ARENA_ARRAY(spec->arena, const char *, nm->nown + 1);
    nm->tlc_args = ARENA_ARRAY(spec->arena, const struct ex *, nm->nown + 1);
    for (uint32_t i = 0; i < nm->nown; i++) {
        nm->tlc_params[i] = nm->params.v[i];
        nm->tlc_args[i] = nm->args.v[i];
    }
}

struct act *lower_mark_new(struct ac ac, const struct node *node, const struct act *body,
                           enum act_op op)
{
    struct spec *spec = ac.lc.spec;
    struct naming *nm = ac.naming;
    struct action_site site = {0};
    site.node = node;
    site.pub.name = nm->name;
    site.pub.place = ev_mplace(spec, node);
    site.pub.tlc_name = nm->tlc_node ? nm->tlc_name : nm->unnamed ? "Action" : nm->name;
    site.pub.tlc_place = nm->tlc_node ? ev_mplace(spec, nm->tlc_node) : site.pub.place;
    site.nargs = site.pub.nparam = (uint32_t)nm->args.n;
    site.args = ARENA_ARRAY(spec->arena, const struct ex *, nm->args.n + 1);
    const char **params = ARENA_ARRAY(spec->arena, const char *, nm->args.n + 1);
    for (size_t i = 0; i < nm->args.n; i++) {
        site.args[i] = nm->args.v[i];
        params[i] = nm->params.v[i];
    }
    site.pub.params = params;
    if (!nm->tlc_node) {
        lower_tlc_stops(spec, nm);
    }
    site.ntlc = nm->ntlc;
    site.tlc_params = nm->tlc_params;
    site.tlc_args = nm->tlc_args;
    struct act *a = act_new1(ac, op, node, body);
    a->var = site.outer = (uint32_t)spec->sites.n;
    VEC_PUSH(&spec->sites, site);
    return a;
}

const struct act *lower_mark(struct ac ac, const struct node *node, const struct act *body)
{
    return lower_mark_new(ac, node, body, ACT_MARK);
}

/* ---- labels inside actions ---- */

bool lower_is_label(const struct spec *spec, const struct def *def)
{
    for (size_t i = 0; def && i < spec->options.nlabel; i++) {
        if (str_eq(spec->options.labels[i], def->name)) {
            return true;
        }
    }
    return false;
}

/* Ends the naming walk: what follows belongs to one action, but for labels that were asked for. */
const struct act *lower_leaf(struct ac ac, const struct node *node,
                             const struct act *(*fn)(struct ac, const struct node *))
{
    struct spec *spec = ac.lc.spec;
    struct ac inner = ac;
    size_t first = spec->sites.n;
    inner.naming = NULL;
    if (ac.naming) {
        bool look = spec->options.nlabel != 0 && !lower_is_label(spec, ac.naming->def);
        inner.around = look ? ac.naming : NULL;
    }
    const struct act *body = fn(inner, node);
    if (!ac.naming) {
        return body;
    }
    const struct act *marked = lower_mark(ac, node, body);
    for (size_t i = first; i + 1 < spec->sites.n; i++) {
        spec->sites.v[i].outer = marked->var;
    }
    return marked;
}

/* Two parts of a conjunction that both have labels: a step would have two names. */
void lower_check_labels(struct ac ac, const struct node *node, size_t first, size_t second)
{
    const struct spec *spec = ac.lc.spec;
    if (ac.around && first < second && second < spec->sites.n) {
        spec_fail(ac.lc.spec, 0, 151, node,
                  "One step can be both %s and %s here: the mapping can have only one of them in "
                  "[actions].",
                  spec->sites.v[first].pub.name, spec->sites.v[second].pub.name);
    }
}
