/* The world as a whole: making it from a description, its events, looking at it. */
#include "world/world.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/copies.h"
#include "world/heap.h"
#include "world/hwrand.h"
#include "world/maps.h"
#include "world/net.h"
#include "world/template.h"
#include "world/world_int.h"

/* Not 1: programs take that for a sign that they are in charge of the system. */
enum { FIRST_PID = 100 };
enum { READ_MOST = 1 << 30 }; /* of a file that somebody wants as a text */
#define HEAP_RESERVE ((size_t)64 << 30)

static const char *const event_names[] = {
#define X(name, text) text,
    EVENT_KINDS(X)
#undef X
};

const char *event_name(enum event_kind kind)
{
    return kind < EV_KINDS ? event_names[kind] : "?";
}

static const char *const fault_names[] = {"eio-read",    "eio-write", "eio-sync",   "full",
                                          "short-write", "corrupt",   "short-read", "misdirect"};

const char *disk_fault_name(enum disk_fault fault)
{
    return fault_names[fault];
}

int64_t stop_run(struct world *w, enum err_code code, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    (void)err_set(&w->engine->err, code, 0, "%s", text);
    return CALL_STOP;
}

/* ---- making ---- */

static char **copy_list(struct world *w, const char *const *list)
{
    size_t n = 0;
    while (list != NULL && list[n] != NULL) {
        n++;
    }
    char **copy = (char **)heap_alloc(w->heap, (n + 1) * sizeof(char *));
    for (size_t i = 0; i < n; i++) {
        copy[i] = heap_strdup(w, list[i]);
    }
    return copy;
}

static int open_log(struct world *w, struct node *node, struct err *err)
{
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/%s.log", w->engine->dir, node->name);
    node->log_fd = open(strbuf_cstr(&path), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
    return node->log_fd < 0 ? err_set(err, ERR_IO, errno, "%s", strbuf_cstr(&path)) : 0;
}

static int node_make(struct world *w, uint32_t index, const struct world_node *spec,
                     struct err *err)
{
    struct node *node = HEAP_NEW(w->heap, struct node);
    heap_mark(node, HEAP_NODE);
    w->nodes[index] = node;
    node->index = index;
    node->name = heap_strdup(w, spec->name);
    node->argv = copy_list(w, spec->argv);
    node->env = copy_list(w, spec->env);
    const char *first = spec->dirs != NULL && spec->dirs[0] != NULL ? spec->dirs[0] : "/tmp";
    node->cwd = heap_strdup(w, spec->cwd != NULL ? spec->cwd : first);
    node->shown = copy_list(w, spec->shown);
    node->program_dir = host_program_dir(w, node->argv[0]);
    node->ip = spec->ip;
    node->skew_ns = spec->skew_ns;
    node->drift_ppm = spec->drift_ppm;
    ntp_init(node);
    node->start_ns = START_NS + spec->start_ns;
    node->client = spec->client;
    node->manual = spec->manual;
    node->powered = true;
    node->next_port = 32767;
    node->next_pid = FIRST_PID - 1;
    node->log_fd = -1;
    node->now_ns = START_NS;
    rng_seed(&node->rng, hash_combine(w->seed, index + 1));
    disk_init(w, node, spec);
    struct templates *store = w->engine->templates;
    int status = store != NULL ? templates_shared(store, index, &node->shared, err)
                               : tracee_shared_init(&node->shared, err);
    return status != 0 ? status : open_log(w, node, err);
}

/* Tracees keep two descriptors at fixed numbers below the first; others than of nodes. */
enum { FILES_LEAST = 1024, FILES_OTHER = 256 };

static int engine_make(const struct world_spec *spec, struct engine **ret, struct err *err)
{
    size_t cap = 0, buf_cap = 0, dir_cap = 0;
    struct engine *engine = vec_grow(NULL, &cap, 1, sizeof *engine);
    memset(engine, 0, sizeof *engine);
    *ret = engine;
    engine->buf = vec_grow(NULL, &buf_cap, ENGINE_BUF, 1);
    engine->dir = vec_grow(NULL, &dir_cap, strlen(spec->dir) + 1, 1);
    memcpy(engine->dir, spec->dir, strlen(spec->dir) + 1);
    engine->interrupted = spec->interrupted;
    engine->trace_fd = spec->trace_fd;
    engine->templates = spec->templates;
    engine->hwrand_way = spec->hwrand;
    engine->bare = spec->bare;
    engine->beat_signal = spec->beat_signal;
    for (long nr = 0; nr < TRACEE_SYSCALLS; nr++) {
        const struct call_row *row = call_row(nr);
        engine->rules[nr] = row != NULL ? row->rule : (uint8_t)TRACEE_STOP;
    }
    for (size_t i = 0; spec->allow != NULL && spec->allow[i] != NULL; i++) {
        long nr = call_number(spec->allow[i]);
        if (nr < 0) {
            return err_set(err, ERR_INVALID, 0, "there is no system call '%s'", spec->allow[i]);
        }
        engine->allow[nr] = 1;
    }
    /* Every open file of the machine is a descriptor of ours. */
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
        rlim_t need = FILES_OTHER + 2 * (rlim_t)spec->n_nodes; /* a log and shared memory each */
        need = need < FILES_LEAST ? FILES_LEAST : need;
        if (files.rlim_max < need) {
            return err_set(err, ERR_LIMIT, 0,
                           "%zu nodes need %llu open files, and no more than %llu are allowed: "
                           "raise the limit (ulimit -Hn)",
                           spec->n_nodes, (unsigned long long)need,
                           (unsigned long long)files.rlim_max);
        }
    }
    return heap_new(HEAP_RESERVE, &engine->heap, err);
}

