/* Cluster files: from TOML to a description of a world. A name that nobody understands is an error,
 * so that a misspelt fault does not silently stay away. */
#include "run/cluster.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/limits.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/near.h"
#include "base/str.h"
#include "base/toml.h"
#include "base/vec.h"
#include "client/client.h"
#include "history/history.h"
#include "run/event_text.h"
#include "run/script.h"
#include "world/world.h"

enum { EVENTS_AT_ONCE = 4096 };

struct loader {
    struct arena *arena;
    struct cluster *out;
    struct err *err;
    const char *dir; /* of the file */
    struct toml toml;
    struct toml_table *table;
    unsigned number;     /* {i} in strings of the current node; 0 = none */
    struct strmap names; /* of nodes -> struct world_node */
};

#define FAIL(l, line, ...) err_set((l)->err, ERR_INVALID, 0, "line %u: " __VA_ARGS__)

int cluster_node(const struct cluster *cluster, struct str name)
{
    for (size_t i = 0; i < cluster->n_nodes; i++) {
        if (str_is(name, cluster->nodes[i].name)) {
            return (int)i;
        }
    }
    return -1;
}

void cluster_skip(struct cluster *cluster, struct arena *arena, uint32_t node, const char *text)
{
    const char *const *old = cluster->nodes[node].argv;
    size_t n = 0;
    while (old[n] != NULL && strcmp(old[n], "--skip") != 0) {
        n++;
    }
    const char **argv = ARENA_ARRAY(arena, const char *, n + 3);
    for (size_t i = 0; i < n; i++) {
        argv[i] = old[i];
    }
    cluster->skips[node] = NULL;
    if (text[0] != '\0') {
        cluster->skips[node] = arena_strndup(arena, text, strlen(text));
        argv[n] = "--skip";
        argv[n + 1] = cluster->skips[node];
    }
    cluster->nodes[node].argv = argv;
}

/* ---- values ---- */

/* Replaces {i} by the number of the node and {dir} by the directory of the cluster file. */
static const char *expand(struct loader *l, struct str text)
{
    SCOPED_STRBUF out = {0};
    for (size_t i = 0; i < text.n; i++) {
        if (l->number != 0 && text.n - i >= 3 && memcmp(text.p + i, "{i}", 3) == 0) {
            strbuf_printf(&out, "%u", l->number);
            i += 2;
        } else if (text.n - i >= 5 && memcmp(text.p + i, "{dir}", 5) == 0) {
            strbuf_adds(&out, l->dir);
            i += 4;
        } else {
            strbuf_addc(&out, text.p[i]);
        }
    }
    return arena_strndup(l->arena, strbuf_cstr(&out), out.n);
}

static int want(struct loader *l, const char *key, enum toml_kind kind, struct toml_value **ret)
{
    static const char *const names[] = {"a string", "a number", "true or false", "an array",
                                        "a table"};
    struct toml_pair *pair = toml_find(l->table, key);
    *ret = NULL;
    if (pair == NULL) {
        return 0;
    }
    if (pair->value.kind != kind) {
        return FAIL(l, pair->value.line, "%s must be %s", pair->value.line, key, names[kind]);
    }
    *ret = &pair->value;
    return 0;
}

static int get_string(struct loader *l, const char *key, const char **ret)
{
    struct toml_value *v = NULL;
    int status = want(l, key, TOML_STRING, &v);
    if (v != NULL) {
        *ret = expand(l, v->text);
    }
    return status;
}

static int get_u32(struct loader *l, const char *key, uint32_t *ret)
{
    struct toml_value *v = NULL;
    int status = want(l, key, TOML_NUMBER, &v);
    if (v != NULL) {
        if (v->number < 0 || v->number > 4e9 || v->number != floor(v->number)) {
            return FAIL(l, v->line, "%s must be a whole number from 0 to 4000000000", v->line, key);
        }
        *ret = (uint32_t)v->number;
    }
    return status;
}

static int get_u64(struct loader *l, const char *key, uint64_t *ret)
{
    struct toml_value *v = NULL;
    int status = want(l, key, TOML_NUMBER, &v);
    if (v != NULL) {
        if (v->number < 0 || v->number > 1e15 || v->number != floor(v->number)) {
            return FAIL(l, v->line, "%s must be a whole number from 0 to 1e15", v->line, key);
        }
        *ret = (uint64_t)v->number;
    }
    return status;
}

/* A chance between 0 and 1, in millionths. */
static int get_chance(struct loader *l, const char *key, uint32_t *ret)
{
    struct toml_value *v = NULL;
    int status = want(l, key, TOML_NUMBER, &v);
    if (v != NULL) {
        if (v->number < 0 || v->number > 1) {
            return FAIL(l, v->line, "%s must be between 0 and 1", v->line, key);
        }
        *ret = (uint32_t)(v->number * 1e6);
    }
    return status;
}

static int get_bool(struct loader *l, const char *key, bool *ret)
{
    struct toml_value *v = NULL;
    int status = want(l, key, TOML_BOOL, &v);
    if (v != NULL) {
        *ret = v->boolean;
    }
    return status;
}

static int get_time(struct loader *l, const char *key, uint64_t *ret)
{
    struct toml_value *v = NULL;
    int status = want(l, key, TOML_STRING, &v);
    if (v != NULL && !parse_time_ns(v->text, ret)) {
        return FAIL(l, v->line, "%s: not a time such as \"20ms\"", v->line, key);
    }
    return status;
}

/* ["1ms", "5ms"]: from, to; one string stands for both. */
static int get_times(struct loader *l, const char *key, uint64_t *ret_min, uint64_t *ret_max)
{
    struct toml_pair *pair = toml_find(l->table, key);
    if (pair == NULL) {
        return 0;
    }
    struct toml_value *v = &pair->value, *first = v, *last = v;
    if (v->kind == TOML_ARRAY && v->n == 2) {
        first = &v->items[0];
        last = &v->items[1];
    }
    if (first->kind != TOML_STRING || last->kind != TOML_STRING ||
        !parse_time_ns(first->text, ret_min) || !parse_time_ns(last->text, ret_max) ||
        *ret_min > *ret_max) {
        return FAIL(l, v->line, "%s must be a time or two, such as [\"1ms\", \"5ms\"]", v->line,
                    key);
    }
    return 0;
}

/* An array of strings, or one string cut into words as a shell does. NULL-terminated. */
static int get_list(struct loader *l, const char *key, bool cut, const char *const **ret)
{
    struct toml_pair *pair = toml_find(l->table, key);
    if (pair == NULL) {
        return 0;
    }
    const struct toml_value *v = &pair->value;
    size_t n = 0;
    const char **list = NULL;
    if (v->kind == TOML_ARRAY) {
        list = ARENA_ARRAY(l->arena, const char *, v->n + 1);
        for (; n < v->n; n++) {
            if (v->items[n].kind != TOML_STRING) {
                return FAIL(l, v->line, "%s must be an array of strings", v->line, key);
            }
            list[n] = expand(l, v->items[n].text);
        }
    } else if (v->kind == TOML_STRING && cut) {
        list = ARENA_ARRAY(l->arena, const char *, v->text.n + 2);
        struct str rest = v->text;
        SCOPED_STRBUF word = {0};
        int more = 0;
        while ((more = command_word(&rest, &word)) > 0) {
            list[n++] = expand(l, str_dup(l->arena, strbuf_str(&word)));
            strbuf_reset(&word);
        }
        if (more < 0) {
            return FAIL(l, v->line, "%s: a quote is not closed", v->line, key);
        }
    } else {
        return FAIL(l, v->line, "%s must be an array of strings", v->line, key);
    }
    *ret = list;
    return 0;
}

