/* worker NAME SERVER: takes the lock of lockd, holds it for a second, gives it back, and again.
 * While no answer comes it asks every second. */
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

struct {
    enum { IDLE, ASKING, HOLDING } state;
    unsigned mine; /* the token, while it holds the lock */
    unsigned last; /* the largest that it has ever had */
} worker;

static void say(int fd, const char *what, unsigned token)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%s %u", what, token);
    send(fd, text, (size_t)n, 0);
}

static void on_timer(int fd)
{
    if (worker.state == HOLDING) {
        worker.state = IDLE;
        say(fd, "release", worker.mine);
        worker.mine = 0;
    } else {
        worker.state = ASKING;
        say(fd, "ask", 0);
    }
}

static void on_answer(const char *word, unsigned token)
{
    if (worker.state != ASKING) {
        return;
    }
    if (strcmp(word, "granted") == 0 && token > worker.last) {
        worker.state = HOLDING;
        worker.mine = worker.last = token;
    } else if (strcmp(word, "denied") == 0) {
        worker.state = IDLE;
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)};
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *server = NULL;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (argc != 3 || bind(fd, (struct sockaddr *)&me, sizeof me) != 0 ||
        getaddrinfo(argv[2], "7000", &hints, &server) != 0 ||
        connect(fd, server->ai_addr, server->ai_addrlen) != 0) {
        perror("worker");
        return 1;
    }
    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        char text[64], word[16];
        unsigned token = 0;
        if (poll(&wait, 1, 1000) == 0) {
            on_timer(fd);
            continue;
        }
        ssize_t n = recv(fd, text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = '\0';
        if (sscanf(text, "%15s %u", word, &token) == 2) {
            on_answer(word, token);
        }
    }
}
