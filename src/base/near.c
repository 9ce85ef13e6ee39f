/* Edit distance with swaps of neighbours (optimal string alignment), in three rows: names are
 * short, and it is computed only after a mistake. A letter in the wrong case is half a change,
 * and so is a whole word. */
#include "base/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <strings.h>

#include "base/str.h"

enum { NAME_MAX_LEN = 63, STEP = 2 /* a change; a change of case is half of one */ };

static size_t replacing(char a, char b)
{
    bool same = tolower((unsigned char)a) == tolower((unsigned char)b);
    return a == b ? 0 : same ? STEP / 2 : STEP;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(struct str a, struct str b)
{
    size_t row[3][NAME_MAX_LEN + 1];
    for (size_t j = 0; j <= b.n; j++) {
        row[0][j] = j * STEP;
    }
    for (size_t i = 1; i <= a.n; i++) {
        size_t *now = row[i % 3];
        const size_t *up = row[(i + 2) % 3];
        const size_t *up2 = row[(i + 1) % 3];
        now[0] = i * STEP;
        for (size_t j = 1; j <= b.n; j++) {
            size_t best = up[j - 1] + replacing(a.p[i - 1], b.p[j - 1]);
            best = least(best, up[j] + STEP);
            best = least(best, now[j - 1] + STEP);
            if (i > 1 && j > 1 && replacing(a.p[i - 1], b.p[j - 2]) < STEP &&
                replacing(a.p[i - 2], b.p[j - 1]) < STEP) {
                best = least(best, up2[j - 2] + STEP);
            }
            now[j] = best;
        }
    }
    return row[a.n % 3][b.n];
}

/* One change for each three letters begun, and one of case; but never all of a word. */
struct near near_to(struct str word)
{
    return (struct near){.word = word, .distance = STEP * ((word.n + 1) / 3) + STEP};
}

void near_try(struct near *near, struct str candidate)
{
    size_t a = near->word.n, b = candidate.n;
    size_t gap = a > b ? a - b : b - a;
    if (a > NAME_MAX_LEN || b > NAME_MAX_LEN || gap * STEP > near->distance) {
        return;
    }
    bool same = a == b && strncasecmp(near->word.p, candidate.p, a) == 0;
    size_t found = same ? STEP / 2 : distance(near->word, candidate);
    bool least_yet = near->best.n == 0 || str_cmp(candidate, near->best) < 0;
    bool better =
        found < near->distance || (found == near->distance && near->best.n != 0 && least_yet);
    if (better && found < b * STEP) {
        near->best = candidate;
        near->distance = found;
    }
}

void near_try_all(struct near *near, const char *const *candidates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        near_try(near, str_of(candidates[i]));
    }
}

void near_add(const struct near *near, struct strbuf *out, const char *before, const char *after)
{
    if (near->best.n != 0) {
        strbuf_adds(out, before);
        strbuf_addstr(out, near->best);
        strbuf_adds(out, after);
    }
}
