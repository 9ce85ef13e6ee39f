/* calls: dup dup2 dup3 fcntl */
#include "t.h"

int main(void)
{
    R(dup(1));
    R(dup2(1, 10));
    R(dup2(1, 1));
    R(dup2(77, 5));
    R(dup3(1, 1, 0));
    R(dup3(1, 11, O_CLOEXEC));
    R(fcntl(11, F_GETFD));
    R(fcntl(10, F_GETFD));
    R(fcntl(10, F_SETFD, FD_CLOEXEC));
    R(fcntl(10, F_GETFD));
    R(fcntl(1, F_DUPFD, 20));
    R(fcntl(1, F_DUPFD_CLOEXEC, 20));
    R(fcntl(21, F_GETFD));
    R(fcntl(88, F_GETFD));
    R(dup(-1));
    R(dup2(1, -1));
    R(fcntl(1, 9999));
    return 0;
}
