/* calls: dup fork lseek */
#include "t.h"

int main(void)
{
    int f = open("f", O_CREAT | O_RDWR, 0644), d = dup(f);
    write(f, "0123456789", 10);
    R(lseek(d, 0, SEEK_CUR));
    lseek(f, 2, SEEK_SET);
    char b[4] = {0};
    R(read(d, b, 3));
    S(b);
    if (fork() == 0) {
        read(f, b, 3);
        _exit(0);
    }
    wait(NULL);
    R(lseek(f, 0, SEEK_CUR));
    int g = open("f", O_RDONLY);
    R(lseek(g, 0, SEEK_CUR));
    R(fcntl(d, F_SETFL, O_NONBLOCK));
    R((fcntl(f, F_GETFL) & O_NONBLOCK) != 0);
    return 0;
}
