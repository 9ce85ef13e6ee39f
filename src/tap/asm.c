/* Instructions of eBPF one by one; jumps go to labels, which are filled in at the end. */
#include "tap/asm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>
#include <linux/bpf_common.h>

static struct bpf_insn *next(struct asm_code *a)
{
    if (a->n == ASM_MOST) {
        a->bad = true;
        a->n--;
    }
    a->code[a->n] = (struct bpf_insn){0};
    return &a->code[a->n++];
}

static void put(struct asm_code *a, uint8_t code, uint8_t dst, uint8_t src, int64_t off)
{
    struct bpf_insn *i = next(a);
    i->code = code;
    i->dst_reg = dst & 0xfU;
    i->src_reg = src & 0xfU;
    i->off = (int16_t)off;
    a->bad = a->bad || off != i->off;
}

void asm_op(struct asm_code *a, uint8_t op, uint8_t dst, uint8_t src, int32_t imm)
{
    put(a, op, dst, src, 0);
    a->code[a->n - 1].imm = imm;
}

void asm_move(struct asm_code *a, uint8_t dst, uint8_t src)
{
    asm_op(a, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0);
}

void asm_set(struct asm_code *a, uint8_t dst, int32_t value)
{
    asm_op(a, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, value);
}

void asm_add(struct asm_code *a, uint8_t dst, int32_t value)
{
    asm_op(a, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, value); /* NOLINT: both are 0 */
}

static uint8_t width(struct asm_code *a, unsigned bytes)
{
    switch (bytes) {
    case 1: return BPF_B;
    case 2: return BPF_H;
    case 4: return BPF_W;
    case 8: return BPF_DW;
    default: a->bad = true; return BPF_B;
    }
}

void asm_load(struct asm_code *a, unsigned bytes, uint8_t dst, uint8_t base, size_t at)
{
    put(a, (uint8_t)(BPF_LDX | BPF_MEM | width(a, bytes)), dst, base, (int64_t)at);
}

void asm_store(struct asm_code *a, unsigned bytes, uint8_t base, size_t at, uint8_t src)
{
    put(a, (uint8_t)(BPF_STX | BPF_MEM | width(a, bytes)), base, src, (int64_t)at);
}

void asm_get(struct asm_code *a, uint8_t dst, int at)
{
    put(a, BPF_LDX | BPF_MEM | BPF_DW, dst, FRAME, -at);
}

void asm_put(struct asm_code *a, int at, uint8_t src)
{
    put(a, BPF_STX | BPF_MEM | BPF_DW, FRAME, src, -at);
}

void asm_frame(struct asm_code *a, uint8_t dst, int at)
{
    asm_move(a, dst, FRAME);
    asm_add(a, dst, -at);
}

void asm_wide(struct asm_code *a, uint8_t dst, uint64_t value)
{
    asm_op(a, BPF_LD | BPF_IMM | BPF_DW, dst, 0, (int32_t)(uint32_t)value);
    asm_op(a, 0, 0, 0, (int32_t)(uint32_t)(value >> 32));
}

void asm_map(struct asm_code *a, uint8_t dst, int fd)
{
    asm_op(a, BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_FD, fd);
    asm_op(a, 0, 0, 0, 0);
}

void asm_call(struct asm_code *a, int helper)
{
    asm_op(a, BPF_JMP | BPF_CALL, 0, 0, helper);
}

uint16_t asm_new_label(struct asm_code *a)
{
    return (uint16_t)(ASM_LABELS - ++a->labels);
}

void asm_label(struct asm_code *a, uint16_t label)
{
    a->bad = a->bad || label >= ASM_LABELS || a->label[label] != 0;
    if (!a->bad) {
        a->label[label] = (int32_t)a->n + 1;
    }
}

static void jump(struct asm_code *a, uint16_t label)
{
    if (a->n_jumps == ASM_JUMPS || label >= ASM_LABELS) {
        a->bad = true;
        return;
    }
    a->jump[a->n_jumps].at = (uint16_t)(a->n - 1);
    a->jump[a->n_jumps++].to = label;
}

void asm_go(struct asm_code *a, uint16_t label)
{
    asm_op(a, BPF_JMP | BPF_JA, 0, 0, 0);
    jump(a, label);
}

void asm_if(struct asm_code *a, uint8_t op, uint8_t reg, int32_t value, uint16_t label)
{
    asm_op(a, (uint8_t)(BPF_JMP | op | BPF_K), reg, 0, value);
    jump(a, label);
}

void asm_if32(struct asm_code *a, uint8_t op, uint8_t reg, int32_t value, uint16_t label)
{
    asm_op(a, (uint8_t)(BPF_JMP32 | op | BPF_K), reg, 0, value);
    jump(a, label);
}

void asm_if_reg(struct asm_code *a, uint8_t op, uint8_t left, uint8_t right, uint16_t label)
{
    asm_op(a, (uint8_t)(BPF_JMP | op | BPF_X), left, right, 0);
    jump(a, label);
}

void asm_exit(struct asm_code *a)
{
    asm_set(a, R0, 0);
    asm_op(a, BPF_JMP | BPF_EXIT, 0, 0, 0);
}

bool asm_end(struct asm_code *a)
{
    for (size_t i = 0; i < a->n_jumps && !a->bad; i++) {
        int32_t to = a->label[a->jump[i].to] - 1;
        a->bad = a->bad || to < 0;
        a->code[a->jump[i].at].off = (int16_t)(to - a->jump[i].at - 1);
    }
    return !a->bad;
}
