/* rtt serve | rtt HOST: sends three datagrams to a host that sends them back, and says after how many milliseconds each came. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <netinet/in.h>

static long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    char b[16];
    if (argc == 2 && strcmp(argv[1], "serve") == 0) {
        struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)}, from;
        bind(fd, (void *)&me, sizeof me);
        for (;;) {
            socklen_t size = sizeof from;
            ssize_t n = recvfrom(fd, b, sizeof b, 0, (void *)&from, &size);
            sendto(fd, b, (size_t)n, 0, (void *)&from, size);
        }
    }
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *peer = NULL;
    if (getaddrinfo(argv[1], "7000", &hints, &peer) != 0) {
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        long begin = now_ms();
        sendto(fd, "x", 1, 0, peer->ai_addr, peer->ai_addrlen);
        recv(fd, b, sizeof b, 0);
        printf("%ld ms\n", now_ms() - begin);
        fflush(stdout);
    }
    return 0;
}