static struct world_limits with_defaults(struct world_limits limits)
{
    limits.memory_bytes = limits.memory_bytes != 0 ? limits.memory_bytes : (uint64_t)4 << 30;
    limits.disk_told = limits.disk_told != 0    ? limits.disk_told
                       : limits.disk_bytes != 0 ? limits.disk_bytes
                                                : (uint64_t)32 << 30;
    limits.disk_bytes = limits.disk_bytes != 0 ? limits.disk_bytes : limits.memory_bytes;
    limits.kernel_bytes = limits.kernel_bytes != 0 ? limits.kernel_bytes : (uint64_t)2 << 30;
    limits.log_bytes = limits.log_bytes != 0 ? limits.log_bytes : (uint64_t)64 << 20;
    limits.threads = limits.threads != 0 ? limits.threads : 512;
    limits.busy_calls = limits.busy_calls != 0 ? limits.busy_calls : 1000000;
    limits.spin_ms = limits.spin_ms != 0 ? limits.spin_ms : 20000;
    limits.compute_ms = limits.compute_ms != 0 ? limits.compute_ms : 2000;
    return limits;
}

int world_open(const struct world_spec *spec, struct world **ret_world, struct err *err)
{
    struct engine *engine = NULL;
    int status = engine_make(spec, &engine, err);
    if (status != 0) {
        vec_release(engine->buf);
        vec_release(engine->dir);
        vec_release(engine);
        return status;
    }
    struct world *w = HEAP_NEW(engine->heap, struct world);
    heap_mark(w, HEAP_WORLD);
    w->heap = engine->heap;
    lives_new(engine, spec->n_nodes);
    w->unwritten = HEAP_NEW(w->heap, struct page);
    heap_mark(w->unwritten, HEAP_PAGE);
    w->unwritten->refs = 1;
    w->engine = engine;
    w->now_ns = START_NS;
    w->seed = spec->seed;
    w->hash = hash_mix(spec->seed);
    w->limits = with_defaults(spec->limits);
    w->net = spec->net;
    w->order = spec->order;
    w->strict_disk = spec->strict_disk;
    w->writeback_ns = spec->writeback_ns;
    w->independent = spec->independent;
    w->local_clocks = spec->local_clocks || spec->independent;
    w->work = spec->work;
    w->choices = spec->choices;
    engine->stop_ns = NEVER_NS;
    work_known(w, spec);
    rng_seed(&w->rng, hash_combine(spec->seed, 0x6e6574));
    rng_seed(&w->sched_rng, hash_combine(spec->seed, 0x736368));
    w->n_nodes = (uint32_t)spec->n_nodes;
    w->nodes = (struct node **)heap_alloc(w->heap, (spec->n_nodes + 1) * sizeof(struct node *));
    w->cut = heap_alloc(w->heap, spec->n_nodes * spec->n_nodes + 1);
    links_init(w);
    w->sent = heap_alloc(w->heap, (spec->n_nodes * spec->n_nodes + 1) * sizeof *w->sent);
    for (size_t i = 0; i < spec->n_nodes; i++) {
        status = node_make(w, (uint32_t)i, &spec->nodes[i], err);
        if (status != 0) {
            world_close(w);
            return status;
        }
    }
    status = heart_start(w, err);
    if (status != 0) {
        world_close(w);
        return status;
    }
    *ret_world = w;
    return 0;
}

