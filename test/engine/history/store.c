/* A small store with transactions, as it should be or with a mistake, for tests of histories.
 *
 *     store [lost-update | write-skew | dirty-read]
 *
 * Requests and replies are lines on port 7000; or HTTP, for single keys:
 *
 *     GET k            VALUE text, or NONE        GET /k HTTP/1.1    200 text, or 404
 *     SET k text       OK                         PUT /k HTTP/1.1    200
 *     CAS k old new    OK, or NO
 *     BEGIN, ABORT     OK
 *     COMMIT           OK, or CONFLICT: somebody else was faster
 *
 * A transaction keeps its writes to itself until it is committed, and is refused if anything that
 * it read has changed since. The mistakes: lost-update: nobody looks whether it has. write-skew: it
 * reads from a snapshot, and is refused only if somebody else wrote what it writes. dirty-read: it
 * sees what others have not committed. A connection that breaks aborts its transaction. */
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 7000, KEYS = 1024, CLIENTS = 64, STEPS = 64, LINE = 16384, VERSIONS = 4096 };
enum mistake { NONE, LOST_UPDATE, WRITE_SKEW, DIRTY_READ };

struct version {
    long at; /* number of the commit */
    char *text;
};
struct key {
    char name[64];
    struct version *versions;
    int n;
};
struct write {
    struct key *key;
    char *text;
};
struct client {
    int fd;
    char in[LINE];
    size_t n;
    bool active;
    long begun; /* the last commit before it */
    struct key *reads[STEPS];
    long read_at[STEPS];
    int n_reads;
    struct write writes[STEPS];
    int n_writes;
    bool http;        /* a head was begun: its method and key wait for the body */
    bool put;
    char path[64];
    size_t length;
};

static struct key keys[KEYS];
static int n_keys;
static struct client *clients[CLIENTS];
static long commits;
static enum mistake mistake;

static struct key *key_of(const char *name)
{
    for (int i = 0; i < n_keys; i++) {
        if (strcmp(keys[i].name, name) == 0) {
            return &keys[i];
        }
    }
    struct key *key = &keys[n_keys++];
    snprintf(key->name, sizeof key->name, "%s", name);
    key->versions = calloc(VERSIONS, sizeof *key->versions);
    return key;
}

static long newest(const struct key *key)
{
    return key->n == 0 ? 0 : key->versions[key->n - 1].at;
}

static const char *committed(const struct key *key, long until)
{
    for (int i = key->n; i-- > 0;) {
        if (key->versions[i].at <= until) {
            return key->versions[i].text;
        }
    }
    return NULL;
}

static void install(struct key *key, const char *text)
{
    if (key->n == VERSIONS) {
        memmove(key->versions, key->versions + 1, (VERSIONS - 1) * sizeof *key->versions);
        key->n--;
    }
    key->versions[key->n++] = (struct version){commits, strdup(text)};
}

static const char *own(const struct client *c, const struct key *key)
{
    for (int i = c->n_writes; i-- > 0;) {
        if (c->writes[i].key == key) {
            return c->writes[i].text;
        }
    }
    return NULL;
}

static const char *look(struct client *c, struct key *key)
{
    const char *text = c->active ? own(c, key) : NULL;
    if (text != NULL) {
        return text;
    }
    if (c->active && c->n_reads < STEPS) {
        c->reads[c->n_reads] = key;
        c->read_at[c->n_reads++] = newest(key);
    }
    for (int i = 0; mistake == DIRTY_READ && i < CLIENTS; i++) {
        if (clients[i] != NULL && clients[i]->active && own(clients[i], key) != NULL) {
            return own(clients[i], key);
        }
    }
    return committed(key, c->active && mistake == WRITE_SKEW ? c->begun : commits);
}

static void end(struct client *c)
{
    for (int i = 0; i < c->n_writes; i++) {
        free(c->writes[i].text);
    }
    c->active = false;
    c->n_reads = c->n_writes = 0;
}

static bool commit(struct client *c)
{
    bool good = c->active;
    for (int i = 0; i < c->n_reads && (mistake == NONE || mistake == DIRTY_READ); i++) {
        good = good && newest(c->reads[i]) == c->read_at[i];
    }
    for (int i = 0; i < c->n_writes && mistake == WRITE_SKEW; i++) {
        good = good && newest(c->writes[i].key) <= c->begun;
    }
    commits += good ? 1 : 0;
    for (int i = 0; good && i < c->n_writes; i++) {
        install(c->writes[i].key, c->writes[i].text);
    }
    end(c);
    return good;
}

static void set(struct client *c, struct key *key, const char *text)
{
    if (c->active && c->n_writes < STEPS) {
        c->writes[c->n_writes++] = (struct write){key, strdup(text)};
    } else if (!c->active) {
        commits++;
        install(key, text);
    }
}

static void say(struct client *c, const char *text)
{
    char line[LINE + 16];
    int n = snprintf(line, sizeof line, "%s\n", text);
    (void)!write(c->fd, line, (size_t)n);
}

