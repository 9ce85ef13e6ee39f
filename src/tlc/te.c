/* The trace exploration spec: a module next to the spec that replays the behaviour just found, for
 * people who want to evaluate expressions in its states. The names of its modules and operators are
 * those that TLC and its front-ends use. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "job/job.h"
#include "job/load.h"
#include "sem/sem.h"
#include "syntax/source.h"
#include "tlc/message.h"
#include "tlc/tlc.h"
#include "trace/trace.h"
#include "value/value.h"

struct writer {
    const struct tlc *tlc;
    const struct check_violation *violation;
    const struct trace *trace;
    struct vctx *ctx;
    const char *spec;      /* name of the root module */
    const char *module;    /* name of the module to write */
    VEC(struct str) extra; /* model values that the spec does not declare */
    struct strbuf out;
};

/* ---- model values ---- */
static void note_model_value(struct writer *w, struct str name)
{
    if (program_lookup(&w->tlc->job.spec.program, name) != NULL) {
        return;
    }
    for (size_t i = 0; i < w->extra.n; i++) {
        if (str_eq(w->extra.v[i], name)) {
            return;
        }
    }
    VEC_PUSH(&w->extra, name);
}

static void note_value(struct writer *w, const struct cfg_value *value)
{
    if (value == NULL) {
        return;
    }
    if (value->kind == CFG_MODEL) {
        note_model_value(w, value->text);
    }
    for (size_t i = 0; i < value->nelem; i++) {
        note_value(w, value->elems[i]);
    }
}

static void collect_model_values(struct writer *w)
{
    const struct config *config = &w->tlc->job.spec.config;
    for (size_t i = 0; i < config->nassign; i++) {
        note_value(w, config->assigns[i].value);
    }
}

/* ---- parts ---- */
static void write_state(struct writer *w, const struct trace_state *state, const char *separator)
{
    for (uint32_t i = 0; i < w->trace->nvar; i++) {
        strbuf_printf(&w->out, "%s%s |-> ", i > 0 ? separator : "", w->trace->vars[i]);
        val_print(w->ctx, state->vals[i], &w->out);
    }
}

/* "x = (0) /\ y = (1)", one conjunct in a line. */
static void write_predicate(struct writer *w, const struct trace_state *state, const char *indent)
{
    for (uint32_t i = 0; i < w->trace->nvar; i++) {
        strbuf_printf(&w->out, "%s%s = (", indent, w->trace->vars[i]);
        val_print(w->ctx, state->vals[i], &w->out);
        strbuf_adds(&w->out, ")\n");
        if (i + 1 < w->trace->nvar) {
            strbuf_printf(&w->out, "%s/\\\n", indent);
        }
    }
}

/* The property that the replay violates again. */
static void write_property(struct writer *w)
{
    const struct trace *trace = w->trace;
    const struct trace_state *last = &trace->states[trace->nstate - 1];
    if (trace->lasso) {
        strbuf_adds(&w->out, "_prop ==\n    ~(([]<>(\n");
        write_predicate(w, last, "            ");
        strbuf_adds(&w->out, "    ))/\\([]<>(\n");
        write_predicate(w, &trace->states[trace->loop], "            ");
        strbuf_adds(&w->out, "    )))\n----\n\n");
    } else if (trace->stuttering) {
        strbuf_adds(&w->out, "_prop ==\n    ~<>[](\n");
        write_predicate(w, last, "        ");
        strbuf_adds(&w->out, "    )\n----\n\n");
    } else {
        strbuf_adds(&w->out,
                    "_inv ==\n    ~(\n        TLCGet(\"level\") = Len(_TETrace)\n        /\\\n");
        write_predicate(w, last, "        ");
        strbuf_adds(&w->out, "    )\n----\n\n");
    }
}

static void write_behaviour(struct writer *w)
{
    const struct trace *trace = w->trace;
    strbuf_adds(&w->out, "_init ==\n");
    for (uint32_t i = 0; i < trace->nvar; i++) {
        strbuf_printf(&w->out, "    /\\ %s = _TETrace[1].%s\n", trace->vars[i], trace->vars[i]);
    }
    strbuf_adds(
        &w->out,
        "----\n\n_next ==\n    /\\ \\E i,j \\in DOMAIN _TETrace:\n        /\\ \\/ /\\ j = i + 1\n"
        "              /\\ i = TLCGet(\"level\")\n");
    if (trace->lasso) {
        strbuf_adds(
            &w->out,
            "           \\/ /\\ i = _TTraceLassoEnd\n              /\\ j = _TTraceLassoStart\n");
    }
    for (uint32_t i = 0; i < trace->nvar; i++) {
        strbuf_printf(&w->out,
                      "        /\\ %s  = _TETrace[i].%s\n        /\\ %s' = _TETrace[j].%s\n",
                      trace->vars[i], trace->vars[i], trace->vars[i], trace->vars[i]);
    }
    strbuf_adds(&w->out,
                "\n\\* Uncomment the ASSUME below to write the states of the error trace\n"
                "\\* to the given file in Json format. Note that you can pass any tuple\n"
                "\\* to `JsonSerialize`. For example, a sub-sequence of _TETrace.\n    \\* ASSUME\n"
                "    \\*     LET J == INSTANCE Json\n");
    strbuf_printf(&w->out, "    \\*         IN J!JsonSerialize(\"%s.json\", _TETrace)\n\n",
                  w->module);
    strbuf_adds(
        &w->out,
        "=============================================================================\n\n");
}

