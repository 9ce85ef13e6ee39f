/* The mapping file. Whatever is written can be read as it is: what is not known is left auxiliary,
 * or does nothing, and is marked. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "sem/sem.h"
#include "sketch/sketch.h"
#include "sketch/sketch_int.h"

struct writing {
    const struct sketch_ask *ask;
    struct samples samples;
    struct look look;
    const struct sset *nodes;
    struct strbuf *out;
    struct sketch_sums *sums;
    struct spots *spots;    /* [n_vars] */
    struct strbuf messages; /* how they are read; empty: not known */
};

/* ---- nodes ---- */

static size_t servers(const struct cluster *cluster)
{
    size_t n = 0;
    for (size_t i = 0; i < cluster->n_nodes; i++) {
        n += cluster->nodes[i].client ? 0 : 1;
    }
    return n;
}

static bool is_per_node(const struct svar *var, const struct sset *nodes)
{
    return var->net == NET_NONE && var->type.value != NULL && find_is_nodes(var->type.key, nodes);
}

/* The constant whose elements are the nodes: by their names, then by what is a function of it. */
static const struct sset *find_nodes(const struct writing *w)
{
    const struct sset *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < w->samples.n_sets; i++) {
        const struct sset *set = &w->samples.sets[i];
        size_t score = set->n == servers(w->ask->cluster) ? 1 : 0;
        for (size_t k = 0; k < set->n; k++) {
            int index = cluster_node(w->ask->cluster, set->elems[k]);
            score += index >= 0 && !w->ask->cluster->nodes[index].client ? 100 : 0;
        }
        for (size_t k = 0; k < w->samples.n_vars; k++) {
            score += is_per_node(&w->samples.vars[k], set) ? 10 : 0;
        }
        if (score > most) {
            most = score;
            best = set;
        }
    }
    return best;
}

static void write_names(struct writing *w)
{
    const struct cluster *cluster = w->ask->cluster;
    bool differ = false;
    size_t k = 0;
    for (size_t i = 0; i < w->nodes->n; i++) {
        differ = differ || cluster_node(cluster, w->nodes->elems[i]) < 0;
    }
    if (!differ) {
        return;
    }
    strbuf_adds(w->out, "names = { ");
    for (size_t i = 0; i < cluster->n_nodes && k < w->nodes->n; i++) {
        if (!cluster->nodes[i].client) {
            strbuf_printf(w->out, "%s%s = \"%.*s\"", k == 0 ? "" : ", ", cluster->nodes[i].name,
                          STR_ARG(w->nodes->elems[k]));
            k++;
        }
    }
    strbuf_adds(w->out, " }   # FILL IN: is that who is who?\n");
    if (k < w->nodes->n) {
        strbuf_printf(w->out, "# FILL IN: %.*s has %zu elements, the cluster %zu servers\n",
                      STR_ARG(w->nodes->name), w->nodes->n, k);
    }
}

static void write_nodes(struct writing *w)
{
    if (w->nodes != NULL) {
        struct str name = w->nodes->name; /* P, or {C} \cup P */
        const char *quote = memchr(name.p, '\\', name.n) != NULL ? "'" : "\"";
        strbuf_printf(w->out, "nodes = %s%.*s%s\n", quote, STR_ARG(name), quote);
        write_names(w);
        return;
    }
    strbuf_adds(w->out, "# FILL IN: the set of the specification whose elements are the nodes\n"
                        "nodes = \"{}\"\n");
}

/* ---- the top ---- */

static bool is_seen(const struct writing *w, size_t i)
{
    return w->spots[i].n != 0 || (w->samples.vars[i].net != NET_NONE && w->messages.n != 0);
}

static void write_list(struct writing *w, bool observed)
{
    size_t n = 0;
    for (size_t i = 0; i < w->samples.n_vars; i++) {
        const struct svar *var = &w->samples.vars[i];
        if (is_seen(w, i) == observed) {
            strbuf_printf(w->out, "%s\"%.*s\"", n++ == 0 ? "" : ", ", STR_ARG(var->name));
        }
    }
}

