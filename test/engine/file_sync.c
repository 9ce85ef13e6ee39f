/* calls: fsync fdatasync sync syncfs sync_file_range fadvise64 readahead */
#include "t.h"

int main(void)
{
    int f = open("f", O_RDWR | O_CREAT, 0644), p[2];
    pipe(p);
    R(fsync(f));
    R(fdatasync(f));
    R(fsync(99));
    R(fsync(p[0]));
    sync();
    R(syncfs(f));
    R(syncfs(99));
    R(posix_fadvise(f, 0, 0, POSIX_FADV_DONTNEED));
    R(posix_fadvise(f, 0, 0, 99) == EINVAL);
    R(posix_fadvise(p[0], 0, 0, 0) == ESPIPE);
    R(sync_file_range(f, 0, 0, 0));
    int d = open(".", O_RDONLY | O_DIRECTORY);
    R(fsync(d));
    R(readahead(f, 0, 10));
    return 0;
}
