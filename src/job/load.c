/* Reading a spec and its configuration: see load.h for the order. */
#include "job/load.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/eval.h"
#include "eval/native.h"
#include "job/intern_order.h"
#include "model/model.h"
#include "pluscal/pluscal.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "value/value.h"

struct pending_string {
    const char *module; /* file in which it stands, without directory and suffix */
    struct str text;
};

struct spec_strings {
    VEC(struct pending_string) v;
    const char *parsing;      /* module being parsed; NULL before the first */
    const char *root;         /* the first one */
    bool known;               /* its words come from TLC's list */
    VEC(const char *) needed; /* modules that the root EXTENDS or INSTANCEs */
    bool names_follow; /* the last token of the root was EXTENDS, INSTANCE, or a comma after such a
                          name */
    bool in_extends;
    bool trace_done; /* the words of TLC's trace module have been seen */
};

void job_dirs_add(struct arena *arena, const char *list, const char ***dirs, size_t *ndir)
{
    if (list == NULL) {
        return;
    }
    size_t extra = 1;
    for (const char *p = list; *p != '\0'; p++) {
        extra += *p == ':';
    }
    const char **grown = ARENA_ARRAY(arena, const char *, *ndir + extra);
    if (*ndir > 0) {
        memcpy((void *)grown, (const void *)*dirs, *ndir * sizeof *grown);
    }
    for (const char *p = list; *p != '\0';) {
        size_t len = strcspn(p, ":");
        if (len > 0) {
            grown[(*ndir)++] = arena_strndup(arena, p, len);
        }
        p += len + (p[len] == ':');
    }
    *dirs = grown;
}

void job_spec_init(struct spec *spec, const struct spec_options *options)
{
    *spec = (struct spec){.options = *options, .eval = options->eval};
    arena_init(&spec->arena, 0);
    sources_init(&spec->sources, &spec->arena);
    diags_init(&spec->diags, &spec->arena);
    spec->strings = strtab_new();
    spec->pending = ARENA_NEW(&spec->arena, struct spec_strings);
    spec->eval.strings = spec->strings;
    pluscal_defaults(&spec->pluscal);
    spec->eval.no_exec = spec->eval.no_exec || env_text("ASSAY_NO_EXEC") != NULL;
    size_t len = options->path != NULL ? strlen(options->path) : 0;
    bool suffix = len > 4 && strcmp(options->path + len - 4, ".tla") == 0;
    if (options->path != NULL) {
        spec->module_path = arena_printf(&spec->arena, "%s%s", options->path, suffix ? "" : ".tla");
    }
}

void job_spec_done(struct spec *spec)
{
    model_free(spec->model);
    if (spec->has_program) {
        program_done(&spec->program);
    }
    if (spec->pending != NULL) {
        VEC_DONE(&spec->pending->v);
        VEC_DONE(&spec->pending->needed);
    }
    strtab_free(spec->strings);
    arena_done(&spec->arena);
    *spec = (struct spec){0};
}

/* ---- configuration ---- */
static const char *spec_dir(struct spec *spec)
{
    struct str dir = path_dir(str_of(spec->module_path));
    return arena_strndup(&spec->arena, dir.p, dir.n);
}

/* As named, else next to the spec, else in the search directories. */
static const char *find_config(struct spec *spec, const char *name)
{
    if (name[0] == '/' || file_exists(name)) {
        return name;
    }
    const char *beside = path_join(&spec->arena, spec_dir(spec), name);
    if (file_exists(beside)) {
        return beside;
    }
    for (size_t i = 0; i < spec->options.ndir; i++) {
        const char *path = path_join(&spec->arena, spec->options.dirs[i], name);
        if (file_exists(path)) {
            return path;
        }
    }
    return name;
}

static bool has_suffix(const char *text, const char *suffix)
{
    size_t len = strlen(text);
    size_t n = strlen(suffix);
    return len > n && strcmp(text + len - n, suffix) == 0;
}

static const char *config_name(struct spec *spec)
{
    const char *given = spec->options.config;
    if (given == NULL) {
        size_t len = strlen(spec->module_path) - 4;
        return arena_printf(&spec->arena, "%.*s.cfg", (int)len, spec->module_path);
    }
    if (has_suffix(given, ".cfg") || has_suffix(given, ".tla")) {
        return given;
    }
    return arena_printf(&spec->arena, "%s.cfg", given);
}

