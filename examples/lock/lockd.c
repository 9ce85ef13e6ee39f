/* lockd NAME WORKER...: a lock server with fencing tokens, by datagrams on port 7000. Messages are
 * text: "ask 0", "release 3" come, "granted 3" and "denied 0" go back. The last token is in the
 * file `token`, so that tokens go on after a restart; who has the lock is forgotten then. */
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

enum { NOBODY = -1, WORKERS = 8 };

struct {
    int owner;      /* number of a worker, or NOBODY */
    unsigned token; /* the last one given */
    int n_workers;
    struct sockaddr_in workers[WORKERS];
} lock = {.owner = NOBODY};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void load_token(void)
{
    FILE *file = fopen("token", "r");
    if (file != NULL) {
        if (fscanf(file, "%u", &lock.token) != 1) {
            die("token");
        }
        fclose(file);
    }
}

/* A new file takes the place of the old one, so that no half of one is ever read. */
static void save_token(void)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%u\n", lock.token);
    int fd = open("token.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, text, (size_t)n) != n) {
        die("token.new");
    }
    close(fd);
    if (rename("token.new", "token") != 0) {
        die("token");
    }
}

static int worker_of(const struct sockaddr_in *from)
{
    for (int i = 0; i < lock.n_workers; i++) {
        if (lock.workers[i].sin_addr.s_addr == from->sin_addr.s_addr) {
            return i;
        }
    }
    return NOBODY;
}

static void answer(int fd, int worker, const char *what, unsigned token)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%s %u", what, token);
    sendto(fd, text, (size_t)n, 0, (struct sockaddr *)&lock.workers[worker],
           sizeof lock.workers[worker]);
}

static void on_ask(int fd, int worker)
{
    if (lock.owner != NOBODY && lock.owner != worker) {
        answer(fd, worker, "denied", 0);
        return;
    }
    lock.owner = worker;
    lock.token++;
    save_token();
    answer(fd, worker, "granted", lock.token);
}

static void on_release(int worker, unsigned token)
{
    if (lock.owner == worker && token == lock.token) {
        lock.owner = NOBODY;
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_port = htons(7000)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (argc < 3 || argc - 2 > WORKERS || bind(fd, (struct sockaddr *)&me, sizeof me) != 0) {
        die("lockd");
    }
    for (; lock.n_workers < argc - 2; lock.n_workers++) {
        struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found = NULL;
        if (getaddrinfo(argv[lock.n_workers + 2], "7000", &hints, &found) != 0) {
            die(argv[lock.n_workers + 2]);
        }
        memcpy(&lock.workers[lock.n_workers], found->ai_addr, sizeof me);
        freeaddrinfo(found);
    }
    load_token();
    printf("lockd: the last token was %u\n", lock.token);
    fflush(stdout);
    for (;;) {
        char text[64], word[16];
        unsigned token = 0;
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        ssize_t n = recvfrom(fd, text, sizeof text - 1, 0, (struct sockaddr *)&from, &size);
        int worker = n > 0 ? worker_of(&from) : NOBODY;
        text[n > 0 ? n : 0] = '\0';
        if (worker == NOBODY || sscanf(text, "%15s %u", word, &token) != 2) {
            continue;
        }
        if (strcmp(word, "ask") == 0) {
            on_ask(fd, worker);
        } else if (strcmp(word, "release") == 0) {
            on_release(worker, token);
        }
    }
}
