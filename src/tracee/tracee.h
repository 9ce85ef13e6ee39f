/* Mechanism: other processes, stopped and resumed one thread at a time.
 *
 * A tracee runs under ptrace with a seccomp filter. The filter lets a few harmless system calls
 * through; every other one stops the thread before it happens, and the owner decides: finish it
 * with a result of its own (tracee_finish), run this or another call for real in the tracee
 * (tracee_call), or leave the thread stopped. This room knows nothing of what calls mean.
 *
 * All functions belong to the thread that spawned the tracees: ptrace is bound to it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>
#include <sys/user.h>

#include "base/err.h"

/* An address in a tracee: it cannot be dereferenced by accident. */
struct taddr {
    uint64_t v;
};
#define TADDR(x) ((struct taddr){(uint64_t)(x)})

/* ---- the page that every tracee shares with its owner ---- */
/* Mapped at a fixed address in every process, kept through exec. The clock functions of the vDSO
 * are replaced by code that reads and advances `now_ns` here, so that reading the clock does not
 * stop the thread.
 *
 * A program can write to the data and to the scratch part whatever it likes, so nothing that is
 * read there may be believed. The code belongs to a file that it has open only for reading, and the
 * filter stops every call that could take the pages away or put others in their place. */
#define TRACEE_PAGE_ADDR  UINT64_C(0x70000000)
#define TRACEE_PAGE_BYTES 16384
#define TRACEE_CODE       4096 /* offset of the code */
#define TRACEE_SCRATCH    8192 /* offset of the part that holds arguments of injected calls */
/* Whether a range of addresses holds some of these pages. */
static inline bool tracee_page_in(uint64_t from, uint64_t bytes)
{
    uint64_t end = TRACEE_PAGE_ADDR + TRACEE_PAGE_BYTES;
    return from < end && (from >= TRACEE_PAGE_ADDR || bytes > TRACEE_PAGE_ADDR - from);
}
enum { TRACEE_SLEEPS = 60 };
struct tracee_sleep { /* that has not stopped its thread */
    uint64_t now_ns;  /* when it began, and clock reads so far */
    uint64_t reads;
    uint64_t a[5]; /* the call's arguments */
    uint64_t ns;
};
struct tracee_page {
    uint64_t now_ns;      /* monotonic clock of the tracee; a read of the clock adds to it */
    uint64_t spin;        /* clock reads since the owner reset it: many make each read cost more */
    uint64_t reads;       /* clock reads in all */
    uint64_t epoch_ns;    /* realtime = now_ns + epoch_ns */
    uint64_t read_ns;     /* what one read costs */
    uint64_t spin_shift;  /* cost is doubled each time `spin` passes a multiple of 1 << this */
    uint64_t double_most; /* doublings at most */
    uint64_t
        sleep_until_ns; /* nanosleep that passes through the page and ends before does not stop */
    uint64_t sleep_ns;  /* of one that does: how long, where that is known; the owner clears it */
    uint64_t sleeps;    /* that have not stopped, since the owner reset it */
    /* A call that passed through the page: its number (0: none; the owner clears it), the address
     * after it, and its result, which the owner sets. */
    uint64_t call_nr, call_after;
    int64_t call_result;
    uint64_t due_ns; /* a clock read that would reach this makes a system call instead */
    uint64_t unused[2];
    struct tracee_sleep sleep[TRACEE_SLEEPS];
    uint64_t call_a[6];
};
struct tracee_shared {
    int fd;               /* of the memory file */
    int code_fd;          /* of the one with the code: only for reading */
    int give_fd, take_fd; /* ends of a socket: ours, and the one that tracees have (tracee_give) */
    union {
        struct tracee_page *page;
        uint8_t *bytes; /* TRACEE_PAGE_BYTES of them */
    };
};
/* From now on the call at whose stop the thread stands passes through the page, whenever it is made
 * there: call_nr tells at the stop, and registers need not be read or written. False when that
 * cannot be done. */
bool tracee_call_inside(pid_t tid, const struct tracee_shared *shared,
                        const struct user_regs_struct *regs);
/* At a stop: whether the call came through the page, whatever the page itself says; then its number
 * and the address after it. The kernel tells which instruction it was. */
struct tracee_page_call {
    uint64_t after;
    long nr;
};
bool tracee_page_call(pid_t tid, const struct tracee_shared *shared, struct tracee_page_call *ret);
/* A thread that stands at such a stop is put where it would stand without the page, with these
 * arguments: its registers. */
bool tracee_call_plain(pid_t tid, const struct tracee_page_call *call, const uint64_t args[6],
                       struct user_regs_struct *ret_regs);
