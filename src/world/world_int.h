/* Private to the world room: the simulated kernel's objects.
 *
 * Everything here lives in world->heap (see heap.h) except struct engine, which holds what belongs
 * to the machine and not to the simulation. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "tracee/tracee.h"
#include "world/debug.h"
#include "world/heap.h"
#include "world/world.h"

#define NEVER_NS UINT64_MAX
#define INIT_PID 1 /* parent of a node's first process; it does nothing */
/* The clock starts here, since programs take zero for "never". */
#define START_NS UINT64_C(1000000000000)
/* 2026-01-01 00:00:00 UTC at the start. */
#define EPOCH_NS (UINT64_C(1767225600000000000) - START_NS)
#define CALL_NS  UINT64_C(1000)    /* what a system call costs */
#define TURN_NS  UINT64_C(1000000) /* with work as time: for a thread while others could run */
enum { DOUBLE_MOST = 10 };         /* clock reads in succession cost up to CALL_NS << this */
enum { BOTHERED_SHIFT = 7 };       /* so many of them (1 << this) double the cost */

/* What a handler of a system call returns besides a result or a negative errno. */
enum {
    CALL_BLOCK = -100000,  /* the thread waits; the handler will be called again */
    CALL_NATIVE = -100001, /* let the kernel do it, result unseen */
    CALL_GONE = -100002,   /* the thread does not exist any more */
    CALL_STOP = -100003,   /* the run ends; world->engine->err says why */
    CALL_RESUMED = -100004 /* registers are already set */
};

struct node;
struct proc;
struct thread;
struct file;
struct inode;
struct sock;
struct conn;

/* ---- the machine's side: not part of a snapshot ---- */
enum { DEBUG_BREAKS = 256 };
struct debug { /* see debug.c */
    uint32_t node;
    int pid;
    debug_stop_fn fn;
    void *arg;
    struct debug_break {
        uint64_t addr;
        uint8_t old;
    } breaks[DEBUG_BREAKS];
    size_t n;
    int step;        /* thread that stops after one instruction; 0 = none */
    uint64_t lifted; /* breakpoint that is not in place just now; 0 = none */
};
struct engine {
    struct err err;
    char *dir;
    const volatile sig_atomic_t *interrupted;
    uint8_t rules[TRACEE_SYSCALLS];
    uint8_t allow[TRACEE_SYSCALLS];
    struct strmap host; /* path -> struct host_entry, what the real file system holds */
    uint8_t *buf;       /* for data on its way between tracees and objects */
    int trace_fd;
    int write_errno; /* of the first write to a log or trace that failed; 0: none did */
    world_output_fn on_output;
    void *output_arg;
    world_packet_fn on_packet;
    world_sync_fn on_sync;
    void *sync_arg;
    void *packet_arg;
    world_choice_fn on_choice;
    bool sleepers; /* deadlines of threads are events of their own */
    void *choice_arg;
    struct heap *heap;
    struct debug debug;
    bool held;        /* by world_hold */
    uint64_t sure_ns; /* until then, what is due first comes next; 0 = not promised */
    uint64_t stop_ns; /* see world_stop_at; NEVER_NS = never */
    struct computation *computations; /* that are known to be long */
    size_t n_computations;
    struct computation found;    /* a new one, or a longer one; ns = 0: none */
    struct templates *templates; /* borrowed; NULL: every program is loaded */
    bool bare;                   /* no cage */
    struct tracee_cage *cage; /* made when the first program is loaded; or the templates have it */
    struct recording *recording; /* of a program's first part, for a template; or NULL */
    enum hwrand_way hwrand_way;
    struct hwrand *hwrand;   /* what is known about files with random instructions; or NULL */
    struct live_node *lives; /* [node], see copies.c */
    int beat_signal;         /* see world_spec */
    timer_t beat;            /* with it */
    bool beats;
};
enum { ENGINE_BUF = 1 << 20 };

/* ---- waiting does not last for ever (heart.c) ---- */
MUST_USE int heart_start(struct world *w, struct err *err);
void heart_stop(struct engine *engine); /* accepts one that was not started */

/* ---- files in general ---- */
/* Memory of the program that a call reads or writes: the vector of readv and its relatives. */
struct uio {
    struct thread *t;
    uint32_t n;
    size_t total; /* bytes in all */
    size_t done;  /* bytes moved so far */
    struct iovec iov[IOV_MAX];
};

struct file_ops {
    const char *name; /* for /proc/self/fd */
    /* off: position, or NULL to use and advance the file's own. Result: bytes or -errno; -EAGAIN
     * means that it would block. */
    int64_t (*read)(struct world *w, struct file *f, struct uio *u, const int64_t *off);
    int64_t (*write)(struct world *w, struct file *f, struct uio *u, const int64_t *off);
    uint32_t (*poll)(struct world *w, struct file *f); /* EPOLL bits; NULL: always ready */
    void (*release)(struct world *w, struct file *f);  /* the last descriptor was closed */
    int64_t (*ioctl)(struct world *w, struct thread *t, struct file *f, uint64_t cmd, uint64_t arg);
    void (*stat)(struct world *w, struct file *f, struct stat *st);
    struct attrs *(*attrs)(struct file *f); /* of what has no inode; NULL: they cannot be changed */
    bool seekable;                          /* it has an offset, though it is no file */
    bool no_seek;                           /* lseek does nothing, and is no mistake */
    bool no_splice;                         /* it is read and written by whole numbers only */
};
struct attrs {
    uint32_t mode, uid, gid; /* permissions only */
};

/* An open file description. Every kind of object begins with one. */
struct file {
    const struct file_ops *ops;
    struct node *node;
    uint64_t id;
    uint32_t refs;
    int flags; /* O_ACCMODE, O_NONBLOCK, O_APPEND, ... */
    int64_t offset;
    uint64_t seq_in, seq_out; /* grow with each change that edge-triggered epoll reports */
    struct epoll_item *watches;
    char *path;                              /* as opened, for /proc/self/fd; or NULL */
    int flock;                               /* LOCK_SH, LOCK_EX or 0 */
    int owner;                               /* F_SETOWN; below 0: a group of processes */
    int owner_type;                          /* F_OWNER_... */
    int owner_signal;                        /* F_SETSIG, remembered only */
    uint64_t rcv_timeout_ns, snd_timeout_ns; /* of a socket; 0 = none */
    struct listing *listing;                 /* of a directory being read */
    struct file *next_dying;                 /* in file_unref */
};

