/* Events as text. */
#include "run/event_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "run/cluster.h"
#include "world/world.h"

static bool parse_chance(struct str text, int64_t *ret_ppm)
{
    char copy[32];
    if (text.n == 0 || text.n >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    char *end = NULL;
    double value = strtod(copy, &end);
    *ret_ppm = (int64_t)(value * 1e6 + 0.5);
    return end != copy && *end == '\0' && value >= 0 && value <= 1;
}

static const char *const keep_names[] = {"none", "all", "random"};

int event_keep(struct str word)
{
    for (int i = CRASH_KEEP_NONE; i <= CRASH_KEEP_RANDOM; i++) {
        if (str_is(word, keep_names[i])) {
            return i;
        }
    }
    return -1;
}

void words_split(struct str text, struct words *ret)
{
    ret->n = 0;
    size_t i = 0;
    while (i < text.n && ret->n < WORDS) {
        while (i < text.n && text.p[i] == ' ') {
            i++;
        }
        size_t begin = i;
        while (i < text.n && text.p[i] != ' ') {
            i++;
        }
        if (i > begin) {
            ret->v[ret->n++] = (struct str){text.p + begin, i - begin};
        }
    }
}

enum { GROUPED_MOST = 64, EVERYWHERE = -1 };

struct parse {
    const struct cluster *cluster;
    struct words words;
    struct str text;
    struct event *out;
    size_t cap, n;
    struct err *err;
};

static int bad(struct parse *p, const char *what)
{
    return err_set(p->err, ERR_INVALID, 0, "event '%.*s': %s", STR_ARG(p->words.v[0]), what);
}

static int node_word(struct parse *p, size_t i, uint32_t *ret)
{
    int node = i < p->words.n ? cluster_node(p->cluster, p->words.v[i]) : -1;
    if (node < 0) {
        return bad(p, "the name of a node is missing or unknown");
    }
    *ret = (uint32_t)node;
    return 0;
}

static int add(struct parse *p, struct event event)
{
    if (p->n == p->cap) {
        return bad(p, "too many nodes");
    }
    p->out[p->n++] = event;
    return 0;
}

/* Cuts both ways between nodes of different groups. */
static int cut_groups(struct parse *p, const int *group)
{
    int status = 0;
    for (uint32_t a = 0; a < p->cluster->n_nodes; a++) {
        for (uint32_t b = 0; b < p->cluster->n_nodes && status == 0; b++) {
            if (group[a] != group[b] && group[a] != EVERYWHERE && group[b] != EVERYWHERE) {
                status = add(p, (struct event){.kind = EV_CUT, .node = a, .peer = b});
            }
        }
    }
    return status;
}

/* partition a b | c d: nodes that are not named join the second group. With `split`, clients are in
 * both. */
static int parse_partition(struct parse *p, bool split)
{
    int group[GROUPED_MOST] = {0};
    bool second = false;
    size_t n = p->cluster->n_nodes;
    if (n > GROUPED_MOST) {
        return bad(p, "more than 64 nodes");
    }
    for (size_t i = 0; split && i < n; i++) {
        group[i] = p->cluster->nodes[i].client ? EVERYWHERE : 0;
    }
    for (size_t i = 1; i < p->words.n; i++) {
        uint32_t node = 0;
        if (!second && str_is(p->words.v[i], "|")) {
            second = true;
            continue;
        }
        int status = node_word(p, i, &node);
        if (status == 0 && second && group[node] == 1) {
            status = bad(p, "a node is on both sides");
        }
        if (status != 0) {
            return status;
        }
        group[node] = second ? 0 : 1;
    }
    return cut_groups(p, group);
}

/* bridge a: the others are two halves, which only a (and every client) reaches. */
static int parse_bridge(struct parse *p)
{
    int group[GROUPED_MOST] = {0};
    size_t n = p->cluster->n_nodes, servers = 0, seen = 0;
    uint32_t bridge = 0;
    int status = node_word(p, 1, &bridge);
    if (status != 0 || n > GROUPED_MOST) {
        return status != 0 ? status : bad(p, "more than 64 nodes");
    }
    for (size_t i = 0; i < n; i++) {
        servers += !p->cluster->nodes[i].client && i != bridge ? 1 : 0;
    }
    for (size_t i = 0; i < n; i++) {
        bool both = p->cluster->nodes[i].client || i == bridge;
        group[i] = both ? EVERYWHERE : seen++ < servers / 2 ? 1 : 0;
    }
    return cut_groups(p, group);
}

static int parse_number_word(struct parse *p, size_t i, uint64_t *ret)
{
    char text[32];
    if (i >= p->words.n || p->words.v[i].n >= sizeof text) {
        return bad(p, "a number is missing");
    }
    memcpy(text, p->words.v[i].p, p->words.v[i].n);
    text[p->words.v[i].n] = '\0';
    char *end = NULL;
    *ret = strtoull(text, &end, 10);
    return *end != '\0' || end == text ? bad(p, "a number is missing") : 0;
}

static int parse_arg(struct parse *p, struct event *event)
{
    struct str word = p->words.n > 2 ? p->words.v[2] : STR("");
    if (event->kind == EV_CRASH) {
        event->arg = word.n == 0 ? CRASH_KEEP_RANDOM : event_keep(word);
        return event->arg >= 0 ? 0 : bad(p, "expected none, all or random");
    }
    if (event->kind == EV_DISK) {
        for (int i = 0; i < DISK_FAULTS; i++) {
            if (str_is(word, disk_fault_name((enum disk_fault)i))) {
                event->arg = i;
                return 0;
            }
        }
        return bad(p, "unknown disk fault");
    }
    if (event->kind == EV_JUMP || event->kind == EV_ADVANCE) {
        bool minus = word.n > 0 && word.p[0] == '-';
        uint64_t ns = 0;
        if (!parse_time_ns((struct str){word.p + minus, word.n - minus}, &ns)) {
            return bad(p, "a time is missing, such as -5s");
        }
        event->arg = minus ? -(int64_t)ns : (int64_t)ns;
    }
    return 0;
}

static int read_duration(struct parse *p, struct str word, struct event *event)
{
    uint64_t ns = 0;
    bool good = parse_time_ns(word, &ns);
    event->arg = (int64_t)ns;
    return good ? 0 : bad(p, "a time is missing, such as 50ms");
}

/* slow A B 50ms; lossy A B 0.1; narrow A B 100kB */
static int parse_link(struct parse *p, struct event *event)
{
    struct str word = p->words.n > 3 ? p->words.v[3] : STR("");
    if (event->kind == EV_SLOW) {
        return read_duration(p, word, event);
    }
    if (event->kind == EV_LOSSY) {
        return parse_chance(word, &event->arg) ? 0 : bad(p, "a chance is missing, such as 0.1");
    }
    return parse_bytes(word, &event->arg) ? 0 : bad(p, "bytes a second are missing, such as 100kB");
}

/* slow-disk A 20ms; memory A 64MB, full or free; kill-one A [NAME or number] */
static int parse_lasting(struct parse *p, struct event *event)
{
    struct str word = p->words.n > 2 ? p->words.v[2] : STR("");
    if (event->kind == EV_SLOW_DISK) {
        return read_duration(p, word, event);
    }
    if (event->kind == EV_MEMORY) {
        bool full = str_is(word, "full"), free = str_is(word, "free");
        event->arg = full ? MEMORY_FULL : MEMORY_FREE;
        return full || free || parse_bytes(word, &event->arg)
                   ? 0
                   : bad(p, "expected full, free, or bytes such as 64MB");
    }
    char *end = NULL;
    char copy[24] = "";
    memcpy(copy, word.p, word.n < sizeof copy ? word.n : sizeof copy - 1);
    event->arg = (int64_t)strtoull(copy, &end, 10);
    if (*end != '\0') {
        event->arg = 0;
        event->command = word;
    }
    return 0;
}

/* A number, or the name that packet_print gives it. */
static int parse_packet(struct parse *p, uint64_t *ret)
{
    struct str word = p->words.n > 1 ? p->words.v[1] : STR("");
    const char *to = memchr(word.p, '>', word.n), *nth = memrchr(word.p, '#', word.n);
    if (to == NULL || nth == NULL || nth < to) {
        return parse_number_word(p, 1, ret);
    }
    uint32_t nodes[2] = {0};
    struct str names[2] = {
        {word.p, (size_t)(to - word.p)   },
        {to + 1, (size_t)(nth - (to + 1))}
    };
    for (int i = 0; i < 2; i++) {
        uint32_t at = 0;
        while (at < p->cluster->n_nodes && !str_is(names[i], p->cluster->nodes[at].name)) {
            at++;
        }
        if (at == p->cluster->n_nodes) {
            return bad(p, "there is no such node");
        }
        nodes[i] = at;
    }
    uint64_t n = 0;
    struct str digits = {nth + 1, word.n - (size_t)(nth + 1 - word.p)};
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9') {
            return bad(p, "a number is missing behind #");
        }
        n = n * 10 + (uint64_t)(digits.p[i] - '0');
    }
    *ret = packet_id(nodes[0], nodes[1], n);
    return 0;
}

