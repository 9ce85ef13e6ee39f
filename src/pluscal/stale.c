/* Has an algorithm, or its translation, changed since it was translated? The checksums tell. */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

/* The lines of a module; whether one speaks of an algorithm, but not at its beginning. */
static bool module_lines(struct arena *arena, const struct pluscal_lines *module,
                         struct strs *ret_lines)
{
    struct strs all = {0};
    bool seen = false;
    pcal_lines_cut(arena, module->text, &all);
    for (size_t i = 0; i < all.n; i++) {
        if (i + 1 < module->first || i + 1 > module->last) {
            continue;
        }
        AVEC_PUSH(arena, ret_lines, all.v[i]);
        seen = seen || pcal_u16_find(pcal_u16_of(arena, all.v[i]), "algorithm") > 0;
    }
    return seen;
}

static bool differs(struct str sum, struct str now)
{
    return sum.p != NULL && !str_eq(sum, now);
}

/* The tree of the algorithm, as it is after its translation; NULL when it cannot be parsed. */
static struct node *translated(struct pcal *p, const struct algorithm *algorithm)
{
    struct strs translation = {0};
    struct node *root = pcal_parse(p, algorithm);
    if (root != NULL) {
        (void)pcal_finish(p, root, &translation);
    }
    return root;
}

static enum pluscal_stale judge(bool pcal, bool tla)
{
    if (pcal && tla) {
        return PLUSCAL_BOTH_CHANGED;
    }
    return pcal ? PLUSCAL_ALGORITHM_CHANGED : tla ? PLUSCAL_TRANSLATION_CHANGED : PLUSCAL_FRESH;
}

enum pluscal_stale pluscal_stale(struct arena *arena, const struct pluscal_lines *module,
                                 struct pluscal_options *options, const struct pluscal_sink *sink,
                                 size_t *ret_line)
{
    struct pcal p;
    struct strs lines = {0};
    struct checksums sums;
    if (!module_lines(arena, module, &lines)) {
        return PLUSCAL_FRESH;
    }
    pcal_init(&p, arena, options, sink);
    pcal_lines_read(arena, &lines, &p.lines);
    pcal_text_options(&p);
    struct algorithm algorithm = pcal_find_algorithm(&p.lines);
    long begin = pcal_find_words(&p.lines, 0, "BEGIN", "TRANSLATION");
    long end = begin < 0 ? -1 : pcal_find_words(&p.lines, (size_t)begin + 1, "END", "TRANSLATION");
    if (begin < 0 || end < 0 || !algorithm.found) {
        return PLUSCAL_FRESH;
    }
    *ret_line = module->first + (size_t)begin;
    if (!pcal_uncomment(&p, algorithm.line, algorithm.col)) {
        pcal_say(&p, PLUSCAL_ERROR, "%.*s", STR_ARG(p.error));
        return PLUSCAL_UNREADABLE;
    }
    const struct node *root = translated(&p, &algorithm);
    struct u16s line = p.lines.v[begin];
    if (!pcal_checksums_find(pcal_u16_to_str(arena, line.v, line.n), &sums)) {
        return PLUSCAL_FRESH;
    }
    bool pcal = root == NULL && !algorithm.fair
                    ? sums.pcal.p != NULL
                    : differs(sums.pcal, pcal_checksum_of_tree(&p, root, algorithm.fair));
    bool tla = differs(
        sums.tla, pcal_checksum_of_lines(arena, lines.v + begin + 1, (size_t)(end - begin) - 1));
    return judge(pcal, tla);
}
