/* Two-phase commit over connections, as somebody writes it who has not heard of assay, for the tests of a new user's path.
 *
 *     twopc SELF PEER...      c is the coordinator, all others are participants
 *
 * -DEARLY: one vote is enough to commit. -DNOSYNC: the disk is not waited for. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
enum phase { INIT, ASKING, COMMITTED };
enum state { WORKING, PREPARED, DONE };
struct tm_state { enum phase phase; int votes; } coordinator;
struct { enum state state; } participant;
static int is_coordinator, out[4], n_out, in[16], n_in;
static const char *peer[4];
static void dial(int i) {
    struct addrinfo h = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *f = NULL;
    out[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (getaddrinfo(peer[i], "9000", &h, &f) == 0) { (void)connect(out[i], f->ai_addr, f->ai_addrlen); freeaddrinfo(f); }
}
static void say(const char *t) { for (int i = 0; i < n_out; i++) (void)!write(out[i], t, strlen(t)); }
static void save(void) {
    int fd = open("/data/state", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    char c = (char)('0' + participant.state); (void)!write(fd, &c, 1);
#ifndef NOSYNC
    fsync(fd);
#endif
    close(fd);
}
static void handle(const char *l) {
    if (strcmp(l, "PREPARE") == 0) { participant.state = PREPARED; save(); say("YES\n"); }
    else if (strcmp(l, "YES") == 0) { coordinator.votes++; if (coordinator.votes ==
#ifdef EARLY
      1
#else
      n_out
#endif
      ) { coordinator.phase = COMMITTED; say("COMMIT\n"); } }
    else if (strcmp(l, "COMMIT") == 0) { participant.state = DONE; save(); }
}
int main(int argc, char **argv) {
    is_coordinator = strcmp(argv[1], "c") == 0;
    for (int i = 2; i < argc; i++) { peer[n_out] = argv[i]; dial(n_out++); }
    int fd = open("/data/state", O_RDONLY); char ch;
    if (fd >= 0) { if (read(fd, &ch, 1) == 1) participant.state = (enum state)(ch - '0'); close(fd); }
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9000)};
    if (bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 8)) { perror("bind"); return 1; }
    for (int begun = !is_coordinator;;) {
        struct pollfd p[32]; int n = 0;
        p[n++] = (struct pollfd){s, POLLIN, 0};
        for (int i = 0; i < n_out; i++) p[n++] = (struct pollfd){out[i], POLLIN, 0};
        for (int i = 0; i < n_in; i++) p[n++] = (struct pollfd){in[i], POLLIN, 0};
        int r = poll(p, (nfds_t)n, begun ? -1 : 1000);
        if (r == 0 && !begun) { begun = 1; coordinator.phase = ASKING; say("PREPARE\n"); continue; }
        for (int i = 0; i < n_out; i++) if (p[1 + i].revents) { close(out[i]); dial(i); }
        for (int i = 0; i < n_in; i++) if (p[1 + n_out + i].revents) {
            char b[256]; ssize_t k = read(in[i], b, 255);
            if (k <= 0) { close(in[i]); in[i] = in[--n_in]; break; }
            b[k] = 0; for (char *sv = NULL, *l = strtok_r(b, "\n", &sv); l; l = strtok_r(NULL, "\n", &sv)) handle(l);
        }
        if (p[0].revents) { int c = accept(s, NULL, NULL); if (c >= 0) in[n_in++] = c; }
    }
}
