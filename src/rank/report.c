/* What `assay rank` found: a table for every configuration, or one JSON document. */
#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/human.h"
#include "base/str.h"
#include "base/teller.h"
#include "model/model.h"
#include "rank/rank.h"
#include "rank/sweep.h"
#include "trace/trace.h"

#define MISSED_SHOWN 20

/* The points of one configuration that are done, best first. */
struct group {
    struct rank_point *points; /* [nbudget] */
    size_t *order;             /* [n] */
    size_t n;
};

static struct group group_get(struct rank_cmd *cmd, size_t index)
{
    size_t n = (size_t)cmd->nbudget;
    struct group group = {.points = &cmd->points[index * n],
                          .order = ARENA_ARRAY(&cmd->arena, size_t, n + 1)};
    struct rank_data *data = ARENA_ARRAY(&cmd->arena, struct rank_data, n + 1);
    size_t *done = ARENA_ARRAY(&cmd->arena, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (group.points[i].done) {
            done[group.n] = i;
            data[group.n++] = group.points[i].data;
        }
    }
    rank_sort(&cmd->order, data, group.n, group.order);
    for (size_t i = 0; i < group.n; i++) {
        group.order[i] = done[group.order[i]];
    }
    return group;
}

static size_t group_count(const struct rank_cmd *cmd)
{
    return cmd->configs.n * (size_t)cmd->ninstance;
}

static struct str value_at(struct rank_cmd *cmd, const struct rank_sweep *sweep, uint64_t index,
                           size_t axis)
{
    size_t *at = ARENA_ARRAY(&cmd->arena, size_t, sweep->n + 1);
    rank_sweep_at(sweep, index, at);
    return sweep->axes[axis].values[at[axis]];
}

/* ---- for people ---- */

enum { NCOLUMN = 6 };
static const char *const titles[NCOLUMN] = {"coverage", "diversity", "depth",
                                            "mean",     "states",    "violations"};

/* A cell of the table: column 0 is the rank, then the budgets, then the data. */
static void cell(struct rank_cmd *cmd, const struct group *group, size_t row, size_t column,
                 struct strbuf *out)
{
    const struct rank_point *point = &group->points[group->order[row]];
    const struct rank_data *data = &point->data;
    size_t k = column - 1 - cmd->budget.n;
    if (column == 0) {
        strbuf_printf(out, "%zu", row + 1);
    } else if (column <= cmd->budget.n) {
        strbuf_addstr(out, value_at(cmd, &cmd->budget, point->budget, column - 1));
    } else if (k == 0) {
        double share =
            data->branches_all ? 100.0 * (double)data->branches / (double)data->branches_all : 0;
        strbuf_printf(out, "%llu/%llu %5.1f%%", (unsigned long long)data->branches,
                      (unsigned long long)data->branches_all, share);
    } else if (k == 1) {
        strbuf_printf(out, "%llu/%llu", (unsigned long long)data->actions,
                      (unsigned long long)data->actions_all);
    } else if (k == 2) {
        strbuf_printf(out, "%llu", (unsigned long long)data->depth);
    } else if (k == 3) {
        strbuf_printf(out, "%.1f",
                      data->walks ? (double)data->depth_sum / (double)data->walks : 0.0);
    } else if (k == 4) {
        print_count(out, data->states);
    } else {
        strbuf_printf(out, "%llu", (unsigned long long)data->violations);
    }
}

static struct str title(const struct rank_cmd *cmd, size_t column)
{
    return column == 0               ? STR("rank")
           : column <= cmd->budget.n ? cmd->budget.axes[column - 1].name
                                     : str_of(titles[column - 1 - cmd->budget.n]);
}

static void table(struct rank_cmd *cmd, const struct group *group, struct strbuf *out)
{
    size_t columns = 1 + cmd->budget.n + NCOLUMN, rows = group->n;
    size_t *width = ARENA_ARRAY(&cmd->arena, size_t, columns);
    SCOPED_STRBUF text = {0};
    for (size_t column = 0; column < columns; column++) {
        width[column] = title(cmd, column).n;
        for (size_t row = 0; row < rows; row++) {
            strbuf_reset(&text);
            cell(cmd, group, row, column, &text);
            width[column] = text.n > width[column] ? text.n : width[column];
        }
    }
    for (size_t line = 0; line <= rows; line++) {
        for (size_t column = 0; column < columns; column++) {
            strbuf_reset(&text);
            if (line == 0) {
                strbuf_addstr(&text, title(cmd, column));
            } else {
                cell(cmd, group, line - 1, column, &text);
            }
            strbuf_pad(out, ' ', width[column] - text.n + (column ? 2 : 0));
            strbuf_addstr(out, strbuf_str(&text));
        }
        strbuf_addc(out, '\n');
    }
}

