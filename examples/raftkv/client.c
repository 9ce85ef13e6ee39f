/* The client.
 *
 *     raftkv-client SERVERS put KEY VALUE    writes
 *     raftkv-client SERVERS get KEY          reads
 *     raftkv-client SERVERS check KEY N      N writes and reads, each read compared with the writes
 *
 *     raftkv-client SERVERS read KEY N       N reads, as a history (docs/HISTORIES.md)
 *     raftkv-client SERVERS write KEY N FROM N writes, of FROM and so on, the same, but more seldom
 *
 * SERVERS is HOST:PORT, or several of them with commas in between. With one, a request is sent
 * once. With several it goes from one to the next until a leader has taken it.
 *
 * Prints "ok REVISION", "value VALUE REVISION" or "none 0". Status: 0 done, 1 no such key, 2 nobody
 * took the request, 3 the outcome of a write is unknown, 4 a read was wrong, 64 usage. */
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/socket.h>

#include "raftkv.h"

enum { SERVERS_MAX = 9, TRIES = 400, PAUSE_MS = 50, WRITE_PAUSES = 20, USAGE = 64 };
enum { REFUSED = 2, LOST = 3, WRONG = 4 };

struct client {
    char *servers[SERVERS_MAX];
    int n, at;
};

static int connect_to(const char *server)
{
    struct sockaddr_in addr;
    address_find(server, &addr);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&addr, sizeof addr) != 0) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

/* Sends the request to one server and waits for the answer. What was sent and not answered may
 * have been done. */
static enum outcome ask(const char *server, const struct message *request, struct message *reply)
{
    uint8_t bytes[WIRE_MAX];
    size_t n = wire_put(request, bytes), have = 0;
    int fd = connect_to(server);
    if (fd < 0) {
        return NOT_LEADER;
    }
    int used = 0;
    if (send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n) {
        while (used == 0 && have < sizeof bytes) {
            ssize_t got = recv(fd, bytes + have, sizeof bytes - have, 0);
            if (got <= 0 && !(got < 0 && errno == EINTR)) {
                break;
            }
            have += got > 0 ? (size_t)got : 0;
            used = wire_get(bytes, have, reply);
        }
    }
    (void)close(fd);
    if (used <= 0 || reply->type != MSG_REPLY || reply->ok > UNKNOWN) {
        return UNKNOWN;
    }
    return (enum outcome)reply->ok;
}

static void wait_a_little(void)
{
    struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    (void)nanosleep(&pause, NULL);
}

/* Goes round the servers. A read whose answer was lost is asked again: it changes nothing. */
static enum outcome request(struct client *c, const struct message *m, struct message *reply)
{
    for (int tries = 0;; tries++) {
        enum outcome outcome = ask(c->servers[c->at], m, reply);
        bool again = outcome == NOT_LEADER || (outcome == UNKNOWN && m->type == MSG_GET);
        if (!again || c->n == 1 || tries >= TRIES) {
            return outcome;
        }
        bool hint = outcome == NOT_LEADER && reply->type == MSG_REPLY && reply->index != 0 &&
                    reply->index <= (uint32_t)c->n && (int)reply->index - 1 != c->at;
        c->at = hint ? (int)reply->index - 1 : (c->at + 1) % c->n;
        *reply = (struct message){0};
        wait_a_little();
    }
}

static enum outcome put(struct client *c, const char *key, const char *value,
                        uint32_t *ret_revision)
{
    struct message m = {.type = MSG_PUT, .count = 1}, reply = {0};
    (void)strncpy(m.entries[0].key, key, TEXT_BYTES);
    (void)strncpy(m.entries[0].value, value, TEXT_BYTES);
    enum outcome outcome = request(c, &m, &reply);
    *ret_revision = reply.index;
    return outcome;
}

static enum outcome get(struct client *c, const char *key, char value[TEXT_BYTES + 1],
                        uint32_t *ret_revision)
{
    struct message m = {.type = MSG_GET, .count = 1}, reply = {0};
    (void)strncpy(m.entries[0].key, key, TEXT_BYTES);
    enum outcome outcome = request(c, &m, &reply);
    *ret_revision = reply.index;
    (void)snprintf(value, TEXT_BYTES + 1, "%.*s", (int)TEXT_BYTES, reply.entries[0].value);
    return outcome;
}

static int status_of(enum outcome outcome)
{
    static const int status[] = {
        [DONE] = 0, [NOT_FOUND] = 1, [NOT_LEADER] = REFUSED, [UNKNOWN] = LOST};
    static const char *const text[] = {
        [NOT_FOUND] = "none 0", [NOT_LEADER] = "refused", [UNKNOWN] = "unknown"};
    if (outcome != DONE) {
        (void)puts(text[outcome]);
    }
    return status[outcome];
}