/* ---- names that nobody understands ---- */

static int check_keys(struct loader *l, const struct toml_table *table)
{
    for (size_t k = 0; k < table->n; k++) {
        if (!table->pairs[k].used) {
            unsigned line = table->pairs[k].value.line;
            SCOPED_STRBUF near = {0};
            toml_near(&table->pairs[k], &near);
            return FAIL(l, line, "'%.*s' is not known in [%.*s]%s", line,
                        STR_ARG(table->pairs[k].key), STR_ARG(table->name), strbuf_cstr(&near));
        }
    }
    return 0;
}

/* Something must be there, and is not: perhaps it is misspelt. All keys have been looked for. */
static int fail_missing(struct loader *l, const char *text)
{
    int status = check_keys(l, l->table);
    return status != 0 ? status : FAIL(l, l->table->line, "%s", l->table->line, text);
}

/* A key above the first header belongs to no table. */
static int fail_top(struct loader *l)
{
    const struct toml_pair *pair = &l->table->pairs[0];
    return FAIL(l, pair->value.line, "'%.*s' stands above the first table, such as [run]",
                pair->value.line, STR_ARG(pair->key));
}

static int fail_table(struct loader *l)
{
    static const struct {
        const char *name;
        bool element;
    } rows[] = {
        {"node",       true },
        {"client",     true },
        {"run",        false},
        {"net",        false},
        {"disk",       false},
        {"limits",     false},
        {"faults",     false},
        {"event",      true },
        {"messages",   true },
        {"check",      true },
        {"fault",      true },
        {"reachable",  true },
        {"sometimes",  true },
        {"history",    false},
        {"explore",    false},
        {"invariants", false},
    };
    const struct toml_table *table = l->table;
    struct near near = near_to(table->name);
    SCOPED_STRBUF hint = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        near_try(&near, str_of(rows[i].name));
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (str_is(near.best, rows[i].name)) { /* perhaps only the brackets are wrong */
            strbuf_printf(&hint, "; did you mean %s%s%s?", rows[i].element ? "[[" : "[",
                          rows[i].name, rows[i].element ? "]]" : "]");
        }
    }
    return FAIL(l, table->line, "there is no table %s%.*s%s%s", table->line,
                table->element ? "[[" : "[", STR_ARG(table->name), table->element ? "]]" : "]",
                strbuf_cstr(&hint));
}

/* ---- tables ---- */

static bool hwrand_way(const char *name, enum hwrand_way *ret)
{
    static const char *const names[] = {
        [HWRAND_AUTO] = "auto", [HWRAND_HIDE] = "hide", [HWRAND_REPLACE] = "replace"};
    for (int i = HWRAND_AUTO; i <= HWRAND_REPLACE; i++) {
        if (strcmp(name, names[i]) == 0) {
            *ret = (enum hwrand_way)i;
            return true;
        }
    }
    return false;
}

static int load_run(struct loader *l)
{
    struct cluster *c = l->out;
    const char *threads = NULL, *stop = NULL, *rdrand = NULL, *work = NULL;
    int status = get_u64(l, "seed", &c->seed);
    status = status != 0 ? status : get_string(l, "stop", &stop);
    status = status != 0 ? status : get_time(l, "time", &c->time_ns);
    status = status != 0 ? status : get_u64(l, "events", &c->events_most);
    if (status == 0 && (c->time_ns == 0 || c->events_most == 0)) {
        return FAIL(l, l->table->line, "time and events must be above 0: nothing would happen",
                    l->table->line);
    }
    status = status != 0 ? status : get_string(l, "threads", &threads);
    status = status != 0 ? status : get_string(l, "rdrand", &rdrand);
    status = status != 0 ? status : get_string(l, "work", &work);
    status = status != 0 ? status : get_bool(l, "independent", &c->independent);
    status = status != 0 ? status : get_u64(l, "preemptions", &c->preemptions);
    status = status != 0 ? status : get_list(l, "allow", false, &c->allow);
    const char *const *fail_on = NULL;
    status = status != 0 ? status : get_list(l, "fail_on", false, &fail_on);
    size_t n = 0;
    while (fail_on != NULL && fail_on[n] != NULL) {
        n++;
    }
    c->fail_on = ARENA_ARRAY(l->arena, struct str, n + 1);
    for (; fail_on != NULL && c->n_fail_on < n; c->n_fail_on++) {
        c->fail_on[c->n_fail_on] = str_of(fail_on[c->n_fail_on]);
    }
    if (stop != NULL) {
        c->stop_with_clients = strcmp(stop, "clients") == 0;
        if (!c->stop_with_clients && strcmp(stop, "time") != 0) {
            return FAIL(l, l->table->line, "stop must be \"time\" or \"clients\"", l->table->line);
        }
    }
    if (status == 0 && rdrand != NULL && !hwrand_way(rdrand, &c->hwrand)) {
        return FAIL(l, l->table->line, "rdrand must be \"auto\", \"hide\" or \"replace\"",
                    l->table->line);
    }
    c->dependent = !c->independent && toml_find(l->table, "independent") != NULL;
    if (work != NULL) {
        c->work = strcmp(work, "time") == 0;
        if (!c->work && strcmp(work, "free") != 0) {
            return FAIL(l, l->table->line, "work must be \"free\" or \"time\"", l->table->line);
        }
    }
    if (threads != NULL) {
        c->seeded_threads = strcmp(threads, "seeded") == 0;
        if (!c->seeded_threads && strcmp(threads, "fifo") != 0) {
            return FAIL(l, l->table->line, "threads must be \"fifo\" or \"seeded\"",
                        l->table->line);
        }
    }
    return status;
}

static int load_net(struct loader *l)
{
    struct world_net *net = &l->out->net;
    int status = get_times(l, "latency", &net->latency_min_ns, &net->latency_max_ns);
    status = status != 0 ? status : get_chance(l, "udp_loss", &net->udp_loss_ppm);
    status = status != 0 ? status : get_chance(l, "loss", &net->loss_ppm);
    const char *bandwidth = NULL;
    status = status != 0 ? status : get_string(l, "bandwidth", &bandwidth);
    int64_t bytes = 0;
    if (bandwidth != NULL && (!parse_bytes(str_of(bandwidth), &bytes) || bytes == 0)) {
        return FAIL(l, l->table->line, "bandwidth must be bytes a second, such as \"1MB\"",
                    l->table->line);
    }
    net->bytes_per_s = (uint64_t)bytes;
    return status;
}