struct fd_slot {
    struct file *file;
    bool cloexec;
};
struct fd_table {
    uint32_t refs;
    uint32_t n; /* slots allocated */
    uint32_t limit;
    struct fd_slot *slots;
};

struct bytes { /* a queue of bytes */
    uint8_t *p;
    size_t head, n, cap;
};

/* ---- processes ---- */
enum { SIGNALS = 65, SIGNALS_WAITING = 8192 };
struct ksigaction {
    uint64_t handler, flags, restorer, mask;
};
struct sighand {
    uint32_t refs;
    struct ksigaction act[SIGNALS];
};
struct sigqueue {
    struct sigqueue *next;
    int sig;
    uint8_t info[128]; /* siginfo_t */
};
struct cwd {
    uint32_t refs;
    char *path;
    char *root; /* "": that of the node */
    unsigned umask;
};
enum { PLACES_MOST = 12 };
struct mm { /* an address space */
    uint32_t refs;
    uint64_t id;
    /* Where calls are made that could pass through the shared page: those that were looked at. */
    uint64_t places[PLACES_MOST];
    uint32_t n_places;
    /* It has memory that is reserved by no one (MAP_NORESERVE): what it touches counts. */
    bool by_touch;
    uint32_t calls; /* then: since memory was looked at */
};
struct ktimer {
    struct ktimer *next; /* of the node */
    struct node *node;
    uint64_t deadline_ns, interval_ns; /* world time; NEVER_NS = off */
    uint64_t told_ns;                  /* of a file: the deadline that its waiters know of */
    struct proc *proc;                 /* signals go there */
    struct file *file;                 /* or the timerfd */
    int sig, id;
    int clock;
    uint64_t value;
    uint64_t overrun;
    struct thread *thread; /* SIGEV_THREAD_ID */
    bool realtime_abs;
};

enum proc_state { PROC_LIVE, PROC_ZOMBIE };
struct proc {
    struct proc *next; /* of the node, in order of birth */
    struct node *node;
    struct proc *parent;
    enum proc_state state;
    pid_t real; /* process id in the machine */
    int pid, pgid, sid;
    int status; /* of a zombie */
    int exit_signal;
    uint32_t n_threads;
    struct mm *mm;
    struct fd_table *fds;
    struct cwd *cwd;
    struct sighand *hand;
    struct sigqueue *pending;
    struct thread *vfork_parent; /* waits until this process execs or ends */
    bool stopped;                /* by SIGSTOP */
    bool stop_report, cont_report;
    bool execed;
    char comm[16];
    char exec_name[16]; /* what comm is after an exec: from the path as it was given */
    char *exe;
    char *cmdline;
    size_t cmdline_n;
    struct ktimer *itimer; /* ITIMER_REAL and alarm */
    int timers_made;
    struct shm_attach *attaches;
    struct sem_undo *undos;
    bool dumpable;
    int subreaper;
    int death_signal;
    int nice;               /* remembered, without effect */
    uint64_t file_limit[2]; /* RLIMIT_FSIZE: soft, hard */
    uint64_t utime_ns;      /* system calls times their cost */
    uint64_t children_ns;   /* of those that were waited for */
    struct cpu_timer {
        uint64_t due_ns, interval_ns; /* in utime_ns; due 0: off */
    } cpu_timers[2];                  /* ITIMER_VIRTUAL, ITIMER_PROF */
};

enum thread_state { THREAD_RUNNABLE, THREAD_BLOCKED, THREAD_SPINNING, THREAD_DEAD };
/* Users and groups of a thread; shared by threads that have the same. */
enum cred_id { CRED_REAL, CRED_EFFECTIVE, CRED_SAVED, CRED_FS };
struct cred {
    uint32_t refs;
    uint32_t uid[4], gid[4]; /* by enum cred_id */
    bool was_root;           /* when it began */
    uint64_t caps;           /* that were asked for by name */
    uint32_t n_groups;
    uint32_t groups[]; /* sorted */
};
struct thread {
    struct thread *next; /* of the world, in order of birth */
    struct thread *run_next;
    struct proc *proc;
    enum thread_state state;
    bool queued;
    pid_t real;
    int tid;
    uint64_t id;
    struct user_regs_struct regs; /* at the stop */
    uint64_t a[6];                /* arguments of the call */
    long nr;
    bool in_call;   /* a call is waiting for its result: regs are those of its entry */
    bool retry;     /* the handler has blocked before */
    bool timed_out; /* its deadline passed */
    uint64_t deadline_ns;
    bool deadline_real; /* it stands for a time of day: a jump of the clock moves it */
    uint64_t block_order;
    struct sigqueue *pending;
    bool has_tempmask, suspending;
    uint64_t tempmask, tempmask_ptr; /* ppoll and its relatives: mask while blocked */
    /* futex */
    uint64_t futex_key, futex_mm;
    uint32_t futex_bits;
    bool futex_woken, futex_pi;
    uint32_t futex_vector; /* index that was woken, for futex_waitv */
    uint64_t clear_tid;
    uint64_t robust, robust_len;
    struct sigqueue *sending; /* to be handled now: the first is pending in the real thread */
    uint64_t call_cookie, call_seen; /* kept by a handler while it waits */
    uint64_t lock_mark;              /* whose lock is in the way */
    size_t progress;                 /* bytes that a write has moved before it had to wait */
    bool yielded;
    uint64_t polls;    /* with work as time: calls and clock reads that got it nowhere */
    uint64_t utime_ns; /* then: of this thread */
    /* then: the long computation that it is in (0: none), what is still to be charged for it and
     * what was, slices since it began or was last interrupted, and handlers of signals that it is
     * in and that it has returned from */
    struct computation computes;
    uint64_t charged_ns;
    uint32_t slices, handlers, handled;
    bool interrupted;     /* then: its turn goes on */
    uint64_t turn_ns;     /* then: when its turn began */
    uint64_t owed_ns;     /* then: used, and not yet told to its process */
    uint32_t spin_length; /* of the loop it is in, in instructions; 0 = none */
    uint64_t spin_hash;   /* of its registers in one turn */
    uint64_t spin_runs;   /* of the node when it was taken off */
    char comm[16];
    uint64_t slack_ns; /* of its timers: remembered, without effect; 0: as it began */
    struct cred *cred;
    uint64_t altstack[3];
    bool has_altstack;
    bool at_stop;      /* it stands before a call already: there is nothing to run to */
    uint64_t aside;    /* by a choice: the runs of its node until which others come first; 0: not */
    uint64_t quantum;  /* then: calls that it has made of those it is given at once */
    uint64_t ahead_ns; /* of a sleep that is over already for the thread itself; else 0 */
    /* after is not 0: its call came through the shared page; regs are not known */
    struct tracee_page_call page;
    uint64_t page_ns;     /* time that it wants to sleep, where the page tells; else 0 */
    struct proc *tracer;  /* that holds it, or may; or NULL */
    bool held, held_news; /* it must not run; its tracer has not been told yet */
    bool page_done;       /* the call is over for the page, with this result */
    int64_t page_result;
};

