/* Loading a mapping with all that it names, and telling findings. */
#include "drive/bridge.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/limits.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "check/check.h"
#include "conform/conform.h"
#include "decode/decode.h"
#include "eval/eval.h"
#include "job/load.h"
#include "job/tell.h"
#include "map/map.h"
#include "model/model.h"
#include "play/engine.h"
#include "report/report.h"
#include "run/cluster.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "world/world.h"

int bridge_dir(const struct bridge_options *o, struct bridge *b, struct err *err)
{
    SCOPED_STRBUF mark = {0};
    strbuf_printf(&mark, "%s/events.txt", o->out); /* by it the directory is known as ours */
    int status = engine_dir(o->out, &b->lock, err);
    return status != 0 ? status : file_write(strbuf_cstr(&mark), STR(""), err);
}

/* ---- loading ---- */

int bridge_tell_diags(const struct teller *teller, const struct spec *spec, int status)
{
    SCOPED_STRBUF text = {0};
    job_say_diags(teller->report, spec, color_wanted(COLOR_AUTO, fileno(teller->err)), &text);
    (void)put_text(teller->err, strbuf_str(&text));
    return status;
}

/* A file that is not there, or cannot be read, has one status everywhere. */
static int tell_err(const struct teller *teller, const struct err *err, int status)
{
    (void)fprintf(teller->err, "assay: %s\n", err->text);
    return err->code == ERR_NOT_FOUND || err->code == ERR_IO ? EXIT_OTHER : status;
}

/* Only to learn where the specification is, and with which constants. */
static int read_paths(const struct bridge_options *o, struct arena *arena, struct map **ret_map)
{
    struct sources sources;
    struct diags diags;
    struct map *map = NULL;
    struct err err = {0};
    sources_init(&sources, arena);
    diags_init(&diags, arena);
    if (map_read(arena, &sources, &diags, o->map, &map, &err) != 0) {
        SCOPED_STRBUF text = {0};
        for (size_t i = 0; i < diags.n; i++) {
            diag_print(&sources, diags.v[i], color_wanted(COLOR_AUTO, fileno(o->teller.err)),
                       &text);
        }
        (void)put_text(o->teller.err, strbuf_str(&text));
        return diags.errors != 0 ? EXIT_CONFIG : tell_err(&o->teller, &err, EXIT_CONFIG);
    }
    *ret_map = map;
    return EXIT_OK;
}

static int assign_constants(struct spec *spec, const struct map_watch *watch)
{
    int status = SPEC_OK;
    for (size_t i = 0; status == SPEC_OK && i < watch->n_constants; i++) {
        status =
            job_spec_config_assign(spec, watch->constants[i].name.name, watch->constants[i].value);
    }
    return status;
}

static void add_names(struct strbuf *out, const char *clause, const struct map_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        strbuf_printf(out, "%s %.*s\n", clause, STR_ARG(names->v[i].name));
    }
}

/* What [watch] names is looked at, and nothing else. */
static int assign_judged(struct spec *spec, const struct map_watch *watch)
{
    struct strbuf all = {.arena = &spec->arena};
    add_names(&all, "INVARIANT", &watch->invariants);
    for (size_t i = 0; i < watch->n_deadlines; i++) {
        const struct map_deadline *d = &watch->deadlines[i];
        strbuf_printf(&all, "INVARIANT %.*s\nINVARIANT %.*s\n", STR_ARG(d->from.name),
                      STR_ARG(d->to.name));
    }
    add_names(&all, "PROPERTY", &watch->properties);
    return job_spec_config_judge(spec, strbuf_cstr(&all));
}

static int load_spec(struct bridge *b, const struct bridge_options *o, const struct map *early)
{
    struct spec *spec = &b->spec;
    struct err err = {0};
    int status = job_spec_config(spec, &err);
    status = status != SPEC_OK || !o->watch ? status : assign_constants(spec, &early->watch);
    status = status != SPEC_OK || !o->watch ? status : assign_judged(spec, &early->watch);
    status = status != SPEC_OK ? status : job_spec_program(spec, &err);
    if (status != SPEC_OK) {
        return status == SPEC_DIAGS ? bridge_tell_diags(&o->teller, spec, EXIT_PARSE)
                                    : tell_err(&o->teller, &err, EXIT_PARSE);
    }
    if (map_read(&spec->arena, &spec->sources, &spec->diags, o->map, &b->map, &err) != 0 ||
        map_bind(b->map, &spec->program, &spec->sources, &spec->diags) != 0) {
        return bridge_tell_diags(&o->teller, spec, EXIT_CONFIG);
    }
    spec->eval.operators = b->map->defs;
    spec->eval.noperator = b->map->n_exprs;
    spec->eval.labels = b->map->labels;
    spec->eval.nlabel = b->map->n_actions;
    if (job_spec_model(spec, &b->host) != SPEC_OK) {
        SCOPED_STRBUF text = {0};
        job_tell_issue(spec, &spec->issue, color_wanted(COLOR_AUTO, fileno(o->teller.err)), &text);
        (void)put_text(o->teller.err, strbuf_str(&text));
        return spec->issue.exit_status != 0 ? spec->issue.exit_status : EXIT_OTHER;
    }
    return EXIT_OK;
}

