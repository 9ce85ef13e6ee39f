/* The network between the nodes that the specification knows: messages on their way, what a step of
 * the specification did to its network variable, and the faults of the network modules.
 *
 * Over connections, the messages from one node to another are those of all connections between them
 * in the order in which they were sent. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "decode/decode.h"
#include "eval/eval.h"
#include "map/map.h"
#include "model/model.h"
#include "run/cluster.h"
#include "value/value.h"
#include "world/world.h"

/* ---- messages ---- */

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const struct packet_view *)a)->id, y = ((const struct packet_view *)b)->id;
    return (x > y) - (x < y);
}

void flight_list(struct conform *c, struct flight *ret)
{
    size_t n = world_packets(c->run.world, NULL, 0), cap = 0;
    struct packet_view *all = vec_grow(NULL, &cap, n + 1, sizeof *all);
    n = world_packets(c->run.world, all, n);
    for (size_t i = 0; i < n; i++) {
        struct packet_view p = all[i];
        if (packet_is_message(&p) && node_by_index(c, p.from) != NULL &&
            node_by_index(c, p.to) != NULL && !packet_is_quiet(c, &p)) {
            VEC_PUSH(&ret->v, p);
        }
    }
    vec_release(all);
    if (ret->v.n > 1) {
        qsort(ret->v.v, ret->v.n, sizeof ret->v.v[0], by_id);
    }
}

/* The packet that goes on where v[i] ends; n when there is none. */
static size_t next_part(const struct flight *flight, size_t i)
{
    const struct packet_view *p = &flight->v.v[i];
    for (size_t k = i + 1; k < flight->v.n; k++) {
        if (flight->v.v[k].conn == p->conn && flight->v.v[k].from == p->from) {
            return k;
        }
    }
    return flight->v.n;
}

/* Whether v[i] only goes on with a message that began before. */
static bool is_rest(const struct flight *flight, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (flight->v.v[k].part && next_part(flight, k) == i) {
            return true;
        }
    }
    return false;
}

int message_value(struct conform *c, const struct flight *flight, size_t i, struct val *ret,
                  size_t *ret_n)
{
    SCOPED_STRBUF bytes = {0};
    SCOPED_STRBUF why = {0};
    const struct packet_view *p = &flight->v.v[i];
    *ret_n = 0;
    for (size_t k = i; k < flight->v.n; k = next_part(flight, k)) {
        strbuf_add(&bytes, (const char *)flight->v.v[k].bytes, flight->v.v[k].n);
        ++*ret_n;
        if (!flight->v.v[k].part) {
            break;
        }
    }
    struct decode_message about = {.src_port = p->src_port,
                                   .dst_port = p->dst_port,
                                   .src = node_by_index(c, p->from)->value,
                                   .dst = node_by_index(c, p->to)->value};
    size_t table = 0;
    int status = decode_bytes(c->see.decode, &about, strbuf_str(&bytes), ret, &table, &why, c->err);
    if (status == 1) {
        SCOPED_STRBUF hex = {0};
        for (size_t k = 0; k < bytes.n && k < 48; k++) {
            strbuf_printf(&hex, "%02x", (unsigned char)bytes.p[k]);
        }
        found(c, FINDING_UNEXPECTED, STR("message"),
              "a message of %zu bytes from %s to %s fits no [[message]]: %s%s%s%s", bytes.n,
              c->cluster->nodes[p->from].name, c->cluster->nodes[p->to].name, strbuf_cstr(&hex),
              bytes.n > 48 ? "..." : "", why.n != 0 ? "; " : "", strbuf_cstr(&why));
    }
    return status;
}

/* ---- delivering ---- */

