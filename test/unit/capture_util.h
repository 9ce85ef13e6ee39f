/* What the tests of captures share: all that a file tells, as text for each node. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "capture/capture.h"
#include "test.h"

enum { TOLD_NODES = 2, TOLD_MOST = 1 << 13 };
struct told {
    char text[TOLD_NODES][TOLD_MOST];  /* "open recv:abc closed " */
    char bytes[TOLD_NODES][TOLD_MOST]; /* all bytes of it */
    struct capture_event last;
    size_t events;
    int status;
    bool cut_off;
    struct err err;
};

static inline void told_path(char path[64])
{
    (void)snprintf(path, 64, "/tmp/assay-capture-%d", (int)getpid());
}

static inline void told_event(struct told *told, const struct capture_event *e)
{
    static const char *const names[] = {"?",       "sent",  "recv",   "open", "closed",
                                        "started", "ended", "synced", "gap"};
    CHECK(e->kind >= CAPTURE_SENT && e->kind < CAPTURE_KINDS);
    CHECK(e->node < TOLD_NODES);
    char *text = told->text[e->node], *bytes = told->bytes[e->node];
    size_t n = strlen(text), have = strlen(bytes);
    bool data = e->kind == CAPTURE_SENT || e->kind == CAPTURE_RECEIVED;
    unsigned sum = 0;
    for (size_t i = 0; i < e->n; i++) {
        sum += e->bytes[i]; /* all of them are there: looked at by AddressSanitizer */
    }
    CHECK(sum <= 255 * e->n);
    if (n + e->n + 16 < TOLD_MOST) {
        (void)snprintf(text + n, TOLD_MOST - n, "%s%s%.*s ", names[e->kind], data ? ":" : "",
                       (int)e->n, (const char *)e->bytes);
    }
    if (have + e->n + 1 < TOLD_MOST && e->n != 0) {
        memcpy(bytes + have, e->bytes, e->n);
    }
    told->events++;
    told->last = *e;
}

/* What a file with this text tells when the nodes are these. */
static inline void told_of(struct str file, const struct capture_node *nodes, size_t n,
                           struct told *ret)
{
    char path[64];
    struct capture_reader *reader = NULL;
    struct capture_event event;
    memset(ret, 0, sizeof *ret);
    told_path(path);
    FILE *out = fopen(path, "we");
    CHECK(out != NULL);
    CHECK_EQ(fwrite(file.p, 1, file.n, out), file.n);
    CHECK_EQ(fclose(out), 0);
    ret->status = capture_open(path, nodes, n, &reader, &ret->err);
    (void)unlink(path);
    if (ret->status != 0) {
        CHECK(ret->err.text[0] != '\0');
        return;
    }
    while ((ret->status = capture_next(reader, &event, &ret->err)) == 1) {
        told_event(ret, &event);
    }
    CHECK(ret->status == 0 || ret->err.text[0] != '\0');
    ret->cut_off = capture_cut_off(reader);
    capture_close(reader);
}
