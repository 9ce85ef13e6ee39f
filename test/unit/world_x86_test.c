/* Lengths of instructions: one of each form. */
#include <stddef.h>
#include <stdint.h>

#include "test.h"
#include "world/x86.h"

static const struct {
    size_t want;
    uint8_t code[15];
} forms[] = {
    {1,  {0xc3}                                                                                    }, /* ret */
    {2,  {0x31, 0xc0}                                                                              }, /* xor eax, eax */
    {3,  {0x48, 0x01, 0xef}                                                                        }, /* add rdi, rbp */
    {4,  {0xf3, 0x0f, 0x1e, 0xfa}                                                                  }, /* endbr64 */
    {5,  {0xe8, 1, 2, 3, 4}                                                                        }, /* call */
    {6,  {0x0f, 0x84, 1, 2, 3, 4}                                                                  }, /* je */
    {7,  {0x66, 0x0f, 0x84, 1, 2, 3, 4}                                                            }, /* je: no shorter */
    {6,  {0x66, 0xe8, 1, 2, 3, 4}                                                                  }, /* call, the same */
    {7,  {0x48, 0x8b, 0x05, 1, 2, 3, 4}                                                            }, /* mov rax, [rip + x] */
    {8,  {0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4}                                                      }, /* mov rax, [x] */
    {5,  {0x48, 0x8b, 0x44, 0x24, 8}                                                               }, /* mov rax, [rsp + 8] */
    {10, {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}                                                      }, /* mov rax, x */
    {9,  {0xa0, 1, 2, 3, 4, 5, 6, 7, 8}                                                            }, /* mov al, [x] */
    {4,  {0x66, 0xb8, 1, 2}                                                                        }, /* mov ax, x */
    {5,  {0x66, 0x81, 0xc0, 1, 2}                                                                  }, /* add ax, x */
    {3,  {0xf6, 0xc0, 1}                                                                           }, /* test al, x */
    {2,  {0xf6, 0xd8}                                                                              }, /* neg al */
    {6,  {0xf7, 0xc0, 1, 2, 3, 4}                                                                  }, /* test eax, x */
    {4,  {0xc8, 1, 2, 3}                                                                           }, /* enter */
    {10, {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}                                             }, /* nop */
    {3,  {0xc5, 0xf8, 0x77}                                                                        }, /* vzeroupper */
    {6,  {0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1}                                                         }, /* vextracti128 */
    {7,  {0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x46, 1}                                                   }, /* vmovdqu64 */
    {6,  {0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8}                                                         }, /* palignr */
    {5,  {0x66, 0x0f, 0x38, 0x00, 0xc1}                                                            }, /* pshufb */
    {4,  {0x48, 0x0f, 0xc7, 0xf0}                                                                  }, /* rdrand rax */
    {0,  {0x06}                                                                                    }, /* no instruction */
    {0,  {0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66}},
};

TEST(lengths)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        CHECK_EQ(x86_length(forms[i].code, 15), forms[i].want);
        for (size_t n = 0; n < forms[i].want; n++) {
            CHECK_EQ(x86_length(forms[i].code, n), (size_t)0);
        }
    }
}

/* Every first byte, followed by one that names registers: as objdump has it, but for 8d and c5,
 * which it calls bad before a register. */
TEST(first_bytes)
{
    static const char *const rows[16] = {
        "2222250022222503", "2222250022222500", "2222254022222540", "2222254022222540",
        "4444444444444444", "1111111111111111", "0002444456231111", "2222222222222222",
        "3603222222222222", "1111111111011111", "9999111125111111", "2222222255555555",
        "3331043641311201", "2222000122222222", "2222222255021111", "4144113611111122",
    };
    uint8_t code[15] = {0, 0xc0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (unsigned i = 0; i < 256; i++) {
        code[0] = (uint8_t)i;
        CHECK_EQ(x86_length(code, 15), (size_t)(rows[i / 16][i % 16] - '0'));
    }
}