static const char *constants_module(struct writer *w)
{
    return w->extra.n > 0 || w->trace->lasso ? "_TEConstants" : NULL;
}

static void write_extends(struct writer *w, const char *more)
{
    strbuf_printf(&w->out, "EXTENDS %s", more);
    if (constants_module(w) != NULL) {
        strbuf_printf(&w->out, ", %s%s", w->spec, constants_module(w));
    }
    strbuf_adds(&w->out, "\n\n");
}

static void write_main(struct writer *w)
{
    strbuf_printf(&w->out, "---- MODULE %s ----\n", w->module);
    SCOPED_STRBUF extends = {0};
    strbuf_printf(&extends, "Sequences, TLCExt, %s, Toolbox, Naturals, TLC", w->spec);
    write_extends(w, strbuf_cstr(&extends));
    strbuf_printf(&w->out,
                  "_expression ==\n    LET %s_TEExpression == INSTANCE %s_TEExpression\n    IN "
                  "%s_TEExpression!expression\n----\n\n",
                  w->spec, w->spec, w->spec);
    strbuf_printf(
        &w->out,
        "_trace ==\n    LET %s_TETrace == INSTANCE %s_TETrace\n    IN %s_TETrace!trace\n----\n\n",
        w->spec, w->spec, w->spec);
    write_property(w);
    write_behaviour(w);
}

static void write_expression_module(struct writer *w)
{
    strbuf_printf(&w->out,
                  " The module below can be moved to a file of its own, %s_TEExpression.tla:\n "
                  "that file is then used instead.\n\n",
                  w->spec);
    strbuf_printf(&w->out, "---- MODULE %s_TEExpression ----\n", w->spec);
    SCOPED_STRBUF extends = {0};
    strbuf_printf(&extends, "Sequences, TLCExt, %s, Toolbox, Naturals, TLC", w->spec);
    write_extends(w, strbuf_cstr(&extends));
    strbuf_adds(&w->out, "expression ==\n    [\n        \\* Fields may be hidden with a comment, "
                         "and new ones added.\n        ");
    for (uint32_t i = 0; i < w->trace->nvar; i++) {
        strbuf_printf(&w->out, "%s%s |-> %s", i > 0 ? "\n        ," : "", w->trace->vars[i],
                      w->trace->vars[i]);
    }
    strbuf_adds(
        &w->out,
        "\n        \\* ,_stateNumber |-> _TEPosition\n    ]\n\n"
        "=============================================================================\n\n");
}

static void write_trace_module(struct writer *w)
{
    strbuf_printf(&w->out, "---- MODULE %s_TETrace ----\n", w->spec);
    SCOPED_STRBUF extends = {0};
    strbuf_printf(&extends, "%s, TLC", w->spec);
    write_extends(w, strbuf_cstr(&extends));
    strbuf_adds(&w->out, "trace ==\n    <<\n");
    for (size_t i = 0; i < w->trace->nstate; i++) {
        strbuf_adds(&w->out, "    ([");
        write_state(w, &w->trace->states[i], ",");
        strbuf_printf(&w->out, "])%s\n", i + 1 < w->trace->nstate ? "," : "");
    }
    strbuf_adds(&w->out, "    "
                         ">>\n----\n\n\n==========================================================="
                         "==================\n\n");
}

static void write_constants_module(struct writer *w)
{
    if (constants_module(w) == NULL) {
        return;
    }
    strbuf_printf(&w->out, "---- MODULE %s_TEConstants ----\nEXTENDS %s\n\nCONSTANTS ", w->spec,
                  w->spec);
    for (size_t i = 0; i < w->extra.n; i++) {
        strbuf_printf(&w->out, "%s%.*s", i > 0 ? ", " : "", STR_ARG(w->extra.v[i]));
    }
    if (w->trace->lasso) {
        strbuf_printf(&w->out, "%s_TTraceLassoStart, _TTraceLassoEnd", w->extra.n > 0 ? ", " : "");
    }
    strbuf_adds(
        &w->out,
        "\n\n=============================================================================\n\n");
}

/* ---- the configuration ---- */
static void write_value(struct strbuf *out, const struct cfg_value *value)
{
    switch (value->kind) {
    case CFG_STRING: strbuf_printf(out, "\"%.*s\"", STR_ARG(value->text)); break;
    case CFG_BOOL: strbuf_adds(out, value->b ? "TRUE" : "FALSE"); break;
    case CFG_SET:
        strbuf_adds(out, "{");
        for (size_t i = 0; i < value->nelem; i++) {
            strbuf_adds(out, i > 0 ? ", " : "");
            write_value(out, value->elems[i]);
        }
        strbuf_adds(out, "}");
        break;
    case CFG_INT:
    case CFG_MODEL: strbuf_addstr(out, value->text); break;
    }
}

