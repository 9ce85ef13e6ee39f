/* Keeps one of each of the rarer kernel objects, and uses all of them every 100 ms: snapshots must hold them.
 * usage: objects */
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    struct mq_attr attr = {.mq_maxmsg = 4, .mq_msgsize = 32};
    struct ip_mreq group = {0};
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(5000)};
    char text[64];
    int pipes[2], tcp[2];
    mqd_t mq = mq_open("/q", O_CREAT | O_RDWR | O_NONBLOCK, 0600, &attr);
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    grantpt(master);
    unlockpt(master);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    pid_t child = fork();
    if (child == 0) {
        for (;;) {
            pause();
        }
    }
    int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
    int u = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    bind(u, (void *)&at, sizeof at);
    inet_aton("239.1.2.3", &group.imr_multiaddr);
    setsockopt(u, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group);
    at.sin_addr = group.imr_multiaddr;
    int l = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(6000)};
    bind(l, (void *)&here, sizeof here);
    listen(l, 1);
    tcp[0] = socket(AF_INET, SOCK_STREAM, 0);
    connect(tcp[0], (void *)&here, sizeof here);
    tcp[1] = accept(l, NULL, NULL);
    pipe(pipes);
    int watch = inotify_init1(IN_NONBLOCK);
    inotify_add_watch(watch, ".", IN_CREATE | IN_DELETE);
    int f = open("sparse", O_CREAT | O_RDWR, 0644);
    for (int i = 0; i < 100; i++) {
        usleep(100000);
        snprintf(text, sizeof text, "%d", i);
        mq_send(mq, text, 8, (unsigned)i % 3);
        mq_send(mq, text, 8, 1);
        mq_receive(mq, text, 32, NULL);
        write(master, "line\n", 5);
        long typed = read(slave, text, sizeof text);
        send(tcp[0], "abU", 3, MSG_OOB);
        long before = recv(tcp[1], text, 32, 0);
        char urgent = 0;
        recv(tcp[1], &urgent, 1, MSG_OOB);
        sendto(u, "g", 1, 0, (void *)&at, sizeof at);
        struct pollfd p[2] = {{.fd = pidfd, .events = POLLIN}, {.fd = u, .events = POLLIN}};
        poll(p, 2, 0);
        write(pipes[1], "pipe", 4);
        fallocate(f, FALLOC_FL_KEEP_SIZE, i * 8192L, 4096);
        splice(pipes[0], NULL, f, NULL, 4, 0);
        close(open("x", O_CREAT | O_WRONLY, 0644));
        unlink("x");
        long events = read(watch, text, sizeof text);
        struct stat st;
        fstat(f, &st);
        printf("%ld %ld %c %d %d %ld %ld %ld\n", typed, before, urgent, p[0].revents, p[1].revents, events, (long)st.st_size,
               (long)st.st_blocks);
        fflush(stdout);
    }
    kill(child, SIGKILL);
    return 0;
}
