/* A program of the user's that decodes: it reads one message as a line of hexadecimal digits and
 * answers with a line of JSON. It runs outside of the world, once for each session; answers are
 * remembered, because the same bytes come again and again. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <linux/prctl.h>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "decode/decode_int.h"
#include "map/map.h"

enum { ANSWER_MS = 10000, ANSWERS_MOST = 100000 };

struct decoder {
    pid_t pid;
    int to, from;
    struct strmap answers; /* hex -> struct str * */
    struct strbuf pending; /* read, but not used */
};

/* It ends with us, however we end. */
__attribute__((noreturn)) static void child_main(const char *const *argv, int in, int out,
                                                 pid_t parent)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent &&
        dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0) {
        (void)execvp(argv[0], (char *const *)argv);
    }
    (void)syscall(SYS_exit_group, 127);
    __builtin_unreachable();
}

static int start(struct decoder *d, const char *const *argv)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t parent = getpid();
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
        return -1;
    }
    d->pid = fork();
    if (d->pid == 0) {
        child_main(argv, in[0], out[1], parent);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    d->to = in[1];
    d->from = out[0];
    return d->pid > 0 ? 0 : -1;
}

static void stop(struct decoder *d)
{
    if (d->pid > 0) {
        (void)close(d->to);
        (void)close(d->from);
        (void)kill(d->pid, SIGKILL);
        while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    strbuf_done(&d->pending);
    strmap_done(&d->answers);
    vec_release(d);
}

static bool send_all(int fd, struct str text)
{
    while (text.n > 0) {
        ssize_t n = write(fd, text.p, text.n);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        text.p += n > 0 ? n : 0;
        text.n -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* One line, without its end. */
static bool read_line(struct decoder *d, struct strbuf *ret)
{
    uint64_t end = clock_mono_ns() + (uint64_t)ANSWER_MS * 1000000;
    for (;;) {
        const char *nl = d->pending.n != 0 ? memchr(d->pending.p, '\n', d->pending.n) : NULL;
        if (nl != NULL) {
            size_t n = (size_t)(nl - d->pending.p);
            strbuf_add(ret, d->pending.p, n);
            memmove(d->pending.p, d->pending.p + n + 1, d->pending.n - n - 1);
            d->pending.n -= n + 1;
            return true;
        }
        struct pollfd wait = {.fd = d->from, .events = POLLIN};
        int ready = poll(&wait, 1, 500);
        if (clock_mono_ns() > end) {
            return false;
        }
        if (ready <= 0) {
            continue;
        }
        char bytes[4096];
        ssize_t n = read(d->from, bytes, sizeof bytes);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }
        strbuf_add(&d->pending, bytes, n > 0 ? (size_t)n : 0);
    }
}

static const struct map_decode *decode_at(const struct decode *c, size_t number, size_t *ret_begin,
                                          size_t *ret_end)
{
    const struct map *map = c->o.map;
    if (number < map->n_observes) {
        *ret_begin = map->observes[number].begin;
        *ret_end = map->observes[number].end;
        return &map->observes[number].decode;
    }
    *ret_begin = map->messages[number - map->n_observes].begin;
    *ret_end = map->messages[number - map->n_observes].end;
    return &map->messages[number - map->n_observes].decode;
}

int decoder_run(struct decode *c, size_t number, struct str bytes, struct str *ret)
{
    size_t begin = 0, end = 0, cap = 0;
    const struct map_decode *decode = decode_at(c, number, &begin, &end);
    struct decoder *d = c->decoders[number];
    if (d == NULL) {
        d = c->decoders[number] = vec_grow(NULL, &cap, 1, sizeof *d);
        memset(d, 0, sizeof *d);
        if (start(d, decode->command) != 0) {
            return map_error(c->o.map, c->err, begin, end, "the decoder %s cannot be started",
                             decode->command[0]);
        }
    }
    SCOPED_STRBUF hex = {0};
    for (size_t i = 0; i < bytes.n; i++) {
        strbuf_printf(&hex, "%02x", (unsigned char)bytes.p[i]);
    }
    struct str *known = strmap_get(&d->answers, strbuf_str(&hex));
    if (known != NULL) {
        *ret = *known;
        return 0;
    }
    struct str key = str_dup(&c->arena, strbuf_str(&hex));
    SCOPED_STRBUF answer = {0};
    strbuf_addc(&hex, '\n');
    if (!send_all(d->to, strbuf_str(&hex)) || !read_line(d, &answer)) {
        return map_error(c->o.map, c->err, begin, end, "the decoder %s does not answer",
                         decode->command[0]);
    }
    known = ARENA_NEW(&c->arena, struct str);
    *ret = *known = str_dup(&c->arena, strbuf_str(&answer));
    if (d->answers.n < ANSWERS_MOST) {
        (void)strmap_put(&d->answers, key, known);
    }
    return 0;
}

void decoders_free(struct decode *c)
{
    size_t n = c->o.map->n_observes + c->o.map->n_messages;
    for (size_t i = 0; c->decoders != NULL && i < n; i++) {
        if (c->decoders[i] != NULL) {
            stop(c->decoders[i]);
        }
    }
}
