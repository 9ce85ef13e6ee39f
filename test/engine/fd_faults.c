/* calls: pipe pipe2 socketpair accept4 recvmsg open */
/* Calls that fail after they have made a descriptor keep none: the next number is the same. */
#include "t.h"

static void *const nowhere = (void *)16;

static int next_fd(void)
{
    int fd = dup(1);
    close(fd);
    return fd;
}

static void faults(void)
{
    R(syscall(SYS_pipe, nowhere));
    R(next_fd());
    R(syscall(SYS_pipe2, nowhere, O_CLOEXEC));
    R(next_fd());
    R(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, nowhere));
    R(next_fd());
    R(syscall(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET, 0, nowhere));
    R(next_fd());
    R(syscall(SYS_epoll_pwait2, -1, nowhere, 1, nowhere, NULL, 8));
    R(syscall(SYS_signalfd4, -1, nowhere, 8, 0));
    R(syscall(SYS_memfd_create, nowhere, 0));
    R(syscall(SYS_mq_open, nowhere, O_CREAT | O_RDWR, 0600, NULL));
    R(next_fd());
}

static void accepting(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "s"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
    R(bind(listener, (void *)&at, sizeof at));
    R(listen(listener, 5));
    R(connect(other, (void *)&at, sizeof at));
    R(next_fd());
    R(syscall(SYS_accept4, listener, nowhere, nowhere, 0));
    R(next_fd());
    close(listener);
    close(other);
    unlink("s");
}

/* A descriptor is sent where nothing can be written. */
static void passing(void)
{
    int pair[2];
    R(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    char byte = 'x', control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec iov = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(c), &pair[0], sizeof(int));
    R(sendmsg(pair[0], &msg, 0));
    msg.msg_control = NULL;
    msg.msg_controllen = 0;
    R(recvmsg(pair[1], &msg, 0));
    R(msg.msg_flags == MSG_CTRUNC);
    R(next_fd());
    close(pair[0]);
    close(pair[1]);
}

/* One number is left, and two are needed. */
static void limited(void)
{
    int fd[2] = {-7, -7};
    struct rlimit limit = {(rlim_t)next_fd() + 1, 1024};
    R(setrlimit(RLIMIT_NOFILE, &limit));
    R(pipe(fd));
    R(next_fd());
    R(pipe2(fd, O_NONBLOCK));
    R(next_fd());
    R(socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    R(next_fd());
    printf("%d %d\n", fd[0], fd[1]);
}

/* None is left: what would be made, cut or taken is as it was. */
static void full(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "s"};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0),
        other = socket(AF_UNIX, SOCK_STREAM, 0);
    int file = open("old", O_CREAT | O_RDWR, 0600);
    R(write(file, "abc", 3));
    R(bind(listener, (void *)&at, sizeof at));
    R(listen(listener, 5));
    int one = dup(1);
    struct rlimit limit = {(rlim_t)one + 1, 1024};
    R(setrlimit(RLIMIT_NOFILE, &limit));
    R(open("made", O_CREAT | O_WRONLY, 0600));
    R(access("made", F_OK));
    R(open("old", O_WRONLY | O_TRUNC));
    struct stat st;
    R(fstat(file, &st));
    R(st.st_size);
    R(open("none", O_RDONLY));
    R(open("", O_RDONLY));
    R(open(nowhere, O_RDONLY));
    R(open("old/none", O_RDONLY));
    R(accept(listener, NULL, NULL));
    R(connect(other, (void *)&at, sizeof at));
    R(accept(listener, NULL, NULL));
    R(syscall(SYS_mq_open, "fd_faults", O_CREAT | O_RDWR, 0600, NULL));
    R(syscall(SYS_mq_open, "a/b", O_RDWR, 0, NULL));
    R(syscall(SYS_mq_unlink, "fd_faults"));
    R(dup(1));
    R(dup(99));
    R(fcntl(1, F_DUPFD, 0));
    R(eventfd(0, 0));
    R(socket(AF_INET, SOCK_STREAM, 0));
    close(one);
    R(accept(listener, NULL, NULL) >= 0);
    R(accept(listener, NULL, NULL));
}

int main(void)
{
    faults();
    accepting();
    passing();
    full();
    limited();
    return 0;
}
