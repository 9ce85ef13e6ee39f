/* `assay view`: its options. */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/vec.h"
#include "browse/browse.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "option/option.h"
#include "view/view.h"

#define CMD struct browse
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_view[] = {
    {"", 0, "FILE", COMPLETE_FILE, TO_LIST(CMD, files), "", NULL},
    {"spec", 's', "FILE", "*.tla", TO_TEXT(CMD, spec), "the specification of traces, where it is not found by itself: its source, other steps, expressions", NULL},
    {"config", 'c', "FILE", "*.cfg *.tla", TO_TEXT(CMD, config), "its configuration (default: the one that a file names, else SPEC.cfg)", NULL},
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, paths), "where modules are looked for; also TLA_PATH", NULL},
    {"model", 'm', "MODEL", "register cas kv queue set lock owned-lock list-append rw-register bank", TO_TEXT(CMD, model),
     "judge histories, as `assay history check` does, and mark what is impossible", NULL},
    {"map", 0, "FILE", "*.toml", TO_TEXT(CMD, map), "decode the messages of runs, as this mapping says", NULL},
    {"html", 0, "FILE", "*.html", TO_TEXT(CMD, html), "write one page that needs nothing else, instead of serving", NULL},
    {"json", 0, NULL, NULL, TO_FLAG(CMD, json), "print the documents that the page is made of, instead", NULL},
    {"port", 0, "N", NULL, TO_COUNT(CMD, port), "listen there (default: a free one)", NULL},
    OPTIONS_END,
};
/* clang-format on */

int cmd_view(int argc, char **argv)
{
    enum { PORT_MAX = 65535 };
    struct browse cmd = {.teller = teller_here()};
    int status = options_parse(options_of_view, argc, argv, &cmd);
    if (status == EXIT_OK && cmd.files.n == 0 && cmd.spec == NULL) {
        status = usage_error("view", "which file? A trace, the directory of a run, a history, a "
                                     "graph, what --json wrote, or SPEC.tla");
    }
    if (status == EXIT_OK && cmd.map != NULL && cmd.files.n == 0) {
        status = usage_error("view", "--map: of which run? Give its directory");
    }
    if (status == EXIT_OK && cmd.port > PORT_MAX) {
        status = usage_error("view", "--port: a number up to %d", PORT_MAX);
    }
    if (status == EXIT_OK) {
        arena_init(&cmd.arena, 0);
        view_docs_init(&cmd.docs);
        search_dirs_all(&cmd.arena, &cmd.paths, &cmd.dirs, &cmd.ndir);
        cmd.title = cmd.files.n != 0 ? cmd.files.v[0] : cmd.spec;
        signals_never_at_once();
        status = run_on_big_stack(browse_run, &cmd);
        browse_done(&cmd);
        arena_done(&cmd.arena);
    }
    VEC_DONE(&cmd.files);
    VEC_DONE(&cmd.paths);
    return status;
}
