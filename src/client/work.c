/* Workers: threads that each have a connection and do one operation at a time. A line of the
 * history is written with one call, before anything is sent and after everything was received, so
 * that the order of lines is an order in which things happened. */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/map.h"
#include "base/near.h"
#include "base/str.h"
#include "base/vec.h"
#include "client/client.h"
#include "client/client_int.h"

#define PAUSE_NS UINT64_C(100000000) /* after a server could not be reached */
enum { WORKERS_MOST = 256, STACK_BYTES = 256 * 1024 };

static const struct driver *const drivers[] = {&driver_redis,    &driver_etcd, &driver_zookeeper,
                                               &driver_postgres, &driver_http, &driver_line};

enum done worker_said(struct worker *w, enum done done, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->error, sizeof w->error, fmt, ap);
    va_end(ap);
    return done;
}

enum done worker_lost(struct worker *w)
{
    (void)worker_said(w, DONE_FAIL, "%s", w->wire.why != NULL ? w->wire.why : "not understood");
    wire_close(&w->wire);
    w->in_txn = false;
    return w->wire.sent ? DONE_INFO : DONE_FAIL;
}

static void pause_ns(uint64_t ns)
{
    struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (ns != 0 && clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
    }
}

/* ---- the history ---- */

static void write_line(struct worker *w)
{
    struct str rest = strbuf_str(&w->line);
    while (rest.n > 0) {
        ssize_t n = write(w->job->o->out_fd, rest.p, rest.n);
        if (n < 0 && errno != EINTR) {
            atomic_store_explicit(w->job->unwritten, true, memory_order_relaxed);
            return;
        }
        rest.p += n > 0 ? n : 0;
        rest.n -= n > 0 ? (size_t)n : 0;
    }
}

/* What the operation was called with, as JSON. */
static void add_arguments(const struct client_options *o, const struct op *op, struct strbuf *out)
{
    bool list = o->workload == WORK_LIST_APPEND;
    switch (op->kind) {
    case OP_CAS: strbuf_printf(out, "[%" PRId64 ",%" PRId64 "]", op->old, op->value); break;
    case OP_WRITE:
    case OP_ADD:
    case OP_ENQUEUE: strbuf_printf(out, "%" PRId64, op->value); break;
    case OP_TRANSFER:
        strbuf_printf(out,
                      "{\"from\":\"k%" PRIu64 "\",\"to\":\"k%" PRIu64 "\",\"amount\":%" PRId64 "}",
                      op->key, op->to, op->value);
        break;
    case OP_TXN:
        for (size_t i = 0; i < op->n_mops; i++) {
            const struct mop *mop = &op->mops[i];
            strbuf_printf(out, "%s[\"%s\",\"k%" PRIu64 "\",", i == 0 ? "[" : ",",
                          mop->read ? "r"
                          : list    ? "append"
                                    : "w",
                          mop->key);
            if (mop->read) {
                strbuf_adds(out, "null]");
            } else {
                strbuf_printf(out, "%" PRId64 "]", mop->value);
            }
        }
        strbuf_addc(out, ']');
        break;
    default: strbuf_adds(out, "null"); break;
    }
}

static void note(struct worker *w, const struct op *op, uint64_t number, const char *type)
{
    const struct client_options *o = w->job->o;
    struct strbuf *line = &w->line;
    bool ok = strcmp(type, "ok") == 0, call = strcmp(type, "invoke") == 0;
    strbuf_reset(line);
    strbuf_printf(line, "{\"process\":%" PRIu64 ",\"type\":\"%s\",\"f\":\"%s\",",
                  w->index + (uint64_t)w->retired * o->workers, type, op_name(o, op->kind));
    if (op_keyed(op->kind)) {
        strbuf_printf(line, "\"key\":\"k%" PRIu64 "\",", op->key);
    }
    strbuf_adds(line, "\"value\":");
    if (ok && w->value.n != 0) {
        strbuf_addstr(line, strbuf_str(&w->value));
    } else {
        add_arguments(o, op, line);
    }
    strbuf_printf(line, ",\"op\":\"%u.%" PRIu64 "\"", w->index, number);
    if (!ok && !call && w->error[0] != '\0') {
        strbuf_adds(line, ",\"error\":");
        json_add_text(line, str_of(w->error));
    }
    strbuf_adds(line, "}\n");
    write_line(w);
}

