/* Registers as gdb gets them: each at its place, and back again; their description; hexadecimal. */
#include <stddef.h>
#include <stdint.h>

#include <sys/user.h>

#include "base/str.h"
#include "run/gdb_int.h"
#include "test.h"
#include "world/debug.h"

/* Every register has a value of its own. */
static void fill(struct debug_regs *regs)
{
    uint8_t *bytes = (uint8_t *)&regs->general;
    for (size_t i = 0; i < sizeof regs->general; i++) {
        bytes[i] = (uint8_t)(i * 7 + 1);
    }
    bytes = (uint8_t *)&regs->fp;
    for (size_t i = 0; i < sizeof regs->fp; i++) {
        bytes[i] = (uint8_t)(i * 11 + 3);
    }
    regs->fp.ftw = 0x95; /* registers 0, 2, 4 and 7 are in use */
}

static uint64_t word(const uint8_t *at, size_t n)
{
    uint64_t value = 0;
    memcpy(&value, at, n);
    return value;
}

TEST(each_register_is_at_its_place)
{
    struct debug_regs r;
    uint8_t out[GDB_REG_BYTES_MOST + 8];
    fill(&r);
    memset(out, 0xee, sizeof out);
    const struct user_regs_struct *g = &r.general;
    const struct user_fpregs_struct *f = &r.fp;
    const uint64_t longs[] = {g->rax, g->rbx, g->rcx, g->rdx, g->rsi, g->rdi, g->rbp, g->rsp, g->r8,
                              g->r9,  g->r10, g->r11, g->r12, g->r13, g->r14, g->r15, g->rip};
    const uint64_t halves[] = {g->eflags, g->cs, g->ss, g->ds, g->es, g->fs, g->gs};
    const uint64_t control[] = {
        f->cwd,       f->swd,           0x3ccc, /* two bits each: 3 for those that are empty */
        f->rip >> 32, (uint32_t)f->rip, f->rdp >> 32, (uint32_t)f->rdp, f->fop};
    size_t n = gdb_regs_pack(&r, out), at = 0;
    for (size_t i = 0; i < 17; i++, at += 8) {
        CHECK_EQ(word(out + at, 8), longs[i]);
    }
    for (size_t i = 0; i < 7; i++, at += 4) {
        CHECK_EQ(word(out + at, 4), (uint32_t)halves[i]);
    }
    for (size_t i = 0; i < 8; i++, at += 10) {
        CHECK(memcmp(out + at, (const uint8_t *)f->st_space + 16 * i, 10) == 0);
    }
    for (size_t i = 0; i < 8; i++, at += 4) {
        CHECK_EQ(word(out + at, 4), control[i]);
    }
    CHECK(memcmp(out + at, f->xmm_space, 256) == 0);
    at += 256;
    CHECK_EQ(word(out + at, 4), f->mxcsr);
    CHECK_EQ(word(out + at + 4, 8), g->orig_rax);
    CHECK_EQ(word(out + at + 12, 8), g->fs_base);
    CHECK_EQ(word(out + at + 20, 8), g->gs_base);
    CHECK_EQ(n, at + 28);
    CHECK_EQ(n, 560);
    CHECK_EQ(out[n], 0xee);
}

TEST(registers_come_back)
{
    struct debug_regs from, to;
    uint8_t bytes[GDB_REG_BYTES_MOST], again[GDB_REG_BYTES_MOST];
    fill(&from);
    size_t n = gdb_regs_pack(&from, bytes);
    memset(&to, 0x55, sizeof to);
    CHECK(!gdb_regs_unpack(bytes, n - 1, &to));
    CHECK_EQ(to.general.rax, 0x5555555555555555);
    to.fp.rip = from.fp.rip;
    to.fp.rdp = from.fp.rdp;
    CHECK(gdb_regs_unpack(bytes, n, &to));
    CHECK_EQ(gdb_regs_pack(&to, again), n);
    CHECK(memcmp(bytes, again, n) == 0);
    CHECK_EQ(to.fp.ftw, 0x95);
    CHECK_EQ(to.general.eflags, (uint32_t)from.general.eflags); /* 4 bytes, the rest 0 */
    CHECK_EQ(to.general.gs, (uint32_t)from.general.gs);
    CHECK_EQ(to.general.orig_rax, from.general.orig_rax);
    CHECK_EQ(to.general.gs_base, from.general.gs_base);
    CHECK_EQ(to.fp.mxcsr, from.fp.mxcsr);
    CHECK_EQ(to.fp.mxcr_mask, 0x55555555); /* what gdb does not know stays */
    CHECK(memcmp((const uint8_t *)to.fp.st_space + 10, "UUUUUU", 6) == 0);
}