/* One of end = "text" and length = 4; with neither, each write is a message. */
static int load_messages(struct loader *l)
{
    struct world_net *net = &l->out->net;
    uint32_t port = 0, width = 0;
    const char *order = "big", *counts = "rest", *end = NULL;
    struct world_message rule = {.end = MESSAGE_WRITE};
    struct toml_value *extra = NULL;
    unsigned line = l->table->line;
    int status = get_u32(l, "port", &port);
    status = status != 0 ? status : get_string(l, "end", &end);
    status = status != 0 ? status : get_u32(l, "length", &width);
    status = status != 0 ? status : get_u32(l, "offset", &rule.offset);
    status = status != 0 ? status : get_string(l, "order", &order);
    status = status != 0 ? status : get_string(l, "counts", &counts);
    status = status != 0 ? status : want(l, "extra", TOML_NUMBER, &extra);
    if (status != 0) {
        return status;
    }
    if (port > UINT16_MAX || (end != NULL && (width != 0 || end[0] == '\0' || strlen(end) > 16))) {
        return FAIL(l, line,
                    "messages need a port up to 65535 and either end, of 1 to 16 bytes, or "
                    "length",
                    line);
    }
    if (width != 0 && width != 1 && width != 2 && width != 4 && width != 8) {
        return FAIL(l, line, "length must be 1, 2, 4 or 8 bytes", line);
    }
    rule.little = strcmp(order, "little") == 0;
    rule.counts_all = strcmp(counts, "all") == 0;
    if ((!rule.little && strcmp(order, "big") != 0) ||
        (!rule.counts_all && strcmp(counts, "rest") != 0)) {
        return FAIL(l, line, "order must be \"big\" or \"little\", counts \"rest\" or \"all\"",
                    line);
    }
    if (rule.offset > 4096 ||
        (extra != NULL && (extra->number < -65536 || extra->number > 65536))) {
        return FAIL(l, line, "offset or extra is out of range", line);
    }
    rule.port = (uint16_t)port;
    rule.width = (uint8_t)width;
    rule.extra = extra != NULL ? (int64_t)extra->number : 0;
    if (width != 0) {
        rule.end = MESSAGE_LENGTH;
    } else if (end != NULL) {
        rule.end = MESSAGE_TEXT;
        rule.text = end;
        rule.text_n = strlen(end);
    }
    struct world_message *more = ARENA_ARRAY(l->arena, struct world_message, net->n_messages + 1);
    if (net->n_messages != 0) {
        memcpy(more, net->messages, net->n_messages * sizeof *more);
    }
    more[net->n_messages++] = rule;
    net->messages = more;
    return 0;
}

static int load_disk(struct loader *l)
{
    const char *model = "journal";
    int status = get_string(l, "model", &model);
    l->out->strict_disk = strcmp(model, "strict") == 0;
    if (status == 0 && !l->out->strict_disk && strcmp(model, "journal") != 0) {
        return FAIL(l, l->table->line, "model must be \"journal\" or \"strict\"", l->table->line);
    }
    l->out->writeback_ns = l->out->strict_disk ? 0 : l->out->writeback_ns;
    return status != 0 ? status : get_time(l, "writeback", &l->out->writeback_ns);
}

static int load_limits(struct loader *l)
{
    struct world_limits *limits = &l->out->limits;
    uint64_t megabytes = limits->memory_bytes >> 20, log = limits->log_bytes >> 20;
    uint64_t disk = limits->disk_bytes >> 20, kernel = limits->kernel_bytes >> 20;
    int status = get_u64(l, "memory_mb", &megabytes);
    status = status != 0 ? status : get_u64(l, "disk_mb", &disk);
    status = status != 0 ? status : get_u64(l, "kernel_mb", &kernel);
    status = status != 0 ? status : get_u64(l, "log_mb", &log);
    status = status != 0 ? status : get_u32(l, "threads", &limits->threads);
    status = status != 0 ? status : get_u64(l, "busy_calls", &limits->busy_calls);
    uint64_t spin = limits->spin_ms * 1000000;
    status = status != 0 ? status : get_time(l, "spin", &spin);
    limits->memory_bytes = megabytes << 20;
    limits->disk_bytes = disk << 20;
    limits->kernel_bytes = kernel << 20;
    limits->log_bytes = log << 20;
    limits->spin_ms = spin / 1000000;
    uint64_t compute = limits->compute_ms * 1000000;
    status = status != 0 ? status : get_time(l, "compute", &compute);
    limits->compute_ms = compute / 1000000;
    uint64_t escape = limits->escape_ms * 1000000;
    status = status != 0 ? status : get_time(l, "spin_escape", &escape);
    limits->escape_ms = escape / 1000000;
    return status;
}

static int load_faults(struct loader *l)
{
    struct fault_plan *f = &l->out->faults;
    struct {
        const char *key;
        uint32_t *to;
    } const counts[] = {
        {"kills",            &f->kills        },
        {"crashes",          &f->crashes      },
        {"pauses",           &f->pauses       },
        {"partitions",       &f->partitions   },
        {"cuts",             &f->cuts         },
        {"jumps",            &f->jumps        },
        {"disk",             &f->disk         },
        {"drops",            &f->drops        },
        {"duplicates",       &f->duplicates   },
        {"splits",           &f->splits       },
        {"bridges",          &f->bridges      },
        {"slow_links",       &f->slow_links   },
        {"lossy_links",      &f->lossy_links  },
        {"narrow_links",     &f->narrow_links },
        {"slow_disks",       &f->slow_disks   },
        {"memory",           &f->memory       },
        {"process_kills",    &f->process_kills},
        {"strobes",          &f->strobes      },
        {"rolling_restarts", &f->rolling      },
    };
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof counts / sizeof counts[0]; i++) {
        status = get_u32(l, counts[i].key, counts[i].to);
    }
    status = status != 0 ? status : get_times(l, "between", &f->from_ns, &f->to_ns);
    status = status != 0 ? status : get_times(l, "last", &f->min_ns, &f->max_ns);
    return status != 0 ? status : get_chance(l, "reorder", &f->reorder_ppm);
}

static bool parse_ip(const char *text, uint32_t *ret)
{
    uint32_t ip = 0;
    for (int i = 0; i < 4; i++) {
        char *end = NULL;
        unsigned long part = strtoul(text, &end, 10);
        if (end == text || part > 255 || *end != (i < 3 ? '.' : '\0')) {
            return false;
        }
        ip = ip << 8 | (uint32_t)part;
        text = end + 1;
    }
    *ret = ip;
    return true;
}

/* files = ["/data/a.conf", "text of it", "/data/b", "@{dir}/b"]: pairs; @ reads a real file. */
static int load_files(struct loader *l, struct world_node *node)
{
    const char *const *list = NULL;
    int status = get_list(l, "files", false, &list);
    size_t n = 0;
    while (status == 0 && list != NULL && list[n] != NULL) {
        n++;
    }
    if (status != 0 || n % 2 != 0) {
        return status != 0 ? status
                           : FAIL(l, l->table->line, "files must be pairs of path and text",
                                  l->table->line);
    }
    struct world_file *files = ARENA_ARRAY(l->arena, struct world_file, n / 2 + 1);
    for (size_t i = 0; i < n; i += 2) {
        struct str text = str_of(list[i + 1]);
        unsigned mode = text.n > 2 && text.p[0] == '#' && text.p[1] == '!' ? 0755 : 0;
        struct stat st;
        if (text.n > 0 && text.p[0] == '@') {
            mode = stat(text.p + 1, &st) == 0 ? st.st_mode & 0777 : 0;
            status = file_read(l->arena, text.p + 1, (size_t)1 << 30, &text, l->err);
            if (status != 0) {
                return status;
            }
        }
        files[i / 2] = (struct world_file){list[i], text.p, text.n, mode};
    }
    node->files = files;
    node->n_files = n / 2;
    return 0;
}

