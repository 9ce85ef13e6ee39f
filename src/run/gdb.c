/* gdb's remote serial protocol, from the side of the target. Threads have the node's own numbers.
 *
 * serve() answers packets until one tells the target to run; then it returns, the run goes on
 * inside the engine, and on_stop or gdb_watch come back here with a reason to stop. Ctrl-C of the
 * debugger is seen between events. */
#include "run/gdb.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/poll.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/gdb_int.h"
#include "world/debug.h"
#include "world/world.h"

enum { PACKET_MOST = 16384, THREADS_MOST = 1024 };

struct gdb {
    struct gdb_options o;
    struct world *world;
    int fd; /* -1: not connected yet, or no longer */
    int pid;
    int thread;     /* of H: registers are those of this one */
    int stop_sig;   /* why it stands */
    bool connected; /* it was, at least once */
    bool killed;    /* by the debugger: the run is to end */
    bool no_ack;
    bool inside; /* in the middle of an event */
    uint64_t events;
    char in[PACKET_MOST + 1];
    size_t in_n; /* bytes of the packet in `in` */
    char raw[4096];
    size_t raw_n, raw_at;
    struct strbuf out;
    size_t list_at; /* of qsThreadInfo */
};

/* ---- packets ---- */

static int next_byte(struct gdb *g)
{
    while (g->raw_at == g->raw_n) {
        ssize_t n = read(g->fd, g->raw, sizeof g->raw);
        bool ends = g->o.interrupted != NULL && *g->o.interrupted != 0;
        if (n < 0 && errno == EINTR && !ends) {
            continue;
        }
        if (n <= 0) {
            return -1;
        }
        g->raw_n = (size_t)n;
        g->raw_at = 0;
    }
    return (uint8_t)g->raw[g->raw_at++];
}

static void send_all(const struct gdb *g, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t put = write(g->fd, text, n);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return; /* the next read will tell */
        }
        text += put;
        n -= (size_t)put;
    }
}

/* Reads the next packet into g->in; false when the debugger is gone. */
static bool receive(struct gdb *g)
{
    for (;;) {
        int c = next_byte(g);
        if (c < 0) {
            return false;
        }
        if (c != '$') {
            continue; /* acknowledgements, and a Ctrl-C when we stand already */
        }
        uint8_t sum = 0;
        g->in_n = 0;
        while ((c = next_byte(g)) >= 0 && c != '#') {
            sum = (uint8_t)(sum + c);
            if (c == '}') {
                c = next_byte(g);
                sum = (uint8_t)(sum + c);
                c ^= 0x20;
            }
            if (g->in_n < PACKET_MOST) {
                g->in[g->in_n++] = (char)c;
            }
        }
        char check[2] = {(char)next_byte(g), (char)next_byte(g)};
        uint8_t want = 0;
        bool good = hex_get(check, 2, &want) == 1 && want == sum;
        if (!g->no_ack) {
            send_all(g, good ? "+" : "-", 1);
        }
        g->in[g->in_n] = '\0';
        if (good) {
            return true;
        }
    }
}

/* Sends g->out, escaped. */
static void reply(struct gdb *g)
{
    SCOPED_STRBUF packet = {0};
    uint8_t sum = 0;
    strbuf_addc(&packet, '$');
    for (size_t i = 0; i < g->out.n; i++) {
        char c = g->out.p[i];
        if (c == '$' || c == '#' || c == '}' || c == '*') {
            strbuf_addc(&packet, '}');
            c = (char)(c ^ 0x20);
        }
        strbuf_addc(&packet, c);
    }
    for (size_t i = 1; i < packet.n; i++) {
        sum = (uint8_t)(sum + (uint8_t)packet.p[i]);
    }
    strbuf_printf(&packet, "#%02x", sum);
    send_all(g, packet.p, packet.n);
}

/* ---- what is asked ---- */

