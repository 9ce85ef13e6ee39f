/* Any bytes as a configuration, and as a .tla file with a CONFIG section. */
#include "base/arena.h"
#include "fuzz.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct config config = {0};
    SCOPED_STRBUF out = {0};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct str text = str_dup(&arena, (struct str){(const char *)data, size});
    struct source *source = sources_add(&sources, "fuzz.cfg", text, false);
    (void)config_section(text);
    if (config_parse(&config, &arena, source, NULL, NULL, &diags) != 0) {
        for (size_t i = 0; i < diags.n; i++) {
            diag_print(&sources, diags.v[i], false, &out);
        }
    }
    arena_done(&arena);
    return 0;
}
