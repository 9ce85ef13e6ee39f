/* Asks again and again without waiting until the answer is there: recv, read and epoll_wait. */
/* prints: recv: answer, read: answer, epoll_wait: timer, epoll_wait: answer, the end of a file: more */
#include "peer.h"

static int server(void)
{
    char word[16];
    int fd = peer_accept();
    while (recv(fd, word, sizeof word, 0) > 0) {
        usleep(30000);
        send(fd, "answer", 6, 0);
    }
    return 0;
}

static void *append(void *path)
{
    usleep(20000);
    int fd = open(path, O_WRONLY | O_APPEND);
    return write(fd, "more", 4) == 4 ? path : NULL;
}

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "server") == 0) {
        return server();
    }
    char word[16] = "";
    int fd = peer_connect(argv[2]);
    send(fd, "1", 1, 0);
    while (recv(fd, word, sizeof word, MSG_DONTWAIT) < 0) {
    }
    printf("recv: %.6s\n", word);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    send(fd, "2", 1, 0);
    while (read(fd, word, sizeof word) < 0 && errno == EAGAIN) {
    }
    printf("read: %.6s\n", word);
    /* A timer and an answer, of which the timer comes first. */
    int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct epoll_event ev = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev);
    ev.data.fd = timer;
    epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &ev);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 10000000}, NULL);
    send(fd, "3", 1, 0);
    for (int got = 0; got < 2;) {
        if (epoll_wait(epoll, &ev, 1, 0) == 1) {
            printf("epoll_wait: %s\n", ev.data.fd == timer ? "timer" : "answer");
            read(ev.data.fd, word, sizeof word);
            got++;
        }
    }
    /* A file that another thread writes to. */
    char path[] = "/tmp/fileXXXXXX";
    int file = mkstemp(path);
    pthread_t thread;
    pthread_create(&thread, NULL, append, path);
    while (read(file, word, 4) == 0) {
    }
    printf("the end of a file: %.4s\n", word);
    return 0;
}