static void say_http(struct client *c, int status, const char *body)
{
    char text[LINE + 128];
    int n = snprintf(text, sizeof text, "HTTP/1.1 %d -\r\nContent-Length: %zu\r\n\r\n%s", status,
                     strlen(body), body);
    (void)!write(c->fd, text, (size_t)n);
}

static void handle(struct client *c, char *line)
{
    char *save = NULL, *verb = strtok_r(line, " ", &save), *name = strtok_r(NULL, " ", &save);
    char *rest = save != NULL ? save : "";
    if (verb == NULL) {
        return;
    }
    if (strcmp(verb, "BEGIN") == 0) {
        end(c);
        c->active = true;
        c->begun = commits;
        say(c, "OK");
    } else if (strcmp(verb, "COMMIT") == 0) {
        say(c, commit(c) ? "OK" : "CONFLICT");
    } else if (strcmp(verb, "ABORT") == 0) {
        end(c);
        say(c, "OK");
    } else if (name != NULL && strcmp(verb, "GET") == 0) {
        const char *text = look(c, key_of(name));
        char reply[LINE];
        snprintf(reply, sizeof reply, "VALUE %s", text != NULL ? text : "");
        say(c, text != NULL ? reply : "NONE");
    } else if (name != NULL && strcmp(verb, "SET") == 0) {
        set(c, key_of(name), rest);
        say(c, "OK");
    } else if (name != NULL && strcmp(verb, "CAS") == 0) {
        char *old = strtok_r(NULL, " ", &save);
        const char *text = look(c, key_of(name));
        bool same = old != NULL && text != NULL && strcmp(old, text) == 0;
        if (same) {
            set(c, key_of(name), save);
        }
        say(c, same ? "OK" : "NO");
    } else {
        say(c, "WHAT");
    }
}

/* A line of the head of a request; the empty one ends it. */
static void handle_head(struct client *c, const char *line)
{
    if (strncasecmp(line, "Content-Length:", 15) == 0) {
        c->length = (size_t)atol(line + 15);
    }
    if (line[0] != '\0' || c->put) {
        return;
    }
    const char *text = look(c, key_of(c->path));
    c->http = false;
    say_http(c, text != NULL ? 200 : 404, text != NULL ? text : "");
}

static void take_line(struct client *c, char *line)
{
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\r') {
        line[n - 1] = '\0';
    }
    if (c->http) {
        handle_head(c, line);
    } else if (strstr(line, " HTTP/1.1") != NULL) {
        c->http = true;
        c->put = strncmp(line, "PUT", 3) == 0;
        c->length = 0;
        sscanf(line, "%*s /%63s", c->path);
    } else {
        handle(c, line);
    }
}

static bool receive(struct client *c)
{
    ssize_t got = read(c->fd, c->in + c->n, sizeof c->in - c->n - 1);
    if (got <= 0) {
        return false;
    }
    c->n += (size_t)got;
    c->in[c->n] = '\0';
    for (;;) {
        char *stop = memchr(c->in, '\n', c->n);
        size_t used = stop != NULL ? (size_t)(stop - c->in) + 1 : 0;
        if (stop == NULL) {
            return true;
        }
        bool last = c->http && c->put && (stop == c->in || (stop == c->in + 1 && c->in[0] == '\r'));
        if (last && c->n - used < c->length) {
            return true; /* the body is not there yet */
        }
        if (last) {
            char body[LINE] = "";
            memcpy(body, stop + 1, c->length);
            set(c, key_of(c->path), body);
            say_http(c, 200, "");
            c->http = false;
            used += c->length;
        } else {
            *stop = '\0';
            take_line(c, c->in);
        }
        memmove(c->in, c->in + used, c->n - used);
        c->n -= used;
    }
}

static void take_client(int listener)
{
    int fd = accept(listener, NULL, NULL);
    for (int i = 0; i < CLIENTS; i++) {
        if (clients[i] == NULL) {
            clients[i] = calloc(1, sizeof *clients[i]);
            clients[i]->fd = fd;
            return;
        }
    }
    close(fd);
}

static void serve(int listener)
{
    struct pollfd fds[CLIENTS + 1] = {{.fd = listener, .events = POLLIN}};
    for (int i = 0; i < CLIENTS; i++) {
        fds[i + 1] = (struct pollfd){.fd = clients[i] != NULL ? clients[i]->fd : -1, .events = POLLIN};
    }
    poll(fds, CLIENTS + 1, -1);
    for (int i = 0; i < CLIENTS; i++) {
        if (fds[i + 1].revents != 0 && !receive(clients[i])) {
            end(clients[i]);
            close(clients[i]->fd);
            free(clients[i]);
            clients[i] = NULL;
        }
    }
    if (fds[0].revents != 0) {
        take_client(listener);
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"", "lost-update", "write-skew", "dirty-read"};
    for (int i = 0; argc > 1 && i < 4; i++) {
        mistake = strcmp(argv[1], names[i]) == 0 ? (enum mistake)i : mistake;
    }
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    signal(SIGPIPE, SIG_IGN);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&any, sizeof any) != 0 || listen(listener, 16) != 0) {
        perror("store");
        return 1;
    }
    for (;;) {
        serve(listener);
    }
}
