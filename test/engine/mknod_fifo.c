/* calls: mknod mknodat open */
#include "t.h"

int main(void)
{
    struct stat st;
    R(mkfifo("p", 0644));
    R(mkfifo("p", 0644));
    R(stat("p", &st));
    R(S_ISFIFO(st.st_mode));
    R(open("p", O_WRONLY | O_NONBLOCK));
    int r = open("p", O_RDONLY | O_NONBLOCK);
    R(r);
    int w = open("p", O_WRONLY | O_NONBLOCK);
    R(w);
    R(write(w, "abc", 3));
    char b[8];
    R(read(r, b, 8));
    R(read(r, b, 8));
    R(close(w));
    R(read(r, b, 8));
    R(mknod("reg", S_IFREG | 0600, 0));
    R(stat("reg", &st));
    R(S_ISREG(st.st_mode));
    return 0;
}
