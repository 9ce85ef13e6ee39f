/* udping SELF PEER: every 100 ms a datagram with the next number to the peer; the largest number
 * received is kept. With UDPING_WIDE fields of many kinds follow the number. */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

struct {
    unsigned sent, largest;
} self;

static long now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The number, and with UDPING_WIDE its negatives in all widths and both orders, a sequence, texts. */
static size_t packet(unsigned char *b, unsigned n)
{
    size_t at = 0;
    b[at++] = (unsigned char)n;
    if (getenv("UDPING_WIDE") == NULL) {
        return at;
    }
    long long wide[4] = {-(long long)n, -300 - (long long)n, -70000 - (long long)n, -5000000000 - (long long)n};
    for (int i = 0; i < 4; i++) {
        for (int big = 0; big < 2; big++) {
            for (int k = 0, size = 1 << i; k < size; k++) {
                b[at++] = (unsigned char)(wide[i] >> 8 * (big ? size - 1 - k : k));
            }
        }
    }
    memcpy(b + at, "\2\1\0\377\377ok\0\0?", 10);
    memcpy(b + at + 10, "tail", 4);
    return at + 14;
}

int main(int argc, char **argv)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *peer = NULL;
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (argc < 3 || bind(fd, (struct sockaddr *)&me, sizeof me) != 0 ||
        getaddrinfo(argv[2], "7000", &hints, &peer) != 0) {
        return 1;
    }
    for (long next = now_ms() + 100;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        long left = next - now_ms();
        if (poll(&wait, 1, left > 0 ? (int)left : 0) > 0) {
            unsigned char b[64];
            if (recv(fd, b, sizeof b, 0) >= 1 && b[0] > self.largest) {
                self.largest = b[0];
            }
        }
        if (now_ms() >= next) {
            unsigned char b[64];
            sendto(fd, b, packet(b, ++self.sent), 0, peer->ai_addr, peer->ai_addrlen);
            next = now_ms() + 100;
        }
    }
}
