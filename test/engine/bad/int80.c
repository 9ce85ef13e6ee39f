/* expect: failed 32-bit system call */
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
    long r;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(20L));
    return 0;
}
