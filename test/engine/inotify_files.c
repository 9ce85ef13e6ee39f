/* calls: inotify_init inotify_add_watch */
#include "t.h"

int main(void)
{
    char b[1024];
    int f = open("f", O_CREAT | O_RDWR, 0644), i = syscall(SYS_inotify_init);
    R(fcntl(i, F_SETFL, O_NONBLOCK));
    R(inotify_add_watch(i, "f", IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF));
    R(inotify_add_watch(i, "f", IN_MODIFY | IN_ATTRIB));
    write(f, "x", 1);
    chmod("f", 0600);
    long n = read(i, b, sizeof b);
    for (long at = 0; at < n;) {
        struct inotify_event *e = (void *)(b + at);
        printf("%d %x %d\n", e->wd, e->mask, e->len);
        at += sizeof *e + e->len;
    }
    int k = 0;
    R(ioctl(i, FIONREAD, &k));
    R(k);
    R(read(i, b, 3));
    return 0;
}
