/* Groups of components, and what is seen of a group from outside. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/dir_int.h"
#include "explore/space.h"
#include "run/cluster.h"

/* ---- which ---- */

struct making {
    const struct dir *d;
    struct join *j;
    VEC(struct part) open; /* to be put together */
    uint64_t *talk;        /* [components * components]: packets between them that are known */
};

static size_t members(const struct join *j, struct part part)
{
    return part.group ? j->groups.v[part.at].n_inside : 1;
}

static bool has_member(const struct join *j, struct part part, size_t component)
{
    return part.group ? j->groups.v[part.at].inside.v[component] : part.at == component;
}

static uint64_t talk_between(const struct making *m, struct part a, struct part b)
{
    size_t n = m->d->components.n;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; has_member(m->j, a, i) && k < n; k++) {
            sum += has_member(m->j, b, k) ? m->talk[i * n + k] + m->talk[k * n + i] : 0;
        }
    }
    return sum;
}

static void add_part(const struct dir *d, struct join *j, uint32_t group, struct part part)
{
    struct group *g = &j->groups.v[group];
    VEC_PUSH(&g->parts, part);
    for (uint32_t i = 0; i < d->components.n; i++) {
        g->inside.v[i] = g->inside.v[i] || has_member(j, part, i);
    }
    g->n_inside += (uint32_t)members(j, part);
}

static uint32_t new_group(const struct dir *d, struct join *j)
{
    VEC_PUSH(&j->groups, (struct group){0});
    struct group *g = &VEC_LAST(&j->groups);
    for (size_t i = 0; i < d->components.n; i++) {
        VEC_PUSH(&g->inside, false);
    }
    return (uint32_t)j->groups.n - 1;
}

static struct part put_together(const struct making *m, struct part a, struct part b)
{
    struct part both = {true, new_group(m->d, m->j)};
    add_part(m->d, m->j, both.at, a);
    add_part(m->d, m->j, both.at, b);
    return both;
}

/* Those that talk most, for their size: small ones first where there is no difference. */
static void choose(const struct making *m, size_t *ret_a, size_t *ret_b)
{
    uint64_t best = 0, best_size = 0;
    for (size_t a = 0; a < m->open.n; a++) {
        for (size_t b = a + 1; b < m->open.n; b++) {
            uint64_t talk = talk_between(m, m->open.v[a], m->open.v[b]);
            uint64_t size = members(m->j, m->open.v[a]) + members(m->j, m->open.v[b]);
            bool more = talk * best_size > best * size;
            bool as_much = talk * best_size == best * size;
            if (best_size == 0 || more || (as_much && size < best_size)) {
                best = talk;
                best_size = size;
                *ret_a = a;
                *ret_b = b;
            }
        }
    }
}

void dir_make_groups(struct dir *d, struct join *j, uint32_t at_once)
{
    size_t n = d->components.n, cap = 0;
    struct making m = {.d = d, .j = j, .talk = vec_grow(NULL, &cap, n * n + 1, sizeof(uint64_t))};
    memset(m.talk, 0, (n * n + 1) * sizeof *m.talk);
    for (size_t i = 0; i < d->mail.v.n; i++) {
        const struct xpacket *x = &d->mail.v.v[i];
        const uint32_t *component = d->cluster->explore.component;
        m.talk[component[x->from] * n + component[x->to]]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        VEC_PUSH(&m.open, (struct part){false, i});
    }
    while (m.open.n > at_once) {
        size_t a = 0, b = 1;
        choose(&m, &a, &b);
        m.open.v[a] = put_together(&m, m.open.v[a], m.open.v[b]);
        memmove(&m.open.v[b], &m.open.v[b + 1], (m.open.n - b - 1) * sizeof m.open.v[0]);
        m.open.n--;
    }
    uint32_t top = new_group(d, j);
    for (size_t i = 0; i < m.open.n; i++) {
        add_part(d, j, top, m.open.v[i]);
    }
    VEC_DONE(&m.open);
    vec_release(m.talk);
    for (uint32_t k = 0; k < j->groups.n; k++) {
        for (uint32_t i = 0; i < j->groups.v[k].parts.n; i++) {
            struct part part = j->groups.v[k].parts.v[i];
            if (part.group) {
                j->groups.v[part.at].above = k;
                j->groups.v[part.at].place = i;
            } else {
                d->components.v[part.at].group = k;
                d->components.v[part.at].place = i;
            }
        }
    }
    j->groups.v[top].above = top;
}

