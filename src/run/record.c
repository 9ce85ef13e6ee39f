/* Recorded runs as files. */
#include "run/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/failure.h"
#include "world/world.h"

enum { ALLOW_MOST = 512 };

static const char magic[] = "assay-run 2", magic_1[] = "assay-run 1";
static const char end_mark[] = "end ";

void record_done(struct record *record)
{
    VEC_DONE(&record->choices);
    VEC_DONE(&record->computations);
    VEC_DONE(&record->skips);
    VEC_DONE(&record->orders);
}

int record_write(const struct record *record, const struct cluster *cluster, const char *path,
                 struct err *err)
{
    SCOPED_STRBUF out = {0};
    strbuf_printf(
        &out, "%s\ncluster %s\ndigest %016llx\nseed %llu\noutcome %s\n%s%s%s", magic,
        record->cluster, (unsigned long long)record->digest, (unsigned long long)record->seed,
        record->outcome != NULL ? record->outcome : "unknown",
        record->local_clocks ? "clocks local\n" : "", record->chosen ? "threads chosen\n" : "",
        record->independent ? "events independent\n" : "");
    if (record->failure.kind != FAILURE_NONE) {
        strbuf_adds(&out, "failure ");
        failure_print(cluster, &record->failure, &out);
        strbuf_addc(&out, '\n');
    }
    if (record->time_ns != 0) {
        strbuf_printf(&out, "limits %llu %llu\n", (unsigned long long)record->time_ns,
                      (unsigned long long)record->events_most);
    }
    if (record->escape_ms != 0) {
        strbuf_printf(&out, "spin_escape %llu\n", (unsigned long long)record->escape_ms);
    }
    for (size_t i = 0; i < record->computations.n; i++) {
        const struct computation *c = &record->computations.v[i];
        strbuf_printf(&out, "computation %llu %llu\n", (unsigned long long)c->stint,
                      (unsigned long long)c->ns);
    }
    for (size_t i = 0; record->allow != NULL && record->allow[i] != NULL; i++) {
        strbuf_printf(&out, "allow %s\n", record->allow[i]);
    }
    if (record->only_orders) {
        strbuf_adds(&out, "orders -");
        for (size_t i = 0; i < record->orders.n; i++) {
            strbuf_printf(&out, " %llu", (unsigned long long)record->orders.v[i]);
        }
        strbuf_addc(&out, '\n');
    }
    for (size_t i = 0; i < cluster->n_nodes; i++) {
        if (cluster->skips[i] != NULL) {
            strbuf_printf(&out, "skip %s %s\n", cluster->nodes[i].name, cluster->skips[i]);
        }
    }
    strbuf_printf(&out, "choices %zu\n", record->choices.n);
    for (size_t i = 0; i < record->choices.n; i++) {
        const struct choice *c = &record->choices.v[i];
        strbuf_printf(&out, "%016llx %llu ", (unsigned long long)c->hash,
                      (unsigned long long)c->event.at_ns);
        event_print(cluster, &c->event, &out);
        strbuf_addc(&out, '\n');
    }
    uint64_t sum = hash_bytes(out.p, out.n, 2);
    strbuf_printf(&out, "%s%016llx\n", end_mark, (unsigned long long)sum);
    return file_write(path, strbuf_str(&out), err);
}

/* Cuts the next line off. */
static bool next_line(struct str *rest, struct str *ret)
{
    if (rest->n == 0) {
        return false;
    }
    const char *end = memchr(rest->p, '\n', rest->n);
    size_t n = end != NULL ? (size_t)(end - rest->p) : rest->n;
    *ret = (struct str){rest->p, n};
    n += end != NULL ? 1 : 0;
    rest->p += n;
    rest->n -= n;
    return true;
}

static bool field(struct str line, const char *name, struct str *ret)
{
    size_t n = strlen(name);
    if (line.n <= n || memcmp(line.p, name, n) != 0 || line.p[n] != ' ') {
        return false;
    }
    *ret = (struct str){line.p + n + 1, line.n - n - 1};
    return true;
}

static int cut_off(const char *path, struct err *err)
{
    return err_set(err, ERR_CORRUPT, 0,
                   "%s is not whole: its end is missing, or it was changed after it was written",
                   path);
}

/* Looks whether the file has its end, and takes that off. */
static int check_end(struct arena *arena, const char *path, struct str *text, struct err *err)
{
    enum { DIGITS = 16, LINE = sizeof end_mark - 1 + DIGITS + 1 };
    struct str old = {magic_1, sizeof magic_1 - 1};
    if (text->n >= old.n && memcmp(text->p, old.p, old.n) == 0) {
        return text->p[text->n - 1] == '\n' ? 0 : cut_off(path, err);
    }
    if (text->n < sizeof magic || memcmp(text->p, magic, sizeof magic - 1) != 0) {
        return err_set(err, ERR_CORRUPT, 0, "%s is not a recorded run", path);
    }
    const char *last = text->n > LINE ? text->p + text->n - LINE : NULL;
    if (last == NULL || last[-1] != '\n' || last[LINE - 1] != '\n' ||
        memcmp(last, end_mark, sizeof end_mark - 1) != 0) {
        return cut_off(path, err);
    }
    text->n -= LINE;
    const char *digits = arena_strndup(arena, last + sizeof end_mark - 1, DIGITS);
    return strtoull(digits, NULL, 16) == hash_bytes(text->p, text->n, 2) ? 0 : cut_off(path, err);
}

