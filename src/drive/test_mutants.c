/* `assay test --mutants`: which defective builds the suite finds, and why the others survive.
 *
 * The suite is run on the cluster as it should be first, and of each step all that leaves the
 * programs is noted as hashes: messages, what is printed, files; mapped or not. A mutant that
 * survives either does not differ there at all, or in something that nothing is compared with.
 * Where its programs count what they execute, and a patch lies beside the cluster file, the lines
 * that it changes are looked up, too. Patches that nobody has built are built first, by a program
 * of the user that lies beside them. */
#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "drive/bridge.h"
#include "drive/test.h"
#include "job/job.h"
#include "play/engine.h"
#include "run/cluster.h"
#include "suite/suite.h"

enum { PATCH_MOST = 1 << 20, LINES_TOLD = 8 };

struct control { /* of a case, on the cluster as it should be */
    bool known;
    uint64_t outside[OUTSIDE_KINDS];
};
struct mutants {
    struct test_cmd *cmd;
    struct control *control; /* [cases] */
    struct word_list names, patches;
    size_t found;
    struct strbuf out;
};

static void add_name(void *arg, const char *name)
{
    struct mutants *m = arg;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".toml") == 0) {
        VEC_PUSH(&m->names, arena_strndup(&m->cmd->arena, name, n));
    }
}