static void print_part(const struct dir *d, const struct join *j, struct part part,
                       struct strbuf *out)
{
    bool first = true;
    for (uint32_t i = 0; !part.group && i < d->cluster->n_nodes; i++) {
        if (d->cluster->explore.component[i] == part.at) {
            strbuf_printf(out, "%s%s", first ? "" : "+", d->cluster->nodes[i].name);
            first = false;
        }
    }
    const struct group *g = part.group ? &j->groups.v[part.at] : NULL;
    bool inside = g != NULL && !join_is_top(j, part.at);
    strbuf_adds(out, inside ? "(" : "");
    for (size_t i = 0; g != NULL && i < g->parts.n; i++) {
        strbuf_adds(out, i != 0 ? " " : "");
        print_part(d, j, g->parts.v[i], out);
    }
    strbuf_adds(out, inside ? ")" : "");
}

void dir_print_groups(const struct dir *d, const struct join *j, struct strbuf *out)
{
    print_part(d, j, (struct part){true, join_top(j)}, out);
}

void dir_join_done(struct join *j)
{
    for (size_t k = 0; k < j->groups.n; k++) {
        struct group *g = &j->groups.v[k];
        for (size_t i = 0; i < g->looks.n; i++) {
            dir_face_done(&g->looks.v[i]->face);
            VEC_DONE(&g->looks.v[i]->states);
            VEC_DONE(&g->looks.v[i]->users);
            VEC_DONE(&g->looks.v[i]->picks);
            vec_release(g->looks.v[i]);
        }
        VEC_DONE(&g->looks);
        VEC_DONE(&g->parts);
        VEC_DONE(&g->inside);
        VEC_DONE(&g->states);
        VEC_DONE(&g->look_of);
        VEC_DONE(&g->waits);
        VEC_DONE(&g->alone);
        u64map_done(&g->known);
        u64map_done(&g->by_key);
    }
    VEC_DONE(&j->groups);
    VEC_DONE(&j->todo);
    VEC_DONE(&j->complete);
    VEC_DONE(&j->counts);
    u64map_done(&j->counted);
    u64map_done(&j->marked);
    *j = (struct join){0};
}

/* ---- what is seen of them ---- */

/* Events of all parts of a state, numbered through: those of part i begin at first[i]. */
struct looking {
    struct dir *d;
    struct join *j;
    const struct group *g;
    const struct face **faces; /* [parts] */
    size_t *first;             /* [parts + 1] */
    size_t words;
    uint64_t *past;    /* [events * words]: what happens before each */
    bool *done;        /* [events] */
    VEC(size_t) order; /* those that are done */
    size_t *part;      /* [events] */
    size_t *sender;    /* [events]: that has sent what came in; SIZE_MAX: none of the group */
};

static const struct face_event *event_of(const struct looking *l, size_t e)
{
    return &l->faces[l->part[e]]->events.v[e - l->first[l->part[e]]];
}

static bool goes_out(const struct looking *l, uint32_t mail)
{
    const struct xpacket *x = &l->d->mail.v.v[mail];
    return !l->g->inside.v[l->d->cluster->explore.component[x->to]];
}

static size_t find_sender(const struct looking *l, size_t e)
{
    uint64_t name = event_of(l, e)->mail;
    for (size_t i = 0; name != 0 && i < l->first[l->g->parts.n]; i++) {
        const struct face_event *x = event_of(l, i);
        for (uint32_t k = 0; k < x->n; k++) {
            if (l->d->mail.v.v[l->faces[l->part[i]]->sent.v[x->sent + k]].name == name) {
                return i;
            }
        }
    }
    return SIZE_MAX;
}

static void add_past(const struct looking *l, size_t e, size_t before)
{
    uint64_t *past = &l->past[e * l->words];
    past[before / 64] |= UINT64_C(1) << before % 64;
    for (size_t i = 0; i < l->words; i++) {
        past[i] |= l->past[before * l->words + i];
    }
}

static bool in_past(const struct looking *l, size_t e, size_t before)
{
    return (l->past[e * l->words + before / 64] >> before % 64 & 1) != 0;
}

/* Puts an event after those that happen before it, if they are there. */
static bool place_event(struct looking *l, size_t e)
{
    const struct face *f = l->faces[l->part[e]];
    size_t base = l->first[l->part[e]], words = face_words(f->events.n), sender = l->sender[e];
    const uint64_t *before = &f->past.v[(e - base) * words];
    bool ready = sender == SIZE_MAX || l->done[sender];
    for (size_t i = 0; ready && i < f->events.n; i++) {
        ready = (before[i / 64] >> i % 64 & 1) == 0 || l->done[base + i];
    }
    for (size_t i = 0; ready && i < f->events.n; i++) {
        if ((before[i / 64] >> i % 64 & 1) != 0) {
            add_past(l, e, base + i);
        }
    }
    if (ready && sender != SIZE_MAX) {
        add_past(l, e, sender);
    }
    if (ready) {
        l->done[e] = true;
        VEC_PUSH(&l->order, e);
    }
    return ready;
}

