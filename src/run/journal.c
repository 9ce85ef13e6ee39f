/* Event logs. Virtual time is the clock of all of them; in pcap it counts from 2026-01-01. */
#include "run/journal.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "world/world.h"

enum { SHOWN_BYTES = 48, HEX_BYTES = 1024 };

struct journal {
    const struct cluster *cluster;
    FILE *text, *jsonl, *shiviz, *pcap;
    struct capture_writer *capture;
    uint64_t now_ns;
    uint32_t *clocks;   /* [n][n]: vector clock of each node */
    struct u64map sent; /* packet -> where its clock is in stamps */
    struct u64map left; /* packet -> when it was sent; for JSON lines */
    struct strbuf seen; /* what was observed last; for JSON lines */
    VEC(uint32_t) stamps;
    struct u64map sequence; /* connection * 2 + direction -> bytes sent */
};

static int open_file(const char *dir, const char *name, bool want, FILE **ret, struct err *err)
{
    if (!want) {
        return 0;
    }
    SCOPED_STRBUF path = {0};
    strbuf_printf(&path, "%s/%s", dir, name);
    *ret = fopen(strbuf_cstr(&path), "we");
    return *ret == NULL ? err_set(err, ERR_IO, errno, "%s", strbuf_cstr(&path)) : 0;
}

static int open_capture(struct journal *j, const char *dir, struct err *err)
{
    SCOPED_STRBUF path = {0};
    struct capture_node nodes[CAPTURE_NODES_MAX];
    size_t n = j->cluster->n_nodes;
    if (n > CAPTURE_NODES_MAX) {
        return err_set(err, ERR_UNSUPPORTED, 0, "a capture file has %d nodes at most",
                       CAPTURE_NODES_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        nodes[i] = (struct capture_node){j->cluster->nodes[i].name, j->cluster->nodes[i].ip};
    }
    strbuf_printf(&path, "%s/capture", dir);
    return capture_create(strbuf_cstr(&path), nodes, n, &j->capture, err);
}

static void put32(FILE *out, uint32_t v)
{
    (void)fwrite(&v, 4, 1, out);
}

int journal_new(const struct journal_options *options, struct journal **ret, struct err *err)
{
    size_t cap = 0, clock_cap = 0, n = options->cluster->n_nodes;
    struct journal *j = vec_grow(NULL, &cap, 1, sizeof *j);
    memset(j, 0, sizeof *j);
    j->cluster = options->cluster;
    j->clocks = vec_grow(NULL, &clock_cap, n * n + 1, sizeof(uint32_t));
    memset(j->clocks, 0, (n * n + 1) * sizeof(uint32_t));
    int status = open_file(options->dir, "events.txt", true, &j->text, err);
    status = status != 0 ? status
                         : open_file(options->dir, "events.jsonl", options->jsonl, &j->jsonl, err);
    status = status != 0
                 ? status
                 : open_file(options->dir, "events.shiviz", options->shiviz, &j->shiviz, err);
    status = status != 0 ? status
                         : open_file(options->dir, "packets.pcap", options->pcap, &j->pcap, err);
    status = status != 0 || !options->capture ? status : open_capture(j, options->dir, err);
    if (status != 0) {
        struct err ignored;
        (void)!journal_close(j, &ignored);
        return status;
    }
    if (j->pcap != NULL) {
        const uint32_t head[] = {0xa1b23c4d, 4U << 16 | 2, 0, 0, 262144, 101}; /* raw IP, ns */
        for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
            put32(j->pcap, head[i]);
        }
    }
    if (j->shiviz != NULL) {
        (void)fputs("(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n\n", j->shiviz);
    }
    *ret = j;
    return 0;
}

int journal_close(struct journal *j, struct err *err)
{
    if (j == NULL) {
        return 0;
    }
    struct {
        FILE *file;
        const char *name;
    } const rows[] = {
        {j->text,   "events.txt"   },
        {j->jsonl,  "events.jsonl" },
        {j->shiviz, "events.shiviz"},
        {j->pcap,   "packets.pcap" },
    };
    int status = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].file == NULL) {
            continue;
        }
        errno = 0;
        bool bad = ferror(rows[i].file) != 0;
        bad = fclose(rows[i].file) != 0 || bad;
        if (bad && status == 0) {
            status = err_set(err, ERR_IO, errno, "cannot write %s", rows[i].name);
        }
    }
    struct err unwritten;
    if (capture_finish(j->capture, status == 0 ? err : &unwritten) != 0 && status == 0) {
        status = -ERR_IO;
    }
    u64map_done(&j->sent);
    u64map_done(&j->left);
    strbuf_done(&j->seen);
    u64map_done(&j->sequence);
    VEC_DONE(&j->stamps);
    vec_release(j->clocks);
    vec_release(j);
    return status;
}