static int deliver_parts(struct conform *c, enum event_kind kind, const struct flight *flight,
                         size_t i)
{
    int status = 0;
    for (;;) {
        const struct packet_view *p = &flight->v.v[i];
        struct event event = {.kind = kind, .node = p->to, .peer = p->from, .id = p->id};
        if (kind == EV_DUPLICATE && p->part) {
            return mapping_error(c, 0, 1,
                                 "the message from %s to %s is in parts: it cannot be duplicated",
                                 c->cluster->nodes[p->from].name, c->cluster->nodes[p->to].name);
        }
        if (!world_enabled(c->run.world, &event)) {
            found(c, FINDING_MISSING, str_of(c->cluster->nodes[p->to].name),
                  "the message from %s to %s cannot %s now", c->cluster->nodes[p->from].name,
                  c->cluster->nodes[p->to].name, kind == EV_DELIVER ? "arrive" : event_name(kind));
            return 1;
        }
        bool part = p->part;
        size_t next = next_part(flight, i);
        status = session_do(c, &event);
        if (status != 0 || !part || next == flight->v.n) {
            return status;
        }
        i = next;
    }
}

/* Whether v[i] is what is asked for. */
static int fits(struct conform *c, const struct flight *flight, size_t i, const struct delivery *d,
                bool *ret)
{
    const struct packet_view *p = &flight->v.v[i];
    struct val offered[MAP_PARAMS_MAX + 1], holds = VAL_TRUE;
    size_t parts = 0;
    int status = 0;
    *ret = false;
    if (p->from != d->from->index || p->to != d->to->index || is_rest(flight, i)) {
        return 0;
    }
    if (d->where != NULL) {
        if (d->n_args != 0) {
            memcpy(offered, d->args, d->n_args * sizeof offered[0]);
        }
        status = message_value(c, flight, i, &offered[d->n_args], &parts);
        if (status == 0 && map_apply(c->spec.before, d->where, offered, &holds) != MODEL_OK) {
            status = evaluation_error(c, c->spec.before, d->where->begin,
                                      d->where->begin + d->where->text.n);
        }
    }
    *ret = val_same(holds, VAL_TRUE);
    return status;
}

int event_deliver(struct conform *c, const struct delivery *d)
{
    struct flight flight = {0};
    int status = 0;
    bool good = false;
    size_t i = 0;
    flight_list(c, &flight);
    for (; status == 0 && i < flight.v.n; i++) {
        status = fits(c, &flight, i, d, &good);
        if (good) {
            break;
        }
    }
    if (status == 0 && good) {
        status = deliver_parts(c, d->kind, &flight, i);
    } else if (status == 0) {
        found(c, FINDING_MISSING, str_of(d->to->name), "there is no %smessage from %s to %s",
              d->where != NULL ? "such " : "", d->from->name, d->to->name);
        status = 1;
    }
    VEC_DONE(&flight.v);
    return status;
}

struct same_run {
    struct val a, b;
    bool differ;
};

static void run_same(struct vctx *ctx, void *arg)
{
    struct same_run *run = arg;
    SCOPED_STRBUF unused = {0};
    run->differ = value_diff(ctx, run->a, run->b, &unused, 0) != 0;
}

int deliver_value(struct conform *c, enum event_kind kind, struct val message, bool *ret_found)
{
    struct flight flight = {0};
    int status = 0;
    *ret_found = false;
    flight_list(c, &flight);
    for (size_t i = 0; status == 0 && !*ret_found && i < flight.v.n; i++) {
        struct same_run run = {.a = message, .differ = true};
        size_t parts = 0;
        if (is_rest(&flight, i)) {
            continue;
        }
        status = message_value(c, &flight, i, &run.b, &parts);
        status = status != 0 ? status : run_values(c, run_same, &run);
        if (status == 0 && !run.differ) {
            *ret_found = true;
            status = deliver_parts(c, kind, &flight, i);
        }
    }
    VEC_DONE(&flight.v);
    return status;
}

/* ---- faults ---- */

static int reset_pair(struct conform *c, uint32_t a, uint32_t b)
{
    return session_do(c, &(struct event){.kind = EV_RESET, .node = a, .peer = b});
}

