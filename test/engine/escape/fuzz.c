/* expect: ok|failed held|it has changed the memory|the engine keeps its own memory|kernel_mb|still busy|no node has opened a socket */
/* limits: memory_mb = 256, kernel_mb = 256, busy_calls = 200000 */
/* ways: 1 2 3 4 5 6 */
/* Random system calls with arguments that hurt, in children that end when they hang: whatever they are answered, the engine goes on. */
#include "escape.h"

#include <sys/wait.h>

static uint64_t state;
static uint64_t any(uint64_t n)
{
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % n;
}

static char area[65536] __attribute__((aligned(4096)));

static long argument(void)
{
    static const long values[] = {0, 1, 2, 3, 7, 8, 16, 64, 100, 511, 4095, 4096, 4097, 65536, 1 << 20, 0x7fffffff, 0x80000000, 0xffffffff, -1, -2, -100, -4096, INT64_MAX,
                                  INT64_MIN, 1L << 40, 1L << 47, 1L << 62, PAGE_DATA, PAGE_CODE, PAGE_SCRATCH, PAGE_END - 8, PAGE_DATA - 4096};
    switch (any(4)) {
    case 0: return values[any(sizeof values / sizeof values[0])];
    case 1: return (long)area + (long)any(sizeof area);
    case 2: return (long)any(12);
    default: return (long)(area + 4096 * any(16));
    }
}

static void child(void)
{
    static const int never[] = {SYS_exit, SYS_exit_group, SYS_fork, SYS_vfork, SYS_clone, SYS_execve, SYS_execveat, SYS_kill, SYS_tkill, SYS_tgkill,
                                SYS_rt_sigreturn, SYS_pause, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_mmap, SYS_brk, SYS_shmat, SYS_rt_sigsuspend, SYS_arch_prctl, SYS_prctl,
                                SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sigaltstack, SYS_madvise, SYS_alarm, SYS_setitimer};
    for (size_t i = 0; i < sizeof area; i += 8) {
        *(long *)(area + i) = any(3) == 0 ? argument() : (long)any(70);
    }
    strcpy(area, "/data/a"), strcpy(area + 4096, "/data"), strcpy(area + 8192, victim), strcpy(area + 12288, "/proc/self/mem");
    for (int i = 0; i < 400; i++) {
        long nr = (long)any(451);
        bool skip = nr >= 335 && nr < 424;
        for (size_t k = 0; k < sizeof never / sizeof never[0]; k++) {
            skip = skip || nr == never[k];
        }
        if (!skip && !(nr >= SYS_mq_open && nr <= SYS_mq_getsetattr)) {
            raw(nr, argument(), argument(), argument(), argument(), argument(), argument());
        }
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    state = (uint64_t)atoi(way) * 7919;
    for (int i = 0; i < 25; i++) {
        uint64_t seed = any(1000000);
        pid_t pid = fork();
        if (pid == 0) {
            state = seed;
            ualarm(50000, 0);
            close(1), close(2);
            dup(open("/dev/null", O_RDWR));
            child();
        }
        int status;
        waitpid(pid, &status, 0);
    }
    return verdict(0);
}
