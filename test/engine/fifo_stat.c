/* calls: mknodat openat fstat */
/* An open fifo is the file that its name is; without the name it stays one while it is open. */
#include "t.h"

int main(void)
{
    struct stat by_name, by_fd;
    char b[4] = {0};
    R(mkfifo("p", 0640));
    int f = open("p", O_RDWR);
    R(stat("p", &by_name));
    R(fstat(f, &by_fd));
    R(S_ISFIFO(by_fd.st_mode));
    R(by_fd.st_mode & 07777);
    R(by_fd.st_ino == by_name.st_ino);
    R(by_fd.st_nlink);
    int g = open("p", O_WRONLY | O_NONBLOCK);
    R(write(g, "ab", 2));
    R(unlink("p"));
    R(fstat(g, &by_fd));
    R(by_fd.st_nlink);
    R(by_fd.st_ino == by_name.st_ino);
    R(read(f, b, 4));
    S(b);
    R(mkfifo("p", 0600));
    R(open("p", O_WRONLY | O_NONBLOCK));
    close(f);
    R(write(g, "c", 0));
    close(g);
    R(open("p", O_RDONLY | O_NONBLOCK) > 0);
    return 0;
}
