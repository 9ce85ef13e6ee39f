/* States are known by their bytes, and have numbers by which the page names them. A trace from a
 * file has values only: it is followed by comparing them with those of initial states and
 * successors, in a form that does not depend on the order of elements. TLC's JSON does not tell
 * sets from sequences nor records from functions: where nothing is the same, that is tried, too. */
#include "browse/spec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/vec.h"
#include "check/check.h"
#include "eval/eval.h"
#include "job/load.h"
#include "job/tell.h"
#include "model/model.h"
#include "report/report.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "trace/trace.h"
#include "value/value.h"

enum { SUCCESSORS = 2000, EXPRESSION_MAX = 1 << 16 };

/* ---- opening ---- */

static void no_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
}

static int make_workers(struct browse_spec *v, struct err *err)
{
    struct model *model = v->spec.model;
    model->host = &v->host;
    int status = model->ops->worker_new(model, 0, 1, &v->worker, err);
    return status != 0 ? status : model->ops->worker_new(model, 1, 1, &v->probe, err);
}

static void free_workers(struct browse_spec *v)
{
    if (v->worker != NULL) {
        v->worker->model->ops->worker_free(v->worker);
    }
    if (v->probe != NULL) {
        v->probe->model->ops->worker_free(v->probe);
    }
    v->worker = v->probe = NULL;
}

bool browse_spec_open(struct browse_spec *v, const char *path, const char *config,
                      const char *const *dirs, size_t ndir, const struct teller *teller)
{
    struct err err = {0};
    SCOPED_STRBUF text = {0};
    struct spec_options options = {
        .loading = teller->loading,
        .path = path,
        .config = config,
        .dirs = dirs,
        .ndir = ndir,
        .eval = {.stack_bytes = CHECK_STACK_BYTES, .seed = 1, .no_symmetry = true, .no_exec = true},
    };
    v->host = (struct mhost){
        .print = no_print, .interrupt = &teller->flags->interrupt, .mode = "bfs", .workers = 1};
    job_spec_init(&v->spec, &options);
    v->teller = teller;
    v->open = true;
    int status = job_spec_exists(&v->spec, &err);
    status = status == SPEC_OK ? job_spec_config(&v->spec, &err) : status;
    status = status == SPEC_OK ? job_spec_program(&v->spec, &err) : status;
    if (status == SPEC_OK && job_spec_model(&v->spec, &v->host) != SPEC_OK) {
        job_tell_issue(&v->spec, &v->spec.issue, false, &text);
    } else if (status == SPEC_DIAGS) {
        job_say_diags(v->teller->report, &v->spec, false, &text);
    } else if (status == SPEC_ERR || make_workers(v, &err) != 0) {
        strbuf_printf(&text, "%s\n", err.text);
    }
    if (text.n != 0) {
        (void)fprintf(teller->err, "%s", strbuf_cstr(&text));
        browse_spec_close(v);
        return false;
    }
    return true;
}

void browse_spec_close(struct browse_spec *v)
{
    if (v->open) {
        free_workers(v);
        job_spec_done(&v->spec);
        VEC_DONE(&v->states);
        u64map_done(&v->known);
        v->open = false;
    }
}

/* ---- sources ---- */

/* Modules of ours are shown where an action of theirs may be looked at. */
static bool is_wanted(const struct browse_spec *v, const struct source *source, struct str module)
{
    const struct model *model = v->spec.model;
    bool wanted = !source->builtin;
    for (uint32_t i = 0; i < model->naction; i++) {
        const char *name = model->actions[i].place.module;
        wanted = wanted || (name != NULL && str_is(module, name));
    }
    return wanted;
}

void browse_spec_sources(const struct browse_spec *v, struct strbuf *out)
{
    const char *comma = "";
    strbuf_adds(out, ",\"modules\":{");
    for (size_t i = 0; i < v->spec.program.modules.n; i++) {
        const struct module *module = v->spec.program.modules.entries[i].value;
        if (module == NULL || module->source == NULL ||
            !is_wanted(v, module->source, module->name)) {
            continue;
        }
        strbuf_adds(out, comma);
        comma = ",";
        report_json(module->name, out);
        strbuf_adds(out, ":{\"file\":");
        report_json(str_of(module->source->path), out);
        strbuf_adds(out, ",\"text\":");
        report_json(module->source->text, out);
        strbuf_addc(out, '}');
    }
    strbuf_addc(out, '}');
}

/* ---- states ---- */

