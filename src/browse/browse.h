/* Artifacts as pages: what `assay view` reads, asks a specification about, and serves on this
 * machine or writes as one file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/teller.h"
#include "base/vec.h"
#include "browse/spec.h"
#include "option/option.h"
#include "view/view.h"

struct browse_doc {
    const char *path;
    size_t doc; /* its number */
};

struct browse {
    /* ---- what is asked for ---- */
    struct teller teller;
    struct word_list files, paths;
    const char *spec, *config, *html, *model, *map;
    uint64_t port;
    bool json;
    struct arena arena;
    const char **dirs;
    size_t ndir;
    const char *title;
    /* ---- one page ---- */
    struct view_docs docs;
    struct browse_spec step;
    VEC(struct browse_doc) runs;
    char nonce[VIEW_TOKEN + 1];
};

/* Reads, follows and shows; serves until the teller's flags say otherwise. An exit status; on a big
 * stack. */
int browse_run(void *browse);
void browse_done(struct browse *b);