/* "- 5 17 33" */
static void orders_line(struct arena *arena, struct str value, struct record *ret)
{
    const char *at = arena_strndup(arena, value.p, value.n) + 1;
    char *end = NULL;
    ret->only_orders = true;
    for (uint64_t number = strtoull(at, &end, 10); end != at; number = strtoull(at, &end, 10)) {
        VEC_PUSH(&ret->orders, number);
        at = end;
    }
}

/* One line of the head; false: it was the last. */
static bool head_line(struct arena *arena, struct str line, struct record *ret, const char **allow,
                      size_t *n_allow)
{
    struct str value;
    if (field(line, "cluster", &value)) {
        ret->cluster = arena_strndup(arena, value.p, value.n);
    } else if (field(line, "digest", &value)) {
        ret->digest = strtoull(arena_strndup(arena, value.p, value.n), NULL, 16);
    } else if (field(line, "seed", &value)) {
        ret->seed = strtoull(arena_strndup(arena, value.p, value.n), NULL, 10);
    } else if (field(line, "orders", &value)) {
        orders_line(arena, value, ret);
    } else if (field(line, "skip", &value)) {
        VEC_PUSH(&ret->skips, str_dup(arena, value));
    } else if (field(line, "outcome", &value)) {
        ret->outcome = arena_strndup(arena, value.p, value.n);
    } else if (field(line, "failure", &value)) {
        ret->failure_text = str_dup(arena, value);
    } else if (field(line, "clocks", &value)) {
        ret->local_clocks = str_is(value, "local");
    } else if (field(line, "threads", &value)) {
        ret->chosen = str_is(value, "chosen");
    } else if (field(line, "events", &value)) {
        ret->independent = str_is(value, "independent");
    } else if (field(line, "limits", &value)) {
        char *end = NULL;
        ret->time_ns = strtoull(arena_strndup(arena, value.p, value.n), &end, 10);
        ret->events_most = strtoull(end, NULL, 10);
    } else if (field(line, "spin_escape", &value)) {
        ret->escape_ms = strtoull(arena_strndup(arena, value.p, value.n), NULL, 10);
    } else if (field(line, "computation", &value)) {
        char *end = NULL;
        struct computation c = {0};
        c.stint = strtoull(arena_strndup(arena, value.p, value.n), &end, 10);
        c.ns = strtoull(end, NULL, 10);
        VEC_PUSH(&ret->computations, c);
    } else if (field(line, "allow", &value) && *n_allow < ALLOW_MOST) {
        allow[(*n_allow)++] = arena_strndup(arena, value.p, value.n);
        ret->allow = allow;
    } else if (field(line, "choices", &value)) {
        ret->announced = strtoull(arena_strndup(arena, value.p, value.n), NULL, 10);
        return false;
    }
    return true;
}

int record_head(struct arena *arena, const char *path, struct record *ret, struct str *ret_rest,
                struct err *err)
{
    struct str text, line;
    int status = file_read(arena, path, (size_t)1 << 30, &text, err);
    status = status != 0 ? status : check_end(arena, path, &text, err);
    if (status != 0) {
        return status;
    }
    *ret = (struct record){0};
    const char **allow = ARENA_ARRAY(arena, const char *, ALLOW_MOST + 1);
    size_t n_allow = 0;
    bool more = true;
    while (more && next_line(&text, &line)) {
        more = head_line(arena, line, ret, allow, &n_allow);
    }
    if (ret->cluster == NULL) {
        return err_set(err, ERR_CORRUPT, 0, "%s names no cluster file", path);
    }
    if (more) {
        return cut_off(path, err);
    }
    *ret_rest = text;
    return 0;
}

int record_apply(const struct record *record, struct cluster *cluster, struct arena *arena,
                 struct err *err)
{
    for (size_t i = 0; i < record->skips.n; i++) {
        struct words words;
        words_split(record->skips.v[i], &words);
        int node = words.n == 2 ? cluster_node(cluster, words.v[0]) : -1;
        if (node < 0 || !cluster->ours[node]) {
            return err_set(err, ERR_CORRUPT, 0,
                           "the recorded run leaves out operations of a client that has none");
        }
        cluster_skip(cluster, arena, (uint32_t)node, words.v[1].p); /* to the end of the line */
        cluster->skipped[node] = cluster->skips[node];
    }
    return 0;
}

int record_choices(struct record *record, const struct cluster *cluster, struct str rest,
                   struct err *err)
{
    struct str line;
    size_t number = 0;
    while (next_line(&rest, &line)) {
        number++;
        char head[64];
        size_t n = line.n < sizeof head - 1 ? line.n : sizeof head - 1;
        memcpy(head, line.p, n);
        head[n] = '\0';
        char *end = NULL;
        struct choice choice = {.hash = strtoull(head, &end, 16)};
        char *begin = end;
        uint64_t at = strtoull(begin, &end, 10);
        size_t skip = (size_t)(end - head);
        if (end == begin || skip >= line.n) {
            return err_set(err, ERR_CORRUPT, 0, "choice %zu is damaged", number);
        }
        size_t got = 0;
        int status = event_parse(cluster, (struct str){line.p + skip, line.n - skip}, &choice.event,
                                 1, &got, err);
        if (status != 0) {
            (void)err_wrap(err, "choice %zu", number);
            return status;
        }
        choice.event.at_ns = at;
        VEC_PUSH(&record->choices, choice);
    }
    if (number != record->announced) {
        return err_set(err, ERR_CORRUPT, 0,
                       "the recorded run is not whole: %zu choices of %zu are there", number,
                       record->announced);
    }
    if (record->failure_text.n != 0 &&
        !failure_parse(cluster, record->failure_text, &record->failure)) {
        return err_set(err, ERR_CORRUPT, 0, "the failure that the recorded run names is damaged");
    }
    return 0;
}
