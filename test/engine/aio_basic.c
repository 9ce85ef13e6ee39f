/* calls: io_setup io_submit io_getevents io_destroy */
#include "t.h"

#include <linux/aio_abi.h>

int main(void)
{
    aio_context_t c = 0;
    R(syscall(SYS_io_setup, 8, &c));
    int f = open("f", O_CREAT | O_RDWR, 0644), e = eventfd(0, EFD_NONBLOCK);
    char b[16] = {0};
    struct iocb w = {.aio_fildes = f, .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uintptr_t) "hello", .aio_nbytes = 5, .aio_data = 1, .aio_flags = IOCB_FLAG_RESFD, .aio_resfd = e};
    struct iocb r = {.aio_fildes = f, .aio_lio_opcode = IOCB_CMD_PREAD, .aio_buf = (uintptr_t)b, .aio_nbytes = 16, .aio_data = 2};
    struct iocb *l[1] = {&w};
    struct io_event ev[4];
    R(syscall(SYS_io_submit, c, 1, l));
    R(syscall(SYS_io_getevents, c, 1, 4, ev, NULL));
    R(ev[0].data);
    R(ev[0].res);
    uint64_t v = 0;
    R(read(e, &v, 8));
    l[0] = &r;
    R(syscall(SYS_io_submit, c, 1, l));
    R(syscall(SYS_io_getevents, c, 1, 4, ev, NULL));
    R(ev[0].res);
    S(b);
    struct timespec z = {0, 0};
    R(syscall(SYS_io_getevents, c, 0, 4, ev, &z));
    r.aio_fildes = 99;
    R(syscall(SYS_io_submit, c, 1, l));
    R(syscall(SYS_io_destroy, c));
    R(syscall(SYS_io_destroy, c));
    R(syscall(SYS_io_submit, c, 1, l));
    return 0;
}