static size_t remember(struct browse_spec *v, struct str bytes, uint64_t level)
{
    uint64_t key = hash_bytes(bytes.p, bytes.n, 17), at = 0;
    if (u64map_get(&v->known, key, &at)) {
        return (size_t)at;
    }
    struct browse_state s = {arena_strndup(&v->spec.arena, bytes.p, bytes.n), bytes.n, level};
    VEC_PUSH(&v->states, s);
    u64map_put(&v->known, key, v->states.n - 1);
    return v->states.n - 1;
}

static void put_values(const struct mvalues *values, struct strbuf *out)
{
    strbuf_addc(out, '{');
    for (uint32_t i = 0; i < values->n; i++) {
        strbuf_adds(out, i != 0 ? "," : "");
        json_write_string(str_of(values->names[i]), out);
        strbuf_addc(out, ':');
        itf_write_val(values->ctx, values->vals[i], out);
    }
    strbuf_addc(out, '}');
}

static void put_place(const struct mplace *place, struct strbuf *out)
{
    if (place->line != 0 && place->module != NULL) {
        strbuf_adds(out, ",\"place\":{\"module\":");
        json_write_string(str_of(place->module), out);
        strbuf_printf(out, ",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u}",
                      place->line, place->column, place->end_line, place->end_column);
    }
}

/* A step that is possible, while its candidate is there. */
struct step {
    size_t id;
    int violated;         /* the first property that is false; -1: none */
    struct strbuf json;   /* its members but for the values, without braces */
    struct strbuf values; /* an object */
};

struct steps {
    struct browse_spec *v;
    VEC(struct step) list;
    bool more, initial;
    uint64_t level;
};

static void steps_done(struct steps *steps)
{
    for (size_t i = 0; i < steps->list.n; i++) {
        strbuf_done(&steps->list.v[i].json);
        strbuf_done(&steps->list.v[i].values);
    }
    VEC_DONE(&steps->list);
}

/* Returns the first of them, or -1. */
static int put_violated(struct mworker *worker, bool initial, struct strbuf *out)
{
    int first = -1;
    const struct model *model = worker->model;
    unsigned kinds = 1U << MPROP_INVARIANT | (initial ? 1U << MPROP_INIT : 1U << MPROP_ACTION);
    const char *comma = "";
    strbuf_adds(out, ",\"violated\":[");
    for (int prop = -1, from = 0;; from = prop + 1) {
        if (model->ops->check(worker, kinds, from, &prop) != MODEL_OK || prop < 0) {
            break;
        }
        const struct mprop *p = &model->props[prop];
        first = first < 0 ? prop : first;
        strbuf_adds(out, comma);
        comma = ",";
        json_write_string(str_of(p->config != NULL ? p->config : p->name), out);
    }
    strbuf_addc(out, ']');
    return first;
}

static int take_step(void *arg, struct mworker *worker, const struct candidate *cand)
{
    struct steps *steps = arg;
    struct browse_spec *v = steps->v;
    const struct model *model = worker->model;
    SCOPED_STRBUF bytes = {0};
    SCOPED_STRBUF label = {0};
    struct step step = {.violated = -1};
    if (steps->list.n == SUCCESSORS) {
        steps->more = true;
        return 1;
    }
    model->ops->save(worker, &bytes);
    step.id = remember(v, strbuf_str(&bytes), steps->level);
    model->ops->label(worker, &label);
    strbuf_printf(&step.json, "\"id\":%zu,\"label\":", step.id);
    json_write_string(steps->initial ? STR("Initial predicate") : strbuf_str(&label), &step.json);
    if (!steps->initial && cand->action < model->naction) {
        put_place(&model->actions[cand->action].place, &step.json);
    }
    int inside = model->has_constraint ? model->ops->in_model(worker) : 1;
    strbuf_printf(&step.json, ",\"outside\":%s", inside == 1 ? "false" : "true");
    step.violated = put_violated(worker, steps->initial, &step.json);
    struct mvalues values = {0};
    if (model->ops->load(v->probe, bytes.p, bytes.n, steps->level) == MODEL_OK &&
        model->ops->values(v->probe, false, &values) == MODEL_OK) {
        put_values(&values, &step.values);
    }
    VEC_PUSH(&steps->list, step);
    return 0;
}

/* All steps from a state, or the initial states (from = SIZE_MAX). MODEL_ERROR: the worker says
 * why.
 */
