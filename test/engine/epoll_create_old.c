/* calls: epoll_create */
#include "t.h"

int main(void)
{
    R(epoll_create(1));
    R(epoll_create(-1));
    int e = epoll_create(5);
    R(fcntl(e, F_GETFD));
    struct pollfd p = {e, POLLIN, 0};
    R(poll(&p, 1, 0));
    char b;
    R(read(e, &b, 1));
    R(write(e, &b, 1));
    return 0;
}
