/* calls: io_setup io_cancel io_getevents */
#include "t.h"

#include <linux/aio_abi.h>

int main(void)
{
    aio_context_t c = 0;
    R(syscall(SYS_io_setup, 0, &c));
    R(syscall(SYS_io_setup, 4, &c));
    R(syscall(SYS_io_setup, 4, &c));
    struct io_event ev[2];
    struct timespec z = {0, 1000000};
    R(syscall(SYS_io_getevents, c, 1, 2, ev, &z));
    R(syscall(SYS_io_getevents, c, 3, 2, ev, &z));
    R(syscall(SYS_io_submit, c, -1, NULL));
    R(syscall(SYS_io_destroy, c));
    return 0;
}
