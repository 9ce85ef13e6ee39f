/* Messages in streams. A connection is a stream of bytes; what its programs mean are messages,
 * which end where a length field says or with a certain text. The network cuts streams there, so
 * that one event delivers one message, whatever the writes were. A length that cannot be ends all
 * cutting on that channel: its bytes are not what they were said to be. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "world/world.h"
#include "world/world_int.h"

#define LONGEST (UINT64_C(1) << 30)

const struct world_message *message_rule(const struct world *w, const struct addr *to)
{
    for (size_t i = 0; i < w->net.n_messages; i++) {
        const struct world_message *rule = &w->net.messages[i];
        if (rule->port == 0 || rule->port == to->port) {
            return rule->end == MESSAGE_WRITE ? NULL : rule;
        }
    }
    return NULL;
}

static void next_message(struct framer *f)
{
    *f = (struct framer){0};
}

/* One byte of the length field, or before it. */
static void scan_head(const struct world_message *rule, struct framer *f, uint8_t byte)
{
    uint64_t head = (uint64_t)rule->offset + rule->width;
    if (f->at >= rule->offset) {
        unsigned shift = (unsigned)(f->at - rule->offset) * 8;
        f->value = rule->little ? f->value | (uint64_t)byte << shift : f->value << 8 | byte;
    }
    f->at++;
    if (f->at == head) {
        int64_t total =
            (int64_t)(f->value & INT64_MAX) + rule->extra + (rule->counts_all ? 0 : (int64_t)head);
        f->broken = f->value > LONGEST || total < (int64_t)head || (uint64_t)total > LONGEST;
        f->total = (uint64_t)total;
    }
}

static size_t scan_length(const struct world_message *rule, struct framer *f, const uint8_t *p,
                          size_t n, bool *ret_ended)
{
    size_t done = 0;
    while (done < n && f->total == 0 && !f->broken) {
        scan_head(rule, f, p[done++]);
    }
    if (f->total == 0 || f->broken) {
        return done;
    }
    uint64_t left = f->total - f->at;
    size_t take = left < n - done ? (size_t)left : n - done;
    f->at += take;
    if (f->at == f->total) {
        *ret_ended = true;
        next_message(f);
    }
    return done + take;
}

static size_t scan_text(const struct world_message *rule, struct framer *f, const uint8_t *p,
                        size_t n, bool *ret_ended)
{
    const size_t most = sizeof f->recent;
    for (size_t i = 0; i < n; i++) {
        memmove(f->recent, f->recent + 1, most - 1);
        f->recent[most - 1] = p[i];
        f->at++;
        if (f->at >= rule->text_n &&
            memcmp(f->recent + most - rule->text_n, rule->text, rule->text_n) == 0) {
            *ret_ended = true;
            next_message(f);
            return i + 1;
        }
    }
    return n;
}

size_t message_scan(const struct world_message *rule, struct framer *f, const uint8_t *p, size_t n,
                    bool *ret_ended)
{
    return rule->end == MESSAGE_LENGTH ? scan_length(rule, f, p, n, ret_ended)
                                       : scan_text(rule, f, p, n, ret_ended);
}
