/* Sleeping inside the tracees.
 *
 * Runtimes that watch over their own threads sleep for 20 microseconds again and again, thousands
 * of times in a second; each such call would be a stop. Where the owner knows that nothing else can
 * happen before a sleep ends, it says so in the shared page (sleep_until_ns), and the thread goes
 * on by itself: the code below moves the clock to the end of the sleep and writes down that it has
 * done so. At the next stop the owner does for each of these sleeps what it would have done.
 *
 * The code is reached by a jump that is put in the place of
 *      b8 23 00 00 00    mov $35, %eax
 * before a system call instruction, once that call was seen. The instruction itself stays: a sleep
 * that must stop does so there, with the registers that it always had. When it need not, the
 * registers are those that the system call would have left, flags included.
 *
 * ORDER SLEEP_PAGE: the offsets are those of struct tracee_page. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/types.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

#define NOW    "0x70000000"
#define SPIN   "0x70000008"
#define READS  "0x70000010"
#define COST   "0x70000020"
#define UNTIL  "0x70000038"
#define ARG    "0x70000040"
#define SLEEPS "0x70000048"

/* Only rax, rcx and r11 may be used: a system call changes no others. The words below the stack
 * pointer may be in use by a function that calls nothing. */
__asm__(".pushsection .rodata.sleep_code,\"a\",@progbits\n"
        "sleep_code:\n"
        "leaq -128(%rsp), %rsp\n"
        "pushfq\n"
        "movq " SLEEPS ", %rcx\n"
        "cmpq $60, %rcx\n"
        "jae 1f\n"
        "cmpq " ARG ", %rdi\n" /* where it was last time: it can be read */
        "jne 1f\n"
        "cmpq $0, " UNTIL "\n"
        "je 1f\n"
        "cmpq $0, (%rdi)\n"
        "jne 1f\n"
        "movq 8(%rdi), %rax\n"
        "leaq -1(%rax), %r11\n"
        "cmpq $999999998, %r11\n"
        "ja 1f\n"
        "movq " NOW ", %r11\n"
        "addq " COST ", %r11\n"
        "addq %rax, %r11\n"
        "cmpq " UNTIL ", %r11\n"
        "jae 1f\n"
        "shlq $6, %rcx\n"
        "movq %rax, 0x700000b8(%rcx)\n"
        "movq " NOW ", %rax\n"
        "movq %rax, 0x70000080(%rcx)\n"
        "movq " READS ", %rax\n"
        "movq %rax, 0x70000088(%rcx)\n"
        "movq %rdi, 0x70000090(%rcx)\n"
        "movq %rsi, 0x70000098(%rcx)\n"
        "movq %rdx, 0x700000a0(%rcx)\n"
        "movq %r10, 0x700000a8(%rcx)\n"
        "movq %r8, 0x700000b0(%rcx)\n"
        "movq %r11, " NOW "\n"
        "movq $0, " SPIN "\n"
        "incq " SLEEPS "\n"
        "movl $0, %eax\n"
        "movq 2f(%rip), %rcx\n"
        "movq (%rsp), %r11\n"
        "popfq\n"
        "leaq 128(%rsp), %rsp\n"
        "jmpq *%rcx\n"
        "1: popfq\n"
        "leaq 128(%rsp), %rsp\n"
        "movl $35, %eax\n"
        "movq 2f(%rip), %rcx\n"
        "leaq -2(%rcx), %rcx\n"
        "jmpq *%rcx\n"
        "2: .quad 0\n" /* the address after the system call */
        "sleep_code_end:\n"
        ".popsection\n");
extern const uint8_t sleep_code[], sleep_code_end[];

_Static_assert(offsetof(struct tracee_page, sleep_until_ns) == 0x38, "ORDER SLEEP_PAGE");
_Static_assert(offsetof(struct tracee_page, sleeps) == 0x48, "ORDER SLEEP_PAGE");
_Static_assert(offsetof(struct tracee_page, sleep) == 0x80, "ORDER SLEEP_PAGE");
_Static_assert(sizeof(struct tracee_sleep) == 64 && TRACEE_SLEEPS == 60, "ORDER SLEEP_PAGE");
_Static_assert(sizeof(struct tracee_page) <= 4096, "the first page is all there is");

enum { SLOTS = (4096 - CLOCK_CODE_BYTES) / SLEEP_SLOT_BYTES };

/* The copy of the code that returns to this address; made when there is none. 0: no room. */
static uint64_t slot_for(const struct tracee_shared *shared, uint64_t after)
{
    size_t bytes = (size_t)(sleep_code_end - sleep_code);
    ASSERT(bytes <= SLEEP_SLOT_BYTES);
    for (size_t i = 0; i < SLOTS; i++) {
        size_t offset = 4096 + CLOCK_CODE_BYTES + i * SLEEP_SLOT_BYTES;
        uint64_t owner = 0;
        memcpy(&owner, shared->bytes + offset + bytes - 8, 8);
        if (owner == 0) {
            memcpy(shared->bytes + offset, sleep_code, bytes);
            memcpy(shared->bytes + offset + bytes - 8, &after, 8);
            owner = after;
        }
        if (owner == after) {
            return TRACEE_PAGE_ADDR + offset;
        }
    }
    return 0;
}

bool tracee_sleep_inside(pid_t tid, const struct tracee_shared *shared, struct taddr after)
{
    static const uint8_t plain[7] = {0xb8, 35, 0, 0, 0, 0x0f, 0x05};
    uint8_t found[7], jump[7] = {0xe9, 0, 0, 0, 0, 0x0f, 0x05};
    if (after.v > INT32_MAX || /* out of reach of a jump to the page */
        tracee_read(tid, TADDR(after.v - sizeof found), found, sizeof found) != sizeof found ||
        memcmp(found + 5, plain + 5, 2) != 0 || (found[0] != plain[0] && found[0] != jump[0])) {
        return false;
    }
    uint64_t slot = slot_for(shared, after.v);
    int32_t distance = (int32_t)(slot - (after.v - 2));
    memcpy(jump + 1, &distance, sizeof distance);
    if (slot == 0 || memcmp(found, jump, sizeof jump) == 0) {
        return slot != 0;
    }
    return memcmp(found, plain, sizeof plain) == 0 &&
           tracee_poke(tid, TADDR(after.v - sizeof jump), jump, sizeof jump);
}
