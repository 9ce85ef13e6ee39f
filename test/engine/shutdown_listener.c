/* calls: shutdown accept listen */
#include "t.h"

static void *acceptor(void *arg)
{
    return (void *)(long)(accept(*(int *)arg, NULL, NULL) < 0 ? errno : 0);
}

static void events(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT | POLLRDHUP};
    poll(&p, 1, 0);
    printf("revents %#x\n", p.revents);
    fflush(stdout);
}

static void tcp(int how)
{
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    char c;
    int l = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM, 0);
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    getsockname(l, (void *)&a, &n);
    R(connect(s, (void *)&a, sizeof a)); /* not accepted yet */
    R(shutdown(l, how));
    events(l);
    fcntl(l, F_SETFL, O_NONBLOCK);
    R(accept(l, NULL, NULL) >= 0);
    if (how != SHUT_WR) {
        R(accept(l, NULL, NULL));
        R(read(s, &c, 1));
        int t = socket(AF_INET, SOCK_STREAM, 0);
        R(connect(t, (void *)&a, sizeof a));
        R(listen(l, 5)); /* at another port: the first one was chosen for it */
        R(connect(t, (void *)&a, sizeof a));
        n = sizeof a;
        getsockname(l, (void *)&a, &n);
        R(connect(t, (void *)&a, sizeof a));
        R(accept(l, NULL, NULL) >= 0);
        close(t);
    }
    close(s);
    close(l);
}

int main(void)
{
    int none = socket(AF_INET, SOCK_STREAM, 0);
    R(shutdown(none, SHUT_RD));
    tcp(SHUT_RD);
    tcp(SHUT_WR);
    tcp(SHUT_RDWR);
    struct sockaddr_un u = {.sun_family = AF_UNIX, .sun_path = "s"};
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(l, (void *)&u, sizeof u);
    listen(l, 5);
    R(connect(c, (void *)&u, sizeof u));
    R(shutdown(l, SHUT_RDWR));
    events(l);
    R(accept(l, NULL, NULL) >= 0);
    R(accept(l, NULL, NULL));
    int d = socket(AF_UNIX, SOCK_STREAM, 0);
    R(connect(d, (void *)&u, sizeof u));
    /* A thread that waits is woken. */
    struct sockaddr_in a = loop(0);
    pthread_t t;
    l = socket(AF_INET, SOCK_STREAM, 0);
    bind(l, (void *)&a, sizeof a);
    listen(l, 5);
    pthread_create(&t, NULL, acceptor, &l);
    usleep(200000); /* whether it waits by then or not, it is told */
    R(shutdown(l, SHUT_RD));
    void *error;
    pthread_join(t, &error);
    R((long)error == EINVAL);
    return 0;
}