/* The only writer of a key: writes 1, 2, 3, ... What it reads must be at least the last write that
 * was acknowledged, and at most the last that was tried; and revisions never go back. */
static int check(struct client *c, const char *key, long n)
{
    long acked = 0, done = 0;
    uint32_t newest = 0;
    for (long i = 1; i <= n; i++) {
        char value[TEXT_BYTES + 1];
        uint32_t revision = 0;
        (void)snprintf(value, sizeof value, "%ld", i);
        enum outcome outcome = put(c, key, value, &revision);
        if (outcome == NOT_LEADER) {
            return status_of(outcome);
        }
        acked = outcome == DONE ? i : acked;
        newest = outcome == DONE && revision > newest ? revision : newest;
        outcome = get(c, key, value, &revision);
        if (outcome != DONE && outcome != NOT_FOUND) {
            return status_of(outcome);
        }
        long read = outcome == DONE ? strtol(value, NULL, 10) : 0;
        if (read < acked || read > i || revision < newest) {
            (void)printf("wrong: read %ld at revision %u after writing %ld of %ld at %u\n", read,
                         revision, acked, i, newest);
            return WRONG;
        }
        acked = read;
        newest = revision;
        done++;
        wait_a_little();
    }
    (void)printf("checked %ld\n", done);
    return 0;
}

static void note(long process, const char *type, bool write, const char *key, const char *value)
{
    (void)printf("{\"process\":%ld,\"type\":\"%s\",\"f\":\"%s\",\"key\":\"%s\",\"value\":%s}\n",
                 process, type, write ? "write" : "read", key, value);
    (void)fflush(stdout);
}

/* A write whose outcome is unknown may happen at any time: nobody hears of its process again. */
static int history(struct client *c, const char *key, long n, const char *from)
{
    bool write = from != NULL;
    long process = 0, first = write ? strtol(from, NULL, 10) : 0;
    for (long i = first; i < first + n; i++) {
        char value[TEXT_BYTES + 1];
        uint32_t revision = 0;
        (void)snprintf(value, sizeof value, "%ld", i);
        note(process, "invoke", write, key, write ? value : "null");
        enum outcome outcome =
            write ? put(c, key, value, &revision) : get(c, key, value, &revision);
        bool nothing = outcome == NOT_LEADER || (outcome == UNKNOWN && !write);
        const char *type = outcome == DONE || outcome == NOT_FOUND ? "ok"
                           : nothing                               ? "fail"
                                                                   : "info";
        note(process, type, write, key, write || outcome == DONE ? value : "null");
        process += outcome == UNKNOWN && write ? 1 : 0;
        for (int pauses = 0; pauses < (write ? WRITE_PAUSES : 1); pauses++) {
            wait_a_little();
        }
    }
    return 0;
}

static int command(struct client *c, char **words, int n)
{
    uint32_t revision = 0;
    char value[TEXT_BYTES + 1];
    if (n == 3 && strcmp(words[0], "put") == 0) {
        enum outcome outcome = put(c, words[1], words[2], &revision);
        if (outcome == DONE) {
            (void)printf("ok %u\n", revision);
        }
        return status_of(outcome);
    }
    if (n == 2 && strcmp(words[0], "get") == 0) {
        enum outcome outcome = get(c, words[1], value, &revision);
        if (outcome == DONE) {
            (void)printf("value %s %u\n", value, revision);
        }
        return status_of(outcome);
    }
    if (n == 3 && strcmp(words[0], "check") == 0) {
        return check(c, words[1], strtol(words[2], NULL, 10));
    }
    bool write = n == 4 && strcmp(words[0], "write") == 0;
    if (write || (n == 3 && strcmp(words[0], "read") == 0)) {
        return history(c, words[1], strtol(words[2], NULL, 10), write ? words[3] : NULL);
    }
    return USAGE;
}

int main(int argc, char **argv)
{
    struct client c = {0};
    if (argc > 1) {
        for (char *s = strtok(argv[1], ","); s != NULL && c.n < SERVERS_MAX;
             s = strtok(NULL, ",")) {
            c.servers[c.n++] = s;
        }
    }
    int status = c.n > 0 ? command(&c, argv + 2, argc - 2) : USAGE;
    if (status == USAGE) {
        (void)fprintf(stderr, "usage: raftkv-client HOST:PORT,... put KEY VALUE | get KEY | "
                              "check KEY N | read KEY N | write KEY N FROM\n");
    }
    return status;
}
