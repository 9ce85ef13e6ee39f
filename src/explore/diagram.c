/* Space-time diagrams:
 *
 *     event  n1        n2        n3
 *        16  |         |         *         timer n3 (raftkv)
 *        17  |         <---------o         deliver n3>n2#3
 *        18  x         |         |         crash n1 none
 *
 * A packet that arrives is an arrow from the node that has sent it, earlier. */
#include "explore/diagram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "explore/space.h"
#include "run/cluster.h"
#include "world/world.h"

enum { COLUMN = 10, NAME_MOST = 8, NODES_MOST = 24 };

static size_t column(uint32_t node)
{
    return (size_t)node * COLUMN;
}

static void draw(char *line, const struct xevent *x)
{
    const struct event *e = &x->event;
    size_t to = column(e->node), from = column(e->peer);
    if (e->kind != EV_DELIVER || e->peer == e->node) {
        line[column(x->node[0])] = xevent_is_fault(x) ? 'x' : '*';
        return;
    }
    size_t left = to < from ? to : from, right = to < from ? from : to;
    memset(line + left, '-', right - left);
    line[from] = 'o';
    line[to] = to < from ? '<' : '>';
}

void diagram_print(const struct cluster *c, const struct space *space, struct strbuf *out)
{
    size_t nodes = c->n_nodes, width = nodes * COLUMN, boot = space_boot(space);
    char line[NODES_MOST * COLUMN + 1];
    if (nodes > NODES_MOST) {
        strbuf_printf(out, "(a diagram of %zu nodes is too wide)\n", nodes);
        return;
    }
    strbuf_adds(out, "   event  ");
    for (size_t i = 0; i < nodes; i++) {
        strbuf_printf(out, "%-*.*s", COLUMN, NAME_MOST, c->nodes[i].name);
    }
    strbuf_addc(out, '\n');
    for (size_t i = 0; i < space_depth(space); i++) {
        const struct xevent *x = &space_step(space, i)->event;
        memset(line, ' ', width);
        line[width] = '\0';
        for (uint32_t k = 0; k < nodes; k++) {
            line[column(k)] = '|';
        }
        draw(line, x);
        strbuf_printf(out, "%8zu  %s", boot + i + 1, line);
        xevent_print(c, x, out);
        strbuf_addc(out, '\n');
    }
}
