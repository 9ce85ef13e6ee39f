/* For programs that look for a way out of the engine. Each is started as NAME VICTIM FRESH PORT [WAY]: a real file that it must not
 * change, a real name that it must not create, a real port of 127.0.0.1 that it must not reach. The script looks at these afterwards.
 * A program says "held" when every attempt was answered as it should be; whatever it says else is shown. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* The page that programs share with the engine: see src/tracee/tracee.h. */
#define PAGE_DATA    0x70000000L
#define PAGE_CODE    0x70001000L
#define PAGE_SCRATCH 0x70002000L
#define PAGE_END     0x70004000L
enum { NOW = 0, SPIN = 1, READS = 2, SLEEPS = 9, CALL_NR = 10, CALL_AFTER = 11, SLEEP = 16, CALL_A = 496 };
#define WORD(i) (((volatile uint64_t *)PAGE_DATA)[i])

static const char *victim, *fresh, *way;
static int port;

static void begin(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s VICTIM FRESH PORT [WAY]\n", argv[0]);
        exit(2);
    }
    victim = argv[1];
    fresh = argv[2];
    port = atoi(argv[3]);
    way = argc > 4 ? argv[4] : "";
    setvbuf(stdout, NULL, _IONBF, 0);
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

/* A call with nothing between us and the kernel. */
static inline long raw(long nr, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
    return r;
}

/* Calls that would be seen from outside, made by whatever way `call` is. Returns how many seem to have worked. */
typedef long (*call_fn)(long nr, long a, long b, long c, long d, long e, long f);
static int try_all(call_fn call)
{
    int out = 0;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    out += call(SYS_open, (long)fresh, O_CREAT | O_WRONLY, 0644, 0, 0, 0) >= 0;
    out += call(SYS_open, (long)victim, O_WRONLY | O_TRUNC, 0, 0, 0, 0) >= 0;
    out += call(SYS_truncate, (long)victim, 0, 0, 0, 0, 0) >= 0;
    out += call(SYS_unlink, (long)victim, 0, 0, 0, 0, 0) >= 0;
    out += call(SYS_rename, (long)victim, (long)fresh, 0, 0, 0, 0) >= 0;
    out += call(SYS_mkdir, (long)fresh, 0755, 0, 0, 0, 0) >= 0;
    long s = call(SYS_socket, AF_INET, SOCK_STREAM, 0, 0, 0, 0);
    out += call(SYS_connect, s, (long)&to, sizeof to, 0, 0, 0) >= 0;
    long u = call(SYS_socket, AF_INET, SOCK_DGRAM, 0, 0, 0, 0);
    (void)call(SYS_sendto, u, (long)"out", 3, 0, (long)&to, sizeof to);
    long parent = raw(SYS_getppid, 0, 0, 0, 0, 0, 0);
    if (parent == 1) { /* in truth the engine, which must go on */
        (void)call(SYS_kill, parent, SIGKILL, 0, 0, 0, 0);
    }
    return out;
}

static int verdict(int out)
{
    printf(out == 0 ? "held\n" : "%d attempts seem to have worked\n", out);
    return out == 0 ? 0 : 1;
}
