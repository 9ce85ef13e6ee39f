/* calls: semget semop semctl semtimedop */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>

#include "t.h"

static int id;
static void *taker(void *arg)
{
    struct sembuf op = {0, -2, 0};
    return (void *)(long)semop(id, &op, 1);
}
static void *zero(void *arg)
{
    struct sembuf op = {1, 0, 0};
    return (void *)(long)(semop(id, &op, 1) == 0 ? 0 : errno == EIDRM ? 1 : 2);
}

int main(void)
{
    R(semget(0x4711ab, 1, 0));
    R((id = semget(0x4711ab, 3, IPC_CREAT | IPC_EXCL | 0600)) >= 0);
    R(semget(0x4711ab, 1, IPC_CREAT | IPC_EXCL));
    R(semget(0x4711ab, 4, 0));
    R(semget(0x4711ab, 2, 0) == id);
    R(semget(IPC_PRIVATE, 0, 0600));
    R(semget(IPC_PRIVATE, -1, 0600));
    unsigned short values[3] = {5, 1, 0};
    R(semctl(id, 0, SETALL, values));
    unsigned short wrong[8] = {40000, 40000, 40000, 40000, 40000, 40000, 40000, 40000};
    int wide = semget(IPC_PRIVATE, 8, 0600);
    R(semctl(wide, 0, SETALL, wrong));
    R(semctl(id, 0, SETALL, values)); /* what was wrong was another's */
    R(semctl(wide, 0, IPC_RMID));
    R(semctl(id, 0, GETVAL));
    R(semctl(id, 3, GETVAL));
    R(semctl(id, 0, SETVAL, 40000));
    R(semctl(id, 0, SETVAL, 3));
    R(semctl(id, 0, GETPID) == getpid());
    struct sembuf two[2] = {
        {0, -1, 0         },
        {2, -1, IPC_NOWAIT}
    };
    R(semop(id, two, 2));
    R(semctl(id, 0, GETVAL)); /* all or none */
    struct sembuf far = {7, 1, 0}, over = {0, 32767, 0};
    R(semop(id, &far, 1));
    R(semop(id, &over, 1));
    R(semop(id, &far, 0));
    R(semop(12345678, &over, 1));
    R(semop(id, NULL, 1));
    struct timespec soon = {0, 10000000};
    struct sembuf many = {0, -10, 0};
    R(semtimedop(id, &many, 1, &soon));
    /* waiting */
    pthread_t t[2];
    void *result;
    R(semctl(id, 0, SETVAL, 0));
    pthread_create(&t[0], NULL, taker, NULL);
    while (semctl(id, 0, GETNCNT) != 1) {
        usleep(1000);
    }
    struct sembuf up = {0, 1, 0};
    R(semop(id, &up, 1));
    R(semctl(id, 0, GETVAL)); /* not enough for the one who waits */
    R(semop(id, &up, 1));
    pthread_join(t[0], &result);
    R((long)result);
    R(semctl(id, 0, GETVAL));
    /* undo */
    if (fork() == 0) {
        struct sembuf undo = {0, 4, SEM_UNDO};
        _exit(semop(id, &undo, 1));
    }
    int status;
    wait(&status);
    R(status);
    R(semctl(id, 0, GETVAL));
    /* removal wakes */
    struct semid_ds ds;
    R(semctl(id, 0, IPC_STAT, &ds));
    R(ds.sem_nsems);
    R(ds.sem_perm.mode & 0777);
    ds.sem_perm.mode = 0640;
    R(semctl(id, 0, IPC_SET, &ds));
    pthread_create(&t[1], NULL, zero, NULL);
    while (semctl(id, 1, GETZCNT) != 1) {
        usleep(1000);
    }
    R(semctl(id, 0, GETALL, values));
    printf("%d %d %d\n", values[0], values[1], values[2]);
    R(semctl(id, 0, IPC_RMID));
    pthread_join(t[1], &result);
    R((long)result);
    R(semctl(id, 0, GETVAL));
    int several[3];
    for (int i = 0; i < 3; i++) {
        several[i] = semget(IPC_PRIVATE, i + 1, 0600);
        R(several[i] >= 0);
        R(semctl(several[i], i, GETVAL));
    }
    R(several[0] != several[1] && several[1] != several[2] && several[0] != several[2]);
    for (int i = 0; i < 3; i++) {
        R(semctl(several[i], 0, IPC_RMID));
        R(semctl(several[i], 0, GETVAL));
    }
    return 0;
}
