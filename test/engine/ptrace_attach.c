/* calls: ptrace wait4 */
#include "t.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <elf.h>

static long word = 42;

int main(void)
{
    int go[2], done[2], status = 0;
    char c = 0;
    pipe(go);
    pipe(done);
    pid_t child = fork();
    if (child == 0) {
        word = 43;
        write(done[1], "r", 1); /* ready */
        read(go[0], &c, 1);
        write(done[1], &c, 1);
        _exit(7);
    }
    read(done[0], &c, 1);
    R(ptrace(PTRACE_ATTACH, getpid(), 0, 0));
    R(ptrace(PTRACE_ATTACH, 999999, 0, 0));
    struct user_regs_struct regs = {0};
    R(ptrace(PTRACE_GETREGS, child, 0, &regs));
    R(ptrace(PTRACE_ATTACH, child, 0, 0));
    R(waitpid(child, &status, __WALL) == child);
    printf("stopped %d by %d\n", WIFSTOPPED(status), WSTOPSIG(status));
    R(ptrace(PTRACE_ATTACH, child, 0, 0));
    R(ptrace(PTRACE_GETREGS, child, 0, &regs));
    printf("stack %s\n", regs.rsp != 0 ? "known" : "unknown");
    struct user_regs_struct set = {0};
    struct iovec iov = {&set, sizeof set};
    R(ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &iov));
    printf("%zu bytes, the same stack %d\n", iov.iov_len, set.rsp == regs.rsp);
    R(ptrace(PTRACE_GETREGSET, child, 0x7777, &iov));
    errno = 0;
    printf("word %ld\n", ptrace(PTRACE_PEEKDATA, child, &word, 0));
    write(go[1], "x", 1);
    R(waitpid(child, &status, WNOHANG));
    R(ptrace(PTRACE_DETACH, child, 0, 0));
    R(ptrace(PTRACE_GETREGS, child, 0, &regs));
    R(read(done[0], &c, 1));
    printf("%c\n", c);
    R(waitpid(child, &status, 0) == child);
    printf("status %d\n", WEXITSTATUS(status));
    return 0;
}
