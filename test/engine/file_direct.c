/* calls: read write pread64 */
/* fs: ext4 */
#include "t.h"

int main(void)
{
    char *b;
    posix_memalign((void **)&b, 4096, 16384);
    memset(b, 'x', 16384);
    int f = open("f", O_RDWR | O_CREAT | O_DIRECT, 0644);
    R(f >= 0);
    R((fcntl(f, F_GETFL) & O_DIRECT) != 0);
    R(pwrite(f, b, 4096, 0));
    R(pwrite(f, b, 4096, 4096));
    R(pwrite(f, b, 100, 0));
    R(pwrite(f, b, 4096, 100));
    R(pwrite(f, b + 1, 4096, 0));
    R(pread(f, b, 4096, 0));
    R(pread(f, b, 8192, 4096)); /* up to the end */
    R(pread(f, b, 100, 0));
    R(pread(f, b, 4096, 1));
    R(pread(f, b + 1, 4096, 0));
    R(pread(f, b, 100, 8192)); /* at the end nothing is checked */
    struct iovec v[2] = {{b, 4096}, {b + 4096, 100}};
    R(preadv(f, v, 2, 0));
    v[1].iov_len = 4096;
    R(preadv(f, v, 2, 0));
    R(fcntl(f, F_SETFL, 0));
    R(pread(f, b + 1, 100, 1));
    return 0;
}
