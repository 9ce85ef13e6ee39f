/* The replicated state: keys, each with its value and the revision at which it was written. */
#include <stdlib.h>
#include <string.h>

#include "raftkv.h"

struct pair {
    char key[TEXT_BYTES], value[TEXT_BYTES];
    uint32_t revision;
};
static struct pair *pairs;
static size_t n_pairs;

static struct pair *find(const char key[TEXT_BYTES])
{
    for (size_t i = 0; i < n_pairs; i++) {
        if (memcmp(pairs[i].key, key, TEXT_BYTES) == 0) {
            return &pairs[i];
        }
    }
    return NULL;
}

void kv_apply(uint32_t index, const struct entry *e)
{
    if (e->op != OP_PUT) {
        return;
    }
    struct pair *pair = find(e->key);
    if (pair == NULL) {
        struct pair *more = realloc(pairs, (n_pairs + 1) * sizeof *more);
        if (more == NULL) {
            abort();
        }
        pairs = more;
        pair = &pairs[n_pairs++];
        memcpy(pair->key, e->key, TEXT_BYTES);
    }
    memcpy(pair->value, e->value, TEXT_BYTES);
    pair->revision = index;
}

uint32_t kv_get(const char key[TEXT_BYTES], char ret_value[TEXT_BYTES])
{
    const struct pair *pair = find(key);
    memset(ret_value, 0, TEXT_BYTES);
    if (pair == NULL) {
        return 0;
    }
    memcpy(ret_value, pair->value, TEXT_BYTES);
    return pair->revision;
}
