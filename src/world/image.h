/* Private to the world room: what the memory of a process holds, page by page. See image.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/str.h"
#include "base/vec.h"
#include "tracee/tracee.h"

/* What counts. */
struct state_mode {
    bool no_clocks; /* words that may be times do not */
};
bool state_mode_same(struct state_mode a, struct state_mode b);
/* A word as it counts: 0 if it may be a time, and these do not. */
uint64_t state_word(struct state_mode mode, uint64_t word);

struct page_sum {
    uint64_t addr, sum;
};
struct image {
    VEC(struct page_sum) pages; /* of its own, in order; not those without effect on the sum */
    uint64_t sum;               /* of all */
    bool known;
    struct state_mode mode;
};
void image_done(struct image *image);
void image_copy(struct image *to, const struct image *from);

/* /proc/PID/maps as text. False: it cannot be read. */
bool image_maps(pid_t real, struct strbuf *ret);
bool image_maps_through(int fd, struct strbuf *ret); /* a descriptor of that file */
/* Of what a program can tell: not which number a file has on the machine. */
uint64_t image_maps_hash(struct strbuf *maps);
/* The ranges of a text of maps that are of files, in order. */
struct file_range {
    uint64_t begin, end;
};
struct file_ranges {
    struct file_range *v;
    size_t n, cap;
};
void image_file_ranges(struct strbuf *maps, struct file_ranges *ret);
bool image_in_file(const struct file_ranges *ranges, uint64_t addr, size_t *at);

/* Makes the image that of the process. If it is known, only pages are read that may have changed
 * since the latest copy of the process. ret_idle: of those read, how many were as before. 0 or
 * -errno. */
MUST_USE int image_update(struct image *image, pid_t real, struct strbuf *maps,
                          struct state_mode mode, size_t *ret_idle);
/* The same, the slow and obvious way: every page that is mapped is read. */
MUST_USE int image_full(pid_t real, struct strbuf *maps, struct state_mode mode, uint64_t *ret_sum);
