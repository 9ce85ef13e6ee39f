/* calls: memfd_create */
/* Seals: what each of them forbids. */
#include "t.h"

static int sealed(int seals)
{
    int fd = memfd_create("m", MFD_ALLOW_SEALING);
    write(fd, "0123456789", 10);
    R(fcntl(fd, F_ADD_SEALS, seals));
    R(fcntl(fd, F_GET_SEALS));
    return fd;
}

static long map(int fd, int prot, int flags)
{
    void *p = mmap(NULL, 4096, prot, flags, fd, 0);
    return p == MAP_FAILED ? -1 : munmap(p, 4096);
}

static void try_all(int seals)
{
    int fd = sealed(seals);
    R(pwrite(fd, "ab", 2, 4));
    R(pwrite(fd, "ab", 2, 9));
    R(pwrite(fd, "", 0, 20));
    R(ftruncate(fd, 10));
    R(ftruncate(fd, 9));
    R(ftruncate(fd, 12));
    R(fallocate(fd, 0, 0, 5));
    R(fallocate(fd, 0, 0, 40));
    R(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 5));
    R(map(fd, PROT_READ, MAP_SHARED));
    R(map(fd, PROT_READ | PROT_WRITE, MAP_SHARED));
    R(map(fd, PROT_READ | PROT_WRITE, MAP_PRIVATE));
    R(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW));
    R(fcntl(fd, F_GET_SEALS));
    R(lseek(fd, 0, SEEK_END));
    close(fd);
}

int main(void)
{
    try_all(0);
    try_all(F_SEAL_SHRINK);
    try_all(F_SEAL_GROW);
    try_all(F_SEAL_WRITE);
    try_all(F_SEAL_FUTURE_WRITE);
    try_all(F_SEAL_SEAL);
    try_all(F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
    int plain = memfd_create("p", 0);
    R(fcntl(plain, F_GET_SEALS));
    R(fcntl(plain, F_ADD_SEALS, F_SEAL_GROW));
    R(fcntl(plain, F_ADD_SEALS, 0x4000));
    return 0;
}
