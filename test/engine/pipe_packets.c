/* calls: pipe2 read write writev fcntl */
#include "t.h"
#include <sys/ioctl.h>
#include <sys/uio.h>

static char big[3 * 4096 + 100], b[4 * 4096];

static void take(int fd, size_t n)
{
    memset(b, 0, sizeof b);
    long got = read(fd, b, n);
    int left = -1;
    ioctl(fd, FIONREAD, &left);
    printf("%ld '%.12s', %d left\n", got, b, left);
}

int main(void)
{
    int p[2], flags;
    memset(big, 'x', sizeof big);
    R(pipe2(p, O_DIRECT | O_NONBLOCK));
    R((flags = fcntl(p[1], F_GETFL)) & O_DIRECT);
    write(p[1], "one", 3);
    write(p[1], "", 0);
    write(p[1], "twotwo", 6);
    take(p[0], 100); /* a packet at a time */
    take(p[0], 2);   /* the rest is lost */
    take(p[0], 100);
    /* larger ones are cut into packets of a page */
    R(write(p[1], big, sizeof big));
    for (int i = 0; i < 5; i++) {
        take(p[0], sizeof b);
    }
    struct iovec v[3] = {{"ab", 2}, {"cd", 2}, {"e", 1}};
    R(writev(p[1], v, 3));
    write(p[1], "next", 4);
    struct iovec in[2] = {{b, 2}, {b + 100, 2}};
    R(readv(p[0], in, 2));
    take(p[0], 100);
    /* it belongs to what is written, not to who reads */
    R(fcntl(p[1], F_SETFL, flags & ~O_DIRECT));
    write(p[1], "str", 3);
    write(p[1], "eam", 3);
    R(fcntl(p[1], F_SETFL, flags));
    write(p[1], "joins", 5);
    write(p[1], big, 4096);
    write(p[1], "packet", 6);
    R(fcntl(p[1], F_SETFL, flags & ~O_DIRECT));
    write(p[1], "end", 3);
    write(p[1], "!", 1);
    for (int i = 0; i < 5; i++) {
        take(p[0], 4000);
    }
    /* as many as there are pages, however small; polling says so */
    R(fcntl(p[1], F_SETFL, flags));
    int n = 0;
    while (write(p[1], "p", 1) == 1) {
        n++;
    }
    R(n);
    R(write(p[1], "p", 1));
    struct pollfd q = {p[1], POLLOUT, 0};
    R(poll(&q, 1, 0));
    take(p[0], 1);
    R(poll(&q, 1, 0));
    R(close(p[1]));
    for (int i = 0; i < 16; i++) {
        n -= (int)read(p[0], b, 10);
    }
    R(n);
    /* a pipe that was made without */
    R(pipe(p));
    R(fcntl(p[1], F_SETFL, O_DIRECT));
    write(p[1], "1", 1);
    write(p[1], "2", 1);
    take(p[0], 10);
    take(p[0], 10);
    return 0;
}
