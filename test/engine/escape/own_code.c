/* expect: ok held */
/* ways: jump loop */
/* Maps a file over its own system call instruction, by that very instruction: what the engine does next inside the program must not be
 * done by the program's new code, which removes the victim or never ends. */
#include "escape.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    const long base = 0x50000000;
    unsigned char page[4096], *code = mmap((void *)base, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), *p = page + 0x900;
    memset(page, 0x90, sizeof page);
    memcpy(code + 0x800, "\x0f\x05\xc3", 3);                          /* syscall; ret */
    memcpy(page + 0x800, is("loop") ? "\xeb\xfe\xc3" : "\xeb\x7e\xc3", 3); /* jmp to itself, or to 0x880; ret */
    int32_t nr = SYS_unlink;
    int64_t name = base + 0xa00;
    *p++ = 0xb8, memcpy(p, &nr, 4), p += 4;            /* mov $SYS_unlink, %eax */
    *p++ = 0x48, *p++ = 0xbf, memcpy(p, &name, 8), p += 8; /* mov $name, %rdi */
    memcpy(p, "\x0f\x05\xc3", 3);
    strcpy((char *)page + 0xa00, victim);
    int fd = open("/data/code", O_RDWR | O_CREAT, 0755);
    write(fd, page, sizeof page);
    register long r10 __asm__("r10") = MAP_PRIVATE | MAP_FIXED;
    register long r8 __asm__("r8") = fd;
    register long r9 __asm__("r9") = 0;
    long r;
    __asm__ volatile("call *%%rbx" : "=a"(r) : "a"(SYS_mmap), "D"(base), "S"(4096), "d"(7), "r"(r10), "r"(r8), "r"(r9), "b"(code + 0x800)
                     : "rcx", "r11", "memory");
    return verdict(r != base);
}
