/* What the commands of the engine share. */
#include "play/engine.h"

#include <inttypes.h>
#include <jansson.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/human.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "observe/observe.h"
#include "run/cluster.h"
#include "run/failure.h"
#include "run/record.h"
#include "run/runner.h"
#include "world/world.h"

bool engine_pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    int now = cpu >= 0 ? cpu : sched_getcpu();
    if (now < 0 || now >= CPU_SETSIZE) {
        return false;
    }
    CPU_SET((size_t)now, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

bool engine_bare(void)
{
    return env_text("ASSAY_BARE") != NULL;
}

void engine_state_dir(struct strbuf *ret_path)
{
    const char *state = env_get("XDG_STATE_HOME");
    const char *home = env_get("HOME");
    strbuf_reset(ret_path);
    if (state != NULL && state[0] == '/') {
        strbuf_printf(ret_path, "%s/assay", state);
    } else if (home != NULL && home[0] == '/') {
        strbuf_printf(ret_path, "%s/.local/state/assay", home);
    }
}

int engine_status(const struct teller *teller, const struct run_result *result)
{
    if (teller->flags->interrupt != 0) {
        return EXIT_INTERRUPTED;
    }
    switch (result->verdict) {
    case RUN_OK: return EXIT_OK;
    case RUN_VIOLATION: return EXIT_SAFETY;
    case RUN_DIVERGED:
    case RUN_FAILED: return EXIT_OTHER;
    }
    return EXIT_OTHER;
}

int engine_dir(const char *dir, struct dir_lock *lock, struct err *err)
{
    SCOPED_STRBUF mark = {0};
    strbuf_printf(&mark, "%s/events.txt", dir);
    int status = lock->held ? 0 : dir_lock(lock, dir, err);
    if (status != 0) {
        return status;
    }
    if (!file_exists(strbuf_cstr(&mark)) && !dir_is_empty(dir, DIR_LOCK_FILE)) {
        dir_unlock(lock);
        return err_set(err, ERR_INVALID, 0, "%s exists and is not the directory of a run", dir);
    }
    return dir_clear(dir, DIR_LOCK_FILE, err);
}

void engine_save(const struct run_options *options, struct run_result *result)
{
    SCOPED_STRBUF path = {0};
    struct err err;
    strbuf_printf(&path, "%s/replay", options->dir);
    result->saved = record_write(&result->record, options->cluster, strbuf_cstr(&path), &err) == 0;
    if (!result->saved) {
        strbuf_printf(&result->text, "%s%s", result->text.n != 0 ? "; " : "", err.text);
        result->verdict = result->verdict == RUN_OK ? RUN_FAILED : result->verdict;
    }
}

void engine_last_lines(const char *dir, const char *node, int lines, struct strbuf *out)
{
    struct arena arena;
    struct str text;
    struct err err;
    SCOPED_STRBUF path = {0};
    arena_init(&arena, 0);
    strbuf_printf(&path, "%s/%s.log", dir, node);
    if (file_read(&arena, strbuf_cstr(&path), (size_t)1 << 30, &text, &err) == 0) {
        size_t from = text.n;
        for (int seen = 0; from > 0; from--) {
            seen += text.p[from - 1] == '\n' && from < text.n ? 1 : 0;
            if (seen == lines) {
                break;
            }
        }
        strbuf_add(out, text.p + from, text.n - from);
    }
    arena_done(&arena);
}

/* A program that ended has said why, as a rule. */
static void print_last_lines(const struct teller *teller, const struct run_options *options,
                             const struct run_result *result)
{
    enum { SHOWN = 10 };
    const struct failure *f = &result->failure;
    if (result->verdict != RUN_VIOLATION || f->node < 0) {
        return;
    }
    const char *name = options->cluster->nodes[f->node].name;
    SCOPED_STRBUF text = {0};
    engine_last_lines(options->dir, name, SHOWN, &text);
    struct str rest = strbuf_str(&text);
    if (rest.n == 0) {
        (void)fprintf(teller->out, "%s has printed nothing\n", name);
        return;
    }
    (void)fprintf(teller->out, "last lines of %s (%s/%s.log):\n", name, options->dir, name);
    while (rest.n > 0) {
        const char *end = memchr(rest.p, '\n', rest.n);
        size_t n = end != NULL ? (size_t)(end - rest.p) : rest.n;
        (void)fprintf(teller->out, "  %.*s\n", (int)n, rest.p);
        n += end != NULL ? 1 : 0;
        rest = (struct str){rest.p + n, rest.n - n};
    }
}

static const char *verdict_name(enum run_verdict verdict)
{
    static const char *const names[] = {"ok", "violation", "diverged", "failed"};
    return names[verdict];
}

static void print_faults(const struct teller *teller, const struct run_result *result)
{
    bool any = false;
    for (int i = 0; i < EV_KINDS; i++) {
        if (i > EV_START && i != EV_WAIT && result->counts.events[i] != 0) {
            (void)fprintf(teller->out, "%s %" PRIu64 " %s",
                          any ? "," : "faults:", result->counts.events[i],
                          event_name((enum event_kind)i));
            any = true;
        }
    }
    for (int i = 0; i < DISK_FAULTS; i++) {
        if (result->counts.disk_faults[i] != 0) {
            (void)fprintf(teller->out, "%s %" PRIu64 " %s",
                          any ? "," : "faults:", result->counts.disk_faults[i],
                          disk_fault_name((enum disk_fault)i));
            any = true;
        }
    }
    (void)fputs(any ? "\n" : "faults: none\n", teller->out);
    if (result->boot.n != 0) {
        (void)fprintf(teller->out, "boot cache: %.*s\n", (int)result->boot.n, result->boot.p);
    }
}

void engine_print(const struct teller *teller, const struct run_options *options,
                  const struct run_result *result, double seconds)
{
    struct palette pal = palette_get(color_wanted(COLOR_AUTO, fileno(teller->out)));
    const char *color = result->verdict == RUN_OK ? pal.green : pal.red;
    (void)fprintf(teller->out, "%s%s%s", color, verdict_name(result->verdict), pal.reset);
    if (result->verdict != RUN_OK) {
        (void)fprintf(teller->out, ": %.*s", STR_ARG(strbuf_str(&result->text)));
    }
    (void)fprintf(teller->out,
                  "\nseed %" PRIu64 ", %" PRIu64 " events, %.3f s of virtual time in %.2f s, hash "
                  "%016" PRIx64 "\n",
                  options->seed, result->events, (double)result->now_ns * 1e-9, seconds,
                  result->hash);
    (void)fprintf(teller->out, "%" PRIu64 " system calls, %" PRIu64 " packets, %" PRIu64 " bytes\n",
                  result->counts.calls, result->counts.packets, result->counts.bytes);
    print_faults(teller, result);
    if (result->counts.unreachable != 0) {
        (void)fprintf(teller->out,
                      "%" PRIu64 " attempts to reach an address outside the cluster were refused\n",
                      result->counts.unreachable);
    }
    for (size_t i = 0; i < result->nodes.n; i++) {
        const struct node_view *view = &result->nodes.v[i];
        if (view->net_failed != NULL && !view->net_used) {
            (void)fprintf(teller->out, "node %s has opened no socket: %s failed: %s\n", view->name,
                          view->net_failed, strerror(view->net_errno));
        }
    }
    if (result->counts.spins != 0) {
        (void)fprintf(teller->out, "%" PRIu64 " loops without system calls were left\n",
                      result->counts.spins);
    }
    if (result->counts.not_messages != 0) {
        (void)fprintf(teller->out,
                      "%" PRIu64 " channels carry no messages as [[messages]] describes them\n",
                      result->counts.not_messages);
    }
    if (result->verdict == RUN_OK && options->replay == NULL &&
        result->events >= options->cluster->events_most) {
        (void)fprintf(teller->out,
                      "the limit of events was reached before the time was over (--events)\n");
    }
    print_last_lines(teller, options, result);
    if (result->saved) {
        (void)fprintf(teller->out, "replay: assay replay %s/replay\n", options->dir);
    }
}

void engine_print_json(const struct teller *teller, const struct run_options *options,
                       const struct run_result *result, double seconds)
{
    json_t *faults = json_object();
    for (int i = 0; i < EV_KINDS; i++) {
        (void)json_object_set_new(faults, event_name((enum event_kind)i),
                                  json_integer((json_int_t)result->counts.events[i]));
    }
    json_t *nodes = json_array();
    for (size_t i = 0; i < result->nodes.n; i++) {
        const struct node_view *view = &result->nodes.v[i];
        int status = view->status;
        int shell = (status & 0x7f) != 0 ? 128 + (status & 0x7f) : status >> 8;
        (void)json_array_append_new(nodes, json_pack("{s:s, s:i, s:b, s:i}", "name", view->name,
                                                     "status", view->ended ? shell : 0, "ended",
                                                     view->ended, "starts", (int)view->starts));
    }
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    json_t *root = json_pack(
        "{s:s, s:s%, s:I, s:I, s:f, s:f, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:s}", "verdict",
        verdict_name(result->verdict), "text", result->text.p != NULL ? result->text.p : "",
        result->text.n, "seed", (json_int_t)options->seed, "events", (json_int_t)result->events,
        "virtual_s", (double)result->now_ns * 1e-9, "real_s", seconds, "hash", hash, "calls",
        (json_int_t)result->counts.calls, "stops", (json_int_t)result->counts.resumes, "packets",
        (json_int_t)result->counts.packets, "bytes", (json_int_t)result->counts.bytes,
        "events_done", faults, "nodes", nodes, "dir", options->dir);
    if (root != NULL && result->boot.n != 0) {
        (void)json_object_set_new(root, "boot_cache", json_stringn(result->boot.p, result->boot.n));
    }
    if (root != NULL && result->verdict == RUN_VIOLATION) {
        const struct failure *f = &result->failure;
        const char *who = f->node >= 0 ? options->cluster->nodes[f->node].name : NULL;
        char text_class[17];
        (void)snprintf(text_class, sizeof text_class, "%016" PRIx64, f->text_class);
        (void)json_object_set_new(root, "failure",
                                  json_pack("{s:s, s:s?, s:i, s:s}", "oracle",
                                            failure_kind_name(f->kind), "node", who, "number",
                                            (int)f->number, "class", text_class));
    }
    if (root != NULL) {
        (void)json_dumpf(root, teller->out, JSON_COMPACT);
        (void)fputc('\n', teller->out);
        json_decref(root);
    }
}

void engine_progress(void *arg, uint64_t now_ns, uint64_t events)
{
    const struct engine_show *show = arg;
    (void)fprintf(show->teller->err, "\rseed %" PRIu64 ": %.1f s, %" PRIu64 " events ", show->seed,
                  (double)now_ns * 1e-9, events);
    (void)fflush(show->teller->err);
}

void engine_progress_end(const struct teller *teller, bool on)
{
    if (on) {
        (void)fputs("\r\033[K", teller->err);
    }
}

/* ---- invariants ---- */

static int judge_check(void *arg, struct world *world, uint32_t *ret_number, struct strbuf *text,
                       struct err *err)
{
    return observer_check(arg, world, ret_number, text, err);
}

static void judge_begin(void *arg)
{
    observer_begin(arg);
}

static void judge_anew(void *arg)
{
    observer_anew(arg);
}

static uint64_t judge_hash(void *arg)
{
    return observer_hash(arg);
}

static int judge_look(void *arg, struct world *world, struct err *err)
{
    return observer_look(arg, world, err);
}

static int judge_keep(void *arg, uint32_t node, uint64_t *ret, struct err *err)
{
    return observer_keep(arg, node, ret, err);
}

static int judge_pack(void *arg, uint64_t state, struct strbuf *out, struct err *err)
{
    return observer_pack(arg, state, out, err);
}

static int judge_unpack(void *arg, uint64_t state, struct str bytes, struct err *err)
{
    return observer_unpack(arg, state, bytes, err);
}

static int judge_states(void *arg, const uint64_t *states, uint32_t *ret_number,
                        struct strbuf *text, struct err *err)
{
    return observer_judge(arg, states, ret_number, text, err);
}

static void judge_show(void *arg, const uint64_t *states, struct strbuf *out)
{
    observer_show(arg, states, out);
}

static void judge_print(void *arg, struct strbuf *out)
{
    observer_print(arg, out);
}

int engine_judge(const struct teller *teller, struct cluster *cluster, bool look,
                 struct arena *arena, struct observer **ret)
{
    SCOPED_STRBUF mistakes = {0};
    struct err err = {0};
    *ret = NULL;
    if (!cluster->invariants && !(look && cluster->observes)) {
        return EXIT_OK;
    }
    if (observer_open(cluster, ret, &mistakes, &err) != 0) {
        if (mistakes.n != 0) {
            (void)put_text(teller->err, strbuf_str(&mistakes));
        } else {
            (void)fprintf(teller->err, "assay: %s\n", err.text);
        }
        return EXIT_CONFIG;
    }
    struct cluster_judge *judge = ARENA_NEW(arena, struct cluster_judge);
    *judge = (struct cluster_judge){
        .arg = *ret,
        .check = judge_check,
        .begin = judge_begin,
        .anew = judge_anew,
        .hash = judge_hash,
        .look = judge_look,
        .keep = judge_keep,
        .pack = judge_pack,
        .unpack = judge_unpack,
        .judge = judge_states,
        .show = judge_show,
        .print = judge_print,
    };
    cluster->judge = judge;
    return EXIT_OK;
}
