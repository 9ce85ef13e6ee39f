/* States, packed for the way. A record is
 *
 *     number      2 * ordinal, and 1 more when the parent's fingerprint follows
 *     number      action
 *     8 bytes     fingerprint
 *     [8 bytes    that of the parent]
 *     number      2 * (length - length of the record before), and so on: what differs
 *
 * Where lengths are equal, what differs is a list of (bytes that are the same, bytes that are not,
 * the latter), up to the end. Otherwise it is what lies between the longest common beginning and
 * the longest common end. */
#include "dist/parcel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"

/* ---- numbers: seven bits in a byte, the lowest first ---- */

enum { NUMBER_MAX = 10 };

static uint8_t *put_number(uint8_t *to, uint64_t value)
{
    while (value >= 128) {
        *to++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

static bool get_number(struct str *left, uint64_t *ret)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && left->n > 0; shift += 7) {
        uint8_t byte = (uint8_t)*left->p;
        left->p++;
        left->n--;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *ret = value;
            return true;
        }
    }
    return false;
}

static bool get_word(struct str *left, uint64_t *ret)
{
    if (left->n < sizeof *ret) {
        return false;
    }
    memcpy(ret, left->p, sizeof *ret);
    left->p += sizeof *ret;
    left->n -= sizeof *ret;
    return true;
}

/* ---- what differs ---- */

/* The first place from `at` on where they differ, or n. */
static size_t same_until(const uint8_t *a, const uint8_t *b, size_t at, size_t n)
{
    while (at + 8 <= n) {
        uint64_t x;
        uint64_t y;
        memcpy(&x, a + at, 8);
        memcpy(&y, b + at, 8);
        if (x != y) {
            return at + (size_t)__builtin_ctzll(x ^ y) / 8;
        }
        at += 8;
    }
    while (at < n && a[at] == b[at]) {
        at++;
    }
    return at;
}

/* The end of what differs: two equal bytes cost less than a new run. */
static size_t differ_until(const uint8_t *a, const uint8_t *b, size_t at, size_t n)
{
    enum { GAP = 3 };
    size_t end = at;
    for (size_t i = at; i < n && i < end + GAP; i++) {
        if (a[i] != b[i]) {
            end = i + 1;
        }
    }
    return end;
}

static uint8_t *put_runs(uint8_t *to, const uint8_t *bytes, const uint8_t *last, size_t n)
{
    size_t at = 0;
    while (at < n) {
        size_t begin = same_until(bytes, last, at, n);
        size_t end = differ_until(bytes, last, begin, n);
        to = put_number(to, begin - at);
        if (begin < n) {
            to = put_number(to, end - begin);
            memcpy(to, bytes + begin, end - begin);
            to += end - begin;
        }
        at = end;
    }
    return to;
}

static bool get_runs(struct str *left, uint8_t *bytes, size_t n)
{
    size_t at = 0;
    while (at < n) {
        uint64_t same;
        uint64_t other;
        if (!get_number(left, &same) || same > n - at) {
            return false;
        }
        at += (size_t)same;
        if (at == n) {
            return true;
        }
        if (!get_number(left, &other) || other == 0 || other > n - at || other > left->n) {
            return false;
        }
        memcpy(bytes + at, left->p, (size_t)other);
        left->p += other;
        left->n -= (size_t)other;
        at += (size_t)other;
    }
    return true;
}

/* Of two lengths: how much of the beginning, then how much of the end they share. */
static uint8_t *put_middle(uint8_t *to, const uint8_t *bytes, size_t n, const struct strbuf *last)
{
    const uint8_t *old = (const uint8_t *)last->p;
    size_t least = n < last->n ? n : last->n;
    size_t front = least ? same_until(bytes, old, 0, least) : 0;
    size_t back = 0;
    while (back < least - front && bytes[n - 1 - back] == old[last->n - 1 - back]) {
        back++;
    }
    to = put_number(to, front);
    to = put_number(to, back);
    memcpy(to, bytes + front, n - front - back);
    return to + (n - front - back);
}

