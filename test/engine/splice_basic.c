/* calls: splice tee vmsplice */
#include "t.h"

static void drain(int fd)
{
    char b[256] = "";
    long n = read(fd, b, sizeof b - 1);
    printf("%ld '%s'\n", n, n > 0 ? b : "");
    fflush(stdout);
}

int main(void)
{
    int a[2], b[2], s[2], st;
    loff_t off = 2, at = 1;
    pipe2(a, O_NONBLOCK);
    pipe2(b, O_NONBLOCK);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    int f = open("f", O_CREAT | O_RDWR, 0644), g = open("g", O_CREAT | O_RDWR, 0644);
    write(f, "0123456789", 10);
    S("file to pipe");
    R(splice(f, &off, a[1], NULL, 5, 0));
    R(off);
    R(lseek(f, 0, SEEK_CUR));
    lseek(f, 8, SEEK_SET);
    R(splice(f, NULL, a[1], NULL, 100, 0));
    R(splice(f, NULL, a[1], NULL, 100, 0));
    drain(a[0]);
    S("pipe to file");
    write(a[1], "abcdef", 6);
    R(splice(a[0], NULL, g, &at, 4, 0));
    R(at);
    loff_t below = -1;
    R(splice(a[0], NULL, g, &below, 1, 0));
    R(splice(f, &below, a[1], NULL, 1, 0));
    R(splice(a[0], NULL, g, NULL, 100, 0));
    R(splice(a[0], NULL, g, NULL, 100, 0));
    R(lseek(g, 0, SEEK_CUR));
    lseek(g, 1, SEEK_SET);
    drain(g);
    S("pipe to pipe, sockets");
    write(a[1], "xyz", 3);
    R(splice(a[0], NULL, b[1], NULL, 2, 0));
    drain(b[0]);
    R(splice(a[0], NULL, s[0], NULL, 9, SPLICE_F_MORE));
    drain(s[1]);
    write(s[0], "hello", 5);
    R(splice(s[1], NULL, a[1], NULL, 100, 0));
    drain(a[0]);
    S("tee");
    R(tee(a[0], b[1], 10, SPLICE_F_NONBLOCK));
    write(a[1], "twice", 5);
    R(tee(a[0], b[1], 3, 0));
    R(tee(a[0], b[1], 100, 0));
    drain(a[0]);
    drain(b[0]);
    S("vmsplice");
    struct iovec v[2] = {{"one", 3}, {"two", 3}};
    char in[8] = "";
    R(vmsplice(a[1], v, 2, 0));
    v[0] = (struct iovec){in, 5};
    R(vmsplice(a[0], v, 1, 0));
    S(in);
    drain(a[0]);
    R(vmsplice(f, v, 1, 0));
    S("full and empty");
    fcntl(b[1], F_SETPIPE_SZ, 4096);
    char big[8192];
    memset(big, 'b', sizeof big);
    write(a[1], big, sizeof big);
    R(splice(a[0], NULL, b[1], NULL, 8192, 0));
    R(splice(a[0], NULL, b[1], NULL, 8192, 0));
    R(tee(a[0], b[1], 8192, SPLICE_F_NONBLOCK));
    S("errors");
    R(splice(f, NULL, g, NULL, 1, 0));
    R(splice(f, NULL, a[1], &off, 1, 0));
    R(splice(a[0], &off, g, NULL, 1, 0));
    R(splice(a[1], NULL, g, NULL, 1, 0));
    R(splice(f, NULL, a[0], NULL, 1, 0));
    R(splice(a[0], NULL, a[1], NULL, 1, 0));
    R(splice(f, NULL, a[1], NULL, 1, 0x100));
    R(splice(f, NULL, a[1], NULL, 0, 0x100));
    R(splice(99, NULL, a[1], NULL, 1, 0));
    R(tee(f, a[1], 1, 0));
    R(tee(a[0], a[1], 1, 0));
    int append = open("g", O_WRONLY | O_APPEND);
    R(splice(a[0], NULL, append, NULL, 1, 0));
    S("ends");
    signal(SIGPIPE, SIG_IGN);
    close(b[0]);
    R(splice(f, &off, b[1], NULL, 1, 0));
    pipe(b);
    close(b[1]);
    R(splice(b[0], NULL, g, NULL, 10, 0));
    S("waiting");
    pipe(a);
    pipe(b);
    if (fork() == 0) {
        char c;
        read(b[0], &c, 1);
        write(a[1], "late", 4);
        _exit(0);
    }
    write(b[1], "x", 1);
    lseek(g, 0, SEEK_SET);
    R(splice(a[0], NULL, g, NULL, 10, 0));
    wait(&st);
    lseek(g, 0, SEEK_SET);
    drain(g);
    return 0;
}