static void write_assign(struct writer *w, const struct cfg_assign *assign)
{
    strbuf_printf(&w->out, "    %.*s", STR_ARG(assign->lhs));
    for (size_t i = 0; i < assign->narg; i++) {
        strbuf_adds(&w->out, i == 0 ? "(" : ", ");
        write_value(&w->out, assign->args[i]);
    }
    strbuf_adds(&w->out, assign->narg > 0 ? ")" : "");
    strbuf_adds(&w->out, assign->value != NULL ? " = " : " <- ");
    if (assign->module.n > 0) {
        strbuf_printf(&w->out, "[%.*s]", STR_ARG(assign->module));
    }
    if (assign->value != NULL) {
        write_value(&w->out, assign->value);
    } else {
        strbuf_addstr(&w->out, assign->replacement);
    }
    strbuf_addc(&w->out, '\n');
}

static void write_config(struct writer *w)
{
    const struct config *config = &w->tlc->job.spec.config;
    bool cycle = w->trace->lasso || w->trace->stuttering;
    strbuf_printf(&w->out, "---- CONFIG %s ----\n", w->module);
    if (config->nassign > 0 || w->extra.n > 0 || w->trace->lasso) {
        strbuf_adds(&w->out, "CONSTANTS\n");
    }
    for (size_t i = 0; i < config->nassign; i++) {
        write_assign(w, &config->assigns[i]);
    }
    for (size_t i = 0; i < w->extra.n; i++) {
        strbuf_printf(&w->out, "    %.*s = %.*s\n", STR_ARG(w->extra.v[i]), STR_ARG(w->extra.v[i]));
    }
    if (w->trace->lasso) {
        strbuf_printf(&w->out, "    _TTraceLassoStart = %zu\n    _TTraceLassoEnd = %zu\n",
                      w->trace->loop + 1, w->trace->nstate);
    }
    strbuf_printf(&w->out,
                  "\n%s\n    %s\n\nCHECK_DEADLOCK\n    \\* CHECK_DEADLOCK off because of PROPERTY "
                  "or INVARIANT above.\n    FALSE\n\n",
                  cycle ? "PROPERTY" : "INVARIANT", cycle ? "_prop" : "_inv");
    strbuf_adds(&w->out, "INIT\n    _init\n\nNEXT\n    _next\n\nCONSTANT\n    _TETrace <- "
                         "_trace\n\nALIAS\n    _expression\n");
    strbuf_printf(
        &w->out, "=============================================================================\n");
}

/* ---- where ---- */
static const char *target_path(struct tlc *tlc, struct arena *arena, const char *spec,
                               const char **ret_module)
{
    const char *dir = tlc->o.te_dir;
    size_t len = dir != NULL ? strlen(dir) : 0;
    if (len > 4 && strcasecmp(dir + len - 4, ".tla") == 0) {
        struct str base = path_base(str_of(dir));
        *ret_module = arena_strndup(arena, base.p, base.n - 4);
        return dir;
    }
    *ret_module = arena_printf(arena, "%s_TTrace_%" PRIu64, spec, tlc->start_ms / 1000);
    if (dir == NULL) {
        struct str spec_dir = path_dir(str_of(tlc->o.spec));
        dir = arena_strndup(arena, spec_dir.p, spec_dir.n);
    }
    return arena_printf(arena, "%s/%s.tla", dir, *ret_module);
}

static void write_all(struct writer *w)
{
    collect_model_values(w);
    write_main(w);
    write_expression_module(w);
    write_trace_module(w);
    write_constants_module(w);
    write_config(w);
}

void tlc_trace_spec(struct tlc *tlc)
{
    const struct check_result *result = tlc->job.result;
    if (result->nviolation == 0 || result->violations[0].trace.nstep < 2 ||
        tlc->o.recover != NULL || result->violations[0].trace.incomplete) {
        return;
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct trace trace;
    struct vctx ctx;
    struct err err = {0};
    struct writer w = {
        .tlc = tlc, .violation = &result->violations[0], .trace = &trace, .ctx = &ctx};
    w.spec = tlc->job.spec.model->name;
    const char *path = target_path(tlc, &arena, w.spec, &w.module);
    struct str dir = path_dir(str_of(path));
    int rc = dir_make(arena_strndup(&arena, dir.p, dir.n), &err);
    if (rc == 0 && strstr(w.spec, "_TTrace_") == NULL) {
        rc = job_trace_get(&tlc->job, w.violation, &arena, &trace, &ctx, &err);
        if (rc == 0) {
            write_all(&w);
            rc = file_write(path, strbuf_str(&w.out), &err);
        }
        if (rc == 0) {
            tlc_print(&tlc->out, 2501, TLC_NONE, "Trace exploration spec path: %s", path);
        } else {
            tlc_print(&tlc->out, 2502, TLC_NONE,
                      "Failed to generate trace exploration spec; error message: %s", err.text);
        }
    }
    VEC_DONE(&w.extra);
    strbuf_done(&w.out);
    arena_done(&arena);
}
