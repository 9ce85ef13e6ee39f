/* System calls that pass through code of ours before they stop.
 *
 * A stop is dear, and so is every request to the kernel that goes with it: reading registers,
 * reading arguments, writing the result. So, once a program was seen to make a call in the form
 *
 *     b8 NN NN NN NN    mov $NN, %eax
 *     0f 05             syscall
 *
 * the first of these instructions is replaced by a jump to the code below, in the shared page:
 *
 *  - It writes the number and the arguments to the page and stops by a call that does not exist.
 *    The owner finds there what it needs, and puts the result there before it resumes the thread.
 *  - A sleep may not have to stop at all. Runtimes that watch over their own threads sleep for 20
 *    microseconds again and again, thousands of times in a second. Where the owner knows that
 *    nothing else can happen before a sleep ends, it says so (sleep_until_ns): the code moves the
 *    clock to the end of the sleep and writes down that it has done so. At the next stop the owner
 *    does for each of these sleeps what it would have done.
 *
 * The registers are afterwards those that the system call would have left, flags included. The
 * system call instruction itself stays: a thread can always be put there, as if it had stopped
 * there (tracee_call_plain).
 *
 * A program can write to the data of the page, and can jump to any place of this code. So that a
 * call came from here is never taken from the page: the filter looks at the address of the
 * instruction and says which slot it belongs to, and the number of the call and where it returns to
 * are read from the slot, which programs cannot write to. Only its arguments are the program's, as
 * they are in registers.
 *
 * ORDER CALL_PAGE: the offsets are those of struct tracee_page. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>

#include "base/assert.h"
#include "tracee/tracee.h"
#include "tracee/tracee_int.h"

#define NOW    "0x70000000"
#define SPIN   "0x70000008"
#define READS  "0x70000010"
#define COST   "0x70000020"
#define UNTIL  "0x70000038"
#define ASKED  "0x70000040"
#define SLEEPS "0x70000048"
#define NUMBER "0x70000050"
#define AFTER  "0x70000058"
#define RESULT "0x70000060"

/* Only rax, rcx and r11 may be used: a system call changes no others. The words below the stack
 * pointer may be in use by a function that calls nothing. */
__asm__(".pushsection .rodata.call_code,\"a\",@progbits\n"
        "call_code:\n"
        "leaq -128(%rsp), %rsp\n"
        "pushfq\n"
        "cmpq $35, 3f(%rip)\n"
        "jne 1f\n"
        "movq %rdi, %rcx\n"
        "subq %rsp, %rcx\n"
        "cmpq $4096, %rcx\n" /* elsewhere than on the stack, it might not be there */
        "ja 1f\n"
        "cmpq $0, (%rdi)\n"
        "jne 1f\n"
        "movq 8(%rdi), %rax\n"
        "leaq -1(%rax), %r11\n"
        "cmpq $999999998, %r11\n"
        "ja 1f\n"
        "movq %rax, " ASKED "\n"
        "movq " NOW ", %r11\n"
        "addq " COST ", %r11\n"
        "addq %rax, %r11\n"
        "cmpq " UNTIL ", %r11\n"
        "jae 1f\n"
        "movq " SLEEPS ", %rcx\n"
        "cmpq $60, %rcx\n"
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
        "movq $0, " ASKED "\n"
        "movl $0, %eax\n"
        "movq 2f(%rip), %rcx\n"
        "movq (%rsp), %r11\n"
        "popfq\n"
        "leaq 128(%rsp), %rsp\n"
        "jmpq *%rcx\n"
        "1: popfq\n"
        "leaq 128(%rsp), %rsp\n"
        "movq %rdi, 0x70000f80\n"
        "movq %rsi, 0x70000f88\n"
        "movq %rdx, 0x70000f90\n"
        "movq %r10, 0x70000f98\n"
        "movq %r8, 0x70000fa0\n"
        "movq %r9, 0x70000fa8\n"
        "movq 2f(%rip), %rax\n"
        "movq %rax, " AFTER "\n"
        "movq 3f(%rip), %rax\n"
        "movq %rax, " NUMBER "\n"
        "movl $511, %eax\n"
        "syscall\n"
        "call_code_return:\n"
        "movq " RESULT ", %rax\n"
        "movq 2f(%rip), %rcx\n"
        "jmpq *%rcx\n"
        "2: .quad 0\n" /* the address after the system call */
        "3: .quad 0\n" /* its number */
        "call_code_end:\n"
        ".popsection\n");
extern const uint8_t call_code[], call_code_return[], call_code_end[];

