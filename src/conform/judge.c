/* Whether a property is false of what was observed.
 *
 * After a step that agreed with the specification, what was observed is kept as a state: each
 * variable in full, at some nodes only (the others are down, or have shown nothing), or not at all.
 * A property is then evaluated on that state. Where it asks for what nobody has seen, nothing is
 * decided: the specification's value would only confirm itself. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "value/value.h"

/* ---- keeping ---- */

struct building {
    struct conform *c;
    struct val *observed;
    struct val network; /* VAL_UNDEF: not observed */
    struct seen_state *to;
};

/* One value of a variable: how much of it was seen; of a part, at which keys. */
struct sight {
    enum seen_how how;
    struct val value, known;
};

static struct sight see_nodes(struct vctx *ctx, const struct building *b, size_t observe,
                              struct val spec)
{
    const struct conform *c = b->c;
    struct sight s = {SEEN_NOT, spec, VAL_UNDEF};
    struct val *keys = arena_alloc(ctx->arena, (c->who.n_nodes + 1) * sizeof *keys);
    size_t n = 0;
    for (size_t k = 0; k < c->who.n_nodes; k++) {
        struct val v = *observed_at(c, b->observed, observe, k);
        if (!val_is_undef(v)) {
            s.value = fcn_update(ctx, s.value, c->who.nodes[k].value, v);
            keys[n++] = c->who.nodes[k].value;
        }
    }
    s.known = set_make(ctx, keys, n);
    if (n != 0) {
        bool all = set_subseteq(ctx, fcn_domain(ctx, s.value), s.known);
        s.how = all ? SEEN_ALL : SEEN_PARTLY;
    }
    return s;
}

static struct sight see(struct vctx *ctx, const struct building *b, uint32_t var, const char *name,
                        struct val spec)
{
    const struct conform *c = b->c;
    if ((int)var == c->net.var && !val_is_undef(b->network)) {
        return (struct sight){SEEN_ALL, b->network, VAL_UNDEF};
    }
    for (size_t i = 0; i < c->map->n_observes; i++) {
        const struct map_observe *o = &c->map->observes[i];
        if (!o->compare || o->spec != NULL || !str_is(o->name, name)) {
            continue;
        }
        if (o->per_node) {
            return see_nodes(ctx, b, i, spec);
        }
        struct val v = *observed_at(c, b->observed, i, 0);
        return val_is_undef(v) ? (struct sight){SEEN_NOT, spec, VAL_UNDEF}
                               : (struct sight){SEEN_ALL, v, VAL_UNDEF};
    }
    return (struct sight){SEEN_NOT, spec, VAL_UNDEF};
}

/* The bytes: of each variable that was seen its value; of one that was seen in part also the keys.
 */
static void run_keep(struct vctx *ctx, void *arg)
{
    const struct building *b = arg;
    struct conform *c = b->c;
    struct mvalues values;
    int status = c->spec.model->ops->values(c->spec.after, false, &values);
    ASSERT(status == MODEL_OK);
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        for (uint32_t k = 0; k < values.n; k++) {
            if (strcmp(values.names[k], c->spec.model->vars[i]) != 0) {
                continue;
            }
            struct sight s = see(ctx, b, k, values.names[k], values.vals[k]);
            b->to->how[i] = s.how;
            if (s.how != SEEN_NOT) {
                val_encode(ctx, s.value, &b->to->bytes);
            }
            if (s.how == SEEN_PARTLY) {
                val_encode(ctx, s.known, &b->to->bytes);
            }
        }
    }
}

int judge_keep(struct conform *c, struct val *observed)
{
    struct seen_state old = c->see.state0;
    c->see.state0 = c->see.state;
    c->see.state = old;
    if (c->see.state.how == NULL) {
        c->see.state.how = ARENA_ARRAY(&c->arena, enum seen_how, c->spec.model->nvar + 1);
    }
    strbuf_reset(&c->see.state.bytes);
    struct building b = {c, observed, VAL_UNDEF, &c->see.state};
    int status = 0;
    if (c->net.observe) {
        status = network_value(c, c->net.udp ? ENGINE_PACKETS : ENGINE_TCP, &b.network);
    }
    return status != 0 ? status : run_values(c, run_keep, &b);
}

/* ---- judging ---- */

struct recalling {
    const struct conform *c;
    const struct seen_state *from;
    struct val *vals, *known; /* [nvar] */
};

static void run_recall(struct vctx *ctx, void *arg)
{
    struct recalling *r = arg;
    const uint8_t *at = (const uint8_t *)r->from->bytes.p, *end = at + r->from->bytes.n;
    for (uint32_t i = 0; i < r->c->spec.model->nvar; i++) {
        r->vals[i] = r->known[i] = VAL_UNDEF;
        bool good = r->from->how[i] == SEEN_NOT || val_decode(ctx, &at, end, &r->vals[i]);
        if (good && r->from->how[i] == SEEN_PARTLY) {
            good = val_decode(ctx, &at, end, &r->known[i]);
            r->vals[i] = fcn_partly(ctx, r->vals[i], r->known[i], MODEL_NO_VALUE);
        }
        ASSERT(good);
    }
}

struct telling {
    struct conform *c;
    struct val vals, known;
    struct strbuf *out;
};

