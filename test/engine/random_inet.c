/* calls: socket connect read write sendto recvfrom shutdown poll epoll_wait fcntl ioctl getsockopt */
/* Calls on connections within a machine in a random order; nothing of it blocks, and each has arrived before the next. */
#include "random_calls.h"

enum { STEPS = 600 };

static void pair(int type, int two[2])
{
    struct sockaddr_in a[2] = {loop(0), loop(0)};
    socklen_t n = sizeof a[0];
    if (type == SOCK_STREAM) {
        tcp_pair(two);
    } else {
        for (int k = 0; k < 2; k++) {
            two[k] = socket(AF_INET, SOCK_DGRAM, 0);
            bind(two[k], (void *)&a[k], n);
            getsockname(two[k], (void *)&a[k], &n);
        }
        connect(two[0], (void *)&a[1], n);
        connect(two[1], (void *)&a[0], n);
    }
    for (int k = 0; k < 2; k++) {
        int on = 1;
        fcntl(two[k], F_SETFL, O_NONBLOCK);
        setsockopt(two[k], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
}

static void make(void)
{
    int i = (int)pick(FDS), j = (int)pick(FDS), two[2];
    if (i == j) {
        return;
    }
    bool stream = pick(3) != 0;
    pair(stream ? SOCK_STREAM : SOCK_DGRAM, two);
    put(i, two[0], stream ? "tcp" : "udp");
    put(j, two[1], stream ? "tcp" : "udp");
    printf("made %d(%s) %d(%s)\n", i, what[i], j, what[j]);
}

static void run(uint64_t seed)
{
    state = seed;
    watch = epoll_create1(0);
    for (int i = 0; i < FDS; i++) {
        fds[i] = eventfd(0, EFD_NONBLOCK);
        what[i] = "event";
    }
    for (int step = 0; step < STEPS; step++) {
        int i = (int)pick(FDS);
        printf("%llu:%d ", (unsigned long long)seed, step);
        usleep(300);
        switch (pick(14)) {
        case 0: make(); break;
        case 1: watched(i); break;
        case 2: state_of(i); break;
        case 3:
        case 4: waits(); break;
        case 6:
            if (pick(6) == 0) {
                put(i, eventfd(1, EFD_NONBLOCK), "event");
            }
            printf("\n");
            break;
        default: bytes(i); break;
        }
    }
    for (int i = 0; i < FDS; i++) {
        close(fds[i]);
    }
    close(watch);
}

int main(void)
{
    static char all[1 << 16];
    setvbuf(stdout, all, _IOFBF, sizeof all);
    signal(SIGPIPE, SIG_IGN);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run(seed * 104729);
    }
    return 0;
}
