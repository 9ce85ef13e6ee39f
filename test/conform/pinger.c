/* Two or three nodes that send each other numbers, for the tests of conform and confirm.
 *
 *     pinger SELF PEER...      SELF and PEERs are host names; port 7000
 *
 * Every 100 ms a node sends "PING n\n" to all its peers, n counting up. What it received last it
 * keeps in memory, prints, and writes to /data/seen. "ADD v\n" from a client adds to a total, which
 * is on disk and is answered; "SHOW\n" shows everything. One thread; every node sends on the
 * connections that it made, and makes them again at once when they break.
 *
 * PINGER_BUG chooses a defect: skip (every third number is skipped), forget (the total is not
 * synced), mute (nothing is sent), exit, abort, spin, flood, fork. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/socket.h>

enum mood { CALM, BUSY };
enum { PEERS = 8, CLIENTS = 16 };

struct peer {
    const char *name;
    int fd;
    int up;
};
struct state {
    const char *name;
    unsigned sent, total, n_history;
    int seen; /* -1: nothing yet */
    enum mood mood;
    unsigned history[64];
    struct peer peers[PEERS];
    int n_peers;
};
static struct state self = {.seen = -1};
/* What only `conform --explain` reads: a name for nothing, a list without a length. */
typedef void anything;
struct tail {
    unsigned n, items[];
};
static struct tail tail = {2, {7, 8}};
static volatile struct {
    anything *state;
    struct tail *tail;
} any = {&self, &tail};
static const char *bug = "";

static void dial(struct peer *p)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    p->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    p->up = 0;
    if (getaddrinfo(p->name, "7000", &hints, &found) == 0) {
        (void)connect(p->fd, found->ai_addr, found->ai_addrlen);
        freeaddrinfo(found);
    }
}

static void save(const char *path, const char *text, int sync)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    (void)!write(fd, text, strlen(text));
    if (sync) {
        fsync(fd);
    }
    close(fd);
}

static unsigned load(const char *path)
{
    char text[32] = "0";
    int fd = open(path, O_RDONLY);
    if (fd >= 0) {
        ssize_t n = read(fd, text, sizeof text - 1);
        text[n > 0 ? n : 0] = '\0';
        close(fd);
    }
    return (unsigned)atoi(text);
}

static void misbehave(void)
{
    if (strcmp(bug, "exit") == 0) {
        exit(3);
    } else if (strcmp(bug, "abort") == 0) {
        fprintf(stderr, "pinger.c:1: main: Assertion `self.sent < 3' failed.\n");
        abort();
    } else if (strcmp(bug, "spin") == 0) {
        for (volatile unsigned long i = 0;; i++) {
        }
    } else if (strcmp(bug, "flood") == 0) {
        for (;;) {
            printf("flood flood flood flood flood flood flood flood flood flood flood flood\n");
        }
    } else if (strcmp(bug, "fork") == 0) {
        if (fork() == 0) {
            printf("child of %u\n", self.sent);
            _exit(0);
        }
    }
}

static void ping(void)
{
    self.sent++;
    if (self.sent >= 3) {
        misbehave();
    }
    if (strcmp(bug, "skip") == 0 && self.sent % 3 == 0) {
        self.sent++;
    }
    for (int i = 0; i < self.n_peers; i++) {
        if (self.peers[i].up && strcmp(bug, "mute") != 0) {
            dprintf(self.peers[i].fd, "PING %u\n", self.sent);
        }
    }
    printf("sent %u\n", self.sent);
    if (strcmp(bug, "wordy") == 0) {
        printf("nobody reads this\n");
    }
}

