/* Lengths of x86-64 instructions: prefixes, opcode, operand byte, displacement, immediate. What an
 * instruction does is of no interest here. After the opcode maps of the manuals of Intel and AMD.
 */
#include "world/x86.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What follows an opcode. */
enum { M = 1, I1 = 2, I2 = 4, IZ = 8, BAD = 16 }; /* operand byte; 1, 2, or 2 or 4 bytes; none */

struct insn {
    const uint8_t *code;
    size_t n, at; /* bytes there are; bytes looked at */
    bool word;    /* 66: operands of 16 bits */
    bool addr32;  /* 67 */
    bool wide;    /* REX.W */
};

static bool is_prefix(uint8_t b)
{
    switch (b) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf0:
    case 0xf2:
    case 0xf3: return true;
    default: return false;
    }
}

static unsigned one_byte(uint8_t op)
{
    static const uint8_t from_80[16] = {M | I1, M | IZ, BAD, M | I1, M, M, M, M,
                                        M,      M,      M,   M,      M, M, M, M};
    static const uint8_t from_c0[16] = {M | I1,  M | I1, I2, 0, BAD, BAD, M | I1, M | IZ,
                                        I2 | I1, 0,      I2, 0, 0,   I1,  BAD,    0};
    static const uint8_t from_e0[16] = {I1, I1, I1,  I1, I1, I1, I1, I1,
                                        IZ, IZ, BAD, I1, 0,  0,  0,  0};
    if (op < 0x40) {
        static const uint8_t arithmetic[8] = {M, M, M, M, I1, IZ, BAD, BAD};
        return arithmetic[op & 7];
    }
    switch (op >> 4) {
    case 5: return 0;
    case 6: {
        static const uint8_t row[16] = {BAD, BAD,    BAD, M,      BAD, BAD, BAD, BAD,
                                        IZ,  M | IZ, I1,  M | I1, 0,   0,   0,   0};
        return row[op & 15];
    }
    case 7: return I1;
    case 8: return from_80[op & 15];
    case 9: return op == 0x9a ? BAD : 0;
    case 0xa: return op == 0xa8 ? I1 : op == 0xa9 ? IZ : 0;
    case 0xb: return op < 0xb8 ? I1 : IZ;
    case 0xc: return from_c0[op & 15];
    case 0xd: return op == 0xd7 ? 0 : op >= 0xd4 && op <= 0xd6 ? BAD : M;
    case 0xe: return from_e0[op & 15];
    case 0xf: return (op & 7) >= 6 ? M : 0; /* F6, F7, FE, FF */
    default: return BAD;
    }
}

static unsigned two_byte(uint8_t op)
{
    switch (op >> 4) {
    case 0: return op < 4 || op == 0x0d ? M : op == 0x0f ? M | I1 : op == 0x04 ? BAD : 0;
    case 3: return 0;
    case 7: return op <= 0x73 ? M | I1 : op == 0x77 ? 0 : M;
    case 8: return IZ;
    case 0xa:
        switch (op) {
        case 0xa0:
        case 0xa1:
        case 0xa2:
        case 0xa8:
        case 0xa9:
        case 0xaa: return 0;
        case 0xa4:
        case 0xac: return M | I1;
        default: return M;
        }
    case 0xb: return op == 0xba ? M | I1 : M;
    case 0xc: return op >= 0xc8 ? 0 : op == 0xc2 || (op >= 0xc4 && op <= 0xc6) ? M | I1 : M;
    default: return M;
    }
}

/* Map 1 is 0F, 2 is 0F 38, 3 is 0F 3A. */
static unsigned vector_op(unsigned map, uint8_t op)
{
    return map == 1 ? two_byte(op) : map == 3 ? M | I1 : M;
}

static size_t operand_length(const struct insn *x)
{
    if (x->at >= x->n) {
        return 0;
    }
    unsigned mod = x->code[x->at] >> 6, rm = x->code[x->at] & 7;
    size_t length = 1 + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
    if (mod == 3) {
        return 1;
    }
    if (rm == 4) {
        unsigned base = x->at + 1 < x->n ? x->code[x->at + 1] & 7 : 0;
        return length + 1 + (mod == 0 && base == 5 ? 4 : 0);
    }
    return length + (mod == 0 && rm == 5 ? 4 : 0);
}

/* Prefixes and opcode; what follows it. */
static unsigned read_opcode(struct insn *x, uint8_t *ret_op, unsigned *ret_map)
{
    while (x->at < x->n && is_prefix(x->code[x->at])) {
        x->word = x->word || x->code[x->at] == 0x66;
        x->addr32 = x->addr32 || x->code[x->at] == 0x67;
        x->at++;
    }
    if (x->at < x->n && (x->code[x->at] & 0xf0) == 0x40) {
        x->wide = (x->code[x->at++] & 8) != 0;
    }
    uint8_t b[5] = {0};
    for (size_t i = 0; i < sizeof b && x->at + i < x->n; i++) {
        b[i] = x->code[x->at + i];
    }
    *ret_map = 0;
    size_t used = 1;
    if (b[0] == 0xc5 || b[0] == 0xc4 || b[0] == 0x62) { /* VEX, VEX, EVEX */
        used = b[0] == 0xc5 ? 3 : b[0] == 0xc4 ? 4 : 5;
        *ret_map = b[0] == 0xc5 ? 1 : b[1] & (b[0] == 0xc4 ? 31U : 7U);
        *ret_op = b[used - 1];
        x->at += used;
        return *ret_map == 0 ? BAD : vector_op(*ret_map, *ret_op);
    }
    if (b[0] == 0x0f) {
        *ret_map = b[1] == 0x38 ? 2 : b[1] == 0x3a ? 3 : 1;
        used = *ret_map == 1 ? 2 : 3;
    }
    *ret_op = b[used - 1];
    x->at += used;
    return *ret_map == 0 ? one_byte(*ret_op) : vector_op(*ret_map, *ret_op);
}

size_t x86_length(const uint8_t *code, size_t n)
{
    struct insn x = {.code = code, .n = n};
    uint8_t op = 0;
    unsigned map = 0, what = read_opcode(&x, &op, &map);
    if (what == BAD || x.at > n) {
        return 0;
    }
    size_t immediate = ((what & I1) != 0 ? 1 : 0) + ((what & I2) != 0 ? 2 : 0);
    if ((what & IZ) != 0) {
        bool near = (map == 0 && (op == 0xe8 || op == 0xe9)) || (map == 1 && op >> 4 == 8);
        immediate += x.word && !near ? 2 : 4;
    }
    if (map == 0 && op >= 0xb8 && op <= 0xbf && x.wide) {
        immediate = 8;
    } else if (map == 0 && op >= 0xa0 && op <= 0xa3) {
        immediate = x.addr32 ? 4 : 8;
    } else if (map == 0 && (op == 0xf6 || op == 0xf7) && x.at < n && (code[x.at] >> 3 & 7) < 2) {
        immediate = op == 0xf6 ? 1 : x.word ? 2 : 4;
    }
    if ((what & M) != 0) {
        size_t operand = operand_length(&x);
        x.at = operand == 0 ? n + 1 : x.at + operand;
    }
    x.at += immediate;
    return x.at <= n && x.at <= 15 ? x.at : 0;
}
