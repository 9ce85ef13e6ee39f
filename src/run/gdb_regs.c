/* Registers of x86-64 in the order and the sizes of gdb's target descriptions. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/user.h>

#include "base/str.h"
#include "run/gdb_int.h"
#include "world/debug.h"

/* ---- general registers ---- */
struct reg {
    const char *name;
    uint8_t bytes;
    uint16_t at; /* in struct user_regs_struct */
    const char *type;
};
#define G(name, bytes, field, type) {name, bytes, offsetof(struct user_regs_struct, field), type}
static const struct reg core[] = {
    G("rax", 8, rax, "int64"),    G("rbx", 8, rbx, "int64"),    G("rcx", 8, rcx, "int64"),
    G("rdx", 8, rdx, "int64"),    G("rsi", 8, rsi, "int64"),    G("rdi", 8, rdi, "int64"),
    G("rbp", 8, rbp, "data_ptr"), G("rsp", 8, rsp, "data_ptr"), G("r8", 8, r8, "int64"),
    G("r9", 8, r9, "int64"),      G("r10", 8, r10, "int64"),    G("r11", 8, r11, "int64"),
    G("r12", 8, r12, "int64"),    G("r13", 8, r13, "int64"),    G("r14", 8, r14, "int64"),
    G("r15", 8, r15, "int64"),    G("rip", 8, rip, "code_ptr"), G("eflags", 4, eflags, "int32"),
    G("cs", 4, cs, "int32"),      G("ss", 4, ss, "int32"),      G("ds", 4, ds, "int32"),
    G("es", 4, es, "int32"),      G("fs", 4, fs, "int32"),      G("gs", 4, gs, "int32"),
};
static const struct reg linux_regs[] = {G("orig_rax", 8, orig_rax, "int")};
static const struct reg segments[] = {G("fs_base", 8, fs_base, "int"),
                                      G("gs_base", 8, gs_base, "int")};
#undef G
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
static const char *const control[] = {"fctrl", "fstat", "ftag",  "fiseg",
                                      "fioff", "foseg", "fooff", "fop"};

static size_t pack_list(const struct reg *list, size_t n, const struct user_regs_struct *regs,
                        uint8_t *to)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(to + at, (const uint8_t *)regs + list[i].at, list[i].bytes);
        at += list[i].bytes;
    }
    return at;
}

static size_t unpack_list(const struct reg *list, size_t n, const uint8_t *from,
                          struct user_regs_struct *regs)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        memset((uint8_t *)regs + list[i].at, 0, 8);
        memcpy((uint8_t *)regs + list[i].at, from + at, list[i].bytes);
        at += list[i].bytes;
    }
    return at;
}

/* Two bits for each register of the stack: 0 in use, 3 empty. */
static uint32_t full_tags(uint16_t used)
{
    uint32_t tags = 0;
    for (unsigned i = 0; i < 8; i++) {
        tags |= (used >> i & 1) != 0 ? 0 : 3U << (2 * i);
    }
    return tags;
}

static uint16_t short_tags(uint32_t tags)
{
    unsigned used = 0;
    for (unsigned i = 0; i < 8; i++) {
        used |= (tags >> (2 * i) & 3) != 3 ? 1U << i : 0;
    }
    return (uint16_t)used;
}

size_t gdb_regs_pack(const struct debug_regs *regs, uint8_t to[GDB_REG_BYTES_MOST])
{
    const struct user_fpregs_struct *fp = &regs->fp;
    size_t n = pack_list(core, COUNT(core), &regs->general, to);
    for (size_t i = 0; i < 8; i++, n += 10) {
        memcpy(to + n, (const uint8_t *)fp->st_space + 16 * i, 10);
    }
    const uint32_t words[8] = {fp->cwd,
                               fp->swd,
                               full_tags(fp->ftw),
                               (uint32_t)(fp->rip >> 32),
                               (uint32_t)fp->rip,
                               (uint32_t)(fp->rdp >> 32),
                               (uint32_t)fp->rdp,
                               fp->fop};
    memcpy(to + n, words, sizeof words);
    n += sizeof words;
    memcpy(to + n, fp->xmm_space, 256);
    n += 256;
    memcpy(to + n, &fp->mxcsr, 4);
    n += 4;
    n += pack_list(linux_regs, COUNT(linux_regs), &regs->general, to + n);
    return n + pack_list(segments, COUNT(segments), &regs->general, to + n);
}

