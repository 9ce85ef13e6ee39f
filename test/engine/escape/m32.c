/* expect: failed (it is a 32-bit program|cannot execute) */
/* cc: -m32 -nostdlib -static -ffreestanding -fno-stack-protector -no-pie */
/* optional: not every compiler can make one */
/* A program of 32 bits. */
void _start(void)
{
    long r;
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(20));
    __asm__ volatile("int $0x80" : "=a"(r) : "a"(1), "b"(0));
    for (;;) {
    }
}
