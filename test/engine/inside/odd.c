/* Ranges of locks, pieces cut out of mapped files, AIO, queues of local sockets, jobs of terminals. */
#include <dirent.h>
#include <linux/aio_abi.h>
#include <linux/falloc.h>
#include <termios.h>

#include "../t.h"

static const char *const kinds[] = {"read", "write", "none"};

/* What another process would meet from each place on. */
static void probe(int fd)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        for (int at = 0; at < 120; at += 10) {
            struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 5};
            fcntl(fd, F_GETLK, &l);
            printf(" %s", l.l_type == F_UNLCK ? "-" : kinds[l.l_type]);
            if (l.l_type != F_UNLCK) {
                printf("[%ld+%ld%s]", (long)l.l_start, (long)l.l_len, l.l_pid == getppid() ? "" : "?");
            }
        }
        printf("\n");
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void locks(void)
{
    static const struct {
        short type, whence;
        int start, len;
    } rows[] = {{F_WRLCK, SEEK_SET, 10, 20}, {F_RDLCK, SEEK_SET, 15, 5}, {F_UNLCK, SEEK_SET, 20, 3}, {F_WRLCK, SEEK_CUR, 10, 10}, {F_WRLCK, SEEK_END, -10, 0},
                {F_RDLCK, SEEK_END, 5, -10}, {F_WRLCK, SEEK_SET, 5, -5}, {F_WRLCK, SEEK_SET, 5, -6}, {F_WRLCK, SEEK_SET, -1, 5}, {F_WRLCK, 9, 0, 5}, {9, SEEK_SET, 0, 5},
                {F_UNLCK, SEEK_SET, 0, 12}, {F_WRLCK, SEEK_SET, 30, 0}, {F_RDLCK, SEEK_SET, 40, 20}, {F_UNLCK, SEEK_SET, 0, 0}};
    int fd = open("lock", O_RDWR | O_CREAT, 0600);
    ftruncate(fd, 100);
    lseek(fd, 50, SEEK_SET);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct flock l = {.l_type = rows[i].type, .l_whence = rows[i].whence, .l_start = rows[i].start, .l_len = rows[i].len};
        errno = 0;
        int r = fcntl(fd, F_SETLK, &l);
        printf("lock %d %d %d+%d: %s", rows[i].type, rows[i].whence, rows[i].start, rows[i].len, r < 0 ? strerrorname_np(errno) : "ok");
        probe(fd);
    }
    struct flock l = {.l_type = F_UNLCK};
    R(fcntl(fd, F_GETLK, &l));
    l = (struct flock){.l_type = F_WRLCK, .l_pid = 5};
    R(fcntl(fd, F_OFD_SETLK, &l));
    close(fd);
}

static void cut(int how, long off, long n, bool mapped)
{
    static char data[6 * 4096], back[10 * 4096];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (char)('a' + i / 4096);
    }
    unlink("cut");
    int fd = open("cut", O_RDWR | O_CREAT, 0600);
    write(fd, data, sizeof data);
    if (mapped) {
        char *p = mmap(NULL, sizeof data, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        p[0] = 'A';
        munmap(p, sizeof data);
    }
    errno = 0;
    int r = fallocate(fd, how, off, n);
    ssize_t got = pread(fd, back, sizeof back, 0);
    printf("cut %d %ld+%ld %d: %s %zd ", how, off, n, mapped, r < 0 ? strerrorname_np(errno) : "ok", got);
    for (ssize_t i = 0; i < got; i += 2048) {
        printf("%c", back[i] != 0 ? back[i] : '.');
    }
    struct stat st;
    fstat(fd, &st);
    printf(" blocks %ld data %ld hole %ld\n", (long)st.st_blocks, (long)lseek(fd, 0, SEEK_DATA), (long)lseek(fd, 0, SEEK_HOLE));
    close(fd);
}

static void cuts(void)
{
    static const int how[] = {FALLOC_FL_COLLAPSE_RANGE, FALLOC_FL_INSERT_RANGE, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, FALLOC_FL_ZERO_RANGE, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE};
    for (size_t i = 0; i < 5; i++) {
        for (int mapped = 0; mapped < 2; mapped++) {
            cut(how[i], 4096, 8192, mapped);
            cut(how[i], 0, 4096, mapped);
            cut(how[i], 16384, 8192, mapped);
            cut(how[i], 100, 4096, mapped);
            cut(how[i], 4096, 40960, mapped);
        }
    }
}