void world_close(struct world *w)
{
    if (w == NULL) {
        return;
    }
    struct engine *engine = w->engine;
    heart_stop(engine);
    engine->on_packet = NULL;
    engine->on_sync = NULL;
    template_cancel(w);
    for (uint32_t i = 0; i < w->n_nodes && w->nodes[i] != NULL; i++) {
        proc_kill_node(w, w->nodes[i], false);
    }
    for (uint32_t i = 0; i < w->n_nodes && w->nodes[i] != NULL; i++) {
        if (engine->templates == NULL) {
            tracee_shared_done(&w->nodes[i]->shared);
        }
        if (w->nodes[i]->log_fd >= 0) {
            (void)close(w->nodes[i]->log_fd);
        }
        disk_done(w, w->nodes[i]);
    }
    lives_free(engine, w->n_nodes);
    host_forget(engine);
    tracee_cage_free(engine->cage);
    heap_free_all(engine->heap);
    hwrand_free(engine->hwrand);
    vec_release(engine->computations);
    vec_release(engine->buf);
    vec_release(engine->dir);
    vec_release(engine);
}

/* ---- starting a node ---- */

static void open_standard(struct world *w, struct proc *proc, struct thread *t)
{
    struct file *f = NULL;
    if (made_open(w, t, "/dev/null", O_RDONLY, &f) == 0) {
        (void)fd_add(w, proc, f, false, 0);
    }
    for (int fd = 1; fd <= 2; fd++) {
        (void)fd_add(w, proc, console_new(w, proc->node, fd), false, 0);
    }
}

/* Templates outlive worlds, and their processes the cage of none. */
static struct tracee_cage *cage_of(struct engine *engine)
{
    if (engine->bare) {
        return NULL;
    }
    if (engine->templates != NULL) {
        return templates_cage(engine->templates);
    }
    if (engine->cage == NULL) {
        engine->cage = tracee_cage_new();
    }
    return engine->cage;
}

int node_load(struct world *w, struct node *node, const struct first_program *program, char **envp,
              pid_t *ret_real, struct err *err)
{
    struct tracee_spec spec = {
        .path = program->path,
        .exec_fd = program->fd,
        .argv = program->argv,
        .envp = envp,
        .rules = w->engine->rules,
        .shared = &node->shared,
        .limits = {.data_bytes = w->limits.memory_bytes, .stack_bytes = 8 << 20},
        .cage = cage_of(w->engine),
        .unguarded = program->unguarded,
    };
    int status = tracee_spawn(&spec, ret_real, err);
    if (status != 0) {
        template_cancel(w);
        (void)err_wrap(err, "node %s", node->name);
    }
    return status;
}

int node_boot(struct world *w, struct node *node, struct err *err)
{
    struct first_program program;
    int status = first_program(w, node, &program, err);
    if (status != 0) {
        return status;
    }
    const struct template *loaded = template_find(w, node, &program);
    pid_t real = loaded != NULL ? template_copy(loaded, node) : 0;
    loaded = real != 0 ? loaded : NULL;
    status = loaded == NULL ? node_load(w, node, &program, node->env, &real, err) : 0;
    if (program.fd >= 0) {
        (void)close(program.fd);
    }
    if (status != 0) {
        return status;
    }
    struct proc *proc = proc_new(w, node, NULL, real);
    proc->exe = heap_strdup(w, program.exe);
    exec_name(proc, program.given);
    struct thread *t = thread_new(w, proc, real, proc->pid);
    t->cred = cred_first(w);
    open_standard(w, proc, t);
    if (loaded == NULL && proc_prepare(w, t) < 0) {
        *err = w->engine->err;
        return -(int)err->code;
    }
    proc_exec_done(w, t);
    if (loaded != NULL) {
        template_apply(w, t, loaded);
    } else {
        template_begin(w, t);
    }
    node->first = proc;
    node->state = NODE_UP;
    node->powered = true;
    node->started = true;
    node->ended = false;
    node->starts++;
    thread_queue(w, t);
    return 0;
}