_Static_assert(offsetof(struct tracee_page, sleep_until_ns) == 0x38, "ORDER CALL_PAGE");
_Static_assert(offsetof(struct tracee_page, sleep_ns) == 0x40, "ORDER CALL_PAGE");
_Static_assert(offsetof(struct tracee_page, sleeps) == 0x48, "ORDER CALL_PAGE");
_Static_assert(offsetof(struct tracee_page, call_nr) == 0x50, "ORDER CALL_PAGE");
_Static_assert(offsetof(struct tracee_page, call_result) == 0x60, "ORDER CALL_PAGE");
_Static_assert(offsetof(struct tracee_page, sleep) == 0x80, "ORDER CALL_PAGE");
_Static_assert(offsetof(struct tracee_page, call_a) == 0xf80, "ORDER CALL_PAGE");
_Static_assert(sizeof(struct tracee_sleep) == 64 && TRACEE_SLEEPS == 60, "ORDER CALL_PAGE");
_Static_assert(sizeof(struct tracee_page) <= 4096, "the first page is all there is");

_Static_assert(CALL_SLOT_NR == 511, "ORDER CALL_PAGE");

uint32_t call_slot_return(void)
{
    return (uint32_t)(call_code_return - call_code);
}

static uint8_t *slot_at(const struct tracee_shared *shared, size_t i)
{
    return shared->bytes + TRACEE_CODE + CLOCK_CODE_BYTES + i * CALL_SLOT_BYTES;
}

/* Whose slot it is: the address after the call, and its number. */
static void slot_owner(const uint8_t *slot, uint64_t ret[2])
{
    memcpy(ret, slot + (call_code_end - call_code) - 2 * sizeof *ret, 2 * sizeof *ret);
}

/* The copy of the code for the call before this address; made when there is none. 0: no room. */
static uint64_t slot_for(const struct tracee_shared *shared, uint64_t after, uint64_t nr)
{
    size_t bytes = (size_t)(call_code_end - call_code);
    ASSERT(bytes <= CALL_SLOT_BYTES);
    for (size_t i = 0; i < CALL_SLOTS; i++) {
        uint8_t *slot = slot_at(shared, i);
        uint64_t want[2] = {after, nr}, owner[2];
        slot_owner(slot, owner);
        if (owner[0] == 0) {
            memcpy(slot, call_code, bytes);
            memcpy(slot + bytes - sizeof want, want, sizeof want);
        } else if (memcmp(owner, want, sizeof want) != 0) {
            continue;
        }
        return TRACEE_PAGE_ADDR + (uint64_t)(slot - shared->bytes);
    }
    return 0;
}

bool tracee_call_inside(pid_t tid, const struct tracee_shared *shared,
                        const struct user_regs_struct *regs)
{
    uint64_t after = regs->rip;
    uint32_t nr = (uint32_t)regs->orig_rax;
    uint8_t found[7], plain[7] = {0xb8, 0, 0, 0, 0, 0x0f, 0x05},
                      jump[7] = {0xe9, 0, 0, 0, 0, 0x0f, 0x05};
    memcpy(plain + 1, &nr, sizeof nr);
    if (after > INT32_MAX || /* out of reach of a jump to the page */
        tracee_page_in(after - sizeof found, sizeof found) ||
        tracee_read(tid, TADDR(after - sizeof found), found, sizeof found) != sizeof found ||
        memcmp(found, plain, sizeof plain) != 0) {
        return false;
    }
    uint64_t slot = slot_for(shared, after, nr);
    int32_t distance = (int32_t)(slot - (after - 2));
    memcpy(jump + 1, &distance, sizeof distance);
    return slot != 0 && tracee_poke(tid, TADDR(after - sizeof jump), jump, sizeof jump);
}

/* The filter gives the number of the slot, counted from 1 (filter.c). */
bool tracee_page_call(pid_t tid, const struct tracee_shared *shared, struct tracee_page_call *ret)
{
    unsigned long slot = 0;
    uint64_t owner[2];
    if (ptrace(PTRACE_GETEVENTMSG, tid, 0, &slot) != 0 || slot == 0 || slot > CALL_SLOTS) {
        return false;
    }
    slot_owner(slot_at(shared, slot - 1), owner);
    *ret = (struct tracee_page_call){owner[0], (long)owner[1]};
    return owner[0] != 0;
}

bool tracee_call_plain(pid_t tid, const struct tracee_page_call *call, const uint64_t args[6],
                       struct user_regs_struct *ret_regs)
{
    if (!tracee_regs_get(tid, ret_regs)) {
        return false;
    }
    ret_regs->rip = call->after;
    ret_regs->rcx = call->after;
    ret_regs->orig_rax = (unsigned long long)call->nr;
    /* They are these already, unless the program has jumped into the middle of our code. */
    ret_regs->rdi = args[0];
    ret_regs->rsi = args[1];
    ret_regs->rdx = args[2];
    ret_regs->r10 = args[3];
    ret_regs->r8 = args[4];
    ret_regs->r9 = args[5];
    return tracee_regs_set(tid, ret_regs);
}
