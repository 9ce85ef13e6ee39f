/* Private to strategy dir: dir.c says what these are for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "explore/explore_int.h"
#include "explore/space.h"
#include "explore/walk.h"
#include "run/cluster.h"

/* ---- what others see ---- */

struct names { /* of packets */
    VEC(uint64_t) v;
};
/* A packet can come in, and what is seen then. */
struct way {
    uint64_t mail; /* name of the packet; 0: it moved by itself */
    uint32_t to;   /* number of the face */
};
struct face_event {
    uint64_t mail;    /* name of the packet that came in; 0: none did */
    uint32_t sent, n; /* of those that went out: so many from this one on */
};
/* What others see of a part of the whole, a component or a group of them: packets that came in and
 * went out, and what of that happened before what. */
struct face {
    VEC(struct face_event) events; /* in an order that is possible */
    VEC(uint64_t) past;   /* what happens before each, as sets: face_words(f) words for each */
    VEC(uint32_t) sent;   /* indexes in dir.mail; of each way in their order */
    VEC(uint64_t) taken;  /* names of packets that came in */
    VEC(uint64_t) inputs; /* names of packets that were given to it */
    VEC(struct way) ways;
};
static inline size_t face_words(size_t events)
{
    return events / 64 + 1;
}
void dir_face_done(struct face *f);
/* false: it had that */
bool dir_face_way(struct face *f, struct way way);
bool dir_face_input(struct face *f, uint64_t name);

/* ---- components ---- */

/* The beginning of a local trace: an event after others. */
struct local {
    struct local *parent; /* NULL: nothing has happened */
    struct xevent event;
    size_t depth;
    VEC(uint64_t) before; /* bit i: event i of the path happens before this one */
    VEC(uint64_t) sent;   /* ids of packets */
    VEC(uint32_t) posted; /* of them, to other components: indexes in dir.mail */
    uint64_t came;        /* name of a packet from another component; 0: it has none */
    VEC(struct xevent) possible;
    VEC(uint64_t)
    refused;   /* names of packets that it could not be given: a bound, or none takes
                  them */
    bool ends; /* with something it is a complete trace of the whole */
    VEC(uint64_t)
    seen_nodes;             /* [n_nodes]: observed after it, of nodes of its component; empty:
                               nothing is observed */
    uint64_t cone, outside; /* hashes of it and what is before it: all, and what is seen outside */
    uint64_t key, seen;     /* of the whole trace, whatever the order: all; what is seen outside */
    struct strbuf saw;      /* lines of clients that it has added to the history */
    bool ended;             /* an operation of a client has, here or before */
    uint64_t told_cone,
        told;         /* as outside and seen: of what is seen outside and what clients saw */
    uint64_t print;   /* hash of what it has printed; 0: nothing */
    uint64_t printed; /* hash of all that its nodes have, whatever the order of these */
    uint64_t files;   /* hash of what checks read of its nodes: disks and logs */
    uint32_t skeleton;
    uint32_t worker; /* who has done it, and can go on from there at once */
    size_t number;   /* of all */
};
static inline bool dir_before(const struct local *l, size_t i)
{
    return i / 64 < l->before.n && (l->before.v[i / 64] >> i % 64 & 1) != 0;
}
/* What others see of some local traces of a component. */
struct skeleton {
    uint32_t component;
    struct face face;
    VEC(struct local *) locals;
    uint64_t complete;   /* local traces that end here, if no packet comes */
    VEC(uint32_t) users; /* states of its group that have it */
    uint32_t pending; /* packets that its local traces were given, of which nobody has heard yet */
    bool changed; /* it was given something, or more is known of it, since those were searched */
    bool used;    /* in a complete trace of the whole */
};
/* A local trace to be gone on with. */
struct job {
    struct local *local;
    uint64_t name;
};
struct jobs {
    VEC(struct job) v;
};
struct task {
    struct job job; /* local NULL: it is free */
    uint32_t worker;
};
struct component {
    uint32_t hears;          /* connections with others */
    bool strangers;          /* hears from others than those */
    struct xpackets inbound; /* on their way at the root */
    uint32_t group;          /* that it is a part of, */
    uint32_t place;          /* as which */
};
struct dir {
    struct search *s;
    const struct cluster *cluster;
    VEC(struct component) components;
    VEC(struct skeleton) skeletons;
    VEC(struct local *) locals; /* all */
    struct u64map by_key, by_seen;
    struct xpackets mail;   /* every packet that was ever sent to another component */
    size_t n_inbound;       /* the first of them were on their way at the root */
    struct u64map mail_at;  /* name -> index in it */
    VEC(struct jobs) jobs;  /* for each worker: to go on with what it has done */
    VEC(struct task) tasks; /* by tag */
    VEC(uint32_t) changed;  /* skeletons that are */
    uint64_t runs, confirmed, tried;
    size_t n_tries; /* ways to put them together that were too many */
    bool connected; /* packets of connections go between components */
    bool whole;     /* every moment of the whole is wanted, since invariants are judged there */
};
const struct xpacket *dir_mail(const struct dir *d, uint64_t name); /* NULL: there is none */
/* Something new is known of a skeleton. */
void dir_note_change(struct dir *d, uint32_t skeleton);
/* A local trace is to be gone on with by a packet. */
void dir_push_mail(struct dir *d, struct local *l, uint64_t name);

