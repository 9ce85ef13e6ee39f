/* What is told about shared memory, semaphores and queues of both kinds, after each thing that happens to them. */
/* cc: -lrt */
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "../t.h"

static void perm(const struct ipc_perm *p, key_t key)
{
    printf(" key %d seq %d mode %o owner %d creator %d", p->__key == key, p->__seq, p->mode, p->uid == geteuid(), p->cuid == geteuid());
}

static void show_shm(int id)
{
    struct shmid_ds d;
    memset(&d, 0x55, sizeof d);
    if (shmctl(id, IPC_STAT, &d) != 0) {
        printf("shm: %s\n", strerrorname_np(errno));
        return;
    }
    printf("shm");
    perm(&d.shm_perm, 77);
    printf(" size %zu attached %lu times %d %d %d pids %d %d\n", d.shm_segsz, d.shm_nattch, d.shm_atime != 0, d.shm_dtime != 0, d.shm_ctime != 0,
           d.shm_cpid == getpid(), d.shm_lpid == getpid());
}

static void shared(void)
{
    int id = shmget(77, 5000, IPC_CREAT | IPC_EXCL | 0640);
    printf("id %d\n", id);
    show_shm(id);
    char *a = shmat(id, NULL, 0), *b = shmat(id, NULL, SHM_RDONLY);
    strcpy(a, "hello");
    printf("%s\n", b);
    show_shm(id);
    R(shmget(77, 5000, 0));
    R(shmget(77, 5001, 0));
    R(shmget(77, 1, IPC_CREAT | IPC_EXCL));
    R(shmget(78, 1, 0));
    R(shmget(78, 0, IPC_CREAT));
    struct shmid_ds d;
    shmctl(id, IPC_STAT, &d);
    d.shm_perm.mode = 07752;
    R(shmctl(id, IPC_SET, &d));
    R(shmctl(id, IPC_SET, NULL));
    show_shm(id);
    R(shmdt(b));
    R(shmdt(b));
    R(shmdt(a + 1));
    show_shm(id);
    R(shmat(id, a, 0) == (void *)-1);
    R(shmat(id, (void *)0x1001, 0) == (void *)-1);
    R(shmat(9999, NULL, 0) == (void *)-1);
    R(shmctl(id, IPC_RMID, NULL));
    show_shm(id);
    R(shmget(77, 5000, 0));
    R(shmdt(a));
    show_shm(id);
    R(shmctl(id, 99, NULL));
    R(shmctl(id, IPC_RMID, NULL));
    int next = shmget(IPC_PRIVATE, 10, 0600);
    printf("next %d\n", next);
    R(shmctl(next, 99, &d));
    R(shmctl(next, IPC_RMID, NULL));
}

static void show_sem(int id)
{
    struct semid_ds d;
    unsigned short all[4] = {9, 9, 9, 9};
    memset(&d, 0x55, sizeof d);
    R(semctl(id, 0, IPC_STAT, &d));
    printf("sem");
    perm(&d.sem_perm, 88);
    printf(" n %lu times %d %d\n", d.sem_nsems, d.sem_otime != 0, d.sem_ctime != 0);
    R(semctl(id, 0, GETALL, all));
    for (int i = 0; i < 3; i++) {
        printf(" %u/%d/%d/%d/%d", all[i], semctl(id, i, GETVAL), semctl(id, i, GETPID) == getpid(), semctl(id, i, GETNCNT), semctl(id, i, GETZCNT));
    }
    printf("\n");
}

