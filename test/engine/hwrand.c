/* RDRAND and RDSEED in all widths, and bytes that only look like them. With an argument it prints the numbers. */
#include <stdint.h>
#include <stdio.h>

static uint64_t mix;

/* Says what is wrong with a number: bits that should have been kept, or zero. */
static void look(const char *what, uint64_t value, uint64_t mask, uint64_t kept)
{
    mix = mix * 31 + value;
    if ((value & mask) != kept) {
        printf("%s: %llx\n", what, (unsigned long long)value);
    }
}

#define ONE(what, insn, reg, mask, kept)                                                                                                                   \
    do {                                                                                                                                             \
        uint64_t v;                                                                                                                                  \
        unsigned char c = 0;                                                                                                                         \
        do {                                                                                                                                         \
            __asm__ volatile("mov $-1, %%" reg "\n " insn "\n setc %1\n mov %%" reg ", %0" : "=r"(v), "=q"(c) : : reg, "cc");                        \
        } while (c == 0); /* RDSEED may have none just now */                                                                                        \
        look(what, v, mask, kept);                                                                                                                   \
    } while (0)

/* Constants that hold the bytes of RDRAND and RDSEED. */
__attribute__((noinline)) static uint64_t decoy(uint64_t x)
{
    return (x ^ 0xf0c70f) + 0xf8c70f00 + (x * 0x0ff0c70f);
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("decoy %llx\n", (unsigned long long)decoy((uint64_t)argc * 0));
    if (__builtin_cpu_supports("rdrnd")) {
        ONE("rdrand 16", ".byte 0x66, 0x0f, 0xc7, 0xf0", "rax", ~0xffffULL, ~0xffffULL);
        ONE("rdrand 32", ".byte 0x0f, 0xc7, 0xf1", "rcx", ~0xffffffffULL, 0);
        ONE("rdrand 64", ".byte 0x48, 0x0f, 0xc7, 0xf2", "rdx", 0, 0);
        ONE("rdrand r9", ".byte 0x49, 0x0f, 0xc7, 0xf1", "r9", 0, 0);
        ONE("rdrand r10d", ".byte 0x41, 0x0f, 0xc7, 0xf2", "r10", ~0xffffffffULL, 0);
    }
    if (__builtin_cpu_supports("rdseed")) {
        ONE("rdseed 64", ".byte 0x48, 0x0f, 0xc7, 0xff", "rdi", 0, 0);
        ONE("rdseed r15w", ".byte 0x66, 0x41, 0x0f, 0xc7, 0xff", "r15", ~0xffffULL, ~0xffffULL);
    }
    if (argc > 1) {
        printf("numbers %llx\n", (unsigned long long)mix);
    }
    return 0;
}
