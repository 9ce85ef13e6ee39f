/* expect: failed still busy */
/* limits: busy_calls = 20000 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

int main(void)
{
    for (;;) {
        syscall(SYS_sched_yield);
    }
}
