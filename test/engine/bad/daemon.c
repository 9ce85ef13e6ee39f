/* expect: ok */
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
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            for (;;) {
                sleep(1);
            }
        }
        _exit(0);
    }
    return 0;
}