static const char *const default_env[] = {
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME=/tmp",
    "LANG=C.UTF-8",
    "TZ=UTC",
    "OPENSSL_ia32cap=~0x4000000000000000:~0x40000", /* no RDRAND, no RDSEED */
    /* What a sanitizer finds ends the process, with a status that is not 0. */
    "TSAN_OPTIONS=halt_on_error=1",
    "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:print_summary=1",
};

static int load_env(struct loader *l, struct world_node *node)
{
    const char *const *list = NULL;
    int status = get_list(l, "env", false, &list);
    size_t n = 0, given = 0;
    while (status == 0 && list != NULL && list[given] != NULL) {
        given++;
    }
    const size_t defaults = sizeof default_env / sizeof default_env[0];
    const char **env = ARENA_ARRAY(l->arena, const char *, given + defaults + 1);
    for (size_t i = 0; i < defaults; i++) {
        size_t name = strcspn(default_env[i], "=") + 1;
        bool replaced = false;
        for (size_t k = 0; k < given; k++) {
            replaced = replaced || strncmp(list[k], default_env[i], name) == 0;
        }
        if (!replaced) {
            env[n++] = default_env[i];
        }
    }
    for (size_t k = 0; k < given; k++) {
        env[n++] = list[k];
    }
    node->env = env;
    return status;
}

/* Whether something that exists lies where nodes have a directory of their own. */
static bool hidden(const char *path)
{
    static const char *const own[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        size_t n = strlen(own[i]);
        if (strncmp(path, own[i], n) == 0 && path[n] != '\0') {
            return file_exists(path);
        }
    }
    return false;
}

/* Where programs look for parts of themselves: PYTHONPATH, LD_LIBRARY_PATH, CLASSPATH, PERL5LIB.
 * Other variables may name what the node is to make, in its own directory. */
static bool search_path(const char *variable)
{
    size_t n = strcspn(variable, "=");
    return variable[n] == '=' && ((n >= 4 && memcmp(variable + n - 4, "PATH", 4) == 0) ||
                                  (n >= 3 && memcmp(variable + n - 3, "LIB", 3) == 0));
}

/* Directories that the search paths of a node can name, at most. */
static size_t named_most(const struct world_node *node)
{
    size_t n = 0;
    for (size_t i = 0; node->env != NULL && node->env[i] != NULL; i++) {
        for (const char *at = node->env[i]; *at != '\0'; at++) {
            n += *at == ':' ? 1 : 0;
        }
        n++;
    }
    return n;
}

/* What a search path names is there, also in a temporary directory of the machine, which the node's
 * own would hide. */
static void add_named(struct loader *l, const struct world_node *node, const char **shown)
{
    for (size_t i = 0; node->env != NULL && node->env[i] != NULL; i++) {
        const char *at = search_path(node->env[i]) ? strchr(node->env[i], '=') : NULL;
        while (at != NULL) {
            at++;
            size_t len = strcspn(at, ":");
            const char *path = arena_strndup(l->arena, at, len);
            if (hidden(path)) {
                *shown++ = path;
            }
            at = at[len] == ':' ? at + len : NULL;
        }
    }
}

/* What a node sees of the machine though not everybody may: the cluster's own directory, and those
 * that are listed. */
static int load_shown(struct loader *l, struct world_node *node)
{
    const char *const *readable = NULL;
    int status = get_list(l, "readable", false, &readable);
    if (status != 0) {
        return status;
    }
    size_t n = 0;
    while (readable != NULL && readable[n] != NULL) {
        n++;
    }
    const char **shown = ARENA_ARRAY(l->arena, const char *, n + 2 + named_most(node));
    shown[0] = l->dir;
    for (size_t i = 0; i < n; i++) {
        char real[PATH_MAX];
        if (readable[i][0] != '/' || realpath(readable[i], real) == NULL) {
            return FAIL(l, l->table->line, "readable: there is no directory '%s'", l->table->line,
                        readable[i]);
        }
        shown[i + 1] = arena_strndup(l->arena, real, strlen(real));
    }
    add_named(l, node, shown + n + 1);
    node->shown = shown;
    return 0;
}

/* Names are host names, names of files in the directory of the run, and words of events. */
static int check_name(struct loader *l, const char *name)
{
    static const char *const taken[] = {"replay", "check.out", "events.txt", "history.txt",
                                        "history.jsonl"};
    unsigned line = l->table->line;
    bool good = name[0] != '\0' && name[0] != '.' && name[0] != '-';
    for (const char *at = name; *at != '\0'; at++) {
        good = good && ((unsigned char)*at >= 0x80 || isalnum((unsigned char)*at) != 0 ||
                        strchr("-_.", *at) != NULL);
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        good = good && strcmp(name, taken[i]) != 0;
    }
    if (!good) {
        return FAIL(l, line, "'%s' cannot be the name of a node: use letters, digits, - and _",
                    line, name);
    }
    if (strmap_has(&l->names, str_of(name))) {
        return FAIL(l, line, "there are two nodes named '%s'%s", line, name,
                    l->number > 1 ? "; with count, the name needs {i}, such as \"n{i}\"" : "");
    }
    return 0;
}

/* ---- clients of ours ---- */

/* What a [[client]] with a workload may say, and the options of `assay client` that it becomes. */
enum client_key { CLIENT_TEXT, CLIENT_NUMBER, CLIENT_WORDS, CLIENT_FLAG };
struct client_row {
    const char *key, *option;
    enum client_key kind;
};
static const struct client_row client_rows[] = {
    {"over",       "--over",       CLIENT_TEXT  },
    {"target",     "--target",     CLIENT_WORDS },
    {"operations", "--operations", CLIENT_NUMBER},
    {"for",        "--time",       CLIENT_TEXT  },
    {"rate",       "--rate",       CLIENT_NUMBER},
    {"workers",    "--workers",    CLIENT_NUMBER},
    {"keys",       "--keys",       CLIENT_NUMBER},
    {"per_key",    "--per-key",    CLIENT_NUMBER},
    {"near",       "--near",       CLIENT_FLAG  },
    {"mix",        "--mix",        CLIENT_TEXT  },
    {"txn",        "--txn",        CLIENT_NUMBER},
    {"accounts",   "--accounts",   CLIENT_NUMBER},
    {"isolation",  "--isolation",  CLIENT_TEXT  },
    {"read",       "--read",       CLIENT_TEXT  },
    {"send",       "--send",       CLIENT_WORDS },
    {"reply",      "--reply",      CLIENT_WORDS },
    {"header",     "--header",     CLIENT_WORDS },
    {"timeout",    "--timeout",    CLIENT_TEXT  },
    {"patience",   "--patience",   CLIENT_TEXT  },
    {"final",      "--final",      CLIENT_TEXT  },
    {"stay",       "--stay",       CLIENT_FLAG  },
    {"user",       "--user",       CLIENT_TEXT  },
    {"database",   "--database",   CLIENT_TEXT  },
    {"password",   "--password",   CLIENT_TEXT  },
};
enum { CLIENT_ROWS = sizeof client_rows / sizeof client_rows[0] };

