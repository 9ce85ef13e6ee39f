/* Memory of a tracee. process_vm_readv and writev move any amount with one call; where a page is
 * missing they move what comes before it. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/types.h>
#include <sys/uio.h>

#include "tracee/tracee.h"

size_t tracee_read(pid_t tid, struct taddr from, void *to, size_t bytes)
{
    if (bytes == 0) {
        return 0;
    }
    struct iovec local = {to, bytes};
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address belongs to another process */
    struct iovec remote = {(void *)from.v, bytes};
    ssize_t n = process_vm_readv(tid, &local, 1, &remote, 1, 0);
    return n < 0 ? 0 : (size_t)n;
}

size_t tracee_write(pid_t tid, struct taddr to, const void *from, size_t bytes)
{
    if (bytes == 0) {
        return 0;
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): it is only read */
    struct iovec local = {(void *)(uintptr_t)from, bytes};
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address belongs to another process */
    struct iovec remote = {(void *)to.v, bytes};
    ssize_t n = process_vm_writev(tid, &local, 1, &remote, 1, 0);
    return n < 0 ? 0 : (size_t)n;
}

int tracee_read_string(pid_t tid, struct taddr from, char *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        /* A read must not run into the next page: it may not be there. */
        size_t want = 4096 - (size_t)((from.v + done) & 4095);
        want = want < 256 ? want : 256;
        want = want < size - done ? want : size - done;
        size_t got = tracee_read(tid, TADDR(from.v + done), to + done, want);
        if (got == 0) {
            to[0] = '\0';
            return -EFAULT;
        }
        if (memchr(to + done, 0, got) != NULL) {
            return 0;
        }
        done += got;
    }
    to[size - 1] = '\0';
    return -ENAMETOOLONG;
}

bool tracee_poke(pid_t tid, struct taddr to, const void *from, size_t bytes)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)tid);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool good = pwrite(fd, from, bytes, (off_t)to.v) == (ssize_t)bytes;
    (void)close(fd);
    return good;
}