static size_t list_threads(const struct gdb *g, struct debug_thread *list)
{
    size_t n = debug_threads(g->world, g->o.node, list, THREADS_MOST), kept = 0;
    for (size_t i = 0; i < n && i < THREADS_MOST; i++) {
        if (list[i].pid == g->pid) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static bool thread_lives(const struct gdb *g, int tid)
{
    struct debug_thread list[THREADS_MOST];
    size_t n = list_threads(g, list);
    for (size_t i = 0; i < n; i++) {
        if (list[i].tid == tid) {
            return true;
        }
    }
    return false;
}

static void say_stop(struct gdb *g)
{
    if (thread_lives(g, g->thread)) {
        strbuf_printf(&g->out, "T%02xthread:%x;", g->stop_sig, g->thread);
    } else {
        strbuf_printf(&g->out, "X%02x", SIGKILL);
    }
}

static void get_regs(struct gdb *g)
{
    struct debug_regs regs;
    uint8_t bytes[GDB_REG_BYTES_MOST];
    if (!debug_regs_get(g->world, g->o.node, g->thread, &regs)) {
        strbuf_adds(&g->out, "E03");
        return;
    }
    hex_put(&g->out, bytes, gdb_regs_pack(&regs, bytes));
}

static void set_regs(struct gdb *g)
{
    struct debug_regs regs;
    uint8_t bytes[GDB_REG_BYTES_MOST];
    size_t n = g->in_n - 1 <= 2 * sizeof bytes ? hex_get(g->in + 1, g->in_n - 1, bytes) : 0;
    bool good = debug_regs_get(g->world, g->o.node, g->thread, &regs) &&
                gdb_regs_unpack(bytes, n, &regs) &&
                debug_regs_set(g->world, g->o.node, g->thread, &regs);
    strbuf_adds(&g->out, good ? "OK" : "E03");
}

/* mADDR,LENGTH */
static void get_memory(struct gdb *g)
{
    char *end = NULL;
    uint64_t addr = strtoull(g->in + 1, &end, 16);
    uint64_t n = *end == ',' ? strtoull(end + 1, NULL, 16) : 0;
    uint8_t bytes[PACKET_MOST / 2];
    n = n < sizeof bytes ? n : sizeof bytes;
    size_t got = debug_read(g->world, g->o.node, g->pid, addr, bytes, n);
    if (got == 0 && n != 0) {
        strbuf_adds(&g->out, "E14");
        return;
    }
    hex_put(&g->out, bytes, got);
}

/* MADDR,LENGTH:XX... */
static void set_memory(struct gdb *g)
{
    char *end = NULL;
    uint64_t addr = strtoull(g->in + 1, &end, 16);
    const char *colon = strchr(g->in, ':');
    uint8_t bytes[PACKET_MOST / 2];
    size_t n = colon != NULL ? hex_get(colon + 1, g->in_n - (size_t)(colon + 1 - g->in), bytes) : 0;
    bool good = n != 0 && debug_write(g->world, g->o.node, g->pid, addr, bytes, n) == n;
    strbuf_adds(&g->out, good ? "OK" : "E14");
}

static void set_break(struct gdb *g)
{
    bool on = g->in[0] == 'Z';
    if (g->in[1] != '0' || g->in[2] != ',') {
        return; /* only int3 */
    }
    uint64_t addr = strtoull(g->in + 3, NULL, 16);
    strbuf_adds(&g->out, debug_break(g->world, addr, on) ? "OK" : "E14");
}

/* A part of a document: "m" or "l" (the last one) and the bytes. `spec` is OFFSET,LENGTH. */
static void send_part(struct gdb *g, const struct strbuf *document, const char *spec)
{
    char *end = NULL;
    size_t at = strtoull(spec, &end, 16), n = *end == ',' ? strtoull(end + 1, NULL, 16) : 0;
    size_t left = at < document->n ? document->n - at : 0;
    n = n < left ? n : left;
    n = n < PACKET_MOST / 3 ? n : PACKET_MOST / 3;
    strbuf_addc(&g->out, n < left ? 'm' : 'l');
    strbuf_add(&g->out, n != 0 ? document->p + at : "", n);
}

static const char *after(const char *text, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

static void transfer(struct gdb *g)
{
    SCOPED_STRBUF document = {0};
    const char *rest = NULL;
    if ((rest = after(g->in, "qXfer:features:read:target.xml:")) != NULL) {
        gdb_target_xml(&document);
    } else if ((rest = after(g->in, "qXfer:auxv:read::")) != NULL) {
        debug_auxv(g->world, g->o.node, g->pid, &document);
    } else if ((rest = after(g->in, "qXfer:exec-file:read:")) != NULL) {
        struct debug_thread list[THREADS_MOST];
        rest = strchr(rest, ':');
        if (rest != NULL && list_threads(g, list) != 0) {
            strbuf_adds(&document, list[0].exe);
        }
        rest = rest != NULL ? rest + 1 : NULL;
    }
    if (rest != NULL) {
        send_part(g, &document, rest);
    }
}

static void thread_list(struct gdb *g, bool first)
{
    struct debug_thread list[THREADS_MOST];
    size_t n = list_threads(g, list);
    g->list_at = first ? 0 : g->list_at;
    if (g->list_at >= n) {
        strbuf_addc(&g->out, 'l');
        return;
    }
    for (size_t i = 0; i < 256 && g->list_at < n; i++, g->list_at++) {
        strbuf_printf(&g->out, "%c%x", i == 0 ? 'm' : ',', list[g->list_at].tid);
    }
}

static void thread_extra(struct gdb *g, const char *id)
{
    struct debug_thread list[THREADS_MOST];
    size_t n = list_threads(g, list);
    int tid = (int)strtol(id, NULL, 16);
    for (size_t i = 0; i < n; i++) {
        if (list[i].tid == tid) {
            SCOPED_STRBUF text = {0};
            strbuf_printf(&text, "%.16s%s%s", list[i].name, list[i].call != NULL ? ", in " : "",
                          list[i].call != NULL ? list[i].call : "");
            hex_put(&g->out, text.p, text.n);
        }
    }
}

/* monitor: what gdb does not know. */
static void monitor(struct gdb *g, const char *hex)
{
    SCOPED_STRBUF text = {0};
    char command[64] = {0};
    size_t n = strlen(hex);
    (void)hex_get(hex, n < 2 * (sizeof command - 1) ? n : 2 * (sizeof command - 1),
                  (uint8_t *)command);
    if (strcmp(command, "event") == 0) {
        strbuf_printf(&text, "%s event %llu, at %.6f s\n", g->inside ? "in" : "after",
                      (unsigned long long)g->events + (g->inside ? 1 : 0),
                      (double)world_now_ns(g->world) * 1e-9);
    } else {
        strbuf_adds(&text, "monitor event: where in the run this is\n");
    }
    hex_put(&g->out, text.p, text.n);
}

/* TID,OFFSET,MODULE */
static void tls_address(struct gdb *g, const char *text)
{
    char *end = NULL;
    struct gdb_memory memory = {g->world, g->o.node, g->pid};
    int tid = (int)strtol(text, &end, 16);
    uint64_t offset = *end == ',' ? strtoull(end + 1, &end, 16) : 0;
    uint64_t module = *end == ',' ? strtoull(end + 1, &end, 16) : 0, addr = 0;
    if (gdb_tls_address(&memory, tid, offset, module, &addr)) {
        strbuf_printf(&g->out, "%llx", (unsigned long long)addr);
    } else {
        strbuf_adds(&g->out, "E03");
    }
}

static void query(struct gdb *g)
{
    const char *rest = NULL;
    if (after(g->in, "qSupported") != NULL) {
        strbuf_printf(&g->out,
                      "PacketSize=%x;qXfer:features:read+;qXfer:auxv:read+;qXfer:exec-file:read+;"
                      "QStartNoAckMode+;vContSupported+",
                      PACKET_MOST - 16);
    } else if (after(g->in, "qXfer:") != NULL) {
        transfer(g);
    } else if (strcmp(g->in, "qfThreadInfo") == 0 || strcmp(g->in, "qsThreadInfo") == 0) {
        thread_list(g, g->in[1] == 'f');
    } else if ((rest = after(g->in, "qThreadExtraInfo,")) != NULL) {
        thread_extra(g, rest);
    } else if ((rest = after(g->in, "qRcmd,")) != NULL) {
        monitor(g, rest);
    } else if ((rest = after(g->in, "qGetTLSAddr:")) != NULL) {
        tls_address(g, rest);
    } else if (strcmp(g->in, "qC") == 0) {
        strbuf_printf(&g->out, "QC%x", g->thread);
    } else if (after(g->in, "qAttached") != NULL) {
        strbuf_addc(&g->out, '1');
    } else if (strcmp(g->in, "QStartNoAckMode") == 0) {
        strbuf_adds(&g->out, "OK");
    }
}

enum after_packet { PACKET_ANSWERED, PACKET_RUNS, PACKET_SILENT };

/* vCont;s:TID;c and its relatives: at most one thread steps. */
static enum after_packet go_on(struct gdb *g)
{
    int step = 0;
    if (g->in[0] == 's') {
        step = g->thread;
    }
    const char *part = after(g->in, "vCont");
    while (part != NULL && *part == ';') {
        part++;
        const char *colon = strchr(part, ':'), *next = strchr(part, ';');
        bool named = colon != NULL && (next == NULL || colon < next);
        if (*part == 's' || *part == 'S') {
            step = named ? (int)strtol(colon + 1, NULL, 16) : g->thread;
        }
        part = next;
    }
    debug_step(g->world, step);
    return PACKET_RUNS;
}

static void choose_thread(struct gdb *g)
{
    int tid = (int)strtol(g->in + 2, NULL, 16);
    if (tid > 0 && !thread_lives(g, tid)) {
        strbuf_adds(&g->out, "E03");
        return;
    }
    g->thread = tid > 0 ? tid : g->thread;
    strbuf_adds(&g->out, "OK");
}

static void leave(struct gdb *g)
{
    debug_attach(g->world, 0, 0, NULL, NULL);
    g->fd = -1;
}

/* The end, by the debugger: the run goes on without it, or ends. */
static enum after_packet ends(struct gdb *g, bool kill)
{
    g->killed = kill;
    strbuf_adds(&g->out, "OK");
    reply(g);
    leave(g);
    return PACKET_SILENT;
}

static enum after_packet answer(struct gdb *g)
{
    switch (g->in[0]) {
    case '?': say_stop(g); break;
    case 'g': get_regs(g); break;
    case 'G': set_regs(g); break;
    case 'm': get_memory(g); break;
    case 'M': set_memory(g); break;
    case 'Z':
    case 'z': set_break(g); break;
    case 'H': choose_thread(g); break;
    case 'T':
        strbuf_adds(&g->out, thread_lives(g, (int)strtol(g->in + 1, NULL, 16)) ? "OK" : "E03");
        break;
    case 'q':
    case 'Q': query(g); break;
    case 'c':
    case 's': return go_on(g);
    case 'D': return ends(g, false);
    case 'k': return ends(g, true);
    case 'v':
        if (strcmp(g->in, "vCont?") == 0) {
            strbuf_adds(&g->out, "vCont;c;C;s;S");
        } else if (after(g->in, "vCont;") != NULL) {
            return go_on(g);
        } else if (after(g->in, "vKill") != NULL) {
            return ends(g, true);
        }
        break;
    default: break; /* an empty answer: not supported */
    }
    return PACKET_ANSWERED;
}

/* Answers until the target is to run. False: the run is to end. */
static bool serve(struct gdb *g)
{
    while (g->fd >= 0) {
        if (!receive(g)) {
            leave(g); /* gdb has quit */
            g->killed = true;
            break;
        }
        strbuf_reset(&g->out);
        enum after_packet next = answer(g);
        if (next == PACKET_RUNS) {
            return true;
        }
        if (next == PACKET_ANSWERED) {
            reply(g);
            g->no_ack = g->no_ack || strcmp(g->in, "QStartNoAckMode") == 0;
        }
    }
    return !g->killed;
}

/* ---- stops ---- */

static bool stopped(struct gdb *g, int tid, int sig)
{
    g->thread = thread_lives(g, tid) ? tid : g->thread;
    g->stop_sig = sig;
    strbuf_reset(&g->out);
    say_stop(g);
    reply(g);
    return serve(g);
}

static bool on_stop(void *arg, const struct debug_stop *stop)
{
    struct gdb *g = arg;
    g->inside = true;
    bool go = stopped(g, stop->tid, stop->sig);
    g->inside = false;
    return go;
}

static int begin(struct gdb *g, struct err *err)
{
    struct debug_thread list[THREADS_MOST];
    size_t n = debug_threads(g->world, g->o.node, list, THREADS_MOST);
    if (n == 0) {
        return err_set(err, ERR_INVALID, 0, "node %s has no process after event %llu",
                       g->o.cluster->nodes[g->o.node].name, (unsigned long long)g->events);
    }
    g->pid = list[0].pid;
    g->thread = list[0].tid;
    g->stop_sig = SIGTRAP;
    g->connected = true;
    int status = g->o.connect(g->o.arg, list[0].exe, &g->fd, err);
    if (status == 0) {
        debug_attach(g->world, g->o.node, g->pid, on_stop, g);
    }
    return status;
}

static bool wants_to_stop(const struct gdb *g)
{
    struct pollfd ready = {.fd = g->fd, .events = POLLIN};
    return g->raw_at < g->raw_n || poll(&ready, 1, 0) > 0;
}

int gdb_watch(void *arg, struct world *world, uint64_t events, struct err *err)
{
    struct gdb *g = arg;
    g->world = world;
    g->events = events;
    bool go = true;
    if (!g->connected && events >= g->o.at) {
        int status = begin(g, err);
        if (status != 0) {
            return status;
        }
        go = serve(g);
    } else if (g->fd >= 0 && wants_to_stop(g)) {
        go = stopped(g, g->thread, SIGINT);
    }
    return go ? 0 : err_set(err, ERR_INTERRUPTED, 0, "ended by the debugger");
}

int gdb_new(const struct gdb_options *options, struct gdb **ret, struct err *err)
{
    size_t cap = 0;
    (void)err;
    struct gdb *g = vec_grow(NULL, &cap, 1, sizeof *g);
    memset(g, 0, sizeof *g);
    g->o = *options;
    g->fd = -1;
    *ret = g;
    return 0;
}

void gdb_free(struct gdb *g)
{
    if (g == NULL) {
        return;
    }
    if (g->fd >= 0) {
        strbuf_reset(&g->out);
        strbuf_adds(&g->out, "W00");
        reply(g);
    }
    strbuf_done(&g->out);
    vec_release(g);
}
