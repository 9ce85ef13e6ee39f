/* calls: sendto recvfrom poll ioctl */
#include "t.h"

#include <linux/sockios.h>

static int in, out;
static volatile int signals;

static void on_urgent(int sig)
{
    signals++;
}

static void look(void)
{
    struct pollfd p = {.fd = in, .events = POLLIN | POLLPRI | POLLRDBAND};
    int mark = -1, n = -1;
    poll(&p, 1, 0);
    ioctl(in, SIOCATMARK, &mark);
    ioctl(in, FIONREAD, &n);
    printf("revents %#x, mark %d, %d bytes\n", p.revents, mark, n);
    fflush(stdout);
}

static void take(int flags)
{
    char buf[32] = "";
    errno = 0;
    long n = recv(in, buf, sizeof buf - 1, flags | MSG_DONTWAIT);
    printf("%ld '%s'%s%s\n", n, n > 0 ? buf : "", n < 0 ? " " : "", n < 0 ? strerrorname_np(errno) : "");
    fflush(stdout);
}

int main(void)
{
    int fd[2], on = 1;
    tcp_pair(fd);
    out = fd[0];
    in = fd[1];
    look();
    take(MSG_OOB);
    R(send(out, "abcU", 4, MSG_OOB));
    R(send(out, "def", 3, 0));
    look();
    take(0); /* up to the mark */
    look();
    take(MSG_OOB | MSG_PEEK);
    take(MSG_OOB);
    look();
    take(MSG_OOB);
    take(0); /* and on */
    look();
    S("not read at all");
    send(out, "xyU", 3, MSG_OOB);
    send(out, "z", 1, 0);
    take(0);
    take(0);
    look();
    S("only urgent");
    send(out, "U", 1, MSG_OOB);
    look();
    take(0);
    take(MSG_OOB);
    look();
    S("two marks");
    send(out, "aU", 2, MSG_OOB);
    send(out, "bV", 2, MSG_OOB);
    look();
    take(0);
    take(MSG_OOB);
    take(0);
    look();
    S("inline");
    R(setsockopt(in, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on));
    send(out, "abU", 3, MSG_OOB);
    send(out, "cd", 2, 0);
    look();
    take(MSG_OOB);
    take(0);
    look();
    take(0);
    look();
    S("signal, select");
    signal(SIGURG, on_urgent);
    fcntl(in, F_SETOWN, getpid());
    send(out, "S", 1, MSG_OOB);
    while (signals == 0) {
        usleep(1000);
    }
    R(signals);
    fd_set except;
    FD_ZERO(&except);
    FD_SET(in, &except);
    struct timeval none = {0};
    R(select(in + 1, NULL, NULL, &except, &none));
    R(FD_ISSET(in, &except));
    S("datagrams");
    int u = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in a = loop(9);
    R(sendto(u, "x", 1, MSG_OOB, (void *)&a, sizeof a));
    return 0;
}
