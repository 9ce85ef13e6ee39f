/* expect: failed it uses more than 64 MB of memory */
/* limits: memory_mb = 64 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Terabytes that nobody reserves are free; what is touched of them counts. */
int main(void)
{
    size_t n = (size_t)1 << 42;
    char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    for (size_t i = 0; i < 32; i++) {
        memset(p + (i << 30), 1, 1 << 20);
    }
    printf("32 MB\n");
    fflush(stdout);
    for (size_t i = 32;; i++) {
        memset(p + (i << 30), 1, 1 << 20);
        getppid();
    }
}