/* ---- one operation ---- */

static void next_target(struct worker *w)
{
    if (!w->job->o->stay) {
        w->target = (w->target + 1) % w->job->o->targets.n;
    }
}

static void set_deadline(struct worker *w)
{
    w->wire.deadline_ns = clock_mono_ns() + w->job->o->timeout_ns;
    w->wire.sent = false;
}

/* Has a connection, or says why not. Nothing of an operation was sent when it has not. */
static bool connected(struct worker *w)
{
    const struct driver *driver = w->job->driver;
    if (w->wire.fd >= 0) {
        return true;
    }
    bool open = wire_open(&w->wire, &w->job->targets[w->target].addr);
    if (!open) {
        (void)worker_lost(w);
    } else if (driver->hello != NULL && driver->hello(w) != DONE_OK) {
        wire_close(&w->wire);
        open = false;
    }
    w->wire.sent = false;
    return open;
}

static void remember(struct worker *w, const struct op *op, enum done done)
{
    if (done == DONE_OK && (op->kind == OP_ACQUIRE || op->kind == OP_RELEASE)) {
        w->holds = op->kind == OP_ACQUIRE;
    }
    if (done == DONE_INFO) {
        w->holds = false;
        w->retired++;
    }
    if (done != DONE_OK || !op_keyed(op->kind)) {
        return;
    }
    if (op->kind == OP_WRITE || op->kind == OP_CAS) {
        u64map_put(&w->seen, op->key, (uint64_t)op->value);
    } else if (op->kind == OP_READ) {
        char *end = NULL;
        long long value = strtoll(strbuf_cstr(&w->value), &end, 10);
        if (w->value.n != 0 && *end == '\0') {
            u64map_put(&w->seen, op->key, (uint64_t)value);
        }
    }
}

/* What depends on how things stand: a compare-and-set expects what its worker saw last, a lock is
 * released by who holds it. */
static void fit(struct worker *w, struct op *op)
{
    uint64_t value = 0;
    if (op->kind == OP_CAS && u64map_get(&w->seen, op->key, &value)) {
        op->old = (int64_t)value;
    }
    if (op->kind == OP_ACQUIRE || op->kind == OP_RELEASE) {
        op->kind = w->holds ? OP_RELEASE : OP_ACQUIRE;
        op->key = 0;
    }
}

static void one_op(struct worker *w, const struct op *op, uint64_t number)
{
    w->error[0] = '\0';
    w->elsewhere = false;
    strbuf_reset(&w->value);
    note(w, op, number, "invoke");
    set_deadline(w);
    bool reached = connected(w);
    enum done done = reached ? op_do(w, op) : DONE_FAIL;
    if (done == DONE_INFO && op_only_reads(op)) {
        done = DONE_FAIL; /* it changed nothing, whatever became of it */
    }
    if (done == DONE_FAIL && w->error[0] == '\0') {
        (void)worker_said(w, DONE_FAIL, "refused");
    }
    note(w, op, number, done == DONE_OK ? "ok" : done == DONE_FAIL ? "fail" : "info");
    w->counts.ok += done == DONE_OK ? 1 : 0;
    w->counts.fail += done == DONE_FAIL ? 1 : 0;
    w->counts.info += done == DONE_INFO ? 1 : 0;
    remember(w, op, done);
    if (w->wire.fd < 0 || w->elsewhere || done == DONE_INFO) {
        wire_close(&w->wire);
        next_target(w);
    }
    if (w->hang_up) {
        wire_close(&w->wire);
        w->hang_up = false;
    }
    if (!reached) {
        pause_ns(PAUSE_NS);
    }
}

static bool time_over(const struct worker *w)
{
    const struct client_options *o = w->job->o;
    return atomic_load_explicit(w->job->unwritten, memory_order_relaxed) ||
           (o->stop != NULL && *o->stop != 0) ||
           (o->time_ns != 0 && clock_mono_ns() - w->job->begin_ns >= o->time_ns);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    const struct client_options *o = w->job->o;
    uint64_t share = o->operations / o->workers + (w->index < o->operations % o->workers ? 1 : 0);
    for (uint64_t i = 0; (o->operations == 0 || i < share) && !time_over(w); i++) {
        struct op op;
        op_draw(o, &w->job->weights, w->index, i, &op);
        pause_ns(op.wait_ns);
        if (!skips_has(&w->job->skips, w->index, i)) {
            fit(w, &op);
            one_op(w, &op, i);
        }
    }
    return NULL;
}

