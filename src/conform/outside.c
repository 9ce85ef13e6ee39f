/* What has left the programs, whether or not the mapping looks at it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "conform/conform.h"
#include "conform/conform_int.h"
#include "run/cluster.h"
#include "world/world.h"

void conform_outside(struct conform *c, uint64_t ret[OUTSIDE_KINDS])
{
    struct flight flight = {0};
    for (size_t i = 0; i < OUTSIDE_KINDS; i++) {
        ret[i] = 0;
    }
    if (c->run.world == NULL) {
        return;
    }
    flight_list(c, &flight);
    for (size_t i = 0; i < flight.v.n; i++) {
        const struct packet_view *p = &flight.v.v[i];
        uint64_t ends = (uint64_t)p->from << 32 | p->to;
        ret[OUTSIDE_MESSAGES] = hash_bytes(p->bytes, p->n, ret[OUTSIDE_MESSAGES] ^ ends);
    }
    VEC_DONE(&flight.v);
    for (uint32_t i = 0; i < c->cluster->n_nodes; i++) {
        const struct output *o = &c->run.output[i];
        if (o->text.n > o->step) {
            ret[OUTSIDE_PRINTED] =
                hash_bytes(o->text.p + o->step, o->text.n - o->step, ret[OUTSIDE_PRINTED] ^ i);
        }
        if (is_server(c, i)) {
            ret[OUTSIDE_FILES] = hash_combine(ret[OUTSIDE_FILES], world_disk_hash(c->run.world, i));
        }
    }
}
