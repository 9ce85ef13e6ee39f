/* calls: fcntl */
#include "t.h"

int main(void)
{
    int a = open("f", O_RDWR | O_CREAT, 0644), b = open("f", O_RDWR);
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    R(fcntl(a, F_OFD_SETLK, &l));
    R(fcntl(b, F_OFD_SETLK, &l));
    l.l_type = F_UNLCK;
    R(fcntl(a, F_OFD_SETLK, &l));
    l.l_type = F_RDLCK;
    R(fcntl(b, F_OFD_SETLK, &l));
    R(fcntl(a, F_OFD_SETLK, &l));
    return 0;
}
