/* The seam of the engine: a cluster of real programs on a simulated kernel and network, as
 * something that has events.
 *
 * A world is created from a description. world_settle lets every thread run until it blocks: the
 * world is then quiet, and nothing happens in it until world_do is told which event comes next: a
 * packet arrives, a timer expires, a node crashes. The same description, seed and sequence of
 * events give the same world, bit for bit; world_hash shows it. Policies (random, replay,
 * exploration) are written against this header and see nothing of processes.
 *
 * Rooms above never touch a process; this room never decides what happens next. One thread only. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct world;

/* ---- description ---- */
struct world_file {
    const char *path; /* as the node sees it, below a directory of its own */
    const char *text;
    size_t n;
    unsigned mode; /* 0 = 0644 */
};
struct world_node {
    const char *name;         /* also the host name */
    const char *const *argv;  /* ends with NULL; argv[0] is looked up in PATH */
    const char *const *env;   /* "NAME=value", ends with NULL; may be NULL */
    uint32_t ip;              /* IPv4 address in host byte order */
    const char *cwd;          /* NULL = the first directory */
    const char *const *dirs;  /* writable directories on the node's disk, ends with NULL */
    const char *const *shown; /* directories of the machine that stay visible where a temporary
                               * directory of the node would hide them; ends with NULL */
    const struct world_file *files;
    size_t n_files;
    int64_t skew_ns;   /* of the realtime clock */
    int64_t drift_ppm; /* of both clocks */
    uint64_t start_ns; /* when it is started: an EV_START at that time */
    bool client;       /* no faults happen to it; the run may wait for its end */
    bool manual;       /* it is started by an explicit event only */
};
/* How the bytes of TCP connections to a port are cut into messages. Each message is one packet,
 * whatever the writes were; bytes whose message is not complete when the sender waits travel as a
 * part of it. */
enum message_end { MESSAGE_WRITE, MESSAGE_LENGTH, MESSAGE_TEXT };
struct world_message {
    uint16_t port;    /* where the connection was made to; 0 = any */
    uint8_t end;      /* enum message_end: each write; a length field; a text at the end */
    uint8_t width;    /* of the length field: 1, 2, 4 or 8 bytes */
    bool little;      /* its byte order */
    bool counts_all;  /* it counts the whole message, not only what follows it */
    uint32_t offset;  /* bytes before it */
    int64_t extra;    /* bytes that it does not count */
    const char *text; /* at the end of a message */
    size_t text_n;    /* 1 to 16 */
};
struct world_net {
    uint64_t latency_min_ns, latency_max_ns; /* one way, between nodes */
    uint32_t udp_loss_ppm, udp_dup_ppm;
    uint32_t loss_ppm;    /* of all packets; those of connections are sent again, later */
    uint64_t bytes_per_s; /* from one node to another; 0 = any */
    const struct world_message *messages; /* the first that fits a connection counts */
    size_t n_messages;
};
struct world_limits {
    uint64_t memory_bytes; /* of one process: private; and shared without a file */
    uint64_t disk_bytes;   /* files of one node; 0: as memory_bytes */
    uint64_t disk_told;    /* how large programs find it; 0: as disk_bytes, or large without one */
    uint64_t kernel_bytes; /* what simulating everything else takes: then it is stopped */
    uint64_t log_bytes;    /* output of one node */
    uint32_t threads;      /* of one node */
    uint64_t busy_calls;   /* system calls without the world becoming quiet: then it is stopped */
    uint64_t spin_ms;      /* of the processor without a system call: then it is stopped */
    uint64_t compute_ms;   /* of it without a call: with work as time, that takes time */
    uint64_t escape_ms;    /* real time after which loops that only wait are left; 0 = never */
};
/* A computation that took longer than it was charged for; see world_computation. */
struct computation {
    uint64_t stint; /* the thread was resumed for it: counted over the whole world */
    uint64_t ns;    /* what it costs, at its beginning */
};
enum sched_order { SCHED_FIFO_ORDER, SCHED_SEEDED };
/* How programs are kept from the processor's own random numbers, RDRAND and RDSEED: CPUID says that
 * there are none (where it can be made to fault), and the instructions that are found in files are
 * replaced. Each way can be switched off. */
