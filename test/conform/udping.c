/* udping SELF PEER: every 100 ms a datagram with the next number to the peer; the largest number
 * received is kept. */
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
            unsigned char n = 0;
            if (recv(fd, &n, 1, 0) == 1 && n > self.largest) {
                self.largest = n;
            }
        }
        if (now_ms() >= next) {
            unsigned char n = (unsigned char)++self.sent;
            sendto(fd, &n, 1, 0, peer->ai_addr, peer->ai_addrlen);
            next = now_ms() + 100;
        }
    }
}