/* Of a variable that was seen in part: at which keys it was not. */
static void run_tell(struct vctx *ctx, void *arg)
{
    struct telling *t = arg;
    const struct vobj *keys = val_obj(set_force(ctx, fcn_domain(ctx, t->vals)));
    const char *comma = " ";
    for (uint32_t i = 0; i < keys->n; i++) {
        if (!set_member(ctx, keys->v[i], t->known)) {
            strbuf_printf(t->out, "%s%s", comma, val_line(ctx, keys->v[i]));
            comma = ", ";
        }
    }
}

/* How much of a variable was seen in both states, or in the one that matters. */
static int tell_read(struct conform *c, uint32_t var, const struct recalling *state,
                     struct property_read *read)
{
    SCOPED_STRBUF text = {0};
    enum seen_how how = state->from->how[var];
    int status = 0;
    read->how = how < read->how ? how : read->how;
    if (how == SEEN_PARTLY) {
        struct telling t = {c, state->vals[var], state->known[var], &text};
        strbuf_adds(&text, "not observed at");
        status = run_values(c, run_tell, &t);
    } else {
        strbuf_adds(&text, how == SEEN_ALL ? "observed" : "not observed");
    }
    if (how == read->how) {
        read->text = arena_strndup(&c->arena, strbuf_cstr(&text), text.n);
    }
    return status;
}

static int tell_reads(struct conform *c, const struct property_reads *reads,
                      const struct recalling *states, struct walk_result *r)
{
    const bool *lists[2] = {reads->now, reads->next};
    int status = 0;
    VEC_RESET(&r->reads);
    for (uint32_t i = 0; status == 0 && i < c->spec.model->nvar; i++) {
        struct property_read read = {c->spec.model->vars[i], SEEN_ALL, NULL};
        for (int k = 0; status == 0 && k < 2; k++) {
            status = lists[k][i] ? tell_read(c, i, &states[k], &read) : 0;
        }
        if (read.text != NULL) {
            VEC_PUSH(&r->reads, read);
        }
    }
    return status;
}

/* [A]_<<x, y>> is false when A is false and x has changed, whatever y did: a variable that only
 * stands in the subscript and was not seen is taken for unchanged. */
static bool in_frame_only(const struct property_reads *reads, const struct recalling *states,
                          uint32_t var)
{
    bool seen = states[0].from->how[var] == SEEN_ALL && states[1].from->how[var] == SEEN_ALL;
    return reads->frame[var] && !reads->now[var] && !reads->next[var] && !seen;
}

static void leave_frame(struct conform *c, const struct property_reads *reads,
                        struct recalling *states)
{
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        if (in_frame_only(reads, states, i)) {
            states[0].vals[i] = states[1].vals[i] = VAL_FALSE;
        }
    }
}

/* The property holds when nothing has changed, as far as was seen: then it matters what was not. */
static enum judgement judge_frame(struct conform *c, const struct property_reads *reads,
                                  const struct recalling *states, struct walk_result *r)
{
    enum judgement judged = JUDGED_TRUE;
    for (uint32_t i = 0; i < c->spec.model->nvar; i++) {
        if (in_frame_only(reads, states, i)) {
            struct property_read read = {c->spec.model->vars[i], SEEN_NOT, "not observed"};
            VEC_PUSH(&r->reads, read);
            judged = JUDGED_NOT;
        }
    }
    return judged;
}

static bool all_seen(const struct walk_result *r)
{
    for (size_t i = 0; i < r->reads.n; i++) {
        if (r->reads.v[i].how != SEEN_ALL) {
            return false;
        }
    }
    return true;
}

static int recall_all(struct conform *c, bool step, struct recalling states[2])
{
    size_t n = c->spec.model->nvar + 1;
    int status = 0;
    for (int i = 0; status == 0 && i < 2; i++) {
        states[i] =
            (struct recalling){.c = c, .from = i == 0 && step ? &c->see.state0 : &c->see.state};
        states[i].vals = ARENA_ARRAY(&c->arena, struct val, n);
        states[i].known = ARENA_ARRAY(&c->arena, struct val, n);
        status = run_values(c, run_recall, &states[i]);
    }
    return status;
}

int judge(struct conform *c, uint32_t prop, struct walk_result *r)
{
    const struct mprop *p = &c->spec.model->props[prop];
    size_t n = c->spec.model->nvar + 1;
    bool step = p->kind == MPROP_ACTION, holds = true;
    struct recalling states[2];
    struct property_reads reads = {ARENA_ARRAY(&c->arena, bool, n), ARENA_ARRAY(&c->arena, bool, n),
                                   ARENA_ARRAY(&c->arena, bool, n)};
    model_property_reads(c->spec.model, prop, &reads);
    int status = recall_all(c, step, states);
    status = status != 0 ? status : tell_reads(c, &reads, states, r);
    if (status != 0) {
        return status;
    }
    leave_frame(c, &reads, states);
    strbuf_reset(&r->property);
    strbuf_adds(&r->property, p->name);
    if (model_holds(c->spec.after, prop, states[0].vals, step ? states[1].vals : NULL, &holds) ==
        MODEL_OK) {
        r->judged = holds ? judge_frame(c, &reads, states, r) : JUDGED_FALSE;
        return 0;
    }
    if (c->spec.after->error.code == MODEL_NO_VALUE && !all_seen(r)) {
        r->judged = JUDGED_NOT;
        return 0;
    }
    return evaluation_error(c, c->spec.after, 0, 0);
}