static void write_top(struct writing *w)
{
    strbuf_printf(w->out,
                  "# A mapping to begin with, written by `assay init`. What is marked FILL IN is "
                  "for you; docs/MAPPING.md explains the rest.\n"
                  "#     assay conform THIS --walks 10       compares; --explain VAR shows where a "
                  "value comes from\n"
                  "spec = \"%s\"\n",
                  w->ask->spec_path);
    if (w->ask->config_path != NULL) {
        strbuf_printf(w->out, "config = \"%s\"\n", w->ask->config_path);
    }
    strbuf_printf(w->out, "cluster = \"%s\"\n", w->ask->cluster_path);
    write_nodes(w);
    if (w->sums->variables_open != 0) {
        strbuf_adds(w->out, "# FILL IN: these are compared with nothing yet; take off what has a "
                            "table below. Counters of the model may stay.\n");
    }
    strbuf_adds(w->out, "auxiliary = [");
    write_list(w, false);
    strbuf_adds(w->out, "]\n");
}

/* ---- actions ---- */

static bool is_among(const struct str *names, size_t n, struct str name)
{
    for (size_t i = 0; i < n; i++) {
        if (str_eq(names[i], name)) {
            return true;
        }
    }
    return false;
}

/* It names its steps only where [actions] names it. */
static bool is_label(const struct writing *w, struct str name)
{
    return is_among(w->ask->labels.names, w->ask->labels.n, name);
}

static void write_action(struct writing *w, const struct saction *a)
{
    struct proposal p;
    SCOPED_STRBUF name = {0};
    action_propose(&w->samples, w->ask->cluster, a, w->nodes, &p);
    strbuf_addstr(&name, a->name);
    for (uint32_t i = 0; i < a->n_params; i++) {
        strbuf_printf(&name, "%s%s", i == 0 ? "(" : ", ", a->params[i]);
    }
    strbuf_adds(&name, a->n_params != 0 ? ")" : "");
    if (is_among(w->ask->labels.around, w->ask->labels.n_around, a->name)) {
        strbuf_printf(w->out, "# %s has no entry: it would hide the actions inside it\n",
                      strbuf_cstr(&name));
        strbuf_done(&p.text);
        return;
    }
    w->sums->actions++;
    if (p.automatic && is_label(w, a->name)) {
        strbuf_printf(w->out, "\"%s\" = { weight = 1 }   # what it does to the network\n",
                      strbuf_cstr(&name));
    } else if (p.automatic) {
        strbuf_printf(w->out, "# %s is what it does to the network\n", strbuf_cstr(&name));
    } else {
        w->sums->actions_open += p.sure ? 0 : 1;
        if (!p.sure) {
            strbuf_printf(w->out, "# FILL IN: %s\n", p.why);
        }
        if (p.text.n != 0) {
            strbuf_printf(w->out, "\"%s\" = %s\n", strbuf_cstr(&name), strbuf_cstr(&p.text));
        } else {
            strbuf_printf(w->out, "\"%s\" = []\n", strbuf_cstr(&name));
        }
    }
    for (uint32_t i = 0; i < a->n_params; i++) {
        strbuf_printf(w->out, "%s%s \\in ", i == 0 ? "#     " : ", ", a->params[i]);
        stype_print(&a->args[i], w->samples.sets, w->samples.n_sets, w->out);
    }
    strbuf_adds(w->out, a->n_params != 0 ? "\n" : "");
    strbuf_done(&p.text);
}

static void write_actions(struct writing *w)
{
    strbuf_adds(w->out, "\n[actions]\n");
    if (w->ask->labels_refused) {
        strbuf_adds(w->out, "# Actions inside conjunctions are not listed: a step could be two of "
                            "them. Name those that matter.\n");
    }
    for (size_t i = 0; i < w->samples.n_actions; i++) {
        write_action(w, &w->samples.actions[i]);
    }
}

/* ---- the network ---- */

static void write_packets(struct writing *w)
{
    for (size_t i = 0; i < w->look.packets.n; i++) {
        const struct spacket *p = &w->look.packets.v[i];
        strbuf_printf(w->out, "# %s -> %s: ", w->look.cluster->nodes[p->from].name,
                      w->look.cluster->nodes[p->to].name);
        for (size_t k = 0; k < p->bytes.n; k++) {
            strbuf_printf(w->out, "%02x%s", (unsigned)(unsigned char)p->bytes.p[k],
                          k % 4 == 3 ? " " : "");
        }
        strbuf_adds(w->out, "  ");
        for (size_t k = 0; k < p->bytes.n; k++) {
            char c = p->bytes.p[k];
            strbuf_addc(w->out, c >= ' ' && c < 127 ? c : '.');
        }
        strbuf_adds(w->out, "\n");
    }
}

static const struct stype *message_type(const struct svar *var)
{
    const struct sfield *queue = stype_field(&var->type, "queue");
    if (var->net == NET_UDP) {
        return var->type.key;
    }
    return queue != NULL && queue->type->value != NULL ? queue->type->value->seq : NULL;
}

