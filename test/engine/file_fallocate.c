/* calls: fallocate */
#include "t.h"

int main(void)
{
    struct stat st;
    int f = open("f", O_RDWR | O_CREAT, 0644);
    R(fallocate(f, 0, 0, 10000));
    R(fstat(f, &st));
    R(st.st_size);
    R(fallocate(f, FALLOC_FL_KEEP_SIZE, 0, 20000));
    R(fstat(f, &st));
    R(st.st_size);
    R(pwrite(f, "hello", 5, 100));
    R(fallocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
    char b[5];
    R(pread(f, b, 5, 100));
    R(b[0]);
    R(fallocate(f, 0, -1, 10));
    R(fallocate(f, 0, 0, 0));
    R(fallocate(55, 0, 0, 10));
    return 0;
}