bool journal_so_far(struct journal *j, const char *dir, struct strbuf *ret)
{
    SCOPED_STRBUF path = {0};
    char bytes[65536];
    strbuf_printf(&path, "%s/events.txt", dir);
    FILE *file = fflush(j->text) == 0 ? fopen(strbuf_cstr(&path), "re") : NULL;
    if (file == NULL) {
        return false;
    }
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) != 0;) {
        strbuf_add(ret, bytes, n);
    }
    bool good = ferror(file) == 0;
    (void)fclose(file);
    return good;
}

void journal_resume(struct journal *j, struct str text)
{
    (void)fwrite(text.p, 1, text.n, j->text); /* journal_close looks */
}

void journal_clock(struct journal *j, uint64_t now_ns)
{
    j->now_ns = now_ns;
}

/* ---- ShiViz ---- */

static void shiviz_line(struct journal *j, uint32_t node, const char *what)
{
    size_t n = j->cluster->n_nodes;
    const uint32_t *clock = j->clocks + node * n;
    (void)fprintf(j->shiviz, "%s\n%s {", what, j->cluster->nodes[node].name);
    const char *comma = "";
    for (size_t i = 0; i < n; i++) {
        if (clock[i] != 0) {
            (void)fprintf(j->shiviz, "%s\"%s\": %u", comma, j->cluster->nodes[i].name, clock[i]);
            comma = ", ";
        }
    }
    (void)fputs("}\n", j->shiviz);
}

static void shiviz_packet(struct journal *j, bool sent, const struct packet_view *p)
{
    size_t n = j->cluster->n_nodes;
    uint32_t node = sent ? p->from : p->to;
    uint32_t *clock = j->clocks + node * n;
    uint64_t at = 0;
    clock[node]++;
    char what[96];
    if (sent) {
        u64map_put(&j->sent, p->id, j->stamps.n);
        for (size_t i = 0; i < n; i++) {
            VEC_PUSH(&j->stamps, clock[i]);
        }
    } else if (u64map_get(&j->sent, p->id, &at)) {
        for (size_t i = 0; i < n; i++) {
            uint32_t theirs = j->stamps.v[at + i];
            clock[i] = clock[i] > theirs ? clock[i] : theirs;
        }
    }
    (void)snprintf(what, sizeof what, "%.6f %s %s %llu (%zu bytes)", (double)j->now_ns * 1e-9,
                   sent ? "send" : "receive", p->what, (unsigned long long)p->id, p->n);
    shiviz_line(j, node, what);
}

/* ---- pcap ---- */

static void be16(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)(v >> 8);
    at[1] = (uint8_t)v;
}

static void be32(uint8_t *at, uint32_t v)
{
    be16(at, v >> 16);
    be16(at + 2, v & 0xffff);
}

static void pcap_packet(struct journal *j, const struct packet_view *p)
{
    uint8_t head[40] = {0x45};
    bool udp = p->kind == PK_UDP;
    size_t own = udp ? 28 : 40, n = p->n < 65535 - own ? p->n : 65535 - own;
    uint64_t key = p->conn * 2 + (p->from > p->to ? 1 : 0), seq = 0, ack = 0;
    if (p->kind == PK_UNREACH) {
        return;
    }
    (void)u64map_get(&j->sequence, key, &seq);
    (void)u64map_get(&j->sequence, key ^ 1, &ack);
    be16(head + 2, (uint32_t)(own + n));
    head[8] = 64;
    head[9] = udp ? 17 : 6;
    be32(head + 12, p->src_ip);
    be32(head + 16, p->dst_ip);
    be16(head + 20, p->src_port);
    be16(head + 22, p->dst_port);
    if (udp) {
        be16(head + 24, (uint32_t)(8 + n));
    } else {
        bool syn = p->kind == PK_SYN || p->kind == PK_SYNACK, fin = p->kind == PK_FIN;
        bool rst = p->kind == PK_RST;
        be32(head + 24, (uint32_t)seq);
        be32(head + 28, (uint32_t)ack);
        head[32] = 5 << 4;
        head[33] = (uint8_t)((syn ? 2 : 0) | (fin ? 1 : 0) | (rst ? 4 : 0) |
                             (p->kind == PK_SYN ? 0 : 16) | (n > 0 ? 8 : 0));
        be16(head + 34, 65535);
        u64map_put(&j->sequence, key, seq + n + (syn || fin ? 1 : 0));
    }
    uint64_t ns = j->now_ns + UINT64_C(1767225600000000000);
    put32(j->pcap, (uint32_t)(ns / 1000000000));
    put32(j->pcap, (uint32_t)(ns % 1000000000));
    put32(j->pcap, (uint32_t)(own + n));
    put32(j->pcap, (uint32_t)(own + n));
    (void)fwrite(head, own, 1, j->pcap);
    (void)fwrite(p->bytes, 1, n, j->pcap);
}

