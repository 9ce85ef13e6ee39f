/* Checksums: CRC-32 (of zlib), in hexadecimal digits without zeros in front. The algorithm's is of
 * its tree, the translation's of its lines without their ends. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal_int.h"

static uint32_t crc32(uint32_t crc, struct str text)
{
    crc = ~crc;
    for (size_t i = 0; i < text.n; i++) {
        crc ^= (unsigned char)text.p[i];
        for (int k = 0; k < 8; k++) {
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
        }
    }
    return ~crc;
}

static struct str digits(struct arena *arena, uint32_t crc)
{
    return str_of(arena_printf(arena, "%x", crc));
}

struct str pcal_checksum_of(struct arena *arena, struct str text)
{
    return digits(arena, crc32(0, text));
}

struct str pcal_checksum_of_lines(struct arena *arena, const struct str *lines, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc = crc32(crc, lines[i]);
    }
    return digits(arena, crc);
}

/* All fair algorithms have the same: the translator takes the sum of the word instead of that of
 * the word and the tree. */
struct str pcal_checksum_of_tree(struct pcal *p, const struct node *root, bool fair)
{
    struct strbuf text = {.arena = p->arena};
    if (fair) {
        strbuf_adds(&text, "fair");
    } else {
        pcal_tree_print(root, p->options, &text);
    }
    return pcal_checksum_of(p->arena, strbuf_str(&text));
}

/* ---- finding them in the line BEGIN TRANSLATION ---- */
struct cursor {
    const char *p, *end;
};

static void blanks(struct cursor *c)
{
    while (c->p < c->end && strchr(" \t\n\v\f\r", *c->p) != NULL && *c->p != '\0') {
        c->p++;
    }
}

static bool text(struct cursor *c, const char *want)
{
    size_t n = strlen(want);
    bool found = (size_t)(c->end - c->p) >= n && memcmp(c->p, want, n) == 0;
    c->p += found ? n : 0;
    return found;
}

/* In capitals or not. */
static bool word(struct cursor *c, const char *want)
{
    size_t n = strlen(want);
    bool found = (size_t)(c->end - c->p) >= n && strncasecmp(c->p, want, n) == 0;
    c->p += found ? n : 0;
    return found;
}

/* = "digits", or \in STRING, which says that it is not to be looked at. */
static bool value(struct cursor *c, struct str *ret_digits)
{
    blanks(c);
    if (text(c, "\\in")) {
        blanks(c);
        *ret_digits = (struct str){0};
        return text(c, "STRING");
    }
    if (!text(c, "=")) {
        return false;
    }
    blanks(c);
    if (!text(c, "\"")) {
        return false;
    }
    const char *begin = c->p;
    while (c->p < c->end && isxdigit((unsigned char)*c->p) != 0) {
        c->p++;
    }
    *ret_digits = (struct str){begin, (size_t)(c->p - begin)};
    return text(c, "\"");
}

static bool sums(struct cursor *c, struct checksums *ret)
{
    const char *start = c->p;
    blanks(c);
    if (c->p == start || !text(c, "(")) {
        return false;
    }
    blanks(c);
    bool ok = (word(c, "checksum(") || word(c, "chksum(")) &&
              (word(c, "pluscal)") || word(c, "pcal)")) && value(c, &ret->pcal);
    blanks(c);
    ok = ok && text(c, "/\\");
    blanks(c);
    ok = ok && (word(c, "checksum(") || word(c, "chksum(")) &&
         (word(c, "tla+)") || word(c, "tla)")) && value(c, &ret->tla);
    blanks(c);
    return ok && text(c, ")");
}

bool pcal_checksums_find(struct str line, struct checksums *ret)
{
    static const char mark[] = "\\* BEGIN TRANSLATION";
    for (size_t i = 0; i + sizeof mark - 1 <= line.n; i++) {
        struct cursor c = {line.p + i, line.p + line.n};
        *ret = (struct checksums){0};
        if (text(&c, mark) && sums(&c, ret)) {
            return true;
        }
    }
    return false;
}
