/* When bytes arrive over links with a latency, a bandwidth, and with what is done to links. */
#include "../t.h"

static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9 - 1000;
}

static void serve(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7)};
    static char buf[100000];
    int l = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0);
    bind(l, (void *)&a, sizeof a);
    bind(u, (void *)&a, sizeof a);
    listen(l, 5);
    struct pollfd p[3] = {{l, POLLIN}, {u, POLLIN}, {-1, POLLIN}};
    size_t total = 0;
    while (poll(p, 3, 20000) > 0) {
        if (p[0].revents) {
            p[2].fd = accept(l, NULL, NULL);
            printf("%.3f accepted\n", now());
        }
        if (p[1].revents) {
            ssize_t n = recv(u, buf, sizeof buf, 0);
            printf("%.3f datagram %zd\n", now(), n);
        }
        if (p[2].fd >= 0 && p[2].revents) {
            ssize_t n = recv(p[2].fd, buf, sizeof buf, 0);
            total += n > 0 ? (size_t)n : 0;
            printf("%.3f received %zd of %zu\n", now(), n, total);
            if (n <= 0) {
                close(p[2].fd);
                p[2].fd = -1;
            }
        }
        fflush(stdout);
    }
}

static void ask(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7)};
    static char buf[40000];
    inet_pton(AF_INET, "10.0.0.1", &a.sin_addr);
    int fd = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    usleep(100000);
    printf("%.3f connect %d\n", now(), connect(fd, (void *)&a, sizeof a));
    for (int second = 1; second <= 9; second++) {
        while (now() < second) {
            usleep((useconds_t)((second - now()) * 1e6) + 1);
        }
        printf("%.3f sends\n", now());
        fflush(stdout);
        sendto(u, buf, 500, 0, (void *)&a, sizeof a);
        send(fd, buf, 1000, 0);
        send(fd, buf, 20000, 0);
        sendto(u, buf, 100, 0, (void *)&a, sizeof a);
    }
    close(fd);
}

int main(int argc, char **argv)
{
    argc > 1 ? ask() : serve();
    return 0;
}
