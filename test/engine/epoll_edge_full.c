/* calls: epoll_wait write */
/* An edge-triggered writer that fills the window is told when there is room again, as often as it has filled it. */
#include "t.h"

enum { BYTES = 8000000 };
static char b[65536];

static void reader(struct sockaddr_in *a)
{
    int c = socket(AF_INET, SOCK_STREAM, 0);
    long n = 0;
    ssize_t r;
    connect(c, (void *)a, sizeof *a);
    usleep(300000);
    while ((r = read(c, b, sizeof b)) > 0) {
        n += r;
    }
    printf("read all: %d\n", n == BYTES);
    fflush(stdout);
    _exit(0);
}

int main(void)
{
    struct sockaddr_in a = loop(0);
    socklen_t size = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0);
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    getsockname(l, (void *)&a, &size);
    if (fork() == 0) {
        reader(&a);
    }
    int s = accept(l, NULL, NULL), e = epoll_create1(0), waits = 0;
    fcntl(s, F_SETFL, O_NONBLOCK);
    struct epoll_event v = {EPOLLOUT | EPOLLET, {.u32 = 1}}, o;
    epoll_ctl(e, EPOLL_CTL_ADD, s, &v);
    long left = BYTES;
    while (left > 0) {
        if (epoll_wait(e, &o, 1, 10000) != 1) {
            S("no edge");
            break;
        }
        waits++;
        ssize_t w;
        while (left > 0 && (w = write(s, b, left < (long)sizeof b ? (size_t)left : sizeof b)) > 0) {
            left -= w;
        }
    }
    printf("waited more than once: %d, all written: %d\n", waits > 1, left == 0);
    fflush(stdout);
    close(s);
    wait(NULL);
    return 0;
}
