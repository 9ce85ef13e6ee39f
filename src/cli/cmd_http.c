/* `assay http-get URL`: prints the body of an answer. Mapping files use it for queries: it runs
 * inside the simulated network, where no other program for it may be installed. HTTP/1.0, no TLS.
 */
#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/types.h>

#include "base/str.h"
#include "cli/cli.h"

struct url {
    char host[256], port[8];
    const char *path;
};

static bool parse_url(const char *text, struct url *ret)
{
    static const char scheme[] = "http://";
    if (strncmp(text, scheme, sizeof scheme - 1) != 0) {
        return false;
    }
    text += sizeof scheme - 1;
    size_t n = strcspn(text, ":/");
    if (n == 0 || n >= sizeof ret->host) {
        return false;
    }
    memcpy(ret->host, text, n);
    ret->host[n] = '\0';
    text += n;
    (void)snprintf(ret->port, sizeof ret->port, "80");
    if (*text == ':') {
        n = strcspn(++text, "/");
        if (n == 0 || n >= sizeof ret->port) {
            return false;
        }
        memcpy(ret->port, text, n);
        ret->port[n] = '\0';
        text += n;
    }
    ret->path = *text != '\0' ? text : "/";
    return true;
}

static int dial(const struct url *url)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(url->host, url->port, &hints, &found) != 0) {
        return -1;
    }
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
        (void)close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

/* The body, once the head is there; false: more is to come. */
static bool complete(const struct strbuf *answer, struct str *ret_body)
{
    const char *end = answer->n != 0 ? memmem(answer->p, answer->n, "\r\n\r\n", 4) : NULL;
    if (end == NULL) {
        return false;
    }
    size_t head = (size_t)(end + 4 - answer->p);
    *ret_body = (struct str){answer->p + head, answer->n - head};
    const char *length = strcasestr(answer->p, "\r\ncontent-length:");
    if (length == NULL || length > end) {
        return false; /* up to the end of the connection */
    }
    size_t want = strtoul(length + 17, NULL, 10);
    ret_body->n = ret_body->n < want ? ret_body->n : want;
    return answer->n - head >= want;
}

static int get(const struct url *url, struct strbuf *answer, struct str *ret_body)
{
    SCOPED_STRBUF request = {0};
    char bytes[4096];
    int fd = dial(url);
    strbuf_printf(&request, "GET %s HTTP/1.0\r\nHost: %s\r\nConnection: close\r\n\r\n", url->path,
                  url->host);
    if (fd < 0 || write(fd, request.p, request.n) != (ssize_t)request.n) {
        return -1;
    }
    *ret_body = (struct str){"", 0};
    while (!complete(answer, ret_body)) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n <= 0) {
            break;
        }
        strbuf_add(answer, bytes, (size_t)n);
    }
    (void)close(fd);
    return 0;
}

int cmd_http_get(int argc, char **argv)
{
    struct url url;
    struct str body;
    SCOPED_STRBUF answer = {0};
    if (argc != 2 || !parse_url(argv[1], &url)) {
        return usage_error("http-get", "one address is needed, such as http://host:8080/path");
    }
    if (get(&url, &answer, &body) != 0 || answer.n < 12 || strncmp(answer.p, "HTTP/1.", 7) != 0) {
        (void)fprintf(stderr, "assay http-get: %s does not answer\n", argv[1]);
        return EXIT_OTHER;
    }
    if (answer.p[9] != '2') {
        (void)fprintf(stderr, "assay http-get: %.*s\n", (int)strcspn(answer.p, "\r\n"), answer.p);
        return EXIT_OTHER;
    }
    return put_text(stdout, body) == 0 ? EXIT_OK : EXIT_OTHER;
}