static int parse_kind(struct parse *p, enum event_kind kind)
{
    struct event event = {.kind = kind};
    int status = 0;
    switch (kind) {
    case EV_DELIVER:
    case EV_DROP:
    case EV_DUPLICATE: status = parse_packet(p, &event.id); break;
    case EV_EXEC:
        status = node_word(p, 1, &event.node);
        event.peer = event.node;
        if (status == 0 && p->words.n < 3) {
            status = bad(p, "the command is missing");
        }
        if (status == 0) {
            const char *begin = p->words.v[2].p;
            event.command = (struct str){begin, (size_t)(p->text.p + p->text.n - begin)};
            status = command_state('\0', event.command) != '\0'
                         ? bad(p, "a quote of the command is not closed")
                         : 0;
        }
        break;
    case EV_RESET:
    case EV_CUT:
        status = node_word(p, 1, &event.node);
        status = status != 0 ? status : node_word(p, 2, &event.peer);
        break;
    case EV_SLOW:
    case EV_LOSSY:
    case EV_NARROW:
        status = node_word(p, 1, &event.node);
        status = status != 0 ? status : node_word(p, 2, &event.peer);
        status = status != 0 ? status : parse_link(p, &event);
        break;
    case EV_SLOW_DISK:
    case EV_MEMORY:
    case EV_KILL_ONE:
        status = node_word(p, 1, &event.node);
        event.peer = event.node;
        status = status != 0 ? status : parse_lasting(p, &event);
        break;
    case EV_HEAL:
        if (p->words.n > 1) {
            status = node_word(p, 1, &event.node);
            status = status != 0 ? status : node_word(p, 2, &event.peer);
        }
        break;
    case EV_THREAD: {
        uint64_t nth = 0;
        status = node_word(p, 1, &event.node);
        event.peer = event.node;
        status = status != 0 ? status : parse_number_word(p, 2, &event.id);
        status = status != 0 || p->words.n == 3 ? status : parse_number_word(p, 3, &nth);
        event.arg = (int64_t)nth;
        break;
    }
    case EV_TIMER:
        status = node_word(p, 1, &event.node);
        event.peer = event.node;
        status = status != 0 || p->words.n < 3 ? status : parse_number_word(p, 2, &event.id);
        break;
    case EV_WAIT: {
        uint64_t ns = 0;
        status = parse_number_word(p, 1, &ns);
        event.arg = (int64_t)ns;
        break;
    }
    default:
        status = node_word(p, 1, &event.node);
        event.peer = event.node;
        status = status != 0 ? status : parse_arg(p, &event);
        break;
    }
    return status != 0 ? status : add(p, event);
}

