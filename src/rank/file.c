/* The tables of a mapping file that say what `assay rank` sweeps. The rest of the file is about
 * conformance and is not looked at. */
#include "base/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/toml.h"
#include "base/vec.h"
#include "rank/rank.h"
#include "rank/sweep.h"

#define FILE_MAX ((size_t)16 << 20)

static int complain(const struct rank_cmd *cmd, unsigned line, const char *text)
{
    (void)fprintf(cmd->teller.err, "assay rank: %s:%u: %s\n", cmd->file, line, text);
    return EXIT_CONFIG;
}

/* The text of one value as a configuration has it. */
static bool value_text(const struct toml_value *value, struct str *ret)
{
    switch (value->kind) {
    case TOML_STRING:
    case TOML_NUMBER: *ret = value->text; return value->text.n > 0;
    case TOML_BOOL: *ret = str_of(value->boolean ? "TRUE" : "FALSE"); return true;
    default: return false;
    }
}

/* A list of values, or one text such as "1..4". */
static int read_axis(struct rank_cmd *cmd, const struct toml_pair *pair, struct rank_sweep *sweep)
{
    struct err err = {0};
    struct rank_axis axis = {.name = pair->key, .file = cmd->file, .line = pair->value.line};
    const struct toml_value *value = &pair->value;
    int status = 0;
    for (size_t i = 0; i < sweep->n; i++) {
        if (str_eq(sweep->axes[i].name, axis.name) && !sweep->axes[i].file) {
            return EXIT_OK; /* the command line says otherwise */
        }
    }
    if (value->kind == TOML_ARRAY) {
        axis.values = ARENA_ARRAY(&cmd->arena, struct str, value->n + 1);
        for (size_t i = 0; i < value->n; i++) {
            if (!value_text(&value->items[i], &axis.values[axis.n++])) {
                return complain(cmd, value->items[i].line,
                                "values are numbers, booleans, or texts as they would stand in a "
                                "configuration");
            }
        }
    } else {
        struct str text;
        if (!value_text(value, &text)) {
            return complain(cmd, value->line, "an empty text has no values");
        }
        status = rank_values(&cmd->arena, text, &axis.values, &axis.n, &err);
    }
    status = status ? status : rank_sweep_add(&cmd->arena, sweep, axis, &err);
    return status ? complain(cmd, value->line, err.text) : EXIT_OK;
}

static int read_sweep(struct rank_cmd *cmd, const struct toml_table *table,
                      struct rank_sweep *sweep)
{
    int status = EXIT_OK;
    for (size_t i = 0; status == EXIT_OK && i < table->n; i++) {
        status = read_axis(cmd, &table->pairs[i], sweep);
    }
    return status;
}

static bool whole(const struct toml_value *value, uint64_t *ret)
{
    if (value->kind != TOML_NUMBER || value->number < 0 || value->number > 1e15) {
        return false;
    }
    *ret = (uint64_t)value->number;
    return (double)*ret == value->number;
}

/* walks, steps, time, seed, sort. */
static int read_setting(struct rank_cmd *cmd, const struct toml_pair *pair)
{
    static const char *const names[] = {"walks", "steps", "time", "seed", "sort"};
    const struct toml_value *value = &pair->value;
    uint64_t number = 0;
    bool good = true;
    if (str_is(pair->key, "sort")) {
        good = value->kind == TOML_STRING;
        cmd->sort = good && !cmd->sort ? str_dup(&cmd->arena, value->text).p : cmd->sort;
    } else if (str_is(pair->key, "time")) {
        double seconds = 0;
        good = value->kind != TOML_ARRAY && value->kind != TOML_BOOL &&
               read_duration(str_dup(&cmd->arena, value->text).p, &seconds) && seconds > 0;
        cmd->time_s = good && !cmd->has_time ? seconds : cmd->time_s;
        cmd->has_time |= good;
    } else if (str_is(pair->key, "walks") || str_is(pair->key, "steps")) {
        bool walks = str_is(pair->key, "walks");
        good = whole(value, &number) && number > 0;
        uint64_t *to = walks ? &cmd->walk.walks : &cmd->walk.steps_max;
        bool *has = walks ? &cmd->has_walks : &cmd->has_steps;
        *to = good && !*has ? number : *to;
        *has |= good;
    } else if (str_is(pair->key, "seed")) {
        good = whole(value, &number);
        cmd->walk.seed = good && !cmd->has_seed ? number : cmd->walk.seed;
    } else {
        struct near near = near_to(pair->key);
        near_try_all(&near, names, sizeof names / sizeof *names);
        SCOPED_STRBUF text = {0};
        strbuf_printf(&text, "[rank] has no key '%.*s'", STR_ARG(pair->key));
        near_add(&near, &text, "; did you mean '", "'?");
        return complain(cmd, value->line, strbuf_cstr(&text));
    }
    return good ? EXIT_OK
                : complain(cmd, value->line,
                           arena_printf(&cmd->arena, "the value of '%.*s' is not of the right kind",
                                        STR_ARG(pair->key)));
}