/* ---- how they fit together ---- */

/* A component, or a group. */
struct part {
    bool group;
    uint32_t at;
};
/* What others see of some states of a group. */
struct look {
    struct face face;
    VEC(uint32_t) states;
    VEC(uint32_t) users;       /* states of the group above that have it */
    VEC(struct local *) picks; /* dir_moments.c */
};
/* Parts that are put together: a state is a face of each. What the group is seen to do by others
 * depends on fewer things than its states; the one above it knows its looks only. */
struct group {
    VEC(struct part) parts;
    VEC(bool) inside;      /* [components] */
    uint32_t n_inside;     /* of them */
    uint32_t above;        /* group that it is a part of; itself: it is all */
    uint32_t place;        /* there, as which part */
    VEC(uint32_t) states;  /* parts.n for each: numbers of faces */
    VEC(uint32_t) look_of; /* for each state */
    VEC(uint64_t) waits;   /* for each state: parts that are to be gone on with, as bits */
    VEC(bool) alone;       /* for each state: one part was moved alone, or waits to be */
    struct u64map known;   /* states */
    struct u64map by_key;  /* looks */
    VEC(struct look *) looks;
};
static inline uint32_t *group_state(struct group *g, size_t i)
{
    return &g->states.v[i * g->parts.n];
}
struct group_todo {
    uint32_t group, state;
};
/* Complete traces: how many; as numbers too, which hold up to DIR_EXACT_MOST. */
#define DIR_EXACT_MOST 1.8e19
struct dir_count {
    double traces, skeletons;
    uint64_t n_traces, n_skeletons;
};
/* All groups, those inside others first; the last one is all. */
struct join {
    VEC(struct group) groups;
    VEC(struct group_todo) todo;
    size_t n_states;
    struct dir_count sum;   /* of the whole */
    VEC(uint32_t) complete; /* states of the whole that are */
    struct u64map counted;  /* dir_ends.c: what was counted, as indexes in counts */
    VEC(struct dir_count) counts;
    struct u64map marked;
};

/* Packets that could reach a part next: of each way the first. Then those that were given to the
 * group from outside and are for this part; they may exclude each other. */
struct arrivals {
    VEC(const struct xpacket *) v;
    size_t n_inner;
};
/* outer: names of packets from outside the group. */
void dir_arrivals(struct dir *d, struct join *j, struct group_todo at, size_t place,
                  const struct names *outer, struct arrivals *ret);