static void order_events(struct looking *l)
{
    size_t n = l->first[l->g->parts.n];
    for (size_t before = SIZE_MAX; l->order.n < n && l->order.n != before;) {
        before = l->order.n;
        for (size_t e = 0; e < n; e++) {
            if (!l->done[e]) {
                (void)place_event(l, e);
            }
        }
    }
    ASSERT(l->order.n == n); /* the state was reached in some order */
}

/* The name of what came in from outside the group, or 0. */
static uint64_t from_outside(const struct looking *l, size_t e)
{
    uint64_t name = event_of(l, e)->mail, at = 0;
    bool inner = name == 0 || l->sender[e] != SIZE_MAX ||
                 (u64map_get(&l->d->mail_at, name, &at) && at < l->d->n_inbound);
    return inner ? 0 : name;
}

/* Adds an event to the face if it is seen from outside; its hash with its past, or 0. */
static uint64_t add_event(const struct looking *l, size_t e, const uint64_t *hashes,
                          struct face *ret)
{
    const struct face_event *x = event_of(l, e);
    struct face_event seen = {from_outside(l, e), (uint32_t)ret->sent.n, 0};
    uint64_t hash = hash_combine(3, seen.mail), before = 0;
    for (uint32_t k = 0; k < x->n; k++) {
        uint32_t mail = l->faces[l->part[e]]->sent.v[x->sent + k];
        if (goes_out(l, mail)) {
            VEC_PUSH(&ret->sent, mail);
            seen.n++;
            hash = hash_combine(hash, l->d->mail.v.v[mail].name);
        }
    }
    if (seen.mail == 0 && seen.n == 0) {
        return 0;
    }
    if (seen.mail != 0) {
        VEC_PUSH(&ret->taken, seen.mail);
    }
    VEC_PUSH(&ret->events, seen);
    for (size_t i = 0; i < l->first[l->g->parts.n]; i++) {
        before += in_past(l, e, i) && hashes[i] != 0 ? hash_mix(hashes[i]) : 0;
    }
    return hash_combine(hash, before) | 1;
}

static void add_pasts(const struct looking *l, const uint64_t *hashes, struct face *ret)
{
    size_t words = face_words(ret->events.n);
    for (size_t i = 0; i < l->order.n; i++) {
        size_t e = l->order.v[i], nth = 0, base = ret->past.n;
        for (size_t k = 0; hashes[e] != 0 && k < words; k++) {
            VEC_PUSH(&ret->past, 0);
        }
        for (size_t k = 0; hashes[e] != 0 && k < l->order.n; k++) {
            size_t b = l->order.v[k];
            if (hashes[b] != 0 && in_past(l, e, b)) {
                ret->past.v[base + nth / 64] |= UINT64_C(1) << nth % 64;
            }
            nth += hashes[b] != 0 ? 1 : 0;
        }
    }
}

static void *zeroed(size_t n, size_t bytes)
{
    size_t cap = 0;
    void *p = vec_grow(NULL, &cap, n + 1, bytes);
    memset(p, 0, (n + 1) * bytes);
    return p;
}

void dir_look(struct dir *d, struct join *j, uint32_t group, uint32_t state, struct face *ret,
              uint64_t *ret_key)
{
    struct group *g = &j->groups.v[group];
    struct looking l = {.d = d, .j = j, .g = g};
    l.faces = (const struct face **)zeroed(g->parts.n, sizeof *l.faces);
    l.first = zeroed(g->parts.n, sizeof *l.first);
    for (size_t i = 0; i < g->parts.n; i++) {
        l.faces[i] = join_face(d, j, g->parts.v[i], group_state(g, state)[i]);
        l.first[i + 1] = l.first[i] + l.faces[i]->events.n;
    }
    size_t n = l.first[g->parts.n];
    l.words = face_words(n);
    l.past = zeroed(n * l.words, sizeof *l.past);
    l.done = zeroed(n, sizeof *l.done);
    l.part = zeroed(n, sizeof *l.part);
    l.sender = zeroed(n, sizeof *l.sender);
    for (size_t i = 0; i < g->parts.n; i++) {
        for (size_t e = l.first[i]; e < l.first[i + 1]; e++) {
            l.part[e] = i;
        }
    }
    for (size_t e = 0; e < n; e++) {
        l.sender[e] = find_sender(&l, e);
    }
    order_events(&l);
    uint64_t *hashes = zeroed(n, sizeof *hashes);
    *ret_key = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t *hash = &hashes[l.order.v[i]];
        *hash = add_event(&l, l.order.v[i], hashes, ret);
        *ret_key += *hash != 0 ? hash_mix(*hash) : 0;
    }
    add_pasts(&l, hashes, ret);
    vec_release(hashes);
    vec_release((void *)l.faces);
    vec_release(l.first);
    vec_release(l.past);
    vec_release(l.done);
    vec_release(l.part);
    vec_release(l.sender);
    VEC_DONE(&l.order);
}