static int all_steps(struct browse_spec *v, size_t from, struct steps *ret)
{
    const struct model_ops *ops = v->spec.model->ops;
    *ret = (struct steps){.v = v, .initial = from == SIZE_MAX, .level = 1};
    if (from == SIZE_MAX) {
        return ops->init(v->worker, take_step, ret);
    }
    struct browse_state s = v->states.v[from];
    ret->level = s.level + 1;
    int status = ops->load(v->worker, s.bytes, s.n, s.level);
    return status == MODEL_OK ? ops->next(v->worker, take_step, ret) : status;
}

/* ---- following ---- */

static json_t *canonical(const json_t *value, bool lossy);

static int by_text(const void *a, const void *b)
{
    char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* [tag, parts], the parts sorted where their order says nothing. */
static json_t *tagged(const char *tag, json_t *parts, bool sorted)
{
    size_t n = json_array_size(parts);
    json_t *ret = json_pack("[s, o]", tag, parts);
    VEC(char *) texts = {0};
    for (size_t i = 0; sorted && i < n; i++) {
        VEC_PUSH(&texts, json_dumps(json_array_get(parts, i), JSON_COMPACT | JSON_ENCODE_ANY));
    }
    if (sorted && n > 1) {
        qsort((void *)texts.v, n, sizeof texts.v[0], by_text);
    }
    for (size_t i = 0; i < texts.n; i++) {
        (void)json_array_set_new(parts, i, json_string(texts.v[i] != NULL ? texts.v[i] : ""));
        vec_release(texts.v[i]);
    }
    VEC_DONE(&texts);
    return ret;
}

static json_t *canonical_list(const json_t *items, bool lossy)
{
    json_t *parts = json_array();
    for (size_t i = 0; i < json_array_size(items); i++) {
        (void)json_array_append_new(parts, canonical(json_array_get(items, i), lossy));
    }
    return parts;
}

/* A function: pairs of keys and values. */
static json_t *canonical_pairs(const json_t *pairs, bool lossy)
{
    json_t *parts = json_array();
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i), *key = json_array_get(pair, 0);
        char *name =
            lossy && !json_is_string(key) ? json_dumps(key, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
        json_t *first = name != NULL ? json_string(name) : canonical(key, lossy);
        (void)json_array_append_new(
            parts, json_pack("[o, o]", first, canonical(json_array_get(pair, 1), lossy)));
        vec_release(name);
    }
    return parts;
}

static json_t *canonical_record(const json_t *record, bool lossy)
{
    json_t *parts = json_array(), *value;
    const char *name;
    json_object_foreach((json_t *)record, name, value)
    {
        (void)json_array_append_new(parts, json_pack("[s, o]", name, canonical(value, lossy)));
    }
    return parts;
}

/* A value of ITF in a form in which equal values are equal texts. */
static json_t *canonical(const json_t *value, bool lossy)
{
    const json_t *set = json_object_get(value, "#set"), *map = json_object_get(value, "#map");
    const json_t *tuple = json_object_get(value, "#tup"), *big = json_object_get(value, "#bigint");
    if (set != NULL) {
        return tagged(lossy ? "list" : "set", canonical_list(set, lossy), !lossy);
    }
    if (tuple != NULL || json_is_array(value)) {
        return tagged("list", canonical_list(tuple != NULL ? tuple : value, lossy), false);
    }
    if (big != NULL) {
        return json_pack("[s, O]", "number", big);
    }
    if (json_is_integer(value)) {
        char text[32];
        (void)snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
        return json_pack("[s, s]", "number", text);
    }
    if (json_is_object(value) && json_object_get(value, "#unserializable") == NULL) {
        json_t *parts = map != NULL ? canonical_pairs(map, lossy) : canonical_record(value, lossy);
        bool none = json_array_size(parts) == 0; /* an empty function is the empty sequence */
        return tagged(none ? "list" : "map", parts, true);
    }
    return json_deep_copy(value);
}

/* A state in that form; variables that the model does not have are left out. */
static char *state_text(const struct browse_spec *v, const json_t *state, bool lossy)
{
    const struct model *model = v->spec.model;
    json_t *all = json_array();
    for (uint32_t i = 0; i < model->nvar; i++) {
        const json_t *value = json_object_get(state, model->vars[i]);
        (void)json_array_append_new(all, value != NULL ? canonical(value, lossy) : json_null());
    }
    char *text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    return text;
}

