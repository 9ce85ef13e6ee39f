/* expect: failed it spins */
/* limits: spin = "1s" */
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
    for (volatile long i = 0;; i++) {
    }
}
