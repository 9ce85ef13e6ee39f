/* Private to the liveness checker (live*.c).
 *
 *   live_mem.c      big arrays: memory first, files when the budget is used up
 *   live_graph.c    collecting the behaviour graph
 *   live_store.c    checkpoints of it
 *   live_form.c     formulas to branches of conditions
 *   live_tableau.c  the part of a branch that needs an automaton
 *   live_prefix.c   violations that need no cycle, found while the graph is made
 *   live_search.c   fair components of graph x tableau
 *   live_trim.c     what is decided without components
 *   live_scc.c      components, depth first, by several threads
 *   live_giant.c    one large component, by sweeps of several threads
 *   live_judge.c    is a component fair
 *   live_path.c     a lasso out of a fair component
 *   live.c          the interface: branches spread over threads
 */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "check/live.h"
#include "model/model.h"

/* ---- big arrays (live_mem.c) ---- */

/* The budget shared by all big arrays of one checker. */
struct live_mem {
    const char *dir;             /* where spilled arrays go; NULL = never spill */
    uint64_t limit;              /* bytes of memory; 0 = none */
    _Atomic uint64_t used;       /* bytes of memory mapped; relaxed, a statistic and a threshold */
    _Atomic uint64_t file_bytes; /* bytes mapped from files; relaxed */
    pthread_mutex_t lock;        /* guards the rest, and the mappings of the arrays in it */
    struct big *spilled;         /* all arrays that live in files */
};

/* A mapping that grows. Fresh bytes are zero. Growing may move it. The struct itself stays where it
 * is. */
struct big {
    struct live_mem *mem;
    void *p;
    uint64_t cap;            /* bytes */
    int fd;                  /* of the file behind it, or -1 */
    struct big *next, *prev; /* in mem->spilled, when fd >= 0 */
};

void mem_init(struct live_mem *mem, const char *dir, uint64_t limit);
void mem_done(struct live_mem *mem);
/* Drops the pages of spilled arrays from the resident set; their contents stay in the files. */
void mem_trim(struct live_mem *mem);

void big_init(struct big *big, struct live_mem *mem);
void big_done(struct big *big); /* accepts a zeroed one */
MUST_USE int big_grow(struct big *big, uint64_t bytes, struct err *err);
static inline MUST_USE int big_reserve(struct big *big, uint64_t bytes, struct err *err)
{
    return bytes <= big->cap ? 0 : big_grow(big, bytes, err);
}

/* ---- the graph (live_graph.c) ---- */

/* A table of distinct bit vectors of `words` words, numbered in order of arrival. */
struct dict {
    uint32_t words;
    uint32_t n;
    VEC(uint64_t) bits;  /* [n * words] */
    VEC(uint32_t) index; /* open addressing; number + 1, 0 = free; a power of two long */
};

void dict_init(struct dict *dict, uint32_t words);
void dict_done(struct dict *dict);
uint32_t dict_put(struct dict *dict, const uint64_t *bits); /* its number; adds it when new */

/* What one worker has added and nobody has merged yet. Only its worker touches it. */
struct live_worker {
    VEC(uint32_t) raw;    /* records, see live_graph.c */
    struct dict seen;     /* labels this worker has used */
    VEC(uint32_t) global; /* their numbers in live.labels */
    VEC(uint64_t) key;    /* scratch: state bits then action bits */
    bool key_known;       /* key_label is its label */
    uint32_t key_label;
    char apart[128]; /* from the next worker, so that no cache line is shared */
};

/* An expanded state is a block of 32-bit words in live.blocks:
 *   [0] its node   [1] number of edges << 3 | initial << 2 | width of labels (0, 1, 2: 1, 2, 4
 * bytes) [2] label of the stuttering step   then the targets (nodes), then the labels, padded to a
 * word. A label is the pair (state leaves of the source, action leaves of the step), so it alone
 * decides every condition on the step, and the label of the stuttering step every condition on the
 * state. */
enum { BLOCK_HEAD = 3, BLOCK_EDGES_MAX = 1 << 29 };

