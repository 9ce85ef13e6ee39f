/* Measures what lasting faults do to it, ten times a second:
 *
 *     lasting server             answers each line with its length
 *     lasting ask HOST [BYTES]   how long an answer takes
 *     lasting disk               how long a sync takes
 *     lasting memory             whether 32 MB can be had
 *     lasting touched            the same, of a program that reserves much more than it uses
 *     lasting executed           the same, after such a program has executed this one
 *     lasting child              how its child ended
 *     lasting clock              how far the realtime clock has moved against the monotonic one */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PORT = 7000, EVERY_MS = 100 };

static int turns; /* of the loop in main */

static long long now_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static int server(void)
{
    int one = 1, l = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(l, (struct sockaddr *)&a, sizeof a) != 0 || listen(l, 5) != 0) {
        return 1;
    }
    for (;;) {
        int c = accept(l, NULL, NULL);
        char buf[4096];
        ssize_t n;
        while ((n = read(c, buf, sizeof buf)) > 0) {
            if (buf[n - 1] == '\n' && write(c, ".", 1) != 1) {
                break;
            }
        }
        close(c);
    }
}

static int ask(const char *host, size_t bytes)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct hostent *h = gethostbyname(host);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    char *line = malloc(bytes), c;
    memcpy(&a.sin_addr, h->h_addr, 4);
    memset(line, 'x', bytes);
    line[bytes - 1] = '\n';
    if (connect(s, (struct sockaddr *)&a, sizeof a) != 0) {
        return 1;
    }
    for (;;) {
        long long begin = now_ms(CLOCK_MONOTONIC);
        if (write(s, line, bytes) != (ssize_t)bytes || read(s, &c, 1) != 1) {
            return 1;
        }
        printf("answer after %lld ms\n", now_ms(CLOCK_MONOTONIC) - begin);
        usleep(EVERY_MS * 1000);
    }
}

static void disk(void)
{
    int fd = open("file", O_RDWR | O_CREAT, 0644);
    long long begin = now_ms(CLOCK_MONOTONIC);
    if (write(fd, "x", 1) != 1 || fsync(fd) != 0) {
        exit(1);
    }
    printf("synced after %lld ms\n", now_ms(CLOCK_MONOTONIC) - begin);
    close(fd);
}

static void memory(void)
{
    char *p = malloc(32 << 20);
    printf("32 MB: %s\n", p != NULL ? "yes" : "no");
    free(p);
}

static void child(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        for (;;) {
            pause();
        }
    }
    waitpid(pid, &status, 0);
    printf("child ended by signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

static void clock_moves(void)
{
    static long long before;
    long long ahead = now_ms(CLOCK_REALTIME) - now_ms(CLOCK_MONOTONIC);
    if (before != 0 && llabs(ahead - before) > 5) {
        printf("moved by %lld ms\n", ahead - before);
    }
    before = ahead;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(what, "server") == 0) {
        return server();
    }
    if (strcmp(what, "ask") == 0) {
        return ask(argv[2], argc > 3 ? (size_t)atol(argv[3]) : 2);
    }
    if (strcmp(what, "touched") == 0 || strcmp(what, "executed") == 0) {
        (void)mmap(NULL, (size_t)1 << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (strcmp(what, "executed") == 0) {
            (void)execl(argv[0], argv[0], "memory", NULL);
        }
        what = "memory";
    }
    for (;;) {
        strcmp(what, "disk") == 0     ? disk()
        : strcmp(what, "memory") == 0 ? memory()
        : strcmp(what, "child") == 0  ? child()
                                      : clock_moves();
        turns++;
        usleep(EVERY_MS * 1000);
    }
}