/* A thread that is further on than the world. */
struct ahead {
    struct thread *t;  /* or NULL */
    uint64_t until_ns; /* the thread that runs now may go on by itself until then; 0: it may not */
    uint64_t from_ns, from_reads; /* its clock when it began to */
    uint64_t n, at;               /* sleeps that it went through; those that have happened */
    uint64_t end_ns;              /* of the last that happened */
    struct stop stop;             /* where it stands now, and its clock there */
    uint64_t now_ns, reads, spin;
};

/* ---- disk ---- */
enum { PAGE = 4096, SECTOR = 512 };
struct page {
    uint32_t refs;
    uint64_t sum; /* hash of the bytes, once somebody asked; else 0 */
    uint8_t bytes[PAGE];
};
enum { CHUNK_PAGES = 512 };
struct chunk {
    struct page *pages[CHUNK_PAGES];
};
struct fdata { /* contents of a file; missing pages are zero */
    uint64_t size;
    uint64_t used; /* pages that are there */
    uint32_t n;    /* slots in chunks */
    struct chunk **chunks;
};
/* The largest file, as ext4 has it: beyond comes EFBIG. */
#define FILE_MOST ((UINT64_C(1) << 44) - PAGE)
struct dirent_ {
    char *name;
    struct inode *inode;
};
struct dir {
    uint32_t n, cap;
    struct dirent_ *v; /* sorted by name */
};
struct posix_lock {
    struct posix_lock *next;
    struct proc *proc;   /* owner, or */
    struct file *file;   /* open file description lock */
    int64_t begin, last; /* INT64_MAX = to the end */
    int type;
};
enum loss_fate { LOSE_ALL, LOSE_NONE, LOSE_SOME };
struct loss {      /* at a power failure: what becomes of the data that are not durable */
    uint64_t key;  /* decides about each place */
    uint64_t size; /* of the durable file before */
    uint32_t n, i; /* pending operations; those looked at */
    enum loss_fate fate;
    bool size_lost; /* a change of size did not survive */
};
struct inode {
    uint64_t ino;
    uint32_t mode, uid, gid;
    uint32_t nlink;
    uint32_t opens; /* open files, watches and pending operations */
    uint32_t files; /* of those: open files */
    struct node *node;
    bool tmp;                     /* on a tmpfs: nothing survives a crash */
    bool sealable;                /* made by memfd_create, with seals allowed */
    uint32_t seals;               /* F_SEAL_... */
    uint32_t durable_links;       /* names in durable directories */
    uint64_t atime, mtime, ctime; /* node realtime */
    struct fdata data, durable;
    uint64_t charged; /* bytes that count as used on the node's disk */
    struct dir dir, durable_dir;
    char *link;          /* target of a symbolic link */
    struct sock *socket; /* bound here */
    struct fifo *fifo;
    struct posix_lock *locks;
    struct inode *parent; /* of a directory */
    uint64_t memfd_ino;   /* of the memory file, as the machine numbers it */
    int memfd;            /* >= 0: contents live there since a program mapped them shared */
    struct loss loss;
};
enum diskop_kind {
    OP_WRITE,
    OP_SIZE,
    OP_ZERO, /* of a file's data, as the two before and the two after it */
    OP_COLLAPSE,
    OP_INSERT,
    OP_LINK,
    OP_UNLINK,
    OP_RENAME,
    OP_EXCHANGE
};
struct diskop { /* done, not yet durable */
    struct diskop *next;
    enum diskop_kind kind;
    struct inode *inode;      /* file, or target of the name */
    struct inode *other;      /* target of the second name, when they are exchanged */
    struct inode *dir, *dir2; /* of the names */
    char *name, *name2;
    uint64_t off, n; /* n: of the bytes that it holds */
    uint64_t length; /* of what is made zero or moved */
    uint8_t *bytes;
    uint64_t at_ns; /* when it was done, world time of the node */
};
struct mount {
    char *path; /* absolute, without a slash at the end */
    struct inode *root;
};

/* ---- network ---- */
struct addr {
    uint8_t ip[16]; /* IPv4 as ::ffff:a.b.c.d */
    uint16_t port;
};
struct packet {
    struct packet *next;
    uint64_t id;
    enum packet_kind kind;
    struct node *from, *to;
    struct conn *conn;
    int side; /* of the connection that it goes to */
    struct addr src, dst;
    uint64_t at_ns;
    uint32_t tries; /* times it was lost */
    uint64_t read;  /* bytes that its sender has read from the connection, in all */
    bool part;      /* its message goes on */
    bool urgent;    /* its last byte is */
    uint32_t nth;   /* messages before it, of its channel */
    size_t n;
    uint8_t bytes[];
};
struct framer {         /* where in a message a stream is */
    uint64_t at;        /* bytes of the message so far */
    uint64_t total;     /* of the message; 0 = not known yet */
    uint64_t value;     /* of its length field so far */
    uint8_t recent[16]; /* the last bytes, newest last */
    bool broken;        /* these are no messages */
};
struct chan {
    struct packet *head, *tail;
    uint64_t bytes; /* on the way, and held */
    /* With independent events, in all: sent; read by the receiver; told of these to the sender;
     * known to the sender. */
    uint64_t sent, read, told, known;
    uint64_t last_at;  /* nothing overtakes */
    uint32_t messages; /* sent so far */
    struct framer framer;
    struct bytes held; /* of a message that is not complete */
};
struct conn { /* a TCP connection; lives until both ends and all packets are gone */
    struct conn *next;
    uint64_t id;
    struct sock *end[2]; /* 0 = the one that connected */
    struct node *node[2];
    uint32_t incarnation[2]; /* of the node: a packet for an earlier one finds nobody */
    struct addr addr[2];
    struct chan chan[2];                 /* [i]: to side i */
    const struct world_message *message; /* how it is cut; NULL: one packet for each write */
};

