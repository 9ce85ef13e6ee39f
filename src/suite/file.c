/* Suites as JSON. A case stands in a line of its own, and says what it is by its own steps only, so
 * that two suites can be compared line by line. */
#include "base/file.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "suite/suite.h"
#include "trace/trace.h"

static void put_text(struct strbuf *out, const char *name, struct str text, const char *end)
{
    strbuf_printf(out, "\"%s\": ", name);
    json_write_string(text, out);
    strbuf_adds(out, end);
}

static void put_case(struct strbuf *out, const struct suite *suite, const struct suite_case *c)
{
    strbuf_adds(out, "  {");
    put_text(out, "id", c->id, ", ");
    put_text(out, "name", c->name, ", ");
    if (c->parent != SUITE_NONE) {
        put_text(out, "after", suite->cases[c->parent].id, ", ");
        strbuf_printf(out, "\"at\": %u, ", c->at);
    } else if (c->initial != 1) {
        strbuf_printf(out, "\"initial\": %u, ", c->initial);
    }
    strbuf_adds(out, "\"steps\": [");
    for (uint32_t k = 0; k < c->n; k++) {
        strbuf_adds(out, k != 0 ? ", " : "");
        json_write_string(c->steps[k], out);
    }
    strbuf_adds(out, "]}");
}

int suite_write(const struct suite *suite, const char *path, struct err *err)
{
    SCOPED_STRBUF out = {0};
    strbuf_adds(&out, "{\n");
    put_text(&out, "assay", STR("suite"), ",\n");
    strbuf_adds(&out, "\"version\": 1,\n");
    put_text(&out, "spec", suite->spec, ",\n");
    strbuf_printf(&out, "\"digest\": \"%016" PRIx64 "\",\n", suite->digest);
    put_text(&out, "plan", suite->plan, ",\n");
    put_text(&out, "cover", suite->cover, ",\n");
    strbuf_printf(&out, "\"states\": %" PRIu64 ",\n\"edges\": %" PRIu64 ",\n", suite->states,
                  suite->edges);
    put_text(&out, "left_out", suite->left, ",\n");
    strbuf_adds(&out, "\"cases\": [\n");
    for (size_t i = 0; i < suite->n; i++) {
        put_case(&out, suite, &suite->cases[i]);
        strbuf_adds(&out, i + 1 < suite->n ? ",\n" : "\n");
    }
    strbuf_adds(&out, "]}\n");
    return file_write(path, strbuf_str(&out), err);
}

/* ---- reading ---- */

struct reading {
    const char *path;
    struct suite *suite;
    struct strmap ids; /* in the order of cases */
    struct err *err;
};

static struct str text_of(const struct reading *r, const json_t *json, const char *name)
{
    const json_t *value = json_object_get(json, name);
    struct str text = {json_string_value(value), json_string_length(value)};
    return text.p != NULL ? str_dup(&r->suite->arena, text) : STR("");
}

static int wrong(const struct reading *r, size_t number, const char *what)
{
    return err_set(r->err, ERR_INVALID, 0, "%s: case %zu: %s", r->path, number + 1, what);
}

static int read_steps(struct reading *r, struct suite_case *c, size_t i, const json_t *json)
{
    const json_t *steps = json_object_get(json, "steps");
    if (!json_is_array(steps) || json_array_size(steps) >= SUITE_NONE) {
        return wrong(r, i, "\"steps\" must be an array of labels");
    }
    c->n = (uint32_t)json_array_size(steps);
    c->steps = ARENA_ARRAY(&r->suite->arena, struct str, c->n + (size_t)1);
    for (uint32_t k = 0; k < c->n; k++) {
        const json_t *step = json_array_get(steps, k);
        if (!json_is_string(step)) {
            return wrong(r, i, "a step must be the label of an action, in quotes");
        }
        struct str text = {json_string_value(step), json_string_length(step)};
        c->steps[k] = str_dup(&r->suite->arena, text);
    }
    return 0;
}

static int read_case(struct reading *r, size_t i, const json_t *json)
{
    struct suite_case *c = &r->suite->cases[i];
    const json_t *initial = json_object_get(json, "initial"), *at = json_object_get(json, "at");
    c->id = text_of(r, json, "id");
    c->name = text_of(r, json, "name");
    c->parent = SUITE_NONE;
    c->initial = json_is_integer(initial) ? (uint32_t)json_integer_value(initial) : 1;
    if (c->id.n == 0 || c->name.n == 0 || strmap_has(&r->ids, c->id)) {
        return wrong(r, i, "it needs a name, and an \"id\" that no other case has");
    }
    (void)strmap_put(&r->ids, c->id, c);
    if (json_object_get(json, "after") != NULL) {
        size_t parent = strmap_number(&r->ids, text_of(r, json, "after"));
        if (parent >= i || !json_is_integer(at) || json_integer_value(at) < 0 ||
            json_integer_value(at) > r->suite->cases[parent].n) {
            return wrong(r, i,
                         "\"after\" must name an earlier case, \"at\" be a number of its steps");
        }
        c->parent = (uint32_t)parent;
        c->at = (uint32_t)json_integer_value(at);
        c->initial = r->suite->cases[parent].initial;
        c->before = r->suite->cases[parent].before + c->at;
    }
    return c->initial == 0 ? wrong(r, i, "initial states are numbered from 1 on")
                           : read_steps(r, c, i, json);
}

static int read_json(struct reading *r, const json_t *json)
{
    const json_t *cases = json_object_get(json, "cases");
    struct suite *suite = r->suite;
    if (!str_is(text_of(r, json, "assay"), "suite") ||
        json_integer_value(json_object_get(json, "version")) != 1 || !json_is_array(cases)) {
        return err_set(r->err, ERR_INVALID, 0,
                       "%s is no suite that this version of assay knows: expected \"assay\": "
                       "\"suite\", \"version\": 1 and \"cases\"",
                       r->path);
    }
    struct str digest = text_of(r, json, "digest");
    suite->spec = text_of(r, json, "spec");
    suite->plan = text_of(r, json, "plan");
    suite->cover = text_of(r, json, "cover");
    suite->left = text_of(r, json, "left_out");
    suite->digest = strtoull(digest.p, NULL, 16);
    suite->states = (uint64_t)json_integer_value(json_object_get(json, "states"));
    suite->edges = (uint64_t)json_integer_value(json_object_get(json, "edges"));
    suite->n = json_array_size(cases);
    suite->cases = ARENA_ARRAY(&suite->arena, struct suite_case, suite->n + 1);
    int status = 0;
    for (size_t i = 0; status == 0 && i < suite->n; i++) {
        status = read_case(r, i, json_array_get(cases, i));
    }
    return status;
}

int suite_read(const char *path, struct suite **ret, struct err *err)
{
    size_t cap = 0;
    struct suite *suite = vec_grow(NULL, &cap, 1, sizeof *suite);
    struct reading r = {.path = path, .suite = suite, .err = err};
    struct str text;
    json_error_t error;
    memset(suite, 0, sizeof *suite);
    arena_init(&suite->arena, 0);
    int status = file_read(&suite->arena, path, SIZE_MAX / 2, &text, err);
    if (status == 0) {
        json_t *json = json_loadb(text.p, text.n, 0, &error);
        status = json != NULL ? read_json(&r, json)
                              : err_set(err, ERR_INVALID, 0, "%s:%d: %s: is it cut off?", path,
                                        error.line, error.text);
        json_decref(json);
    }
    strmap_done(&r.ids);
    if (status != 0) {
        suite_free(suite);
        return status;
    }
    *ret = suite;
    return 0;
}