/* ---- output ---- */

/* Each line of a node's log begins with the virtual time. */
void node_output(struct world *w, struct node *node, int fd, const char *text, size_t n)
{
    node->log_bytes += n;
    if (w->engine->on_output != NULL) {
        w->engine->on_output(w->engine->output_arg, node->index, fd, text, n);
    }
    SCOPED_STRBUF out = {0};
    uint64_t us = (w->now_ns - START_NS) / 1000;
    while (n > 0) {
        if (!node->log_line) {
            strbuf_printf(&out, "%llu.%06llu ", (unsigned long long)(us / 1000000),
                          (unsigned long long)(us % 1000000));
        }
        const char *end = memchr(text, '\n', n);
        size_t part = end != NULL ? (size_t)(end - text) + 1 : n;
        strbuf_add(&out, text, part);
        node->log_line = end == NULL;
        text += part;
        n -= part;
    }
    engine_write(w, node->log_fd, strbuf_str(&out));
}

void engine_write(struct world *w, int fd, struct str text)
{
    while (text.n > 0) {
        ssize_t put = write(fd, text.p, text.n);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            w->engine->write_errno = w->engine->write_errno != 0 ? w->engine->write_errno : errno;
            return;
        }
        text.p += put;
        text.n -= (size_t)put;
    }
}

int world_write_error(const struct world *w)
{
    return w->engine->write_errno;
}

/* ---- events ---- */

int world_settle(struct world *w, enum settle_result *ret_result, struct err *err)
{
    int status = sched_run(w, err);
    template_cancel(w);
    if (status != 0) {
        return status;
    }
    bool over = true;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const struct node *node = w->nodes[i];
        over = over && node->procs == NULL && (node->started || node->manual);
    }
    bool runs = w->current != NULL || w->run_head != NULL;
    *ret_result = over                  ? SETTLE_OVER
                  : w->choosing != NULL ? SETTLE_CHOICE
                  : runs                ? SETTLE_DUE
                                        : SETTLE_QUIET;
    return 0;
}

static struct event packet_event(const struct packet *p)
{
    return (struct event){.kind = EV_DELIVER,
                          .node = p->to->index,
                          .peer = p->from->index,
                          .id = p->id,
                          .at_ns = p->at_ns,
                          .order = p->id};
}

/* Calls fn for each event that is due by itself. */
static void each_event(const struct world *w, void (*fn)(void *arg, const struct event *),
                       void *arg)
{
    order_each(w, fn, arg);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        const struct node *node = w->nodes[i];
        if (!node->started && !node->manual) {
            fn(arg,
               &(struct event){.kind = EV_START, .node = i, .peer = i, .at_ns = node->start_ns});
        }
        if (w->engine->sleepers && node->state == NODE_UP) {
            sleepers_each(w, node, fn, arg);
            continue;
        }
        uint64_t deadline = node->state == NODE_UP ? node_deadline(w, node) : NEVER_NS;
        if (deadline != NEVER_NS) {
            fn(arg, &(struct event){.kind = EV_TIMER, .node = i, .peer = i, .at_ns = deadline});
        }
    }
    for (const struct packet *p = w->datagrams; p != NULL; p = p->next) {
        if (net_ready(w, p)) {
            struct event event = packet_event(p);
            fn(arg, &event);
        }
    }
    for (const struct conn *c = w->conns; c != NULL; c = c->next) {
        for (int side = 0; side < 2; side++) {
            const struct packet *p = c->chan[side].head;
            if (p != NULL && net_ready(w, p)) {
                struct event event = packet_event(p);
                fn(arg, &event);
            }
        }
    }
}

struct event_list {
    struct event *v;
    size_t n, cap;
};

static void list_event(void *arg, const struct event *event)
{
    struct event_list *list = arg;
    if (list->n < list->cap) {
        list->v[list->n] = *event;
    }
    list->n++;
}