struct live_pair {
    uint32_t target, label;
};

/* Nodes that are known are numbered from 0; live.off[node] is where the block starts, 0 = the state
 * has not been expanded (block space begins at 1). */
struct live {
    const struct mlive *spec;
    struct live_mem mem;
    char *dir; /* NULL when there is none */
    uint32_t state_words, action_words;
    uint64_t state_last, action_last; /* valid bits of the last word of each */
    bool reachable;                   /* see live_options */
    struct live_worker *workers;
    unsigned nworker;
    struct arena arena; /* formulas, branches, tableaux: immutable after live_new */

    pthread_mutex_t label_lock; /* guards labels */
    struct dict labels;

    pthread_mutex_t merge_lock; /* guards everything down to `failure` while workers run */
    struct big fps, off, blocks, table;
    uint32_t nnode;
    uint64_t nword;              /* words used in blocks, the first one included */
    uint64_t table_size;         /* slots, a power of two */
    uint64_t room;               /* nodes that there may be before something must grow */
    uint32_t source;             /* the node that is probably expanded next */
    VEC(uint32_t) inits;         /* expanded initial nodes */
    VEC(struct live_pair) pairs; /* scratch of merging */
    struct err failure; /* code ERR_OK = none; kept until the next call that can report it */
    uint64_t version;   /* changes whenever something was merged */

    _Atomic uint64_t ndone, nedge; /* statistics; written under merge_lock, read by anyone */

    struct compiled *props; /* [spec->nprop] */
    uint32_t nbranch;
    bool tautology;
    struct tableau *plain;   /* the tableau of a branch that needs none: one node that loops */
    struct watches *watches; /* live_prefix.c; NULL = none. Under merge_lock */

    /* Reachable nodes, the product with `plain`; shared by the branches without a tableau. */
    struct big reach;
    uint64_t reach_version; /* version it was computed for, + 1 */
    uint64_t reach_count;

    /* Checkpoints (live_store.c): what the files hold already. */
    bool stored;
    uint32_t stored_node, stored_label;
    uint64_t stored_word;
};

static inline const uint32_t *live_block(const struct live *live, uint32_t node)
{
    uint64_t off = ((const uint64_t *)live->off.p)[node];
    return off ? (const uint32_t *)live->blocks.p + off : NULL;
}
static inline uint32_t block_edges(const uint32_t *block)
{
    return block[1] >> 3;
}
static inline bool block_initial(const uint32_t *block)
{
    return block[1] & 4;
}
/* Edge number block_edges() is the stuttering step. */
static inline uint32_t block_target(const uint32_t *block, uint32_t edge)
{
    return edge < block_edges(block) ? block[BLOCK_HEAD + edge] : block[0];
}
static inline uint32_t block_label(const uint32_t *block, uint32_t edge)
{
    uint32_t n = block_edges(block);
    if (edge == n) {
        return block[2];
    }
    const char *labels = (const char *)(block + BLOCK_HEAD + n);
    uint16_t half = 0;
    uint32_t whole = 0;
    switch (block[1] & 3) {
    case 0: return (uint8_t)labels[edge];
    case 1: memcpy(&half, labels + (size_t)edge * 2, 2); return half;
    default: memcpy(&whole, labels + (size_t)edge * 4, 4); return whole;
    }
}
static inline uint64_t block_words(const uint32_t *block)
{
    uint64_t n = block_edges(block);
    return BLOCK_HEAD + n + (((n << (block[1] & 3)) + 3) >> 2);
}

int live_graph_init(struct live *live, struct err *err);
void live_graph_done(struct live *live);
/* Merges what every worker has added; afterwards reports any failure of an earlier merge. */
MUST_USE int live_graph_merge(struct live *live, struct err *err);
/* Node of a fingerprint, numbering it when it is new. Space must have been reserved. */
uint32_t live_graph_intern(struct live *live, uint64_t fp);
MUST_USE int live_graph_reserve_nodes(struct live *live, uint64_t more, struct err *err);

