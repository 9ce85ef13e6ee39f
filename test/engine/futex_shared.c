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
    long woken;
    do { /* until the child waits, which may take a while on a busy machine */
        usleep(1000);
        woken = syscall(SYS_futex, w, 1, 1);
    } while (woken == 0);
    R(woken);
    __atomic_store_n(w, 7, __ATOMIC_SEQ_CST);
    (void)syscall(SYS_futex, w, 1, 1);
    int st;
    waitpid(c, &st, 0);
    R(WEXITSTATUS(st));
    return 0;
}