static inline struct face *join_face(struct dir *d, struct join *j, struct part part, uint32_t at)
{
    return part.group ? &j->groups.v[part.at].looks.v[at]->face : &d->skeletons.v[at].face;
}
static inline uint32_t join_top(const struct join *j)
{
    return (uint32_t)j->groups.n - 1;
}
static inline bool join_is_top(const struct join *j, uint32_t group)
{
    return group == join_top(j);
}
void dir_join_done(struct join *j);
/* Groups of components, and groups of these, so that no more are put together at once; those that
 * talk most are put together first. */
void dir_make_groups(struct dir *d, struct join *j, uint32_t at_once);
/* "(n1 n2) n3" */
void dir_print_groups(const struct dir *d, const struct join *j, struct strbuf *out);
/* How everything that is known now fits together; new packets are given to components as jobs. What
 * is in the join is gone on with, after what has changed: at most so many states. */
MUST_USE int dir_compose_some(struct dir *d, struct join *j, size_t most, struct err *err);
/* Whether there is something to be gone on with. */
bool dir_composes(const struct dir *d, const struct join *j);
/* All of it, but not beyond the time that there is. */
MUST_USE int dir_compose(struct dir *d, struct join *j, struct err *err);
/* The face that a state of a group has. Filled by whoever is asked; zeroed before. ret_key: the
 * same for the same face, whatever the order. */
void dir_look(struct dir *d, struct join *j, uint32_t group, uint32_t state, struct face *ret,
              uint64_t *ret_key);

/* ---- complete traces (dir_ends.c) ---- */

/* Whether a local trace ends although these packets could come. */
bool dir_ends_with(const struct local *l, const struct names *coming);
/* Names of packets that could reach a part of a state. */
void dir_coming(struct dir *d, struct join *j, struct group_todo at, size_t place,
                const struct names *outer, struct names *ret);
/* What is asked of a part: its face, with what could come from outside. */
uint64_t dir_part_key(struct part part, uint32_t at, const struct names *coming);

/* Counts those of the whole; after dir_compose. */
void dir_count_ends(struct dir *d, struct join *j);
/* One of those that a complete state of the whole stands for: [components]. */
void dir_pick_ends(struct dir *d, struct join *j, uint32_t state, struct local **ends);
/* A trace of the whole with this local one; false: none has it. */
bool dir_around(struct dir *d, struct join *j, struct local *l, struct local **ends);

/* ---- the whole ---- */

/* The events of local traces, each after what happens before it. Those that cannot come, since
 * nobody has sent what they need, are left out. */
struct dir_order {
    VEC(const struct local *) v; /* what was last of each is its event */
    size_t n_all;                /* events, with those that were left out */
};
/* ends: [components]. What the order has is kept for the next one. */
void dir_order(const struct dir *d, struct local *const *ends, struct dir_order *ret);
/* Does them, by the real programs. ret_good: all of them could be done. */
MUST_USE int dir_together(struct dir *d, const struct dir_order *order, struct walk *ret,
                          bool *ret_good, struct err *err);
/* The same of many: `on` is told of each, by its number, in any order. It is over when all have
 * been asked for and ended. */
struct dir_wholes {
    struct dir *d;
    void (*on)(void *arg, uint64_t nth, bool good, struct walk *walk);
    void *arg;
    VEC(size_t) lengths;
};
MUST_USE int dir_wholes_ask(struct dir_wholes *wholes, const struct dir_order *order,
                            struct err *err);
MUST_USE int dir_wholes_end(struct dir_wholes *wholes, struct err *err);
/* Judges invariants on every combination of what could have been observed of the components at one
 * moment: local traces under skeletons that fit together. */
MUST_USE int dir_moments(struct dir *d, struct join *j, struct err *err);
/* Judges complete traces of the whole by what clients saw and by the commands of the file; after
 * dir_count_ends. */
MUST_USE int dir_oracles(struct dir *d, struct join *j, struct err *err);
