/* --aux and --por: what is asked for against what can be established. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "check/check.h"
#include "eval/eval.h"
#include "examine/examine.h"
#include "job/job.h"
#include "model/model.h"

/* ---- auxiliary variables ---- */
static int find_variable(const struct model *model, struct str name)
{
    for (uint32_t i = 0; i < model->nvar; i++) {
        if (str_eq(str_of(model->vars[i]), name)) {
            return (int)i;
        }
    }
    return -1;
}

static void unknown_variable(const struct model *model, struct str name, struct strbuf *text)
{
    strbuf_printf(text, "assay check: --aux: %.*s is no variable of %s\n  hint: the variables are",
                  STR_ARG(name), model->name);
    for (uint32_t i = 0; i < model->nvar; i++) {
        strbuf_printf(text, "%s %s", i > 0 ? "," : "", model->vars[i]);
    }
    strbuf_adds(text, "; --aux auto takes those that can be shown to be irrelevant\n");
}

/* The user says that the variable does not matter, but it may. */
static void warn_relevant(struct check_cmd *cmd, const struct variable_use *use)
{
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "--aux %s: this variable may matter: %s", use->name, use->why);
    if (use->place.line > 0) {
        strbuf_printf(&text, " at %s.tla:%u:%u", use->place.module, use->place.line,
                      use->place.column);
    }
    strbuf_adds(
        &text,
        ".\n  States that differ in it only are taken for one state: counts will differ, and a "
        "violation may be missed.");
    model_warn(cmd->job.spec.model, strbuf_cstr(&text));
}

static bool list_variables(struct check_cmd *cmd, const struct variable_use *uses, bool *vars,
                           struct strbuf *text)
{
    const struct model *model = cmd->job.spec.model;
    for (const char *at = cmd->aux; *at != '\0';) {
        size_t len = strcspn(at, ",");
        struct str name = {at, len};
        int var = find_variable(model, name);
        if (name.n > 0 && var < 0) {
            unknown_variable(model, name, text);
            return false;
        }
        if (name.n > 0 && !vars[var]) {
            vars[var] = true;
            if (uses[var].relevant) {
                warn_relevant(cmd, &uses[var]);
            }
        }
        at += len + (at[len] == ',');
    }
    return true;
}

static int leave_out(struct check_cmd *cmd, struct strbuf *text)
{
    struct model *model = cmd->job.spec.model;
    struct arena *arena = &cmd->job.spec.arena;
    const struct variable_use *uses = model_variable_uses(model, arena);
    bool *vars = ARENA_ARRAY(arena, bool, model->nvar + 1);
    if (strcmp(cmd->aux, "auto") != 0 || find_variable(model, STR("auto")) >= 0) {
        if (!list_variables(cmd, uses, vars, text)) {
            return EXIT_USAGE;
        }
    } else {
        for (uint32_t i = 0; i < model->nvar; i++) {
            vars[i] = !uses[i].relevant;
        }
    }
    for (uint32_t i = 0; i < model->nvar; i++) {
        if (vars[i]) {
            VEC_PUSH(&cmd->left_out, model->vars[i]);
            cmd->job.reductions = hash_combine(cmd->job.reductions, i + 1);
        }
    }
    if (cmd->left_out.n > 0 && model->has_view) {
        model_warn(model, "--aux has no effect: VIEW says what the fingerprint is made of.");
    }
    model_leave_out(model, vars);
    return EXIT_OK;
}

/* ---- partial-order reduction ---- */

/* Options that ask for what a reduction does not give; NULL: none. */
static const char *option_refusal(const struct check_cmd *cmd)
{
    return cmd->mode != CHECK_BFS   ? "it is for breadth-first searches"
           : cmd->dump.path != NULL ? "it cannot be combined with --dump"
                                    : NULL;
}

static int reduce_order(struct check_cmd *cmd, struct strbuf *text)
{
    const char *refused = option_refusal(cmd);
    if (refused == NULL && model_reduce_order(cmd->job.spec.model, &cmd->order) != 0) {
        refused = cmd->order.refused;
    }
    if (refused != NULL) {
        strbuf_printf(text, "assay check: --por: %s\n", refused);
        return EXIT_USAGE;
    }
    cmd->job.check.reduce_order = cmd->order.local > 0;
    cmd->job.reductions = hash_combine(cmd->job.reductions, UINT64_C(0x706f72));
    return EXIT_OK;
}

int reduce_setup(struct check_cmd *cmd, struct strbuf *text)
{
    int status = cmd->aux != NULL ? leave_out(cmd, text) : EXIT_OK;
    return status == EXIT_OK && cmd->por ? reduce_order(cmd, text) : status;
}

/* ---- what was done ---- */
static void describe_order(const struct check_cmd *cmd, struct strbuf *out)
{
    const struct order_reduction *order = &cmd->order;
    strbuf_printf(
        out,
        "partial-order reduction: %u of %u kinds of steps belong to a process, %u are local to "
        "it; one process was enough in %llu states\n",
        order->owned, order->groups, order->local, (unsigned long long)cmd->job.result->reduced);
}

void reduce_describe(const struct check_cmd *cmd, struct strbuf *out)
{
    if (cmd->por) {
        describe_order(cmd, out);
    }
    if (cmd->aux == NULL) {
        return;
    }
    strbuf_printf(out, "auxiliary variables left out of the fingerprint: %zu of %u",
                  cmd->left_out.n, cmd->job.spec.model->nvar);
    for (size_t i = 0; i < cmd->left_out.n; i++) {
        strbuf_printf(out, "%s %s", i > 0 ? "," : ":", cmd->left_out.v[i]);
    }
    strbuf_addc(out, '\n');
}

void reduce_json(const struct check_cmd *cmd, struct strbuf *out)
{
    if (cmd->aux == NULL && !cmd->por) {
        return;
    }
    strbuf_adds(out, ",\"reductions\":{\"auxiliary\":[");
    for (size_t i = 0; i < cmd->left_out.n; i++) {
        strbuf_printf(out, "%s\"%s\"", i > 0 ? "," : "", cmd->left_out.v[i]);
    }
    strbuf_adds(out, "]");
    if (cmd->por) {
        strbuf_printf(out, ",\"order\":{\"kinds\":%u,\"owned\":%u,\"local\":%u,\"reduced\":%llu}",
                      cmd->order.groups, cmd->order.owned, cmd->order.local,
                      (unsigned long long)cmd->job.result->reduced);
    }
    strbuf_adds(out, "}");
}