static int client_words(struct loader *l, const struct client_row *row, const char **argv,
                        size_t *n)
{
    struct toml_pair *pair = toml_find(l->table, row->key);
    const struct toml_value *v = &pair->value;
    bool one = v->kind == TOML_STRING;
    if (!one && v->kind != TOML_ARRAY) {
        return FAIL(l, v->line, "%s must be a string or an array of strings", v->line, row->key);
    }
    for (size_t i = 0; i < (one ? 1 : v->n); i++) {
        const struct toml_value *item = one ? v : &v->items[i];
        if (item->kind != TOML_STRING) {
            return FAIL(l, v->line, "%s must be an array of strings", v->line, row->key);
        }
        argv[(*n)++] = row->option;
        argv[(*n)++] = expand(l, item->text);
    }
    return 0;
}

static int client_row(struct loader *l, const struct client_row *row, const char **argv, size_t *n)
{
    static const enum toml_kind kinds[] = {
        [CLIENT_TEXT] = TOML_STRING, [CLIENT_NUMBER] = TOML_NUMBER, [CLIENT_FLAG] = TOML_BOOL};
    if (row->kind == CLIENT_WORDS) {
        return client_words(l, row, argv, n);
    }
    struct toml_value *v = NULL;
    int status = want(l, row->key, kinds[row->kind], &v);
    if (status != 0 || v == NULL) {
        return status;
    }
    if (row->kind == CLIENT_FLAG) {
        if (v->boolean) {
            argv[(*n)++] = row->option;
        }
        return 0;
    }
    argv[(*n)++] = row->option;
    argv[(*n)++] =
        row->kind == CLIENT_TEXT ? expand(l, v->text) : arena_printf(l->arena, "%.15g", v->number);
    return 0;
}

/* All clients together make one history, so they do the same kind of operations. */
static int note_workload(struct loader *l, const char *name)
{
    unsigned line = l->table->line;
    enum client_workload workload;
    struct cluster_history *history = &l->out->history;
    if (!client_workload_find(name, &workload)) {
        return FAIL(l, line,
                    "there is no workload '%s': register, cas, kv, set, queue, lock, list-append, "
                    "rw-register, bank",
                    line, name);
    }
    if (history->workload != NULL && strcmp(history->workload, name) != 0) {
        return FAIL(l, line, "one client does '%s' and another '%s': a run has one history", line,
                    history->workload, name);
    }
    history->workload = client_workload_name(workload);
    return 0;
}

/* A client with a workload is `assay client`. */
static int load_workload(struct loader *l, struct world_node *node)
{
    const char *name = NULL;
    char self[PATH_MAX];
    int status = get_string(l, "workload", &name);
    if (status != 0 || name == NULL) {
        return status;
    }
    if (node->argv != NULL) {
        return FAIL(l, l->table->line, "a client has run or workload, not both", l->table->line);
    }
    status = note_workload(l, name);
    if (status == 0 && realpath("/proc/self/exe", self) == NULL) {
        status = err_set(l->err, ERR_IO, 0, "this program cannot be found in /proc");
    }
    size_t most = 6;
    for (size_t i = 0; i < CLIENT_ROWS; i++) {
        struct toml_pair *pair = toml_find(l->table, client_rows[i].key);
        most += pair != NULL ? 2 + 2 * pair->value.n : 0;
    }
    const char **argv = ARENA_ARRAY(l->arena, const char *, most + 1);
    size_t n = 0;
    argv[n++] = status == 0 ? arena_strndup(l->arena, self, strlen(self)) : NULL;
    argv[n++] = "client";
    argv[n++] = name;
    if (l->out->history.clients++ != 0) {
        argv[n++] = "--number";
        argv[n++] = arena_printf(l->arena, "%u", l->out->history.clients - 1);
    }
    for (size_t i = 0; status == 0 && i < CLIENT_ROWS; i++) {
        if (toml_find(l->table, client_rows[i].key) != NULL) {
            status = client_row(l, &client_rows[i], argv, &n);
        }
    }
    node->argv = argv;
    l->out->ours[l->out->n_nodes] = true;
    return status;
}

static int load_one(struct loader *l, struct world_node *node, bool *may_fail, bool client)
{
    const char *name = NULL, *address = NULL;
    static const char *const data[] = {"/data", NULL};
    int64_t number = (int64_t)l->out->n_nodes;
    *node = (struct world_node){.client = client, .dirs = data};
    int status = get_string(l, "name", &name);
    status = status != 0 ? status : get_list(l, "run", true, &node->argv);
    status = status != 0 || !client ? status : load_workload(l, node);
    status = status != 0 ? status : get_string(l, "address", &address);
    status = status != 0 ? status : get_list(l, "dirs", false, &node->dirs);
    status = status != 0 ? status : get_string(l, "cwd", &node->cwd);
    status = status != 0 ? status : get_time(l, client ? "at" : "start", &node->start_ns);
    status = status != 0 ? status : get_bool(l, "manual", &node->manual);
    status = status != 0 ? status : get_bool(l, "may_fail", may_fail);
    status = status != 0 ? status : load_env(l, node);
    status = status != 0 ? status : load_files(l, node);
    uint64_t skew = 0;
    status = status != 0 ? status : get_time(l, "skew", &skew);
    node->skew_ns = (int64_t)skew;
    struct toml_value *drift = NULL;
    status = status != 0 ? status : want(l, "drift_ppm", TOML_NUMBER, &drift);
    node->drift_ppm = drift != NULL ? (int64_t)drift->number : 0;
    if (status != 0) {
        return status;
    }
    unsigned line = l->table->line;
    (void)toml_find(l->table, "readable"); /* read below */
    if (name == NULL || node->argv == NULL || node->argv[0] == NULL) {
        return fail_missing(l, client ? "a client needs name, and run or workload"
                                      : "a node needs name and run");
    }
    status = check_name(l, name);
    if (status != 0) {
        return status;
    }
    (void)strmap_put(&l->names, str_of(name), node);
    node->ip = 0x0a000001U + (uint32_t)number;
    if (address != NULL && !parse_ip(address, &node->ip)) {
        return FAIL(l, line, "'%s' is not an IPv4 address", line, address);
    }
    for (size_t i = 0; node->dirs[i] != NULL; i++) {
        size_t n = strlen(node->dirs[i]);
        if (node->dirs[i][0] != '/' || n < 2 || node->dirs[i][n - 1] == '/') {
            return FAIL(l, line, "'%s' is not an absolute directory", line, node->dirs[i]);
        }
    }
    node->name = name;
    return load_shown(l, node);
}

