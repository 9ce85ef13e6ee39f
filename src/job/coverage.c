/* Merging the evaluator's counts: it counts every copy of an expression that lowering made; people
 * think in places of the text. */
#include "job/coverage.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "eval/eval.h"
#include "job/load.h"
#include "model/model.h"
#include "sem/sem.h"
#include "syntax/source.h"

static bool before(uint32_t line, uint32_t column, uint32_t other_line, uint32_t other_column)
{
    return line != other_line ? line < other_line : column < other_column;
}

bool place_contains(const struct mplace *outer, const struct mplace *inner)
{
    return outer->module != NULL && inner->module != NULL &&
           strcmp(outer->module, inner->module) == 0 &&
           !before(inner->line, inner->column, outer->line, outer->column) &&
           !before(outer->end_line, outer->end_column, inner->end_line, inner->end_column);
}

bool place_same(const struct mplace *a, const struct mplace *b)
{
    return place_contains(a, b) && place_contains(b, a);
}

static int cmp_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

int place_cmp(const struct mplace *a, const struct mplace *b)
{
    int c = strcmp(a->module != NULL ? a->module : "", b->module != NULL ? b->module : "");
    c = c != 0 ? c : cmp_u32(a->line, b->line);
    c = c != 0 ? c : cmp_u32(a->column, b->column);
    c = c != 0 ? c : cmp_u32(b->end_line, a->end_line);
    return c != 0 ? c : cmp_u32(b->end_column, a->end_column);
}

static int cmp_row(const void *a, const void *b)
{
    const struct coverage_row *x = a;
    const struct coverage_row *y = b;
    int c = place_cmp(&x->place, &y->place);
    return c != 0 ? c : x->step - y->step; /* parts of actions after expressions */
}

/* Copies of an expression may stand for the same evaluation; what a part of an action counts comes
 * on top. */
static void merge_row(struct coverage_row *row, const struct coverage_row *other)
{
    if (row->step || other->step) {
        row->count += other->count;
    } else {
        row->count = other->count > row->count ? other->count : row->count;
    }
    row->step = row->step || other->step;
    row->primed = row->primed || other->primed;
    row->unchanged = row->unchanged || other->unchanged;
    row->body_last = row->body_last || other->body_last;
    row->cost = other->cost > row->cost ? other->cost : row->cost;
}

size_t coverage_rows(const struct spec *spec, struct arena *arena, struct coverage_row **ret_rows)
{
    struct coverage_row *rows = NULL;
    size_t all = model_coverage(spec->model, arena, &rows);
    size_t n = 0;
    for (size_t i = 0; i < all; i++) {
        if (rows[i].kind == COVER_EXPR) {
            rows[n++] = rows[i];
        }
    }
    if (n > 0) {
        qsort(rows, n, sizeof *rows, cmp_row);
    }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && place_same(&rows[kept - 1].place, &rows[i].place)) {
            merge_row(&rows[kept - 1], &rows[i]);
        } else {
            rows[kept++] = rows[i];
        }
    }
    *ret_rows = rows;
    return kept;
}

/* A single name or number. */
static bool is_leaf(const struct spec *spec, const struct mplace *place)
{
    const struct module *module = strmap_get(&spec->program.modules, str_of(place->module));
    if (module == NULL || module->source == NULL || place->line != place->end_line ||
        place->line > module->source->lines) {
        return false;
    }
    struct str text = module->source->text;
    size_t at = module->source->line_begin[place->line - 1] + place->column - 1;
    size_t end = at + (place->end_column - place->column) + 1;
    for (; at < end && at < text.n; at++) {
        if (!isalnum((unsigned char)text.p[at]) && text.p[at] != '_') {
            return false;
        }
    }
    return true;
}

bool coverage_is_hidden(const struct spec *spec, const struct coverage_row *rows, size_t n,
                        size_t at)
{
    const struct coverage_row *row = &rows[at];
    if (row->count > 0) {
        return false;
    }
    for (size_t i = at; i-- > 0;) {
        if (rows[i].unchanged && place_contains(&rows[i].place, &row->place)) {
            return true; /* UNCHANGED of variables does not evaluate them */
        }
    }
    for (size_t i = at; i < n && place_contains(&row->place, &rows[i].place); i++) {
        if (rows[i].count > 0) {
            return true;
        }
    }
    return is_leaf(spec, &row->place);
}

enum { TEXT_MOST = 72 };

const char *place_text(const struct spec *spec, struct arena *arena, const struct mplace *place)
{
    const struct module *module = strmap_get(&spec->program.modules, str_of(place->module));
    const struct source *source = module != NULL ? module->source : NULL;
    if (source == NULL || place->line == 0 || place->end_line > source->lines) {
        return "";
    }
    size_t at = source->line_begin[place->line - 1] + place->column - 1;
    size_t end = source->line_begin[place->end_line - 1] + place->end_column;
    SCOPED_STRBUF out = {0};
    for (; at < end && at < source->text.n; at++) {
        char c = source->text.p[at];
        bool blank = isspace((unsigned char)c) != 0;
        if (blank && (out.n == 0 || out.p[out.n - 1] == ' ')) {
            continue;
        }
        if (out.n == TEXT_MOST) {
            strbuf_adds(&out, "...");
            break;
        }
        strbuf_addc(&out, blank ? ' ' : c);
    }
    return arena_strndup(arena, out.p, out.n);
}