enum hwrand_way {
    HWRAND_AUTO,   /* both, as far as the processor allows */
    HWRAND_HIDE,   /* CPUID only; where it cannot fault, programs do not start */
    HWRAND_REPLACE /* replacement only */
};
struct world_spec {
    const struct world_node *nodes;
    size_t n_nodes;
    struct world_net net;
    struct world_limits limits; /* 0 = default */
    uint64_t seed;              /* of randomness that programs ask for, and of latencies */
    enum sched_order order;     /* of threads that could run */
    enum hwrand_way hwrand;
    uint64_t writeback_ns; /* what is older than this survives a crash; 0 = only what is synced */
    const struct computation *computations; /* with work as time: those that are known, by stint */
    size_t n_computations;
    bool strict_disk; /* names survive a crash only if their directory was synced */
    bool work; /* takes time: what is due happens although threads run; polling moves the clock */
    bool choices; /* which thread of a node runs next is an event; see world_on_choice */
    /* Events at different nodes commute: local clocks, which deliveries do not move; packets are
     * named by channel (packet_id), as are their latencies and losses; a sender learns from packets
     * what was read. */
    bool independent;
    bool local_clocks; /* every node has a clock of its own, which moves only by what happens there:
                          its timers, EV_ADVANCE, its system calls */
    const char *dir;   /* where logs are written; exists */
    const char *const *allow; /* names of system calls to pass although not modelled; or NULL */
    const volatile sig_atomic_t *interrupted; /* not 0: settle gives up with ERR_INTERRUPTED */
    int trace_fd;                             /* every system call as text; -1 = none */
    struct templates *templates;              /* see below; NULL = none */
    bool bare; /* programs are started without the cage that would hold them if all else fails */
    /* Not 0: this process is somebody else's, who has a handler for this signal, which does
     * nothing, and takes care of SIGCHLD. Only the calling thread gets it, now and then. */
    int beat_signal;
};

/* ---- programs that are loaded already ---- */
/* Worlds of the same description that are made one after the other may share what loading a program
 * leads to: its start is then a copy, and the world is the same as if it had been loaded. They
 * belong to one thread, and are freed after the last such world was closed. */
struct templates *templates_new(void);
void templates_free(struct templates *store); /* accepts NULL */

MUST_USE int world_open(const struct world_spec *spec, struct world **ret_world, struct err *err);
/* Ends every process and frees everything. Accepts NULL. */
void world_close(struct world *world);

/* ---- events ---- */
#define EVENT_KINDS(X)                                                                             \
    X(EV_DELIVER, "deliver")     /* packet `id` arrives */                                         \
    X(EV_DROP, "drop")           /* packet `id` is lost */                                         \
    X(EV_DUPLICATE, "duplicate") /* one more copy of packet `id` is on its way */                  \
    X(EV_TIMER, "timer")         /* the next deadline of `node` is reached; with an id: that of    \
                                    its thread `id`, and of no other */                            \
    X(EV_START, "start")         /* `node` is started for the first time */                        \
    X(EV_KILL, "kill")           /* kill -9 of all processes of `node`; its kernel lives on */     \
    X(EV_CRASH, "crash")         /* power failure of `node`; arg: see enum crash_keep */           \
    X(EV_RESTART, "restart")     /* `node` is started again */                                     \
    X(EV_PAUSE, "pause")         /* `node` stands still; nothing reaches it */                     \
    X(EV_RESUME, "resume")                                                                         \
    X(EV_CUT, "cut")         /* nothing passes from `node` to `peer` */                            \
    X(EV_HEAL, "heal")       /* it does again; node == peer: everywhere */                         \
    X(EV_JUMP, "jump")       /* realtime clock of `node` moves by arg nanoseconds */               \
    X(EV_DISK, "disk")       /* disk fault `arg` (enum disk_fault) for the next call of `node` */  \
    X(EV_WAIT, "wait")       /* time passes up to arg nanoseconds; nothing else happens */         \
    X(EV_RESET, "reset")     /* connections between `node` and `peer` break; what was under way is \
                                lost */                                                            \
    X(EV_ADVANCE, "advance") /* arg nanoseconds pass at once for `node`: what is due then fires */ \
    X(EV_EXEC, "exec")       /* `node`, on which nothing runs, runs `command` (command_word) */    \
    X(EV_SLOW, "slow")       /* packets from `node` to `peer` take arg nanoseconds more */         \
    X(EV_LOSSY, "lossy")     /* arg millionths of them are lost; 0: as in the rest of the net */   \
    X(EV_NARROW, "narrow")   /* arg bytes a second get through; 0: as in the rest of the net */    \
    X(EV_SLOW_DISK, "slow-disk") /* syncing takes arg nanoseconds on `node` */                     \
    X(EV_MEMORY, "memory")       /* processes of `node` get arg bytes at most; enum memory_left */ \
    X(EV_KILL_ONE, "kill-one") /* kill -9 of the arg-th process of `node`, counted around, but not \
                                  of its first; of those named `command`, if it is not empty */    \
    X(EV_THREAD, "thread")     /* at the arg-th choice of `node`, its thread `id` runs next */

