/* calls: pipe2 socketpair read write sendto recvfrom shutdown poll epoll_wait eventfd2 fcntl ioctl */
/* Calls on pipes, pairs of sockets, events and what waits for them, in a random order; nothing of it blocks. */
#include "random_calls.h"

enum { STEPS = 2000 };

static void make(void)
{
    int i = (int)pick(FDS), j = (int)pick(FDS), two[2];
    if (i == j) {
        return;
    }
    switch (pick(7)) {
    case 0:
        pipe2(two, O_NONBLOCK);
        put(i, two[0], "reader");
        put(j, two[1], "writer");
        break;
    case 1:
    case 2:
    case 3:
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, two);
        put(i, two[0], "stream");
        put(j, two[1], "stream");
        break;
    case 4:
        socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, two);
        put(i, two[0], "dgram");
        put(j, two[1], "dgram");
        break;
    case 5:
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, two);
        put(i, two[0], "seqpacket");
        put(j, two[1], "seqpacket");
        break;
    default: put(i, eventfd(pick(3), EFD_NONBLOCK | (pick(2) ? EFD_SEMAPHORE : 0)), "event"); break;
    }
    printf("made %d(%s) %d(%s)\n", i, what[i], j, what[j]);
}

static void moved(int i)
{
    int j = (int)pick(FDS);
    if (i != j) {
        printf("to %s: ", what[j]);
        TOLD("splice", i, splice(fds[i], NULL, fds[j], NULL, pick(40) + 1, SPLICE_F_NONBLOCK));
        TOLD("tee", i, tee(fds[i], fds[j], pick(40) + 1, SPLICE_F_NONBLOCK));
    }
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
        switch (pick(14)) {
        case 0: make(); break;
        case 1: watched(i); break;
        case 2: state_of(i); break;
        case 3:
        case 4: waits(); break;
        case 5: moved(i); break;
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
