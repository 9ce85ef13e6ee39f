/* calls: mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr */
#include "t.h"

#include <mqueue.h>

static volatile int code, value, threads;
static int told[2];

static void on_signal(int sig, siginfo_t *info, void *context)
{
    code = info->si_code;
    value = info->si_value.sival_int;
}

static void on_thread(union sigval v)
{
    threads = v.sival_int;
    write(told[1], "t", 1);
}

static void take(mqd_t q)
{
    char b[64] = "";
    unsigned p = 99;
    errno = 0;
    long n = mq_receive(q, b, sizeof b, &p);
    printf("%ld '%s' %u %s\n", n, b, p, n < 0 ? strerrorname_np(errno) : "");
    fflush(stdout);
}

int main(void)
{
    struct mq_attr a = {.mq_maxmsg = 3, .mq_msgsize = 64}, got;
    struct timespec past = {1, 0}, bad = {1, -1};
    char name[64], b[64], c;
    int st;
    snprintf(name, sizeof name, "/assay-test-%d", getpid());
    R(mq_open(name, O_RDWR));
    mqd_t q = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &a);
    R(q >= 0);
    R(mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &a));
    R(fcntl(q, F_GETFD));
    R(mq_getattr(q, &got));
    printf("%ld %ld %ld %ld\n", got.mq_flags, got.mq_maxmsg, got.mq_msgsize, got.mq_curmsgs);
    S("order");
    R(mq_send(q, "low", 3, 1));
    R(mq_send(q, "high", 4, 5));
    R(mq_send(q, "low2", 4, 1));
    a.mq_flags = O_NONBLOCK;
    R(mq_setattr(q, &a, &got));
    R(got.mq_curmsgs);
    R(mq_send(q, "full", 4, 0));
    struct pollfd p = {.fd = q, .events = POLLIN | POLLOUT};
    R(poll(&p, 1, 0));
    R(p.revents);
    char text[128] = "";
    R(read(q, text, sizeof text - 1));
    printf("%s", text);
    take(q);
    take(q);
    take(q);
    take(q);
    R(poll(&p, 1, 0));
    R(p.revents);
    S("errors");
    R(mq_send(q, b, 65, 0));
    R(mq_send(q, "x", 1, 32768));
    R(mq_receive(q, b, 63, NULL));
    R(mq_send(q, "", 0, 0));
    R(mq_receive(q, b, 64, NULL));
    mqd_t r = mq_open(name, O_RDONLY), w = mq_open(name, O_WRONLY);
    R(mq_send(r, "x", 1, 0));
    R(mq_receive(w, b, 64, NULL));
    R(mq_send(1, "x", 1, 0));
    R(mq_timedreceive(r, b, 64, NULL, &past));
    R(mq_timedreceive(r, b, 64, NULL, &bad));
    a = (struct mq_attr){.mq_maxmsg = 0, .mq_msgsize = 10};
    R(mq_open("/assay-test-bad", O_RDWR | O_CREAT, 0600, &a));
    R(mq_open("/", O_RDWR | O_CREAT, 0600, NULL));
    R(mq_open("/a/b", O_RDWR | O_CREAT, 0600, NULL));
    S("notification");
    struct sigaction act = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &act, NULL);
    struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
    R(mq_notify(q, &e));
    R(mq_notify(q, &e));
    R(mq_send(q, "n", 1, 0));
    R(code == SI_MESGQ);
    R(value);
    code = 0;
    R(mq_send(q, "m", 1, 0));
    R(code);
    R(mq_notify(q, &e));
    R(mq_notify(q, NULL));
    pipe(told);
    take(q);
    take(q);
    e = (struct sigevent){.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_thread, .sigev_value.sival_int = 8};
    R(mq_notify(q, &e));
    R(mq_send(q, "t", 1, 0));
    R(read(told[0], &c, 1));
    R(threads);
    take(q);
    S("waiting");
    int ready[2];
    pipe(ready);
    if (fork() == 0) {
        read(ready[0], &c, 1);
        mq_send(w, "late", 4, 2);
        _exit(0);
    }
    write(ready[1], "x", 1);
    take(r);
    wait(&st);
    S("names");
    R(mq_unlink(name));
    R(mq_unlink(name));
    R(mq_send(q, "still", 5, 0));
    take(q);
    R(mq_open(name, O_RDWR));
    R(mq_close(q));
    return 0;
}
