/* PlusCal: the algorithm in a module's comment becomes the TLA+ between the lines BEGIN TRANSLATION
 * and END TRANSLATION, byte for byte as the translator of tla2tools (pcal.trans) writes it, with
 * its options, its words and its checksums.
 *
 * Nothing here reads or writes files or prints: texts come in, texts go out, and what the
 * translator would print on the way goes to a sink, in its order. One call of any function works on
 * its own arena and options; two may run at the same time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct arena;

/* The translator whose output this is. */
#define PLUSCAL_VERSION      "1.12"
#define PLUSCAL_VERSION_LINE "pcal.trans Version " PLUSCAL_VERSION " of 01 July 2024"

/* ---- what is said on the way ---- */
enum pluscal_kind {
    PLUSCAL_INFO,    /* "Labels added." */
    PLUSCAL_WARNING, /* "symbols were renamed." */
    PLUSCAL_ERROR,   /* "Missing label at the following location: ..." */
};
struct pluscal_sink {
    void (*say)(void *arg, enum pluscal_kind kind, struct str text); /* NULL: nobody listens */
    void *arg;
};
/* The text as the translator prints it, with the newline at its end. */
void pluscal_print(enum pluscal_kind kind, struct str text, struct strbuf *out);

/* ---- options (options.c) ---- */
enum pluscal_fairness { FAIRNESS_NONE, FAIRNESS_WF, FAIRNESS_SF, FAIRNESS_WFNEXT, FAIRNESS_NOF };
/* Which specification does the translation instead of us: -spec and its relatives. */
enum pluscal_spec { SPEC_NONE, SPEC_SPEC, SPEC_MYSPEC, SPEC_SPEC2, SPEC_MYSPEC2 };
struct pluscal_options {
    enum pluscal_fairness fairness;
    bool fair_algorithm; /* --fair algorithm; found in the text */
    bool termination;    /* PROPERTY Termination in the .cfg file */
    bool no_old, no_cfg; /* files that are not wanted */
    bool no_done;        /* no disjunct that allows stuttering after the end */
    bool label, report_labels;
    struct str label_root;
    int wrap;       /* columns of a line */
    int version;    /* 1.5 is 1500 */
    bool debug;     /* places in the tree that is written and summed up */
    bool write_ast; /* write the tree instead of translating */
    enum pluscal_spec spec;
    const char *spec_name;
    struct str file; /* the file to translate, without ".tla" */
};
void pluscal_defaults(struct pluscal_options *options);
/* Copies what the options point to, for when the arena they come from goes. */
void pluscal_keep(struct pluscal_options *options, struct arena *arena);

enum pluscal_status { PLUSCAL_GO, PLUSCAL_HELP, PLUSCAL_FAILED };
/* The command line of pcal.trans, without its name. After PLUSCAL_FAILED the sink has the error;
 * PLUSCAL_HELP: the help is wanted instead. */
enum pluscal_status pluscal_arguments(struct arena *arena, int argc, char *const *argv,
                                      struct pluscal_options *options,
                                      const struct pluscal_sink *sink);

/* ---- translating (translate.c) ---- */
struct pluscal_result {
    struct str module;   /* the whole new text of the file */
    struct str ast;      /* instead of that, with write_ast or a spec */
    bool default_values; /* the constant defaultInitValue was declared */
};
/* Translates the algorithm in a text, which must be UTF-8. Options that stand in the text change
 * `options`. False after an error, which went to the sink. */
bool pluscal_translate(struct arena *arena, struct str text, struct pluscal_options *options,
                       const struct pluscal_sink *sink, struct pluscal_result *ret_result);
/* Whether it is UTF-8, as the translator demands. */
bool pluscal_is_text(struct str text);
/* The new text of the .cfg file; `old` is the one that is there, or NULL. */
struct str pluscal_config(struct arena *arena, const struct str *old,
                          const struct pluscal_options *options, bool default_values,
                          const struct pluscal_sink *sink);

/* ---- is a translation what its algorithm says? (stale.c) ---- */
enum pluscal_stale {
    PLUSCAL_FRESH,               /* or there is none, or nothing to tell by */
    PLUSCAL_ALGORITHM_CHANGED,   /* since the last translation */
    PLUSCAL_TRANSLATION_CHANGED, /* by hand */
    PLUSCAL_BOTH_CHANGED,
    PLUSCAL_UNREADABLE, /* a string in the algorithm has no end */
};
/* Compares the checksums of a translation with what stands in lines first..last (from 1) of the
 * text, as TLC does it. The options go on from one module to the next, as in TLC. When it is not
 * fresh, *ret_line is the line of the text that has the checksums, from 1. */
struct pluscal_lines {
    struct str text;
    size_t first, last;
};
enum pluscal_stale pluscal_stale(struct arena *arena, const struct pluscal_lines *module,
                                 struct pluscal_options *options, const struct pluscal_sink *sink,
                                 size_t *ret_line);
