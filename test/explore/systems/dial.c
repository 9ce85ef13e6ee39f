/* Clients that connect when their turn comes, after the search has begun, and a server that adds
 * up what they say, in the order in which it comes. A client is told the sum, and hangs up. */
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

#include "peer.h"

enum { PORT = 7000, CLIENTS_MOST = 4 };

static void client(const char *host, const char *number)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    char sum[16] = "";
    if (getaddrinfo(host, NULL, &hints, &found) != 0) {
        exit(1);
    }
    struct sockaddr_in there = *(struct sockaddr_in *)found->ai_addr;
    there.sin_port = htons(PORT);
    freeaddrinfo(found);
    sleep_until(6);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bool told = connect(fd, (struct sockaddr *)&there, sizeof there) == 0 &&
                send(fd, number, 1, MSG_NOSIGNAL) == 1 && read(fd, sum, sizeof sum - 1) > 0;
    printf("%s\n", told ? sum : "nothing");
    close(fd);
    pause();
}

/* What a client says is answered with the sum so far. */
static void serve(struct pollfd *client, int *sum)
{
    char text[16] = "";
    if (read(client->fd, text, sizeof text - 1) < 1) {
        close(client->fd);
        client->fd = -1;
        return;
    }
    *sum = *sum * 10 + atoi(text);
    int n = snprintf(text, sizeof text, "%d", *sum);
    (void)send(client->fd, text, (size_t)n, MSG_NOSIGNAL); /* who has gone hears nothing */
}

static void server(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct pollfd fds[1 + CLIENTS_MOST];
    nfds_t n = 1;
    int sum = 0;
    fds[0] = (struct pollfd){.fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN};
    if (bind(fds[0].fd, (struct sockaddr *)&here, sizeof here) != 0 || listen(fds[0].fd, 4) != 0) {
        exit(1);
    }
    for (;;) {
        if (poll(fds, n, -1) < 1) {
            exit(1);
        }
        for (nfds_t i = 1; i < n; i++) {
            if (fds[i].fd >= 0 && fds[i].revents != 0) {
                serve(&fds[i], &sum);
            }
        }
        if (fds[0].revents != 0 && n < 1 + CLIENTS_MOST) {
            fds[n++] = (struct pollfd){.fd = accept(fds[0].fd, NULL, NULL), .events = POLLIN};
        }
    }
}

int main(int argc, char **argv)
{
    sleep_until(0); /* the clock of the turns */
    if (argc == 4 && strcmp(argv[1], "client") == 0) {
        client(argv[2], argv[3]);
    } else {
        server();
    }
    return 0;
}