/* ---- finite violations (live_prefix.c) ---- */

void watch_open(struct live *live); /* after form_compile */
void watch_close(struct live *live);
void watch_reset(struct live *live);
/* After a state was merged. Under merge_lock. */
MUST_USE int watch_node(struct live *live, uint32_t node, struct err *err);
/* All states at once, after live_resume. */
MUST_USE int watch_all(struct live *live, struct err *err);

/* ---- formulas (live_form.c) ---- */

struct streett { /* <>[]p \/ []<>q */
    const struct tform *p, *q;
};

/* A conjunction of conditions; the branches of a property are the ways to violate it. */
struct branch {
    const struct tform **ae; /* []<>: true of a step infinitely often */
    uint32_t nae;
    const struct tform **ea; /* <>[]: true of every step from some point on */
    uint32_t nea;
    struct streett *st;
    uint32_t nst;
    const struct tform **tf; /* what needs a tableau, as written; for comparing branches */
    uint32_t ntf;
    bool never;          /* a constant of the formula rules it out */
    struct tableau *tab; /* live.plain when ntf == 0 */
};

struct compiled {
    struct branch *branches;
    uint32_t nbranch;
};

/* Fills live->props, nbranch and tautology. */
MUST_USE int form_compile(struct live *live, const volatile void *interrupt, struct err *err);
/* Value of a formula without temporal operators. action may be NULL when it has no action leaf. */
bool form_eval(const struct tform *form, const uint64_t *state, const uint64_t *action);
bool form_equal(const struct tform *a, const struct tform *b);
bool form_temporal(const struct tform *form);

/* ---- tableaux (live_tableau.c) ---- */

struct tcomp { /* a strongly connected set of tableau nodes that can keep all promises */
    uint32_t n;
    uint32_t *node;
};

struct tableau {
    uint32_t nnode, ninit;
    uint32_t *init;
    uint32_t *succ_at; /* [nnode + 1] into succ */
    uint32_t *succ;
    const struct tform **preds; /* predicates on states */
    uint32_t npred, pred_words;
    uint64_t *lits; /* [nnode * pred_words]: which of them a state must satisfy */
    uint32_t npromise, promise_words;
    uint64_t *kept; /* [nnode * promise_words]: which promises <>f the node does not put off */
    uint8_t *ends;  /* a bit for each node: nothing is left to hold after it; NULL in live.plain */
    struct tcomp *comps;
    uint32_t ncomp;
};

enum { TABLEAU_MAX = 1 << 15 };

/* `form` is in negation normal form: NOT only above formulas without temporal operators. */
MUST_USE int tableau_build(struct arena *arena, const struct tform *form,
                           const volatile void *interrupt, struct tableau **ret_tableau,
                           struct err *err);
struct tableau *tableau_plain(struct arena *arena);

/* ---- the search (live_search.c) ---- */

struct vertex {
    uint32_t state, t; /* t: node of the tableau, or its place in the component searched */
};

/* One branch being decided, by one thread. */
struct hunt {
    const struct live *live;
    struct live_mem *mem;
    const struct branch *branch;
    const struct tableau *tab;
    const volatile void *interrupt;
    unsigned threads;               /* for what can be done in parallel inside the branch; 0 = 1 */
    const _Atomic uint32_t *winner; /* lowest branch decided so far to be violated */
    uint32_t number;                /* of this branch */
    uint32_t ticks;

    /* By label: may the step be part of the cycle; which conditions it fulfils
     * (bits: ae, then q of each Streett pair, then p of each); which tableau nodes agree. */
    uint32_t nlabel, words;
    uint32_t row; /* bytes for one bit of each tableau node */
    struct big ok, mask, agree;

    struct big reach_own; /* a row for each state, unless live->reach is used */
    const uint8_t *reach;
    uint64_t reach_count;

