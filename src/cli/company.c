/* Several processes of the same command. */
#include "cli/company.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/status.h"
#include "dist/ranks.h"

/* Rank 0 speaks for all. */
static void be_silent(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        (void)fflush(stdout);
        (void)fflush(stderr);
        (void)dup2(fd, STDIN_FILENO);
        (void)dup2(fd, STDOUT_FILENO);
        (void)dup2(fd, STDERR_FILENO);
        (void)close(fd);
    }
}

bool company_open(const char *command, struct ranks **ret)
{
    struct err err = {0};
    if (ranks_open(ret, &err) != 0) {
        (void)fprintf(stderr, "assay %s: %s\n", command, err.text);
        return false;
    }
    if (*ret != NULL && ranks_me(*ret) != 0) {
        be_silent();
    }
    return true;
}

int company_close(struct ranks *ranks, int status)
{
    bool heard = ranks == NULL || ranks_me(ranks) == 0;
    (void)fflush(stdout);
    (void)fflush(stderr);
    ranks_close(ranks);
    if (!heard) {
        exit(EXIT_OK); /* what is done once for a command, rank 0 does */
    }
    return status;
}
