/* calls: mmap mprotect mremap madvise mincore munmap brk */
#include "t.h"

int main(void)
{
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    R(p != MAP_FAILED);
    p[0] = 1;
    p = mremap(p, 8192, 16384, MREMAP_MAYMOVE);
    R(p[0]);
    R(madvise(p, 4096, MADV_DONTNEED));
    R(p[0]);
    R(mprotect(p, 4096, PROT_READ));
    p[8192] = 1;
    R(munmap(p, 16384));
    R(munmap(p + 1, 4096));
    R(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    R(sbrk(4096) != (void *)-1);
    return 0;
}
