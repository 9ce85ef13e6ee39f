/* A cell of one number on each server, which servers do not tell each other.
 *
 *   cell server              keeps what was written last
 *   cell write HOST NUMBER   says what it does as a history, and when it has been done
 *   cell read HOST           the same; nothing was written: null
 *
 * Clients of two servers have nothing to do with each other, so all orders of them are one trace;
 * but whether the writer had ended before the reader began is what a history is judged by. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

enum { PORT = 7000, NOTHING = 255 };

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(1);
}

/* A request is one byte: NOTHING to read, else the number to write; so is the answer. */
static _Noreturn void serve(void)
{
    unsigned char cell = NOTHING, request = 0;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    if (bind(fd, (struct sockaddr *)&here, sizeof here) != 0 || listen(fd, 8) != 0) {
        give_up("listen");
    }
    for (;;) {
        int client = accept(fd, NULL, NULL);
        if (client < 0 || read(client, &request, 1) != 1) {
            give_up("request");
        }
        cell = request == NOTHING ? cell : request;
        if (write(client, &cell, 1) != 1) {
            give_up("answer");
        }
        close(client);
    }
}

static unsigned char ask(const char *host, unsigned char request)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, NULL, &hints, &found) != 0) {
        give_up(host);
    }
    struct sockaddr_in there = *(struct sockaddr_in *)found->ai_addr;
    there.sin_port = htons(PORT);
    freeaddrinfo(found);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    unsigned char answer = 0;
    if (connect(fd, (struct sockaddr *)&there, sizeof there) != 0 || write(fd, &request, 1) != 1 ||
        read(fd, &answer, 1) != 1) {
        give_up("ask");
    }
    return answer;
}

/* A line of a history. */
static void say(const char *type, const char *what, int number)
{
    char text[16] = "null";
    if (number != NOTHING) {
        snprintf(text, sizeof text, "%d", number);
    }
    printf("{\"process\":0,\"type\":\"%s\",\"f\":\"%s\",\"value\":%s}\n", type, what, text);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "server") == 0) {
        serve();
    }
    if ((argc == 4 && strcmp(argv[1], "write") == 0) ||
        (argc == 3 && strcmp(argv[1], "read") == 0)) {
        int request = argc == 4 ? atoi(argv[3]) : NOTHING;
        say("invoke", argv[1], request);
        say("ok", argv[1], ask(argv[2], (unsigned char)request));
        return 0;
    }
    fprintf(stderr, "usage: see the head of cell.c\n");
    return 2;
}