/* TLC numbers the values of a configuration while it parses it: strings and model values, not
 * names. */
static void intern_value(struct strtab *strings, const struct cfg_value *value)
{
    if (value == NULL) {
        return;
    }
    if (value->kind == CFG_STRING || value->kind == CFG_MODEL) {
        (void)strtab_intern(strings, value->text);
    }
    for (size_t i = 0; i < value->nelem; i++) {
        intern_value(strings, value->elems[i]);
    }
}

static void intern_config(struct strtab *strings, const struct config *config)
{
    for (size_t i = 0; i < config->nassign; i++) {
        const struct cfg_assign *assign = &config->assigns[i];
        for (size_t j = 0; j < assign->narg; j++) {
            intern_value(strings, assign->args[j]);
        }
        intern_value(strings, assign->value);
    }
}

static int read_config(struct spec *spec, struct err *err)
{
    const char *name = config_name(spec);
    spec->config_path = find_config(spec, name);
    struct source *source = NULL;
    if (sources_load(&spec->sources, spec->config_path, &source, err) != 0) {
        return SPEC_ERR;
    }
    if (has_suffix(name, ".tla")) {
        struct str section = config_section(source->text);
        source = sources_add(&spec->sources, spec->config_path, section, false);
    }
    spec->config_source = source;
    int rc = config_parse(&spec->config, &spec->arena, source, NULL, NULL, &spec->diags);
    intern_config(spec->strings, &spec->config);
    return rc == 0 && spec->diags.errors == 0 ? SPEC_OK : SPEC_DIAGS;
}

int job_spec_config_assign(struct spec *spec, struct str name, struct str value)
{
    struct config one = {0};
    struct config *config = &spec->config;
    bool replaced = value.n > 2 && memcmp(value.p, "<-", 2) == 0;
    const char *text = arena_printf(&spec->arena, "CONSTANT %.*s %s %.*s\n", STR_ARG(name),
                                    replaced ? "" : "=", STR_ARG(value));
    struct source *source =
        sources_add(&spec->sources, arena_printf(&spec->arena, "<value of %.*s>", STR_ARG(name)),
                    str_of(text), false);
    if (config_parse(&one, &spec->arena, source, NULL, NULL, &spec->diags) != 0 ||
        spec->diags.errors > 0) {
        return SPEC_DIAGS;
    }
    intern_config(spec->strings, &one);
    struct cfg_assign *all =
        ARENA_ARRAY(&spec->arena, struct cfg_assign, config->nassign + one.nassign + 1);
    size_t n = 0;
    for (size_t i = 0; i < config->nassign; i++) {
        const struct cfg_assign *old = &config->assigns[i];
        if (!str_eq(old->lhs, name) || old->module.n > 0 || old->narg > 0) {
            all[n++] = *old;
        }
    }
    for (size_t i = 0; i < one.nassign; i++) {
        all[n++] = one.assigns[i];
    }
    config->assigns = all;
    config->nassign = config->assign_cap = n;
    return SPEC_OK;
}

int job_spec_config_judge(struct spec *spec, const char *clauses)
{
    struct config one = {0};
    struct source *source =
        sources_add(&spec->sources, "<what is watched>", str_of(clauses), false);
    if (config_parse(&one, &spec->arena, source, NULL, NULL, &spec->diags) != 0 ||
        spec->diags.errors > 0) {
        return SPEC_DIAGS;
    }
    intern_config(spec->strings, &one);
    spec->config.invariants = one.invariants;
    spec->config.properties = one.properties;
    return SPEC_OK;
}

int job_spec_config(struct spec *spec, struct err *err)
{
    int rc = read_config(spec, err);
    for (size_t i = 0; rc == SPEC_OK && i < spec->options.nconstant; i++) {
        struct str text = str_of(spec->options.constants[i]);
        size_t n = strcspn(text.p, "=<");
        size_t sign = text.p[n] == '=' ? 1 : 0; /* an arrow is part of the value */
        if (n == text.n) {
            (void)err_set(err, ERR_INVALID, 0, "NAME=VALUE or NAME<-OPERATOR was expected, not %s",
                          text.p);
            return SPEC_ERR;
        }
        rc = job_spec_config_assign(spec, str_trim((struct str){text.p, n}),
                                    str_trim((struct str){text.p + n + sign, text.n - n - sign}));
    }
    return rc;
}

