/* expect: failed where the engine keeps its own memory */
/* ways: map map-file map-around map-code unmap unmap-around protect protect-code move-away move-onto copy grow forget remove share */
/* Takes the engine's pages away, or puts others in their place. */
#include "escape.h"

#include <sys/shm.h>

int main(int argc, char **argv)
{
    begin(argc, argv);
    char *page = (char *)PAGE_DATA, *code = (char *)PAGE_CODE, *scratch = (char *)PAGE_SCRATCH;
    const int fixed = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, rw = PROT_READ | PROT_WRITE;
    int fd = open("/data/x", O_RDWR | O_CREAT, 0644);
    ftruncate(fd, 65536);
    void *own = mmap(NULL, 8192, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at = MAP_FAILED;
    long r = -1;
    if (is("map")) {
        at = mmap(scratch, 8192, rw, fixed, -1, 0);
    } else if (is("map-file")) {
        at = mmap(scratch, 8192, rw, MAP_SHARED | MAP_FIXED, fd, 0);
    } else if (is("map-around")) {
        at = mmap((char *)0x6ff00000, 0x200000, rw, fixed, -1, 0);
    } else if (is("map-code")) {
        at = mmap(code, 1, rw | PROT_EXEC, fixed, -1, 0);
    } else if (is("unmap")) {
        r = munmap(scratch, 4096);
    } else if (is("unmap-around")) {
        r = munmap((char *)0x10000000, 0x80000000);
    } else if (is("protect")) {
        r = mprotect(page, 4096, PROT_NONE);
    } else if (is("protect-code")) {
        r = mprotect(code, 4096, rw | PROT_EXEC);
    } else if (is("move-away")) {
        at = mremap(scratch, 8192, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, own);
    } else if (is("move-onto")) {
        at = mremap(own, 8192, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, scratch);
    } else if (is("copy")) {
        at = mremap(code, 0, 4096, MREMAP_MAYMOVE);
    } else if (is("grow")) {
        at = mremap(page, 4096, 1 << 20, MREMAP_MAYMOVE);
    } else if (is("forget")) {
        r = madvise(page, 4096, MADV_DONTFORK);
    } else if (is("remove")) {
        r = madvise(scratch, 8192, MADV_REMOVE);
    } else if (is("share")) {
        at = shmat(shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600), scratch, SHM_REMAP);
    }
    /* What an injected call would now open. */
    if (r == 0 || at != MAP_FAILED) {
        strcpy(scratch, victim);
        char *m = mmap(NULL, 4096, rw, MAP_SHARED, fd, 0);
        if (m != MAP_FAILED) {
            memcpy(m, "out", 3);
        }
    }
    printf("%s: %ld %p %d\n", way, r, at, errno);
    return 0;
}