size_t world_events(const struct world *w, struct event *ret_events, size_t cap)
{
    struct event_list list = {ret_events, 0, cap};
    each_event(w, list_event, &list);
    return list.n;
}

static void first_event(void *arg, const struct event *event)
{
    struct event_list *best = arg;
    bool earlier = best->n == 0 || event->at_ns < best->v->at_ns ||
                   (event->at_ns == best->v->at_ns && event->order < best->v->order);
    if (earlier) {
        *best->v = *event;
        best->n = 1;
    }
}

bool world_next(const struct world *w, struct event *ret_event)
{
    struct event_list best = {ret_event, 0, 1};
    each_event(w, first_event, &best);
    return best.n != 0;
}

static bool node_runs(const struct node *node)
{
    return node->procs != NULL;
}

/* Of an EV_TIMER: of the node, or of one thread. */
static uint64_t timer_deadline(const struct world *w, const struct event *event)
{
    const struct node *node = w->nodes[event->node];
    return event->id != 0 ? thread_deadline(w, node, event->id) : node_deadline(w, node);
}

void world_sleepers(struct world *w, bool on)
{
    w->engine->sleepers = on;
}

const char *world_thread_name(const struct world *w, size_t node, uint64_t tid)
{
    for (const struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->proc->node->index == node && (uint64_t)t->tid == tid) {
            return t->comm;
        }
    }
    return "";
}

bool world_enabled(const struct world *w, const struct event *event)
{
    if (event->node >= w->n_nodes || event->peer >= w->n_nodes) {
        return false;
    }
    const struct node *node = w->nodes[event->node];
    const struct packet *p = NULL;
    switch (event->kind) {
    case EV_DELIVER: p = net_find(w, event->id); return p != NULL && net_ready(w, p);
    case EV_DROP: /* also of what cannot arrive now */
    case EV_DUPLICATE:
        p = net_find(w, event->id);
        return p != NULL && (p->conn == NULL || (p->kind == PK_DATA && !p->urgent));
    case EV_TIMER: return node->state == NODE_UP && timer_deadline(w, event) != NEVER_NS;
    case EV_START: return !node->started;
    case EV_KILL:
    case EV_CRASH:
        return node_runs(node) || (event->kind == EV_CRASH && node->powered && node->started);
    case EV_RESTART: return node->started && !node_runs(node);
    case EV_PAUSE: return node->state == NODE_UP && node_runs(node);
    case EV_RESUME: return node->state == NODE_PAUSED;
    case EV_CUT: return event->node != event->peer;
    case EV_HEAL:
    case EV_JUMP:
    case EV_DISK:
    case EV_WAIT: return true;
    case EV_SLOW:
    case EV_LOSSY:
    case EV_NARROW: return event->node != event->peer && event->arg >= 0;
    case EV_SLOW_DISK:
    case EV_MEMORY: return event->arg >= 0;
    case EV_KILL_ONE: return event->arg >= 0 && proc_victim(node, event) != NULL;
    case EV_RESET: return event->node != event->peer;
    case EV_ADVANCE: return node->state == NODE_UP && event->arg >= 0;
    case EV_EXEC: return !node_runs(node) && event->command.n != 0;
    case EV_THREAD: return order_enabled(w, event);
    case EV_KINDS: break;
    }
    return false;
}

static void resume_node(struct world *w, struct node *node)
{
    node->state = NODE_UP;
    node->changed = true;
    for (struct thread *t = w->threads; t != NULL; t = t->next) {
        if (t->state == THREAD_RUNNABLE && t->proc->node == node) {
            thread_queue(w, t);
        }
    }
}

static void heal(struct world *w, const struct event *event)
{
    if (event->node == event->peer) {
        memset(w->cut, 0, (size_t)w->n_nodes * w->n_nodes);
        for (uint32_t i = 0; i < w->n_nodes * w->n_nodes; i++) {
            link_heal(w, i / w->n_nodes, i % w->n_nodes);
        }
    } else {
        w->cut[event->node * w->n_nodes + event->peer] = 0;
        link_heal(w, event->node, event->peer);
    }
}

