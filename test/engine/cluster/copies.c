/* A register with a copy, and clients that tell what they saw, as a history.
 *
 *     copies server [COPY [lazy]]     port 7000; a write goes to COPY, too: before it is answered, or (lazy) whenever
 *     copies client SERVER OP...      OP: a number is written, r is read, +N waits N ms
 *
 * Datagrams: "w5", "r"; answers: the value. A client that has waited for a second does not know. */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

static struct sockaddr_in address_of(const char *name)
{
    struct addrinfo *found, hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
    if (getaddrinfo(name, "7000", &hints, &found) != 0) {
        exit(2);
    }
    return *(struct sockaddr_in *)found->ai_addr;
}

static int udp(int port)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof any) != 0) {
        exit(2);
    }
    return fd;
}

/* Sends and waits for the answer; the number of its bytes, or 0. */
static int ask(int fd, struct sockaddr_in to, const char *text, char *answer)
{
    sendto(fd, text, strlen(text), 0, (struct sockaddr *)&to, sizeof to);
    struct pollfd wait = {fd, POLLIN, 0};
    if (poll(&wait, 1, 1000) != 1) {
        return 0;
    }
    ssize_t n = recv(fd, answer, 20, 0);
    answer[n > 0 ? n : 0] = 0;
    return n > 0;
}

static void serve(const char *copy, int lazy)
{
    int fd = udp(7000), side = udp(7001);
    char value[21] = "null", text[21], answer[21];
    for (;;) {
        struct sockaddr_in from;
        socklen_t len = sizeof from;
        ssize_t n = recvfrom(fd, text, 20, 0, (struct sockaddr *)&from, &len);
        text[n > 0 ? n : 0] = 0;
        if (text[0] == 'w') {
            struct sockaddr_in to = copy ? address_of(copy) : from;
            if (copy && lazy) {
                sendto(side, text, strlen(text), 0, (struct sockaddr *)&to, sizeof to);
            } else if (copy && !ask(side, to, text, answer)) {
                continue; /* no copy, no answer */
            }
            strcpy(value, text + 1);
        }
        sendto(fd, value, strlen(value), 0, (struct sockaddr *)&from, len);
    }
}

static void event(const char *type, const char *op, const char *value)
{
    printf("{\"type\":\"%s\",\"f\":\"%s\",\"value\":%s}\n", type, op[0] == 'r' ? "read" : "write", value);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "server") == 0) {
        serve(argc > 2 ? argv[2] : NULL, argc > 3);
    }
    if (argc < 3) {
        return 2;
    }
    int fd = udp(0);
    for (int i = 3; i < argc; i++) {
        char text[30], answer[21];
        if (argv[i][0] == '+') {
            usleep(1000 * atoi(argv[i]));
            continue;
        }
        int read = argv[i][0] == 'r';
        event("invoke", argv[i], read ? "null" : argv[i]);
        snprintf(text, sizeof text, read ? "r" : "w%s", argv[i]);
        if (!ask(fd, address_of(argv[2]), text, answer)) {
            event("info", argv[i], "null");
            break; /* it could end at any time: this process does nothing more */
        }
        event("ok", argv[i], answer);
    }
    return 0;
}
