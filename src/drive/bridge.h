/* What conform and confirm share: a mapping file with its specification, model and cluster, and
 * findings as text, JSON and JUnit XML. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/lock.h"
#include "base/str.h"
#include "base/teller.h"
#include "conform/conform.h"
#include "job/load.h"
#include "map/map.h"
#include "model/model.h"
#include "option/option.h"
#include "report/report.h"
#include "run/cluster.h"

struct bridge {
    struct spec spec;
    struct map *map;
    struct cluster cluster;
    struct mhost host;
    bool open;
    struct dir_lock lock; /* of the directory for what is left behind */
};

struct bridge_options {
    const char *map;
    const char *config, *cluster; /* instead of the mapping's; or NULL */
    const char *out;              /* directory for what is left behind */
    struct word_list paths;       /* of modules, as given */
    const char **dirs;            /* of modules */
    size_t ndir;
    struct teller teller;
    bool coverage, json, quiet;
    const char *program; /* of assay, for {assay} in queries; NULL: this process runs it */
    int beat_signal;     /* of somebody else's process: see world_spec */
    bool watch;          /* constants have the values of [watch]; SYMMETRY is left out */
};

/* Options that both commands have. */
/* clang-format off */
#define BRIDGE_OPTIONS(CMD, directory, silence)                                                                          \
    {"config", 'c', "FILE", "*.cfg", TO_TEXT(CMD, o.config), "configuration instead of the mapping's", NULL},            \
    {"cluster", 0, "FILE", "*.toml", TO_TEXT(CMD, o.cluster), "cluster file instead of the mapping's", NULL},            \
    {"map", 0, "FILE", "*.toml", TO_TEXT(CMD, o.map), NULL, NULL},                                                       \
    {"path", 'I', "DIR[:DIR]", COMPLETE_DIR, TO_LIST(CMD, o.paths), "where modules are looked for; also TLA_PATH",       \
     NULL},                                                                                                              \
    {"out", 'o', "DIR", COMPLETE_DIR, TO_TEXT(CMD, o.out), directory, NULL},                                             \
    {"json", 0, NULL, NULL, TO_FLAG(CMD, o.json), "one JSON document instead of text", NULL},                            \
    {"quiet", 'q', NULL, NULL, TO_FLAG(CMD, o.quiet), silence, NULL}
/* clang-format on */
/* Reads everything. EXIT_OK, or an exit status after it has said to the teller why not. On a
 * big stack only. */
int bridge_open(const struct bridge_options *o, struct bridge *b);
/* Makes the directory `out` anew; it is locked until bridge_close. */
MUST_USE int bridge_dir(const struct bridge_options *o, struct bridge *b, struct err *err);
/* What is wrong with a specification or a mapping; returns the status. */
int bridge_tell_diags(const struct teller *teller, const struct spec *spec, int status);
void bridge_close(struct bridge *bridge);

/* The path of this program, in the bridge's arena. */
const char *bridge_program(const struct bridge_options *o, struct bridge *bridge);

/* A finding with the steps that lead to it. */
json_t *bridge_finding_json(const struct walk_result *result, const char *replay);
/* For --report: a case that a finding is about, which says of itself what it likes; and the finding
 * by itself, at the place of its action. */
void bridge_finding_case(struct report *report, const json_t *finding, struct report_case *c);
void bridge_finding_only(struct report *report, const struct spec *spec, const json_t *finding);
/* The same for people; `finding` is what bridge_finding_json made. */
void bridge_finding_print(const json_t *finding, struct strbuf *out);