/* ---- before and after ---- */

/* Until a server answers, and what has to be there is. */
static int set_up(struct worker *w, struct err *err)
{
    const struct client_options *o = w->job->o;
    uint64_t begin = clock_mono_ns();
    for (;;) {
        w->error[0] = '\0';
        set_deadline(w);
        if (connected(w) && cells_setup(w) == 0) {
            return 0;
        }
        wire_close(&w->wire);
        if (clock_mono_ns() - begin >= o->patience_ns || (o->stop != NULL && *o->stop != 0)) {
            return err_set(err, ERR_IO, 0, "no server is of use after %.0f s; %s: %s",
                           (double)o->patience_ns * 1e-9, w->job->targets[w->target].name,
                           w->error[0] != '\0' ? w->error : "others were faster");
        }
        next_target(w);
        pause_ns(PAUSE_NS);
    }
}

static void last_reads(struct worker *w)
{
    struct op op;
    pause_ns(w->job->o->final_ns);
    for (uint64_t k = 0; op_final(w->job->o, k, &op) && !time_over(w); k++) {
        for (int try = 0; try < 10; try++) {
            uint64_t ok = w->counts.ok;
            one_op(w, &op, w->job->o->operations + k);
            if (w->counts.ok != ok) {
                break;
            }
        }
        if (op.kind == OP_DEQUEUE && str_is(strbuf_str(&w->value), "null")) {
            return; /* it is empty */
        }
    }
}

static int find_target(struct arena *arena, const char *text, uint16_t port, struct target *ret,
                       struct err *err)
{
    const char *colon = strrchr(text, ':');
    size_t n = colon != NULL ? (size_t)(colon - text) : strlen(text);
    char *end = NULL;
    unsigned long number = colon != NULL ? strtoul(colon + 1, &end, 10) : port;
    if (n == 0 || number == 0 || number > UINT16_MAX || (colon != NULL && *end != '\0')) {
        return err_set(err, ERR_INVALID, 0, "'%s' is not like n1:%u", text,
                       port != 0 ? port : 7000U);
    }
    const char *host = arena_strndup(arena, text, n);
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int code = getaddrinfo(host, NULL, &hints, &found);
    if (code != 0) {
        return err_set(err, ERR_IO, 0, "%s: %s", host, gai_strerror(code));
    }
    memcpy(&ret->addr, found->ai_addr, sizeof ret->addr);
    ret->addr.sin_port = htons((uint16_t)number);
    ret->name = text;
    freeaddrinfo(found);
    return 0;
}

static int find_driver(const char *name, const struct driver **ret, struct err *err)
{
    struct near near = near_to(str_of(name));
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (strcmp(drivers[i]->name, name) == 0) {
            *ret = drivers[i];
            return 0;
        }
        near_try(&near, str_of(drivers[i]->name));
    }
    SCOPED_STRBUF hint = {0};
    near_add(&near, &hint, "; did you mean '", "'?");
    return err_set(err, ERR_INVALID, 0,
                   "over: '%s' is none of redis, etcd, zookeeper, postgres, http, line%s", name,
                   strbuf_cstr(&hint));
}

/* What only some servers understand is not for the others: it would do nothing there. */
static int check_protocol(const struct client_options *o, struct err *err)
{
    const struct {
        const char *option, *over;
        bool given;
    } rows[] = {
        {"send",      "http, line",      o->send.n != 0      },
        {"reply",     "http, line",      o->replies.n != 0   },
        {"header",    "http, etcd",      o->headers.n != 0   },
        {"isolation", "postgres",        o->isolation != NULL},
        {"read",      "etcd, zookeeper", o->read != NULL     },
        {"user",      "postgres",        o->user != NULL     },
        {"database",  "postgres",        o->database != NULL },
        {"password",  "redis, postgres", o->password != NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].given && strstr(rows[i].over, o->over) == NULL) {
            return err_set(err, ERR_INVALID, 0, "%s: only over %s, not over %s", rows[i].option,
                           rows[i].over, o->over);
        }
    }
    return 0;
}

