/* Clients: commands that the mapping runs at nodes of the cluster made for it (manual clients), for
 * requests of the specification and for queries.
 *
 * A query is done when its program has ended. It may use the network, and time may pass for it
 * alone; when it waits and nothing can happen any more, it hangs. That is known at once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "decode/decode.h"
#include "map/map.h"
#include "run/cluster.h"
#include "value/value.h"
#include "world/world.h"

enum { QUERY_TIMERS = 200 };

static bool is_free(const struct conform *c, uint32_t index)
{
    struct node_view view;
    if (!c->cluster->nodes[index].client || !c->cluster->nodes[index].manual) {
        return false;
    }
    world_node_view(c->run.world, index, &view);
    return view.processes == 0;
}

int client_run(struct conform *c, struct str command, uint32_t *ret_node)
{
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        if (is_free(c, i)) {
            *ret_node = i;
            struct event event = {
                .kind = EV_EXEC, .node = i, .peer = i, .command = str_dup(&c->arena, command)};
            return session_do(c, &event);
        }
    }
    return -(int)ERR_LIMIT;
}

struct str client_output(const struct conform *c, size_t command)
{
    const struct client_command *run = &c->run.commands.v[command];
    size_t end = c->run.output[run->node].text.n;
    for (size_t i = command + 1; i < c->run.commands.n; i++) {
        if (c->run.commands.v[i].node == run->node) {
            end = c->run.commands.v[i].begin;
            break;
        }
    }
    return (struct str){c->run.output[run->node].text.p + run->begin, end - run->begin};
}

/* {self} is the name of the node that is asked, {cluster} the directory of the cluster file. */
static void command_of(const struct conform *c, const struct map_observe *o,
                       const struct decode_place *node, struct strbuf *out)
{
    SCOPED_STRBUF full = {0};
    for (size_t i = 0; o->argv[i] != NULL; i++) {
        const char *word = o->argv[i];
        strbuf_adds(out, i == 0 ? "" : " ");
        while (*word != '\0') {
            if (strncmp(word, "{cluster}", 9) == 0) {
                strbuf_addstr(&full, path_dir(str_of(c->cluster->path)));
                word += 9;
            } else if (strncmp(word, "{assay}", 7) == 0) {
                strbuf_adds(&full, c->o.program);
                word += 7;
            } else if (strncmp(word, "{self}", 6) == 0) {
                strbuf_adds(&full, node->name);
                word += 6;
            } else {
                strbuf_addc(&full, *word++);
            }
        }
        command_quote(out, '\0', strbuf_str(&full), false);
        strbuf_reset(&full);
    }
}

/* Lets the client run to its end. */
static int finish(struct conform *c, const struct map_observe *o, uint32_t client)
{
    struct node_view view;
    for (unsigned i = 0;; i++) {
        int status = session_quiet(c);
        if (status != 0) {
            return status;
        }
        world_node_view(c->run.world, client, &view);
        if (view.processes == 0) {
            return 0;
        }
        struct event timer = {.kind = EV_TIMER, .node = client, .peer = client};
        if (i == QUERY_TIMERS || !world_enabled(c->run.world, &timer)) {
            return mapping_error(c, o->at_begin, o->at_end,
                                 "the query hangs: %s waits for what never comes", o->argv[0]);
        }
        status = session_do(c, &timer);
        if (status != 0) {
            return status;
        }
    }
}

int query_value(struct conform *c, size_t observe, const struct decode_place *node, struct val *ret)
{
    const struct map_observe *o = &c->map->observes[observe];
    SCOPED_STRBUF command = {0};
    SCOPED_STRBUF why = {0};
    uint32_t client = 0;
    struct strbuf *events = c->events;
    command_of(c, o, node, &command);
    c->events = NULL;
    tell_how(c, "a client runs %s", strbuf_cstr(&command));
    int status = client_run(c, strbuf_str(&command), &client);
    if (status == -(int)ERR_LIMIT) {
        status = mapping_error(c, o->at_begin, o->at_end,
                               "no client is free for a query: add manual clients to the cluster "
                               "file");
    }
    status = status != 0 ? status : finish(c, o, client);
    c->events = events;
    if (status != 0) {
        return status;
    }
    const struct output *out = &c->run.output[client];
    struct str text = {out->text.p + out->start, out->text.n - out->start};
    tell_text(c, "the answer", text);
    status = decode_value(c->see.decode, &o->decode, observe, text, ret, &why, c->err);
    if (status == 1) {
        size_t n = text.n < 60 ? text.n : 60;
        status = mapping_error(c, o->at_begin, o->at_end, "the answer '%.*s' does not fit: %s",
                               (int)n, text.p, strbuf_cstr(&why));
    }
    return status;
}
