/* Private to the world room: copies of the real side of nodes. See copies.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/image.h"
#include "world/world_int.h"

/* A thread of a copied process. */
struct copied_thread {
    struct thread *thread; /* in the heap */
    pid_t real;            /* of the copy */
    bool has_altstack;
    uint64_t altstack[3];
    /* Of a copy without processes: what the processor and the kernel hold for the thread. */
    uint8_t *xstate;
    size_t xstate_n;
    uint64_t mask;
};
struct copied_proc {
    struct proc *proc;
    size_t first, n;    /* of the threads */
    uint64_t hand;      /* hash of what signals do */
    struct image image; /* of its memory, if anybody asked */
    /* Known when it was first needed; the copy never runs. */
    struct tracee_pages pages;
    uint8_t *bytes; /* of a copy without processes: the pages with the lowest bit set, in order */
    uint64_t brk;
    bool looked_at;
};
struct copied_file {
    struct inode *inode;
    int fd;
    uint64_t ino; /* of the descriptor, as the machine numbers it */
};
struct live_hash { /* of registers and memory of a node */
    bool known;
    uint64_t hash;
    struct state_mode mode;
};
/* The processes of a node and the files that they have mapped, as they were. */
struct node_copy {
    uint32_t refs;
    struct node_copy *over; /* this one has no processes: it says how that one's would differ */
    uint32_t node;
    uint64_t turns, writes;
    uint64_t memory_most;
    struct live_hash hash;
    VEC(struct copied_proc) procs;
    VEC(struct copied_thread) threads;
    VEC(struct copied_file) files;
};

/* The processes that run now, as far as their relation to a copy is known. */
struct live_proc {
    pid_t real;
    struct strbuf maps; /* when they were the same */
    /* Files of /proc that are kept open; -1: not yet. The last is of the process of the base. */
    bool summed; /* the kernel gives the list of mappings without text: */
    uint64_t sum;
    int mem_fd, maps_fd, pagemap_fd, base_fd;
    struct image image;
};
struct live_node {
    struct node_copy *base; /* that they were copied to, or from; or NULL */
    struct node_copy *same; /* what the node was when that was taken or put back last */
    VEC(struct live_proc) procs;
    VEC(pid_t) tids;               /* in the order of the copy's threads */
    VEC(struct copied_file) files; /* in the order of the copy's files: those in use */
    struct live_hash hash;         /* when it had had so many turns */
    uint64_t turns, writes;
    bool odd_brk;   /* since then the heap has ended within a page */
    uint32_t asked; /* for its hash, without a copy to compare with */
};

/* Whether the processes of the node are those that belong to its copy. */
bool live_there(const struct live_node *live, const struct node *node);
/* Whether the node has not run since the copy. */
bool live_same(const struct world *w, const struct node *node);
/* Other processes share pages with those of the node, or it runs another program: nothing is known
 * of it any more. */
void live_forget(struct world *w, const struct node *node);
/* Whether it can be copied: its threads wait. */
MUST_USE int copy_check(const struct world *w, const struct node *node, struct err *err);
/* A copy of the node as it is now, the one that there is if it has not run since. `whole`: with
 * processes of its own. */
MUST_USE int copy_take(struct world *w, struct node *node, bool whole, struct node_copy **ret,
                       struct err *err);
void copy_unref(struct node_copy *copy); /* accepts NULL */

/* Putting back. First, while the heap is as it was: ends the processes of the node, unless they can
 * be used. Then, with the heap of the copy in place: makes the node what it was. */
enum live_use {
    LIVE_ANEW,    /* copied from the copy */
    LIVE_SAME,    /* left alone */
    LIVE_WRITTEN, /* written over where they differ */
    LIVE_TAKEN    /* the copy itself runs on; nothing is left of it */
};
enum put_how { PUT_BACK, PUT_ANEW, PUT_LAST };
enum live_use live_prepare(struct world *w, struct node *node, const struct node_copy *copy,
                           enum put_how how);
MUST_USE int live_put_back(struct world *w, struct node_copy *copy, enum live_use use,
                           struct err *err);
void lives_new(struct engine *engine, size_t n_nodes);
void lives_free(struct engine *engine, size_t n_nodes);