static bool get_middle(struct str *left, struct strbuf *last, size_t n)
{
    uint64_t front;
    uint64_t back;
    size_t least = n < last->n ? n : last->n;
    if (!get_number(left, &front) || !get_number(left, &back) || front > least ||
        back > least - front || n - front - back > left->n) {
        return false;
    }
    size_t middle = n - (size_t)front - (size_t)back;
    if (n > last->n) {
        strbuf_reserve(last, n - last->n);
    }
    memmove(last->p + front + middle, last->p + last->n - back, (size_t)back);
    memcpy(last->p + front, left->p, middle);
    last->n = n;
    left->p += middle;
    left->n -= middle;
    return true;
}

/* ---- records ---- */

void parcel_add(struct parcel *parcel, const struct parcel_record *record)
{
    size_t n = record->len;
    bool parent = parcel->n == 0 || record->parent != parcel->parent;
    strbuf_reserve(&parcel->out, 8 * NUMBER_MAX + 16 + 2 * n);
    strbuf_reserve(&parcel->last, n + 1);
    uint8_t *begin = (uint8_t *)parcel->out.p + parcel->out.n;
    uint8_t *to = put_number(begin, (uint64_t)record->ordinal << 1 | parent);
    to = put_number(to, record->action);
    memcpy(to, &record->fp, sizeof record->fp);
    to += sizeof record->fp;
    if (parent) {
        memcpy(to, &record->parent, sizeof record->parent);
        to += sizeof record->parent;
    }
    bool same = n == parcel->last.n;
    to = put_number(to, same ? 0 : n + 1);
    to = same ? put_runs(to, record->bytes, (const uint8_t *)parcel->last.p, n)
              : put_middle(to, record->bytes, n, &parcel->last);
    parcel->out.n += (size_t)(to - begin);
    memcpy(parcel->last.p, record->bytes, n);
    parcel->last.n = n;
    parcel->parent = record->parent;
    parcel->n++;
}

void parcel_reset(struct parcel *parcel)
{
    strbuf_reset(&parcel->out);
    strbuf_reset(&parcel->last);
    parcel->n = 0;
    parcel->parent = 0;
}

void parcel_done(struct parcel *parcel)
{
    strbuf_done(&parcel->out);
    strbuf_done(&parcel->last);
}

int parcel_next(struct parcel_reader *reader, struct parcel_record *ret)
{
    struct str *left = &reader->left;
    uint64_t ordinal;
    uint64_t action;
    uint64_t len;
    if (left->n == 0) {
        return 0;
    }
    if (!get_number(left, &ordinal) || !get_number(left, &action) || !get_word(left, &ret->fp) ||
        ((ordinal & 1) != 0 && !get_word(left, &reader->parent)) || !get_number(left, &len) ||
        len > UINT32_MAX) {
        return -1;
    }
    strbuf_reserve(&reader->last, 1);
    bool good = len == 0 ? get_runs(left, (uint8_t *)reader->last.p, reader->last.n)
                         : get_middle(left, &reader->last, (size_t)len - 1);
    ret->ordinal = (uint32_t)(ordinal >> 1);
    ret->action = (uint32_t)action;
    ret->parent = reader->parent;
    ret->bytes = (const uint8_t *)reader->last.p;
    ret->len = reader->last.n;
    return good ? 1 : -1;
}

void parcel_reader_done(struct parcel_reader *reader)
{
    strbuf_done(&reader->last);
}

/* ---- what was sent ---- */

void sent_init(struct sent *sent, unsigned bits)
{
    size_t n = (size_t)1 << bits;
    sent->slots = vec_grow(NULL, &(size_t){0}, n, sizeof *sent->slots);
    memset(sent->slots, 0, n * sizeof *sent->slots);
    sent->mask = n - 1;
    /* A fingerprint of zero would be taken for one that was sent: its slot has another one. */
    sent->slots[0] = UINT64_MAX;
}

void sent_done(struct sent *sent)
{
    vec_release(sent->slots);
    sent->slots = NULL;
}
