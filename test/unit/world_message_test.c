/* Messages in streams: the ends are found however the stream is cut into pieces. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "test.h"
#include "world/world.h"
#include "world/world_int.h"

/* Scans pieces of `piece` bytes; the lengths of the messages found go to ret. */
static size_t ends(const struct world_message *rule, const char *text, size_t n, size_t piece,
                   size_t ret[16])
{
    struct framer f = {0};
    size_t found = 0, length = 0;
    for (size_t at = 0; at < n;) {
        size_t want = n - at < piece ? n - at : piece;
        bool ended = false;
        size_t got = message_scan(rule, &f, (const uint8_t *)text + at, want, &ended);
        if (f.broken) {
            return 99;
        }
        length += got;
        at += got;
        if (ended) {
            ret[found++] = length;
            length = 0;
        }
    }
    return found;
}

TEST(lengths)
{
    static const struct {
        struct world_message rule;
        const char *text;
        size_t n, found, lengths[4];
    } rows[] = {
        {{.end = MESSAGE_LENGTH, .width = 1},                     "\2ab\0\3abc\1",       9,  3,  {3, 1, 4}},
        {{.end = MESSAGE_LENGTH, .width = 2},                     "\0\2ab\0\0",          6,  2,  {4, 2}   },
        {{.end = MESSAGE_LENGTH, .width = 4, .little = true},     "\1\0\0\0a\2\0\0\0bc", 11, 2,  {5, 6}   },
        {{.end = MESSAGE_LENGTH, .width = 4, .counts_all = true},
         "\0\0\0\5a\0\0\0\4",                                                            9,
         2,                                                                                      {5, 4}   },
        {{.end = MESSAGE_LENGTH, .width = 1, .offset = 2},        "xy\1axy\0",           7,  2,  {4, 3}   },
        {{.end = MESSAGE_LENGTH, .width = 1, .extra = 2},         "\0ab\1abc",           7,  2,  {3, 4}   },
        {{.end = MESSAGE_LENGTH, .width = 1, .extra = -2},        "\2\3a",               3,  2,  {1, 2}   },
        {{.end = MESSAGE_LENGTH, .width = 8},                     "\0\0\0\0\0\0\0\1a",   9,  1,  {9}      },
        {{.end = MESSAGE_LENGTH, .width = 4},                     "\xff\xff\xff\xff",    4,  99, {0}      },
        {{.end = MESSAGE_LENGTH, .width = 1, .counts_all = true}, "\0",                  1,  99, {0}      },
        {{.end = MESSAGE_TEXT, .text = "\n", .text_n = 1},        "a\n\nbc\nd",          7,  3,  {2, 1, 3}},
        {{.end = MESSAGE_TEXT, .text = "\r\n", .text_n = 2},      "a\r\r\nb\r\n\n",      8,  2,  {4, 3}   },
        {{.end = MESSAGE_TEXT, .text = "aab", .text_n = 3},       "aaabaab",             7,  2,  {4, 3}   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t piece = 1; piece <= rows[i].n; piece++) {
            size_t lengths[16] = {0};
            CHECK_EQ(ends(&rows[i].rule, rows[i].text, rows[i].n, piece, lengths), rows[i].found);
            for (size_t k = 0; rows[i].found != 99 && k < rows[i].found; k++) {
                CHECK_EQ(lengths[k], rows[i].lengths[k]);
            }
        }
    }
}