/* ---- capture ---- */

static void capture_end(struct journal *j, const struct packet_view *p, bool from,
                        enum capture_kind kind)
{
    bool udp = p->kind == PK_UDP, caller = !udp && p->by_caller == from;
    struct capture_event e = {
        .kind = (uint8_t)kind,
        .flags = (uint8_t)((udp ? CAPTURE_UDP : 0) | (caller ? CAPTURE_CALLER : 0)),
        .node = (uint16_t)(from ? p->from : p->to),
        .time_ns = j->now_ns,
        .conn = p->conn,
        .local_ip = from ? p->src_ip : p->dst_ip,
        .remote_ip = from ? p->dst_ip : p->src_ip,
        .local_port = from ? p->src_port : p->dst_port,
        .remote_port = from ? p->dst_port : p->src_port,
        .bytes = p->bytes,
        .n = kind == CAPTURE_SENT || kind == CAPTURE_RECEIVED ? p->n : 0,
    };
    capture_write(j->capture, &e);
}

static void capture_packet(struct journal *j, bool sent, const struct packet_view *p)
{
    switch (p->kind) {
    case PK_DATA:
    case PK_UDP: capture_end(j, p, sent, sent ? CAPTURE_SENT : CAPTURE_RECEIVED); break;
    case PK_SYNACK: capture_end(j, p, sent, CAPTURE_OPENED); break;
    case PK_FIN:
    case PK_RST: capture_end(j, p, sent, CAPTURE_CLOSED); break;
    case PK_SYN:
    case PK_UNREACH:
    case PK_WINDOW: break;
    }
}

static void capture_plain(struct journal *j, uint32_t node, enum capture_kind kind)
{
    capture_write(j->capture, &(struct capture_event){.kind = (uint8_t)kind,
                                                      .node = (uint16_t)node,
                                                      .time_ns = j->now_ns});
}

/* A kill and a power failure are the same for who looks at connections. */
static void capture_event_of(struct journal *j, const struct event *event)
{
    if (event->kind == EV_KILL || event->kind == EV_CRASH) {
        capture_plain(j, event->node, CAPTURE_ENDED);
    } else if (event->kind == EV_START || event->kind == EV_RESTART) {
        capture_plain(j, event->node, CAPTURE_STARTED);
    }
}

void journal_sync(void *journal, uint32_t node)
{
    struct journal *j = journal;
    if (j->capture != NULL) {
        capture_plain(j, node, CAPTURE_SYNCED);
    }
}

void journal_packet(void *journal, bool sent, const struct packet_view *packet)
{
    struct journal *j = journal;
    if (j->shiviz != NULL) {
        shiviz_packet(j, sent, packet);
    }
    if (j->jsonl != NULL && sent) {
        u64map_put(&j->left, packet->id, j->now_ns);
    }
    if (j->pcap != NULL && !sent) {
        pcap_packet(j, packet);
    }
    if (j->capture != NULL) {
        capture_packet(j, sent, packet);
    }
}

/* ---- events ---- */

