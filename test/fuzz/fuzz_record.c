/* Any bytes as a cluster file, and as a recorded run of a small cluster. */
#include <stdio.h>
#include <stdlib.h>

#include <sys/mman.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "fuzz.h"
#include "run/cluster.h"
#include "run/record.h"

/* A file of this contents. */
static int file_of(const void *bytes, size_t n, char path[64])
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n) {
        abort();
    }
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char small[] = "[run]\ntime = \"1s\"\n[[node]]\nname = \"n{i}\"\ncount = 3\n"
                                "run = [\"/bin/true\"]\n";
    struct arena arena;
    struct cluster cluster, known;
    struct record record = {0};
    struct err err = {0};
    struct str rest;
    char path[64], cluster_path[64];
    arena_init(&arena, 0);
    int fd = file_of(data, size, path), cluster_fd = file_of(small, sizeof small - 1, cluster_path);
    (void)!cluster_read(&arena, path, &cluster, &err);
    if (cluster_read(&arena, cluster_path, &known, &err) == 0 &&
        record_head(&arena, path, &record, &rest, &err) == 0) {
        (void)!record_choices(&record, &known, rest, &err);
    }
    record_done(&record);
    close(fd);
    close(cluster_fd);
    arena_done(&arena);
    return 0;
}