static void handle(int fd, char *line)
{
    char text[64];
    if (strncmp(line, "PING ", 5) == 0) {
        self.seen = atoi(line + 5);
        self.history[self.n_history++ % 64] = (unsigned)self.seen;
        self.mood = BUSY;
        snprintf(text, sizeof text, "seen %d\n", self.seen);
        save("/data/seen", text, 1);
        printf("%s: seen %d\n", self.name, self.seen);
    } else if (strncmp(line, "ADD ", 4) == 0) {
        self.total += (unsigned)atoi(line + 4);
        snprintf(text, sizeof text, "%u", self.total);
        save("/data/total", text, strcmp(bug, "forget") != 0);
        dprintf(fd, "total %u\n", self.total);
    } else if (strncmp(line, "SHOW", 4) == 0) {
        dprintf(fd, "{\"sent\": %u, \"total\": %u}\n", self.sent, self.total);
    } else if (strncmp(line, "GET /total ", 11) == 0) {
        int n = snprintf(text, sizeof text, "%u\n", self.total);
        dprintf(fd, "HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%s", n, text);
    } else if (strncmp(line, "HANG", 4) == 0) {
        printf("no answer\n");
    }
}

/* Messages are short and written whole: a read never ends within a line. */
static int receive(int fd)
{
    char text[512];
    ssize_t n = read(fd, text, sizeof text - 1);
    if (n <= 0) {
        return n < 0 && errno == EAGAIN ? 0 : -1;
    }
    text[n] = '\0';
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        handle(fd, line);
    }
    return 0;
}

static long now_ms(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int listen_on(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons(7000)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&addr, sizeof addr) != 0 || listen(fd, 16) != 0) {
        perror("bind");
        exit(1);
    }
    return fd;
}

static void serve(struct pollfd *fds, int clients)
{
    for (int i = 0; i < self.n_peers; i++) {
        struct peer *p = &self.peers[i];
        if (fds[1 + i].revents & (POLLERR | POLLHUP | POLLIN)) {
            close(p->fd);
            dial(p);
        } else if (fds[1 + i].revents & POLLOUT) {
            p->up = 1;
        }
    }
    for (int i = 0; i < clients; i++) {
        struct pollfd *f = &fds[1 + self.n_peers + i];
        if (f->revents != 0 && receive(f->fd) != 0) {
            close(f->fd);
            f->fd = -1;
        }
    }
}

int main(int argc, char **argv)
{
    int clients[CLIENTS], n_clients = 0, server = listen_on();
    setvbuf(stdout, NULL, _IOLBF, 0);
    bug = getenv("PINGER_BUG") != NULL ? getenv("PINGER_BUG") : "";
    self.name = argv[1];
    self.total = load("/data/total");
    for (int i = 2; i < argc; i++) {
        self.peers[self.n_peers] = (struct peer){.name = argv[i]};
        dial(&self.peers[self.n_peers++]);
    }
    long next = now_ms() + 100;
    for (;;) {
        struct pollfd fds[1 + PEERS + CLIENTS];
        fds[0] = (struct pollfd){.fd = server, .events = POLLIN};
        for (int i = 0; i < self.n_peers; i++) {
            fds[1 + i] =
                (struct pollfd){.fd = self.peers[i].fd,
                                .events = (short)(POLLIN | (self.peers[i].up ? 0 : POLLOUT))};
        }
        for (int i = 0; i < n_clients; i++) {
            fds[1 + self.n_peers + i] = (struct pollfd){.fd = clients[i], .events = POLLIN};
        }
        long left = next - now_ms();
        poll(fds, (nfds_t)(1 + self.n_peers + n_clients), left > 0 ? (int)left : 0);
        if (now_ms() >= next) {
            ping();
            next = now_ms() + 100;
        }
        serve(fds, n_clients);
        int kept = 0;
        for (int i = 0; i < n_clients; i++) {
            if (fds[1 + self.n_peers + i].fd >= 0) {
                clients[kept++] = clients[i];
            }
        }
        n_clients = kept;
        int fd = n_clients < CLIENTS ? accept(server, NULL, NULL) : -1;
        if (fd >= 0) {
            fcntl(fd, F_SETFL, O_NONBLOCK);
            clients[n_clients++] = fd;
        }
    }
}
