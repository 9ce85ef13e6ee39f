/* Kinds of files: see kind.h. */
#include "cli/kind.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/str.h"
#include "cli/cli.h"

/* ORDER enum file_kind */
static const struct {
    const char *suffix, *what, *commands;
} kinds[] = {
    {NULL,    "",                                   ""                               },
    {".tla",  "a specification",                    "check, parse or rank"           },
    {".cfg",  "a configuration of a specification", "check SPEC.tla --config"        },
    {".toml", "a cluster or mapping file",          "run, conform or confirm"        },
    {NULL,    "a cluster file",                     "run or explore"                 },
    {NULL,    "a mapping file",                     "conform, confirm, test or watch"},
    {".json", "a trace",                            "confirm"                        },
    {NULL,    "a recorded run",                     "replay or shrink"               },
    {NULL,    "a graph",                            "test"                           },
};

static bool begins(struct str line, const char *word)
{
    size_t n = strlen(word);
    return line.n >= n && memcmp(line.p, word, n) == 0;
}

/* A mapping says at its top which specification it is for; only a cluster file has nodes. */
static enum file_kind kind_of_toml(struct str text)
{
    bool top = true;
    while (text.n != 0) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end != NULL ? (size_t)(end - text.p) + 1 : text.n;
        struct str line = str_trim((struct str){text.p, n});
        text = (struct str){text.p + n, text.n - n};
        if (top && begins(line, "spec") &&
            begins(str_trim((struct str){line.p + 4, line.n - 4}), "=")) {
            return KIND_MAPPING;
        }
        if (begins(line, "[[node]]")) {
            return KIND_CLUSTER;
        }
        top = top && !begins(line, "[");
    }
    return KIND_TOML;
}

static enum file_kind kind_of(const char *path)
{
    static const char mark[] = "assay-run ";
    char head[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? read(fd, head, sizeof head) : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    if (got >= (ssize_t)sizeof mark - 1 && memcmp(head, mark, sizeof mark - 1) == 0) {
        return KIND_RECORDED;
    }
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t k = kinds[i].suffix != NULL ? strlen(kinds[i].suffix) : 0;
        if (k != 0 && n > k && strcmp(path + n - k, kinds[i].suffix) == 0) {
            return i != KIND_TOML ? (enum file_kind)i
                                  : kind_of_toml((struct str){head, got > 0 ? (size_t)got : 0});
        }
    }
    return KIND_UNKNOWN;
}

/* The name of a specification may be given without its ending; a file that has another, or none,
 * is another file. */
static bool no_spec(const char *path)
{
    SCOPED_STRBUF full = {0};
    struct stat st = {0};
    strbuf_printf(&full, "%s.tla", path);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && !file_exists(strbuf_cstr(&full));
}

bool wrong_kind(const char *command, const char *path, enum file_kind wanted)
{
    enum file_kind kind = file_exists(path) ? kind_of(path) : KIND_UNKNOWN;
    if (kind == KIND_UNKNOWN && wanted == KIND_SPEC && no_spec(path)) {
        (void)usage_error(command, "%s is no specification: the name of one ends in .tla", path);
        return true;
    }
    bool either = (kind == KIND_TOML && (wanted == KIND_CLUSTER || wanted == KIND_MAPPING)) ||
                  (kind == KIND_TRACE && wanted == KIND_GRAPH); /* or a suite: who reads it says */
    if (kind == KIND_UNKNOWN || kind == wanted || either) {
        return false;
    }
    (void)usage_error(command, "%s is %s (for assay %s), not %s", path, kinds[kind].what,
                      kinds[kind].commands, kinds[wanted].what);
    return true;
}
