/* calls: open linkat */
#include "t.h"

int main(void)
{
    char b[8] = {0}, path[64];
    int f = open(".", O_TMPFILE | O_RDWR, 0600);
    R(f);
    R(write(f, "tmp", 3));
    struct stat st;
    R(fstat(f, &st));
    R(st.st_nlink);
    snprintf(path, sizeof path, "/proc/self/fd/%d", f);
    R(linkat(AT_FDCWD, path, AT_FDCWD, "named", AT_SYMLINK_FOLLOW) < 1);
    R(pread(f, b, 8, 0));
    return 0;
}