/* ---- modules ---- */
/* Notes which modules the root names, from its tokens: they are parsed before everything else. */
static void note_needed(struct spec *spec, struct str token)
{
    struct spec_strings *pending = spec->pending;
    bool keyword = str_is(token, "EXTENDS") || str_is(token, "INSTANCE");
    if (keyword) {
        pending->in_extends = str_is(token, "EXTENDS");
        pending->names_follow = true;
    } else if (pending->names_follow) {
        VEC_PUSH(&pending->needed, str_dup(&spec->arena, token).p);
        pending->names_follow = false;
    } else if (str_is(token, ",") && pending->in_extends) {
        pending->names_follow = true;
    } else {
        pending->in_extends = false;
    }
}

static void on_token(void *arg, struct str token, bool is_string)
{
    struct spec *spec = arg;
    struct spec_strings *pending = spec->pending;
    if (pending->known) {
        return;
    }
    if (!is_string) {
        (void)strtab_intern(spec->strings, token);
        if (pending->parsing == pending->root) {
            note_needed(spec, token);
        }
        return;
    }
    struct pending_string string = {pending->parsing, str_dup(&spec->arena, token)};
    VEC_PUSH(&pending->v, string);
}

/* TLC parses its trace module after those that the root names, and what that needs after the rest.
 */
static void trace_module(struct spec *spec, const char *next)
{
    struct spec_strings *pending = spec->pending;
    if (!spec->options.trace_module || pending->trace_done) {
        return;
    }
    for (size_t i = 0; next != NULL && i < pending->needed.n; i++) {
        if (strcmp(pending->needed.v[i], next) == 0) {
            return;
        }
    }
    pending->trace_done = true;
    (void)intern_module(spec->strings, INTERN_TRACE_MODULE);
}

static void on_parsing(void *arg, const char *path, bool builtin)
{
    struct spec *spec = arg;
    struct spec_strings *pending = spec->pending;
    struct str base = path_base(str_of(path));
    if (base.n > 4 && memcmp(base.p + base.n - 4, ".tla", 4) == 0) {
        base.n -= 4;
    }
    const char *name = arena_strndup(&spec->arena, base.p, base.n);
    if (pending->root == NULL) {
        pending->root = name;
        intern_language(spec->strings);
    } else {
        trace_module(spec, name);
    }
    pending->parsing = name;
    pending->known = builtin && intern_module(spec->strings, name);
    if (spec->options.parsing != NULL) {
        spec->options.parsing(spec->options.arg, path, builtin);
    }
}

static void on_analysed(void *arg, const char *module)
{
    /* Strings of TLC's trace module and of TLCExt, which it needs; the root is analysed last. */
    static const char *const trace_strings[] = {"Assertion failed", "console",
                                                "CounterExample written: ", "action"};
    struct spec *spec = arg;
    struct spec_strings *pending = spec->pending;
    bool root = pending->root != NULL && strcmp(module, pending->root) == 0;
    for (size_t i = 0;
         root && spec->options.trace_module && i < sizeof trace_strings / sizeof trace_strings[0];
         i++) {
        (void)strtab_intern(spec->strings, str_of(trace_strings[i]));
    }
    for (size_t i = 0; i < pending->v.n; i++) {
        const char *where = pending->v.v[i].module;
        if (where != NULL && strcmp(where, module) == 0) {
            (void)strtab_intern(spec->strings, pending->v.v[i].text);
        }
    }
    if (spec->options.analysed != NULL) {
        spec->options.analysed(spec->options.arg, module);
    }
}

/* ---- PlusCal ---- */
static void on_pluscal(void *arg, enum pluscal_kind kind, struct str text)
{
    const struct spec *spec = arg;
    SCOPED_STRBUF out = {0};
    if (spec->options.pluscal != NULL) {
        pluscal_print(kind, text, &out);
        spec->options.pluscal(spec->options.arg, strbuf_str(&out));
    }
}