enum event_kind {
#define X(name, text) name,
    EVENT_KINDS(X)
#undef X
        EV_KINDS
};
const char *event_name(enum event_kind kind);

/* Instead of a number of bytes. */
enum memory_left { MEMORY_FREE, MEMORY_FULL };
enum crash_keep { CRASH_KEEP_NONE, CRASH_KEEP_ALL, CRASH_KEEP_RANDOM };
enum disk_fault {
    DISK_EIO_READ,
    DISK_EIO_WRITE,
    DISK_EIO_SYNC,
    DISK_FULL,
    DISK_SHORT_WRITE,
    DISK_CORRUPT,
    DISK_SHORT_READ,
    DISK_MISDIRECT, /* a write lands in another sector, of this file or another */
    DISK_FAULTS
};
const char *disk_fault_name(enum disk_fault fault);

struct event {
    enum event_kind kind;
    uint32_t node, peer; /* indexes; for a packet: receiver and sender */
    uint64_t id;         /* of a packet, or a thread: as its node numbers them */
    int64_t arg;
    uint64_t at_ns;     /* when it is due; 0 = now */
    uint64_t order;     /* ties of at_ns are decided by it */
    struct str command; /* of EV_EXEC; borrowed */
};

enum settle_result {
    SETTLE_QUIET, /* every thread is blocked */
    SETTLE_OVER,  /* no process is left and none will start */
    SETTLE_DUE,   /* with work as time: threads still run, and an event is due */
    SETTLE_CHOICE /* threads still run, and which of them does next was to be asked */
};
MUST_USE int world_settle(struct world *world, enum settle_result *ret_result, struct err *err);
/* For many events in succession: what makes stops cheap stays on between them. Meanwhile the
 * calling thread must neither read a clock nor start a process of its own, nor a thread. */
void world_hold(struct world *world, bool on);
/* A promise: up to this time (since the start) every event that is done is the one of world_next,
 * and memory of programs is not looked at, nor snapshots taken. Threads that only sleep and wake
 * are then stopped less often. Everything else is the same. 0 ends it. */
void world_sure_until(struct world *world, uint64_t ns);
/* With work as time: settling ends when this time (since the start) has come, as it does when an
 * event is due. 0 = never. */
void world_stop_at(struct world *world, uint64_t ns);
/* With work as time, after settling has failed: whether that was because a computation should cost
 * time, or more than it did. Its beginning is past: the world must be made again, with this. */
bool world_computation(const struct world *world, struct computation *ret);
/* Events that are due by themselves: deliveries, timers, starts, threads. Fills at most cap,
 * returns how many there are. Sorted by id of the packet or node, not by time. */
size_t world_events(const struct world *world, struct event *ret_events, size_t cap);
/* The one that comes first by time; false when there is none. */
bool world_next(const struct world *world, struct event *ret_event);
/* Whether the event could be done now. */
bool world_enabled(const struct world *world, const struct event *event);
/* Deadlines of threads that wait are events of their own (EV_TIMER with an id): on a busy machine a
 * thread wakes some time after its deadline, and others whose deadline is later may come first.
 * Timers that are no thread's stay with the node. */
void world_sleepers(struct world *world, bool on);
/* The name that a thread has given itself, as ps shows it; "" when there is no such thread. */
const char *world_thread_name(const struct world *world, size_t node, uint64_t tid);
/* Makes it happen. ERR_INVALID when it is not enabled. */
MUST_USE int world_do(struct world *world, const struct event *event, struct err *err);

/* ---- the order of threads ---- */
/* With world_spec.choices there is a choice whenever several threads of a node could run next: when
 * one has made a call and could go on (or, with work as time, is within a computation that costs
 * time), and when the last one waits, has ended, or has had its share. fn is told of each, in the
 * middle of settling, and must only answer: true makes settling end here (SETTLE_CHOICE). Each
 * thread that could run is then an EV_THREAD of world_events, and the one that would run by itself
 * is that of world_next. Other events may come first; the choice stays until an EV_THREAD is done,
 * or only one thread is left. When another is taken than one that would have run on, that one comes
 * behind all others of its node, also those that come later (for some thousand calls); one that
 * would have begun stays the next.
 * Whoever takes world_next changes nothing. Without fn, nothing is asked. */