static const struct step *find_step(const struct steps *steps, const json_t *state)
{
    const struct step *found = NULL;
    for (int lossy = 0; found == NULL && lossy < 2; lossy++) {
        char *wanted = state_text(steps->v, state, lossy != 0);
        for (size_t i = 0; found == NULL && i < steps->list.n; i++) {
            json_error_t wrong;
            struct str values = strbuf_str(&steps->list.v[i].values);
            json_t *json = json_loadb(values.p, values.n, 0, &wrong);
            char *text = state_text(steps->v, json, lossy != 0);
            found = text != NULL && wanted != NULL && strcmp(text, wanted) == 0 ? &steps->list.v[i]
                                                                                : NULL;
            vec_release(text);
            json_decref(json);
        }
        vec_release(wanted);
    }
    return found;
}

/* Which part of a property is false in the last state, or in the last step. */
static void put_reason(struct browse_spec *v, size_t before, size_t last, int prop,
                       struct strbuf *out)
{
    const struct model *model = v->spec.model;
    bool action = prop >= 0 && model->props[prop].kind == MPROP_ACTION;
    size_t from = action ? before : last;
    SCOPED_STRBUF text = {0};
    if (prop < 0 || from == SIZE_MAX) {
        return;
    }
    struct browse_state s = v->states.v[from], next = v->states.v[last];
    if (model->ops->load(v->worker, s.bytes, s.n, s.level) == MODEL_OK) {
        (void)model->ops->explain(v->worker, (uint32_t)prop, action ? next.bytes : NULL,
                                  action ? next.n : 0, &text);
    }
    if (text.n != 0) {
        strbuf_adds(out, ",\"reason\":");
        json_write_string(str_trim(strbuf_str(&text)), out);
    }
}

void browse_spec_follow(struct browse_spec *v, size_t doc, struct str values, struct strbuf *out)
{
    json_error_t wrong;
    json_t *states = json_loadb(values.p, values.n, 0, &wrong);
    size_t n = json_array_size(states), at = SIZE_MAX, before = SIZE_MAX, i = 0;
    int violated = -1;
    strbuf_printf(out, ",\"of\":%zu,\"states\":[", doc);
    for (; i < n && v->teller->flags->interrupt == 0; i++) {
        struct steps steps;
        (void)all_steps(v, at, &steps); /* what it found before an error counts, too */
        const struct step *found = find_step(&steps, json_array_get(states, i));
        if (found != NULL) {
            strbuf_printf(out, "%s{%.*s,\"values\":", i != 0 ? ",\n" : "",
                          STR_ARG(strbuf_str(&found->json)));
            strbuf_addstr(out, strbuf_str(&found->values));
            strbuf_addc(out, '}');
            before = at;
            at = found->id;
            violated = found->violated;
        }
        bool none = found == NULL;
        steps_done(&steps);
        if (none) {
            break;
        }
    }
    strbuf_addc(out, ']');
    if (i < n) {
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text,
                      "State %zu is no %s of %s with %s: another configuration (--config) may be "
                      "meant.",
                      i + 1, i == 0 ? "initial state" : "step from the state before it",
                      v->spec.model->name,
                      v->spec.config_path != NULL ? v->spec.config_path : "this configuration");
        strbuf_adds(out, ",\"mismatch\":");
        json_write_string(strbuf_str(&text), out);
    } else if (at != SIZE_MAX) {
        put_reason(v, before, at, violated, out);
    }
    json_decref(states);
}

/* ---- questions ---- */

static void put_error(const char *text, struct strbuf *out)
{
    strbuf_reset(out);
    strbuf_adds(out, "{\"error\":");
    json_write_string(str_trim(str_of(text)), out);
    strbuf_addc(out, '}');
}

static void worker_error(const struct mworker *worker, struct strbuf *out)
{
    put_error(worker->error.text != NULL ? worker->error.text : "evaluation failed", out);
}

static void answer_steps(struct browse_spec *v, size_t from, struct strbuf *out)
{
    struct steps steps;
    int status = all_steps(v, from, &steps);
    strbuf_adds(out, "{\"states\":[");
    for (size_t i = 0; i < steps.list.n; i++) {
        struct step *step = &steps.list.v[i];
        strbuf_printf(out, "%s{%s,\"values\":", i != 0 ? "," : "", strbuf_cstr(&step->json));
        strbuf_addstr(out, step->values.n != 0 ? strbuf_str(&step->values) : STR("{}"));
        strbuf_addc(out, '}');
    }
    strbuf_printf(out, "],\"more\":%s}", steps.more ? "true" : "false");
    if (status == MODEL_ERROR) {
        worker_error(v->worker, out);
    }
    steps_done(&steps);
}

