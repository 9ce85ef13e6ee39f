/* Consent: see consent.h. The file's name is a hash of its text, and the text is compared. */
#include "run/consent.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/own.h"
#include "base/str.h"
#include "run/cluster.h"

bool consent_needed(const struct cluster *cluster)
{
    return cluster->n_checks != 0 || (cluster->allow != NULL && cluster->allow[0] != NULL);
}

/* One thing in a line, words ended by a NUL: nothing else can look the same. */
static void describe(const struct cluster *cluster, struct strbuf *out, char name[32])
{
    strbuf_printf(out, "%s%c\n", cluster->path, '\0');
    for (size_t i = 0; i < cluster->n_checks; i++) {
        strbuf_adds(out, "check");
        for (size_t k = 0; cluster->checks[i].argv[k] != NULL; k++) {
            strbuf_printf(out, "%c%s", '\0', cluster->checks[i].argv[k]);
        }
        strbuf_adds(out, "\n");
    }
    for (size_t i = 0; cluster->allow != NULL && cluster->allow[i] != NULL; i++) {
        strbuf_printf(out, "allow%c%s\n", '\0', cluster->allow[i]);
    }
    (void)snprintf(name, 32, "run-%016llx", (unsigned long long)hash_bytes(out->p, out->n, 1));
}

bool consent_given(const struct cluster *cluster, const char *dir)
{
    SCOPED_STRBUF want = {0};
    char name[32];
    describe(cluster, &want, name);
    int at = own_dir(dir);
    int fd = at >= 0 ? own_file(at, name) : -1;
    struct arena arena;
    struct err err;
    struct str have = {0};
    arena_init(&arena, 0);
    bool given =
        fd >= 0 && own_read(&arena, fd, &have, &err) == 0 && str_eq(have, strbuf_str(&want));
    arena_done(&arena);
    if (fd >= 0) {
        (void)close(fd);
    }
    if (at >= 0) {
        (void)close(at);
    }
    return given;
}

void consent_give(const struct cluster *cluster, const char *dir)
{
    SCOPED_STRBUF text = {0};
    char name[32];
    describe(cluster, &text, name);
    int at = own_dir(dir);
    if (at >= 0) {
        (void)own_put(at, name, strbuf_str(&text));
        (void)close(at);
    }
}