/* ---- nodes ---- */
struct node {
    uint32_t index;
    char *name;
    enum node_state state;
    bool client, manual, started;
    bool powered; /* false after a crash, until it is restarted */
    bool changed; /* an object changed: blocked threads look again */
    uint32_t ip;
    char **argv, **env;
    char *cwd;
    int64_t skew_ns, drift_ppm;
    /* Its clocks run at this rate since that moment; drift_ppm until somebody changes it. */
    uint64_t rate_at_ns, rate_mono_ns; /* world time, monotonic clock */
    int64_t rate_ppb;
    struct ntp { /* see ntp.c; as in struct timex */
        int64_t freq, tick, maxerror, esterror, constant;
        int status, tai;
    } ntp;
    uint64_t start_ns;
    uint32_t incarnation;
    int next_pid;
    uint16_t next_port;
    uint64_t next_ino, next_file;
    struct proc *procs;
    struct proc *first; /* the one that was started, or NULL */
    bool ended;
    int status;
    uint32_t starts;
    uint64_t turns; /* of its threads */
    uint32_t n_threads;
    struct ktimer *timers;
    struct mount *mounts;
    uint32_t n_mounts;
    char **shown;
    char *program_dir; /* of the machine, where its program is; or NULL */
    struct diskop *ops, *ops_tail;
    uint64_t ops_bytes;
    uint64_t disk_bytes; /* of its files */
    bool net_used;       /* it has bound a socket, called somebody or sent something */
    long net_failed;     /* the first call that could not open a socket; 0 = none */
    int net_errno;
    struct sock *socks; /* bound or listening, by order */
    struct sock *group_socks;
    struct tracee_shared shared;
    struct rng rng;
    uint64_t log_bytes;
    uint64_t now_ns;     /* with local clocks, while it is not the current node */
    uint64_t calls_hash; /* of the numbers of its system calls since the last event */
    int log_fd;
    bool log_line;         /* a line is open */
    int disk_fault;        /* pending, or -1 */
    uint64_t disk_slow_ns; /* that a sync takes */
    uint64_t memory_most;  /* of a process; 0 = the limit of all */
    bool formatting;       /* changes are durable at once */
    uint64_t inotify_cookie;
    struct inotify *inotifies;
    struct pidfd *pidfds;
    struct tty *ttys;
    struct aio_context *aio;
    struct shm *shms;
    int next_shm;
    struct sem_set *sems;
    struct msg_queue *msgs;
    struct mq *mqs;   /* with names */
    int next_ipc;     /* number of the next set or queue */
    uint64_t runs;    /* grows whenever a thread has run that may have changed memory */
    uint64_t choices; /* among its threads, so far */
    uint64_t writes;  /* grows whenever registers or memory were changed for it */
};

/* What is wrong with the way from one node to another. */
struct link {
    uint64_t slow_ns;     /* more */
    uint64_t bytes_per_s; /* 0 = any */
    uint64_t busy_ns;     /* until then it carries what was sent before */
    uint32_t loss_ppm;
};

struct world {
    struct heap *heap;
    struct engine *engine;
    uint64_t now_ns; /* with local clocks: of clock_node */
    bool local_clocks;
    bool independent;        /* see world_spec */
    uint64_t *sent;          /* then: packets so far, [from * n_nodes + to] */
    bool work;               /* takes time; see work.c */
    bool choices;            /* of threads are events; see order.c */
    bool asked;              /* then: whether the thread that is next should be */
    struct node *choosing;   /* then: one of its threads is to be chosen. Or NULL */
    struct thread *current;  /* that runs on, or is the next; it counts as queued. Or NULL */
    struct node *clock_node; /* whose time now_ns is; NULL: all have the same */
    uint64_t hash;
    uint64_t seed;
    struct world_limits limits;
    struct world_net net;
    enum sched_order order;
    bool strict_disk;
    uint64_t writeback_ns;
    struct rng rng, sched_rng;
    uint32_t n_nodes;
    struct node **nodes;
    struct thread *threads, *threads_tail;
    struct thread *run_head, *run_tail;
    struct packet *datagrams, *datagrams_tail;
    struct conn *conns, *conns_tail;
    uint8_t *cut;       /* [from * n_nodes + to] */
    struct link *links; /* the same */
    uint64_t next_id, next_thread, next_mm, next_block, next_packet;
    uint64_t stints;                 /* threads were resumed so many times */
    uint64_t busy;                   /* calls since the world was quiet */
    uint64_t file_bytes;             /* of the heap: contents of files */
    struct file *dying, *dying_tail; /* nobody has them any more */
    struct ahead ahead;
    bool holding;           /* some channel holds bytes */
    struct page *unwritten; /* see sparse.c */
    struct world_counts counts;
};

/* ---- fault.c ---- */
void links_init(struct world *w);
void link_set(struct world *w, const struct event *event);
void link_heal(struct world *w, uint32_t from, uint32_t to);
uint64_t link_delay(struct world *w, const struct packet *p, struct rng *rng);
bool link_loses(struct world *w, const struct packet *p, struct rng *rng);
int64_t disk_wait(const struct world *w, struct thread *t); /* 0: go on */
uint64_t memory_most(const struct world *w, const struct node *node);
void memory_limit(struct world *w, struct node *node, int64_t bytes);
struct proc *proc_victim(const struct node *node, const struct event *event); /* or NULL */
void proc_kill_one(struct world *w, const struct event *event);

/* ---- order.c ---- */
struct thread **order_place(struct world *w, const struct thread *t); /* NULL: the end */
bool order_pauses(const struct world *w, const struct thread *t, enum stop_kind kind);
bool order_asks(struct world *w, struct thread *next); /* true: somebody wants to choose */
bool order_open(struct world *w);                      /* and still has to */
void order_each(const struct world *w, void (*fn)(void *arg, const struct event *), void *arg);
bool order_enabled(const struct world *w, const struct event *event);
void order_take(struct world *w, const struct event *event);

/* ---- world.c ---- */
int64_t stop_run(struct world *w, enum err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))); /* CALL_STOP */
static inline void hash_u64(struct world *w, uint64_t v)
{
    w->hash = hash_combine(w->hash, v);
}
static inline void hash_data(struct world *w, const void *p, size_t n)
{
    w->hash = hash_bytes(p, n, w->hash);
}
int node_boot(struct world *w, struct node *node, struct err *err);
void node_power_off(struct world *w, struct node *node);
void node_output(struct world *w, struct node *node, int fd, const char *text, size_t n);
/* To a log or a trace; the first failure is kept for world_write_error. */
void engine_write(struct world *w, int fd, struct str text);