static int read_table(struct rank_cmd *cmd, const struct toml_table *table)
{
    static const char *const names[] = {"budget", "instance", "rank"};
    int status = EXIT_OK;
    if (str_is(table->name, "budget")) {
        return read_sweep(cmd, table, &cmd->budget);
    }
    if (str_is(table->name, "instance")) {
        return read_sweep(cmd, table, &cmd->instance);
    }
    if (str_is(table->name, "rank")) {
        for (size_t i = 0; status == EXIT_OK && i < table->n; i++) {
            status = read_setting(cmd, &table->pairs[i]);
        }
        return status;
    }
    struct near near = near_to(table->name);
    near_try_all(&near, names, sizeof names / sizeof *names);
    if (near.best.n != 0) {
        return complain(cmd, table->line,
                        arena_printf(&cmd->arena, "there is no table [%.*s]; did you mean [%.*s]?",
                                     STR_ARG(table->name), STR_ARG(near.best)));
    }
    return status;
}

/* A path of the file is relative to the file. */
static const char *beside(struct rank_cmd *cmd, const struct toml_value *value)
{
    struct str dir = path_dir(str_of(cmd->file));
    const char *name = str_dup(&cmd->arena, value->text).p;
    return name[0] == '/' ? name : path_join(&cmd->arena, str_dup(&cmd->arena, dir).p, name);
}

static int read_top(struct rank_cmd *cmd, struct toml_table *table)
{
    struct toml_pair *spec = toml_find(table, "spec");
    struct toml_pair *config = toml_find(table, "config");
    if (spec && spec->value.kind != TOML_STRING) {
        return complain(cmd, spec->value.line, "'spec' is the name of a file");
    }
    if (spec && !cmd->spec) {
        cmd->spec = beside(cmd, &spec->value);
    }
    if (!config || cmd->configs.n > 0) {
        return EXIT_OK;
    }
    const struct toml_value *value = &config->value;
    size_t n = value->kind == TOML_ARRAY ? value->n : 1;
    for (size_t i = 0; i < n; i++) {
        const struct toml_value *item = value->kind == TOML_ARRAY ? &value->items[i] : value;
        if (item->kind != TOML_STRING) {
            return complain(cmd, item->line, "'config' is the name of a file, or a list of names");
        }
        VEC_PUSH(&cmd->configs, beside(cmd, item));
    }
    return EXIT_OK;
}

int rank_file_read(struct rank_cmd *cmd)
{
    struct err err = {0};
    struct str text;
    struct toml toml = {0};
    if (file_read(&cmd->arena, cmd->file, FILE_MAX, &text, &err) != 0) {
        (void)fprintf(cmd->teller.err, "assay rank: %s\n", err.text);
        return EXIT_CONFIG;
    }
    if (toml_parse(&cmd->arena, text, &toml, &err) != 0) {
        (void)fprintf(cmd->teller.err, "assay rank: %s: %s\n", cmd->file, err.text);
        return EXIT_CONFIG;
    }
    int status = EXIT_OK;
    for (size_t i = 0; status == EXIT_OK && i < toml.n; i++) {
        struct toml_table *table = &toml.tables[i];
        status = table->name.n == 0 ? read_top(cmd, table) : read_table(cmd, table);
    }
    return status;
}
