/* calls: chmod fchmod fchmodat chown fchown lchown fchownat */
#include "t.h"

int main(void)
{
    struct stat st;
    int f = open("f", O_RDWR | O_CREAT, 0644);
    R(chmod("f", 0600));
    R(stat("f", &st));
    R(st.st_mode & 07777);
    R(fchmod(f, 0640));
    R(fchmodat(AT_FDCWD, "f", 0444, 0));
    R(fstat(f, &st));
    R(st.st_mode & 07777);
    R(chmod("nope", 0600));
    R(fchmod(99, 0600));
    R(chown("f", -1, -1));
    R(fchown(f, -1, -1));
    R(lchown("f", -1, -1));
    R(chown("nope", -1, -1));
    R(fchownat(AT_FDCWD, "f", -1, -1, 0));
    return 0;
}
