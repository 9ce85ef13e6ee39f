/* Mapping files: every key is read, and mistakes are named with their places. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "map/map.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "test.h"

struct parsed {
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct map *map;
    int status;
};

static void parse(struct parsed *p, const char *text)
{
    struct err err = {0};
    arena_init(&p->arena, 0);
    sources_init(&p->sources, &p->arena);
    diags_init(&p->diags, &p->arena);
    const struct source *source = sources_add(&p->sources, "m.assay.toml", str_of(text), false);
    p->map = NULL;
    p->status = map_parse(&p->arena, source, "/here", &p->diags, &p->map, &err);
}

static void print_all(const struct parsed *p, struct strbuf *out)
{
    for (size_t i = 0; i < p->diags.n; i++) {
        diag_print(&p->sources, p->diags.v[i], false, out);
    }
}

#define HEAD                                                                                       \
    "spec = \"S.tla\"\nconfig = \"C.cfg\"\ncluster = \"c.toml\"\nnodes = { n1 = \"a\", n2 = "      \
    "\"b\" }\n"

TEST(every_key)
{
    struct parsed p;
    parse(
        &p, HEAD
        "auxiliary = [\"x\", \"yy\"]\nboot = [\"deliver {1} {2}\"]\n"
        "[network]\nvariable = \"net\"\nkind = \"udp\"\nhandshake = 16\nquiet_ports = [1, 65535]\n"
        "[actions]\n\"Step(i, j)\" = [\"deliver {j} {i} where msg = i\", \"timer {i}\"]\n\"Quick\" "
        "= []\n"
        "\"Rare(i)\" = { do = \"crash {i}\", weight = 0.25 }\n"
        "[observe.up]\nengine = \"up\"\nspec = \"up\"\n[observe.cut]\nengine = \"cut\"\n"
        "[observe.conns]\nengine = \"connections\"\n[observe.packets]\nengine = \"packets\"\n"
        "[observe.said]\nlog = \"^said (.*)\"\nall = true\ntype = \"string\"\ninitial = \"0\"\n"
        "[observe.mem]\nmemory = \"self.x\"\nas = \"value + 1\"\nenum = { A = \"1\", B = \"2\" "
        "}\ncompare = false\n"
        "[observe.asked]\nquery = [\"ask\", \"{self}\"]\njson = true\n"
        "[[message]]\nport = 7000\nfields = \"n:u16le k:i8 t:char[4]\"\nas = \"value\"\n"
        "[[message]]\nmatch = \"(?<n>[0-9]+)\"\ntypes = { n = \"int\" }\n");
    if (p.status != 0) {
        SCOPED_STRBUF text = {0};
        print_all(&p, &text);
        fprintf(stderr, "%s\n", strbuf_cstr(&text));
    }
    CHECK_EQ(p.status, 0);
    const struct map *m = p.map;
    CHECK_EQ(m->n_node_table, 2);
    CHECK_STR(m->node_table[1].name, "n2");
    CHECK_EQ(m->n_auxiliary, 2);
    CHECK(str_is(m->auxiliary[1].name, "yy"));
    CHECK_EQ(m->n_boot, 1);
    CHECK(str_is(m->network.name, "net") && m->network_udp);
    CHECK_EQ(m->handshake, 16);
    CHECK_EQ(m->n_quiet_ports, 2);
    CHECK_EQ(m->quiet_ports[0], 1);
    CHECK_EQ(m->quiet_ports[1], 65535);
    CHECK_EQ(m->n_actions, 3);
    CHECK(str_is(m->actions[0].name, "Step"));
    CHECK_EQ(m->actions[0].n_params, 2);
    CHECK_EQ(m->actions[0].n, 2);
    CHECK(m->actions[0].steps[0].where != NULL && m->actions[0].steps[1].where == NULL);
    CHECK_STR(m->actions[0].steps[1].verb, "timer");
    CHECK(m->actions[0].weight == 1 && m->actions[2].weight == 0.25);
    CHECK_EQ(m->n_observes, 7);
    static const enum map_engine engines[] = {ENGINE_UP, ENGINE_CUT, ENGINE_CONNECTIONS,
                                              ENGINE_PACKETS};
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQ(m->observes[i].source, FROM_ENGINE);
        CHECK_EQ(m->observes[i].engine, engines[i]);
        CHECK(!m->observes[i].per_node);
    }
    CHECK_EQ(m->observes[4].source, FROM_LOG);
    CHECK(m->observes[4].all && m->observes[4].per_node && m->observes[4].compare);
    CHECK_EQ(m->observes[4].decode.type, TYPE_STRING);
    CHECK(m->observes[4].initial != NULL && m->observes[4].as == NULL);
    CHECK_EQ(m->observes[5].source, FROM_MEMORY);
    CHECK(m->observes[5].as != NULL && !m->observes[5].compare);
    CHECK_EQ(m->observes[5].n_enums, 2);
    CHECK_EQ(m->observes[6].source, FROM_QUERY);
    CHECK_EQ(m->observes[6].decode.format, FORMAT_JSON);
    CHECK_EQ(m->n_messages, 2);
    CHECK_EQ(m->messages[0].port, 7000);
    CHECK_EQ(m->messages[0].decode.format, FORMAT_FIELDS);
    CHECK_EQ(m->messages[0].decode.n_fields, 3);
    CHECK_EQ(m->messages[0].decode.fields[0].width, 2);
    CHECK(!m->messages[0].decode.fields[0].big && !m->messages[0].decode.fields[0].is_signed);
    CHECK(m->messages[0].decode.fields[1].is_signed);
    CHECK_EQ(m->messages[1].port, 0);
    CHECK_EQ(m->messages[1].decode.format, FORMAT_MATCH);
    CHECK_EQ(m->messages[1].decode.n_groups, 1);
    CHECK_EQ(m->messages[1].decode.groups[0].type, TYPE_INT);
    arena_done(&p.arena);
}

/* More expressions than there is room for in the beginning: each is kept, in its order. */
TEST(many_expressions)
{
    enum { MANY = 150, NODES = 2 }; /* the nodes of HEAD are expressions, too */
    struct parsed p;
    SCOPED_STRBUF text = {0};
    strbuf_adds(&text, HEAD "[network]\nvariable = \"net\"\n");
    for (int i = 0; i < MANY; i++) {
        strbuf_printf(&text, "[observe.v%d]\nmemory = \"self.m%d\"\nas = \"value + %d\"\n", i, i,
                      i);
    }
    parse(&p, strbuf_cstr(&text));
    CHECK_EQ(p.status, 0);
    CHECK_EQ(p.map->n_exprs, NODES + MANY);
    CHECK(str_is(p.map->exprs[0]->text, "a") && str_is(p.map->exprs[1]->text, "b"));
    for (int i = 0; i < MANY; i++) {
        char want[32];
        snprintf(want, sizeof want, "value + %d", i);
        CHECK(str_is(p.map->exprs[NODES + i]->text, want));
        CHECK_EQ(p.map->exprs[NODES + i]->op, NODES + i);
    }
    arena_done(&p.arena);
}