static struct span line_span(const struct source *source, size_t line)
{
    uint32_t begin = line - 1 < source->lines ? source->line_begin[line - 1] : 0;
    uint32_t end = begin;
    while (end < source->text.n && source->text.p[end] != '\n' && source->text.p[end] != '\r') {
        end++;
    }
    return (struct span){source->id, begin, end};
}

static bool warned(const struct spec *spec, enum diag_code code, const char *module)
{
    for (size_t i = 0; i < spec->diags.n; i++) {
        const struct diag *diag = spec->diags.v[i];
        if (diag->code == code && diag->module != NULL && strcmp(diag->module, module) == 0) {
            return true;
        }
    }
    return false;
}

/* Warns of a translation that is not what its algorithm says, with TLC's words. */
static void on_extended(void *arg, const struct source *source, const struct node *tree)
{
    static const struct {
        enum diag_code code;
        const char *before, *after;
    } warnings[] = {
        [PLUSCAL_ALGORITHM_CHANGED] = {DIAG_WARN_PLUSCAL_ALGORITHM,
                                       "The PlusCal algorithm in module ",                               " has changed since its last translation."},
        [PLUSCAL_TRANSLATION_CHANGED] = {DIAG_WARN_PLUSCAL_TRANSLATION,
                                       "The TLA+ translation in module ",                                " has changed since its last translation."},
        [PLUSCAL_BOTH_CHANGED] = {DIAG_WARN_PLUSCAL_BOTH,
                                       "Both the PlusCal algorithm and its TLA+ translation in module ",
                                       " have changed since the last translation."                                                                 },
    };
    struct spec *spec = arg;
    struct pluscal_sink sink = {on_pluscal, spec};
    struct place place = sources_place(&spec->sources, tree->span);
    struct pluscal_lines lines = {source->text, place.line, place.end_line};
    struct arena scratch;
    size_t line = 0;
    if (source->builtin) {
        return;
    }
    arena_init(&scratch, 0);
    enum pluscal_stale stale = pluscal_stale(&scratch, &lines, &spec->pluscal, &sink, &line);
    if (stale != PLUSCAL_FRESH && stale != PLUSCAL_UNREADABLE &&
        !warned(spec, warnings[stale].code, tree->name.p)) {
        struct diag *diag =
            diag_add(&spec->diags, warnings[stale].code, line_span(source, line), "%s%.*s%s",
                     warnings[stale].before, STR_ARG(tree->name), warnings[stale].after);
        diag->module = tree->name.p;
    }
    pluscal_keep(&spec->pluscal, &spec->arena);
    arena_done(&scratch);
}

/* What no module claimed: text without a file, and whatever comes later (expressions on the command
 * line). */
static void intern_rest(struct spec *spec)
{
    static const char *const needs[] = {"TLC",      "TLCExt",     "Sequences",
                                        "Naturals", "FiniteSets", "Integers"};
    if (spec->options.trace_module) {
        trace_module(spec, NULL);
        for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
            (void)intern_module(spec->strings, needs[i]);
        }
    }
    spec->pending->known = false;
    spec->pending->parsing = NULL;
    for (size_t i = 0; i < spec->pending->v.n; i++) {
        (void)strtab_intern(spec->strings, spec->pending->v.v[i].text);
    }
    VEC_RESET(&spec->pending->v);
}

static void prepare_options(struct spec *spec)
{
    spec->program_options = (struct program_options){
        .paths = spec->options.dirs,
        .npath = spec->options.ndir,
        .builtin = modules_find,
        .builtin_name = modules_name,
        .seen = on_token,
        .seen_arg = spec,
        .parsing = on_parsing,
        .parsing_arg = spec,
        .analysed = on_analysed,
        .extended = on_extended,
    };
}

int job_spec_exists(const struct spec *spec, struct err *err)
{
    struct stat info;
    if (stat(spec->module_path, &info) != 0 || access(spec->module_path, R_OK) != 0) {
        (void)err_set(err, ERR_NOT_FOUND, errno, "cannot open %s", spec->module_path);
        return SPEC_ERR;
    }
    if (S_ISDIR(info.st_mode)) {
        (void)err_set(err, ERR_INVALID, EISDIR, "cannot read %s", spec->module_path);
        return SPEC_ERR;
    }
    return SPEC_OK;
}

static void loading(const struct spec *spec, bool begins)
{
    if (spec->options.loading != NULL) {
        spec->options.loading(begins);
    }
}