/* Datagrams on their way to a node are lost with it. */
static int drop_datagrams(struct conform *c, uint32_t to)
{
    size_t n = world_packets(c->run.world, NULL, 0), cap = 0;
    struct packet_view *all = vec_grow(NULL, &cap, n + 1, sizeof *all);
    int status = 0;
    n = world_packets(c->run.world, all, n);
    for (size_t i = 0; status == 0 && i < n; i++) {
        if (all[i].kind == PK_UDP && all[i].to == to) {
            struct event drop = {.kind = EV_DROP, .node = to, .peer = all[i].from, .id = all[i].id};
            status = session_do(c, &drop);
        }
    }
    vec_release(all);
    return status;
}

int event_crash(struct conform *c, uint32_t node, int64_t keep)
{
    struct event event = {.kind = EV_CRASH, .node = node, .peer = node, .arg = keep};
    if (!world_enabled(c->run.world, &event)) {
        found(c, FINDING_MISSING, str_of(c->cluster->nodes[node].name), "node %s is down already",
              c->cluster->nodes[node].name);
        return 1;
    }
    int status = session_do(c, &event);
    for (uint32_t i = 0; status == 0 && i < c->cluster->n_nodes; i++) {
        status = i != node ? reset_pair(c, node, i) : 0;
    }
    return status != 0 ? status : drop_datagrams(c, node);
}

static int cut_pair(struct conform *c, uint32_t a, uint32_t b, bool cut)
{
    enum event_kind kind = cut ? EV_CUT : EV_HEAL;
    int status = session_do(c, &(struct event){.kind = kind, .node = a, .peer = b});
    return status != 0 ? status
                       : session_do(c, &(struct event){.kind = kind, .node = b, .peer = a});
}

/* For every pair of servers on different sides: first nothing passes, then connections break. */
static int across(struct conform *c, const bool *side, bool breaking)
{
    int status = 0;
    for (uint32_t a = 0; status == 0 && a < c->cluster->n_nodes; a++) {
        for (uint32_t b = 0; status == 0 && b < a; b++) {
            if (is_server(c, a) && is_server(c, b) && side[a] != side[b]) {
                status = breaking ? reset_pair(c, b, a) : cut_pair(c, b, a, true);
            }
        }
    }
    return status;
}

int event_partition(struct conform *c, const bool *side)
{
    int status = across(c, side, false);
    return status != 0 ? status : across(c, side, true);
}

/* ---- the network variable ---- */

static bool field(struct vctx *ctx, struct val record, const char *name, struct val *ret)
{
    uint32_t id = strtab_intern(ctx->strings, str_of(name));
    return record_get(ctx, record, id, ret);
}

struct finding_net {
    struct conform *c;
    int var;
};

static void run_find(struct vctx *ctx, void *arg)
{
    struct finding_net *f = arg;
    struct mvalues values;
    if (f->c->spec.model->ops->values(f->c->spec.after, false, &values) != MODEL_OK) {
        return;
    }
    for (uint32_t i = 0; i < values.n; i++) {
        struct val v = values.vals[i], unused;
        if (val_is_kind(v, VK_RECORD) && val_obj(v)->n == 3 && field(ctx, v, "queue", &unused) &&
            field(ctx, v, "cut", &unused) && field(ctx, v, "down", &unused)) {
            f->var = (int)i;
        }
    }
}