/* ---- sched.c ---- */
void thread_queue(struct world *w, struct thread *t);
void thread_queue_first(struct world *w, struct thread *t); /* it could run, and is not queued */
void thread_unqueue(struct world *w, struct thread *t);     /* it is */
struct thread *thread_new(struct world *w, struct proc *proc, pid_t real, int tid);
void thread_free_dead(struct world *w);
/* Completes the call that a blocked or stopped thread is in. */
void thread_complete(struct world *w, struct thread *t, int64_t result);
/* The call will be made again from its start. */
void thread_restart(struct world *w, struct thread *t);
/* Makes regs those of the call's entry, and the thread stand there, if its call came through the
 * shared page. */
void thread_plain(struct thread *t);
int sched_run(struct world *w, struct err *err);

/* ---- ahead.c ---- */
/* Before a thread is resumed: whether, and until when, its sleeps need not stop. */
void ahead_allow(struct world *w, const struct thread *t);
/* After a stop: takes what the thread has gone through, if anything. False: what the page says
 * cannot have happened. */
bool ahead_begin(struct world *w, struct thread *t, const struct stop *stop);
/* The next stop of a thread that is ahead of the world. False: it is not. */
bool ahead_next(struct world *w, struct thread *t, struct stop *ret);

/* ---- work.c ---- */
void work_known(struct world *w, const struct world_spec *spec);
/* Whether an event is due now, with work as time. */
bool work_due(const struct world *w, const struct thread *t);
/* When a thread that runs must stop, by the monotonic clock of its node; NEVER_NS without work as
 * time. Whether it must make room for others. */
uint64_t work_clock_due(const struct world *w, const struct thread *t);
bool work_turn_over(const struct world *w, const struct thread *t);
void work_call(struct world *w, struct thread *t);  /* a call costs time */
void work_result(struct thread *t, int64_t result); /* what it has led to */
/* The thread is about to be resumed, with a signal or 0. True: it was, for a slice of a long
 * computation, and has executed that (STOP_INTERRUPTED), or something else has stopped it. */
bool work_slice(struct world *w, struct thread *t, int pass, struct stop *ret);
void work_signal(struct thread *t); /* a handler begins */
void work_over(struct thread *t);   /* it makes a call: the computation, or a handler, ends */
/* Whether a computation has used so much of the processor that it must be charged for, or more than
 * it was: the run has failed then. */
bool work_too_long(struct world *w, struct thread *t, uint64_t used_ns);
/* An instruction that reads the clock: what it costs, at first. */
void work_read(struct world *w, struct thread *t, uint64_t base_ns);

/* ---- clock.c ---- */
uint64_t node_timer(const struct node *node); /* the first that somebody waits for */
/* Whether so much time can have passed by reading the clock so many times. */
bool reads_took(uint64_t reads, uint64_t ns);
uint64_t node_mono(const struct node *node, uint64_t world_ns);
uint64_t node_real(const struct node *node, uint64_t world_ns);
uint64_t node_until(const struct node *node, uint64_t mono_ns); /* world time of that moment */
uint64_t deadline_after(const struct world *w, const struct node *node, uint64_t ns);
uint64_t deadline_at(const struct node *node, int clock, uint64_t ns);
struct ktimer *timer_new(struct world *w, struct node *node);
void timer_free(struct world *w, struct ktimer *timer);
void timers_expire(struct world *w, struct node *node);         /* those that are due */
void proc_use(struct world *w, struct proc *proc, uint64_t ns); /* of processor time */
uint64_t node_deadline(const struct world *w, const struct node *node);
void node_fire(struct world *w, struct node *node); /* deadlines up to now */
/* Of one thread that waits; NEVER_NS: it does not. */
uint64_t thread_deadline(const struct world *w, const struct node *node, uint64_t tid);
void sleeper_fire(struct world *w, struct node *node, uint64_t tid);
/* The node's timers, and each of its threads that waits until some time. */
void sleepers_each(const struct world *w, const struct node *node,
                   void (*fn)(void *arg, const struct event *), void *arg);
int64_t timer_set(struct world *w, struct thread *t, struct ktimer *timer, bool absolute,
                  const uint64_t pointers[2]); /* new and old struct itimerspec */
int64_t timer_get(struct world *w, struct thread *t, struct ktimer *timer, uint64_t pointer);
void node_jump(struct world *w, struct node *node, int64_t ns);
/* Makes world->now_ns the time of a node, where each has its own. */
void clock_enter(struct world *w, struct node *node);
uint64_t node_now(const struct world *w, const struct node *node); /* world time, as it sees it */
void sleep_interrupted(struct world *w, struct thread *t);
/* How often it expired since it was last asked; 1 at least when it is due. */
uint64_t timer_overruns(struct world *w, struct ktimer *timer);

void ntp_init(struct node *node); /* ntp.c: its drift is known */
void ntp_power_off(const struct world *w, struct node *node);

/* ---- memory of programs (usermem.c) ---- */
bool mem_read(struct thread *t, uint64_t from, void *to, size_t n);
bool mem_write(struct thread *t, uint64_t to, const void *from, size_t n);
int64_t mem_path(struct thread *t, uint64_t from, char path[PATH_MAX]); /* 0 or -errno */
int64_t mem_timespec(struct thread *t, uint64_t from, uint64_t *ret_ns);
int64_t uio_init(struct uio *u, struct thread *t, uint64_t base, uint64_t n);
int64_t uio_init_vec(struct uio *u, struct thread *t, uint64_t iov, uint64_t n);
size_t uio_put(struct uio *u, const void *from, size_t n); /* to the program; bytes moved */
size_t uio_get(struct uio *u, void *to, size_t n);
static inline size_t uio_left(const struct uio *u)
{
    return u->total - u->done;
}

/* ---- blocking ---- */
static inline int64_t block_until(struct thread *t, uint64_t deadline_ns)
{
    if (!t->retry) {
        t->deadline_ns = deadline_ns;
    }
    return CALL_BLOCK;
}
static inline int64_t block(struct thread *t)
{
    return block_until(t, NEVER_NS);
}

/* ---- file.c ---- */
uint64_t id_new(struct world *w, struct node *node); /* of a file or connection */
void *file_new(struct world *w, struct node *node, const struct file_ops *ops, size_t bytes,
               int flags);
void file_ref(struct file *f);
void file_unref(struct world *w, struct file *f);
void file_changed(struct world *w, struct file *f, bool in, bool out);
uint32_t file_poll(struct world *w, struct file *f);
/* NULL: no such descriptor, or one of O_PATH, which few calls take; fd_get_any takes that, too. */
struct file *fd_get(struct thread *t, uint64_t fd);
struct file *fd_get_any(struct thread *t, uint64_t fd);
int64_t fd_add(struct world *w, struct proc *proc, struct file *f, bool cloexec, uint64_t from);
bool fd_room(const struct proc *proc); /* whether there is a descriptor left: asked first, by calls
                                        * that do more than make one */
