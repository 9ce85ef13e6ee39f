/* Addresses of the form HOST:PORT. */
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/socket.h>

#include "raftkv.h"

static void fail(const char *name, const char *why)
{
    (void)fprintf(stderr, "raftkv: %s: %s\n", name, why);
    exit(64);
}

void address_find(const char *name, struct sockaddr_in *ret)
{
    char host[256];
    const char *colon = strrchr(name, ':');
    if (colon == NULL || (size_t)(colon - name) >= sizeof host) {
        fail(name, "not of the form HOST:PORT");
        return;
    }
    (void)snprintf(host, sizeof host, "%.*s", (int)(colon - name), name);
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int status = getaddrinfo(host, colon + 1, &hints, &found);
    if (status != 0) {
        fail(name, gai_strerror(status));
        return;
    }
    memcpy(ret, found->ai_addr, sizeof *ret);
    freeaddrinfo(found);
}
