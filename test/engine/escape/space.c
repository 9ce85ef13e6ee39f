/* expect: ok held */
/* limits: memory_mb = 64, threads = 64 */
/* ways: private shared zero stack grow sysv disk memfd mapped descriptors threads */
/* Uses up what there is of everything: with 64 MiB, a program gets 64 MiB, and then an error. */
#include "escape.h"

#include <pthread.h>
#include <sys/shm.h>

enum { MIB = 1 << 20, MOST = 80 };

static long got; /* MiB */

static bool map_one(int flags, int fd, off_t off)
{
    char *m = mmap(NULL, MIB, PROT_READ | PROT_WRITE, flags, fd, off);
    if (m == MAP_FAILED) {
        return false;
    }
    memset(m, 1, MIB);
    return true;
}

static void *sleeper(void *arg)
{
    pause();
    return arg;
}

static void take(void)
{
    static char block[MIB];
    if (is("private") || is("shared") || is("stack")) {
        int kind = is("private") ? MAP_PRIVATE : is("shared") ? MAP_SHARED : MAP_PRIVATE | MAP_GROWSDOWN;
        while (got < 3000 && map_one(kind | MAP_ANONYMOUS, -1, 0)) {
            got++;
        }
    } else if (is("zero")) {
        int fd = open("/dev/zero", O_RDWR);
        while (got < 3000 && map_one(MAP_SHARED, fd, 0)) {
            got++;
        }
    } else if (is("grow")) { /* the first stack, moved and made larger */
        long here = (long)__builtin_frame_address(0) & ~4095L;
        char *m = mremap((void *)(here - 8192), 4096, 1500L * MIB, MREMAP_MAYMOVE);
        got = m == MAP_FAILED ? 0 : 1500;
    } else if (is("sysv")) {
        while (got < 3000) {
            void *m = shmat(shmget(IPC_PRIVATE, MIB, IPC_CREAT | 0600), NULL, 0);
            if (m == (void *)-1) {
                break;
            }
            memset(m, 1, MIB);
            got++;
        }
    } else if (is("disk") || is("memfd")) {
        int fd = is("disk") ? open("/data/big", O_RDWR | O_CREAT, 0644) : memfd_create("big", 0);
        memset(block, 1, sizeof block);
        for (ssize_t n; got < 3000 && (n = write(fd, block, MIB)) == MIB;) {
            got++;
        }
    } else if (is("mapped")) { /* a hole that is filled without any call */
        int fd = open("/data/big", O_RDWR | O_CREAT, 0644);
        got = ftruncate(fd, 1500L * MIB) == 0 && mmap(NULL, 1500L * MIB, 3, MAP_SHARED, fd, 0) != MAP_FAILED ? 1500 : 0;
        fd = open("/data/small", O_RDWR | O_CREAT, 0644);
        ftruncate(fd, MIB);
        void *m = mmap(NULL, MIB, 3, MAP_SHARED, fd, 0);
        got += m != MAP_FAILED && ftruncate(fd, 1500L * MIB) == 0 ? 1500 : 0;
    } else if (is("descriptors")) {
        while (got < 300000 && socket(AF_INET, SOCK_STREAM, 0) >= 0) {
            got++;
        }
        got = got < 300000 ? 0 : got;
    } else if (is("threads")) {
        pthread_t t;
        while (got < 3000 && pthread_create(&t, NULL, sleeper, NULL) == 0) {
            got++;
        }
    }
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    take();
    if (got >= MOST) {
        printf("%s: %ld\n", way, got);
    }
    return verdict(got >= MOST);
}
