/* calls: mmap fork */
#include "t.h"

int main(void)
{
    int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t c = fork();
    if (c == 0) {
        p[0] = 42;
        _exit(0);
    }
    waitpid(c, NULL, 0);
    R(p[0]);
    return 0;
}