void fd_close(struct world *w, struct proc *proc, uint64_t fd);
bool file_seekable(const struct file *f);
void file_tell_owner(struct world *w, const struct file *f, int signal); /* F_SETOWN */
int64_t lock_fcntl(struct world *w, struct thread *t, struct file *f);
struct fd_table *fd_table_new(struct world *w);
struct fd_table *fd_table_copy(struct world *w, const struct fd_table *from);
void fd_table_unref(struct world *w, struct fd_table *table, struct proc *proc);
void fd_table_exec(struct world *w, struct proc *proc);
void bytes_put(struct world *w, struct bytes *b, const void *p, size_t n);
void bytes_drop(struct world *w, struct bytes *b, size_t n);
void bytes_done(struct world *w, struct bytes *b);
char *heap_strdup(struct world *w, const char *text);
struct file *console_new(struct world *w, struct node *node, int fd);

/* ---- process.c, signal.c, futex.c ---- */
struct proc *proc_new(struct world *w, struct node *node, struct proc *parent, pid_t real);
struct proc *proc_find(const struct node *node, int pid);
struct thread *thread_find(const struct world *w, const struct node *node, int tid);
void proc_exit(struct world *w, struct proc *proc, int status); /* the whole process ends */
void proc_kill_node(struct world *w, struct node *node, bool orderly);
/* A new program is in place: the process itself is made ready, or CALL_STOP; then the rest. */
int64_t proc_prepare(struct world *w, struct thread *t);
void proc_exec_done(struct world *w, struct thread *t);
void thread_exit(struct world *w, struct thread *t);
struct mm *mm_new(struct world *w);
void mm_unref(struct world *w, struct mm *mm);
void vfork_release(struct proc *proc); /* its parent goes on */
/* exec.c */
struct first_program {
    char path[PATH_MAX];  /* to execute, if fd < 0 */
    char exe[PATH_MAX];   /* what the program is, for itself */
    char given[PATH_MAX]; /* its path, before scripts were taken apart */
    char **argv;
    int fd;         /* of ours, to execute instead: the program is on the node's disk; or -1 */
    bool unguarded; /* as tracee_spec's */
};
void exec_name(struct proc *proc, const char *given);
/* Starts it and stops it before its first instruction; world.c. */
MUST_USE int node_load(struct world *w, struct node *node, const struct first_program *program,
                       char **envp, pid_t *ret_real, struct err *err);
int first_program(struct world *w, struct node *node, struct first_program *ret, struct err *err);
void signal_send(struct world *w, struct proc *proc, struct thread *t, const void *siginfo);
void signal_send_simple(struct world *w, struct proc *proc, int sig, int code, int pid);
bool signal_deliver(struct world *w, struct thread *t); /* false: the process ended */
/* A stop for a signal: whether it is the one that was sent; then the next one is. */
bool signal_stopped(struct world *w, struct thread *t, int sig);
void signal_check_blocked(struct world *w, struct thread *t);
uint64_t signal_pending_mask(const struct thread *t);
uint64_t thread_mask(struct thread *t);
struct sigqueue *signal_take(struct thread *t, uint64_t set);
void sigqueue_free_all(struct world *w, struct sigqueue **queue);
int64_t tempmask_set(struct thread *t, uint64_t pointer, uint64_t size);
bool tempmask_lets_in(
    const struct thread *t); /* a signal that ends the call though its time is over */
void signalfd_notify(struct world *w, struct proc *proc);
int futex_wake(struct world *w, struct mm *mm, uint64_t addr, uint64_t n, uint32_t bits);
void futex_robust_exit(struct world *w, struct thread *t);

/* ---- pidfd.c ---- */
int64_t pidfd_add(struct world *w, struct thread *t, int pid, int flags); /* the descriptor */
int pidfd_pid(const struct file *f);                                      /* 0: it is none */
void pidfd_notify(struct world *w, const struct proc *proc);              /* it has ended */

/* ---- ptrace.c ---- */
/* A held thread (tid, or any for -1) whose tracer is the caller, and does not know yet. */
struct thread *ptrace_news(const struct world *w, const struct thread *t, int tid, bool *ret_any);
void ptrace_exit(struct world *w, const struct proc *tracer); /* lets go what it holds */

/* ---- fs.c, disk.c, path.c ---- */
struct inode *inode_new(struct world *w, struct node *node, uint32_t mode, bool tmp);
void inode_unref(struct world *w, struct inode *inode);
void inode_collect(struct world *w, struct inode *inode); /* frees it when nobody needs it */
struct inode *dir_set(struct world *w, struct dir *dir, const char *name, struct inode *inode);
struct inode *dir_find(const struct dir *dir, const char *name);
void dir_link(struct world *w, struct inode *dir, const char *name, struct inode *inode);
void dir_unlink(struct world *w, struct inode *dir, const char *name);
void dir_exchange(struct world *w, struct inode *dir, const char *name, struct inode *dir2,
                  const char *name2);
void dir_rename(struct world *w, struct inode *from, const char *name, struct inode *to,
                const char *name2);
