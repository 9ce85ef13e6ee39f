/* A run in the terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/human.h"
#include "base/str.h"

struct show_run {
    uint64_t from, to; /* numbers of events; 0: from the first, to the last */
    bool all;          /* also connections and timers */
    struct palette pal;
};
/* A sequence diagram of a document "run" (docs/schema/assay.schema.json). False: it is none. */
bool show_run(const struct show_run *how, struct str document, struct strbuf *out);
