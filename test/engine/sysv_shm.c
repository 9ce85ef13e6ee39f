/* calls: shmget shmat shmdt shmctl */
#include "t.h"

#include <sys/ipc.h>
#include <sys/shm.h>

int main(void)
{
    struct shmid_ds ds;
    int id = shmget(IPC_PRIVATE, 5000, IPC_CREAT | 0600);
    R(id >= 0);
    int *p = shmat(id, NULL, 0);
    R(p != (void *)-1);
    R(p[0]);
    p[0] = 7;
    pid_t c = fork();
    if (c == 0) {
        p[0]++;
        shmctl(id, IPC_STAT, &ds);
        _exit((int)ds.shm_nattch);
    }
    int st;
    waitpid(c, &st, 0);
    R(WEXITSTATUS(st));
    R(p[0]);
    R(shmctl(id, IPC_STAT, &ds));
    R(ds.shm_segsz);
    R(ds.shm_nattch);
    R(ds.shm_cpid == getpid());
    const int *q = shmat(id, NULL, SHM_RDONLY);
    R(q[0]);
    R(shmdt(q));
    R(shmdt(q));
    R(shmctl(id, IPC_RMID, NULL));
    R(p[0]);
    R(shmdt(p));
    R(shmctl(id, IPC_STAT, &ds));
    R(shmget(0x12345678, 100, 0));
    R(shmget(IPC_PRIVATE, 0, IPC_CREAT) < 0);
    R(shmat(999999, NULL, 0) == (void *)-1);
    return 0;
}
