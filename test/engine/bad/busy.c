/* expect: failed system calls and still busy (last: getppid) */
/* limits: busy_calls = 500 */
#include <unistd.h>

#include <sys/syscall.h>

int main(void)
{
    for (;;) {
        syscall(SYS_getppid);
    }
}
