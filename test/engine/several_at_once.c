/* calls: inotify_init1 inotify_add_watch io_setup io_submit io_getevents io_destroy */
/* More than one of a kind in a process: what belongs to one is not the other's, and stays when the other goes. */
#include "t.h"

#include <linux/aio_abi.h>

static void events_of(const char *name, int fd)
{
    char b[4096];
    long n = read(fd, b, sizeof b);
    printf("%s:", name);
    for (long at = 0; at < n;) {
        struct inotify_event *e = (void *)(b + at);
        printf(" %d %x %s;", e->wd, e->mask, e->len ? e->name : "");
        at += sizeof *e + e->len;
    }
    printf("%s\n", n < 0 ? " nothing" : "");
    fflush(stdout);
}

static void watches(void)
{
    mkdir("d", 0755);
    mkdir("e", 0755);
    int a = inotify_init1(IN_NONBLOCK), b = inotify_init1(IN_NONBLOCK), c = inotify_init1(IN_NONBLOCK);
    inotify_add_watch(a, "d", IN_CREATE | IN_DELETE);
    inotify_add_watch(b, "d", IN_CREATE);
    inotify_add_watch(b, "e", IN_DELETE);
    inotify_add_watch(c, "e", IN_CREATE);
    close(open("d/x", O_CREAT | O_WRONLY, 0644));
    close(open("e/y", O_CREAT | O_WRONLY, 0644));
    events_of("a", a);
    close(b);
    unlink("d/x");
    unlink("e/y");
    close(open("e/z", O_CREAT | O_WRONLY, 0644));
    events_of("a", a);
    events_of("c", c);
    close(c);
    close(open("d/w", O_CREAT | O_WRONLY, 0644));
    events_of("a", a);
    close(a);
}

static void contexts(void)
{
    aio_context_t c[3] = {0};
    char b[16] = {0};
    int f = open("f", O_CREAT | O_RDWR, 0644);
    struct iocb w = {.aio_fildes = f, .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uintptr_t) "hello", .aio_nbytes = 5, .aio_data = 1};
    struct iocb r = {.aio_fildes = f, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)b, .aio_nbytes = 16, .aio_data = 2};
    struct iocb *l[1] = {&w};
    struct io_event ev[4];
    struct timespec z = {0, 0};
    for (int i = 0; i < 3; i++) {
        R(syscall(SYS_io_setup, 8, &c[i]));
    }
    R(syscall(SYS_io_submit, c[0], 1, l));
    l[0] = &r;
    R(syscall(SYS_io_submit, c[1], 1, l));
    R(syscall(SYS_io_getevents, c[2], 0, 4, ev, &z));
    R(syscall(SYS_io_getevents, c[1], 1, 4, ev, NULL));
    R(ev[0].data);
    R(syscall(SYS_io_destroy, c[1]));
    R(syscall(SYS_io_getevents, c[0], 1, 4, ev, NULL));
    R(ev[0].data);
    R(syscall(SYS_io_destroy, c[0]));
    R(syscall(SYS_io_submit, c[2], 1, l));
    R(syscall(SYS_io_getevents, c[2], 1, 4, ev, NULL));
    R(syscall(SYS_io_destroy, c[2]));
    R(syscall(SYS_io_destroy, c[2]));
}

int main(void)
{
    watches();
    contexts();
    return 0;
}