/* Names and sizes in their order. */
TEST(the_description)
{
    static const char *const features[] = {"core", "sse", "linux", "segments"};
    static const struct {
        const char *name;
        int bits;
    } rows[] = {
        {"rax",      64 },
        {"rbx",      64 },
        {"rcx",      64 },
        {"rdx",      64 },
        {"rsi",      64 },
        {"rdi",      64 },
        {"rbp",      64 },
        {"rsp",      64 },
        {"r8",       64 },
        {"r9",       64 },
        {"r10",      64 },
        {"r11",      64 },
        {"r12",      64 },
        {"r13",      64 },
        {"r14",      64 },
        {"r15",      64 },
        {"rip",      64 },
        {"eflags",   32 },
        {"cs",       32 },
        {"ss",       32 },
        {"ds",       32 },
        {"es",       32 },
        {"fs",       32 },
        {"gs",       32 },
        {"st0",      80 },
        {"st1",      80 },
        {"st2",      80 },
        {"st3",      80 },
        {"st4",      80 },
        {"st5",      80 },
        {"st6",      80 },
        {"st7",      80 },
        {"fctrl",    32 },
        {"fstat",    32 },
        {"ftag",     32 },
        {"fiseg",    32 },
        {"fioff",    32 },
        {"foseg",    32 },
        {"fooff",    32 },
        {"fop",      32 },
        {"xmm0",     128},
        {"xmm1",     128},
        {"xmm2",     128},
        {"xmm3",     128},
        {"xmm4",     128},
        {"xmm5",     128},
        {"xmm6",     128},
        {"xmm7",     128},
        {"xmm8",     128},
        {"xmm9",     128},
        {"xmm10",    128},
        {"xmm11",    128},
        {"xmm12",    128},
        {"xmm13",    128},
        {"xmm14",    128},
        {"xmm15",    128},
        {"mxcsr",    32 },
        {"orig_rax", 64 },
        {"fs_base",  64 },
        {"gs_base",  64 },
    };
    SCOPED_STRBUF xml = {0};
    gdb_target_xml(&xml);
    const char *at = strbuf_cstr(&xml);
    int bits = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char want[80];
        (void)snprintf(want, sizeof want, "<reg name=\"%s\" bitsize=\"%d\" type=\"", rows[i].name,
                       rows[i].bits);
        at = strstr(at, "<reg ");
        CHECK(at != NULL && strncmp(at, want, strlen(want)) == 0);
        at++;
        bits += rows[i].bits;
    }
    CHECK(strstr(at, "<reg ") == NULL);
    CHECK_EQ(bits, 560 * 8);
    at = strbuf_cstr(&xml);
    for (size_t i = 0; i < 4; i++) {
        char want[80];
        (void)snprintf(want, sizeof want, "<feature name=\"org.gnu.gdb.i386.%s\">", features[i]);
        at = strstr(at, "<feature ");
        CHECK(at != NULL && strncmp(at, want, strlen(want)) == 0);
        at = strstr(at, "</feature>");
        CHECK(at != NULL);
    }
    CHECK_STR(at, "</feature></target>");
    CHECK(strstr(strbuf_cstr(&xml), "type=\"data_ptr\"/><reg name=\"rsp\"") != NULL);
}

TEST(hexadecimal)
{
    static const struct {
        const char *text;
        size_t n, bytes;
        uint64_t value;
    } rows[] = {
        {"0019afAF", 8, 4, 0xafaf1900},
        {"1234",     3, 1, 0x12      },
        {"12g4",     4, 1, 0x12      },
        {"1/34",     4, 0, 0         },
        {"1:34",     4, 0, 0         },
        {"`a",       2, 0, 0         },
        {"@a",       2, 0, 0         },
        {"Ga",       2, 0, 0         },
        {"",         0, 0, 0         },
        {"99",       2, 1, 0x99      },
        {"ff",       2, 1, 0xff      },
        {"F0",       2, 1, 0xf0      },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t out[8] = {0};
        CHECK_EQ(hex_get(rows[i].text, rows[i].n, out), rows[i].bytes);
        CHECK_EQ(word(out, 8), rows[i].value);
    }
    SCOPED_STRBUF text = {0};
    hex_put(&text, "\x00\x9a\xff", 3);
    CHECK_STR(strbuf_cstr(&text), "009aff");
}
