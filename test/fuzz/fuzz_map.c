/* Any bytes as a mapping file. */
#include "base/arena.h"
#include "base/err.h"
#include "fuzz.h"
#include "map/map.h"
#include "syntax/diag.h"
#include "syntax/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct err err = {0};
    struct map *map = NULL;
    SCOPED_STRBUF out = {0};
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    struct str text = str_dup(&arena, (struct str){(const char *)data, size});
    struct source *source = sources_add(&sources, "fuzz.toml", text, false);
    if (map_parse(&arena, source, "/dir", &diags, &map, &err) != 0) {
        for (size_t i = 0; i < diags.n; i++) {
            diag_print(&sources, diags.v[i], false, &out);
        }
    }
    arena_done(&arena);
    return 0;
}