int job_spec_program(struct spec *spec, struct err *err)
{
    if (job_spec_exists(spec, err) != SPEC_OK) {
        return SPEC_ERR;
    }
    prepare_options(spec);
    spec->has_program = true;
    err->code = ERR_OK;
    loading(spec, true);
    int rc = program_load(&spec->program, &spec->arena, spec->module_path, &spec->program_options,
                          &spec->sources, &spec->diags, err);
    intern_rest(spec);
    loading(spec, false);
    if (rc != 0 || spec->diags.errors > 0) {
        return spec->diags.errors > 0 ? SPEC_DIAGS : SPEC_ERR;
    }
    return SPEC_OK;
}

int job_spec_program_text(struct spec *spec, const char *name, struct str text, struct err *err)
{
    prepare_options(spec);
    struct source *source = sources_add(&spec->sources, name, text, false);
    spec->has_program = true;
    err->code = ERR_OK;
    loading(spec, true);
    int rc = program_load_source(&spec->program, &spec->arena, source, &spec->program_options,
                                 &spec->sources, &spec->diags, err);
    intern_rest(spec);
    loading(spec, false);
    if (rc != 0 || spec->diags.errors > 0) {
        return spec->diags.errors > 0 ? SPEC_DIAGS : SPEC_ERR;
    }
    return SPEC_OK;
}

/* ---- model ---- */
static int resolve_invariants(struct spec *spec)
{
    size_t n = spec->options.ninvariant;
    if (n == 0) {
        return SPEC_OK;
    }
    struct def **defs = ARENA_ARRAY(&spec->arena, struct def *, n);
    for (size_t i = 0; i < n; i++) {
        struct source *source =
            sources_add(&spec->sources, "<invariant>", str_of(spec->options.invariants[i]), false);
        defs[i] = program_expression(&spec->program, source);
        if (defs[i] == NULL) {
            return SPEC_DIAGS;
        }
    }
    intern_rest(spec);
    spec->eval.invariants = defs;
    spec->eval.invariant_names = spec->options.invariants;
    spec->eval.ninvariant = n;
    return SPEC_OK;
}

int job_spec_model(struct spec *spec, struct mhost *host)
{
    int rc = resolve_invariants(spec);
    if (rc != SPEC_OK) {
        return rc;
    }
    spec->eval.spec_dir = spec->module_path != NULL ? spec_dir(spec) : ".";
    if (model_from_spec(&spec->arena, &spec->program, &spec->config, &spec->eval, host,
                        &spec->model, &spec->issue) != 0) {
        return SPEC_ERR;
    }
    return SPEC_OK;
}

/* ---- the initial predicate ---- */
/* The first conjunct of a specification that is the name of a state predicate. */
static const struct def *first_predicate(const struct node *node, unsigned depth)
{
    if (node == NULL || depth > 100) {
        return NULL;
    }
    if (node->kind == N_ID && node->ref != NULL) {
        const struct def *def = node->ref;
        if (def->kind != DEF_OP) {
            return NULL;
        }
        return def->level <= LEVEL_STATE ? def : first_predicate(def->body, depth + 1);
    }
    bool junction = node->kind == N_CONJ || (node->kind == N_OP && str_is(node->name, "/\\"));
    for (uint32_t i = 0; junction && i < node->nkid; i++) {
        const struct def *def = first_predicate(node->kid[i], depth + 1);
        if (def != NULL) {
            return def;
        }
    }
    return NULL;
}

bool job_spec_init_predicate(const struct spec *spec, const char **ret_name,
                             struct mplace *ret_place)
{
    const struct def *def = NULL;
    if (spec->config.init.name.n > 0) {
        def = program_lookup(&spec->program, spec->config.init.name);
    } else if (spec->config.specification.name.n > 0) {
        const struct def *whole = program_lookup(&spec->program, spec->config.specification.name);
        def = whole != NULL ? first_predicate(whole->body, 0) : NULL;
    }
    if (def == NULL || def->body == NULL || def->module == NULL) {
        return false;
    }
    struct place place = sources_place(&spec->sources, def->body->span);
    *ret_name = def->name.p;
    *ret_place = (struct mplace){def->module->name.p, place.line, place.column, place.end_line,
                                 place.end_column};
    return true;
}
