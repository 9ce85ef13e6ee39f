/* expect: ok all 9 refused */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/syscall.h>

int main(void)
{
    static const unsigned long flags[] = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,    CLONE_NEWUSER,           CLONE_NEWPID,
                                          CLONE_NEWNET, CLONE_PTRACE, CLONE_NEWCGROUP, CLONE_NEWNS | CLONE_VFORK};
    int refused = 0;
    for (int i = 0; i < 9; i++) {
        long pid = syscall(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) {
            _exit(0);
        }
        refused += pid < 0 && errno == EPERM;
    }
    printf("all %d refused\n", refused);
    return 0;
}