static int load_node(struct loader *l, bool client)
{
    struct cluster *c = l->out;
    uint32_t count = 1;
    bool counted = toml_find(l->table, "count") != NULL;
    int status = get_u32(l, "count", &count);
    if (status == 0 && count == 0) {
        return FAIL(l, l->table->line, "count must be above 0", l->table->line);
    }
    for (uint32_t i = 0; status == 0 && i < count; i++) {
        l->number = counted ? i + 1 : 0;
        status = load_one(l, &c->nodes[c->n_nodes], &c->may_fail[c->n_nodes], client);
        c->n_nodes++;
    }
    l->number = 0;
    return status;
}

/* Sorted by time; of one time, in the order of the file. */
static void add_events(struct loader *l, const struct script *script)
{
    struct cluster *c = l->out;
    struct timed_event *all =
        ARENA_ARRAY(l->arena, struct timed_event, c->n_events + script->events.n + 1);
    size_t n = 0, a = 0, b = 0;
    while (a < c->n_events || b < script->events.n) {
        bool old = b == script->events.n ||
                   (a < c->n_events && c->events[a].at_ns <= script->events.v[b].at_ns);
        all[n++] = old ? c->events[a++] : script->events.v[b++];
    }
    c->events = all;
    c->n_events = n;
}

static int load_event(struct loader *l)
{
    struct cluster *c = l->out;
    uint64_t at = 0;
    const char *text = NULL;
    int status = get_time(l, "at", &at);
    status = status != 0 ? status : get_string(l, "do", &text);
    if (status != 0) {
        return status;
    }
    if (text == NULL) {
        return fail_missing(l, "an event needs at and do");
    }
    struct script script = {0};
    struct event *events = ARENA_ARRAY(l->arena, struct event, EVENTS_AT_ONCE);
    size_t n = 0;
    if (!script_parse(&script, c, str_of(text), at, &status, l->err)) {
        status = event_parse(c, str_of(text), events, EVENTS_AT_ONCE, &n, l->err);
    }
    if (status == 0 && n != 0 && events[0].kind == EV_THREAD) {
        status = err_set(l->err, ERR_INVALID, 0,
                         "event 'thread': threads are chosen where they make calls, not at a time; "
                         "see preemptions");
    }
    if (status != 0) {
        (void)err_wrap(l->err, "line %u", l->table->line);
    } else {
        for (size_t i = 0; i < n; i++) {
            VEC_PUSH(&script.events, (struct timed_event){at, events[i]});
        }
        add_events(l, &script);
    }
    script_done(&script);
    return status;
}

static int load_check(struct loader *l)
{
    struct cluster *c = l->out;
    struct cluster_check check = {.name = STR("check")};
    const char *name = NULL;
    int status = get_string(l, "name", &name);
    status = status != 0 ? status : get_list(l, "run", true, &check.argv);
    status = status != 0 ? status : get_u32(l, "every", &check.every);
    if (status == 0 && check.argv == NULL) {
        return fail_missing(l, "a check needs run");
    }
    check.name = name != NULL ? str_of(name) : check.name;
    struct cluster_check *more = ARENA_ARRAY(l->arena, struct cluster_check, c->n_checks + 1);
    if (c->n_checks != 0) {
        memcpy(more, c->checks, c->n_checks * sizeof *more);
    }
    more[c->n_checks++] = check;
    c->checks = more;
    return status;
}

/* [[fault]]: a command that runs on a node of its own, which is like a client. */
static int load_fault(struct loader *l, bool nodes)
{
    struct cluster *c = l->out;
    static const char *const nothing[] = {"/bin/true", NULL};
    static const char *const data[] = {"/data", NULL};
    struct cluster_fault fault = {.times = 1};
    const char *name = NULL;
    int status = get_string(l, "name", &name);
    status = status != 0 ? status : get_string(l, "run", &fault.run);
    status = status != 0 ? status : get_string(l, "undo", &fault.undo);
    status = status != 0 ? status : get_u32(l, "times", &fault.times);
    struct world_node node = {.client = true, .manual = true, .dirs = data, .argv = nothing};
    status = status != 0 ? status : load_env(l, &node);
    (void)toml_find(l->table, "readable"); /* read below */
    if (status != 0 || !nodes) {
        return status;
    }
    if (name == NULL || fault.run == NULL) {
        return fail_missing(l, "a fault needs name and run");
    }
    const char *texts[] = {fault.run, fault.undo};
    for (size_t i = 0; i < 2; i++) {
        if (texts[i] != NULL && command_state('\0', str_of(texts[i])) != '\0') {
            return FAIL(l, l->table->line, "a quote of the command is not closed", l->table->line);
        }
    }
    status = check_name(l, name);
    if (status != 0) {
        return status;
    }
    node.name = name;
    node.ip = 0x0a000001U + (uint32_t)c->n_nodes;
    fault.node = (uint32_t)c->n_nodes;
    status = load_shown(l, &node);
    c->may_fail[c->n_nodes] = true;
    c->nodes[c->n_nodes] = node;
    (void)strmap_put(&l->names, str_of(name), &c->nodes[c->n_nodes]);
    c->n_nodes++;
    struct cluster_fault *more = ARENA_ARRAY(l->arena, struct cluster_fault, c->n_scripts + 1);
    if (c->n_scripts != 0) {
        memcpy(more, c->scripts, c->n_scripts * sizeof *more);
    }
    more[c->n_scripts++] = fault;
    c->scripts = more;
    return status;
}

/* "crash", or "crash n1" */
static int sometimes_what(struct loader *l, const char *text, struct cluster_sometimes *ret)
{
    struct words words;
    unsigned line = l->table->line;
    words_split(str_of(text), &words);
    for (int i = 0; words.n > 0 && i < EV_KINDS; i++) {
        if (str_is(words.v[0], event_name((enum event_kind)i))) {
            ret->event = (enum event_kind)i;
            ret->has_event = true;
        }
    }
    if (!ret->has_event || words.n > 2) {
        return FAIL(l, line, "event: '%s' is not like \"crash\" or \"crash n1\"", line, text);
    }
    if (words.n == 2) {
        ret->node = cluster_node(l->out, words.v[1]);
        if (ret->node < 0) {
            return FAIL(l, line, "there is no node '%.*s'", line, STR_ARG(words.v[1]));
        }
    }
    return 0;
}

