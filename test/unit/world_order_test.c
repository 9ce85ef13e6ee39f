/* Threads as events: with every choice in our hands, two processes of a node write in all orders
 * that there are, each order again the same way, and the order that they have by themselves changes
 * nothing. */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/syscall.h>

#include "base/err.h"
#include "base/file.h"
#include "base/vec.h"
#include "test.h"
#include "world/world.h"

/* ---- the program ---- */

/* Two children wait for the end of a pipe, then write two letters each. With calls of their own:
 * what sanitizers put around those of the library would count. */
__attribute__((constructor)) static void program(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "program") != 0) {
        return;
    }
    int fds[2];
    char c = 0;
    if (pipe2(fds, O_CLOEXEC) != 0) {
        _exit(1);
    }
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            (void)close(fds[1]);
            (void)syscall(SYS_read, fds[0], &c, 1);
            for (int k = 0; k < 2; k++) {
                (void)syscall(SYS_write, STDOUT_FILENO, &"ab"[i], 1);
            }
            (void)syscall(SYS_exit_group, 0);
        }
    }
    (void)nanosleep(&(struct timespec){1, 0}, NULL);
    (void)syscall(SYS_close, fds[1]);
    while (syscall(SYS_wait4, -1, NULL, 0, NULL) > 0) {
    }
    (void)syscall(SYS_exit_group, 0);
}

/* ---- schedules ---- */

struct made {
    uint32_t taken, of; /* which thread, of how many */
};
struct schedule {
    VEC(struct made) made; /* by number of the choice */
    size_t n;              /* choices that were asked for */
    bool ask, bad;
    char out[16];
    size_t out_n;
    uint64_t hash;
};

static void on_output(void *arg, uint32_t node, int fd, const char *text, size_t n)
{
    struct schedule *s = arg;
    (void)node;
    (void)fd;
    for (size_t i = 0; i < n && s->out_n < sizeof s->out - 1; i++) {
        s->out[s->out_n++] = text[i];
    }
}

static bool on_choice(void *arg, const struct world_choice *choice)
{
    struct schedule *s = arg;
    s->bad = s->bad || choice->node != 0 || choice->threads < 2;
    if (s->ask && s->n == s->made.n) {
        VEC_PUSH(&s->made, ((struct made){0, choice->threads}));
    }
    return s->ask;
}

/* The thread that the schedule has for this choice. */
static struct event next_thread(struct schedule *s, struct world *w)
{
    struct event list[16], next;
    size_t n = world_events(w, list, 16), threads = 0;
    const struct made *made = &s->made.v[s->n++];
    while (threads < n && list[threads].kind == EV_THREAD) {
        threads++;
    }
    CHECK_EQ(threads, made->of);
    CHECK(world_next(w, &next));
    CHECK_EQ(next.kind, EV_THREAD);
    CHECK_EQ(next.id, list[0].id);
    return list[made->taken];
}

/* False: programs cannot be traced here. */
static bool run(struct schedule *s, const char *dir, bool choices)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    CHECK(n > 0);
    self[n] = '\0';
    const char *argv[] = {self, "program", NULL};
    struct world_node node = {.name = "n", .argv = argv, .ip = 0x0a000001};
    struct world_spec spec = {
        .nodes = &node, .n_nodes = 1, .seed = 1, .choices = choices, .dir = dir, .trace_fd = -1};
    struct world *w = NULL;
    struct err err;
    enum settle_result settled = SETTLE_QUIET;
    CHECK_EQ(world_open(&spec, &w, &err), 0);
    world_on_output(w, on_output, s);
    world_on_choice(w, on_choice, s);
    s->n = s->out_n = 0;
    s->ask = false;
    for (int events = 0; settled != SETTLE_OVER; events++) {
        CHECK(events < 1000);
        struct event event = {0};
        CHECK_EQ(world_settle(w, &settled, &err), 0);
        if (settled == SETTLE_CHOICE) {
            event = next_thread(s, w);
            CHECK(world_enabled(w, &event));
        } else if (settled == SETTLE_OVER || !world_next(w, &event)) {
            break;
        }
        s->ask = s->ask || (choices && event.kind == EV_TIMER);
        if (world_do(w, &event, &err) != 0) {
            CHECK_EQ(event.kind, EV_START);
            printf("# skipped: %s\n", err.text);
            world_close(w);
            return false;
        }
    }
    s->out[s->out_n] = '\0';
    s->hash = world_hash(w);
    CHECK(!s->bad);
    world_close(w);
    return true;
}

/* The next schedule in the order of its choices; false: that was the last. */
static bool advance(struct schedule *s)
{
    while (s->made.n > 0) {
        struct made *last = &s->made.v[s->made.n - 1];
        if (++last->taken < last->of) {
            return true;
        }
        s->made.n--;
    }
    return false;
}

/* Sequences of calls after the pipe's end is there: each child writes twice and ends, their parent
 * waits for both, finds no other, and ends. Counted by a model of just that. */
enum { SCHEDULES = 308 };

TEST(all_orders)
{
    static const char *const orders[] = {"aabb", "abab", "abba", "baab", "baba", "bbaa"};
    struct schedule s = {0};
    struct err err;
    char dir[] = "/tmp/assay-order.XXXXXX";
    unsigned runs = 0, seen[6] = {0};
    CHECK(mkdtemp(dir) != NULL);
    if (!run(&s, dir, false)) {
        CHECK_EQ(dir_remove(dir, &err), 0);
        return;
    }
    CHECK_STR(s.out, "aabb");
    do {
        CHECK(run(&s, dir, true));
        CHECK_EQ(s.n, s.made.n);
        if (runs == 0) {
            CHECK_STR(s.out, "aabb"); /* whoever takes what would come changes nothing */
        }
        if (runs++ % 16 == 0) {
            uint64_t hash = s.hash;
            CHECK(run(&s, dir, true));
            CHECK(s.hash == hash);
        }
        bool known = false;
        for (size_t i = 0; i < 6; i++) {
            bool same = strcmp(s.out, orders[i]) == 0;
            seen[i] += same ? 1 : 0;
            known = known || same;
        }
        CHECK(known);
    } while (advance(&s));
    for (size_t i = 0; i < 6; i++) {
        CHECK(seen[i] != 0);
    }
    VEC_DONE(&s.made);
    CHECK_EQ(dir_remove(dir, &err), 0);
    CHECK_EQ(runs, SCHEDULES);
}