int event_parse(const struct cluster *cluster, struct str text, struct event *ret, size_t cap,
                size_t *ret_n, struct err *err)
{
    struct parse p = {.cluster = cluster, .text = text, .out = ret, .cap = cap, .err = err};
    words_split(text, &p.words);
    if (p.words.n == 0) {
        return err_set(err, ERR_INVALID, 0, "an event is missing");
    }
    int status = -ERR_INVALID;
    if (str_is(p.words.v[0], "partition") || str_is(p.words.v[0], "split")) {
        status = parse_partition(&p, str_is(p.words.v[0], "split"));
    } else if (str_is(p.words.v[0], "bridge")) {
        status = parse_bridge(&p);
    } else {
        enum event_kind kind = EV_DELIVER;
        while (kind < EV_KINDS && !str_is(p.words.v[0], event_name(kind))) {
            kind++;
        }
        status = kind < EV_KINDS ? parse_kind(&p, kind) : bad(&p, "there is no such event");
    }
    *ret_n = p.n;
    return status;
}

static void packet_print(const struct cluster *cluster, uint64_t id, struct strbuf *out)
{
    uint32_t from = 0, to = 0;
    uint64_t nth = 0;
    if (packet_of_id(id, &from, &to, &nth) && from < cluster->n_nodes && to < cluster->n_nodes) {
        strbuf_printf(out, " %s>%s#%llu", cluster->nodes[from].name, cluster->nodes[to].name,
                      (unsigned long long)nth);
    } else {
        strbuf_printf(out, " %llu", (unsigned long long)id);
    }
}

