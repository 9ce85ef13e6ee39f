/* calls: listen connect */
#include "t.h"

/* A listener holds one connection more than its backlog; the next ones get no answer, and ask again. */
static void try(int backlog)
{
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0), c[8], made = 0;
    struct pollfd p[8];
    bind(l, (void *)&a, sizeof a);
    listen(l, backlog);
    getsockname(l, (void *)&a, &n);
    for (int i = 0; i < 8; i++) {
        c[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(c[i], (void *)&a, sizeof a);
        p[i] = (struct pollfd){.fd = c[i], .events = POLLOUT};
    }
    poll(p, 8, 0);
    for (int i = 0; i < 8; i++) {
        made += p[i].revents == POLLOUT;
        printf("%d%c", p[i].revents, i < 7 ? ' ' : '\n');
    }
    printf("backlog %d: %d made\n", backlog, made);
    fflush(stdout);
    if (made < 8) {
        struct pollfd waits = p[made];
        waits.revents = 0;
        for (int i = made + 1; i < 8; i++) {
            close(c[i]);
        }
        R(poll(&waits, 1, 100));
        R(accept(l, NULL, NULL) >= 0);
        R(poll(&waits, 1, 20000));
        printf("%d\n", waits.revents);
    }
}

int main(void)
{
    try(0);
    try(1);
    try(3);
    try(20);
    struct sockaddr_un u = {.sun_family = AF_UNIX, .sun_path = "s"};
    int l = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(l, (void *)&u, sizeof u);
    listen(l, 1);
    for (int i = 0; i < 4; i++) {
        int c = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        R(connect(c, (void *)&u, sizeof u));
    }
    return 0;
}
