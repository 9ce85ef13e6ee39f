/* calls: clone fork vfork */
/* A call changes rax, rcx and r11: a child that is born in it has all others as its parent does. */
#include "t.h"

enum { REGISTERS = 13 };
static uint64_t seen[REGISTERS];

/* clone(flags) with known values in the registers; in the child they are stored and compared. */
static long born(uint64_t flags)
{
    long result;
    __asm__ volatile("push %%rbp\n\t"
                     "mov $0x1111, %%rbx\n\t"
                     "mov $0, %%esi\n\t"
                     "mov $0, %%edx\n\t"
                     "mov $0, %%r10\n\t"
                     "mov $0x7777, %%r8\n\t"
                     "mov $0x8888, %%r9\n\t"
                     "mov $0x3333, %%r12\n\t"
                     "mov $0x4444, %%r13\n\t"
                     "mov $0x5555, %%r14\n\t"
                     "mov $0x6666, %%r15\n\t"
                     "mov $0x2222, %%rbp\n\t"
                     "syscall\n\t"
                     "mov %%rbx, %[seen]\n\t"
                     "mov %%rdi, 8+%[seen]\n\t"
                     "mov %%rsi, 16+%[seen]\n\t"
                     "mov %%rdx, 24+%[seen]\n\t"
                     "mov %%r10, 32+%[seen]\n\t"
                     "mov %%r8, 40+%[seen]\n\t"
                     "mov %%r9, 48+%[seen]\n\t"
                     "mov %%r12, 56+%[seen]\n\t"
                     "mov %%r13, 64+%[seen]\n\t"
                     "mov %%r14, 72+%[seen]\n\t"
                     "mov %%r15, 80+%[seen]\n\t"
                     "mov %%rbp, 88+%[seen]\n\t"
                     "pop %%rbp\n\t"
                     : "=a"(result), [seen] "=m"(seen)
                     : "a"(SYS_clone), "D"(flags)
                     : "rbx", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "memory");
    return result;
}

static void show(const char *who)
{
    printf("%s:", who);
    for (int i = 0; i < REGISTERS; i++) {
        printf(" %llx", (unsigned long long)seen[i]);
    }
    puts("");
    fflush(stdout);
}

int main(void)
{
    int status = 0;
    long pid = born(SIGCHLD);
    if (pid == 0) {
        show("child");
        _exit(4);
    }
    R(waitpid((pid_t)pid, &status, 0) == pid);
    R(WEXITSTATUS(status));
    show("parent");
    return 0;
}