int64_t inode_read(struct world *w, struct inode *inode, uint64_t off, void *to, size_t n);
/* These: 0, -ENOSPC or -EFBIG. Whether there is room is for the caller to ask first. */
int64_t inode_room(struct world *w, struct inode *inode, uint64_t off, uint64_t n);
/* How many of the bytes there is room for, from the first on. */
uint64_t inode_fits(struct world *w, struct inode *inode, uint64_t off, uint64_t n);
int64_t inode_write(struct world *w, struct inode *inode, uint64_t off, const void *from, size_t n);
int64_t inode_truncate(struct world *w, struct inode *inode, uint64_t size);
void inode_charge(struct inode *inode); /* after its contents were changed in another way */
/* Where the next data are, at this place or behind it; UINT64_MAX: nowhere. */
uint64_t inode_data(const struct world *w, struct inode *inode, uint64_t off);
/* Copies the contents to a real file, holes remaining holes; 0 or -errno. */
int inode_copy(struct world *w, struct inode *inode, int fd);
uint64_t inode_size(struct inode *inode);
int64_t file_seals(const struct file *f); /* -EINVAL: it cannot be sealed */
int64_t file_add_seals(const struct file *f, uint32_t seals);
bool seals_forbid_size(struct inode *inode, uint64_t size);
bool seals_forbid_write(struct inode *inode, uint64_t end);
bool dev_is_zero(const struct file *f);
bool host_is_dir(struct world *w, const char *path);
void inode_touch(struct world *w, struct inode *inode, bool modified);
void inode_stat(struct inode *inode, struct stat *st);
void fdata_read(const struct fdata *d, uint64_t off, uint8_t *to, size_t n);
/* Where the next page is, written or reserved; as inode_data. The page with a number, or NULL. */
uint64_t fdata_next(const struct fdata *d, uint64_t off);
const struct page *fdata_page(const struct fdata *d, uint64_t i);
void fdata_write(struct world *w, struct fdata *d, uint64_t off, const void *from, size_t n);
void fdata_truncate(struct world *w, struct fdata *d, uint64_t size);
void fdata_zero(struct world *w, struct fdata *d, uint64_t off, uint64_t n);
void fdata_reserve(struct world *w, struct fdata *d, uint64_t off, uint64_t n);
/* Whole pages at off leave the file, or come in; what is behind moves. */
void fdata_shift(struct world *w, struct fdata *d, uint64_t off, uint64_t n, bool insert);
void fdata_share(struct world *w, struct fdata *to, const struct fdata *from);
void fdata_done(struct world *w, struct fdata *d);
int inode_memfd(struct world *w, struct inode *inode);
uint64_t inode_blocks(const struct inode *inode); /* sparse.c */
/* The next hole or data at or behind off, as lseek finds it. */
int64_t inode_seek(const struct world *w, struct inode *inode, int64_t off, bool hole);
int64_t file_too_big(struct world *w, struct thread *t); /* SIGXFSZ; -EFBIG or CALL_GONE */
void disk_init(struct world *w, struct node *node, const struct world_node *spec);
void disk_sync(struct world *w, struct inode *inode);
void disk_sync_mapped(struct world *w, struct inode *dir); /* mapped files below it */
void disk_sync_all(struct world *w, struct node *node);
void disk_crash(struct world *w, struct node *node, enum crash_keep keep);
void disk_done(struct world *w, struct node *node); /* closes memory files */
/* Calls fn for every file of the node that lives in a memory file. */
void disk_each_mapped(struct node *node, void (*fn)(void *arg, struct inode *), void *arg);
void disk_log(struct world *w, struct inode *inode, struct diskop op);
/* Writes to another sector than asked for. */
void disk_write_astray(struct world *w, struct inode *inode, uint64_t off, const void *from,
                       size_t n);
bool disk_take_fault(struct world *w, struct node *node, enum disk_fault fault);

enum place { PLACE_NODE, PLACE_HOST, PLACE_MADE };
struct found {
    enum place place;
    char path[PATH_MAX]; /* absolute, as the program would see it */
    struct inode *inode; /* PLACE_NODE: NULL when the last name does not exist */
    struct inode *dir;   /* PLACE_NODE: of the last name; NULL for a mount point */
    char name[NAME_MAX + 1];
    bool mount_point;
    bool slash; /* the path ended with one */
    int dots;   /* it ended with ".", ".." or neither (0) */
};
enum {
    WALK_NOFOLLOW = 1,
    WALK_EMPTY = 2,
    WALK_NAME = 4,   /* the last name itself counts, even with a slash behind it */
    WALK_CREATE = 8, /* a file is made there: no slash may be behind it */
};
int64_t stat_found(struct world *w, struct thread *t, const struct found *at, bool follow,
                   struct stat *st);
int64_t path_walk(struct world *w, struct thread *t, int dirfd, const char *path, int flags,
                  struct found *ret);
int64_t path_arg(struct world *w, struct thread *t, int dirfd, uint64_t ptr, int flags,
                 struct found *ret);
void host_forget(struct engine *engine);
/* Writes down what files of the machine were looked at; whether they are still the same. */
struct unpack;
void host_note(struct world *w, const char *path); /* it is looked at now */
void host_tell(struct world *w, const char *path); /* and a program learns its times */
void host_store(const struct engine *engine, struct strbuf *out);
bool host_same(struct world *w, struct unpack *in);
int host_open_fd(struct world *w, const char *path, int flags); /* kept by the engine; -errno */
struct inode *node_lookup(struct node *node, const char *path);

/* ---- made.c: files that the engine makes up (/proc, /dev, /sys, parts of /etc) ---- */
bool made_owns(const struct node *node, const char *path);
/* 0, or -ENOENT and others. */
int64_t made_stat(struct world *w, struct thread *t, const char *path, struct stat *st);
int64_t made_open(struct world *w, struct thread *t, const char *path, int flags,
                  struct file **ret_file);
int64_t made_readlink(struct world *w, struct thread *t, const char *path, char *to, size_t size);

/* ---- cwd.c ---- */
struct cwd *cwd_new(struct world *w, const char *path, const char *root, unsigned umask);
void cwd_unref(struct world *w, struct cwd *cwd);

/* ---- cred.c ---- */
struct cred *cred_first(struct world *w); /* of whoever runs the engine */
void cred_unref(struct world *w, struct cred *c);
void cred_share(struct world *w, struct thread *to, const struct thread *from);
void cred_exec(struct world *w, struct thread *t); /* a new program is in place */
struct inode *inode_of(struct world *w, const struct thread *t, uint32_t mode, bool tmp);
/* Whether the thread may do this to a file of the node's disk: R_OK, W_OK, X_OK. */
bool node_may(const struct thread *t, enum cred_id which, const struct inode *inode, unsigned want);
bool node_owns(const struct thread *t, const struct inode *inode); /* or may act as if */
/* 0, -EACCES, -EPERM: whether it may make names in the directory, and take this one out of it. */
int64_t node_may_make(const struct thread *t, const struct inode *dir);
int64_t node_may_remove(const struct thread *t, const struct inode *dir, const struct inode *inode);
bool node_in_group(const struct thread *t, uint32_t group);
bool cred_can(const struct thread *t, unsigned capability);
/* Whether the thread may see a file of the machine: want is R_OK, X_OK or both; ids to judge by.
 */
bool host_may(const struct thread *t, enum cred_id which, const char *path, const struct stat *st,
              unsigned want);
char *host_program_dir(struct world *w, const char *program);