static void stop_node(struct world *w, struct node *node, bool orderly)
{
    proc_kill_node(w, node, orderly);
    node->state = NODE_DOWN;
    node->first = NULL;
    node->ended = false;
    node->changed = false;
    node->incarnation += orderly ? 0 : 1;
    if (!orderly) {
        shm_power_off(w, node);
        sem_power_off(w, node);
        msg_power_off(w, node);
        mq_power_off(w, node);
        ntp_power_off(w, node);
    }
    node->powered = orderly;
    node->memory_most = 0;
    node->next_pid = orderly ? node->next_pid : FIRST_PID - 1;
}

/* The program and its arguments. */
static void set_command(struct world *w, struct node *node, struct str command)
{
    size_t n = 0;
    char **argv = (char **)heap_alloc(w->heap, (command.n / 2 + 2) * sizeof(char *));
    SCOPED_STRBUF word = {0};
    while (command_word(&command, &word) != 0) {
        argv[n++] = heap_strdup(w, strbuf_cstr(&word));
        strbuf_reset(&word);
    }
    node->argv = argv;
}

static int do_event(struct world *w, const struct event *event, struct err *err)
{
    struct node *node = w->nodes[event->node];
    switch (event->kind) {
    case EV_DELIVER: net_deliver(w, net_find(w, event->id)); break;
    case EV_DROP: net_drop(w, net_find(w, event->id)); break;
    case EV_DUPLICATE: net_duplicate(w, net_find(w, event->id)); break;
    case EV_TIMER:
        if (event->id != 0) {
            sleeper_fire(w, node, event->id);
        } else {
            node_fire(w, node);
        }
        break;
    case EV_START:
    case EV_RESTART: return node_boot(w, node, err);
    case EV_KILL: stop_node(w, node, true); break;
    case EV_CRASH:
        stop_node(w, node, false);
        disk_crash(w, node, (enum crash_keep)event->arg);
        break;
    case EV_PAUSE: node->state = NODE_PAUSED; break;
    case EV_RESUME: resume_node(w, node); break;
    case EV_CUT: w->cut[event->node * w->n_nodes + event->peer] = 1; break;
    case EV_HEAL: heal(w, event); break;
    case EV_JUMP: node_jump(w, node, event->arg); break;
    case EV_DISK: node->disk_fault = (int)event->arg; break;
    case EV_RESET: net_break(w, node, w->nodes[event->peer]); break;
    case EV_ADVANCE: node_fire(w, node); break;
    case EV_EXEC:
        set_command(w, node, event->command);
        hash_data(w, event->command.p, event->command.n);
        return node_boot(w, node, err);
    case EV_SLOW:
    case EV_LOSSY:
    case EV_NARROW: link_set(w, event); break;
    case EV_SLOW_DISK: node->disk_slow_ns = (uint64_t)event->arg; break;
    case EV_MEMORY: memory_limit(w, node, event->arg); break;
    case EV_KILL_ONE: proc_kill_one(w, event); break;
    case EV_THREAD: order_take(w, event); break;
    case EV_WAIT:
    case EV_KINDS: break;
    }
    return 0;
}

int world_do(struct world *w, const struct event *event, struct err *err)
{
    if (!world_enabled(w, event)) {
        return err_set(err, ERR_INVALID, 0, "event '%s' is not possible now",
                       event_name(event->kind));
    }
    bool packet =
        event->kind == EV_DELIVER || event->kind == EV_DROP || event->kind == EV_DUPLICATE;
    clock_enter(w, packet ? net_find(w, event->id)->to : w->nodes[event->node]);
    uint64_t at = event->at_ns;
    if (event->kind == EV_TIMER) {
        at = timer_deadline(w, event);
    } else if ((event->kind == EV_DELIVER && w->independent) || event->kind == EV_THREAD) {
        at = 0; /* whenever it comes is now */
    } else if (event->kind == EV_WAIT) {
        at = START_NS + (uint64_t)event->arg;
    } else if (event->kind == EV_ADVANCE) {
        at = w->now_ns + (uint64_t)event->arg;
    }
    w->now_ns = at > w->now_ns ? at : w->now_ns;
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        w->nodes[i]->calls_hash = 0;
    }
    hash_u64(w, (uint64_t)event->kind);
    hash_u64(w, event->id != 0 ? event->id : (uint64_t)event->node << 32 | event->peer);
    hash_u64(w, w->now_ns);
    w->counts.events[event->kind]++;
    return do_event(w, event, err);
}