bool gdb_regs_unpack(const uint8_t *from, size_t n, struct debug_regs *regs)
{
    uint8_t probe[GDB_REG_BYTES_MOST];
    if (n < gdb_regs_pack(regs, probe)) {
        return false;
    }
    struct user_fpregs_struct *fp = &regs->fp;
    size_t at = unpack_list(core, COUNT(core), from, &regs->general);
    for (size_t i = 0; i < 8; i++, at += 10) {
        memcpy((uint8_t *)fp->st_space + 16 * i, from + at, 10);
    }
    uint32_t words[8];
    memcpy(words, from + at, sizeof words);
    fp->cwd = (uint16_t)words[0];
    fp->swd = (uint16_t)words[1];
    fp->ftw = short_tags(words[2]);
    fp->fop = (uint16_t)words[7];
    at += sizeof words;
    memcpy(fp->xmm_space, from + at, 256);
    at += 256;
    memcpy(&fp->mxcsr, from + at, 4);
    at += 4;
    at += unpack_list(linux_regs, COUNT(linux_regs), from + at, &regs->general);
    (void)unpack_list(segments, COUNT(segments), from + at, &regs->general);
    return true;
}

/* ---- their description ---- */

static void xml_list(struct strbuf *out, const char *feature, const struct reg *list, size_t n)
{
    strbuf_printf(out, "<feature name=\"org.gnu.gdb.i386.%s\">", feature);
    for (size_t i = 0; i < n; i++) {
        strbuf_printf(out, "<reg name=\"%s\" bitsize=\"%d\" type=\"%s\"/>", list[i].name,
                      list[i].bytes * 8, list[i].type);
    }
}

void gdb_target_xml(struct strbuf *out)
{
    strbuf_adds(out, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
                     "<architecture>i386:x86-64</architecture><osabi>GNU/Linux</osabi>");
    xml_list(out, "core", core, COUNT(core));
    for (int i = 0; i < 8; i++) {
        strbuf_printf(out, "<reg name=\"st%d\" bitsize=\"80\" type=\"i387_ext\"/>", i);
    }
    for (size_t i = 0; i < COUNT(control); i++) {
        strbuf_printf(out, "<reg name=\"%s\" bitsize=\"32\" type=\"int\" group=\"float\"/>",
                      control[i]);
    }
    strbuf_adds(out,
                "</feature><feature name=\"org.gnu.gdb.i386.sse\">"
                "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
                "<vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>"
                "<vector id=\"v16i8\" type=\"int8\" count=\"16\"/>"
                "<vector id=\"v8i16\" type=\"int16\" count=\"8\"/>"
                "<vector id=\"v4i32\" type=\"int32\" count=\"4\"/>"
                "<vector id=\"v2i64\" type=\"int64\" count=\"2\"/>"
                "<union id=\"vec128\"><field name=\"v4_float\" type=\"v4f\"/>"
                "<field name=\"v2_double\" type=\"v2d\"/><field name=\"v16_int8\" type=\"v16i8\"/>"
                "<field name=\"v8_int16\" type=\"v8i16\"/>"
                "<field name=\"v4_int32\" type=\"v4i32\"/>"
                "<field name=\"v2_int64\" type=\"v2i64\"/>"
                "<field name=\"uint128\" type=\"uint128\"/></union>");
    for (int i = 0; i < 16; i++) {
        strbuf_printf(out, "<reg name=\"xmm%d\" bitsize=\"128\" type=\"vec128\"/>", i);
    }
    strbuf_adds(out,
                "<reg name=\"mxcsr\" bitsize=\"32\" type=\"int\" group=\"vector\"/></feature>");
    xml_list(out, "linux", linux_regs, COUNT(linux_regs));
    strbuf_adds(out, "</feature>");
    xml_list(out, "segments", segments, COUNT(segments));
    strbuf_adds(out, "</feature></target>");
}

/* ---- hexadecimal ---- */

void hex_put(struct strbuf *out, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        strbuf_printf(out, "%02x", ((const uint8_t *)bytes)[i]);
    }
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

size_t hex_get(const char *text, size_t n, uint8_t *to)
{
    size_t i = 0;
    for (; 2 * i + 1 < n; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            break;
        }
        to[i] = (uint8_t)(high << 4 | low);
    }
    return i;
}
