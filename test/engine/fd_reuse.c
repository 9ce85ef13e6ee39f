/* calls: open close dup */
#include "t.h"

int main(void)
{
    int a = dup(1), b = dup(1), c = dup(1);
    R(a);
    R(b);
    R(c);
    close(b);
    R(dup(1));
    close(a);
    close(c);
    R(open("/dev/null", O_RDONLY));
    R(open("/dev/null", O_RDONLY));
    R(socket(AF_UNIX, SOCK_STREAM, 0));
    R(epoll_create1(0));
    return 0;
}