void journal_event(struct journal *j, const struct world *world, const struct event *event,
                   uint64_t number)
{
    SCOPED_STRBUF what = {0};
    event_print(j->cluster, event, &what);
    struct packet_view p;
    bool packet = event->kind <= EV_DUPLICATE && world_packet(world, event->id, &p);
    (void)fprintf(j->text, "%llu %.6f %s", (unsigned long long)number, (double)j->now_ns * 1e-9,
                  strbuf_cstr(&what));
    SCOPED_STRBUF bytes = {0};
    if (packet) {
        bytes_print(p.bytes, p.n, SHOWN_BYTES, &bytes);
        (void)fprintf(j->text, "  %s > %s %s%s %zu%s%s", j->cluster->nodes[p.from].name,
                      j->cluster->nodes[p.to].name, p.what, p.part ? " part" : "", p.n,
                      p.n != 0 ? " " : "", strbuf_cstr(&bytes));
    }
    if (j->jsonl != NULL) {
        (void)fprintf(j->jsonl, "{\"n\":%llu,\"t\":%.9f,\"event\":\"%s\"",
                      (unsigned long long)number, (double)j->now_ns * 1e-9, strbuf_cstr(&what));
        if (packet) {
            (void)fprintf(j->jsonl,
                          ",\"from\":\"%s\",\"to\":\"%s\",\"conn\":%llu,\"ports\":[%u,%u],"
                          "\"what\":\"%s\",\"bytes\":%zu,\"hex\":\"",
                          j->cluster->nodes[p.from].name, j->cluster->nodes[p.to].name,
                          (unsigned long long)p.conn, p.src_port, p.dst_port, p.what, p.n);
            for (size_t i = 0; i < p.n && i < HEX_BYTES; i++) {
                (void)fprintf(j->jsonl, "%02x", p.bytes[i]);
            }
            (void)fprintf(j->jsonl, "\"%s", p.part ? ",\"part\":true" : "");
            uint64_t left_ns = 0;
            if (u64map_get(&j->left, p.id, &left_ns)) {
                (void)fprintf(j->jsonl, ",\"sent\":%.9f", (double)left_ns * 1e-9);
            }
        }
    }
    if (j->capture != NULL) {
        capture_event_of(j, event);
    }
    if (j->shiviz != NULL && event->kind > EV_TIMER && event->kind != EV_WAIT) {
        j->clocks[event->node * j->cluster->n_nodes + event->node]++;
        shiviz_line(j, event->node, strbuf_cstr(&what));
    }
}

/* ---- what is observed ---- */

bool journal_wants_seen(const struct journal *j)
{
    return j->jsonl != NULL;
}

static struct str first_line(struct str text)
{
    const char *end = text.n != 0 ? memchr(text.p, '\n', text.n) : NULL;
    return (struct str){text.p, end != NULL ? (size_t)(end - text.p) : text.n};
}

static struct str behind_line(struct str text, struct str line)
{
    size_t n = line.n < text.n ? line.n + 1 : line.n;
    return (struct str){text.p + n, text.n - n};
}

static bool has_line(struct str text, struct str line)
{
    for (struct str at = text, l; at.n != 0; at = behind_line(at, l)) {
        l = first_line(at);
        if (str_eq(l, line)) {
            return true;
        }
    }
    return false;
}

static void json_text(FILE *out, struct str text)
{
    (void)fputc('"', out);
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '"' || c == '\\') {
            (void)fprintf(out, "\\%c", c);
        } else if (c < 0x20 || c == 0x7f) {
            (void)fprintf(out, "\\u%04x", c);
        } else {
            (void)fputc(c, out);
        }
    }
    (void)fputc('"', out);
}

/* Only what has changed is written. */
void journal_seen(struct journal *j, struct str lines)
{
    bool any = false;
    if (j->jsonl == NULL || str_eq(lines, strbuf_str(&j->seen))) {
        return;
    }
    for (struct str at = lines, line; at.n != 0; at = behind_line(at, line)) {
        line = first_line(at);
        const char *equals = line.n != 0 ? memmem(line.p, line.n, " = ", 3) : NULL;
        if (equals == NULL || has_line(strbuf_str(&j->seen), line)) {
            continue;
        }
        size_t name = (size_t)(equals - line.p);
        (void)fputs(any ? "," : ",\"observed\":{", j->jsonl);
        json_text(j->jsonl, (struct str){line.p, name});
        (void)fputc(':', j->jsonl);
        json_text(j->jsonl, (struct str){equals + 3, line.n - name - 3});
        any = true;
    }
    (void)fputs(any ? "}" : "", j->jsonl);
    strbuf_reset(&j->seen);
    strbuf_addstr(&j->seen, lines);
}

void journal_hash(struct journal *j, uint64_t hash)
{
    (void)fprintf(j->text, "  %016llx\n", (unsigned long long)hash);
    if (j->jsonl != NULL) {
        (void)fprintf(j->jsonl, ",\"hash\":\"%016llx\"}\n", (unsigned long long)hash);
    }
}