    /* The component of the tableau being searched, and its part of the product. */
    const struct tcomp *comp;
    uint32_t *place;   /* [tab->nnode]: place in comp, or UINT32_MAX */
    uint32_t *succ_at; /* [comp->n + 1]: like tab's, but places and inside comp */
    uint32_t *succ;
    struct big dom, base; /* bits state * comp->n + place; how many bits are set before each word */
    bool dom_all;         /* every bit is set */
    uint64_t count;       /* product nodes; they are numbered by rank in dom */

    struct big rindex; /* [count]: see MARK_ below */
    uint64_t alone; /* so few product nodes are not worth a second thread; 0 = the usual number */

    uint64_t *need;      /* [words]: p bits every step must have (refinement of Streett pairs) */
    bool need_any;       /* one of them is set */
    uint64_t *any, *all; /* [words]: or, and of the masks inside the fair component */
    uint64_t *goal;      /* [words]: the ae bits */
    uint32_t found_mark; /* nodes of the fair component have this rindex */
};

static inline bool bit_get(const uint64_t *bits, uint64_t i)
{
    return bits[i >> 6] >> (i & 63) & 1;
}
static inline void bit_set(uint64_t *bits, uint64_t i)
{
    bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

/* Negative when the flag (NULL = never) is set. */
static inline MUST_USE int live_poll(const volatile void *interrupt, struct err *err)
{
    if (interrupt && __atomic_load_n((const volatile sig_atomic_t *)interrupt, __ATOMIC_RELAXED)) {
        return err_set(err, ERR_INTERRUPTED, 0, "interrupted");
    }
    return 0;
}

/* Is (state, place) in the part of the product that is searched. */
static inline bool hunt_has(const struct hunt *s, uint32_t state, uint32_t place)
{
    return s->dom_all || bit_get(s->dom.p, (uint64_t)state * s->comp->n + place);
}
/* Number of bits set. Without -mpopcnt the compiler's own is a call and a table. */
static inline uint32_t bit_count(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}
/* Its number. */
static inline uint32_t hunt_id(const struct hunt *s, uint32_t state, uint32_t place)
{
    uint64_t pos = (uint64_t)state * s->comp->n + place;
    if (s->dom_all) {
        return (uint32_t)pos;
    }
    uint64_t word = ((const uint64_t *)s->dom.p)[pos >> 6];
    uint64_t below = word & ((UINT64_C(1) << (pos & 63)) - 1);
    return ((const uint32_t *)s->base.p)[pos >> 6] + bit_count(below);
}
/* May a step with this label be taken, when all steps must have `need` (NULL: nothing). */
static inline bool step_ok(const struct hunt *s, const uint64_t *need, uint32_t label)
{
    if (!((const uint8_t *)s->ok.p)[label]) {
        return false;
    }
    if (need) {
        const uint64_t *mask = (const uint64_t *)s->mask.p + (uint64_t)label * s->words;
        for (uint32_t w = 0; w < s->words; w++) {
            if ((mask[w] & need[w]) != need[w]) {
                return false;
            }
        }
    }
    return true;
}
/* The same inside the component searched. */
static inline bool hunt_ok(const struct hunt *s, uint32_t label)
{
    return step_ok(s, s->need_any ? s->need : NULL, label);
}
static inline bool hunt_agrees(const struct hunt *s, uint32_t state_label, uint32_t t)
{
    const uint8_t *row = (const uint8_t *)s->agree.p + (uint64_t)state_label * s->row;
    return row[t / 8] >> t % 8 & 1;
}
static inline bool hunt_in_found(const struct hunt *s, uint32_t state, uint32_t place)
{
    return hunt_has(s, state, place) &&
           ((const uint32_t *)s->rindex.p)[hunt_id(s, state, place)] == s->found_mark;
}

/* Values of rindex that are final have the top bit: a node that is no part of a cycle with others,
 * a node that is a fair component by itself (both from live_trim.c), and otherwise the lowest
 * number of a node in the same component. So they do not depend on who found the component, or
 * when. Without the top bit: see live_scc.c. */
#define MARK_TRIMMED UINT32_MAX
#define MARK_FAIR    (UINT32_MAX - 1)
#define MARK_FINAL   (UINT32_C(1) << 31)
/* 1 when some node with a step to itself is a fair component, in s->found_mark. Otherwise
 * *ret_left: how many nodes may be part of larger ones; none is fair by itself. */
MUST_USE int hunt_trim(struct hunt *s, uint64_t *ret_left, struct err *err);
/* Negative when the search must stop: interrupted, or a lower branch has been decided. Cheap.
 * `ticks` belongs to the thread. */
MUST_USE int hunt_tick(const struct hunt *s, uint32_t *ticks, struct err *err);
static inline MUST_USE int hunt_poll(struct hunt *s, struct err *err)
{
    return hunt_tick(s, &s->ticks, err);
}
/* Decides the labels: the first step of hunt_run, enough for hunt_reach. */
MUST_USE int hunt_labels(struct hunt *s, struct err *err);
/* 1 when the branch has a fair component (s->found_mark, need, any, all), 0 when not. */
MUST_USE int hunt_run(struct hunt *s, struct err *err);
void hunt_done(struct hunt *s);
/* Reachable part of the product. ret_count: how many. */
MUST_USE int hunt_reach(struct hunt *s, struct big *bits, uint64_t *ret_count, struct err *err);

/* Zeroed room for n (or at least one) elements; release it with vec_release. */
void *hunt_scratch(size_t n, size_t bytes);

/* ---- fairness of components (live_judge.c) ---- */

/* What the steps of a component show, taken together. */
struct tally {
    uint64_t *any, *all; /* [words]: or, and of their masks */
    uint64_t *kept;      /* [promise_words]: promises that some node keeps */
    bool step;           /* there is one */
};

/* Nodes to be searched for components, with fewer steps than before. */
struct task {
    uint32_t mark; /* of the component that they were */
    struct vertex *v;
    uint64_t n;
    uint64_t *need; /* [words] */
};

void tally_init(const struct hunt *s, struct tally *tally);
void tally_done(struct tally *tally);
void tally_reset(const struct hunt *s, struct tally *tally);
void tally_join(const struct hunt *s, struct tally *tally, const struct tally *more);
/* Adds the steps of these nodes to nodes with that mark. Stops early when no Streett pair is to be
 * looked at and everything has been shown. */
void tally_add(const struct hunt *s, const uint64_t *need, struct tally *tally,
               const struct vertex *v, uint64_t n, uint32_t mark);
enum judgement {
    JUDGED_UNFAIR, /* and so is every part of it */
    JUDGED_FAIR,
    JUDGED_OPEN, /* parts of it may be fair: a task */
};
enum judgement tally_judge(const struct hunt *s, const struct tally *tally);
/* A task of a component that was left open. need: as for tally_add. */
struct task task_make(const struct hunt *s, const struct tally *tally, const uint64_t *need,
                      const struct vertex *v, uint64_t n, uint32_t mark);
void task_done(struct task *task);

/* ---- components (live_scc.c, live_giant.c) ---- */

/* All components of the product, of which `left` nodes are not marked, and their parts: 1 when one
 * is fair; the one with the lowest mark is chosen. */
MUST_USE int live_scc_search(struct hunt *s, uint64_t left, struct err *err);
/* The component of `pivot` among the nodes whose rindex is 0. Returns 1 and marks it; its nodes are
 * in *ret_v (release it with vec_release). Returns 0 when that takes too long. */
MUST_USE int live_giant_find(struct hunt *s, const uint64_t *need, struct vertex pivot,
                             struct vertex **ret_v, uint64_t *ret_n, struct err *err);
/* Runs fn(arg) in so many threads, the caller's among them; in fewer when they cannot be made. */
void live_spread(unsigned threads, void *(*fn)(void *), void *arg);

/* ---- lassos (live_path.c) ---- */

struct lasso {
    VEC(uint64_t) fps;
    size_t loop;
};

MUST_USE int live_lasso_build(struct hunt *s, struct lasso *ret_lasso, struct err *err);
