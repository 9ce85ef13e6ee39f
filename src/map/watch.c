/* The table [watch]: what `assay watch` needs to know beside the rest of a mapping (docs/WATCH.md).
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/toml.h"
#include "map/map.h"
#include "map/map_int.h"
#include "run/cluster.h"

const char *const map_names_msg[] = {"msg", NULL};

static void read_names(struct reading *r, const char *key, struct map_names *ret)
{
    const struct toml_value *v = map_want(r, key, TOML_ARRAY);
    ret->given = v != NULL;
    ret->v = ARENA_ARRAY(r->arena, struct map_name, (v != NULL ? v->n : 0) + 1);
    for (size_t i = 0; v != NULL && i < v->n; i++) {
        const struct toml_value *item = &v->items[i];
        if (item->kind != TOML_STRING) {
            map_fail(r, item->begin, item->end, "a name in quotes is expected here");
            continue;
        }
        ret->v[ret->n++] = (struct map_name){item->text, item->begin, item->end};
    }
}

static void read_kind(struct reading *r, struct map_watch *w)
{
    static const struct {
        const char *name;
        enum map_net_kind kind;
    } kinds[] = {
        {"queue", NET_QUEUE},
        {"bag",   NET_BAG  },
        {"set",   NET_SET  }
    };
    const struct toml_value *v = map_want(r, "kind", TOML_STRING);
    for (size_t i = 0; v != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (str_is(v->text, kinds[i].name)) {
            w->kind = kinds[i].kind;
            return;
        }
    }
    if (v != NULL) {
        map_fail(r, v->begin, v->end, "kind must be \"queue\", \"bag\" or \"set\"");
    }
}

static void read_constants(struct reading *r, struct map_watch *w)
{
    const struct toml_value *v = map_want(r, "constants", TOML_TABLE);
    if (v == NULL) {
        return;
    }
    w->constants = ARENA_ARRAY(r->arena, struct map_constant, v->table->n + 1);
    for (size_t i = 0; i < v->table->n; i++) {
        const struct toml_pair *pair = &v->table->pairs[i];
        if (pair->value.kind != TOML_STRING) {
            map_fail(r, pair->value.begin, pair->value.end,
                     "the value of a constant, as a configuration has it, in quotes");
            continue;
        }
        w->constants[w->n_constants++] = (struct map_constant){
            {pair->key, pair->begin, pair->end},
            pair->value.text,
        };
    }
}

/* { "P ~> Q" = "5s" } */
static void read_deadlines(struct reading *r, struct map_watch *w)
{
    const struct toml_value *v = map_want(r, "deadlines", TOML_TABLE);
    if (v == NULL) {
        return;
    }
    w->deadlines = ARENA_ARRAY(r->arena, struct map_deadline, v->table->n + 1);
    for (size_t i = 0; i < v->table->n; i++) {
        const struct toml_pair *pair = &v->table->pairs[i];
        struct map_deadline d = {0};
        const char *arrow = memmem(pair->key.p, pair->key.n, "~>", 2);
        size_t n = arrow != NULL ? (size_t)(arrow - pair->key.p) : 0;
        if (arrow == NULL || pair->value.kind != TOML_STRING ||
            !parse_time_ns(pair->value.text, &d.ns)) {
            map_fail(r, pair->begin, pair->value.end,
                     "a deadline is two names and a time: { \"Asked ~> Answered\" = \"5s\" }");
            continue;
        }
        struct str to = str_trim((struct str){arrow + 2, pair->key.n - n - 2});
        d.from = (struct map_name){str_trim((struct str){pair->key.p, n}), pair->begin, pair->end};
        d.to = (struct map_name){to, pair->begin, pair->end};
        w->deadlines[w->n_deadlines++] = d;
    }
}

void map_read_watch(struct reading *r)
{
    struct map_watch *w = &r->map->watch;
    const struct toml_value *v = map_want(r, "network", TOML_STRING);
    if (v != NULL) {
        w->network = (struct map_name){v->text, v->begin, v->end};
    }
    read_kind(r, w);
    read_constants(r, w);
    read_names(r, "forget", &w->forget);
    read_names(r, "persist", &w->persist);
    read_names(r, "never", &w->never);
    read_names(r, "invariants", &w->invariants);
    read_names(r, "properties", &w->properties);
    read_deadlines(r, w);
    v = map_want(r, "sends_over", TOML_STRING);
    w->calls = v != NULL && str_is(v->text, "calls");
    if (v != NULL && !w->calls && !str_is(v->text, "all")) {
        map_fail(r, v->begin, v->end, "sends_over must be \"calls\" or \"all\"");
    }
    v = map_want(r, "synced", TOML_STRING);
    if (v != NULL) {
        w->synced = map_expr_new(r, v->text, v->begin, map_names_msg);
    }
}