static void no_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
}

static bool is_known(const struct decode_nodes *known, uint32_t index)
{
    bool found = false;
    for (size_t i = 0; i < known->n; i++) {
        found = found || known->v[i].index == index;
    }
    return found;
}

/* A server that the specification does not have talks with those that it has, and these do then
 * what no behaviour has: a difference that is none of theirs. It may be meant, so it is only said.
 * What cannot be evaluated is told by who needs it. */
static void warn_of_strangers(const struct bridge_options *o, struct bridge *b)
{
    const struct map *map = b->map;
    const struct model_ops *ops = b->spec.model->ops;
    struct mworker *worker = NULL;
    struct decode_nodes known;
    struct err err;
    SCOPED_STRBUF names = {0};
    if (ops->worker_new(b->spec.model, 0, 0, &worker, &err) != 0) {
        return;
    }
    bool good = decode_nodes_find(map, &b->cluster, worker, &b->spec.arena, &known, &err) == 0;
    unsigned n = 0;
    for (uint32_t i = 0; good && i < b->cluster.n_nodes; i++) {
        const struct world_node *node = &b->cluster.nodes[i];
        if (!node->client && !node->manual && !is_known(&known, i)) {
            strbuf_printf(&names, "%s%s", n++ != 0 ? ", " : "", node->name);
        }
    }
    ops->worker_free(worker);
    if (n != 0) {
        (void)fprintf(
            o->teller.err,
            "assay: warning: %s: the specification does not have node%s %s of %s, but "
            "%zu others; what %s to them shows as a difference. Give '%.*s' %s in the "
            "configuration, or take %s out of the cluster; helpers are [[client]] there\n",
            o->map, n > 1 ? "s" : "", strbuf_cstr(&names), b->cluster.path, known.n,
            n > 1 ? "they say" : "it says",
            STR_ARG(map->nodes != NULL ? map->nodes->text : STR("[nodes]")),
            n > 1 ? "a value for each" : "a value for it", n > 1 ? "them" : "it");
    }
}

int bridge_open(const struct bridge_options *o, struct bridge *b)
{
    struct arena arena;
    struct err err = {0};
    struct map *early = NULL;
    memset(b, 0, sizeof *b);
    arena_init(&arena, 0);
    int status = read_paths(o, &arena, &early);
    if (status != EXIT_OK) {
        arena_done(&arena);
        return status;
    }
    struct spec_options options = {
        .loading = o->teller.loading,
        .path = early->spec,
        .config = o->config != NULL ? o->config : early->config,
        .dirs = o->dirs,
        .ndir = o->ndir,
        .eval = {.stack_bytes = CHECK_STACK_BYTES,
                 .seed = 1,
                 .coverage = o->coverage,
                 .branches = o->coverage,
                 .no_symmetry = o->watch},
    };
    b->host = (struct mhost){.print = no_print,
                             .interrupt = &o->teller.flags->interrupt,
                             .mode = "simulate",
                             .workers = 1};
    job_spec_init(&b->spec, &options);
    b->open = true;
    status = load_spec(b, o, early);
    arena_done(&arena);
    if (status != EXIT_OK) {
        return status;
    }
    if (cluster_read(&b->spec.arena, o->cluster != NULL ? o->cluster : b->map->cluster, &b->cluster,
                     &err) != 0) {
        return tell_err(&o->teller, &err, EXIT_CONFIG);
    }
    b->cluster.bare = engine_bare();
    if (map_check(b->map, b->spec.model, &b->cluster, &b->spec.diags) != 0) {
        return bridge_tell_diags(&o->teller, &b->spec, EXIT_CONFIG);
    }
    warn_of_strangers(o, b);
    return EXIT_OK;
}

const char *bridge_program(const struct bridge_options *o, struct bridge *b)
{
    if (o->program != NULL) {
        return o->program;
    }
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    return arena_strndup(&b->spec.arena, path, n > 0 ? (size_t)n : 0);
}

void bridge_close(struct bridge *b)
{
    dir_unlock(&b->lock);
    if (b->open) {
        job_spec_done(&b->spec);
    }
}

/* ---- findings ---- */

static json_t *text_json(struct str text)
{
    json_t *json = json_stringn(text.n != 0 ? text.p : "", text.n);
    return json != NULL ? json : json_string("(no UTF-8)");
}

