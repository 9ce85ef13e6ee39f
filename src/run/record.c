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
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "world/world.h"

enum { ALLOW_MOST = 512 };

static const char magic[] = "assay-run 1";

void record_done(struct record *record)
{
    VEC_DONE(&record->choices);
}

int record_write(const struct record *record, const struct cluster *cluster, const char *path,
                 struct err *err)
{
    SCOPED_STRBUF out = {0};
    strbuf_printf(&out, "%s\ncluster %s\ndigest %016llx\nseed %llu\noutcome %s\n%s", magic,
                  record->cluster, (unsigned long long)record->digest,
                  (unsigned long long)record->seed,
                  record->outcome != NULL ? record->outcome : "unknown",
                  record->local_clocks ? "clocks local\n" : "");
    if (record->escape_ms != 0) {
        strbuf_printf(&out, "spin_escape %llu\n", (unsigned long long)record->escape_ms);
    }
    for (size_t i = 0; record->allow != NULL && record->allow[i] != NULL; i++) {
        strbuf_printf(&out, "allow %s\n", record->allow[i]);
    }
    strbuf_printf(&out, "choices %zu\n", record->choices.n);
    for (size_t i = 0; i < record->choices.n; i++) {
        const struct choice *c = &record->choices.v[i];
        strbuf_printf(&out, "%016llx %llu ", (unsigned long long)c->hash,
                      (unsigned long long)c->event.at_ns);
        event_print(cluster, &c->event, &out);
        strbuf_addc(&out, '\n');
    }
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

int record_head(struct arena *arena, const char *path, struct record *ret, struct str *ret_rest,
                struct err *err)
{
    struct str text, line, value;
    int status = file_read(arena, path, (size_t)1 << 30, &text, err);
    if (status != 0) {
        return status;
    }
    if (!next_line(&text, &line) || !str_is(line, magic)) {
        return err_set(err, ERR_CORRUPT, 0, "%s is not a recorded run", path);
    }
    *ret = (struct record){0};
    const char **allow = ARENA_ARRAY(arena, const char *, ALLOW_MOST + 1);
    size_t n_allow = 0;
    while (next_line(&text, &line)) {
        if (field(line, "cluster", &value)) {
            ret->cluster = arena_strndup(arena, value.p, value.n);
        } else if (field(line, "digest", &value)) {
            ret->digest = strtoull(arena_strndup(arena, value.p, value.n), NULL, 16);
        } else if (field(line, "seed", &value)) {
            ret->seed = strtoull(arena_strndup(arena, value.p, value.n), NULL, 10);
        } else if (field(line, "outcome", &value)) {
            ret->outcome = arena_strndup(arena, value.p, value.n);
        } else if (field(line, "clocks", &value)) {
            ret->local_clocks = str_is(value, "local");
        } else if (field(line, "spin_escape", &value)) {
            ret->escape_ms = strtoull(arena_strndup(arena, value.p, value.n), NULL, 10);
        } else if (field(line, "allow", &value) && n_allow < ALLOW_MOST) {
            allow[n_allow++] = arena_strndup(arena, value.p, value.n);
            ret->allow = allow;
        } else if (field(line, "choices", &value)) {
            break;
        }
    }
    if (ret->cluster == NULL) {
        return err_set(err, ERR_CORRUPT, 0, "%s names no cluster file", path);
    }
    *ret_rest = text;
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
    return 0;
}