static void write_network(struct writing *w)
{
    const struct svar *net = NULL;
    for (size_t i = 0; i < w->samples.n_vars; i++) {
        net = w->samples.vars[i].net != NET_NONE ? &w->samples.vars[i] : net;
    }
    if (net == NULL) {
        return;
    }
    strbuf_adds(w->out, "\n[network]\n");
    strbuf_printf(w->out, "variable = \"%.*s\"\n", STR_ARG(net->name));
    strbuf_adds(w->out, net->net == NET_UDP ? "kind = \"udp\"\n" : "");
    if (w->messages.n != 0) {
        strbuf_adds(w->out, "\n# FILL IN: is that how messages are read? In the specification they "
                            "are\n#     ");
    } else {
        strbuf_printf(w->out,
                      "\n# FILL IN: how the bytes of a message become a value; then take %.*s off "
                      "auxiliary. In the specification messages are\n#     ",
                      STR_ARG(net->name));
    }
    const struct stype *type = message_type(net);
    if (type != NULL) {
        stype_print(type, w->samples.sets, w->samples.n_sets, w->out);
    } else {
        strbuf_adds(w->out, "(none was ever on its way in random walks)");
    }
    strbuf_adds(w->out, w->look.packets.n != 0 ? "\n# and on the wire:\n" : "\n");
    write_packets(w);
    const char *comment = w->messages.n != 0 ? "" : "# ";
    strbuf_printf(w->out, "%s[[message]]\n%s%sas = '[", comment,
                  w->messages.n != 0 ? strbuf_cstr(&w->messages)
                                     : "# fields = \"type:u8 ...\"        or match = '...', json = "
                                       "true, decoder = [...]\n",
                  comment);
    for (const struct sfield *f = type != NULL ? type->fields : NULL; f != NULL; f = f->next) {
        bool src = str_is(f->name, "from"), dst = str_is(f->name, "to");
        strbuf_printf(w->out, "%s%.*s |-> %s%.*s", f == type->fields ? "" : ", ", STR_ARG(f->name),
                      src   ? "src"
                      : dst ? "dst"
                            : "value.",
                      src || dst ? 0 : (int)f->name.n, f->name.p);
    }
    strbuf_adds(w->out, "]'\n");
}

/* ---- observations ---- */

/* In a comment: one line, of printable characters, not too long. */
static void write_seen(struct writing *w, struct str seen)
{
    size_t n = seen.n < 100 ? seen.n : 100;
    strbuf_adds(w->out, "#     seen: ");
    for (size_t i = 0; i < n; i++) {
        char c = seen.p[i];
        strbuf_addc(w->out, c >= ' ' && c < 127 ? c : ' ');
    }
    strbuf_adds(w->out, seen.n > n ? " ...\n" : "\n");
}

static void write_place(struct writing *w, const struct spot *place, bool comment)
{
    struct str rest = strbuf_str(&place->text);
    while (rest.n != 0) {
        const char *end = memchr(rest.p, '\n', rest.n);
        size_t n = end != NULL ? (size_t)(end - rest.p) + 1 : rest.n;
        strbuf_adds(w->out, comment ? "# " : "");
        strbuf_add(w->out, rest.p, n);
        rest.p += n;
        rest.n -= n;
    }
    if (place->seen.n != 0) {
        write_seen(w, place->seen);
    }
}

/* A function over some of the nodes is looked at there only. */
static void write_some(struct writing *w, const struct stype *key)
{
    size_t n = 0;
    for (size_t i = 0; i < key->n_names; i++) {
        int index = cluster_node(w->ask->cluster, key->names[i]);
        if (index >= 0) {
            strbuf_printf(w->out, "%s\"%s\"", n++ == 0 ? "nodes = [" : ", ",
                          w->ask->cluster->nodes[index].name);
        }
    }
    strbuf_adds(w->out, n != 0 ? "]\n" : "");
}

