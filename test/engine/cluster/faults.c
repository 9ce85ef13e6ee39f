/* Works with two files while disk faults come, and says what it sees. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char a[4096], b[4096], back[4096];

static long check(const char *what, long result)
{
    if (result < 0) {
        printf("%s: %s\n", what, strerror(errno));
    } else if (result != 4096 && result != 0) {
        printf("%s: short\n", what);
    }
    fflush(stdout);
    return result;
}

/* Bytes of a file that are not what was written. */
static void compare(const char *what, int fd, const char *want)
{
    long n = check("read", pread(fd, back, sizeof back, 0));
    int bytes = 0;
    for (long i = 0; i < n; i++) {
        bytes += back[i] != want[i];
    }
    if (bytes != 0) {
        printf("%s: %s\n", what, bytes == 1 ? "one byte is wrong" : "many bytes are wrong");
        fflush(stdout);
    }
}

int main(void)
{
    int fa = open("a", O_RDWR | O_CREAT, 0644), fb = open("b", O_RDWR | O_CREAT, 0644);
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    pwrite(fa, a, sizeof a, 0);
    pwrite(fb, b, sizeof b, 0);
    for (int i = 0; i < 30; i++) {
        usleep(100000);
        memset(a + 512 * (i % 8), 'A' + i, 512);
        long n = pwrite(fa, a + 512 * (i % 8), 512, 512 * (i % 8));
        if (n != 512) {
            check("write", n);
            pwrite(fa, a, sizeof a, 0);
        }
        check("sync", fsync(fa));
        compare("a", fa, a);
        compare("b", fb, b);
        pwrite(fa, a, sizeof a, 0);
        pwrite(fb, b, sizeof b, 0);
    }
    return 0;
}
