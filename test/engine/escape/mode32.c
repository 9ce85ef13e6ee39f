/* expect: failed 32-bit system call */
/* cc: -static -no-pie */
/* ways: jump return */
/* Goes over to 32-bit code, by a far jump or by a signal frame, and makes system calls there: their numbers mean something else. */
#include "escape.h"

#include <ucontext.h>

int main(int argc, char **argv)
{
    begin(argc, argv);
    /* mov $8, %eax (creat); mov $name, %ebx; mov $0644, %ecx; int $0x80; hlt */
    unsigned char *code = mmap((void *)0x20000000, 8192, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memcpy(code, "\xb8\x08\x00\x00\x00\xbb\x00\x10\x00\x20\xb9\xa4\x01\x00\x00\xcd\x80\xf4", 18);
    strcpy((char *)code + 4096, fresh);
    if (is("jump")) {
        struct {
            uint32_t to;
            uint16_t segment;
        } __attribute__((packed)) far = {0x20000000, 0x23};
        __asm__ volatile("ljmp *%0" : : "m"(far));
    } else {
        static ucontext_t frame[2] __attribute__((aligned(64)));
        greg_t *r = frame[0].uc_mcontext.gregs;
        r[REG_RIP] = 0x20000000, r[REG_RSP] = 0x20001800, r[REG_CSGSFS] = 0x2b000000000023, r[REG_EFL] = 0x202;
        __asm__ volatile("mov %0, %%rsp\n mov $15, %%eax\n syscall" : : "r"(&frame[0]) : "rax", "memory");
    }
    return 0;
}
