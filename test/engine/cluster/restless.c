/* Every ten milliseconds it changes something that only the real kernel knows, or a page in an unusual way: what going back to a
 * snapshot must undo, and what a hash of the state must see. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 64 };

/* Pages of the program's file, all zero but for one word: clearing that leaves a page of zeros. */
static volatile struct {
    long word, zeros[PAGE / sizeof(long) - 1];
} lonely[PAGES] __attribute__((aligned(PAGE))) = {[0 ... PAGES - 1] = {.word = 5}};

static volatile long handled;

static void on_signal(int sig)
{
    handled += sig;
}

static void *wait_a_little(void *arg)
{
    usleep(25000);
    return arg;
}

static void change_actions(long n)
{
    struct sigaction action = {.sa_handler = n % 2 == 0 ? on_signal : SIG_IGN};
    sigaction(SIGUSR1, &action, NULL);
}

static void change_mask(long n)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, n % 2 == 0 ? SIGUSR2 : SIGHUP);
    sigprocmask(SIG_SETMASK, &set, NULL);
}

static void change_stack(long n)
{
    static char stacks[2][16384];
    stack_t stack = {.ss_sp = stacks[n % 2], .ss_size = sizeof stacks[0]};
    sigaltstack(&stack, NULL);
}

static void change_threads(long n)
{
    pthread_t thread;
    if (n % 2 == 0 && pthread_create(&thread, NULL, wait_a_little, NULL) == 0) {
        pthread_detach(thread);
    }
    pid_t child = n % 2 == 1 ? fork() : -1;
    if (child == 0) {
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}

/* With an argument: only what bytes and registers undo, so that no snapshot after the first needs a process. */
int main(int argc, char **argv)
{
    (void)argv;
    int quiet = argc > 1;
    char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int fd = open("data", O_RDWR | O_CREAT, 0644);
    if (ftruncate(fd, 4 * PAGE) != 0) {
        return 1;
    }
    char *file = quiet ? malloc(4 * PAGE) : mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *more = NULL;
    volatile double sum = 0;
    long seen = 0;
    change_actions(0);
    change_mask(0);
    for (long n = 0;; n++) {
        char *page = memory + n * 7 % PAGES * PAGE;
        switch (n % 9) {
        case 0: memset(page, (int)n, 100); break;
        case 1: /* given back, then read: zeros that nobody wrote */
            madvise(memory + (n - 1) * 7 % PAGES * PAGE, PAGE, MADV_DONTNEED);
            seen += memory[(n - 1) * 7 % PAGES * PAGE];
            break;
        case 2: lonely[n / 9 % PAGES].word = 0; break;
        case 3: seen += (long)sbrk(n % 2 != 0 ? 24 : quiet ? -24 : -8); break; /* within a page */
        case 4:
            change_actions(quiet ? 0 : n / 9);
            change_mask(n / 9);
            break;
        case 5:
            if (!quiet) {
                change_threads(n / 9);
            }
            break;
        case 6: /* a file's page in memory of its own */
            lonely[PAGES - 1 - n / 9 % PAGES].zeros[0] = n;
            file[n % (4 * PAGE)] = (char)n;
            break;
        case 7:
            if (more != NULL) {
                munmap(more, PAGE);
            }
            more = quiet || n / 9 % 2 != 0 ? NULL
                                  : mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            break;
        default: sum = sum * 1.5 + (double)n; break;
        }
        if (n % 27 == 0 && !quiet) {
            change_stack(n);
        }
        seen += syscall(SYS_brk, 0);
        raise(SIGUSR1);
        printf("%ld %ld %g\n", n, seen, sum);
        fflush(stdout);
        long kept = n;
        __asm__ volatile("movq %0, %%xmm15" : : "r"(kept) : "xmm15");
        usleep(10000);
        __asm__ volatile("movq %%xmm15, %0" : "=r"(kept) : : "xmm15");
        seen += kept;
    }
}
