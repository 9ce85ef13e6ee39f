/* What the memory of a process holds: a sum for each page that is its own, and the sum of all of
 * them, so that a changed page costs no more than itself. A page of zeros in anonymous memory
 * counts like one that was never touched, because no program can tell them apart; an untouched page
 * of a file counts through the list of mappings.
 *
 * Times. A word that may be a time does not count when times should not: nanoseconds of both
 * clocks, microseconds, milliseconds and seconds of the day, the same as floating point numbers,
 * the fraction behind such seconds, and what Go calls a wall clock with the reading behind it.
 * Small numbers, as seconds of the monotonic clock are, could be anything and always count. */
#include "world/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/types.h>

#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/world_int.h"

enum { WORDS = PAGE / 8, PAGES_AT_ONCE = 64 };

/* ---- words ---- */

/* Runs are shorter, and clocks are less wrong. */
#define SOME_HOURS  UINT64_C(43200)
#define EPOCH_S     ((EPOCH_NS + START_NS) / 1000000000)
#define GO_EPOCH_S  (EPOCH_S + UINT64_C(2682288000)) /* Go counts from 1885 */
#define GO_HAS_MONO (UINT64_C(1) << 63)

static bool near_day(uint64_t v, uint64_t per_second)
{
    return v / per_second >= EPOCH_S - SOME_HOURS && v / per_second < EPOCH_S + SOME_HOURS;
}

static bool is_seconds(uint64_t v)
{
    return near_day(v, 1);
}

static bool is_go_wall(uint64_t v)
{
    uint64_t s = v >> 30 & 0x1ffffffff;
    return (v & GO_HAS_MONO) != 0 && s >= GO_EPOCH_S - SOME_HOURS && s < GO_EPOCH_S + SOME_HOURS;
}

static bool is_double(uint64_t v)
{
    const double day_s = 1767225600;
    double d = 0;
    memcpy(&d, &v, sizeof d);
    bool day = d >= day_s - SOME_HOURS && d < day_s + SOME_HOURS;
    bool mono = d >= START_NS * 1e-9 && d < START_NS * 1e-9 + SOME_HOURS &&
                d * 64 != (double)(uint64_t)(d * 64); /* a round number is no time */
    return day || mono;
}

static bool is_time(uint64_t v)
{
    bool mono = v >= START_NS && v < START_NS + SOME_HOURS * 1000000000;
    return mono || is_seconds(v) || near_day(v, 1000) || near_day(v, 1000000) ||
           near_day(v, 1000000000) || is_go_wall(v) || is_double(v);
}

uint64_t state_word(struct state_mode mode, uint64_t word)
{
    return mode.no_clocks && is_time(word) ? 0 : word;
}

bool state_mode_same(struct state_mode a, struct state_mode b)
{
    return a.no_clocks == b.no_clocks;
}

static void drop_times(uint64_t words[WORDS])
{
    for (size_t i = 0; i < WORDS; i++) {
        uint64_t v = words[i];
        if (v < START_NS && !is_seconds(v)) {
            continue; /* most words, at once */
        }
        if (is_time(v)) {
            bool fraction = is_seconds(v) && i + 1 < WORDS && words[i + 1] < 1000000000;
            words[i] = 0;
            if (i + 1 < WORDS && (fraction || is_go_wall(v))) {
                words[++i] = 0;
            }
        }
    }
}

/* ---- pages ---- */

void image_done(struct image *image)
{
    VEC_DONE(&image->pages);
    *image = (struct image){0};
}

void image_copy(struct image *to, const struct image *from)
{
    to->known = from->known;
    to->mode = from->mode;
    to->sum = from->sum;
    to->pages.n = 0;
    if (from->known && from->pages.n != 0) {
        VEC_RESERVE(&to->pages, from->pages.n);
        memcpy(to->pages.v, from->pages.v, from->pages.n * sizeof to->pages.v[0]);
        to->pages.n = from->pages.n;
    }
}