/* ---- looking ---- */

uint64_t world_at(uint64_t since_start_ns)
{
    return START_NS + since_start_ns;
}

uint64_t world_event_ns(const struct event *event)
{
    return event->at_ns > START_NS ? event->at_ns - START_NS : 0;
}

static int export_file(struct world *w, struct inode *inode, const char *path, struct err *err)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644);
    int status = fd < 0 ? -errno : inode_copy(w, inode, fd);
    if (fd >= 0) {
        (void)close(fd);
    }
    return status == 0 ? 0 : err_set(err, ERR_IO, -status, "%s", path);
}

static int export_dir(struct world *w, struct inode *dir, struct strbuf *path, struct err *err)
{
    size_t n = path->n;
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < dir->dir.n; i++) {
        struct inode *inode = dir->dir.v[i].inode;
        strbuf_printf(path, "/%s", dir->dir.v[i].name);
        if (S_ISDIR(inode->mode)) {
            bool made = mkdir(strbuf_cstr(path), 0777) == 0;
            status = made ? export_dir(w, inode, path, err)
                          : err_set(err, ERR_IO, errno, "%s", strbuf_cstr(path));
        } else if (S_ISREG(inode->mode)) {
            status = export_file(w, inode, strbuf_cstr(path), err);
        }
        path->n = n;
        path->p[n] = '\0';
    }
    return status;
}

int world_export(struct world *w, size_t node, const char *dir, struct err *err)
{
    int status = dir_remove(dir, err);
    status = file_exists(dir) ? status : dir_make(dir, err);
    const struct node *n = w->nodes[node];
    for (uint32_t i = 0; status == 0 && i < n->n_mounts; i++) {
        if (!n->mounts[i].root->tmp) {
            SCOPED_STRBUF path = {0};
            strbuf_printf(&path, "%s%s", dir, n->mounts[i].path);
            status = dir_make(strbuf_cstr(&path), err);
            status = status != 0 ? status : export_dir(w, n->mounts[i].root, &path, err);
        }
    }
    return status;
}

uint64_t world_now_ns(const struct world *w)
{
    return w->now_ns - START_NS;
}

uint64_t world_hash(const struct world *w)
{
    return w->hash;
}

size_t world_nodes(const struct world *w)
{
    return w->n_nodes;
}

void world_node_view(const struct world *world, size_t node_index, struct node_view *ret_view)
{
    const struct node *node = world->nodes[node_index];
    *ret_view = (struct node_view){
        .name = node->name,
        .state = node->state,
        .client = node->client,
        .ended = node->ended,
        .status = node->status,
        .starts = node->starts,
        .turns = node->turns,
        .calls = node->calls_hash,
        .threads = node->n_threads,
        .log_bytes = node->log_bytes,
        .net_used = node->net_used,
        .net_failed = node->net_failed != 0 ? call_row(node->net_failed)->name : NULL,
        .net_errno = node->net_errno,
    };
    for (const struct proc *p = node->procs; p != NULL; p = p->next) {
        ret_view->processes++;
    }
}

void packet_view_fill(const struct packet *p, struct packet_view *ret)
{
    static const char names[][8] = {"SYN", "SYNACK", "DATA",    "FIN",
                                    "RST", "UDP",    "UNREACH", "WINDOW"};
    *ret = (struct packet_view){
        .id = p->id,
        .from = p->from->index,
        .to = p->to->index,
        .conn = p->conn != NULL ? p->conn->id : 0,
        .src_ip = addr_v4(&p->src),
        .dst_ip = addr_v4(&p->dst),
        .src_port = p->src.port,
        .dst_port = p->dst.port,
        .bytes = p->bytes,
        .n = p->n,
        .part = p->part,
        .at_ns = p->at_ns - START_NS,
        .nth = p->nth,
        .by_caller = p->conn != NULL && p->side == 1,
    };
    ret->kind = p->kind;
    memcpy(ret->what, names[p->kind], sizeof ret->what);
}

