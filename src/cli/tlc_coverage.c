/* Coverage in TLC's layout: variables, initial predicates, actions, properties, each followed by its expressions. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "cli/tlc.h"
#include "cli/tlc_out.h"
#include "eval/eval.h"

static void write_place(const struct mplace *place, struct strbuf *out)
{
    strbuf_printf(out, "line %u, col %u to line %u, col %u of module %s", place->line, place->column, place->end_line,
                  place->end_column, place->module);
}

static void print_row(struct tlc *tlc, const struct coverage_row *row)
{
    /* ORDER enum coverage_kind */
    static const int codes[] = {2773, 2772, 2221, 2774, 2778, 2779};
    int code = codes[row->kind];
    SCOPED_STRBUF text = {0};
    if (row->kind == COVER_EXPR) {
        strbuf_adds(&text, "  ");
        strbuf_pad(&text, '|', row->depth);
        write_place(&row->place, &text);
        strbuf_printf(&text, ": %" PRIu64, row->count);
        if (row->cost > 0) {
            code = 2775;
            strbuf_printf(&text, ":%" PRIu64, row->cost);
        }
    } else {
        strbuf_printf(&text, "<%s ", row->name);
        write_place(&row->place, &text);
        strbuf_addc(&text, '>');
        if (row->kind == COVER_VARIABLE) {
            strbuf_printf(&text, ": %" PRIu64, row->count);
        } else if (row->kind != COVER_PROPERTY) {
            strbuf_printf(&text, ": %" PRIu64 ":%" PRIu64, row->distinct, row->count);
        }
    }
    tlc_text(&tlc->out, code, TLC_NONE, strbuf_str(&text));
}

void tlc_coverage(struct tlc *tlc)
{
    char now[TLC_TIME_BYTES];
    struct arena arena;
    arena_init(&arena, 0);
    struct coverage_row *rows = NULL;
    size_t n = model_coverage(tlc->run.spec.model, &arena, &rows);
    tlc_print(&tlc->out, 2201, TLC_NONE,
              "The coverage statistics at %s (see https://explain.tlapl.us/module-coverage-statistics for how to interpret the "
              "following statistics).",
              tlc_now(&tlc->out, now));
    for (size_t i = 0; i < n; i++) {
        print_row(tlc, &rows[i]);
    }
    if (clock_wall_ms() - tlc->start_ms > 300000) {
        tlc_print(&tlc->out, 2777, TLC_NONE,
                  "End of statistics (please note that for performance reasons large models\n"
                  "are best checked with coverage and cost statistics disabled).");
    } else {
        tlc_print(&tlc->out, 2202, TLC_NONE, "End of statistics.");
    }
    arena_done(&arena);
}
