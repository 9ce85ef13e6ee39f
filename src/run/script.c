/* Faults that are several events. Each of them is an event like others: recorded, replayed, and
 * left out when a failure does not need it. */
#include "run/script.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "world/world.h"

enum { STROBES_MOST = 500 };

void script_done(struct script *script)
{
    VEC_DONE(&script->events);
}

static void put(struct script *out, uint64_t at_ns, struct event event)
{
    VEC_PUSH(&out->events, (struct timed_event){at_ns, event});
}

void script_strobe(struct script *out, uint32_t node, uint64_t at_ns, int64_t by_ns,
                   uint64_t every_ns, uint64_t for_ns)
{
    uint64_t step = every_ns != 0 ? every_ns : 1;
    uint64_t n = for_ns / step / 2;
    n = n == 0 ? 1 : n > STROBES_MOST ? STROBES_MOST : n;
    struct event event = {.kind = EV_JUMP, .node = node, .peer = node};
    for (uint64_t i = 0; i < n; i++) { /* it ends where it was */
        event.arg = by_ns;
        put(out, at_ns + 2 * i * step, event);
        event.arg = -by_ns;
        put(out, at_ns + (2 * i + 1) * step, event);
    }
}

void script_rolling(struct script *out, const struct cluster *cluster, uint64_t at_ns,
                    uint32_t first, uint64_t down_ns, uint64_t pause_ns)
{
    size_t n = cluster->n_nodes;
    for (size_t i = 0; i < n; i++) {
        uint32_t node = (uint32_t)((first + i) % n);
        if (cluster->nodes[node].client || cluster->nodes[node].manual) {
            continue;
        }
        put(out, at_ns, (struct event){.kind = EV_KILL, .node = node, .peer = node});
        at_ns += down_ns;
        put(out, at_ns, (struct event){.kind = EV_RESTART, .node = node, .peer = node});
        at_ns += pause_ns;
    }
}

bool script_parse(struct script *out, const struct cluster *cluster, struct str text,
                  uint64_t at_ns, int *ret_status, struct err *err)
{
    struct words words;
    uint64_t ns[3] = {0};
    words_split(text, &words);
    bool strobe = words.n > 0 && str_is(words.v[0], "strobe");
    bool rolling = words.n > 0 && str_is(words.v[0], "rolling-restart");
    if (!strobe && !rolling) {
        return false;
    }
    size_t first = strobe ? 2 : 1, times = strobe ? 3 : 2;
    bool good = words.n == first + times;
    for (size_t i = 0; good && i < times; i++) {
        good = parse_time_ns(words.v[first + i], &ns[i]);
    }
    int node = strobe && words.n > 1 ? cluster_node(cluster, words.v[1]) : 0;
    *ret_status = 0;
    if (!good || node < 0) {
        *ret_status = err_set(err, ERR_INVALID, 0, "event '%.*s': it is like %s", STR_ARG(text),
                              strobe ? "strobe n1 200ms 20ms 2s: by how much, how often, how long"
                                     : "rolling-restart 1s 2s: how long each is down, and a pause");
    } else if (strobe) {
        script_strobe(out, (uint32_t)node, at_ns, (int64_t)ns[0], ns[1], ns[2]);
    } else {
        script_rolling(out, cluster, at_ns, 0, ns[0], ns[1]);
    }
    return true;
}
