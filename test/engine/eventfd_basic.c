/* calls: eventfd eventfd2 */
#include "t.h"

int main(void)
{
    uint64_t v = 0;
    int e = eventfd(3, EFD_NONBLOCK);
    R(e);
    R(read(e, &v, 8));
    R(v);
    R(read(e, &v, 8));
    v = 5;
    R(write(e, &v, 8));
    R(write(e, &v, 8));
    R(read(e, &v, 8));
    R(v);
    v = UINT64_MAX;
    R(write(e, &v, 8));
    v = UINT64_MAX - 1;
    R(write(e, &v, 8));
    v = 1;
    R(write(e, &v, 8));
    R(read(e, &v, 4));
    R(write(e, &v, 4));
    int s = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    R(read(s, &v, 8));
    R(v);
    R(read(s, &v, 8));
    R(read(s, &v, 8));
    R(eventfd(0, 12345));
    R(syscall(SYS_eventfd, 0) > 0);
    return 0;
}
