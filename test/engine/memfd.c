/* calls: memfd_create mmap */
#include "t.h"

int main(void)
{
    int f = memfd_create("x", MFD_CLOEXEC);
    R(f);
    R(ftruncate(f, 4096));
    char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    R(p != MAP_FAILED);
    strcpy(p, "shared");
    char b[16] = {0};
    R(pread(f, b, 16, 0));
    S(b);
    R(pwrite(f, "SH", 2, 0));
    S(p);
    return 0;
}