struct writing {
    struct val val;
    struct strbuf *out;
};

static void write_value(struct vctx *ctx, void *arg)
{
    struct writing *w = arg;
    itf_write_val(ctx, w->val, w->out);
}

static void put_value(struct browse_spec *v, size_t id, struct strbuf *out)
{
    struct browse_state s = v->states.v[id];
    SCOPED_STRBUF value = {0};
    struct writing w = {.out = &value};
    int status = v->spec.model->ops->load(v->worker, s.bytes, s.n, s.level);
    status = status == MODEL_OK ? model_apply(v->worker, 0, NULL, 0, &w.val) : status;
    status = status == MODEL_OK ? model_with_values(v->worker, write_value, &w) : status;
    if (status == MODEL_OK) {
        strbuf_printf(out, "{\"value\":%s}", strbuf_cstr(&value));
    } else {
        SCOPED_STRBUF error = {0};
        worker_error(v->worker, &error);
        strbuf_addstr(out, strbuf_str(&error));
    }
}

/* The model again, with the expression as an operator: bytes of states mean the same to both. */
static bool with_expression(struct browse_spec *v, struct str text, struct strbuf *wrong)
{
    struct spec *spec = &v->spec;
    struct err err = {0};
    struct source *source =
        sources_add(&spec->sources, "the expression", str_dup(&spec->arena, text), false);
    diags_init(&spec->diags, &spec->arena);
    struct def *def = program_expression(&spec->program, source);
    if (def == NULL || spec->diags.errors > 0) {
        job_say_diags(v->teller->report, spec, false, wrong);
        return false;
    }
    struct def **defs = ARENA_ARRAY(&spec->arena, struct def *, 1);
    struct model *before = spec->model;
    defs[0] = def;
    spec->eval.operators = defs;
    spec->eval.noperator = 1;
    free_workers(v);
    int status = job_spec_model(spec, &v->host);
    if (status != SPEC_OK) {
        job_tell_issue(spec, &spec->issue, false, wrong);
        spec->model = before;
    } else {
        model_free(before);
    }
    if (make_workers(v, &err) != 0) {
        strbuf_adds(wrong, err.text);
    }
    return wrong->n == 0;
}

static bool state_of(const struct browse_spec *v, const json_t *json, size_t *ret)
{
    *ret = (size_t)json_integer_value(json);
    return json_is_integer(json) && json_integer_value(json) >= 0 && *ret < v->states.n;
}

static void answer_eval(struct browse_spec *v, const json_t *question, struct strbuf *out)
{
    const json_t *text = json_object_get(question, "expression");
    const json_t *states = json_object_get(question, "states");
    SCOPED_STRBUF wrong = {0};
    size_t n = json_string_length(text), id = 0;
    if (n == 0 || n > EXPRESSION_MAX || !json_is_array(states)) {
        put_error("an expression and states were expected", out);
        return;
    }
    if (!with_expression(v, (struct str){json_string_value(text), n}, &wrong)) {
        put_error(strbuf_cstr(&wrong), out);
        return;
    }
    strbuf_adds(out, "{\"values\":[");
    for (size_t i = 0; i < json_array_size(states); i++) {
        strbuf_adds(out, i != 0 ? "," : "");
        if (state_of(v, json_array_get(states, i), &id)) {
            put_value(v, id, out);
        } else {
            strbuf_adds(out, "{\"error\":\"an unknown state\"}");
        }
    }
    strbuf_adds(out, "]}");
}

void browse_spec_answer(struct browse_spec *v, struct str question, struct strbuf *out)
{
    json_error_t wrong;
    json_t *json = json_loadb(question.p, question.n, 0, &wrong);
    const char *op = json_string_value(json_object_get(json, "op"));
    size_t from = 0;
    if (!v->open || v->worker == NULL || v->probe == NULL) {
        put_error("there is no specification to ask", out);
    } else if (op != NULL && strcmp(op, "initial") == 0) {
        answer_steps(v, SIZE_MAX, out);
    } else if (op != NULL && strcmp(op, "next") == 0 &&
               state_of(v, json_object_get(json, "state"), &from)) {
        answer_steps(v, from, out);
    } else if (op != NULL && strcmp(op, "eval") == 0) {
        answer_eval(v, json, out);
    } else {
        put_error("this question is not known", out);
    }
    json_decref(json);
}