static void headline(struct rank_cmd *cmd, const struct group *group, size_t index,
                     struct strbuf *out)
{
    const struct rank_point *point = &group->points[0];
    strbuf_printf(out, "%sConfiguration %zu of %zu", index ? "\n" : "", index + 1,
                  group_count(cmd));
    const char *config = cmd->configs.v[point->config];
    if (config) {
        strbuf_printf(out, ": %s", config);
    }
    for (size_t i = 0; i < cmd->instance.n; i++) {
        struct str value = value_at(cmd, &cmd->instance, point->instance, i);
        strbuf_printf(out, "%s%.*s = %.*s", i || config ? ", " : ": ",
                      STR_ARG(cmd->instance.axes[i].name), STR_ARG(value));
    }
    strbuf_addc(out, '\n');
}

static void budget_text(struct rank_cmd *cmd, const struct rank_point *point, struct strbuf *out)
{
    for (size_t i = 0; i < cmd->budget.n; i++) {
        struct str value = value_at(cmd, &cmd->budget, point->budget, i);
        strbuf_printf(out, "%s%.*s = %.*s", i ? ", " : "", STR_ARG(cmd->budget.axes[i].name),
                      STR_ARG(value));
    }
}

/* What went wrong in walks, and what the best point does not reach. */
static void remarks(struct rank_cmd *cmd, const struct group *group, struct strbuf *out)
{
    for (size_t i = 0; i < group->n; i++) {
        const struct rank_point *point = &group->points[group->order[i]];
        if (point->data.failed) {
            strbuf_adds(out, "  with ");
            budget_text(cmd, point, out);
            strbuf_printf(out, " evaluation failed: %s\n", point->data.failed);
        } else if (point->data.violated) {
            strbuf_adds(out, "  with ");
            budget_text(cmd, point, out);
            strbuf_printf(out, " walk %llu violates %s\n",
                          (unsigned long long)point->data.violated_walk, point->data.violated);
        }
    }
    if (!cmd->missed || group->n == 0) {
        return;
    }
    const struct rank_data *best = &group->points[group->order[0]].data;
    for (size_t i = 0; i < best->nmissed && i < MISSED_SHOWN; i++) {
        strbuf_printf(out, "  not taken by rank 1: %s, line %u, column %u\n",
                      best->missed[i].module, best->missed[i].line, best->missed[i].column);
    }
    if (best->nmissed > MISSED_SHOWN) {
        strbuf_printf(out, "  and %zu more\n", best->nmissed - MISSED_SHOWN);
    }
}

void rank_report(struct rank_cmd *cmd, struct strbuf *out)
{
    for (size_t i = 0; i < group_count(cmd); i++) {
        struct group group = group_get(cmd, i);
        headline(cmd, &group, i, out);
        table(cmd, &group, out);
        remarks(cmd, &group, out);
    }
}

/* ---- for reports ---- */

/* Nothing is judged but that the walks could be done; a property that fails on the way is worth
 * looking at. */
static void add_point(struct rank_cmd *cmd, const struct rank_point *point, const char *group)
{
    struct report *report = cmd->teller.report;
    SCOPED_STRBUF name = {0};
    SCOPED_STRBUF text = {0};
    budget_text(cmd, point, &name);
    struct report_case c = {.group = group,
                            .name = strbuf_cstr(&name),
                            .outcome = point->data.failed ? REPORT_ERROR
                                       : point->done      ? REPORT_PASSED
                                                          : REPORT_SKIPPED,
                            .kind = "evaluation",
                            .message = point->data.failed ? point->data.failed
                                       : point->done      ? NULL
                                                          : "not walked through",
                            .ns = point->data.elapsed_ns};
    report_add_case(report, &c);
    if (!point->data.failed && !point->data.violated) {
        return;
    }
    strbuf_printf(&text, "with %s ", strbuf_cstr(&name));
    if (point->data.failed) {
        strbuf_printf(&text, "evaluation failed: %s", point->data.failed);
    } else {
        strbuf_printf(&text, "walk %llu violates %s", (unsigned long long)point->data.violated_walk,
                      point->data.violated);
    }
    struct report_finding f = {.rule = point->data.failed ? "evaluation" : "violated-in-a-walk",
                               .level =
                                   point->data.failed ? REPORT_LEVEL_ERROR : REPORT_LEVEL_WARNING,
                               .message = strbuf_cstr(&text),
                               .place = {.file = report_path(cmd->spec)}};
    report_add_finding(report, &f);
}

