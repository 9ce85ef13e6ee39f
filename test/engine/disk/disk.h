/* For the programs in this directory: each updates a file in one way, and looks at it after a power failure. */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void sync_dir(void)
{
    int d = open(".", O_RDONLY | O_DIRECTORY);
    fsync(d);
    close(d);
}

/* Writes a file and makes it durable, name and all. */
static void put(const char *name, char c, size_t n)
{
    int f = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    char *b = malloc(n);
    memset(b, c, n);
    if (write(f, b, n) != (ssize_t)n) {
        exit(3);
    }
    fsync(f);
    close(f);
    free(b);
    sync_dir();
}

static int second_boot(void)
{
    return access("booted", F_OK) == 0;
}

static void mark_first_boot(void)
{
    put("booted", '1', 1);
}

/* Whether the file holds n times c. */
static int holds(const char *name, char c, size_t n)
{
    int f = open(name, O_RDONLY);
    char *b = calloc(n + 1, 1);
    ssize_t got = read(f, b, n + 1);
    close(f);
    if (got != (ssize_t)n) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (b[i] != c) {
            return 0;
        }
    }
    return 1;
}
