/* `assay show`: traces and runs in the terminal. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "cli/cli.h"
#include "option/option.h"
#include "trace/trace.h"

extern const struct option options_of_show[];
int cmd_show(int argc, char **argv);

/* ---- check_trace.c ---- */
/* The states of a trace from `first` to `last` (from 0 on), as `assay check` shows them; with
 * `diff` of the later ones only what changes. */
void show_states(const struct palette *pal, struct vctx *ctx, const struct trace *trace,
                 size_t first, size_t last, bool diff, struct strbuf *out);

/* ---- show_run.c ---- */
struct show_run {
    uint64_t from, to; /* numbers of events; 0: from the first, to the last */
    bool all;          /* also connections and timers */
    struct palette pal;
};
/* A sequence diagram of a document "run" (docs/schema/assay.schema.json). False: it is none. */
bool show_run(const struct show_run *how, struct str document, struct strbuf *out);
