/* Histories of runs. Clients print their operations (docs/HISTORIES.md); the engine knows in which
 * order they did, so that no clock is needed. */
#include "run/saw.h"

#include <signal.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "history/history.h"
#include "run/cluster.h"

void saw_line(const char *client, struct str line, struct strbuf *history)
{
    struct str rest = str_trim(line);
    if (rest.n < 2 || rest.p[0] != '{') {
        return;
    }
    rest.p++;
    rest.n--;
    rest = str_trim(rest);
    strbuf_printf(history, "{\"" HISTORY_NODE "\":\"%s\"%s", client, rest.p[0] == '}' ? "" : ",");
    strbuf_addstr(history, rest);
    strbuf_addc(history, '\n');
}

void saw_verdict_done(struct saw_verdict *verdict)
{
    strbuf_done(&verdict->names);
}

/* Judges a history that was read, and frees it. */
static int judge(const struct cluster_history *how, struct history *history, const char *name,
                 const volatile sig_atomic_t *stop, struct hist_result *ret, struct err *err)
{
    struct hist_options options = how->options;
    options.stop = stop;
    int rc = history_check(history, &options, ret, err);
    if (rc == 0 && ret->outcome == HIST_UNDECIDED) {
        rc = err_set(err, ERR_LIMIT, 0, "%s: the search for an order was given up", name);
    }
    history_free(history);
    return rc;
}

int saw_violated(const struct cluster_history *how, struct str text, bool *ret, struct err *err)
{
    static const char name[] = "a history of clients";
    struct arena arena;
    struct history *history = NULL;
    struct hist_result result = {0};
    arena_init(&arena, 0);
    int rc = history_parse(&arena, name, text, how->keyed, &history, err);
    rc = rc != 0 ? rc : judge(how, history, name, NULL, &result, err);
    *ret = rc == 0 && result.outcome == HIST_VIOLATED;
    hist_result_done(&result);
    arena_done(&arena);
    return rc;
}

int saw_judge(const struct cluster_history *how, const char *dir, struct str history,
              const volatile sig_atomic_t *stop, struct saw_verdict *ret, struct err *err)
{
    struct arena arena;
    struct hist_result result = {0};
    arena_init(&arena, 0);
    const char *path = path_join(&arena, dir, "history.jsonl");
    int rc = file_write(path, history, err);
    if (rc == 0 && history.n == 0) {
        rc = err_set(err, ERR_INVALID, 0,
                     "no client printed an operation: there is no history to judge");
    }
    struct history *read = NULL; /* from the file: whoever looks at it later sees the same lines */
    rc = rc != 0 ? rc : history_read(&arena, path, how->keyed, &read, err);
    rc = rc != 0 ? rc : judge(how, read, path, stop, &result, err);
    if (rc == 0) {
        ret->violated = result.outcome == HIST_VIOLATED;
        strbuf_addstr(&ret->names, strbuf_str(&result.names));
        rc = file_write(path_join(&arena, dir, "history.txt"), strbuf_str(&result.text), err);
    }
    hist_result_done(&result);
    arena_done(&arena);
    return rc;
}
