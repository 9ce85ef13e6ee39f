/* calls: inotify_init1 inotify_add_watch inotify_rm_watch */
#include "t.h"

int main(void)
{
    char b[4096];
    mkdir("d", 0755);
    int i = inotify_init1(IN_NONBLOCK);
    int w = inotify_add_watch(i, "d", IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE);
    R(w);
    R(read(i, b, sizeof b));
    int f = open("d/x", O_CREAT | O_WRONLY, 0644);
    write(f, "a", 1);
    close(f);
    rename("d/x", "d/y");
    unlink("d/y");
    mkdir("d/s", 0755);
    long n = read(i, b, sizeof b);
    uint32_t cookie = 0;
    for (long at = 0; at < n;) {
        struct inotify_event *e = (void *)(b + at);
        printf("%d %x %s %d\n", e->wd, e->mask, e->len ? e->name : "", e->len);
        at += sizeof *e + e->len;
    }
    R(inotify_rm_watch(i, w));
    R(read(i, b, sizeof b));
    R(inotify_rm_watch(i, w));
    R(inotify_add_watch(i, "nope", IN_CREATE));
    R(inotify_add_watch(1, "d", IN_CREATE));
    R(inotify_init1(99));
    R(syscall(SYS_inotify_init) > 0);
    return 0;
}