static void write_variable(struct writing *w, size_t i)
{
    const struct svar *var = &w->samples.vars[i];
    const struct spots *spots = &w->spots[i];
    bool per_node = is_per_node(var, w->nodes);
    if (var->net != NET_NONE) {
        return;
    }
    strbuf_printf(w->out, "\n# %.*s: ", STR_ARG(var->name));
    stype_print(&var->type, w->samples.sets, w->samples.n_sets, w->out);
    strbuf_printf(w->out, "; at first %.*s%s\n", (int)(var->first.n < 80 ? var->first.n : 80),
                  var->first.p, var->first.n > 80 ? "..." : "");
    if (spots->n == 0) {
        strbuf_printf(w->out,
                      "# FILL IN: nothing like it was seen. [observe.%.*s] needs one of "
                      "memory, log, file, query, http, engine or as.\n",
                      STR_ARG(var->name));
        strbuf_printf(w->out, "# [observe.%.*s]\n# memory = \"...\"\n", STR_ARG(var->name));
        if (!per_node && find_is_nodes(var->type.set, w->nodes)) { /* each knows of itself */
            strbuf_printf(w->out, "# as = \"value = 1\"\n# spec = 'self \\in %.*s'\n",
                          STR_ARG(var->name));
        } else if (!per_node) {
            strbuf_printf(w->out, "# spec = \"%.*s\"\n# nodes = [\"...\"]\n", STR_ARG(var->name));
        }
        return;
    }
    strbuf_printf(w->out, "[observe.%.*s]\n", STR_ARG(var->name));
    write_place(w, &spots->v[0], false);
    if (!per_node) {
        strbuf_printf(w->out, "spec = \"%.*s\"\n", STR_ARG(var->name));
    } else if (var->type.key->n_names < w->nodes->n) {
        write_some(w, var->type.key);
    }
    for (size_t k = 1; k < spots->n; k++) {
        strbuf_adds(w->out, "# or\n");
        write_place(w, &spots->v[k], true);
    }
}

static void look_for(struct writing *w)
{
    w->spots = ARENA_ARRAY(w->samples.arena, struct spots, w->samples.n_vars + 1);
    for (size_t i = 0; i < w->samples.n_vars; i++) {
        const struct svar *var = &w->samples.vars[i];
        bool per_node = is_per_node(var, w->nodes);
        struct subject subject = {var, per_node ? var->type.value : &var->type, w->nodes, per_node};
        w->sums->variables++;
        if (var->net == NET_NONE && w->nodes != NULL) {
            find_spots(&w->samples, &w->look, &subject, &w->spots[i]);
        }
        if (var->net != NET_NONE) {
            message_form(&w->look, message_type(var), &w->messages);
        }
        w->sums->variables_open += is_seen(w, i) ? 0 : 1;
    }
}

/* In the order of their declarations. */
static void sort_variables(struct writing *w)
{
    const struct module *root = w->ask->program->root;
    for (size_t i = 0; i < root->nvar && i < w->samples.n_vars; i++) {
        size_t k = i;
        while (k < w->samples.n_vars && !str_eq(w->samples.vars[k].name, root->vars[i]->name)) {
            k++;
        }
        if (k < w->samples.n_vars) {
            struct svar var = w->samples.vars[i];
            w->samples.vars[i] = w->samples.vars[k];
            w->samples.vars[k] = var;
        }
    }
}

static void write_all(struct writing *w)
{
    sort_variables(w);
    w->nodes = find_nodes(w);
    look_for(w);
    write_top(w);
    write_actions(w);
    write_network(w);
    for (size_t i = 0; i < w->samples.n_vars; i++) {
        write_variable(w, i);
    }
    for (size_t i = 0; i < w->look.notes.n; i++) {
        strbuf_printf(w->out, "\n# Not looked at: %.*s\n", STR_ARG(w->look.notes.v[i]));
    }
    if (w->sums->run.n != 0) {
        strbuf_adds(w->out, "\n# The run of the cluster ended early: ");
        for (const char *p = strbuf_cstr(&w->sums->run); *p != '\0'; p++) {
            strbuf_addc(w->out, *p == '\n' ? ' ' : *p);
        }
        strbuf_adds(w->out, "\n");
    }
}

int sketch_write(const struct sketch_ask *ask, struct strbuf *out, struct sketch_sums *sums,
                 struct err *err)
{
    struct arena arena;
    struct writing w = {.ask = ask, .out = out, .sums = sums};
    *sums = (struct sketch_sums){0};
    arena_init(&arena, 0);
    w.samples.arena = &arena;
    w.look.arena = &arena;
    int status = sketch_take(ask, &w.samples, err);
    status = status != 0 ? status : look_run(ask, &w.look, &sums->run, err);
    if (status == 0) {
        write_all(&w);
        for (size_t i = 0; i < w.samples.n_vars; i++) {
            spots_done(&w.spots[i]);
        }
    }
    strbuf_done(&w.messages);
    look_done(&w.look);
    arena_done(&arena);
    return status;
}
