/* An assembler for eBPF, as small as our programs need it: no compiler is wanted on the machine
 * that is watched. Registers are R0 to R10; R10 is the frame. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

enum { ASM_MOST = 6000, ASM_LABELS = 600, ASM_JUMPS = 1200 };
enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FRAME };

struct asm_code {
    struct bpf_insn code[ASM_MOST];
    size_t n;
    int32_t label[ASM_LABELS]; /* where it is, + 1; 0: not yet */
    struct {
        uint16_t at, to;
    } jump[ASM_JUMPS];
    size_t n_jumps;
    uint16_t labels; /* that asm_new_label has given out, from the end down */
    bool bad;        /* something did not fit */
};

void asm_op(struct asm_code *a, uint8_t op, uint8_t dst, uint8_t src, int32_t imm);
void asm_move(struct asm_code *a, uint8_t dst, uint8_t src);
void asm_set(struct asm_code *a, uint8_t dst, int32_t value);
void asm_add(struct asm_code *a, uint8_t dst, int32_t value);
/* bytes: 1, 2, 4 or 8 */
void asm_load(struct asm_code *a, unsigned bytes, uint8_t dst, uint8_t base, size_t at);
void asm_store(struct asm_code *a, unsigned bytes, uint8_t base, size_t at, uint8_t src);
/* On the frame: `at` counts down from its end. */
void asm_get(struct asm_code *a, uint8_t dst, int at);
void asm_put(struct asm_code *a, int at, uint8_t src);
void asm_frame(struct asm_code *a, uint8_t dst, int at); /* its address */
void asm_wide(struct asm_code *a, uint8_t dst, uint64_t value);
void asm_map(struct asm_code *a, uint8_t dst, int fd);
void asm_call(struct asm_code *a, int helper);
/* A label that no other part of the program has. */
uint16_t asm_new_label(struct asm_code *a);
void asm_label(struct asm_code *a, uint16_t label);
void asm_go(struct asm_code *a, uint16_t label);
/* op is one of BPF_JEQ, BPF_JNE, BPF_JGT ...; 64 bits, or 32 with asm_if32. */
void asm_if(struct asm_code *a, uint8_t op, uint8_t reg, int32_t value, uint16_t label);
void asm_if32(struct asm_code *a, uint8_t op, uint8_t reg, int32_t value, uint16_t label);
void asm_if_reg(struct asm_code *a, uint8_t op, uint8_t left, uint8_t right, uint16_t label);
void asm_exit(struct asm_code *a);
/* Fills in the jumps; false: a label is missing, or it did not fit. */
bool asm_end(struct asm_code *a);
