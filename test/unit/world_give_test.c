/* A descriptor that is given to a program is compared with the one that arrived before anybody uses
 * it: when it is another file, the program is killed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "test.h"
#include "tracee/tracee.h"
#include "world/world_int.h"

/* ---- the program: one call after the other ---- */

__attribute__((constructor)) static void program(int argc, char **argv)
{
    while (argc == 2 && strcmp(argv[1], "program") == 0) {
        (void)syscall(SYS_getppid);
    }
}

/* ---- its owner ---- */

struct outside {
    struct tracee_shared shared; /* what the program has */
    struct node node;            /* what its owner uses */
    struct proc proc;
    struct thread thread;
    struct strbuf dir;
    int ours, other; /* two files of one file system */
};

static int file_in(struct outside *o, const char *name)
{
    struct strbuf path = {0};
    strbuf_printf(&path, "%s/%s", strbuf_cstr(&o->dir), name);
    int fd = open(strbuf_cstr(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    strbuf_done(&path);
    return fd;
}

/* Lets the program run to its next call. */
static void run_to_call(struct thread *t)
{
    struct stop stop = {0};
    while (stop.kind != STOP_SYSCALL || t->regs.orig_rax != SYS_getppid) {
        tracee_resume(t->real, 0);
        tracee_wait(t->real, &stop);
        CHECK(stop.kind == STOP_SYSCALL || stop.kind == STOP_SIGNAL);
        CHECK(tracee_regs_get(t->real, &t->regs));
        if (stop.kind == STOP_SIGNAL) { /* RDTSC of the dynamic linker, which faults */
            uint8_t code[2] = {0};
            CHECK_EQ(tracee_read(t->real, TADDR(t->regs.rip), code, 2), 2);
            CHECK(code[0] == 0x0f && (code[1] == 0x31 || code[1] == 0x01));
            t->regs.rip += code[1] == 0x31 ? 2 : 3;
            t->regs.rax = t->regs.rdx = 0;
            CHECK(tracee_regs_set(t->real, &t->regs));
        }
    }
}

/* False where processes cannot be traced. */
static bool begin(struct outside *o)
{
    struct err err;
    bool hidden;
    uint8_t rules[TRACEE_SYSCALLS];
    char self[4096] = "";
    char *argv[] = {self, (char *)"program", NULL};
    char *envp[] = {NULL};
    memset(o, 0, sizeof *o);
    memset(rules, TRACEE_PASS, sizeof rules);
    rules[SYS_getppid] = TRACEE_STOP;
    CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    CHECK_EQ(dir_make_new("/tmp", "assay-give-test", &o->dir, &err), 0);
    o->ours = file_in(o, "ours");
    o->other = file_in(o, "other");
    CHECK_EQ(tracee_shared_init(&o->shared, &err), 0);
    struct tracee_spec spec = {.path = self,
                               .exec_fd = -1,
                               .argv = argv,
                               .envp = envp,
                               .rules = rules,
                               .shared = &o->shared,
                               .limits = {.stack_bytes = 8 << 20}};
    o->thread.proc = &o->proc;
    o->proc.node = &o->node;
    o->node.shared = o->shared;
    if (tracee_spawn(&spec, &o->thread.real, &err) != 0) {
        printf("# skipped: %s\n", err.text);
        return false;
    }
    CHECK_EQ(tracee_prepare(o->thread.real, (const uint8_t[16]){0}, false, &hidden, &err), 0);
    run_to_call(&o->thread);
    return true;
}

static void end(struct outside *o)
{
    struct err err;
    tracee_shared_done(&o->shared);
    (void)close(o->ours);
    (void)close(o->other);
    CHECK_EQ(dir_remove(strbuf_cstr(&o->dir), &err), 0);
    strbuf_done(&o->dir);
}

static int64_t give(const struct outside *o)
{
    struct tracee_call call = {.tid = o->thread.real, .regs = &o->thread.regs};
    return open_in_tracee(&o->thread, &call, o->ours, true);
}

TEST(what_was_given)
{
    struct outside o;
    struct stat ours, theirs;
    char link[64];
    if (begin(&o)) {
        int64_t real = give(&o);
        CHECK(real >= 0);
        (void)snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)o.thread.real, (int)real);
        CHECK_EQ(fstat(o.ours, &ours), 0);
        CHECK_EQ(stat(link, &theirs), 0);
        CHECK_EQ(theirs.st_ino, ours.st_ino);
        tracee_kill(o.thread.real);
        tracee_reap(o.thread.real);
    }
    end(&o);
}

static void send_through(int through, int fd)
{
    union {
        struct cmsghdr head;
        uint8_t bytes[CMSG_SPACE(sizeof(int))];
    } control = {
        .head = {CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS}
    };
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    struct iovec part = {(char[]){'d'}, 1};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};
    CHECK_EQ(sendmsg(through, &head, 0), 1);
}

/* The program is made to take another file than the one that its owner sends: that goes elsewhere.
 */
static void takes_another(int (*other)(const struct outside *o))
{
    struct outside o;
    struct stop stop;
    int elsewhere[2];
    if (begin(&o)) {
        CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, elsewhere), 0);
        o.node.shared.give_fd = elsewhere[0];
        o.node.shared.take_fd = elsewhere[1];
        send_through(o.shared.give_fd, other(&o));
        CHECK_EQ(give(&o), -ESRCH);
        tracee_wait(o.thread.real, &stop);
        CHECK_EQ(stop.kind, STOP_GONE);
        CHECK_EQ(stop.status, SIGKILL);
        (void)close(elsewhere[0]);
        (void)close(elsewhere[1]);
    }
    end(&o);
}

static int beside_it(const struct outside *o)
{
    return o->other;
}

static int on_another_device(const struct outside *o)
{
    (void)o;
    int fd = open("/proc/version", O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

TEST(another_file)
{
    takes_another(beside_it);
}

TEST(another_device)
{
    takes_another(on_another_device);
}
