/* Two threads add to a counter in a file, and neither locks it. Nothing is lost unless one runs
 * between the other's reading and writing. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 2, TIMES = 5 };
static int fd;

static void *add(void *arg)
{
    for (int i = 0; i < TIMES; i++) {
        int n = 0;
        (void)!pread(fd, &n, sizeof n, 0);
        n++;
        (void)!pwrite(fd, &n, sizeof n, 0);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    int n = 0;
    fd = open("counter", O_RDWR | O_CREAT | O_TRUNC, 0644);
    (void)!pwrite(fd, &n, sizeof n, 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, add, NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    (void)!pread(fd, &n, sizeof n, 0);
    printf("%s: %d of %d\n", n == THREADS * TIMES ? "all there" : "lost update", n, THREADS * TIMES);
    return 0;
}