static void semaphores(void)
{
    int id = semget(88, 3, IPC_CREAT | 0600);
    printf("id %d\n", id);
    show_sem(id);
    struct sembuf ops[] = {{0, 2, 0}, {1, 5, SEM_UNDO}, {2, 0, 0}};
    R(semop(id, ops, 3));
    show_sem(id);
    unsigned short all[] = {7, 8, 9};
    R(semctl(id, 0, SETALL, all));
    R(semctl(id, 1, SETVAL, 3));
    R(semctl(id, 1, SETVAL, 32768));
    R(semctl(id, 1, SETVAL, -1));
    R(semctl(id, 3, SETVAL, 1));
    R(semctl(id, -1, GETVAL));
    show_sem(id);
    struct sembuf no = {0, -9, IPC_NOWAIT}, beyond = {3, 1, 0}, much = {0, 32767, 0}, zero = {0, 0, IPC_NOWAIT};
    R(semop(id, &no, 1));
    R(semop(id, &zero, 1));
    R(semop(id, &beyond, 1));
    R(semop(id, &much, 1));
    R(semop(id, &no, 0));
    R(semop(id, &no, 501));
    struct timespec little = {0, 5000000};
    struct sembuf waits = {0, -9, 0};
    R(semtimedop(id, &waits, 1, &little));
    R(semget(88, 4, 0));
    R(semget(88, 3, IPC_CREAT | IPC_EXCL));
    R(semget(89, 0, IPC_CREAT));
    R(semget(89, 32001, IPC_CREAT));
    int child = fork(), st;
    if (child == 0) {
        struct sembuf back = {2, 1, SEM_UNDO};
        semop(id, &back, 1);
        semctl(id, 2, SETVAL, 5); /* forgets what was to be undone */
        back.sem_num = 1;
        semop(id, &back, 1);
        int other = fork();
        if (other == 0) {
            struct sembuf one = {1, 1, 0};
            semop(id, &one, 1); /* the last one, until its parent ends */
            _exit(0);
        }
        waitpid(other, &st, 0);
        _exit(0);
    }
    waitpid(child, &st, 0);
    printf("undone: %d %d\n", semctl(id, 1, GETVAL), semctl(id, 1, GETPID) == child);
    struct semid_ds d;
    semctl(id, 0, IPC_STAT, &d);
    d.sem_perm.mode = 0777;
    R(semctl(id, 0, IPC_SET, &d));
    show_sem(id);
    R(semctl(id, 0, IPC_RMID));
    R(semctl(id, 0, GETVAL));
    R(semop(id, ops, 1));
}

static void show_msg(int id)
{
    struct msqid_ds d;
    memset(&d, 0x55, sizeof d);
    R(msgctl(id, IPC_STAT, &d));
    printf("msg");
    perm(&d.msg_perm, 99);
    printf(" n %lu bytes %lu most %lu times %d %d %d pids %d %d\n", d.msg_qnum, d.__msg_cbytes, d.msg_qbytes, d.msg_stime != 0, d.msg_rtime != 0, d.msg_ctime != 0,
           d.msg_lspid == getpid(), d.msg_lrpid == getpid());
}

static void queues(void)
{
    struct {
        long type;
        char text[100];
    } m = {3, "three"};
    int id = msgget(99, IPC_CREAT | 0600);
    show_msg(id);
    R(msgsnd(id, &m, 6, 0));
    m.type = 5;
    R(msgsnd(id, &m, 100, 0));
    m.type = 0;
    R(msgsnd(id, &m, 1, 0));
    R(msgsnd(id, &m, 9000, 0));
    show_msg(id);
    R(msgrcv(id, &m, 3, 3, 0));
    R(msgrcv(id, &m, 3, 3, MSG_NOERROR));
    R(msgrcv(id, &m, 100, 4, IPC_NOWAIT));
    R(msgrcv(id, &m, 100, -4, IPC_NOWAIT));
    R(msgrcv(id, &m, 100, -5, IPC_NOWAIT));
    printf("%ld %.5s\n", m.type, m.text);
    show_msg(id);
    struct msqid_ds d;
    msgctl(id, IPC_STAT, &d);
    d.msg_qbytes = 50;
    d.msg_perm.mode = 0666;
    R(msgctl(id, IPC_SET, &d));
    m.type = 1;
    R(msgsnd(id, &m, 50, IPC_NOWAIT));
    R(msgsnd(id, &m, 1, IPC_NOWAIT));
    show_msg(id);
    R(msgctl(id, 99, &d));
    R(msgctl(id, IPC_RMID, NULL));
    R(msgsnd(id, &m, 1, 0));
    R(msgget(99, 0));
}

static void show_mq(mqd_t q)
{
    struct mq_attr a;
    struct stat st;
    memset(&a, 0x55, sizeof a);
    R(mq_getattr(q, &a));
    printf("flags %lo most %ld size %ld now %ld\n", a.mq_flags, a.mq_maxmsg, a.mq_msgsize, a.mq_curmsgs);
    R(fstat(q, &st));
    printf("mode %o links %lu size %ld blksize %ld blocks %ld owner %d\n", st.st_mode, (unsigned long)st.st_nlink, (long)st.st_size, (long)st.st_blksize, (long)st.st_blocks,
           st.st_uid == geteuid());
    char text[200] = "";
    lseek(q, 0, SEEK_SET);
    ssize_t n = read(q, text, sizeof text - 1);
    printf("%zd %.*s", n, n > 0 ? (int)n : 0, text);
}

