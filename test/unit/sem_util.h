/* What the tests of sem share: modules in memory, and a few standard ones in miniature. */
#pragma once

#include "base/arena.h"
#include "sem/sem.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "test.h"

struct fixture {
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct program program;
    struct program_options options;
    struct strbuf log; /* files and modules in the order of callbacks */
};

struct mini_module {
    const char *name;
    const char *text;
    bool standard;
};

static const struct mini_module mini_modules[] = {
    {"Naturals",
     "---- MODULE Naturals ----\n"
     "a + b == {a, b}\n"
     "a - b == {a, b}\n"
     "a < b == a = b\n"
     "a .. b == {a, b}\n"
     "Nat == {}\n"
     "====\n", true },
    {"Integers",
     "---- MODULE Integers ----\n"
     "EXTENDS Naturals\n"
     "Int == {}\n"
     "-. a == a\n"
     "====\n", true },
    {"Sequences",
     "---- MODULE Sequences ----\n"
     "LOCAL INSTANCE Naturals\n"
     "Len(s) == s\n"
     "Seq(S) == UNION {[1 .. n -> S] : n \\in Nat}\n"
     "s \\o t == <<s, t>>\n"
     "====\n", true },
    {"Counter",
     "---- MODULE Counter ----\n"
     "EXTENDS Naturals\n"
     "CONSTANT Max\n"
     "VARIABLE count\n"
     "Init == count = 0\n"
     "Next == count < Max /\\ count' = count + 1\n"
     "Above(n) == n < count\n"
     "LOCAL Hidden == count\n"
     "====\n", false},
    {"Twice",
     "---- MODULE Twice ----\n"
     "CONSTANT Max\n"
     "VARIABLES left, right\n"
     "L == INSTANCE Counter WITH count <- left\n"
     "R(limit) == INSTANCE Counter WITH count <- right, Max <- limit\n"
     "Init == L!Init /\\ R(Max)!Init\n"
     "====\n", false},
};

static inline const char *mini_builtin(const char *name, size_t *ret_len, bool *ret_standard)
{
    for (size_t i = 0; i < sizeof mini_modules / sizeof mini_modules[0]; i++) {
        if (strcmp(mini_modules[i].name, name) == 0) {
            *ret_len = strlen(mini_modules[i].text);
            *ret_standard = mini_modules[i].standard;
            return mini_modules[i].text;
        }
    }
    return NULL;
}

static inline void fixture_parsing(void *arg, const char *path, bool builtin)
{
    struct fixture *fx = arg;
    (void)builtin;
    strbuf_printf(&fx->log, "%s ", path);
}

static inline void fixture_analysed(void *arg, const char *module)
{
    struct fixture *fx = arg;
    strbuf_printf(&fx->log, "*%s ", module);
}

static inline void fixture_init(struct fixture *fx)
{
    *fx = (struct fixture){0};
    arena_init(&fx->arena, 0);
    sources_init(&fx->sources, &fx->arena);
    diags_init(&fx->diags, &fx->arena);
    fx->options = (struct program_options){.builtin = mini_builtin,
                                           .parsing = fixture_parsing,
                                           .parsing_arg = fx,
                                           .analysed = fixture_analysed};
}

static inline void fixture_done(struct fixture *fx)
{
    program_done(&fx->program);
    strbuf_done(&fx->log);
    arena_done(&fx->arena);
}

/* All diagnostics as "E3001:2 W6001:5 " (code and line). */
static inline const char *fixture_codes(struct fixture *fx)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < fx->diags.n; i++) {
        const struct diag *diag = fx->diags.v[i];
        struct place place = sources_place(&fx->sources, diag->span);
        strbuf_printf(&out, "%c%04d:%u ", diag->severity == SEV_ERROR ? 'E' : 'W', (int)diag->code,
                      place.line);
    }
    const char *text = arena_strndup(&fx->arena, strbuf_cstr(&out), out.n);
    strbuf_done(&out);
    return text;
}

/* Loads a module whose units are given; the MODULE line is line 1. */
static inline int fixture_load(struct fixture *fx, const char *units)
{
    struct err err = {0};
    fixture_init(fx);
    struct str text = str_of(arena_printf(&fx->arena, "---- MODULE Test ----\n%s\n====\n", units));
    struct source *source = sources_add(&fx->sources, "Test.tla", text, false);
    return program_load_source(&fx->program, &fx->arena, source, &fx->options, &fx->sources,
                               &fx->diags, &err);
}

static inline struct def *fixture_def(struct fixture *fx, const char *name)
{
    struct def *def = program_lookup(&fx->program, str_of(name));
    if (!def) {
        fprintf(stderr, "no definition %s; %s\n", name, fixture_codes(fx));
        exit(1);
    }
    return def;
}

/* Checks that the units give exactly these diagnostics. */
static inline void check_codes(const char *units, const char *want)
{
    struct fixture fx;
    (void)!fixture_load(&fx, units);
    const char *got = fixture_codes(&fx);
    if (strcmp(got, want) != 0) {
        fprintf(stderr, "%s\ngives %s\nwant  %s\n", units, got, want);
        exit(1);
    }
    fixture_done(&fx);
}
