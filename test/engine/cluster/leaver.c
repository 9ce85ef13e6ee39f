/* leaver HOST: begins to connect to a host that does not answer, and closes the socket: at once, while it waits, after it gave up. */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *peer = NULL;
    if (argc < 2 || getaddrinfo(argv[1], "7000", &hints, &peer) != 0) {
        return 1;
    }
    for (int i = 0; i < 6; i++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        int r = connect(fd, peer->ai_addr, peer->ai_addrlen);
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        printf("%d %d\n", r, poll(&p, 1, i * 300));
        fflush(stdout);
        close(fd);
        usleep(700000);
    }
    sleep(200);
    printf("gone\n");
    return 0;
}