MUST_USE int tracee_shared_init(struct tracee_shared *shared, struct err *err);
void tracee_shared_done(struct tracee_shared *shared);

/* ---- speed ---- */
/* Tracees cannot read the time stamp counter. When their owner cannot either, switching between
 * them leaves a control register alone, which halves the price of a stop on virtual machines. While
 * it is on, the caller must not read clocks but by tracee_clock_ns, nor start processes. */
void tracee_same_counter(bool on);
uint64_t tracee_clock_ns(void);    /* monotonic */
uint64_t tracee_cpu_ns(pid_t pid); /* that a process has used of the processor */
/* Without a SIGCHLD for each stop, which nobody wants, a stop is a little cheaper. */
void tracee_no_stop_signals(bool on);

/* ---- the filter ---- */
enum { TRACEE_SYSCALLS = 512 };
/* How the filter treats a call: stop, let it pass, or by its arguments. */
enum tracee_rule {
    TRACEE_STOP,
    TRACEE_PASS,
    TRACEE_PASS_PRIVATE,   /* mmap: passes when it is anonymous, private and reserved, does not grow
                              by   itself, and spares the shared page */
    TRACEE_PASS_NOT_FREE,  /* madvise: stops for MADV_FREE, and where it concerns the shared page */
    TRACEE_PASS_ELSEWHERE, /* munmap, mprotect: stops where it concerns the shared page */
    TRACEE_PASS_PAGES,     /* brk: stops unless the address is that of a page */
    TRACEE_PASS_MOVE       /* mremap: the same, and for a new address or the first stack */
};

/* A program that has no path is executed through this descriptor of the tracee. */
#define TRACEE_EXEC_FD 1001

/* ---- the cage ---- */
/* What a tracee meets if a system call should ever slip past its owner; see cage.c. */
enum tracee_layer {
    LAYER_USERS = 1,      /* its user is nobody outside */
    LAYER_MOUNTS = 2,     /* the machine's tree is read only, without devices and /proc */
    LAYER_NETWORK = 4,    /* no network */
    LAYER_IPC = 8,        /* no System V objects of others */
    LAYER_PROCESSES = 16, /* no processes of others */
    LAYER_LANDLOCK = 32,  /* no writing to files, no TCP, no signals to others */
    LAYER_PRIVILEGES = 64 /* no new privileges, no capabilities */
};
/* Uses the layers that the system offers; never fails. It belongs to the calling thread, outlives
 * the tracees that were started in it, and goes with the thread. */
struct tracee_cage *tracee_cage_new(void);
void tracee_cage_free(struct tracee_cage *cage); /* accepts NULL */
unsigned tracee_cage_layers(const struct tracee_cage *cage);

/* ---- life ---- */
struct tracee_limits {
    uint64_t data_bytes;  /* private writable memory of a process; 0 = no limit. The owner may lift
                             it later: only the soft limit is set */
    uint64_t stack_bytes; /* also decides where memory is mapped, hence always set */
};
struct tracee_spec {
    const char *path;     /* of the executable */
    int exec_fd;          /* execute this descriptor instead; -1 = none */
    char *const *argv;    /* ends with NULL */
    char *const *envp;    /* ends with NULL */
    const uint8_t *rules; /* [TRACEE_SYSCALLS], enum tracee_rule */
    const struct tracee_shared *shared;
    struct tracee_limits limits;
    struct tracee_cage *cage; /* NULL: none */
    bool unguarded;           /* without the filter: see tracee_guard */
};
/* Starts a program and stops it before its first instruction, with tracee_prepare still to be
 * called. ERR_NOT_FOUND when it cannot be executed; ERR_UNSUPPORTED when the system forbids to
 * trace. */
MUST_USE int tracee_spawn(const struct tracee_spec *spec, pid_t *ret_pid, struct err *err);
/* To be called after spawn and at every STOP_EXEC: maps the shared page, replaces the vDSO's
 * clocks, writes `random` where AT_RANDOM points. With hide_cpuid the instruction CPUID will raise
 * SIGSEGV, where the processor can do that; ret_hidden says whether it does. ERR_UNSUPPORTED for a
 * program of 32 bits. */
MUST_USE int tracee_prepare(pid_t tid, const uint8_t random[16], bool hide_cpuid, bool *ret_hidden,
                            struct err *err);
/* Private writable memory that the process may have from now on; 0 = no limit. False: not changed.
 */
bool tracee_limit_data(pid_t pid, uint64_t bytes);
/* Ends a process for good; its threads must be collected with tracee_reap. A number that is not, or
 * no longer, that of a child or tracee of ours is left alone. */
