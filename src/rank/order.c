/* The order of points, and names that are nearly right. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "rank/rank.h"

static const struct {
    const char *name;
    bool descending;
} keys[] = {
#define X(name, text, descending) {text, descending},
    RANK_KEYS(X)
#undef X
};

static int parse_key(struct str item, struct rank_order *order, struct err *err)
{
    const char *colon = memchr(item.p, ':', item.n);
    struct str name = {item.p, colon ? (size_t)(colon - item.p) : item.n};
    struct str way = colon ? (struct str){colon + 1, item.n - name.n - 1} : STR("");
    size_t key = 0;
    while (key < RANK_NKEY && !str_is(name, keys[key].name)) {
        key++;
    }
    if (key == RANK_NKEY) {
        return err_set(err, ERR_INVALID, 0,
                       "there is no key '%.*s' to sort by; there are coverage, diversity, depth, "
                       "events, states, mean-depth, violations and steps",
                       STR_ARG(name));
    }
    if (colon && !str_is(way, "asc") && !str_is(way, "desc")) {
        return err_set(err, ERR_INVALID, 0, "'%.*s': after the colon comes asc or desc",
                       STR_ARG(item));
    }
    for (size_t i = 0; i < order->n; i++) {
        if ((size_t)order->keys[i].key == key) {
            return err_set(err, ERR_INVALID, 0, "the key %s is given twice", keys[key].name);
        }
    }
    order->keys[order->n].key = (enum rank_key)key;
    order->keys[order->n++].descending = colon ? str_is(way, "desc") : keys[key].descending;
    return 0;
}

int rank_order_parse(struct str text, struct rank_order *ret, struct err *err)
{
    struct rank_order order = {0};
    int status = 0;
    do {
        const char *comma = memchr(text.p, ',', text.n);
        size_t n = comma ? (size_t)(comma - text.p) : text.n;
        status = parse_key((struct str){text.p, n}, &order, err);
        text.p += n + (comma != NULL);
        text.n -= n + (comma != NULL);
        if (comma && text.n == 0) {
            status = err_set(err, ERR_INVALID, 0, "a key is missing after the comma");
        }
    } while (status == 0 && text.n);
    if (status == 0) {
        *ret = order;
    }
    return status;
}

/* Means are compared as fractions: a.sum / a.walks against b.sum / b.walks. */
static int cmp_mean(const struct rank_data *a, const struct rank_data *b)
{
    unsigned __int128 x = (unsigned __int128)a->depth_sum * (b->walks ? b->walks : 1);
    unsigned __int128 y = (unsigned __int128)b->depth_sum * (a->walks ? a->walks : 1);
    return (x > y) - (x < y);
}

static uint64_t value_of(const struct rank_data *data, enum rank_key key)
{
    switch (key) {
    case RANK_COVERAGE: return data->branches;
    case RANK_DIVERSITY: return data->actions;
    case RANK_DEPTH: return data->depth;
    case RANK_EVENTS: return data->events;
    case RANK_STATES: return data->states;
    case RANK_VIOLATIONS: return data->violations;
    case RANK_STEPS: return data->steps;
    default: return 0;
    }
}

static int cmp_data(const struct rank_order *order, const struct rank_data *a,
                    const struct rank_data *b)
{
    for (size_t i = 0; i < order->n; i++) {
        uint64_t x = value_of(a, order->keys[i].key);
        uint64_t y = value_of(b, order->keys[i].key);
        int c = order->keys[i].key == RANK_MEAN ? cmp_mean(a, b) : (x > y) - (x < y);
        if (c != 0) {
            return order->keys[i].descending ? -c : c;
        }
    }
    return 0;
}

/* Insertion from behind: stable, and the number of points is small beside what the walks cost. */
void rank_sort(const struct rank_order *order, const struct rank_data *data, size_t n,
               size_t *ret_indices)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        while (at > 0 && cmp_data(order, &data[ret_indices[at - 1]], &data[i]) > 0) {
            ret_indices[at] = ret_indices[at - 1];
            at--;
        }
        ret_indices[at] = i;
    }
}
