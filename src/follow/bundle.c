/* What an alarm leaves behind: a directory with events.jsonl (what was seen, from a known state
 * on), alarm.txt (what was told), bundle.json (with which files it can be seen again). */
#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "follow/follow.h"
#include "follow/follow_int.h"
#include "monitor/monitor.h"

enum { PART_EVENTS = 5000, PART_BYTES = 8 << 20, INFO_MOST = 1 << 20 };

/* ---- what was seen last ---- */

void follow_past_done(struct follow_past *p)
{
    strbuf_done(&p->old);
    strbuf_done(&p->now);
}

/* A new part begins with the state, if it is known; else the part goes on. */
static void turn_page(struct follow *cmd)
{
    struct follow_past *p = &cmd->past;
    SCOPED_STRBUF state = {0};
    if (!monitor_blind(cmd->monitor)) {
        monitor_state_line(cmd->monitor, &state);
    }
    p->whole = p->whole && p->n_old == 0;
    strbuf_done(&p->old);
    p->old = p->now;
    p->n_old = p->n_now;
    p->now = (struct strbuf){0};
    p->n_now = 0;
    strbuf_addstr(&p->now, strbuf_str(&state));
}

void follow_remember(struct follow *cmd, const struct monitor_event *event)
{
    struct follow_past *p = &cmd->past;
    if (p->n_old == 0 && p->n_now == 0) {
        p->whole = true;
    }
    if (p->n_now >= PART_EVENTS || p->now.n > PART_BYTES) {
        turn_page(cmd);
    }
    monitor_line_write(cmd->monitor, event, &p->now);
    p->n_now++;
}

/* ---- bundles ---- */

static char *absolute(struct follow *cmd, const char *path)
{
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    char *copy = real != NULL ? arena_strndup(&cmd->arena, real, strlen(real)) : NULL;
    vec_release(real);
    return copy;
}

static int put_info(struct follow *cmd, const char *dir, struct err *err)
{
    const char *file = path_join(&cmd->arena, dir, "bundle.json");
    const char *config = absolute(cmd, cmd->o.config), *cluster = absolute(cmd, cmd->o.cluster);
    json_t *info = json_pack(
        "{s:s, s:s?, s:s?, s:s, s:b, s:s, s:I, s:I, s:I}", "mapping", absolute(cmd, cmd->o.map),
        "config", config, "cluster", cluster, "node", cmd->node, "running", !cmd->past.whole,
        "verdict", monitor_verdict(cmd->monitor) == MONITOR_ALARM ? "alarm" : "not decided",
        "window", (json_int_t)cmd->window, "look", (json_int_t)cmd->look, "effort",
        (json_int_t)cmd->effort);
    char *text = info != NULL ? json_dumps(info, JSON_INDENT(2)) : NULL;
    int status = text != NULL ? file_write(file, str_of(text), err)
                              : err_set(err, ERR_INVALID, 0, "%s: no valid UTF-8", file);
    vec_release(text);
    json_decref(info);
    return status;
}

static void put_down(struct follow *cmd, struct strbuf *out)
{
    for (size_t i = 0; i < monitor_nodes(cmd->monitor); i++) {
        if (i != monitor_self(cmd->monitor)) {
            strbuf_printf(out, "{\"down\":\"%s\"}\n", monitor_node_name(cmd->monitor, i));
        }
    }
}

int follow_leave(struct follow *cmd, struct strbuf *ret, struct err *err)
{
    SCOPED_STRBUF events = {0};
    SCOPED_STRBUF text = {0};
    char name[64];
    time_t now = (time_t)clock_wall_s();
    struct tm tm;
    (void)strftime(name, sizeof name, "alarm-%Y%m%dT%H%M%SZ-", gmtime_r(&now, &tm));
    int status = dir_make(cmd->bundle, err);
    status = status != 0 ? status : dir_make_new(cmd->bundle, name, ret, err);
    if (status != 0) {
        return status;
    }
    const char *dir = strbuf_cstr(ret);
    if (cmd->past.whole && cmd->events == NULL) {
        put_down(cmd, &events); /* a capture begins without connections; lines say so */
    }
    strbuf_addstr(&events, strbuf_str(&cmd->past.old));
    strbuf_addstr(&events, strbuf_str(&cmd->past.now));
    follow_explain(cmd, &text);
    status = file_write(path_join(&cmd->arena, dir, "events.jsonl"), strbuf_str(&events), err);
    status = status != 0
                 ? status
                 : file_write(path_join(&cmd->arena, dir, "alarm.txt"), strbuf_str(&text), err);
    return status != 0 ? status : put_info(cmd, dir, err);
}

static const char *word(struct follow *cmd, const json_t *info, const char *name)
{
    const char *text = json_string_value(json_object_get(info, name));
    return text != NULL ? arena_strndup(&cmd->arena, text, strlen(text)) : NULL;
}

static uint64_t count(const json_t *info, const char *name)
{
    json_int_t n = json_integer_value(json_object_get(info, name));
    return n > 0 ? (uint64_t)n : 0;
}

int follow_replay(struct follow *cmd, struct err *err)
{
    const char *file = path_join(&cmd->arena, cmd->replay, "bundle.json");
    struct str text;
    int status = file_read(&cmd->arena, file, INFO_MOST, &text, err);
    if (status != 0) {
        return status;
    }
    json_error_t wrong;
    json_t *info = json_loadb(text.p, text.n, 0, &wrong);
    cmd->o.map = cmd->o.map != NULL ? cmd->o.map : word(cmd, info, "mapping");
    cmd->node = cmd->node != NULL ? cmd->node : word(cmd, info, "node");
    cmd->o.config = cmd->o.config != NULL ? cmd->o.config : word(cmd, info, "config");
    cmd->o.cluster = cmd->o.cluster != NULL ? cmd->o.cluster : word(cmd, info, "cluster");
    cmd->window = cmd->window != 0 ? cmd->window : count(info, "window");
    cmd->look = cmd->look != 0 ? cmd->look : count(info, "look");
    cmd->effort = cmd->effort != 0 ? cmd->effort : count(info, "effort");
    cmd->running = json_is_true(json_object_get(info, "running"));
    cmd->events = path_join(&cmd->arena, cmd->replay, "events.jsonl");
    json_decref(info);
    return cmd->o.map != NULL && cmd->node != NULL
               ? 0
               : err_set(err, ERR_INVALID, 0, "%s is none of a bundle", file);
}
