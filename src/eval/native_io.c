/* IOUtils: the environment, other programs and text files. Values in files: native_pickle.c. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/poll.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "eval/native_int.h"

enum { FILE_MAX = 1 << 30 };

static struct val outcome(struct ev *ev, int exit_value, struct str out, struct str err)
{
    struct vctx *ctx = ev_vctx(ev);
    const struct val names[3] = {val_str(ctx, STR("exitValue")), val_str(ctx, STR("stdout")),
                                 val_str(ctx, STR("stderr"))};
    const struct val values[3] = {val_small(exit_value), val_str(ctx, out), val_str(ctx, err)};
    return record_make(ctx, names, values, 3);
}

/* ---- environment and numbers ---- */

struct val native_io_env(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    (void)args;
    struct vals names, values;
    native_vals_init(&names, ev, 64);
    native_vals_init(&values, ev, 64);
    for (char **entry = env_all(); *entry != NULL; entry++) {
        const char *sign = strchr(*entry, '=');
        if (sign == NULL) {
            continue;
        }
        struct val name = val_str(ctx, (struct str){*entry, (size_t)(sign - *entry)});
        size_t at = 0;
        while (at < names.n && !val_same(names.v[at], name)) {
            at++;
        }
        if (at == names.n) { /* of two entries with a name the first counts */
            native_push(&names, name);
            native_push(&values, val_str(ctx, str_of(sign + 1)));
        }
    }
    return record_make(ctx, names.v, values.v, names.n);
}

struct val native_atoi(struct ev *ev, const struct val *args)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val n;
    if (val_is_str(args[0])) {
        struct str text = val_str_text(ctx, args[0]);
        if (text.n > 1 && text.p[0] == '+' && text.p[1] != '-') {
            text = (struct str){text.p + 1, text.n - 1};
        }
        if (text.n > 0 && int_parse(ctx, text, 10, &n)) {
            return n;
        }
    }
    native_fail_only_argument(ev, "atoi", "string", args[0]);
}

/* ---- programs ---- */

struct command {
    char **argv, **envp;
};

struct pipe_text {
    int fd;
    struct text text;
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

/* Reads both pipes to their ends. */
static void drain(struct pipe_text pipes[2])
{
    char buffer[4096];
    while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
        struct pollfd waiting[2] = {
            {.fd = pipes[0].fd, .events = POLLIN},
            {.fd = pipes[1].fd, .events = POLLIN}
        };
        if (poll(waiting, 2, -1) < 0 && errno != EINTR) {
            break;
        }
        for (unsigned i = 0; i < 2; i++) {
            if (pipes[i].fd < 0 || waiting[i].revents == 0) {
                continue;
            }
            ssize_t n = read(pipes[i].fd, buffer, sizeof buffer);
            if (n > 0) {
                native_text_add(&pipes[i].text, buffer, (size_t)n);
            } else if (n == 0 || errno != EINTR) {
                close_fd(&pipes[i].fd);
            }
        }
    }
    close_fd(&pipes[0].fd);
    close_fd(&pipes[1].fd);
}

static int spawn(const struct command *command, const int out[2], const int err[2], pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0) {
        return failed;
    }
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    failed = failed != 0 ? failed : posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    failed = failed != 0 ? failed : posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    failed = failed != 0 ? failed
                         : posix_spawnp(ret_pid, command->argv[0], &actions, NULL, command->argv,
                                        command->envp);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static struct val run(struct ev *ev, const char *op, const struct command *command)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    pid_t pid = 0;
    native_need_exec(ev, op);
    int failed = pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0 ? errno : 0;
    failed = failed != 0 ? failed : spawn(command, out, err, &pid);
    close_fd(&out[1]);
    close_fd(&err[1]);
    if (failed != 0) {
        close_fd(&out[0]);
        close_fd(&err[0]);
        native_fail_outside(ev, op, "Cannot run program \"%s\": %s", command->argv[0],
                            strerror(failed));
    }
    struct pipe_text pipes[2] = {{.fd = out[0]}, {.fd = err[0]}};
    native_text_init(&pipes[0].text, ev);
    native_text_init(&pipes[1].text, ev);
    drain(pipes);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return outcome(ev, code, native_text_str(&pipes[0].text), native_text_str(&pipes[1].text));
}

