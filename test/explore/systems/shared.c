/* Two processes on a node that share memory without a file, which cannot be copied. */
#include <unistd.h>

#include <sys/mman.h>

int main(void)
{
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int me = fork() == 0 ? 1 : 0;
    for (;;) {
        shared[me] += shared[1 - me] + 1;
        sleep(1);
    }
}