static void aio(void)
{
    aio_context_t ctx = 0;
    int fd = open("aio", O_RDWR | O_CREAT, 0600);
    char buf[16] = "";
    struct iovec v[2] = {{"abc", 3}, {"defg", 4}}, in[2] = {{buf, 2}, {buf + 8, 4}};
    struct io_event done;
    struct iocb list[] = {{.aio_lio_opcode = IOCB_CMD_PWRITEV, .aio_buf = (uintptr_t)v, .aio_nbytes = 2, .aio_data = 1},
                          {.aio_lio_opcode = IOCB_CMD_FSYNC, .aio_data = 2},
                          {.aio_lio_opcode = IOCB_CMD_FDSYNC, .aio_data = 3},
                          {.aio_lio_opcode = IOCB_CMD_PREADV, .aio_buf = (uintptr_t)in, .aio_nbytes = 2, .aio_offset = 1, .aio_data = 4},
                          {.aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)buf, .aio_nbytes = 16, .aio_offset = 5, .aio_data = 5},
                          {.aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uintptr_t) "xy", .aio_nbytes = 2, .aio_offset = 9, .aio_data = 6},
                          {.aio_lio_opcode = 77, .aio_data = 7}};
    R(syscall(SYS_io_setup, 0, &ctx));
    R(syscall(SYS_io_setup, 8, &ctx));
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct iocb *one = &list[i];
        list[i].aio_fildes = (uint32_t)fd;
        R(syscall(SYS_io_submit, ctx, 1, &one));
        memset(&done, 0, sizeof done);
        if (i < 6) {
            R(syscall(SYS_io_getevents, ctx, 1, 1, &done, NULL));
        }
        printf("data %llu result %lld <%.2s %.4s>\n", done.data, done.res, buf, buf + 8);
    }
    int event = eventfd(0, 0);
    list[1].aio_flags = IOCB_FLAG_RESFD;
    list[1].aio_resfd = (uint32_t)event;
    struct iocb *told = &list[1];
    R(syscall(SYS_io_submit, ctx, 1, &told));
    R(syscall(SYS_io_getevents, ctx, 1, 1, &done, NULL));
    uint64_t added = 0;
    R(read(event, &added, 8));
    R(added);
    close(event);
    R(syscall(SYS_io_destroy, ctx));
    R(syscall(SYS_io_destroy, ctx));
    R(lseek(fd, 0, SEEK_END));
    close(fd);
}

static void local_sockets(void)
{
    static char big[300000];
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    for (int i = 0; i < 3; i++) {
        static const size_t sizes[] = {1, 100, 4096, 100000, 212960, 212961, 300000};
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            int p[2], n = 0;
            long total = 0, r;
            socketpair(AF_UNIX, types[i] | SOCK_NONBLOCK, 0, p);
            while (n < 2000 && (r = send(p[0], big, sizes[k], MSG_NOSIGNAL)) >= 0) {
                total += r;
                n++;
            }
            printf("type %d size %zu: %d sent, %ld bytes, %s", types[i], sizes[k], n, total, n < 2000 ? strerrorname_np(errno) : "more");
            int waiting = 0;
            ioctl(p[1], FIONREAD, &waiting);
            printf(" waiting %d", waiting);
            shutdown(p[1], SHUT_RD);
            r = send(p[0], big, 1, MSG_NOSIGNAL);
            printf(" shut %ld %s\n", r, r < 0 ? strerrorname_np(errno) : "");
            close(p[0]);
            close(p[1]);
        }
    }
    struct sockaddr_un a = {AF_UNIX, "here"}, none = {AF_UNIX, "nobody"};
    int s = socket(AF_UNIX, SOCK_STREAM, 0), d = socket(AF_UNIX, SOCK_DGRAM, 0), q = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    R(send(s, "x", 1, MSG_NOSIGNAL));
    R(send(d, "x", 1, MSG_NOSIGNAL));
    R(send(q, "x", 1, MSG_NOSIGNAL));
    R(bind(s, (void *)&a, sizeof a));
    R(sendto(d, "x", 1, 0, (void *)&a, sizeof a));
    R(sendto(d, "x", 1, 0, (void *)&none, sizeof none));
    R(connect(d, (void *)&a, sizeof a));
    R(connect(q, (void *)&a, sizeof a));
    R(sendto(s, "x", 1, MSG_NOSIGNAL, (void *)&a, sizeof a));
    R(listen(s, 1));
    R(connect(q, (void *)&a, sizeof a));
}