static void add_patch(void *arg, const char *name)
{
    struct mutants *m = arg;
    size_t n = strlen(name);
    if (n > 6 && strcmp(name + n - 6, ".patch") == 0) {
        VEC_PUSH(&m->patches, arena_strndup(&m->cmd->arena, name, n - 6));
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int failed(const struct test_cmd *cmd, const struct err *err)
{
    (void)fprintf(cmd->o.teller.err, "assay test: %s\n", err->text);
    return err->code == ERR_INVALID || err->code == ERR_CORRUPT ? EXIT_CONFIG : EXIT_OTHER;
}

/* ---- patches ---- */

/* Runs `DIR/build DIR/NAME.patch DIR/NAME.toml`, which has to write the latter. */
static int build(struct mutants *m, const char *program, const char *name)
{
    struct test_cmd *cmd = m->cmd;
    struct arena *arena = &cmd->arena;
    const char *patch = path_join(arena, cmd->mutants, arena_printf(arena, "%s.patch", name));
    const char *cluster = path_join(arena, cmd->mutants, arena_printf(arena, "%s.toml", name));
    int status = 0;
    if (file_exists(cluster)) {
        return EXIT_OK;
    }
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* what we print is for the verdict */
        (void)execl(program, program, patch, cluster, (char *)NULL);
        for (;;) {
            (void)syscall(SYS_exit_group, 127);
        }
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && cmd->o.teller.flags->interrupt == 0) {
    }
    if (pid > 0 && status == 0 && file_exists(cluster)) {
        return EXIT_OK;
    }
    if (cmd->o.teller.flags->interrupt != 0) {
        return EXIT_INTERRUPTED;
    }
    (void)fprintf(cmd->o.teller.err, "assay test: --mutants: %s %s %s: ", program, patch, cluster);
    if (pid > 0 && status == 0) {
        (void)fprintf(cmd->o.teller.err, "it has not written the cluster file\n");
    } else {
        (void)fprintf(cmd->o.teller.err, "%s %d\n",
                      WIFSIGNALED(status) ? "killed by signal" : "status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    return EXIT_CONFIG;
}

static int build_all(struct mutants *m)
{
    const char *program = path_join(&m->cmd->arena, m->cmd->mutants, "build");
    int status = EXIT_OK;
    dir_each(m->cmd->mutants, add_patch, m);
    if (m->patches.n != 0 && access(program, X_OK) == 0) {
        qsort((void *)m->patches.v, m->patches.n, sizeof m->patches.v[0], by_name);
        for (size_t i = 0; status == EXIT_OK && i < m->patches.n; i++) {
            status = build(m, program, m->patches.v[i]);
        }
    }
    return status;
}

/* ---- what the patch changes ---- */

struct changed {
    struct strbuf reached, never;
    size_t n_reached, n_never;
};

/* Whether the path of a counted file ends in this name, whole parts only. */
static bool is_file(const char *path, struct str name)
{
    size_t n = strlen(path);
    return n >= name.n && memcmp(path + n - name.n, name.p, name.n) == 0 &&
           (n == name.n || path[n - name.n - 1] == '/');
}

static void note_line(const struct test_cmd *cmd, struct str file, uint32_t line, struct changed *c)
{
    for (size_t i = 0; i < cmd->code.n; i++) {
        const struct cover_file *f = &cmd->code.v[i];
        for (size_t k = 0; is_file(f->name, file) && k < f->lines.n; k++) {
            if (f->lines.v[k].line != line) {
                continue;
            }
            bool reached = f->lines.v[k].count != 0;
            struct strbuf *to = reached ? &c->reached : &c->never;
            size_t *n = reached ? &c->n_reached : &c->n_never;
            if (++*n <= LINES_TOLD) {
                strbuf_printf(to, "%s%.*s:%u", *n > 1 ? ", " : "", STR_ARG(file), line);
            }
        }
    }
}

/* "@@ -1,2 +3,4 @@": 3. */
static uint32_t hunk_line(struct str line)
{
    const char *plus = memchr(line.p, '+', line.n);
    return plus != NULL ? (uint32_t)strtoul(plus + 1, NULL, 10) : 0;
}

/* Lines that are new, and those beside ones that are gone. */
static void read_patch(const struct test_cmd *cmd, struct str text, struct changed *c)
{
    struct str file = {0};
    uint32_t at = 0;
    bool gone = false;
    for (size_t i = 0; i < text.n;) {
        const char *end = memchr(text.p + i, '\n', text.n - i);
        size_t n = end != NULL ? (size_t)(end - text.p) - i : text.n - i;
        struct str line = {text.p + i, n};
        i += n + 1;
        if (n > 4 && memcmp(line.p, "+++ ", 4) == 0) {
            size_t skip = n > 6 && memcmp(line.p + 4, "b/", 2) == 0 ? 6 : 4;
            const char *tab = memchr(line.p, '\t', n);
            file = (struct str){line.p + skip, (tab != NULL ? (size_t)(tab - line.p) : n) - skip};
            at = 0;
        } else if (n > 2 && memcmp(line.p, "@@", 2) == 0) {
            at = hunk_line(line);
            gone = false;
        } else if (at != 0 && n > 0 && line.p[0] == '-') {
            gone = true;
        } else if (at != 0 && n > 0 && (line.p[0] == '+' || line.p[0] == ' ')) {
            if (line.p[0] == '+' || gone) {
                note_line(cmd, file, at, c);
            }
            gone = false;
            at++;
        }
    }
}

static void tell_patch(struct mutants *m, const char *name)
{
    struct test_cmd *cmd = m->cmd;
    struct str text;
    struct err unused;
    struct changed c = {0};
    const char *path =
        arena_printf(&cmd->arena, "%s/%.*s.patch", cmd->mutants, (int)(strlen(name) - 5), name);
    if (cmd->code.n == 0 || file_read(&cmd->arena, path, PATCH_MOST, &text, &unused) != 0) {
        return;
    }
    read_patch(cmd, text, &c);
    if (c.n_never != 0) {
        strbuf_printf(&m->out, "    lines that it changes and the suite never executes: %s%s\n",
                      strbuf_cstr(&c.never), c.n_never > LINES_TOLD ? ", ..." : "");
    }
    if (c.n_reached != 0) {
        strbuf_printf(&m->out, "    lines that it changes and the suite executes: %s%s\n",
                      strbuf_cstr(&c.reached), c.n_reached > LINES_TOLD ? ", ..." : "");
    }
    strbuf_done(&c.reached);
    strbuf_done(&c.never);
}

/* ---- why it survives ---- */

static void tell_outside(struct mutants *m)
{
    static const char *const what[OUTSIDE_KINDS] = {"the bytes of messages", "what nodes print",
                                                    "the files of nodes"};
    struct test_cmd *cmd = m->cmd;
    size_t cases = 0, differ = 0;
    for (size_t i = 0; i < cmd->suite->n; i++) {
        cases += cmd->outcomes[i].known && m->control[i].known ? 1 : 0;
    }
    for (size_t k = 0; k < OUTSIDE_KINDS; k++) {
        size_t n = 0, first = 0;
        for (size_t i = cmd->suite->n; i-- > 0;) {
            if (cmd->outcomes[i].known && m->control[i].known &&
                cmd->outcomes[i].outside[k] != m->control[i].outside[k]) {
                n++;
                first = i;
            }
        }
        differ += n;
        if (n != 0) {
            struct str id = cmd->suite->cases[first].id;
            strbuf_printf(&m->out,
                          "    %s differ%s from the program as it should be in %zu of %zu cases, "
                          "first in case %zu (%.*s): nothing is compared with that\n",
                          what[k], k == OUTSIDE_PRINTED ? "s" : "", n, cases, first + 1,
                          STR_ARG(id));
        }
    }
    if (differ == 0) {
        strbuf_printf(&m->out,
                      "    in %zu cases no message, no printed line and no file differs from the "
                      "program as it should be\n",
                      cases);
    }
    if (cmd->suite->left.n != 0) {
        strbuf_printf(&m->out, "    not in the suite: %.*s\n", STR_ARG(cmd->suite->left));
    }
}

/* ---- running ---- */

static int not_all(struct test_cmd *cmd, const char *name)
{
    (void)put_text(cmd->o.teller.err, strbuf_str(&cmd->missing));
    (void)fprintf(cmd->o.teller.err, "assay test: %s: not all cases were run\n", name);
    return cmd->o.teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OTHER;
}

/* The cluster that should be right. */
static int run_control(struct mutants *m)
{
    struct test_cmd *cmd = m->cmd;
    struct err err = {0};
    if (test_run(cmd, &err) != 0) {
        return failed(cmd, &err);
    }
    if (cmd->groups.n != 0) {
        const json_t *f = cmd->groups.v[0].finding;
        (void)fprintf(cmd->o.teller.err,
                      "assay test: --mutants: the suite finds something in the cluster that should "
                      "be right: %s: %s after %s\n",
                      test_text(f, "kind"), test_text(f, "about"), test_text(f, "action"));
        return EXIT_SAFETY;
    }
    if (cmd->error != NULL && cmd->o.teller.flags->interrupt == 0) {
        return test_tell_error(cmd);
    }
    if (test_count(cmd).left != 0 && cmd->seconds <= 0) {
        return not_all(cmd, "the cluster that should be right");
    }
    for (size_t i = 0; i < cmd->suite->n; i++) {
        m->control[i].known = cmd->outcomes[i].known;
        memcpy(m->control[i].outside, cmd->outcomes[i].outside, sizeof m->control[i].outside);
    }
    return cmd->o.teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OK;
}

static int run_mutant(struct mutants *m, const char *name)
{
    struct test_cmd *cmd = m->cmd;
    struct err err = {0};
    const char *path = path_join(&cmd->arena, cmd->mutants, name);
    test_forget(cmd);
    if (cluster_read(&cmd->bridge.spec.arena, path, &cmd->bridge.cluster, &err) != 0) {
        return failed(cmd, &err);
    }
    cmd->bridge.cluster.bare = engine_bare();
    if (test_run(cmd, &err) != 0) {
        return failed(cmd, &err);
    }
    if (cmd->groups.n != 0) {
        const json_t *f = cmd->groups.v[0].finding;
        m->found++;
        strbuf_printf(&m->out, "found     %-24s %s: %s after %s\n", name, test_text(f, "kind"),
                      test_text(f, "about"), test_text(f, "action"));
    } else if (cmd->error != NULL && cmd->o.teller.flags->interrupt == 0) {
        return test_tell_error(cmd);
    } else if (test_count(cmd).left != 0 && cmd->seconds <= 0) {
        return not_all(cmd, name);
    } else {
        strbuf_printf(&m->out, "survived  %s\n", name);
        tell_outside(m);
        tell_patch(m, name);
    }
    return cmd->o.teller.flags->interrupt != 0 ? EXIT_INTERRUPTED : EXIT_OK;
}

int test_mutants(struct test_cmd *cmd)
{
    struct mutants m = {.cmd = cmd,
                        .control = ARENA_ARRAY(&cmd->arena, struct control, cmd->suite->n + 1)};
    struct err err = {0};
    int status = build_all(&m);
    if (status != EXIT_OK) {
        VEC_DONE(&m.patches);
        return status;
    }
    dir_each(cmd->mutants, add_name, &m);
    if (m.names.n == 0) {
        (void)fprintf(cmd->o.teller.err,
                      "assay test: --mutants: there is no cluster file (*.toml) in %s%s\n",
                      cmd->mutants,
                      m.patches.n != 0 ? ", and no program `build` that makes one of a patch" : "");
        VEC_DONE(&m.patches);
        return EXIT_CONFIG;
    }
    qsort((void *)m.names.v, m.names.n, sizeof m.names.v[0], by_name);
    cmd->stop_first = true;
    status = cmd->bridge.lock.held || bridge_dir(&cmd->o, &cmd->bridge, &err) == 0
                 ? run_control(&m)
                 : failed(cmd, &err);
    for (size_t i = 0; status == EXIT_OK && i < m.names.n; i++) {
        status = run_mutant(&m, m.names.v[i]);
    }
    if (status == EXIT_OK) {
        strbuf_printf(&m.out, "%zu of %zu found\n", m.found, m.names.n);
        (void)put_text(cmd->o.teller.out, strbuf_str(&m.out));
        status = m.found == m.names.n ? EXIT_OK : EXIT_INCOMPLETE;
    }
    VEC_DONE(&m.names);
    VEC_DONE(&m.patches);
    strbuf_done(&m.out);
    return status;
}