static int check_options(const struct client_options *o, struct err *err)
{
    if (o->targets.n == 0) {
        return err_set(err, ERR_INVALID, 0, "a target is missing, such as n1:6379");
    }
    if (o->workers == 0 || o->workers > WORKERS_MOST) {
        return err_set(err, ERR_INVALID, 0, "workers must be from 1 to %d", WORKERS_MOST);
    }
    if (o->keys == 0 || o->txn_most == 0 || o->accounts < 2) {
        return err_set(err, ERR_INVALID, 0,
                       "keys and txn must be above 0, and accounts at least 2");
    }
    if (o->operations == 0 && o->time_ns == 0) {
        return err_set(err, ERR_INVALID, 0, "operations or time must be given: it would not end");
    }
    return 0;
}

static int prepare(struct arena *arena, const struct client_options *o, struct job *job,
                   struct err *err)
{
    int status = check_options(o, err);
    status = status != 0 ? status : find_driver(o->over, &job->driver, err);
    status = status != 0 ? status : check_protocol(o, err);
    status = status != 0 ? status : weights_parse(o, &job->weights, err);
    status = status != 0 ? status : skips_parse(o->skip, &job->skips, err);
    if (status == 0 && job->driver->check != NULL) {
        status = job->driver->check(o, err);
    }
    job->targets = ARENA_ARRAY(arena, struct target, o->targets.n + 1);
    for (size_t i = 0; status == 0 && i < o->targets.n; i++) {
        status = find_target(arena, o->targets.v[i], job->driver->port, &job->targets[i], err);
    }
    return status;
}

static int run_workers(const struct job *job, struct worker *workers, struct err *err)
{
    pthread_t threads[WORKERS_MOST];
    pthread_attr_t attr;
    uint32_t started = 0;
    int code = pthread_attr_init(&attr);
    if (code == 0) {
        (void)pthread_attr_setstacksize(&attr, STACK_BYTES);
        for (; code == 0 && started < job->o->workers; started += code == 0 ? 1 : 0) {
            code = pthread_create(&threads[started], &attr, work, &workers[started]);
        }
        (void)pthread_attr_destroy(&attr);
    }
    for (uint32_t i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    return code != 0 ? err_set(err, ERR_IO, code, "a thread cannot be started") : 0;
}

static void worker_done(struct worker *w)
{
    wire_close(&w->wire);
    strbuf_done(&w->wire.in);
    cells_reset(&w->txn);
    VEC_DONE(&w->txn.reads);
    VEC_DONE(&w->txn.writes);
    strbuf_done(&w->out);
    strbuf_done(&w->line);
    strbuf_done(&w->value);
    u64map_done(&w->seen);
}

int client_work(const struct client_options *o, struct client_counts *ret, struct err *err)
{
    struct arena arena;
    _Atomic bool unwritten = false;
    struct job job = {.o = o, .unwritten = &unwritten};
    arena_init(&arena, 0);
    *ret = (struct client_counts){0};
    int status = prepare(&arena, o, &job, err);
    struct worker *workers = ARENA_ARRAY(&arena, struct worker, o->workers + 1);
    for (uint32_t i = 0; status == 0 && i < o->workers; i++) {
        workers[i].job = &job;
        workers[i].index = i;
        workers[i].wire.fd = -1;
        workers[i].target = i % o->targets.n;
    }
    if (status == 0) {
        status = set_up(&workers[0], err);
        job.begin_ns = clock_mono_ns();
        status = status != 0 ? status : run_workers(&job, workers, err);
        if (status == 0 && o->final) {
            last_reads(&workers[0]);
        }
        for (uint32_t i = 0; i < o->workers; i++) {
            ret->ok += workers[i].counts.ok;
            ret->fail += workers[i].counts.fail;
            ret->info += workers[i].counts.info;
            worker_done(&workers[i]);
        }
    }
    if (status == 0 && unwritten) {
        status = err_set(err, ERR_IO, 0, "the history could not be written");
    }
    VEC_DONE(&job.skips.v);
    arena_done(&arena);
    return status;
}