/* A sequence of strings as C strings. */
static struct str *need_strings(struct ev *ev, struct val v, const char *op, size_t *ret_n)
{
    if (!val_is_kind(v, VK_TUPLE)) {
        native_fail_only_argument(ev, op, "sequence", v);
    }
    const struct vobj *seq = val_obj(v);
    struct str *strings = arena_alloc(ev_vctx(ev)->arena, (seq->n + (size_t)1) * sizeof *strings);
    for (uint32_t i = 0; i < seq->n; i++) {
        if (!val_is_str(seq->v[i])) {
            native_fail_only_argument(ev, "IOExec", "sequence", seq->v[i]);
        }
        strings[i] = val_str_text(ev_vctx(ev), seq->v[i]);
    }
    *ret_n = seq->n;
    return strings;
}

static void set_argv(struct ev *ev, const char *op, struct command *command,
                     const struct str *words, size_t n)
{
    struct arena *arena = ev_vctx(ev)->arena;
    if (n == 0) {
        native_fail_outside(ev, op, "the command is empty");
    }
    command->argv = (char **)arena_alloc(arena, (n + 1) * sizeof *command->argv);
    for (size_t i = 0; i < n; i++) {
        command->argv[i] = arena_strndup(arena, words[i].p, words[i].n);
    }
    command->argv[n] = NULL;
}

/* The environment with the record's fields set in it. */
static void set_env(struct ev *ev, const char *op, struct command *command, struct val env)
{
    struct vctx *ctx = ev_vctx(ev);
    struct val record;
    if (!native_as_record(ev, env, &record)) {
        native_fail_only_argument(ev, op, "record", env);
    }
    size_t extra = fcn_size(ctx, record), have = 0, n = 0;
    char **all = env_all();
    while (all[have] != NULL) {
        have++;
    }
    command->envp = (char **)arena_alloc(ctx->arena, (have + extra + 1) * sizeof *command->envp);
    for (size_t i = 0; i < extra; i++) {
        struct str name = native_unquoted(ev, fcn_key(ctx, record, i)),
                   value = native_unquoted(ev, fcn_value(ctx, record, i));
        command->envp[n++] = arena_printf(ctx->arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(value));
    }
    for (size_t i = 0; i < have; i++) {
        const char *sign = strchr(all[i], '=');
        struct val hidden;
        struct str name = {all[i], sign != NULL ? (size_t)(sign - all[i]) : strlen(all[i])};
        char *key = arena_strndup(ctx->arena, name.p, name.n);
        if (!native_field(ev, record, key, &hidden)) {
            command->envp[n++] = all[i];
        }
    }
    command->envp[n] = NULL;
}

static void set_template(struct ev *ev, const char *op, struct command *command,
                         struct val template, struct val params)
{
    size_t words = 0, n = 0;
    struct str *word = need_strings(ev, template, op, &words);
    struct str *param = need_strings(ev, params, op, &n);
    for (size_t i = 0; i < words; i++) {
        word[i] = native_format_template(ev, op, word[i], param, n);
    }
    set_argv(ev, op, command, word, words);
}

struct val native_io_exec(struct ev *ev, const struct val *args)
{
    struct command command = {.envp = env_all()};
    size_t n = 0;
    struct str *words = need_strings(ev, args[0], "IOExec", &n);
    set_argv(ev, "IOExec", &command, words, n);
    return run(ev, "IOExec", &command);
}

struct val native_io_env_exec(struct ev *ev, const struct val *args)
{
    struct command command;
    size_t n = 0;
    set_env(ev, "IOEnvExec", &command, args[0]);
    struct str *words = need_strings(ev, args[1], "IOEnvExec", &n);
    set_argv(ev, "IOEnvExec", &command, words, n);
    return run(ev, "IOEnvExec", &command);
}

struct val native_io_exec_template(struct ev *ev, const struct val *args)
{
    struct command command = {.envp = env_all()};
    set_template(ev, "IOExecTemplate", &command, args[0], args[1]);
    return run(ev, "IOExecTemplate", &command);
}

struct val native_io_env_exec_template(struct ev *ev, const struct val *args)
{
    struct command command;
    set_env(ev, "IOEnvExecTemplate", &command, args[0]);
    set_template(ev, "IOEnvExecTemplate", &command, args[1], args[2]);
    return run(ev, "IOEnvExecTemplate", &command);
}

/* ---- Serialize, Deserialize ---- */