void tracee_kill(pid_t pid);
/* Waits until the killed or exited thread is gone. */
void tracee_reap(pid_t tid);

/* ---- stops ---- */
enum stop_kind {
    STOP_SYSCALL,     /* before a system call that the filter stops */
    STOP_EXEC,        /* a new program is in place */
    STOP_SIGNAL,      /* signal `sig` is about to be delivered */
    STOP_GONE,        /* the thread does not exist any more; `status` as of wait(2) */
    STOP_INTERRUPTED, /* a signal reached the owner while it waited: the thread still runs */
};
struct stop {
    enum stop_kind kind;
    int sig;
    int status;
    bool step; /* free for the owner: it had asked for one instruction */
};
/* Lets a stopped thread run; sig is delivered to it, if not 0. */
void tracee_resume(pid_t tid, int sig);
/* Lets it execute one instruction: the next stop is STOP_SIGNAL with SIGTRAP, unless something else
 * stops it before. */
void tracee_step(pid_t tid, int sig);
/* Waits until the running thread stops. */
void tracee_wait(pid_t tid, struct stop *ret_stop);
/* Stops a thread that runs (it spins): the next stop is STOP_SIGNAL with SIGSTOP. */
void tracee_interrupt(pid_t tgid, pid_t tid);

/* Both are false when the thread was killed under us. */
bool tracee_regs_get(pid_t tid, struct user_regs_struct *ret_regs);
bool tracee_regs_set(pid_t tid, const struct user_regs_struct *regs);
/* Floating point and vector registers as the processor saves them; bytes, 0 when it is gone. */
enum { TRACEE_XSTATE_BYTES = 16384 };
size_t tracee_xstate(pid_t tid, uint8_t to[TRACEE_XSTATE_BYTES]);
/* The same, all parts noted as in use. Whether a part that holds only zeros is (XSTATE_BV) depends
 * on the processor and on interrupts, so nothing that must be the same in each run may rest on it.
 * The values are there in either case. */
size_t tracee_xstate_plain(pid_t tid, uint8_t to[TRACEE_XSTATE_BYTES]);
/* From now on all parts are in use: for what the kernel or the program writes down next. */
void tracee_xstate_use_all(pid_t tid);
bool tracee_fpregs_get(pid_t tid, struct user_fpregs_struct *ret_regs);
bool tracee_fpregs_set(pid_t tid, const struct user_fpregs_struct *regs);
/* At STOP_SYSCALL, or after tracee_call: the stopped call is not made and returns `result`. */
void tracee_finish(pid_t tid, const struct user_regs_struct *regs, int64_t result);
/* The same, but the call is made again from the start. */
void tracee_restart(pid_t tid, const struct user_regs_struct *regs);

/* The same, and runs the thread to the stop before its call. False: it is gone. */
bool tracee_rearm(pid_t tid, const struct user_regs_struct *regs);

/* ---- calls made for real, in the tracee ---- */
struct tracee_call {
    pid_t tid;
    const struct user_regs_struct *regs; /* at the stop */
    bool used;   /* false: still before the stopped call, which the first injected one replaces */
    uint64_t at; /* of the instruction that the others use; 0: the one in the shared page */
};
/* Runs one system call in the thread and returns its result. Afterwards the thread must be
 * finished or restarted. -ESRCH when the thread died: also when something else was about to happen
 * than the call that was asked for, for which the process is killed. */
int64_t tracee_call(struct tracee_call *call, long nr, const uint64_t args[6]);
/* The same for clone: on success the child is stopped before its first instruction. */
int64_t tracee_call_clone(struct tracee_call *call, const uint64_t args[5], pid_t *ret_child);
/* At STOP_SYSCALL: runs the stopped call for real, with the registers given (they may differ);
 * returns its result and leaves the thread stopped after it. */
int64_t tracee_run_native(pid_t tid, const struct user_regs_struct *regs);

/* Gives one of our descriptors to the thread's process: its number there, or -errno. Without
 * `writable` it can only be read there. It is closed by exec. The scratch part of the shared page
 * is used. */
int64_t tracee_give(struct tracee_call *call, const struct tracee_shared *shared, int fd,
                    bool writable);

/* ---- many calls, in a process that has not begun ---- */
/* Of a process that was spawned unguarded: nothing of its program may be executed before
 * tracee_guard, which gives it the filter. Its calls do not stop, so that many can be made at once:
 * one after the other, each with its result. What they point to may be put into `data`, which is at
 * TRACEE_BATCH_DATA while they run. The scratch part of the shared page is used. */