struct world_choice {
    uint32_t node;
    uint32_t threads; /* to choose from: 2 at least */
    uint64_t nth;     /* choice of this node, from 1 on */
    bool preempts;    /* one of them could just run on */
};
typedef bool (*world_choice_fn)(void *arg, const struct world_choice *choice);
void world_on_choice(struct world *world, world_choice_fn fn, void *arg);

/* ---- snapshots ---- */
/* A quiet world as it is now, programs included; the world may be put back there any number of
 * times. ERR_UNSUPPORTED names what cannot be copied. Memory is shared until written. */
struct snapshot;
MUST_USE int world_snapshot(struct world *world, struct snapshot **ret, struct err *err);
/* Everything that happened since is undone. It costs what the nodes did that have run since.
 * Snapshots may be taken one after the other and put back in any order. When it fails the world is
 * lost and can only be closed.
 */
MUST_USE int world_restore(struct world *world, struct snapshot *snapshot, struct err *err);
/* The same for the last time: the snapshot is freed, also when it fails. Its processes run on
 * instead of copies of them. */
MUST_USE int world_restore_last(struct world *world, struct snapshot *snapshot, struct err *err);
/* The same, the slow and obvious way: every process is ended and made again. */
MUST_USE int world_restore_anew(struct world *world, struct snapshot *snapshot, struct err *err);
/* Before the world is closed. Accepts NULL. */
void snapshot_free(struct world *world, struct snapshot *snapshot);

/* ---- a world in a file ---- */
/* Writes a quiet world down, programs and all. ERR_UNSUPPORTED names what cannot be. The bytes are
 * for the same program (assay), machine and description. */
struct unpack;
MUST_USE int world_store(struct world *world, struct strbuf *out, struct err *err);
/* Makes a world that was just opened the one that was written down. ERR_NOT_FOUND: files of the
 * machine have changed since, or it does not fit; then, as after every other error, the world can
 * only be closed. */
MUST_USE int world_load(struct world *world, struct unpack *in, struct err *err);

/* ---- state ---- */
/* A hash of what a quiet world is, whatever way has led there: memory, registers and mappings of
 * programs, descriptors, sockets, packets, timers, disks. Two worlds with the same hash do the same
 * on the same events, but for numbers that only count what has happened. Pages that have not been
 * written since the latest snapshot, or since an earlier hash, are not read again.
 *
 * Hashes of different worlds can be compared if they have run on one processor: where CPUID cannot
 * be made to fault, the C library keeps the number of it in memory.
 *
 * Without clocks: words that may be times do not count, nor do the times of events, generators of
 * delays, and numbers given to files and packets. See image.c for the words. */
struct state_range {
    uint32_t node;
    uint64_t addr;
    size_t n;
};
struct state_options {
    bool no_clocks;
    bool full; /* everything is read again: slow, and the same */
    /* Only these parts of the memory of nodes' first processes; NULL: everything. */
    const struct state_range *only;
    size_t n_only;
};
MUST_USE int world_state_hash(struct world *world, const struct state_options *options,
                              uint64_t *ret_hash, struct err *err);

/* Times of events count from the start of the world's clock, which is not 0. */
uint64_t world_at(uint64_t since_start_ns);
uint64_t world_event_ns(const struct event *event); /* since the start; 0 when it has no time */

/* ---- looking at it ---- */
uint64_t world_now_ns(const struct world *world); /* since the start */
uint64_t world_hash(const struct world *world);
size_t world_nodes(const struct world *world);
enum node_state { NODE_NEW, NODE_UP, NODE_DOWN, NODE_PAUSED };
struct node_view {
    const char *name;
    enum node_state state;
    bool client;
    bool ended;      /* its first process ended by itself */
    int status;      /* then: as of wait(2) */
    uint32_t starts; /* times it was started */
    uint64_t turns;  /* counts up whenever one of its threads runs */
    uint64_t calls;  /* hash of the numbers of its system calls since the last event */
    uint32_t threads, processes;
    uint64_t log_bytes;
    bool net_used;          /* it has bound a socket, called another node or sent something */
    const char *net_failed; /* the first call that could not open a socket; NULL = none */
    int net_errno;
};
void world_node_view(const struct world *world, size_t node_index, struct node_view *ret_view);
enum packet_kind {
    PK_SYN,
    PK_SYNACK,
    PK_DATA,
    PK_FIN,
    PK_RST,
    PK_UDP,
    PK_UNREACH,
    PK_WINDOW /* of a connection, with independent events: so much was read */
};
/* With independent events: the id of the nth packet (from 1 on) between two nodes. False: the id is
 * just a number. */