static void posix_queues(void)
{
    static const struct mq_attr tries[] = {{0, 1, 1}, {0, 0, 1}, {0, 1, 0}, {0, 10, 8192}, {0, -1, 1}};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        mq_unlink("/t");
        mqd_t q = mq_open("/t", O_RDWR | O_CREAT, 0600, &tries[i]);
        printf("try %zu: %s\n", i, q == -1 ? strerrorname_np(errno) : "ok");
        if (q != -1) {
            mq_close(q);
        }
    }
    mqd_t q = mq_open("/q", O_RDWR | O_CREAT | O_NONBLOCK, 0640, NULL);
    show_mq(q);
    char text[8192];
    unsigned prio = 9;
    R(mq_send(q, "low", 3, 1));
    R(mq_send(q, "high", 4, 7));
    R(mq_send(q, "high2", 5, 7));
    R(mq_send(q, "", 0, 32767));
    R(mq_send(q, "x", 1, 32768));
    R(mq_send(q, text, 8193, 1));
    show_mq(q);
    struct stat st;
    R(stat("/dev/mqueue/q", &st));
    R(mq_receive(q, text, 8191, &prio));
    for (int i = 0; i < 5; i++) {
        prio = 999;
        ssize_t n = mq_receive(q, text, sizeof text, &prio);
        printf("%zd %u %.*s %s\n", n, prio, n > 0 ? (int)n : 0, text, n < 0 ? strerrorname_np(errno) : "");
    }
    for (int i = 0; i < 11; i++) {
        R(mq_send(q, "x", 1, (unsigned)i));
    }
    struct mq_attr a = {.mq_flags = 0}, old;
    R(mq_setattr(q, &a, &old));
    printf("%lo %ld %ld %ld\n", old.mq_flags, old.mq_maxmsg, old.mq_msgsize, old.mq_curmsgs);
    a.mq_flags = 1;
    R(mq_setattr(q, &a, NULL));
    struct timespec past = {1, 0}, wrong = {1, 1000000000};
    R(mq_timedsend(q, "x", 1, 0, &past));
    R(mq_timedsend(q, "x", 1, 0, &wrong));
    struct pollfd p = {q, POLLIN | POLLOUT, 0};
    poll(&p, 1, 0);
    printf("poll %x\n", p.revents);
    while (mq_getattr(q, &a) == 0 && a.mq_curmsgs > 0) {
        mq_receive(q, text, sizeof text, &prio);
        printf(" %u", prio);
    }
    poll(&p, 1, 0);
    printf(" poll %x\n", p.revents);
    mqd_t r = mq_open("/q", O_RDONLY), w = mq_open("/q", O_WRONLY);
    R(mq_send(r, "x", 1, 0));
    R(mq_receive(w, text, sizeof text, NULL));
    R(mq_open("/none", O_RDWR));
    R(mq_open("none", O_RDWR | O_CREAT, 0600, NULL));
    R(mq_open("/a/b", O_RDWR | O_CREAT, 0600, NULL));
    R(mq_open("/q", O_RDWR | O_CREAT | O_EXCL, 0600, NULL));
    R(mq_unlink("/q"));
    R(mq_unlink("/q"));
    show_mq(q);
}

/* Who waits for a queue, in poll, in epoll and in the call itself, is woken by another process. */
static void woken(void)
{
    struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 4};
    struct epoll_event e = {.events = EPOLLIN | EPOLLOUT | EPOLLET};
    mqd_t q = mq_open("/w", O_RDWR | O_CREAT, 0600, &a);
    char text[4];
    int ep = epoll_create1(0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < 3; i++) {
            usleep(20000);
            mq_send(q, "m", 1, 0);
            usleep(20000);
            mq_receive(q, text, 4, NULL);
        }
        usleep(20000);
        mq_send(q, "last", 4, 0);
        _exit(0);
    }
    struct pollfd p = {q, POLLIN, 0};
    R(poll(&p, 1, 5000));
    printf("%x\n", p.revents);
    p.events = POLLOUT;
    R(poll(&p, 1, 5000));
    printf("%x\n", p.revents);
    epoll_ctl(ep, EPOLL_CTL_ADD, q, &e);
    for (int i = 0; i < 4; i++) {
        R(epoll_wait(ep, &e, 1, 5000));
        printf("%x\n", e.events);
    }
    waitpid(pid, NULL, 0);
    R(mq_receive(q, text, 4, NULL));
    mq_unlink("/w");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    shared();
    semaphores();
    queues();
    posix_queues();
    woken();
    return 0;
}