bool world_packet(const struct world *w, uint64_t id, struct packet_view *ret)
{
    const struct packet *p = net_find(w, id);
    if (p != NULL) {
        packet_view_fill(p, ret);
        ret->deliver = net_ready(w, p);
    }
    return p != NULL;
}

struct view_list {
    struct packet_view *v;
    size_t n, cap;
};

static void list_packets(const struct world *w, const struct packet *p, struct view_list *list)
{
    for (; p != NULL; p = p->next) {
        if (list->n < list->cap) {
            packet_view_fill(p, &list->v[list->n]);
            list->v[list->n].deliver = net_ready(w, p);
        }
        list->n++;
    }
}

size_t world_packets(const struct world *w, struct packet_view *ret_views, size_t cap)
{
    struct view_list list = {ret_views, 0, cap};
    list_packets(w, w->datagrams, &list);
    for (const struct conn *c = w->conns; c != NULL; c = c->next) {
        list_packets(w, c->chan[0].head, &list);
        list_packets(w, c->chan[1].head, &list);
    }
    return list.n;
}

bool world_is_cut(const struct world *w, uint32_t from, uint32_t to)
{
    return w->cut[from * w->n_nodes + to] != 0;
}

void world_counts(const struct world *w, struct world_counts *ret)
{
    *ret = w->counts;
}

void world_on_output(struct world *w, world_output_fn fn, void *arg)
{
    w->engine->on_output = fn;
    w->engine->output_arg = arg;
}

void world_on_packet(struct world *w, world_packet_fn fn, void *arg)
{
    w->engine->on_packet = fn;
    w->engine->packet_arg = arg;
}

void world_on_sync(struct world *w, world_sync_fn fn, void *arg)
{
    w->engine->on_sync = fn;
    w->engine->sync_arg = arg;
}

int world_read_file(struct world *w, size_t node, const char *path, struct arena *arena,
                    struct str *ret_text, struct err *err)
{
    struct inode *inode = node < w->n_nodes ? node_lookup(w->nodes[node], path) : NULL;
    if (inode == NULL || !S_ISREG(inode->mode)) {
        return err_set(err, ERR_NOT_FOUND, 0, "there is no file %s", path);
    }
    size_t n = inode_size(inode);
    if (n > READ_MOST) {
        return err_set(err, ERR_LIMIT, 0, "%s is too large to be looked at: %zu bytes", path, n);
    }
    char *text = arena_alloc(arena, n + 1);
    int64_t got = inode_read(w, inode, 0, text, n);
    text[got > 0 ? got : 0] = '\0';
    *ret_text = (struct str){text, got > 0 ? (size_t)got : 0};
    return 0;
}

/* ---- memory ---- */

static struct thread *first_thread(const struct world *w, size_t node)
{
    const struct proc *proc = node < w->n_nodes ? w->nodes[node]->first : NULL;
    for (struct thread *t = w->threads; proc != NULL && t != NULL; t = t->next) {
        if (t->proc == proc && t->state != THREAD_DEAD) {
            return t;
        }
    }
    return NULL;
}

size_t world_read_memory(struct world *w, size_t node, uint64_t addr, void *buf, size_t n)
{
    const struct thread *t = first_thread(w, node);
    return t != NULL ? tracee_read(t->real, TADDR(addr), buf, n) : 0;
}

struct str world_memory_maps(struct world *w, size_t node, struct arena *arena)
{
    const struct thread *t = first_thread(w, node);
    struct strbuf text = {.arena = arena};
    struct maps *maps = t != NULL ? maps_open(t->real) : NULL;
    struct map map;
    while (maps != NULL && maps_next(maps, &map)) {
        strbuf_printf(&text, "%llx-%llx %.4s %08llx 00:00 %llu %s", (unsigned long long)map.begin,
                      (unsigned long long)map.end, map.perms, (unsigned long long)map.offset,
                      (unsigned long long)map.inode, map.name);
    }
    maps_close(maps);
    return strbuf_str(&text);
}

bool world_memory_ours(uint64_t addr)
{
    return tracee_page_in(addr, 1);
}

const char *world_executable(const struct world *w, size_t node)
{
    const struct proc *proc = node < w->n_nodes ? w->nodes[node]->first : NULL;
    return proc != NULL ? proc->exe : NULL;
}
