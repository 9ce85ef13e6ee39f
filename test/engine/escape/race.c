/* expect: ok held */
/* ways: threads processes addresses exec */
/* Others change what a call refers to (its path, its vector, its address) while the engine looks at it: in shared memory, between check
 * and use. */
#include "escape.h"

#include <pthread.h>
#include <sched.h>
#include <sys/uio.h>
#include <sys/wait.h>

struct shared {
    char path[4096];
    struct sockaddr_in to;
    struct iovec vector;
    volatile int end;
};
static struct shared *s;

static void *change(void *arg)
{
    for (unsigned i = 0; !s->end; i++) {
        strcpy(s->path, i % 2 ? victim : "/data/mine");
        s->to.sin_addr.s_addr = htonl(i % 2 ? INADDR_LOOPBACK : 0x0a000001);
        s->vector.iov_base = i % 2 ? (void *)PAGE_CODE : s->path;
        if (i % 3 == 0) {
            sched_yield();
        } else {
            usleep(1);
        }
    }
    return arg;
}

static int attack(void)
{
    int out = 0;
    for (int i = 0; i < 300; i++) {
        int fd = open(s->path, O_RDWR | O_CREAT, 0644);
        if (fd >= 0) {
            char link[64], name[4096] = "";
            snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
            readlink(link, name, sizeof name - 1);
            if (strncmp(name, "/data/", 6) != 0) {
                printf("opened '%s'\n", name);
                out++;
            }
            char *m = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            ftruncate(fd, 4096);
            if (m != MAP_FAILED) {
                memcpy(m, "out", 3);
                munmap(m, 4096);
            }
        }
        s->vector.iov_len = 64;
        preadv(fd, &s->vector, 1, 0);
        close(fd);
        truncate(s->path, 1);
        int u = socket(AF_INET, SOCK_DGRAM, 0), t = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        sendto(u, "out", 3, 0, (void *)&s->to, sizeof s->to);
        connect(t, (void *)&s->to, sizeof s->to);
        close(u), close(t);
    }
    return out;
}

/* Maps and unmaps what the other one uses. */
static void *remap(void *arg)
{
    while (!s->end) {
        mmap(arg, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        strcpy(arg, victim);
        sched_yield();
        munmap(arg, 4096);
        usleep(1);
    }
    return arg;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    s->to = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    strcpy(s->path, "/data/mine");
    pthread_t t[3];
    int out = 0;
    if (is("processes")) {
        pid_t pid = fork();
        if (pid == 0) {
            change(NULL);
            _exit(0);
        }
        out = attack();
        s->end = 1;
        waitpid(pid, NULL, 0);
    } else if (is("addresses")) {
        char *at = (char *)0x30000000;
        pthread_create(&t[0], NULL, remap, at);
        for (int i = 0; i < 500; i++) {
            out += open(at, O_WRONLY) >= 0;
            out += unlink(at) == 0;
            usleep(1);
        }
        s->end = 1;
        pthread_join(t[0], NULL);
    } else if (is("exec")) {
        for (int i = 0; i < 20; i++) {
            pid_t pid = fork();
            if (pid == 0) {
                char *args[] = {s->path, NULL};
                pthread_create(&t[0], NULL, change, NULL);
                usleep(i);
                execv(s->path, args);
                _exit(1);
            }
            int status = 0;
            waitpid(pid, &status, 0);
            out += status == 0;
        }
    } else {
        for (int i = 0; i < 3; i++) {
            pthread_create(&t[i], NULL, change, NULL);
        }
        out = attack();
        s->end = 1;
        for (int i = 0; i < 3; i++) {
            pthread_join(t[i], NULL);
        }
    }
    return verdict(out);
}