static int load_sometimes(struct loader *l)
{
    struct cluster *c = l->out;
    struct cluster_sometimes a = {.node = -1};
    const char *event = NULL, *node = NULL;
    unsigned line = l->table->line;
    int status = get_string(l, "name", &a.name);
    status = status != 0 ? status : get_string(l, "line", &a.line);
    status = status != 0 ? status : get_string(l, "variable", &a.variable);
    status = status != 0 ? status : get_string(l, "equals", &a.equals);
    status = status != 0 ? status : get_string(l, "event", &event);
    status = status != 0 ? status : get_string(l, "while", &a.state);
    status = status != 0 ? status : get_string(l, "until", &a.until);
    status = status != 0 ? status : get_string(l, "node", &node);
    if (status != 0) {
        return status;
    }
    if (node != NULL) {
        a.node = cluster_node(c, str_of(node));
        if (a.node < 0) {
            return FAIL(l, line, "there is no node '%s'", line, node);
        }
    }
    status = event != NULL ? sometimes_what(l, event, &a) : 0;
    if (status != 0) {
        return status;
    }
    bool one = (a.line != NULL) != (a.has_event || a.variable != NULL);
    if (!one || (a.variable != NULL) != (a.equals != NULL) || (a.state != NULL && !a.has_event)) {
        return fail_missing(l, "sometimes needs line; or variable and equals; or event, perhaps "
                               "with while and until, or with variable and equals");
    }
    if (c->n_sometimes == CLUSTER_SOMETIMES_MOST) {
        return FAIL(l, line, "there are more than %d of these", line, CLUSTER_SOMETIMES_MOST);
    }
    const char *what = a.line != NULL ? a.line : event != NULL ? event : a.variable;
    a.name = a.name != NULL ? a.name : what;
    struct cluster_sometimes *more =
        ARENA_ARRAY(l->arena, struct cluster_sometimes, c->n_sometimes + 1);
    if (c->n_sometimes != 0) {
        memcpy(more, c->sometimes, c->n_sometimes * sizeof *more);
    }
    more[c->n_sometimes++] = a;
    c->sometimes = more;
    return 0;
}

static int fail_unknown(struct loader *l, const char *key, const char *name)
{
    unsigned line = toml_find(l->table, key)->value.line;
    return FAIL(l, line, "%s: '%s' is none that histories are judged by; see HISTORIES.md", line,
                key, name);
}

static int load_key_orders(struct loader *l, unsigned *ret)
{
    const char *const *orders = NULL;
    int status = get_list(l, "keys", true, &orders);
    for (; status == 0 && orders != NULL && *orders != NULL; orders++) {
        enum hist_keys key;
        if (!hist_keys_find(*orders, &key)) {
            return fail_unknown(l, "keys", *orders);
        }
        *ret |= key;
    }
    return status;
}

static int load_history(struct loader *l)
{
    struct cluster_history *history = &l->out->history;
    const char *model = NULL;
    const char *level = NULL;
    uint64_t total = UINT64_MAX;
    int status = get_string(l, "model", &model);
    status = status != 0 ? status : get_string(l, "consistency", &level);
    status = status != 0 ? status : get_bool(l, "keyed", &history->keyed);
    status = status != 0 ? status : get_bool(l, "negative", &history->options.negative_ok);
    status = status != 0 ? status : get_u64(l, "total", &total);
    status = status != 0 ? status : load_key_orders(l, &history->options.keys);
    if (status != 0) {
        return status;
    }
    model = model != NULL ? model : history->workload;
    if (model == NULL) {
        return fail_missing(l, "a history needs a model");
    }
    if (!hist_model_find(model, &history->options.model)) {
        return fail_unknown(l, "model", model);
    }
    if (level != NULL && !hist_level_find(level, &history->options.level)) {
        return fail_unknown(l, "consistency", level);
    }
    history->options.has_total = total != UINT64_MAX;
    history->options.total = history->options.has_total ? (int64_t)total : 0;
    history->on = true;
    return 0;
}

/* "a b": two words. */
static int load_apart(struct loader *l)
{
    struct cluster_explore *x = &l->out->explore;
    const char *const *list = NULL;
    int status = get_list(l, "apart", false, &list);
    size_t n = 0;
    while (list != NULL && list[n] != NULL) {
        n++;
    }
    x->apart = ARENA_ARRAY(l->arena, struct cluster_apart, n + 1);
    for (size_t i = 0; status == 0 && i < n; i++) {
        struct words words;
        words_split(str_of(list[i]), &words);
        if (words.n != 2) {
            return FAIL(l, l->table->line, "apart: '%s' should be the names of two threads",
                        l->table->line, list[i]);
        }
        x->apart[x->n_apart++] =
            (struct cluster_apart){arena_strndup(l->arena, words.v[0].p, words.v[0].n),
                                   arena_strndup(l->arena, words.v[1].p, words.v[1].n)};
    }
    return status;
}

/* survives = ["none", "random"] */
static int load_survives(struct loader *l)
{
    struct cluster_explore *x = &l->out->explore;
    const char *const *list = NULL;
    int status = get_list(l, "survives", false, &list);
    if (status != 0 || list == NULL) {
        return status;
    }
    x->survives = 0;
    for (size_t i = 0; list[i] != NULL; i++) {
        int keep = event_keep(str_of(list[i]));
        if (keep < 0) {
            return FAIL(l, l->table->line, "survives: '%s' should be none, all or random",
                        l->table->line, list[i]);
        }
        x->survives |= 1U << keep;
    }
    return x->survives != 0
               ? 0
               : FAIL(l, l->table->line, "survives: something must be in it", l->table->line);
}

/* components = ["n1 n2", "n3"]: nodes that are not named are components of their own. */
static int load_components(struct loader *l)
{
    struct cluster_explore *x = &l->out->explore;
    const char *const *list = NULL;
    int status = get_list(l, "components", false, &list);
    for (size_t i = 0; status == 0 && list != NULL && list[i] != NULL; i++) {
        struct words words;
        words_split(str_of(list[i]), &words);
        int first = INT_MAX;
        for (size_t k = 0; k < words.n; k++) {
            int node = cluster_node(l->out, words.v[k]);
            if (node < 0) {
                return FAIL(l, l->table->line, "components: there is no node %.*s", l->table->line,
                            STR_ARG(words.v[k]));
            }
            first = node < first ? node : first;
        }
        for (size_t k = 0; k < words.n; k++) {
            x->component[cluster_node(l->out, words.v[k])] = (uint32_t)first;
        }
    }
    return status;
}

static int load_explore(struct loader *l)
{
    struct cluster_explore *x = &l->out->explore;
    struct {
        const char *key;
        uint32_t *to;
    } const counts[] = {
        {"depth",       &x->depth      },
        {"timers",      &x->timers     },
        {"preemptions", &x->preemptions},
        {"operations",  &x->operations },
        {"kills",       &x->kills      },
        {"crashes",     &x->crashes    },
        {"pauses",      &x->pauses     },
        {"cuts",        &x->cuts       },
        {"resets",      &x->resets     },
        {"drops",       &x->drops      },
        {"duplicates",  &x->duplicates },
        {"window",      &x->window     },
        {"pct_depth",   &x->pct_depth  },
        {"at_once",     &x->at_once    },
    };
    int status = get_time(l, "from", &x->from_ns);
    for (size_t i = 0; status == 0 && i < sizeof counts / sizeof counts[0]; i++) {
        status = get_u32(l, counts[i].key, counts[i].to);
    }
    if (status == 0 && (x->depth == 0 || x->window == 0 || x->pct_depth == 0)) {
        return FAIL(l, l->table->line, "depth, window and pct_depth must be above 0",
                    l->table->line);
    }
    if (status == 0 && x->at_once == 1) {
        return FAIL(l, l->table->line, "at_once must be above 1, or 0: as many as are useful",
                    l->table->line);
    }
    status = status != 0 ? status : get_chance(l, "window_chance", &x->window_ppm);
    status = status != 0 ? status : load_apart(l);
    status = status != 0 ? status : load_survives(l);
    return status != 0 ? status : load_components(l);
}

