/* calls: msgget msgsnd msgrcv msgctl */
#include "t.h"
#include <sys/ipc.h>
#include <sys/msg.h>

struct m {
    long type;
    char text[9000];
};
static int id;
static struct m in, out;

static long put(long type, const char *text, int flags)
{
    out.type = type;
    strcpy(out.text, text);
    return msgsnd(id, &out, strlen(text), flags);
}
static void get(long type, size_t room, int flags)
{
    memset(&in, 0, sizeof in);
    long n = msgrcv(id, &in, room, type, flags);
    if (n < 0) {
        printf("get %ld: %s\n", type, strerror(errno));
    } else {
        printf("get %ld: %ld '%s' of %ld\n", type, n, in.text, in.type);
    }
}
static void *getter(void *arg)
{
    struct m m;
    memset(&m, 0, sizeof m);
    long n = msgrcv(id, &m, 100, (long)arg, 0);
    return (void *)(n < 0 ? -(long)errno : n);
}
static void *putter(void *arg)
{
    static struct m m = {.type = 9};
    return (void *)(long)msgsnd(id, &m, 8192, 0);
}

int main(void)
{
    R(msgget(0x4711ac, 0));
    R((id = msgget(0x4711ac, IPC_CREAT | IPC_EXCL | 0600)) >= 0);
    R(msgget(0x4711ac, IPC_CREAT | IPC_EXCL));
    R(msgget(0x4711ac, 0) == id);
    R(put(0, "x", 0));
    R(put(-1, "x", 0));
    R(msgsnd(id, &out, 9000, 0));
    R(msgsnd(12345678, &out, 1, 0));
    R(put(3, "three", 0));
    R(put(1, "one", 0));
    R(put(2, "two", 0));
    R(put(1, "uno", 0));
    struct msqid_ds ds;
    R(msgctl(id, IPC_STAT, &ds));
    R(ds.msg_qnum);
    R(ds.msg_qbytes);
    R(ds.__msg_cbytes);
    R(ds.msg_lspid == getpid());
    get(0, 3, 0);
    get(0, 3, MSG_NOERROR);
    get(-2, 100, 0);
    get(1, 100, MSG_EXCEPT);
    get(5, 100, IPC_NOWAIT);
    get(1, 100, 0);
    get(0, 100, IPC_NOWAIT);
    /* a receiver waits, then a sender */
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, getter, (void *)4);
    usleep(10000);
    R(put(5, "not this", 0));
    R(put(4, "this", 0));
    pthread_join(t, &result);
    R((long)result);
    out.type = 6;
    R(msgsnd(id, &out, 8192, 0));
    R(msgsnd(id, &out, 8192, IPC_NOWAIT));
    pthread_create(&t, NULL, putter, NULL);
    usleep(10000);
    get(5, 100, 0);
    R(msgrcv(id, &in, 9000, 6, 0));
    pthread_join(t, &result);
    R((long)result);
    pthread_create(&t, NULL, getter, (void *)77);
    usleep(10000);
    R(msgctl(id, IPC_RMID, NULL));
    pthread_join(t, &result);
    R((long)result == -EIDRM);
    R(msgctl(id, IPC_STAT, &ds));
    return 0;
}