static void jobs(void)
{
    int m = open("/dev/ptmx", O_RDWR | O_NOCTTY), off = 0, n = -1, group = -1;
    char name[32];
    ioctl(m, TIOCSPTLCK, &off);
    ioctl(m, TIOCGPTN, &n);
    snprintf(name, sizeof name, "/dev/pts/%d", n);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        int s = open(name, O_RDWR | O_NOCTTY);
        R(ioctl(s, TIOCGPGRP, &group));
        R(ioctl(s, TIOCNOTTY));
        R(setsid() == getpid());
        R(ioctl(m, TIOCSCTTY, 0));
        R(ioctl(s, TIOCSCTTY, 0));
        R(ioctl(s, TIOCSCTTY, 0));
        R(ioctl(s, TIOCGPGRP, &group));
        R(group == getpid());
        R(ioctl(s, TIOCGSID, &group));
        R(group == getpid());
        R(ioctl(m, TIOCGPGRP, &group));
        group = -1;
        R(ioctl(s, TIOCSPGRP, &group));
        group = 99999;
        R(ioctl(s, TIOCSPGRP, &group));
        group = 1;
        R(ioctl(s, TIOCSPGRP, &group));
        fflush(stdout);
        pid_t other = fork();
        if (other == 0) {
            setpgid(0, 0);
            sleep(5);
            _exit(0);
        }
        usleep(1000);
        R(ioctl(s, TIOCSPGRP, &other));
        R(ioctl(s, TIOCGPGRP, &group));
        R(group == other);
        R(tcgetpgrp(s) == other);
        int status = 0;
        write(m, "\x03", 1);
        waitpid(other, &status, 0);
        printf("ended by %d\n", WTERMSIG(status));
        int tty = open("/dev/tty", O_RDWR);
        printf("tty %d\n", tty >= 0);
        signal(SIGHUP, SIG_IGN);
        R(ioctl(s, TIOCNOTTY));
        R(ioctl(s, TIOCGPGRP, &group));
        R(open("/dev/tty", O_RDWR));
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

/* A file of the machine, byte by byte. */
static void machine_file(void)
{
    char buf[4] = "....";
    int fd = open("/proc/self/exe", O_RDONLY);
    struct iovec v[3] = {{buf, 1}, {buf + 1, 0}, {buf + 2, 1}};
    R(read(fd, buf, 1));
    printf("%02x\n", buf[0]);
    R(read(fd, buf, 1));
    printf("%c\n", buf[0]);
    R(pread(fd, buf, 1, 3));
    printf("%c\n", buf[0]);
    R(readv(fd, v, 3));
    printf("%.4s\n", buf);
    R(lseek(fd, 0, SEEK_CUR));
    R(read(fd, buf, 0));
    R(write(fd, buf, 1));
    R(read(fd, (char *)8, 1));
    close(fd);
}

static void listing(void)
{
    DIR *dir = opendir("/");
    char last[256] = "";
    int n = 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir), n++) {
        if (n < 2) {
            printf("%s\n", e->d_name);
            continue;
        }
        if (strcmp(last, e->d_name) >= 0) {
            printf("%s after %s\n", e->d_name, last);
        }
        if (strcmp(e->d_name, "data") == 0 || strcmp(e->d_name, "tmp") == 0 || strcmp(e->d_name, "proc") == 0) {
            printf("%s %d\n", e->d_name, e->d_type == DT_DIR);
        }
        snprintf(last, sizeof last, "%s", e->d_name);
    }
    closedir(dir);
}

int main(void)
{
    locks();
    cuts();
    aio();
    local_sockets();
    jobs();
    machine_file();
    listing();
    return 0;
}
