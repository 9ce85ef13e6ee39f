/* calls: nanosleep */
/* cc: -static -no-pie */
/* Sleeps that the engine need not stop: what they leave behind, between other calls, signals, threads and errors. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct after {
    uint64_t rcx, r11, flags, rdx;
};

/* One place, as in a runtime that calls the kernel by itself. */
__attribute__((noinline)) static long sleep_raw(const struct timespec *for_time, struct timespec *left, struct after *after)
{
    long result;
    uint64_t rcx, r11, flags, rdx = 0x1234567890;
    register uint64_t r10 __asm__("r10") = 77;
    __asm__ volatile("cmpq $3, %%rdx\n" /* flags that a lost copy would change */
                     "stc\n"
                     "movl $35, %%eax\n"
                     "syscall\n"
                     "pushfq\n"
                     "popq %2\n"
                     : "=&a"(result), "=&c"(rcx), "=&r"(flags), "+d"(rdx), "+r"(r10)
                     : "D"(for_time), "S"(left)
                     : "r11", "memory", "cc");
    __asm__ volatile("movq %%r11, %0" : "=r"(r11));
    *after = (struct after){rcx, r11, flags, rdx};
    return result;
}

/* Two more places, with another number: what each asks for must be answered. */
__attribute__((noinline)) static long wait_raw(void)
{
    long result;
    register long r10 __asm__("r10") = 0;
    __asm__ volatile("movl $232, %%eax\n" /* epoll_wait: there is no such descriptor */
                     "syscall\n"
                     : "=&a"(result), "+r"(r10)
                     : "D"(-1L), "S"(&result), "d"(1L)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

__attribute__((noinline)) static long wake_raw(int *word)
{
    long result;
    register long r10 __asm__("r10") = 0;
    __asm__ volatile("movl $202, %%eax\n" /* futex, without an operation of that number */
                     "syscall\n"
                     : "=&a"(result), "+r"(r10)
                     : "D"(word), "S"(100L), "d"(1L)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static volatile int alarms;
static void on_alarm(int sig)
{
    (void)sig;
    alarms++;
}

static void *other(void *arg)
{
    struct after after;
    struct timespec own = {0, 700000};
    for (int i = 0; i < 20; i++) {
        sleep_raw(&own, NULL, &after);
    }
    return arg;
}

int main(void)
{
    struct after after;
    struct timespec wanted = {0, 0};
    int early = 0, wrong = 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 0; i < 400; i++) {
        wanted.tv_nsec = 20000 + 10 * i;
        uint64_t before = now_ns();
        long result = sleep_raw(&wanted, NULL, &after);
        early += now_ns() < before + wanted.tv_nsec;
        wrong += result != 0 || after.rdx != 0x1234567890 || (after.flags & 0xcd5) != 1 || after.rcx - (uint64_t)sleep_raw > 200;
        if (i % 100 == 50) {
            printf("sleep %d\n", i);
        }
    }
    printf("early %d, wrong %d\n", early, wrong);
    wanted.tv_nsec = 1000000000;
    printf("too many nanoseconds: %ld\n", sleep_raw(&wanted, NULL, &after));
    wanted.tv_nsec = -1;
    printf("fewer than none: %ld\n", sleep_raw(&wanted, NULL, &after));
    wanted.tv_nsec = 0;
    printf("none: %ld\n", sleep_raw(&wanted, NULL, &after));
    wanted.tv_nsec = 20000;
    printf("again: %ld\n", sleep_raw(&wanted, NULL, &after));
    printf("nowhere: %ld\n", sleep_raw((struct timespec *)8, NULL, &after));

    int word = 0, answered = 0;
    wanted.tv_nsec = 20000;
    for (int i = 0; i < 20; i++) {
        answered += wait_raw() == -EBADF;
        answered += wake_raw(&word) == -ENOSYS;
        answered += sleep_raw(&wanted, NULL, &after) == 0;
    }
    printf("three places: %d\n", answered);

    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval timer = {{0, 0}, {0, 5000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    long interrupted = 0;
    wanted.tv_nsec = 30000;
    for (int i = 0; i < 2000 && interrupted == 0 && alarms == 0; i++) {
        interrupted = sleep_raw(&wanted, NULL, &after);
    }
    printf("alarms %d\n", alarms);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < 200; i++) {
        sleep_raw(&wanted, NULL, &after);
    }
    pthread_join(thread, NULL);
    printf("two threads\n");
    return 0;
}