json_t *bridge_finding_json(const struct walk_result *result, const char *replay)
{
    const struct finding *f = &result->finding;
    json_t *steps = json_array();
    for (size_t i = 0; i < result->steps.n; i++) {
        const struct conform_step *step = &result->steps.v[i];
        (void)json_array_append_new(steps, json_pack("{s:o, s:o}", "label",
                                                     text_json(strbuf_str(&step->label)), "events",
                                                     text_json(strbuf_str(&step->events))));
    }
    json_t *json = json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "kind", finding_name(f->kind),
                             "step", (json_int_t)f->step, "action", text_json(f->action), "about",
                             text_json(f->variable), "text", text_json(strbuf_str(&f->what)), "log",
                             text_json(strbuf_str(&f->log)), "steps", steps);
    if (json != NULL && result->found_steps != 0) {
        (void)json_object_set_new(json, "found_at", json_integer((json_int_t)result->found_steps));
    }
    if (json != NULL && replay != NULL) {
        (void)json_object_set_new(json, "replay", json_string(replay));
    }
    return json;
}

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

/* Lines of a text, moved to the right. */
static void put_lines(struct strbuf *out, const char *text, unsigned indent)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        strbuf_pad(out, ' ', indent);
        strbuf_add(out, text, n);
        strbuf_addc(out, '\n');
        text += n + (text[n] == '\n' ? 1 : 0);
    }
}

void bridge_finding_print(const json_t *finding, struct strbuf *out)
{
    const json_t *steps = json_object_get(finding, "steps");
    size_t i = 0;
    json_t *step = NULL;
    json_array_foreach((json_t *)steps, i, step)
    {
        strbuf_printf(out, "  %3zu  %s\n", i, text_of(step, "label"));
        if (i + 1 == json_array_size(steps)) {
            put_lines(out, text_of(step, "events"), 11);
        }
    }
    put_lines(out, text_of(finding, "text"), 2);
    if (*text_of(finding, "log") != '\0') {
        strbuf_adds(out, "  printed in this step:\n");
        put_lines(out, text_of(finding, "log"), 6);
    }
    if (*text_of(finding, "replay") != '\0') {
        strbuf_printf(out, "  replay: assay replay %s\n", text_of(finding, "replay"));
    }
}

/* ---- for others ---- */

/* Where the action of a finding stands in the specification. */
static struct report_place finding_place(const struct spec *spec, const json_t *finding)
{
    const struct model *model = spec->model;
    struct mplace none = {0};
    for (uint32_t i = 0; i < model->naction; i++) {
        if (strcmp(model->actions[i].name, text_of(finding, "action")) == 0) {
            return job_report_place(spec, &model->actions[i].place);
        }
    }
    struct report_place place = job_report_place(spec, &none);
    place.line = 1;
    return place;
}

/* What it is about, after which action, and the first line of the difference. */
static void finding_line(const json_t *finding, struct strbuf *out)
{
    const char *text = text_of(finding, "text");
    strbuf_printf(out, "%s after %s: %.*s", text_of(finding, "about"), text_of(finding, "action"),
                  (int)strcspn(text, "\n"), text);
}

void bridge_finding_case(struct report *report, const json_t *finding, struct report_case *c)
{
    SCOPED_STRBUF message = {0};
    SCOPED_STRBUF details = {0};
    finding_line(finding, &message);
    bridge_finding_print(finding, &details);
    c->kind = c->kind != NULL ? c->kind : text_of(finding, "kind");
    c->message = c->message != NULL ? c->message : strbuf_cstr(&message);
    c->details = strbuf_cstr(&details);
    report_add_case(report, c);
    c->message = c->details = NULL;
}

void bridge_finding_only(struct report *report, const struct spec *spec, const json_t *finding)
{
    SCOPED_STRBUF message = {0};
    SCOPED_STRBUF details = {0};
    VEC(struct report_step) steps = {0};
    size_t i = 0;
    json_t *step = NULL;
    finding_line(finding, &message);
    bridge_finding_print(finding, &details);
    json_array_foreach(json_object_get(finding, "steps"), i, step)
    {
        VEC_PUSH(&steps, ((struct report_step){.text = text_of(step, "label")}));
    }
    const char *replay = text_of(finding, "replay");
    struct report_finding f = {.rule = text_of(finding, "kind"),
                               .message = strbuf_cstr(&message),
                               .details = strbuf_cstr(&details),
                               .place = finding_place(spec, finding),
                               .steps = steps.v,
                               .n_steps = steps.n,
                               .artifact = *replay != '\0' ? replay : NULL};
    report_add_finding(report, &f);
    VEC_DONE(&steps);
}
