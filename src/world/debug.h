/* Looking into the programs of a world, and stopping them inside of what they do: what a debugger
 * needs. Looking changes nothing; breakpoints and steps do not either, since only one thread runs
 * at a time and the clock of the world stands still meanwhile. Writing does: a replay may then go
 * another way, and will say so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/user.h>

struct world;
struct strbuf;

struct debug_thread {
    int pid, tid; /* as the node numbers them */
    char name[16];
    const char *exe;  /* of its process, as the node sees it */
    const char *call; /* that it waits in; NULL: it does not wait */
};
/* Threads of a node, by birth. Fills at most cap, returns how many there are. */
size_t debug_threads(const struct world *world, uint32_t node, struct debug_thread *ret,
                     size_t cap);

struct debug_regs {
    struct user_regs_struct general;
    struct user_fpregs_struct fp;
};
/* False: there is no such thread. */
bool debug_regs_get(const struct world *world, uint32_t node, int tid, struct debug_regs *ret);
bool debug_regs_set(struct world *world, uint32_t node, int tid, const struct debug_regs *regs);

/* Memory of a process, as if there were no breakpoints. Bytes moved. */
size_t debug_read(const struct world *world, uint32_t node, int pid, uint64_t from, void *to,
                  size_t n);
size_t debug_write(struct world *world, uint32_t node, int pid, uint64_t to, const void *from,
                   size_t n);
/* What the kernel told the program about itself (/proc/PID/auxv). */
void debug_auxv(const struct world *world, uint32_t node, int pid, struct strbuf *out);

struct debug_stop {
    int tid;
    int sig; /* SIGTRAP: a breakpoint or the end of a step; else a fault of the program */
};
/* Called in the middle of world_settle, with the thread stopped. It may look, write, set
 * breakpoints and ask for steps; false ends the run with ERR_INTERRUPTED. */
typedef bool (*debug_stop_fn)(void *arg, const struct debug_stop *stop);
/* One process at a time. fn == NULL: no longer; breakpoints are taken away. */
void debug_attach(struct world *world, uint32_t node, int pid, debug_stop_fn fn, void *arg);
/* False: nothing is mapped there, or there are too many. */
bool debug_break(struct world *world, uint64_t addr, bool on);
/* The thread stops again after its next instruction; tid 0: no thread does. */
void debug_step(struct world *world, int tid);