void event_print(const struct cluster *cluster, const struct event *event, struct strbuf *out)
{
    strbuf_adds(out, event_name(event->kind));
    const char *node = cluster->nodes[event->node].name, *peer = cluster->nodes[event->peer].name;
    switch (event->kind) {
    case EV_DELIVER:
    case EV_DROP:
    case EV_DUPLICATE: packet_print(cluster, event->id, out); break;
    case EV_RESET:
    case EV_CUT: strbuf_printf(out, " %s %s", node, peer); break;
    case EV_EXEC: strbuf_printf(out, " %s %.*s", node, STR_ARG(event->command)); break;
    case EV_HEAL:
        if (event->node != event->peer) {
            strbuf_printf(out, " %s %s", node, peer);
        }
        break;
    case EV_SLOW: strbuf_printf(out, " %s %s %lldns", node, peer, (long long)event->arg); break;
    case EV_LOSSY: strbuf_printf(out, " %s %s %.6f", node, peer, (double)event->arg * 1e-6); break;
    case EV_NARROW: strbuf_printf(out, " %s %s %lldB", node, peer, (long long)event->arg); break;
    case EV_SLOW_DISK: strbuf_printf(out, " %s %lldns", node, (long long)event->arg); break;
    case EV_MEMORY:
        strbuf_printf(out, " %s ", node);
        if (event->arg > MEMORY_FULL) {
            strbuf_printf(out, "%lldB", (long long)event->arg);
        } else {
            strbuf_adds(out, event->arg == MEMORY_FULL ? "full" : "free");
        }
        break;
    case EV_KILL_ONE:
        strbuf_printf(out, " %s ", node);
        if (event->command.n != 0) {
            strbuf_addstr(out, event->command);
        } else {
            strbuf_printf(out, "%lld", (long long)event->arg);
        }
        break;
    case EV_CRASH: strbuf_printf(out, " %s %s", node, keep_names[event->arg]); break;
    case EV_DISK:
        strbuf_printf(out, " %s %s", node, disk_fault_name((enum disk_fault)event->arg));
        break;
    case EV_ADVANCE:
    case EV_JUMP: strbuf_printf(out, " %s %lldns", node, (long long)event->arg); break;
    case EV_THREAD:
        strbuf_printf(out, " %s %llu %lld", node, (unsigned long long)event->id,
                      (long long)event->arg);
        break;
    case EV_WAIT: strbuf_printf(out, " %lld", (long long)event->arg); break;
    case EV_TIMER:
        strbuf_printf(out, " %s", node);
        if (event->id != 0) {
            strbuf_printf(out, " %llu", (unsigned long long)event->id);
        }
        break;
    default: strbuf_printf(out, " %s", node); break;
    }
}

void bytes_print(const uint8_t *bytes, size_t n, size_t most, struct strbuf *out)
{
    if (n == 0) {
        return;
    }
    strbuf_addc(out, '"');
    for (size_t i = 0; i < n && i < most; i++) {
        uint8_t c = bytes[i];
        if (c == '\n' || c == '\r' || c == '\t') {
            strbuf_addc(out, '\\');
            strbuf_addc(out, c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        } else if (c == '"' || c == '\\') {
            strbuf_addc(out, '\\');
            strbuf_addc(out, (char)c);
        } else if (c >= ' ' && c < 127) {
            strbuf_addc(out, (char)c);
        } else {
            strbuf_printf(out, "\\x%02x", c);
        }
    }
    strbuf_adds(out, n > most ? "\"..." : "\"");
}