bool image_maps_through(int fd, struct strbuf *ret)
{
    char text[16384];
    ssize_t n = 1;
    ret->n = 0;
    while (n > 0) {
        n = pread(fd, text, sizeof text, (off_t)ret->n);
        if (n > 0) {
            strbuf_add(ret, text, (size_t)n);
        }
    }
    return n == 0;
}

bool image_maps(pid_t real, struct strbuf *ret)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)real);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && image_maps_through(fd, ret);
    if (fd >= 0) {
        (void)close(fd);
    }
    return good;
}

uint64_t image_maps_hash(struct strbuf *maps)
{
    uint64_t h = 1;
    const char *at = strbuf_cstr(maps);
    while (*at != '\0') {
        const char *end = strchr(at, '\n');
        size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
        const char *field = at, *rest = at + n;
        for (int i = 0; i < 5 && field != NULL; i++) {
            field = memchr(field, ' ', (size_t)(rest - field));
            field = field != NULL ? field + 1 : NULL;
            if (i == 2 && field != NULL) { /* address, permissions, offset */
                h = hash_bytes(at, (size_t)(field - at), h);
            }
        }
        h = field != NULL ? hash_bytes(field, (size_t)(rest - field), h) : h;
        at += n + (end != NULL ? 1 : 0);
    }
    return h;
}

/* begin-end perms offset device inode name: 0 for the inode means that there is no file. */
void image_file_ranges(struct strbuf *maps, struct file_ranges *ret)
{
    ret->n = 0;
    const char *at = strbuf_cstr(maps);
    while (*at != '\0') {
        const char *end = strchr(at, '\n');
        char *next = NULL;
        struct file_range range = {strtoull(at, &next, 16), 0};
        range.end = strtoull(next + 1, &next, 16);
        for (int field = 0; field < 4 && next != NULL; field++) {
            next = strchr(next, ' ');
            next = next != NULL ? next + 1 : NULL;
        }
        if (next != NULL && *next != '0') {
            VEC_PUSH(ret, range);
        }
        at = end != NULL ? end + 1 : at + strlen(at);
    }
}

bool image_in_file(const struct file_ranges *ranges, uint64_t addr, size_t *at)
{
    while (*at < ranges->n && ranges->v[*at].end <= addr) {
        (*at)++;
    }
    return *at < ranges->n && ranges->v[*at].begin <= addr;
}

/* 0: no effect. */
static uint64_t sum_of(struct state_mode mode, uint64_t addr, uint64_t words[WORDS], bool in_file)
{
    bool zero = words[0] == 0 && memcmp(words, words + 1, PAGE - 8) == 0;
    if (zero && !in_file) {
        return 0;
    }
    if (mode.no_clocks) {
        drop_times(words);
    }
    return hash_bytes(words, PAGE, hash_mix(addr));
}

static int open_mem(pid_t real)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/mem", (int)real);
    return open(path, O_RDONLY | O_CLOEXEC);
}

struct reader { /* reads pages in order, neighbours at once */
    int fd;
    const uint64_t *addrs; /* the lowest bit does not belong to them */
    size_t n, i;           /* those that are to be read; the next */
    size_t have, used;     /* in the buffer */
    uint64_t words[PAGES_AT_ONCE * WORDS];
};

/* The next page; NULL when it cannot be read. */
static uint64_t *read_page(struct reader *r)
{
    if (r->used == r->have) {
        uint64_t begin = r->addrs[r->i] & ~UINT64_C(1);
        size_t n = 1;
        while (n < PAGES_AT_ONCE && r->i + n < r->n &&
               (r->addrs[r->i + n] & ~UINT64_C(1)) == begin + n * PAGE) {
            n++;
        }
        ssize_t got = pread(r->fd, r->words, n * PAGE, (off_t)begin);
        r->used = 0;
        r->have = got < PAGE ? 0 : (size_t)got / PAGE;
        if (r->have == 0) {
            r->i++;
            return NULL;
        }
    }
    r->i++;
    return r->words + WORDS * r->used++;
}

/* ---- all of them ---- */

struct merge {
    struct image *image;
    struct image fresh;
    struct reader *reader;
    const struct file_ranges *files;
    size_t file, idle;
};

