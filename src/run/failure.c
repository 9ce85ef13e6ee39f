/* Failures as data: see failure.h. */
#include "run/failure.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"
#include "run/cluster.h"
#include "run/event_text.h"

const char *failure_kind_name(enum failure_kind kind)
{
    static const char *const names[] = {
#define X(name, text) text,
        FAILURE_KINDS(X)
#undef X
    };
    return names[kind];
}

bool failure_same(const struct failure *a, const struct failure *b)
{
    return a->kind == b->kind && a->node == b->node && a->number == b->number &&
           a->text_class == b->text_class;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) != 0 || c == '_' || (unsigned char)c >= 0x80;
}

uint64_t failure_text_class(struct str message)
{
    uint64_t hash = 0;
    for (size_t at = 0; at < message.n;) {
        size_t end = at;
        bool digit = false;
        for (; end < message.n && in_word(message.p[end]); end++) {
            digit = digit || isdigit((unsigned char)message.p[end]) != 0;
        }
        if (end > at && !digit) {
            hash = hash_combine(hash, hash_bytes(message.p + at, end - at, 1));
        }
        at = end > at ? end : at + 1;
    }
    return hash;
}

void failure_print(const struct cluster *cluster, const struct failure *failure, struct strbuf *out)
{
    const char *who = failure->node >= 0 && (size_t)failure->node < cluster->n_nodes
                          ? cluster->nodes[failure->node].name
                          : "-";
    strbuf_printf(out, "%s %s %u %016llx", failure_kind_name(failure->kind), who, failure->number,
                  (unsigned long long)failure->text_class);
}

static uint64_t number_of(struct str text, int base)
{
    char copy[32];
    size_t n = text.n < sizeof copy ? text.n : sizeof copy - 1;
    memcpy(copy, text.p, n);
    copy[n] = '\0';
    return strtoull(copy, NULL, base);
}

bool failure_parse(const struct cluster *cluster, struct str text, struct failure *ret)
{
    enum { KIND, WHO, NUMBER, CLASS, PARTS };
    struct words words;
    words_split(text, &words);
    if (words.n != PARTS) {
        return false;
    }
    struct failure f = {.kind = FAILURE_KIND_COUNT, .node = FAILURE_NOBODY};
    for (int i = 0; i < FAILURE_KIND_COUNT; i++) {
        if (str_is(words.v[KIND], failure_kind_name((enum failure_kind)i))) {
            f.kind = (enum failure_kind)i;
        }
    }
    bool nobody = str_is(words.v[WHO], "-");
    f.node = nobody ? FAILURE_NOBODY : cluster_node(cluster, words.v[WHO]);
    f.number = (uint32_t)number_of(words.v[NUMBER], 10);
    f.text_class = number_of(words.v[CLASS], 16);
    if (f.kind == FAILURE_KIND_COUNT || (!nobody && f.node < 0)) {
        return false;
    }
    *ret = f;
    return true;
}
