/* Whether a value of the specification is what a trace file says. Files lose kinds: ITF writes
 * model values as strings, TLC's JSON writes sets as lists and all keys of functions as text. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "conform/conform_int.h"
#include "value/value.h"

/* The text of a key, as it stands in a JSON object. */
static bool key_is(struct vctx *ctx, struct val key, struct str text)
{
    struct str mine = val_is_str(key) ? val_str_text(ctx, key) : str_of(val_line(ctx, key));
    return str_eq(mine, text);
}

static bool sets(struct vctx *ctx, const struct vobj *spec, const struct vobj *file)
{
    if (spec->n != file->n) {
        return false;
    }
    for (uint32_t i = 0; i < spec->n; i++) {
        bool found_it = false;
        for (uint32_t k = 0; k < file->n && !found_it; k++) {
            found_it = value_is_written(ctx, spec->v[i], file->v[k]);
        }
        if (!found_it) {
            return false;
        }
    }
    return true;
}

static bool functions(struct vctx *ctx, struct val spec, struct val file)
{
    size_t n = fcn_size(ctx, spec);
    if (n != fcn_size(ctx, file)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        struct val key = fcn_key(ctx, spec, i);
        bool found_it = false;
        for (size_t k = 0; k < n && !found_it; k++) {
            struct val other = fcn_key(ctx, file, k);
            bool same_key = value_is_written(ctx, key, other) ||
                            (val_is_str(other) && key_is(ctx, key, val_str_text(ctx, other)));
            found_it =
                same_key && value_is_written(ctx, fcn_value(ctx, spec, i), fcn_value(ctx, file, k));
        }
        if (!found_it) {
            return false;
        }
    }
    return true;
}

bool value_is_written(struct vctx *ctx, struct val spec, struct val file)
{
    if (val_is_str(spec) || val_is_model(spec)) {
        return (val_is_str(file) || val_is_model(file)) && val_str_id(spec) == val_str_id(file);
    }
    if (val_is_int(spec)) {
        return val_is_int(file) && int_cmp(spec, file) == 0;
    }
    if (val_is_bool(spec)) {
        return val_same(spec, file);
    }
    if (val_is_set(spec)) {
        const struct vobj *a = val_obj(set_force(ctx, spec));
        return val_is_set(file)              ? sets(ctx, a, val_obj(set_force(ctx, file)))
               : val_is_kind(file, VK_TUPLE) ? sets(ctx, a, val_obj(file))
                                             : false;
    }
    return val_is_fcn(spec) && val_is_fcn(file) &&
           functions(ctx, fcn_force(ctx, spec), fcn_force(ctx, file));
}