/* One page that must be read; `old` is its sum, 0 if it had none. */
static void merge_read(struct merge *m, uint64_t addr, uint64_t old, struct state_mode mode)
{
    uint64_t *words = read_page(m->reader);
    if (words == NULL) {
        return;
    }
    uint64_t sum = sum_of(mode, addr, words, image_in_file(m->files, addr, &m->file));
    m->idle += sum == old ? 1 : 0;
    if (sum != 0) {
        VEC_PUSH(&m->fresh.pages, (struct page_sum){addr, sum});
    }
}

/* Which pages must be read: those that may have changed, and those that are not known. */
static void choose(const struct image *image, const struct tracee_pages *pages,
                   struct tracee_pages *ret)
{
    size_t k = 0;
    ret->n = 0;
    for (size_t i = 0; i < pages->n; i++) {
        uint64_t addr = pages->v[i] & ~UINT64_C(1);
        while (image->known && k < image->pages.n && image->pages.v[k].addr < addr) {
            k++;
        }
        bool have = image->known && k < image->pages.n && image->pages.v[k].addr == addr;
        if (!have || (pages->v[i] & 1) != 0) {
            VEC_PUSH(ret, pages->v[i]);
        }
    }
}

static void merge_all(struct merge *m, const struct tracee_pages *pages, struct state_mode mode)
{
    const struct image *image = m->image;
    struct reader *r = m->reader;
    size_t k = 0;
    for (size_t i = 0; i < pages->n; i++) {
        uint64_t addr = pages->v[i] & ~UINT64_C(1);
        while (image->known && k < image->pages.n && image->pages.v[k].addr < addr) {
            k++;
        }
        bool have = image->known && k < image->pages.n && image->pages.v[k].addr == addr;
        if (r->i < r->n && (r->addrs[r->i] & ~UINT64_C(1)) == addr) {
            merge_read(m, addr, have ? image->pages.v[k].sum : 0, mode);
        } else {
            VEC_PUSH(&m->fresh.pages, image->pages.v[k]);
        }
    }
    m->fresh.sum = 0;
    for (size_t i = 0; i < m->fresh.pages.n; i++) {
        m->fresh.sum += m->fresh.pages.v[i].sum;
    }
}

static int update(struct image *image, pid_t real, struct strbuf *maps, bool exact,
                  size_t *ret_idle)
{
    struct tracee_pages pages = {0}, wanted = {0};
    struct file_ranges files = {0};
    int status = tracee_pages(real, exact, &pages);
    int fd = status == 0 ? open_mem(real) : -1;
    status = status == 0 && fd < 0 ? -errno : status;
    if (status == 0) {
        size_t cap = 0;
        struct merge m = {.image = image, .files = &files};
        m.reader = vec_grow(NULL, &cap, 1, sizeof *m.reader);
        image_file_ranges(maps, &files);
        choose(image, &pages, &wanted);
        m.reader->fd = fd;
        m.reader->addrs = wanted.v;
        m.reader->n = wanted.n;
        m.reader->i = m.reader->have = m.reader->used = 0;
        merge_all(&m, &pages, image->mode);
        VEC_DONE(&image->pages);
        image->pages.v = m.fresh.pages.v;
        image->pages.n = m.fresh.pages.n;
        image->pages.cap = m.fresh.pages.cap;
        image->sum = m.fresh.sum;
        image->known = true;
        *ret_idle = m.idle;
        vec_release(m.reader);
        (void)close(fd);
    }
    VEC_DONE(&files);
    VEC_DONE(&pages);
    VEC_DONE(&wanted);
    return status;
}

int image_update(struct image *image, pid_t real, struct strbuf *maps, struct state_mode mode,
                 size_t *ret_idle)
{
    image->known = image->known && state_mode_same(image->mode, mode);
    image->mode = mode;
    return update(image, real, maps, true, ret_idle);
}

int image_full(pid_t real, struct strbuf *maps, struct state_mode mode, uint64_t *ret_sum)
{
    struct image image = {.mode = mode};
    size_t idle = 0;
    int status = update(&image, real, maps, false, &idle);
    *ret_sum = image.sum;
    image_done(&image);
    return status;
}