/* The flags of Java's StandardOpenOption; -1 for an unknown one. */
static int open_flag(struct str option)
{
    static const struct {
        const char *name;
        int flag;
    } options[] = {
        {"WRITE",             O_WRONLY        },
        {"CREATE",            O_CREAT         },
        {"CREATE_NEW",        O_CREAT | O_EXCL},
        {"TRUNCATE_EXISTING", O_TRUNC         },
        {"APPEND",            O_APPEND        },
        {"SYNC",              O_SYNC          },
        {"DSYNC",             O_DSYNC         },
        {"SPARSE",            0               }
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (str_is(option, options[i].name)) {
            return options[i].flag;
        }
    }
    return -1;
}

static int write_all(const char *path, int flags, struct str text)
{
    int fd = open(path, flags | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0) {
        return errno;
    }
    int failed = 0;
    for (size_t at = 0; failed == 0 && at < text.n;) {
        ssize_t n = write(fd, text.p + at, text.n - at);
        failed = n < 0 && errno != EINTR ? errno : 0;
        at += n > 0 ? (size_t)n : 0;
    }
    return close(fd) != 0 && failed == 0 ? errno : failed;
}

static struct str need_option(struct ev *ev, struct val options, const char *name,
                              const char *which, const char *op)
{
    struct val value;
    if (!native_field(ev, options, name, &value) || !val_is_str(value)) {
        native_fail_argument(ev, which, op, "record with a format and its options", options);
    }
    return val_str_text(ev_vctx(ev), value);
}

static int need_open_flags(struct ev *ev, struct val options)
{
    struct val list;
    const struct vobj *seq =
        native_field(ev, options, "openOptions", &list) ? seq_of(ev_vctx(ev), list) : NULL;
    if (seq == NULL) {
        native_fail_argument(ev, "third", "Serialize", "record with openOptions", options);
    }
    int flags = 0;
    for (uint32_t i = 0; i < seq->n; i++) {
        int flag = open_flag(native_need_string(ev, seq->v[i], "third", "Serialize"));
        if (flag < 0) {
            native_fail_argument(ev, "third", "Serialize", "record with known openOptions",
                                 options);
        }
        flags |= flag;
    }
    return flags;
}

struct val native_serialize(struct ev *ev, const struct val *args)
{
    const char *op = "Serialize";
    struct val options;
    if (!native_as_record(ev, args[2], &options)) {
        native_fail_argument(ev, "third", op, "record", args[2]);
    }
    bool is_json = str_is(need_option(ev, options, "format", "third", op), "NDJSON");
    if (!is_json && !str_is(need_option(ev, options, "format", "third", op), "TXT")) {
        native_fail_argument(ev, "third", op, "record whose format is \"TXT\" or \"NDJSON\"",
                             options);
    }
    int flags = need_open_flags(ev, options);
    const char *path = native_need_path(ev, args[1], "second", op);
    struct text text;
    native_text_init(&text, ev);
    if (is_json) {
        const struct vobj *seq = native_need_seq(ev, args[0], "first", op);
        for (uint32_t i = 0; i < seq->n; i++) {
            native_text_addstr(&text, val_str_text(ev_vctx(ev), native_json_text(ev, seq->v[i])));
            native_text_addc(&text, '\n');
        }
    } else {
        native_text_addstr(&text, native_need_string(ev, args[0], "first", op));
    }
    native_need_exec(ev, op);
    int failed = write_all(path, flags, native_text_str(&text));
    if (failed != 0 && is_json) {
        native_fail_outside(ev, op, "%s: %s", path, strerror(failed));
    }
    if (failed != 0) {
        const char *message =
            arena_printf(ev_vctx(ev)->arena, "Serialize error writing to the file: %s: %s", path,
                         strerror(failed));
        return outcome(ev, 1, STR(""), str_of(message));
    }
    return is_json ? VAL_TRUE
                   : outcome(ev, 0, STR("Finish writing to the file with success!"), STR(""));
}

struct val native_deserialize(struct ev *ev, const struct val *args)
{
    const char *op = "Deserialize";
    struct val options;
    if (!native_as_record(ev, args[1], &options)) {
        native_fail_argument(ev, "second", op, "record", args[1]);
    }
    if (!str_is(need_option(ev, options, "format", "second", op), "TXT")) {
        native_fail_argument(ev, "second", op, "record whose format is \"TXT\"", options);
    }
    struct str text;
    struct err err = {0};
    if (file_read(ev_vctx(ev)->arena, native_need_path(ev, args[0], "first", op), FILE_MAX, &text,
                  &err) != 0) {
        const char *message = arena_printf(ev_vctx(ev)->arena,
                                           "Deserialize error reading from the file: %s", err.text);
        return outcome(ev, 1, STR(""), str_of(message));
    }
    return outcome(ev, 0, text, STR(""));
}