/* Each with the line of its place. */
TEST(mistakes)
{
    static const struct {
        const char *text, *says;
        unsigned line;
    } rows[] = {
        {"[network]\nkind = \"sctp\"\n",                 "kind must be \"tcp\" or \"udp\"", 6},
        {"[network]\nhandshake = 17\n",                  "up to 16",                        6},
        {"[network]\nhandshake = -1\n",                  "up to 16",                        6},
        {"[network]\nquiet_ports = [0]\n",               "the number of a port",            6},
        {"[network]\nquiet_ports = [65536]\n",           "the number of a port",            6},
        {"[network]\nquiet_ports = [\"x\"]\n",           "the number of a port",            6},
        {"[network]\nquiet_ports = 7\n",                 "quiet_ports",                     6},
        {"[[message]]\nport = 0\n",                      "the number of a port",            6},
        {"[observe.x]\nengine = \"nothing\"\n",          "engine",                          6},
        {"[observe.x]\nlog = \"a\"\nenum = { A = 1 }\n", "a TLA+ expression in quotes",     7},
        {"[observe.x]\nlog = \"a\"\ntype = \"float\"\n", "type",                            7},
        {"[observe.x]\nlog = \"a\"\nmemory = \"b\"\n",   "an observation has one of",       5},
        {"[actions]\n\"A(i)\" = [\"explode {i}\"]\n",    "explode",                         6},
        {"[actions]\n\"A(i\" = []\n",                    "",                                6},
        {"[other]\nx = 1\n",                             "other",                           5},
        {"[observe.x]\nlog = \"a\"\ncolour = 1\n",       "colour",                          7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parsed p;
        char text[600];
        SCOPED_STRBUF said = {0};
        (void)snprintf(text, sizeof text, HEAD "%s", rows[i].text);
        parse(&p, text);
        print_all(&p, &said);
        char place[40];
        (void)snprintf(place, sizeof place, "m.assay.toml:%u:", rows[i].line);
        if (p.status == 0 || strstr(strbuf_cstr(&said), rows[i].says) == NULL ||
            strstr(strbuf_cstr(&said), place) == NULL) {
            fprintf(stderr, "row %zu: status %d\n%s\n", i, p.status, strbuf_cstr(&said));
            exit(1);
        }
        arena_done(&p.arena);
    }
}