static bool is_auxiliary(const struct map *map, const char *name)
{
    for (size_t i = 0; i < map->n_auxiliary; i++) {
        if (str_is(map->auxiliary[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Whether a table compares the variable itself. */
static bool has_table(const struct map *map, const char *name)
{
    for (size_t i = 0; i < map->n_observes; i++) {
        const struct map_observe *o = &map->observes[i];
        if (o->compare && o->spec == NULL && str_is(o->name, name)) {
            return true;
        }
    }
    return false;
}

/* Whether a table compares something that is made from the variable. */
static bool is_read(struct conform *c, const char *name)
{
    const struct map *map = c->map;
    size_t n = c->spec.model->nvar + 1;
    bool *now = ARENA_ARRAY(&c->arena, bool, n), *next = ARENA_ARRAY(&c->arena, bool, n);
    for (size_t i = 0; i < map->n_observes; i++) {
        const struct map_observe *o = &map->observes[i];
        if (!o->compare || o->spec == NULL) {
            continue;
        }
        model_operator_reads(c->spec.model, o->spec->op, now, next);
        for (uint32_t k = 0; k < c->spec.model->nvar; k++) {
            if (now[k] && strcmp(c->spec.model->vars[k], name) == 0) {
                return true;
            }
        }
    }
    return false;
}

int network_find(struct conform *c)
{
    const struct map *map = c->map;
    struct mvalues values;
    if (c->spec.model->ops->values(c->spec.after, false, &values) != MODEL_OK) {
        return evaluation_error(c, c->spec.after, 0, 0);
    }
    c->net.var = -1;
    c->net.udp = map->network_udp;
    if (map->network.name.n != 0) {
        for (uint32_t i = 0; i < values.n; i++) {
            c->net.var = str_is(map->network.name, values.names[i]) ? (int)i : c->net.var;
        }
    } else {
        struct finding_net f = {c, -1};
        int status = run_values(c, run_find, &f);
        if (status != 0) {
            return status;
        }
        c->net.var = f.var;
    }
    /* A table that shows a part of it does not replace the comparison of the whole. */
    c->net.observe = c->net.var >= 0 && !is_auxiliary(map, values.names[c->net.var]) &&
                     !has_table(map, values.names[c->net.var]);
    if (c->net.observe && map->n_messages == 0) {
        return mapping_error(
            c, 0, 1,
            "variable %s is the network: describe messages in [[message]], or list "
            "it in auxiliary",
            values.names[c->net.var]);
    }
    for (uint32_t i = 0; i < values.n; i++) {
        const char *name = values.names[i];
        if ((int)i != c->net.var && !is_auxiliary(map, name) && !has_table(map, name) &&
            !is_read(c, name)) {
            return mapping_error(
                c, 0, 1, "variable %s is not observed: add [observe.%s], or list it in auxiliary",
                name, name);
        }
    }
    for (size_t i = 0; i < map->n_observes; i++) {
        if (map->observes[i].compare) {
            return 0;
        }
    }
    return c->net.observe
               ? 0
               : mapping_error(c, 0, 1, "nothing is compared: add [observe.NAME] for a variable");
}

/* ---- what a step did to it ---- */

enum { CHANGES_MOST = 64 };
struct changes {
    struct conform *c;
    bool up[CHANGES_MOST], down[CHANGES_MOST]; /* by place in c->who.nodes */
    bool cut[CHANGES_MOST][CHANGES_MOST], heal[CHANGES_MOST][CHANGES_MOST];
    int from, to; /* a message was taken, from the last channel of so many */
    bool twice;   /* the message is there twice, none was taken */
    unsigned channels;
    struct val packet;  /* the one whose number has changed: */
    uint64_t taken;     /* there are so many packets fewer, of all kinds, */
    bool may_duplicate; /* the name of the action says so */
    uint64_t added;     /* and, when there are none, so many copies more of those that were there */
    bool any;
};

static struct val pair_of(struct vctx *ctx, const struct conform *c, size_t i, size_t j, bool set)
{
    struct val both[2] = {c->who.nodes[i].value, c->who.nodes[j].value};
    return set ? set_make(ctx, both, 2) : tuple_make(ctx, both, 2);
}

/* Whether b begins with a from its k-th element on. */
static bool begins(struct vctx *ctx, const struct vobj *a, uint32_t k, const struct vobj *b)
{
    if (b->n + k < a->n) {
        return false;
    }
    for (uint32_t i = k; i < a->n; i++) {
        if (!val_equal(ctx, a->v[i], b->v[i - k])) {
            return false;
        }
    }
    return true;
}

/* Whether t is s with its first element once more. */
static bool is_twice(struct vctx *ctx, const struct vobj *s, const struct vobj *t)
{
    return t->n == s->n + 1 && begins(ctx, t, 1, s) && val_equal(ctx, s->v[0], t->v[0]);
}

static void tcp_taken(struct vctx *ctx, struct changes *x, struct val q0, struct val q1)
{
    struct conform *c = x->c;
    for (size_t i = 0; i < c->who.n_nodes; i++) {
        for (size_t j = 0; j < c->who.n_nodes; j++) {
            struct val key = pair_of(ctx, c, i, j, false), a, b;
            if (i == j || !fcn_try(ctx, q0, key, &a) || !fcn_try(ctx, q1, key, &b)) {
                continue;
            }
            const struct vobj *s = seq_of(ctx, a), *t = seq_of(ctx, b);
            bool both = s != NULL && t != NULL && s->n != 0;
            bool twice = both && x->may_duplicate && is_twice(ctx, s, t);
            if (twice || (both && !begins(ctx, s, 0, t) && begins(ctx, s, 1, t))) {
                x->from = (int)i;
                x->to = (int)j;
                x->twice = twice;
                x->channels++;
                x->any = true;
            }
        }
    }
}

static void tcp_changes(struct vctx *ctx, struct changes *x, struct val old, struct val new)
{
    struct conform *c = x->c;
    struct val q[2], cut[2], down[2];
    if (!field(ctx, old, "queue", &q[0]) || !field(ctx, new, "queue", &q[1]) ||
        !field(ctx, old, "cut", &cut[0]) || !field(ctx, new, "cut", &cut[1]) ||
        !field(ctx, old, "down", &down[0]) || !field(ctx, new, "down", &down[1])) {
        return;
    }
    for (size_t i = 0; i < c->who.n_nodes; i++) {
        bool was = set_member(ctx, c->who.nodes[i].value, down[0]);
        bool is = set_member(ctx, c->who.nodes[i].value, down[1]);
        x->down[i] = is && !was;
        x->up[i] = was && !is;
        x->any = x->any || was != is;
        for (size_t j = 0; j < i; j++) {
            struct val wire = pair_of(ctx, c, i, j, true);
            was = set_member(ctx, wire, cut[0]);
            is = set_member(ctx, wire, cut[1]);
            x->cut[i][j] = is && !was;
            x->heal[i][j] = was && !is;
            x->any = x->any || was != is;
        }
    }
    if (!x->any) {
        tcp_taken(ctx, x, q[0], q[1]);
    }
}

static int64_t copies(struct vctx *ctx, struct val bag, struct val packet)
{
    struct val n;
    int64_t i = 0;
    return fcn_try(ctx, bag, packet, &n) && int_to_i64(n, &i) ? i : 0;
}

/* What became fewer; or, when nothing did, the copies of packets that were there before. */
static void udp_changes(struct vctx *ctx, struct changes *x, struct val old, struct val new)
{
    const struct val bags[2] = {fcn_force(ctx, old), fcn_force(ctx, new)};
    size_t n = fcn_size(ctx, bags[0]);
    struct val more = VAL_UNDEF;
    for (size_t i = 0; i < n; i++) {
        struct val packet = fcn_key(ctx, bags[0], i);
        int64_t change = copies(ctx, bags[1], packet) - copies(ctx, bags[0], packet);
        if (change < 0) {
            x->packet = packet;
            x->taken += (uint64_t)-change;
        } else if (change > 0) {
            more = packet;
            x->added += (uint64_t)change;
        }
    }
    x->packet = x->taken == 0 ? more : x->packet;
    x->any = x->taken != 0 || x->added != 0;
}

static void run_changes(struct vctx *ctx, void *arg)
{
    struct changes *x = arg;
    struct conform *c = x->c;
    struct mvalues old, new;
    if (c->spec.model->ops->values(c->spec.before, false, &old) != MODEL_OK ||
        c->spec.model->ops->values(c->spec.after, false, &new) != MODEL_OK) {
        return;
    }
    struct val a = old.vals[c->net.var], b = new.vals[c->net.var];
    if (c->net.udp) {
        udp_changes(ctx, x, a, b);
    } else {
        tcp_changes(ctx, x, a, b);
    }
}

/* What happened to the wires: first what passes, then what breaks. */
static int do_wires(struct conform *c, const struct changes *x, bool breaking)
{
    int status = 0;
    for (size_t i = 0; i < c->who.n_nodes; i++) {
        for (size_t j = 0; status == 0 && j < i; j++) {
            uint32_t a = c->who.nodes[j].index, b = c->who.nodes[i].index;
            if (breaking && x->cut[i][j]) {
                status = reset_pair(c, a, b);
            } else if (!breaking && (x->cut[i][j] || x->heal[i][j])) {
                status = cut_pair(c, a, b, x->cut[i][j]);
            }
        }
    }
    return status;
}

/* A step whose meaning cannot be seen from what it did to the network. */
static int not_clear(struct conform *c, const struct spec_step *step, const char *what)
{
    const struct map_action *action = step_action(c, step);
    return mapping_error(c, action != NULL ? action->begin : 0, action != NULL ? action->end : 1,
                         "[actions] does not say what %s means, and %s",
                         strbuf_cstr((struct strbuf *)&step->label), what);
}

static const char *const lost_words[] = {"drop",  "drops", "dropped", "lose",
                                         "loses", "loss",  "lost",    NULL};
static const char *const twice_words[] = {"duplicate", "duplicates", "duplicated", "dup", NULL};

/* Whether one of the words of a name ("LosePacket", "packet_lost") is one of these. */
static bool name_says(const char *name, const char *const *words)
{
    while (*name != '\0') {
        size_t n = 1;
        while (islower((unsigned char)name[n]) ||
               (isupper((unsigned char)name[n - 1]) && isupper((unsigned char)name[n]) &&
                !islower((unsigned char)name[n + 1]))) {
            n++;
        }
        for (size_t i = 0; words[i] != NULL; i++) {
            if (strlen(words[i]) == n && strncasecmp(words[i], name, n) == 0) {
                return true;
            }
        }
        name += n;
    }
    return false;
}

static int do_tcp(struct conform *c, const struct changes *x, const struct spec_step *step)
{
    if (x->channels > 1) {
        return not_clear(c, step, "it takes messages from several queues");
    }
    int status = do_wires(c, x, false);
    status = status != 0 ? status : do_wires(c, x, true);
    for (size_t i = 0; status == 0 && i < c->who.n_nodes; i++) {
        uint32_t node = c->who.nodes[i].index;
        if (x->down[i]) {
            status = event_crash(c, node, CRASH_KEEP_NONE);
        } else if (x->up[i]) {
            status = session_do(c, &(struct event){.kind = EV_RESTART, .node = node, .peer = node});
        }
    }
    if (status == 0 && x->from >= 0) {
        bool lost = name_says(c->spec.model->actions[step->action].name, lost_words);
        enum event_kind kind = x->twice ? EV_DUPLICATE : lost ? EV_DROP : EV_DELIVER;
        status = event_deliver(c, &(struct delivery){.kind = kind,
                                                     .from = &c->who.nodes[x->from],
                                                     .to = &c->who.nodes[x->to]});
    }
    return status;
}

static int do_udp(struct conform *c, const struct changes *x, const struct spec_step *step)
{
    if (x->taken > 1 || (x->taken == 0 && x->added > 1)) {
        return not_clear(c, step, "it changes the number of several packets");
    }
    bool lost = name_says(c->spec.model->actions[step->action].name, lost_words);
    enum event_kind kind = x->taken == 0 ? EV_DUPLICATE : lost ? EV_DROP : EV_DELIVER;
    bool done = false;
    int status = deliver_value(c, kind, x->packet, &done);
    if (status == 0 && !done) {
        found(c, FINDING_MISSING, STR("message"), "there is no such message on its way");
        status = 1;
    }
    return status;
}

int network_infer(struct conform *c, const struct spec_step *step)
{
    if (c->net.var < 0 || c->who.n_nodes > CHANGES_MOST) {
        return not_clear(c, step, "there is no network variable");
    }
    size_t cap = 0;
    struct changes *x = vec_grow(NULL, &cap, 1, sizeof *x);
    memset(x, 0, sizeof *x);
    x->c = c;
    x->from = x->to = -1;
    x->packet = VAL_UNDEF;
    x->may_duplicate = name_says(c->spec.model->actions[step->action].name, twice_words);
    int status = run_values(c, run_changes, x);
    if (status == 0 && !x->any) {
        status = not_clear(c, step, "it changes nothing in the network, or only sends");
    } else if (status == 0) {
        status = c->net.udp ? do_udp(c, x, step) : do_tcp(c, x, step);
    }
    vec_release(x);
    return status;
}

/* ---- what the engine knows, as a value ---- */

struct picture {
    struct conform *c;
    enum map_engine what;
    struct val ret;
    const struct flight *flight;
    struct val *messages; /* [flight->v.n]; VAL_UNDEF: the rest of one */
};

static struct val channel(struct vctx *ctx, const struct picture *p, size_t i, size_t j)
{
    const struct flight *flight = p->flight;
    struct val *list = arena_alloc(ctx->arena, (flight->v.n + 1) * sizeof *list);
    size_t n = 0;
    for (size_t k = 0; k < flight->v.n; k++) {
        if (flight->v.v[k].from == p->c->who.nodes[i].index &&
            flight->v.v[k].to == p->c->who.nodes[j].index && !val_is_undef(p->messages[k])) {
            list[n++] = p->messages[k];
        }
    }
    return tuple_make(ctx, list, n);
}

static struct val channels(struct vctx *ctx, const struct picture *p)
{
    size_t n = p->c->who.n_nodes, m = 0;
    struct val *keys = arena_alloc(ctx->arena, (n * n + 1) * sizeof *keys);
    struct val *vals = arena_alloc(ctx->arena, (n * n + 1) * sizeof *vals);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (i != j) {
                keys[m] = pair_of(ctx, p->c, i, j, false);
                vals[m++] = channel(ctx, p, i, j);
            }
        }
    }
    return fcn_make(ctx, keys, vals, m);
}

static struct val packet_bag(struct vctx *ctx, const struct picture *p)
{
    size_t n = p->flight->v.n, m = 0;
    struct val *keys = arena_alloc(ctx->arena, (n + 1) * sizeof *keys);
    int64_t *counts = arena_alloc(ctx->arena, (n + 1) * sizeof *counts);
    struct val *vals = arena_alloc(ctx->arena, (n + 1) * sizeof *vals);
    for (size_t k = 0; k < n; k++) {
        size_t at = 0;
        if (val_is_undef(p->messages[k])) {
            continue;
        }
        while (at < m && !val_equal(ctx, keys[at], p->messages[k])) {
            at++;
        }
        if (at == m) {
            keys[m] = p->messages[k];
            counts[m++] = 0;
        }
        counts[at]++;
    }
    for (size_t i = 0; i < m; i++) {
        vals[i] = val_int(ctx, counts[i]);
    }
    return fcn_make(ctx, keys, vals, m);
}

static struct val node_set(struct vctx *ctx, const struct conform *c, bool up)
{
    struct val list[CHANGES_MOST];
    size_t n = 0;
    for (size_t i = 0; i < c->who.n_nodes && n < CHANGES_MOST; i++) {
        if (node_is_up(c, c->who.nodes[i].index) == up) {
            list[n++] = c->who.nodes[i].value;
        }
    }
    return set_make(ctx, list, n);
}

static struct val cut_set(struct vctx *ctx, const struct conform *c)
{
    size_t n = c->who.n_nodes, m = 0;
    struct val *list = arena_alloc(ctx->arena, (n * n + 1) * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            uint32_t a = c->who.nodes[i].index, b = c->who.nodes[j].index;
            if (world_is_cut(c->run.world, a, b) || world_is_cut(c->run.world, b, a)) {
                list[m++] = pair_of(ctx, c, i, j, true);
            }
        }
    }
    return set_make(ctx, list, m);
}

/* <<i, j>>: i has called j, and the connection stands. */
static struct val connection_set(struct vctx *ctx, const struct conform *c)
{
    size_t n = world_connections(c->run.world, NULL, 0), m = 0;
    struct connection_view *views = arena_alloc(ctx->arena, (n + 1) * sizeof *views);
    struct val *list = arena_alloc(ctx->arena, (n + 1) * sizeof *list);
    n = world_connections(c->run.world, views, n);
    for (size_t i = 0; i < n; i++) {
        const struct decode_place *from = node_by_index(c, views[i].from);
        const struct decode_place *to = node_by_index(c, views[i].to);
        if (from != NULL && to != NULL) {
            struct val both[2] = {from->value, to->value};
            list[m++] = tuple_make(ctx, both, 2);
        }
    }
    return set_make(ctx, list, m);
}

static void run_picture(struct vctx *ctx, void *arg)
{
    struct picture *p = arg;
    struct val names[3], vals[3];
    static const char *const fields[] = {"queue", "cut", "down"};
    switch (p->what) {
    case ENGINE_MESSAGES: p->ret = channels(ctx, p); break;
    case ENGINE_PACKETS: p->ret = packet_bag(ctx, p); break;
    case ENGINE_UP: p->ret = node_set(ctx, p->c, true); break;
    case ENGINE_DOWN: p->ret = node_set(ctx, p->c, false); break;
    case ENGINE_CUT: p->ret = cut_set(ctx, p->c); break;
    case ENGINE_CONNECTIONS: p->ret = connection_set(ctx, p->c); break;
    case ENGINE_TCP:
        for (int i = 0; i < 3; i++) {
            names[i] = val_str(ctx, str_of(fields[i]));
        }
        vals[0] = channels(ctx, p);
        vals[1] = cut_set(ctx, p->c);
        vals[2] = node_set(ctx, p->c, false);
        p->ret = record_make(ctx, names, vals, 3);
        break;
    }
}

static int decode_flight(struct conform *c, struct flight *flight, struct val *messages)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < flight->v.n; i++) {
        size_t parts = 0;
        messages[i] = VAL_UNDEF;
        if (!is_rest(flight, i)) {
            status = message_value(c, flight, i, &messages[i], &parts);
        }
    }
    return status;
}

int network_value(struct conform *c, enum map_engine what, struct val *ret)
{
    struct flight flight = {0};
    struct picture p = {.c = c, .what = what, .flight = &flight};
    int status = 0;
    size_t cap = 0;
    if (what == ENGINE_MESSAGES || what == ENGINE_PACKETS || what == ENGINE_TCP) {
        flight_list(c, &flight);
        p.messages = vec_grow(NULL, &cap, flight.v.n + 1, sizeof *p.messages);
        status = decode_flight(c, &flight, p.messages);
    }
    status = status != 0 ? status : run_values(c, run_picture, &p);
    *ret = p.ret;
    vec_release(p.messages);
    VEC_DONE(&flight.v);
    return status;
}