void rank_cases(struct rank_cmd *cmd)
{
    report_subject(cmd->teller.report, cmd->spec);
    for (size_t i = 0; cmd->teller.report != NULL && i < cmd->npoint; i++) {
        char group[48];
        (void)snprintf(group, sizeof group, "configuration %llu",
                       (unsigned long long)(i / cmd->nbudget) + 1);
        add_point(cmd, &cmd->points[i], group);
    }
}

/* ---- for programs ---- */

static void json_number(struct strbuf *out, const char *name, uint64_t value)
{
    strbuf_printf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void json_values(struct rank_cmd *cmd, const struct rank_sweep *sweep, uint64_t index,
                        struct strbuf *out)
{
    strbuf_addc(out, '{');
    for (size_t i = 0; i < sweep->n; i++) {
        strbuf_adds(out, i ? "," : "");
        json_write_string(sweep->axes[i].name, out);
        strbuf_addc(out, ':');
        json_write_string(value_at(cmd, sweep, index, i), out);
    }
    strbuf_addc(out, '}');
}

static void json_text(struct strbuf *out, const char *name, const char *text)
{
    strbuf_printf(out, ",\"%s\":", name);
    if (text) {
        json_write_string(str_of(text), out);
    } else {
        strbuf_adds(out, "null");
    }
}

static void json_point(struct rank_cmd *cmd, const struct rank_point *point, size_t rank,
                       struct strbuf *out)
{
    const struct rank_data *data = &point->data;
    strbuf_printf(out, "\n    {\"rank\":%zu,\"point\":%zu,\"budget\":", rank,
                  (size_t)(point - cmd->points) + 1);
    json_values(cmd, &cmd->budget, point->budget, out);
    json_number(out, "coverage", data->branches);
    json_number(out, "branches", data->branches_all);
    json_number(out, "diversity", data->actions);
    json_number(out, "actions", data->actions_all);
    json_number(out, "events", data->events);
    json_number(out, "depth", data->depth);
    strbuf_printf(out, ",\"mean_depth\":%.3f",
                  data->walks ? (double)data->depth_sum / (double)data->walks : 0.0);
    json_number(out, "states", data->states);
    json_number(out, "walks", data->walks);
    json_number(out, "steps", data->steps);
    json_number(out, "ended", data->ended);
    json_number(out, "cut", data->cut);
    json_number(out, "violations", data->violations);
    json_text(out, "violated", data->violated);
    json_text(out, "failed", data->failed);
    strbuf_adds(out, ",\"missed\":[");
    for (size_t i = 0; i < data->nmissed; i++) {
        const struct mplace *place = &data->missed[i];
        strbuf_adds(out, i ? "," : "");
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "%s:%u:%u", place->module, place->line, place->column);
        json_write_string(strbuf_str(&text), out);
    }
    strbuf_adds(out, "]}");
}

void rank_json(struct rank_cmd *cmd, struct strbuf *out)
{
    strbuf_adds(out, "{\"spec\":");
    json_write_string(str_of(cmd->spec), out);
    json_number(out, "seed", cmd->walk.seed);
    json_number(out, "walks", cmd->walk.walks);
    json_number(out, "steps_max", cmd->walk.steps_max);
    strbuf_printf(out, ",\"time_s\":%g", cmd->has_time ? cmd->time_s : 0.0);
    json_text(out, "sort", cmd->sort);
    strbuf_adds(out, ",\"configurations\":[");
    for (size_t i = 0; i < group_count(cmd); i++) {
        struct group group = group_get(cmd, i);
        const struct rank_point *first = &group.points[0];
        strbuf_printf(out, "%s\n  {\"number\":%zu", i ? "," : "", i + 1);
        json_text(out, "config", cmd->configs.v[first->config]);
        strbuf_adds(out, ",\"instance\":");
        json_values(cmd, &cmd->instance, first->instance, out);
        strbuf_adds(out, ",\"points\":[");
        for (size_t row = 0; row < group.n; row++) {
            strbuf_adds(out, row ? "," : "");
            json_point(cmd, &group.points[group.order[row]], row + 1, out);
        }
        strbuf_adds(out, "]}");
    }
    strbuf_adds(out, "]}\n");
}