uint64_t packet_id(uint32_t from, uint32_t to, uint64_t nth);
bool packet_of_id(uint64_t id, uint32_t *ret_from, uint32_t *ret_to, uint64_t *ret_nth);
struct packet_view {
    uint64_t id;
    uint64_t conn;
    const uint8_t *bytes; /* until the packet is delivered */
    size_t n;
    uint64_t at_ns; /* when it is due, since the start */
    uint32_t from, to;
    uint32_t src_ip, dst_ip;
    enum packet_kind kind;
    uint32_t nth; /* data: messages that went before it on its channel */
    uint16_t src_port, dst_port;
    bool part;      /* the message that it belongs to goes on in the next packet of its channel */
    bool deliver;   /* it could be delivered now: the first of its channel, and nothing is cut */
    bool by_caller; /* of a connection: from the side that has called */
    char what[8];   /* "SYN", "DATA", "UDP", ... */
};
/* Connections that both ends know as made, by age: who called whom. Fills at most cap, returns how
 * many there are. */
struct connection_view {
    uint32_t from, to;
    uint16_t port; /* that was called */
};
size_t world_connections(const struct world *world, struct connection_view *ret_views, size_t cap);
bool world_is_cut(const struct world *world, uint32_t from, uint32_t to);
bool world_packet(const struct world *world, uint64_t id, struct packet_view *ret_view);
/* All packets on their way: datagrams by age, then for each connection the packets to either side,
 * in the order in which they will arrive. Fills at most cap, returns how many there are. */
size_t world_packets(const struct world *world, struct packet_view *ret_views, size_t cap);

/* Puts a packet on the wire that a node has sent in another run: a datagram, the next on a
 * connection that is there, or the first of one. Its sender does not know of it. ERR_NOT_FOUND:
 * there is no such connection. */
MUST_USE int world_inject(struct world *world, const struct packet_view *packet, struct err *err);

struct world_counts {
    uint64_t calls, native, resumes, rdtsc, signals, packets, bytes;
    uint64_t events[EV_KINDS];
    uint64_t disk_faults[DISK_FAULTS];
    uint64_t unreachable;  /* attempts to reach an address that is no node */
    uint64_t lost_ops;     /* disk operations that crashes took away */
    uint64_t spins;        /* loops without system calls that were left */
    uint64_t not_messages; /* channels whose bytes are not messages as described */
};
void world_counts(const struct world *world, struct world_counts *ret_counts);
/* errno of the first write to a log or a trace that failed; 0: everything was written. */
int world_write_error(const struct world *world);

/* Called for every piece of output of a node, with the virtual time. */
typedef void (*world_output_fn)(void *arg, uint32_t node, int fd, const char *text, size_t n);
void world_on_output(struct world *world, world_output_fn fn, void *arg);
/* Called for every packet that is put on the wire (sent) and taken from it. */
typedef void (*world_packet_fn)(void *arg, bool sent, const struct packet_view *packet);
void world_on_packet(struct world *world, world_packet_fn fn, void *arg);
/* Called when a call that syncs a file of a node's disk returns. */
typedef void (*world_sync_fn)(void *arg, uint32_t node);
void world_on_sync(struct world *world, world_sync_fn fn, void *arg);
/* Reads a file of a node's disk as its programs would see it. ERR_NOT_FOUND. */
struct arena;
MUST_USE int world_read_file(struct world *world, size_t node, const char *path,
                             struct arena *arena, struct str *ret_text, struct err *err);

/* Copies the files of a node's disks to a directory, replacing it. */
MUST_USE int world_export(struct world *world, size_t node, const char *dir, struct err *err);

/* Of the names and contents of all files on its disks. */
uint64_t world_disk_hash(struct world *world, size_t node);

/* ---- memory of a node's first process ---- */
/* Bytes read; fewer than n where memory ends. 0 when nothing runs. */
size_t world_read_memory(struct world *world, size_t node, uint64_t addr, void *buf, size_t n);
/* Its /proc/PID/maps, as text in the arena; empty when nothing runs. */
struct str world_memory_maps(struct world *world, size_t node, struct arena *arena);
/* Whether an address of a program is memory of the engine, shared with it. */
bool world_memory_ours(uint64_t addr);
/* The file that it executes; NULL when nothing runs. Until it executes another. */
const char *world_executable(const struct world *world, size_t node);

/* ---- system calls (for the documents) ---- */
struct syscall_doc {
    const char *name;
    const char *how; /* "simulated", "real", "refused: ENOSYS", ... */
};
/* Row i of the table by number; false after the last. Rows without a name are skipped over by the
 * caller. */
bool world_syscall_doc(size_t i, struct syscall_doc *ret_doc);
