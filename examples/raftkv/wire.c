/* Messages as bytes: see raftkv.h. Whatever arrives may be garbage. */
#include <string.h>

#include "raftkv.h"

static uint8_t *put_u32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(v >> (8 * i));
    }
    return p + 4;
}

static const uint8_t *get_u32(const uint8_t *p, uint32_t *ret)
{
    *ret = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return p + 4;
}

void wire_put_entry(const struct entry *e, uint8_t bytes[WIRE_ENTRY])
{
    uint8_t *p = put_u32(put_u32(bytes, e->term), e->op);
    memcpy(p, e->key, TEXT_BYTES);
    memcpy(p + TEXT_BYTES, e->value, TEXT_BYTES);
}

void wire_get_entry(const uint8_t bytes[WIRE_ENTRY], struct entry *ret_entry)
{
    const uint8_t *p = get_u32(get_u32(bytes, &ret_entry->term), &ret_entry->op);
    memcpy(ret_entry->key, p, TEXT_BYTES);
    memcpy(ret_entry->value, p + TEXT_BYTES, TEXT_BYTES);
}

size_t wire_put(const struct message *m, uint8_t bytes[WIRE_MAX])
{
    size_t n = WIRE_HEAD + m->count * (size_t)WIRE_ENTRY;
    uint8_t *p = put_u32(bytes, (uint32_t)(n - 4));
    *p++ = (uint8_t)m->type;
    *p++ = (uint8_t)m->from;
    *p++ = (uint8_t)m->to;
    *p++ = (uint8_t)m->ok;
    p = put_u32(p, m->term);
    p = put_u32(p, m->index);
    p = put_u32(p, m->index_term);
    p = put_u32(p, m->commit);
    p = put_u32(p, m->count);
    for (uint32_t i = 0; i < m->count; i++, p += WIRE_ENTRY) {
        wire_put_entry(&m->entries[i], p);
    }
    return n;
}

int wire_get(const uint8_t *bytes, size_t n, struct message *ret)
{
    uint32_t size = 0;
    if (n < 4) {
        return 0;
    }
    (void)get_u32(bytes, &size);
    if (size < WIRE_HEAD - 4 || size > WIRE_MAX - 4) {
        return -1;
    }
    if (n < size + 4) {
        return 0;
    }
    const uint8_t *p = bytes + 4;
    unsigned type = *p++;
    ret->from = *p++;
    ret->to = *p++;
    ret->ok = *p++;
    p = get_u32(p, &ret->term);
    p = get_u32(p, &ret->index);
    p = get_u32(p, &ret->index_term);
    p = get_u32(p, &ret->commit);
    p = get_u32(p, &ret->count);
    bool fits = ret->count <= BATCH_MAX && size + 4 == WIRE_HEAD + ret->count * WIRE_ENTRY;
    if (!fits || type < MSG_ASK || type > MSG_REPLY || ret->from >= NODES_MAX) {
        return -1;
    }
    ret->type = (enum type)type;
    for (uint32_t i = 0; i < ret->count; i++, p += WIRE_ENTRY) {
        wire_get_entry(p, &ret->entries[i]);
    }
    return (int)(size + 4);
}
