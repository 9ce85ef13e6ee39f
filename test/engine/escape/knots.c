/* expect: ok held */
/* limits: busy_calls = 3000000 */
/* ways: tree epoll epoll-ring sockets links moves */
/* Objects that contain themselves, or each other, or are nested deeper than anybody would: whoever follows them must come to an end. */
#include "escape.h"

#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Directories, nested by moving long chains to the ends of others. */
static int tree(void)
{
    char end[4000];
    mkdir("/data/0", 0755);
    for (int k = 1; k <= 500; k++) {
        char top[64], bottom[64];
        snprintf(top, sizeof top, "/data/%d", k);
        snprintf(end, sizeof end, "%s", top);
        mkdir(end, 0755);
        for (int i = 0; i < 250; i++) {
            strcat(end, "/d");
            if (mkdir(end, 0755) != 0) {
                printf("mkdir %d: %s\n", i, strerror(errno));
                return 1;
            }
        }
        snprintf(bottom, sizeof bottom, "/data/%d", k - 1);
        strcat(end, "/x");
        if (rename(bottom, end) != 0) {
            break;
        }
    }
    return 0;
}

static int epoll_chain(bool ring)
{
    int last = -1, first = -1;
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT};
    for (int i = 0; i < 1000; i++) {
        int e = epoll_create1(0);
        first = i == 0 ? e : first;
        if (last >= 0 && epoll_ctl(e, EPOLL_CTL_ADD, last, &event) != 0) {
            break;
        }
        last = e;
    }
    int self = epoll_ctl(last, EPOLL_CTL_ADD, last, &event) == 0;
    int round = ring && epoll_ctl(first, EPOLL_CTL_ADD, last, &event) == 0;
    int p[2];
    pipe(p);
    epoll_ctl(first, EPOLL_CTL_ADD, p[0], &event);
    write(p[1], "x", 1);
    epoll_wait(last, &event, 1, 0);
    return self + round;
}

/* Sockets that are on their way inside each other. */
static int sockets(void)
{
    int last = -1;
    for (int i = 0; i < 60000; i++) {
        int s[2];
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s) != 0) {
            return 1;
        }
        char space[CMSG_SPACE(sizeof(int))] = {0};
        struct iovec v = {"x", 1};
        struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof(int));
        int carried = last >= 0 ? last : s[1];
        memcpy(CMSG_DATA(c), &carried, sizeof carried);
        if (sendmsg(s[0], &m, MSG_DONTWAIT) < 0) {
            break;
        }
        close(s[0]);
        if (last >= 0) {
            close(last);
        }
        last = s[1];
    }
    close(last);
    return 0;
}

static int links(void)
{
    char a[32], b[32];
    int out = 0;
    for (int i = 0; i < 500; i++) {
        snprintf(a, sizeof a, "/data/l%d", i);
        snprintf(b, sizeof b, "/data/l%d/l%d", (i + 1) % 500, (i + 2) % 500);
        symlink(b, a);
    }
    out += open("/data/l0", O_RDONLY) >= 0;
    out += symlink("/data/self", "/data/self") == 0 && open("/data/self", O_RDONLY) >= 0;
    out += link("/data", "/data/hard") == 0;
    return out;
}

/* A directory into itself, and away from under somebody. */
static int moves(void)
{
    mkdir("/data/a", 0755), mkdir("/data/a/b", 0755), mkdir("/data/a/b/c", 0755);
    int out = 0;
    out += rename("/data/a", "/data/a/b/c/a") == 0 ? 1 : 0;
    out += rename("/data/a", "/data/a") == 0 ? 0 : 10;
    chdir("/data/a/b/c");
    out += rename("/data/a", "/data/z") == 0 ? 0 : 100;
    rmdir("/data/z/b/c");
    open("x", O_CREAT | O_RDWR, 0644);
    out += rename("/data", "/data/z/data") == 0 ? 1000 : 0;
    return out;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    int out = is("tree")         ? tree()
              : is("epoll")      ? epoll_chain(false)
              : is("epoll-ring") ? epoll_chain(true)
              : is("sockets")    ? sockets()
              : is("links")      ? links()
                                 : moves();
    return verdict(out);
}
