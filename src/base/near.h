/* "Did you mean": of the words that would have been right, the one nearest to a word that is not.
 *
 *     struct near near = near_to(word);
 *     near_try(&near, STR("check"));       ... for every word that there is
 *     if (near.best.n != 0) ...            it is near enough to be what was meant
 */
#pragma once

#include <stddef.h>

#include "base/str.h"

/* Of equally near ones the least by bytes: the order in which they are tried does not matter. */
struct near {
    struct str word;
    struct str best; /* as it was given to near_try; empty: none is near */
    size_t distance; /* of best; at the beginning, the first distance that is too far */
};

struct near near_to(struct str word);
void near_try(struct near *near, struct str candidate);
void near_try_all(struct near *near, const char *const *candidates, size_t n);
/* Adds `before`, the word and `after` to a text if there is a word. */
void near_add(const struct near *near, struct strbuf *out, const char *before, const char *after);
