/* JSON values, one after the other. The parser is Jansson's. */
#include <jansson.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "history/history_int.h"

static int from_json(struct hvals *vals, const json_t *json, unsigned depth, struct hval *ret);

static int from_array(struct hvals *vals, const json_t *json, unsigned depth, struct hval *ret)
{
    VEC(struct hval) items = {0};
    int rc = 1;
    for (size_t i = 0; i < json_array_size(json) && rc == 1; i++) {
        struct hval item;
        rc = from_json(vals, json_array_get(json, i), depth + 1, &item);
        VEC_PUSH(&items, item);
    }
    if (rc == 1) {
        *ret = hval_list(vals, items.v, items.n);
    }
    VEC_DONE(&items);
    return rc;
}

static int from_object(struct hvals *vals, const json_t *json, unsigned depth, struct hval *ret)
{
    VEC(struct hval) items = {0};
    int rc = 1;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json, key, value)
    { /* the macro wants it not const */
        struct hval item;
        rc = from_json(vals, value, depth + 1, &item);
        if (rc != 1) {
            break;
        }
        VEC_PUSH(&items, hval_text(vals, str_of(key)));
        VEC_PUSH(&items, item);
    }
    if (rc == 1 && !hval_map(vals, items.v, items.n, ret)) {
        rc = 0;
    }
    VEC_DONE(&items);
    return rc;
}

/* 1, or 0 when values are nested too deep. */
static int from_json(struct hvals *vals, const json_t *json, unsigned depth, struct hval *ret)
{
    if (depth > HIST_NESTING_MAX) {
        return 0;
    }
    switch (json_typeof(json)) {
    case JSON_NULL: *ret = HVAL_NIL; return 1;
    case JSON_TRUE:
    case JSON_FALSE: *ret = hval_bool(vals, json_is_true(json)); return 1;
    case JSON_INTEGER: *ret = hval_int(vals, json_integer_value(json)); return 1;
    case JSON_STRING:
        *ret = hval_text(vals, (struct str){json_string_value(json), json_string_length(json)});
        return 1;
    case JSON_REAL: {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "%.17g", json_real_value(json));
        *ret = hval_text(vals, strbuf_str(&text));
        return 1;
    }
    case JSON_ARRAY: return from_array(vals, json, depth, ret);
    case JSON_OBJECT: return from_object(vals, json, depth, ret);
    }
    return 0;
}

int hist_json(struct hvals *vals, struct hist_text *text, struct hval *ret, struct err *err)
{
    for (; text->at < text->end && strchr(" \t\r\n", *text->at) != NULL; text->at++) {
        text->line += *text->at == '\n';
    }
    if (text->at == text->end) {
        return 0;
    }
    json_error_t error;
    json_t *json = json_loadb(
        text->at, (size_t)(text->end - text->at),
        JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (json == NULL) {
        text->line += error.line > 0 ? (unsigned)error.line - 1 : 0;
        return hist_text_error(text, err, "this is not JSON: %s%s", error.text,
                               error.position >= text->end - text->at
                                   ? " (the file ends here: was its writer stopped?)"
                                   : "");
    }
    int rc = from_json(vals, json, 0, ret);
    json_decref(json);
    if (rc != 1) {
        return hist_text_error(text, err, "values are nested more than %d deep", HIST_NESTING_MAX);
    }
    for (const char *end = text->at + error.position; text->at < end; text->at++) {
        text->line += *text->at == '\n';
    }
    return 1;
}
