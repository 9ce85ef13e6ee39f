/* calls: unlink */
#include "t.h"

int main(void)
{
    char b[8] = {0};
    int f = open("f", O_RDWR | O_CREAT, 0644);
    R(write(f, "keep", 4));
    R(unlink("f"));
    R(unlink("f"));
    R(pread(f, b, 8, 0));
    S(b);
    struct stat st;
    R(fstat(f, &st));
    R(st.st_nlink);
    R(mkdir("d", 0755));
    R(unlink("d"));
    R(unlink(""));
    R(unlink("d/x"));
    return 0;
}
