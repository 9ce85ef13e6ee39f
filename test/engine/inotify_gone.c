/* calls: inotify_add_watch rmdir unlink renameat2 */
#include "t.h"

static int in;

static void events(const char *what)
{
    char b[4096];
    printf("%s\n", what);
    long n = read(in, b, sizeof b);
    for (long at = 0; at < n;) {
        struct inotify_event *e = (void *)(b + at);
        printf("  %d %x %s\n", e->wd, e->mask, e->len ? e->name : "");
        at += sizeof *e + e->len;
    }
    fflush(stdout);
}

int main(void)
{
    in = inotify_init1(IN_NONBLOCK);
    mkdir("d", 0755);
    mkdir("d/e", 0755);
    R(inotify_add_watch(in, "d", IN_ALL_EVENTS & ~(IN_OPEN | IN_CLOSE | IN_ACCESS)));
    R(inotify_add_watch(in, "d/e", IN_ALL_EVENTS));
    R(rmdir("d/e"));
    events("rmdir");
    R(inotify_rm_watch(in, 2));
    int f = open("d/f", O_CREAT | O_WRONLY, 0644);
    R(inotify_add_watch(in, "d/f", IN_ALL_EVENTS));
    link("d/f", "d/g");
    events("link");
    unlink("d/g");
    events("unlink one name");
    unlink("d/f");
    events("unlink the other");
    close(f);
    events("close");
    f = open("d/x", O_CREAT | O_WRONLY, 0644);
    close(f);
    close(open("d/y", O_CREAT | O_WRONLY, 0644));
    events("two files");
    R(inotify_add_watch(in, "d/x", IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB));
    R(inotify_add_watch(in, "d/y", IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB));
    rename("d/x", "d/y");
    events("rename over");
    R(inotify_add_watch(in, "d", IN_ONESHOT | IN_CREATE));
    mkdir("d/one", 0755);
    mkdir("d/two", 0755);
    events("once");
    return 0;
}
