/* calls: futex mmap */
#include "t.h"

int main(void)
{
    uint32_t *w = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t c = fork();
    if (c == 0) {
        while (__atomic_load_n(w, __ATOMIC_SEQ_CST) == 0) {
            syscall(SYS_futex, w, 0, 0, NULL);
        }
        _exit(*w);
    }
    usleep(20000);
    __atomic_store_n(w, 7, __ATOMIC_SEQ_CST);
    R(syscall(SYS_futex, w, 1, 1));
    int st;
    waitpid(c, &st, 0);
    R(WEXITSTATUS(st));
    return 0;
}
