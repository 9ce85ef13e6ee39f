/* What a monitor knows: its verdict, its nodes, what was counted. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "eval/eval.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "monitor/monitor_int.h"
#include "value/value.h"

bool monitor_violated(const struct monitor *m, struct strbuf *out)
{
    if (m->violated != 0) {
        (void)mjudge_name(m, m->violated, out);
    }
    return m->violated != 0;
}

enum monitor_verdict monitor_verdict(const struct monitor *m)
{
    return m->verdict;
}

uint64_t monitor_stopped_at(const struct monitor *m, uint64_t *ret_place)
{
    *ret_place = m->best < msearch_end(m) ? m->events.v[m->best - m->first].place : 0;
    return m->best;
}

size_t monitor_nodes(const struct monitor *m)
{
    return m->n_nodes;
}

const char *monitor_node_name(const struct monitor *m, size_t node)
{
    return m->nodes[node].name;
}

struct val monitor_node_value(const struct monitor *m, size_t node)
{
    return m->nodes[node].value;
}

struct val monitor_node_list(const struct monitor *m)
{
    return m->node_list;
}

size_t monitor_node(const struct monitor *m, struct str name)
{
    for (size_t i = 0; i < m->n_nodes; i++) {
        if (str_is(name, m->nodes[i].name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

struct mworker *monitor_worker(struct monitor *m)
{
    return m->worker;
}

void monitor_ready(struct monitor *m)
{
    for (uint32_t i = 0; i < m->o.model->nvar; i++) {
        m->cur[i] = m->vars[i].initial;
    }
    model_at(m->worker, m->cur, 1);
}

size_t monitor_self(const struct monitor *m)
{
    return m->self;
}

uint32_t monitor_action(const struct monitor *m, struct str name)
{
    for (uint32_t i = 0; i < m->o.model->naction; i++) {
        if (str_is(name, m->o.model->actions[i].name)) {
            return i;
        }
    }
    return UINT32_MAX;
}

void monitor_counts(const struct monitor *m, struct monitor_counts *ret)
{
    *ret = m->counts;
    ret->bytes = m->pool.used + m->pool.cap * sizeof *m->pool.table;
}
