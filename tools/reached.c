/* Notes which basic blocks of a program ran; tools/mutants links it to a build with -fsanitize-coverage=trace-pc.
 *
 * One byte for each byte of code, in a file $ASSAY_REACHED/PROGRAM that all processes share: so what ran is known however a
 * process ends. Without the variable nothing is noted. */
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

extern char __executable_start[], etext[];
static volatile uint8_t *reached;

void __sanitizer_cov_trace_pc(void)
{
    if (reached != NULL) {
        reached[(char *)__builtin_return_address(0) - __executable_start] = 1;
    }
}

__attribute__((constructor(101))) static void begin(void)
{
    const char *dir = getenv("ASSAY_REACHED");
    char program[PATH_MAX], file[2 * PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (dir == NULL || n <= 0) {
        return;
    }
    program[n] = '\0';
    (void)snprintf(file, sizeof file, "%s%s", dir, strrchr(program, '/'));
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        return;
    }
    (void)fchmod(fd, 0666);
    size_t size = (size_t)(etext - __executable_start);
    void *at = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0) {
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    (void)close(fd);
    reached = at == MAP_FAILED ? NULL : at;
}
