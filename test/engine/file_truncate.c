/* calls: truncate ftruncate */
#include "t.h"

int main(void)
{
    char b[16] = {0};
    int f = open("f", O_RDWR | O_CREAT, 0644);
    R(write(f, "abcdefgh", 8));
    R(ftruncate(f, 3));
    R(lseek(f, 0, SEEK_END));
    R(ftruncate(f, 6));
    R(pread(f, b, 16, 0));
    R(b[2]);
    R(b[3]);
    R(truncate("f", 1));
    struct stat st;
    R(fstat(f, &st));
    R(st.st_size);
    R(truncate("nope", 1));
    R(truncate(".", 1));
    R(truncate("f", -1));
    R(ftruncate(99, 1));
    f = open("f", O_RDONLY);
    R(ftruncate(f, 1));
    return 0;
}
