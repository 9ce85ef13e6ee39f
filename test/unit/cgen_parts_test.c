/* Emitted C text as parts: equal keys mean equal code, and what is not touched keeps its key. */
#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "cgen/parts.h"
#include "test.h"

/* A text in the style of what is emitted: types, a table, operations, helpers, two functions. */
static const char model[] =
    "typedef struct __attribute__((packed)) { int8_t f0; uint8_t f1; } T22;\n"
    "_Static_assert(sizeof(T22) == 2, \"layout\");\n"
    "typedef struct __attribute__((packed)) { uint8_t n; T22 a[3]; } T30;\n"
    "typedef struct __attribute__((packed)) {\n  T30 v0;\n  uint8_t v1;\n} S;\n"
    "static const uint8_t is_model[] = {1,1,0};\n"
    "static inline int mix_model(int64_t m)\n"
    "{ /* a brace: { */ return is_model[m]; }\n"
    "SET_OPS(T30, T22, CMP_MEM, 3)\n"
    "static const union { uint8_t b[3]; T22 v; } c7 = {{4,5}};\n"
    "static const int16_t k9[2] = {0,1};\n"
    "static void r3(struct W *, const T22 *);\n"
    "static void r3(struct W *w, const T22 *a) {\nif (a->f0 < 5) r3(w, a);\n}\n"
    "static void act0(struct W *w, const S *s, const S *n) {\n"
    "T22 t10 = c7.v;\nint64_t t11 = k9[s->v1];\nif (t11 < INT64_C(2)) T30_add(w, 0, &t10);\n}\n"
    "static void act1(struct W *w, const S *s, const S *n) {\n"
    "T22 t12;\nt12.f0 = s->v0.a[0].f0; t12.f1 = 3;\nr3(w, &t12);\n}\n";

static const char *const names[] = {"S", "act0", "act1"};
enum { NAMES = 3 };

static void keys_of(struct arena *arena, const char *text, struct part_key keys[NAMES])
{
    struct parts *parts = parts_split(arena, str_of(text));
    for (int i = 0; i < NAMES; i++) {
        CHECK(parts_key(parts, names[i], &keys[i]));
    }
}

/* The text with every occurrence of `old` replaced. */
static const char *replaced(struct arena *arena, const char *text, const char *old, const char *new)
{
    struct strbuf out = {.arena = arena};
    const char *at = strstr(text, old);
    CHECK(at != NULL);
    for (; at; at = strstr(text, old)) {
        strbuf_add(&out, text, (size_t)(at - text));
        strbuf_adds(&out, new);
        text = at + strlen(old);
    }
    strbuf_adds(&out, text);
    return strbuf_cstr(&out);
}

struct change {
    const char *old, *new;
    const char *other; /* of names[], whose keys must change: one letter each */
};

TEST(keys_change_with_the_code_and_not_with_its_names)
{
    static const struct change changes[] = {
        /* names that are numbers */
        {"T22",                                             "T93",                            "   "},
        {"c7",                                              "c70",                            "   "},
        {"t10",                                             "t99",                            "   "},
        {"t12",                                             "t10",                            "   "},
        {"r3",                                              "r4",                             "   "},
        {"  T30 v0",                                        " T30   v0",                      "   "},
        {"a brace: {",                                      "another: }",                     "   "},
        /* values */
        {"INT64_C(2)",                                      "INT64_C(3)",                     " x "},
        {"{{4,5}}",                                         "{{4,6}}",                        " x "},
        {"{0,1}",                                           "{1,0}",                          " x "},
        {"f0 < 5",                                          "f0 < 6",                         "  x"},
        {"t12.f1 = 3",                                      "t12.f1 = 2",                     "  x"},
        {"CMP_MEM, 3",                                      "CMP_MEM, 4",                     " x "},
        {"CMP_MEM, 3",                                      "CMP_NUM, 3",                     " x "},
        {"{1,1,0}",                                         "{1,1,1}",                        "   "}, /* nobody needs it */
        /* members are not variables */
        {"t12.f0 = s",                                      "t12.f1 = s",                     "  x"},
        {"{ int8_t f0; uint8_t f1; } T22",                  "{ int8_t f1; uint8_t f0; } T22", "xxx"},
        {"int8_t f0",                                       "int16_t f0",                     "xxx"},
        {"  uint8_t v1;",                                   "  uint8_t v1; uint8_t v2;",      "xxx"},
        {"k9[s->v1]",                                       "k9[s->v0]",                      " x "},
        {"const T22 *a)",                                   "const T30 *a)",                  "  x"},
        {"T30_add",                                         "T30_cut",                        " x "},
        /* a form that is not known concerns all */
        {"typedef struct __attribute__((packed)) { int8_t",
         "enum { NPERM = 6 };\ntypedef struct __attribute__((packed)) { int8_t",              "xxx"},
    };
    struct part_key before[NAMES];
    struct part_key after[NAMES];
    struct arena arena;
    arena_init(&arena, 4096);
    keys_of(&arena, model, before);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *c = &changes[i];
        keys_of(&arena, replaced(&arena, model, c->old, c->new), after);
        for (int k = 0; k < NAMES; k++) {
            bool same = memcmp(&before[k], &after[k], sizeof before[k]) == 0;
            if (same != (c->other[k] == ' ')) {
                fprintf(stderr, "%s -> %s: %s\n", c->old, c->new, names[k]);
                exit(1);
            }
        }
    }
    arena_done(&arena);
}

TEST(variables_that_change_places_are_another_text)
{
    struct part_key a;
    struct part_key b;
    struct arena arena;
    arena_init(&arena, 4096);
    const char *text = "static int act0(int x) {\nint t1 = 1, t2 = 2; return t1 - t2;\n}\n";
    CHECK(parts_key(parts_split(&arena, str_of(text)), "act0", &a));
    text = replaced(&arena, text, "t1 - t2", "t2 - t1");
    CHECK(parts_key(parts_split(&arena, str_of(text)), "act0", &b));
    CHECK(memcmp(&a, &b, sizeof a) != 0);
    CHECK(!parts_key(parts_split(&arena, str_of(text)), "act1", &b));
    arena_done(&arena);
}

TEST(what_is_written_is_what_is_needed)
{
    struct arena arena;
    struct strbuf out = {0};
    arena_init(&arena, 4096);
    struct parts *parts = parts_split(&arena, str_of(model));
    parts_want(parts, "act1");
    parts_write(parts, &out);
    const char *text = strbuf_cstr(&out);
    static const char *const in[] = {"} T22;",         "} T30;", "} S;",
                                     "r3(struct W *,", "act1",   "_Static_assert(sizeof(T22)"};
    static const char *const not_in[] = {"act0", "SET_OPS", "c7", "k9", "is_model"};
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++) {
        CHECK(strstr(text, in[i]) != NULL);
    }
    for (size_t i = 0; i < sizeof not_in / sizeof not_in[0]; i++) {
        CHECK(strstr(text, not_in[i]) == NULL);
    }
    CHECK(strstr(text, "T22;") < strstr(text, "T30;"));
    CHECK(strstr(text, "} S;") < strstr(text, "act1"));
    /* Everything is wanted: nothing is lost. */
    parts_want(parts, "act0");
    parts_want(parts, "mix_model");
    strbuf_reset(&out);
    parts_write(parts, &out);
    CHECK_STR(strbuf_cstr(&out), model);
    strbuf_done(&out);
    arena_done(&arena);
}