/* ---- files.c: open files of disks and of the machine ---- */
struct vfile { /* on a node's disk */
    struct file f;
    struct inode *inode;
};
struct hfile { /* of the machine: read only */
    struct file f;
    int fd;
    struct stat st;
};
struct text_file { /* made up */
    struct file f;
    char *text;
    size_t n;
    bool dir; /* text is a list of names, each with a NUL */
    uint32_t mode;
    uint64_t ino;
};
extern const struct file_ops vfile_ops, hfile_ops, text_ops, dev_ops;
enum { FILE_LARGE = 0100000 }; /* O_LARGEFILE, as F_GETFL tells it; 0 to programs of 64 bits */
bool file_is_dir(const struct file *f);
void host_stat_fix(struct stat *st);
int64_t file_stat(struct world *w, struct file *f, struct stat *st);
void file_unlock_all(struct world *w, struct file *f, struct proc *proc);
int64_t file_open(struct world *w, struct thread *t, struct found *at, int flags, unsigned mode,
                  struct file **ret_file);
void inotify_gone(struct world *w,
                  struct inode *inode); /* if it is: it has no name, nobody uses it */
void inotify_event(struct world *w, struct inode *inode, struct inode *dir, const char *name,
                   uint32_t mask, uint32_t cookie);

/* ---- ipc.c ---- */
void shm_fork(struct world *w, struct proc *child, const struct proc *parent);
void shm_exit(struct world *w, struct proc *proc); /* or exec */
void shm_power_off(struct world *w, struct node *node);
void sem_exit(struct world *w, struct proc *proc); /* what the process asked to undo */
void sem_power_off(struct world *w, struct node *node);
void msg_power_off(struct world *w, struct node *node);
void mq_power_off(struct world *w, struct node *node); /* mq.c */
void mq_closed(struct world *w, struct file *f, const struct proc *proc);

/* ---- memory.c ---- */
/* False: the process uses more memory than it may, and the run has failed. */
bool memory_touched(struct world *w, const struct thread *t);
/* Before something is mapped at a fixed address: 0, or CALL_STOP when the engine's page is there.
 */
int64_t map_fixed_check(struct world *w, struct thread *t, uint64_t from, uint64_t bytes);
/* Opens our descriptor in the process, and makes sure that it is the same file. */
int64_t open_in_tracee(const struct thread *t, struct tracee_call *call, int fd, bool writable);
/* Maps our descriptor: {address, length, protection, flags}. */
int64_t map_descriptor(struct thread *t, int fd, bool writable, const uint64_t map[4]);
/* Maps our descriptor again at {address, length, protection, offset}; 0 or -1. */
int remap_descriptor(const struct thread *t, int fd, const uint64_t map[4]);

/* ---- net.c, socket.c ---- */
/* After a call with CALL_OPENS, or when it waits: whether the node has come to use the network. */
void net_note(struct thread *t, int64_t result);
extern const struct file_ops sock_ops;
void net_deliver(struct world *w, struct packet *p);
/* Ends all connections between two nodes; what was under way is lost. */
void net_break(struct world *w, const struct node *a, const struct node *b);
struct packet *net_find(const struct world *w, uint64_t id);
void net_take(struct world *w, struct packet *p); /* off the wire; the caller frees it */
void net_free(struct world *w, struct packet *p);
void packet_view_fill(const struct packet *p, struct packet_view *ret);
bool net_ready(const struct world *w, const struct packet *p);
void net_send(struct world *w, struct node *from, const struct addr *dst, struct packet *p);
void net_send_node(struct world *w, struct node *from, struct node *to, struct packet *p);
void net_duplicate(struct world *w, struct packet *p);
void net_drop(struct world *w, struct packet *p); /* of a datagram; is never lost */
struct packet *net_packet(struct world *w, enum packet_kind kind, const void *bytes, size_t n);
void conn_send(struct world *w, struct conn *conn, int to_side, struct packet *p);
void conn_add(struct world *w, struct conn *conn);
void conn_gone(struct world *w, struct conn *conn, int side);
void conn_collect(struct world *w);
void conn_flush_all(struct world *w); /* what is held back is sent as it is */
/* ---- message.c ---- */
const struct world_message *message_rule(const struct world *w, const struct addr *to);
/* Reads on in a stream, up to the end of the message at most; bytes read, and whether it ended. */
size_t message_scan(const struct world_message *rule, struct framer *f, const uint8_t *p, size_t n,
                    bool *ret_ended);
struct node *net_route(const struct world *w, struct node *from, const struct addr *dst);
void sock_arrive(struct world *w, struct packet *p);        /* a packet reaches its node */
void sock_broken(struct world *w, struct sock *s, int err); /* its connection is gone */
void sock_power_off(struct world *w, struct node *node);

/* ---- pipe.c ---- */
struct fifo;
int64_t pipe_size(struct file *f, bool set, uint64_t size);
struct fifo *pipe_fifo(const struct file *f);                     /* NULL: no pipe */
const uint8_t *fifo_peek(const struct fifo *fifo, size_t *ret_n); /* what is in it */
void fifo_take(struct world *w, struct fifo *fifo, size_t n);     /* out of it */
size_t fifo_space(const struct fifo *fifo, size_t n);             /* of n bytes, how many fit */
void fifo_add(struct world *w, struct fifo *fifo, const void *from, size_t n); /* that many fit */
uint32_t fifo_readers(const struct fifo *fifo);
uint32_t fifo_writers(const struct fifo *fifo);
int64_t fifo_open(struct world *w, struct thread *t, struct inode *inode, int flags,
                  struct file **ret_file);
void fifo_free(struct world *w, struct fifo *fifo);

/* ---- epoll.c, events.c ---- */
void event_add(struct world *w, struct file *f, uint64_t n); /* to an eventfd */
void epoll_forget(struct world *w, struct file *f);
/* Of a watch: what its counters mean, and where they are. */
void epoll_watch_state(const void *block, uint64_t at[2], size_t ret_offset[2]);

/* ---- syscalls.c ---- */
typedef int64_t (*call_fn)(struct world *w, struct thread *t);
/* CALL_QUIET: the hash knows only that it was made: its result says who runs the engine, not what
 * happened, and registers that are no arguments of it may come from such a result.
 * CALL_OPENS: it tells whether a node takes part in the network (net_note).
 * CALL_POLLS: it looks whether something has happened. CALL_MOVES: a result above 0 means that it
 * has got on (work.c). */
enum call_flags {
    CALL_RESTART = 1,
    CALL_QUIET = 2,
    CALL_OPENS = 4,
    CALL_POLLS = 8,
    CALL_MOVES = 16
};
struct call_row {
    const char *name;
    call_fn fn;
    uint8_t rule;   /* enum tracee_rule */
    uint8_t flags;  /* enum call_flags */
    int16_t refuse; /* errno, when there is no handler */
};
const struct call_row *call_row(long nr); /* NULL: unknown */
uint64_t call_args_hash(const struct thread *t);
long call_number(const char *name); /* -1: there is none */