enum { TRACEE_BATCH_CALLS = 92, TRACEE_BATCH_BYTES = 2048 };
struct tracee_batched {
    uint64_t nr, args[6];
    int64_t result;
};
struct tracee_batch {
    struct tracee_batched calls[TRACEE_BATCH_CALLS];
    uint8_t data[TRACEE_BATCH_BYTES];
    size_t n;
};
#define TRACEE_BATCH_DATA (TRACEE_PAGE_ADDR + TRACEE_SCRATCH + offsetof(struct tracee_batch, data))
/* False: the process is gone. The call must have been `used`. */
bool tracee_batch_run(struct tracee_call *call, const struct tracee_shared *shared,
                      struct tracee_batch *batch);
/* Afterwards it is as any other. False: it has no filter, and must be ended. */
bool tracee_guard(struct tracee_call *call, const struct tracee_shared *shared,
                  const uint8_t *rules);

/* execve by a process with several threads: the filtered call of thread tid, whose registers are
 * set, is made. On success all others are gone, collected, and process `tgid` stands at STOP_EXEC;
 * 0 is returned. Otherwise the error, with the thread stopped after the call. */
int64_t tracee_exec_threads(pid_t tid, pid_t tgid, const pid_t *others, size_t n);

/* ---- copies of stopped processes ---- */
struct tracee_thread {
    pid_t tid;
    const struct user_regs_struct *regs; /* at its STOP_SYSCALL */
    const uint64_t *altstack;            /* stack_t, or NULL */
};
/* Copies a process whose threads all stand at STOP_SYSCALL; threads[0] is its first. Memory is
 * shared until written. The copies stand at the same stops. The scratch part of the shared page is
 * used. -errno, with nothing left behind, when it fails. */
int tracee_copy(const struct tracee_thread *threads, size_t n, const struct tracee_shared *shared,
                pid_t *ret_tids);
/* A thread as it was written down. */
struct tracee_saved {
    const struct user_regs_struct *regs;
    const uint64_t *altstack; /* or NULL */
    const void *xstate;       /* of tracee_xstate */
    size_t xstate_n;
    uint64_t mask; /* of signals */
};
/* Makes threads in a process that stands at a stop; threads[0] is the one that it has. Afterwards
 * they stand at STOP_SYSCALL. 0 or -errno: then the process is killed, and threads[0] is to be
 * collected. */
int tracee_make_threads(pid_t pid, const struct tracee_saved *threads, size_t n,
                        const struct tracee_shared *shared, pid_t *ret_tids);
/* Gives a thread the floating point and vector registers and the signal mask of another. */
bool tracee_same_state(pid_t from, pid_t to);
/* The same from what was kept of tracee_xstate and tracee_sigmask_get. */
bool tracee_put_state(pid_t tid, const void *xstate, size_t n, uint64_t mask);

/* ---- memory ---- */
struct iovec;
/* Number of bytes moved, which is smaller than asked when the rest is not mapped. */
size_t tracee_read(pid_t tid, struct taddr from, void *to, size_t bytes);
size_t tracee_write(pid_t tid, struct taddr to, const void *from, size_t bytes);
/* Reads up to a NUL, at most size - 1 bytes; always ends with a NUL. -EFAULT, -ENAMETOOLONG. */
int tracee_read_string(pid_t tid, struct taddr from, char *to, size_t size);
/* Writes even where the tracee may not, such as code. */
bool tracee_poke(pid_t tid, struct taddr to, const void *from, size_t bytes);

/* Pages of memory that a process has of its own, written and not a file's: their addresses, in
 * order. The lowest bit is set where nobody else has the same page, or where that is not known: one
 * without it was not written since the latest copy was made of the process. Where the kernel can
 * tell (exact), pages of zeros that were only read are left out. 0 or -errno. */
struct tracee_pages {
    uint64_t *v;
    size_t n, cap;
};
MUST_USE int tracee_pages(pid_t pid, bool exact, struct tracee_pages *ret);
/* The same through a descriptor of /proc/PID/pagemap. */
MUST_USE int tracee_pages_through(int fd, pid_t pid, bool exact, struct tracee_pages *ret);

/* ---- signals ---- */
bool tracee_sigmask_get(pid_t tid, uint64_t *ret_mask);
void tracee_sigmask_set(pid_t tid, uint64_t mask);
/* Makes a signal pending in the real thread: the next resume stops with STOP_SIGNAL. */
void tracee_signal(pid_t tgid, pid_t tid, int sig);
/* siginfo of the signal that is about to be delivered. */
bool tracee_siginfo_set(pid_t tid, const void *siginfo, size_t bytes);
