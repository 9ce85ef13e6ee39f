/* Descriptors for tracees. One of ours goes through a socket that every tracee of a node has from
 * the beginning, and is taken by a call that is made inside. So a tracee needs no path to it, and
 * no right to look at us: it may be in a cage (cage.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

/* What stands in the scratch part of the page while a descriptor is taken. */
struct taking {
    struct msghdr head;
    struct iovec part;
    uint8_t byte[8];
    union {
        struct cmsghdr head;
        uint8_t bytes[CMSG_SPACE(sizeof(int))];
    } control;
};

static bool send_one(int through, int fd)
{
    char byte = 'd';
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr head;
        uint8_t bytes[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof control.bytes};
    return sendmsg(through, &head, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/* What a tracee may only read must not be open for writing there. */
static int for_reading(int fd)
{
    char path[64];
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        return fcntl(fd, F_DUPFD_CLOEXEC, 0);
    }
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* What an earlier try may have left is not for this one. */
static void drain(int fd)
{
    uint8_t byte;
    while (recv(fd, &byte, 1, MSG_DONTWAIT) >= 0) {
    }
}

int64_t tracee_give(struct tracee_call *call, const struct tracee_shared *shared, int fd,
                    bool writable)
{
    struct taking *taking = (struct taking *)(shared->bytes + TRACEE_SCRATCH);
    const uint64_t at = TRACEE_PAGE_ADDR + TRACEE_SCRATCH;
    int given = writable ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : for_reading(fd);
    if (given < 0) {
        return -errno;
    }
    drain(shared->take_fd);
    bool sent = send_one(shared->give_fd, given);
    (void)close(given);
    if (!sent) {
        return -ENOMEM;
    }
    /* NOLINTBEGIN(performance-no-int-to-ptr): addresses in the tracee */
    *taking = (struct taking){
        .head = {.msg_iov = (struct iovec *)(at + offsetof(struct taking, part)),
                 .msg_iovlen = 1,
                 .msg_control = (void *)(at + offsetof(struct taking, control)),
                 .msg_controllen = sizeof taking->control.bytes},
        .part = {(void *)(at + offsetof(struct taking, byte)), 1},
    };
    /* NOLINTEND(performance-no-int-to-ptr) */
    const uint64_t args[6] = {TRACEE_TAKE_FD, at + offsetof(struct taking, head),
                              MSG_DONTWAIT | MSG_CMSG_CLOEXEC};
    int64_t got = tracee_call(call, SYS_recvmsg, args);
    if (got != 1) {
        return got < 0 ? got : -EMFILE;
    }
    int there = -1;
    bool one = taking->control.head.cmsg_len == CMSG_LEN(sizeof there) &&
               taking->control.head.cmsg_type == SCM_RIGHTS;
    memcpy(&there, CMSG_DATA(&taking->control.head), sizeof there);
    return one && there >= 0 ? there : -EMFILE;
}