/* Numbers of components, in the order of their first nodes. */
static void number_components(struct cluster *c)
{
    struct cluster_explore *x = &c->explore;
    for (uint32_t i = 0; i < c->n_nodes; i++) {
        uint32_t first = x->component[i];
        x->component[i] = first == i ? x->n_components++ : x->component[first];
    }
}

/* For the rooms that know TLA+, which read the file themselves. */
static bool of_others(const struct toml_table *table)
{
    static const char observe[] = "observe.";
    return !table->element && (str_is(table->name, "invariants") ||
                               (table->name.n > sizeof observe - 1 &&
                                memcmp(table->name.p, observe, sizeof observe - 1) == 0));
}

static int load_of_others(struct loader *l)
{
    for (size_t i = 0; i < l->table->n; i++) {
        l->table->pairs[i].used = true;
    }
    bool invariants = str_is(l->table->name, "invariants");
    l->out->invariants = l->out->invariants || invariants;
    l->out->observes = l->out->observes || !invariants;
    return 0;
}

static int load_table(struct loader *l, bool nodes)
{
    struct str name = l->table->name;
    bool element = l->table->element;
    if (element && (str_is(name, "node") || str_is(name, "client"))) {
        return nodes ? load_node(l, str_is(name, "client")) : 0;
    }
    if (element && str_is(name, "fault")) {
        return load_fault(l, nodes);
    }
    if (nodes) {
        return 0;
    }
    if (!element && str_is(name, "run")) {
        return load_run(l);
    }
    if (!element && str_is(name, "net")) {
        return load_net(l);
    }
    if (!element && str_is(name, "disk")) {
        return load_disk(l);
    }
    if (!element && str_is(name, "limits")) {
        return load_limits(l);
    }
    if (!element && str_is(name, "faults")) {
        return load_faults(l);
    }
    if (element && str_is(name, "event")) {
        return load_event(l);
    }
    if (element && str_is(name, "messages")) {
        return load_messages(l);
    }
    if (element && str_is(name, "check")) {
        return load_check(l);
    }
    if (element && (str_is(name, "sometimes") || str_is(name, "reachable"))) {
        return load_sometimes(l);
    }
    if (!element && str_is(name, "history")) {
        return load_history(l);
    }
    if (!element && str_is(name, "explore")) {
        return load_explore(l);
    }
    if (of_others(l->table)) {
        return load_of_others(l);
    }
    if (name.n == 0 && !element) {
        return l->table->n == 0 ? 0 : fail_top(l);
    }
    return fail_table(l);
}

static int check_used(struct loader *l)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < l->toml.n; i++) {
        status = check_keys(l, &l->toml.tables[i]);
    }
    return status;
}

static int check_addresses(const struct cluster *c, struct err *err)
{
    struct u64map seen = {0};
    int status = c->n_nodes == 0 ? err_set(err, ERR_INVALID, 0, "there is no [[node]]") : 0;
    for (size_t i = 0; status == 0 && i < c->n_nodes; i++) {
        uint64_t before = 0;
        if (u64map_get(&seen, c->nodes[i].ip, &before)) {
            status = err_set(err, ERR_INVALID, 0, "%s and %s have the same address",
                             c->nodes[before].name, c->nodes[i].name);
        }
        u64map_put(&seen, c->nodes[i].ip, i);
    }
    u64map_done(&seen);
    return status;
}

/* Room for all nodes, before any is made. */
static int make_room(struct loader *l)
{
    double n = 0;
    for (size_t i = 0; i < l->toml.n; i++) {
        l->table = &l->toml.tables[i];
        struct toml_pair *pair = toml_find(l->table, "count");
        n += pair != NULL && pair->value.number > 1 ? pair->value.number : 1;
        if (pair != NULL && n > CLUSTER_NODES_MOST) {
            return FAIL(l, pair->value.line, "a cluster has at most %d nodes", pair->value.line,
                        CLUSTER_NODES_MOST);
        }
    }
    l->out->nodes = ARENA_ARRAY(l->arena, struct world_node, (size_t)n + 1);
    l->out->may_fail = ARENA_ARRAY(l->arena, bool, (size_t)n + 1);
    l->out->ours = ARENA_ARRAY(l->arena, bool, (size_t)n + 1);
    l->out->skipped = ARENA_ARRAY(l->arena, const char *, (size_t)n + 1);
    l->out->skips = ARENA_ARRAY(l->arena, const char *, (size_t)n + 1);
    l->out->explore.component = ARENA_ARRAY(l->arena, uint32_t, (size_t)n + 1);
    for (uint32_t i = 0; i < (uint32_t)n; i++) {
        l->out->explore.component[i] = i;
    }
    return 0;
}

int cluster_read(struct arena *arena, const char *path, struct cluster *ret, struct err *err)
{
    struct str text;
    int status = file_read(arena, path, (size_t)16 << 20, &text, err);
    if (status != 0) {
        return status;
    }
    char full[PATH_MAX];
    struct str absolute = str_of(realpath(path, full) != NULL ? full : path);
    struct str dir = path_dir(absolute);
    struct loader l = {
        .arena = arena, .out = ret, .err = err, .dir = arena_strndup(arena, dir.p, dir.n)};
    *ret = (struct cluster){
        .path = arena_strndup(arena, absolute.p, absolute.n),
        .net = {.latency_min_ns = 500000, .latency_max_ns = 2000000},
        .faults = {.from_ns = 2000000000,
                .to_ns = 20000000000,
                .min_ns = 500000000,
                .max_ns = 5000000000},
        .seed = 1,
        .time_ns = 30000000000,
        .events_most = 1000000,
        .explore = {.depth = CLUSTER_DEPTH_DEFAULT,
                .timers = 2,
                .operations = UINT32_MAX,
                .window = 5,
                .window_ppm = 1000,
                .survives = 1U << CRASH_KEEP_NONE,
                .pct_depth = 3},
        .writeback_ns = 40000000000, /* Linux: 30 s until data expire, then two intervals of 5 s */
    };
    status = toml_parse(arena, text, &l.toml, err);
    status = status != 0 ? status : make_room(&l);
    for (int nodes = 1; nodes >= 0; nodes--) { /* events name nodes, so nodes come first */
        for (size_t i = 0; status == 0 && i < l.toml.n; i++) {
            l.table = &l.toml.tables[i];
            status = load_table(&l, nodes != 0);
        }
    }
    if (status == 0 && ret->history.workload != NULL && !ret->history.on) {
        ret->history.on = hist_model_find(ret->history.workload, &ret->history.options.model);
    }
    status = status != 0 ? status : check_used(&l);
    status = status != 0 ? status : check_addresses(ret, err);
    if (status == 0) {
        number_components(ret);
    }
    strmap_done(&l.names);
    if (status != 0) {
        (void)err_wrap(err, "%s", path);
    }
    ret->digest = hash_bytes(text.p, text.n, 1);
    return status;
}
