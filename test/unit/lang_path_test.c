/* Paths into the objects of Python and Java: what is taken, and what is said about the rest. */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"
#include "lang/lang.h"
#include "test.h"

static int parse(enum lang lang, const char *text, size_t n, struct err *err)
{
    struct arena arena;
    struct lang_path *path = NULL;
    arena_init(&arena, 0);
    *err = (struct err){0};
    int status = lang_path_new(lang, &arena, (struct str){text, n}, &path, err);
    CHECK((status == 0) == (path != NULL));
    arena_done(&arena);
    return status;
}

TEST(good)
{
    static const char *const rows[] = {
        "a",          "a.b.c",        "pkg.mod.name",   "f().x",       "Class.run().self._C__x",
        "<C>",        "<pkg.C>.x",    "a[0]",           "a[-1].b",     "a['k']",
        "a[\"k k\"]", "a[0..3]",      "a[2..].term",    "a[*].b[*]",   "a@next.n",
        "A$B.c",      "gr\xc3\xbc.n", "a[*]['x'][7].y", "<C>@next[0]", "a.b?.c",
        "<C>.x?[0]",
    };
    struct err err;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(parse(LANG_PYTHON, rows[i], strlen(rows[i]), &err) == 0);
    }
}

TEST(bad)
{
    static const struct {
        enum lang lang;
        const char *text, *said;
    } rows[] = {
        {LANG_PYTHON, "",                        "character 1: a name is missing"    },
        {LANG_PYTHON, "a.",                      "character 3: a name is missing"    },
        {LANG_PYTHON, "a..b",                    "character 3: a name is missing"    },
        {LANG_PYTHON, "a b",                     "character 2: this was not expected"},
        {LANG_PYTHON, "a?.b",                    "character 2: this was not expected"},
        {LANG_PYTHON, "a.b??",                   "character 5: this was not expected"},
        {LANG_PYTHON, "a[",                      "a number is missing"               },
        {LANG_PYTHON, "a[1",                     "] is missing"                      },
        {LANG_PYTHON, "a[x]",                    "a number is missing"               },
        {LANG_PYTHON, "a['x]",                   "the text has no end"               },
        {LANG_PYTHON, "a[1..x]",                 "a number is missing"               },
        {LANG_PYTHON, "a[99999999999999999999]", "the number is too large"           },
        {LANG_PYTHON, "a@",                      "a name is missing"                 },
        {LANG_PYTHON, "<>",                      "the name of a class"               },
        {LANG_PYTHON, "<C",                      "the name of a class"               },
        {LANG_PYTHON, "a[0]()",                  "() belongs to the function"        },
        {LANG_PYTHON, "<C>.f().x",               "() belongs to the function"        },
        {LANG_JAVA,   "main().args",             "local variables cannot be read"    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err err;
        CHECK(parse(rows[i].lang, rows[i].text, strlen(rows[i].text), &err) < 0);
        CHECK(strstr(err.text, rows[i].said) != NULL);
    }
}

/* Whatever stands there, it ends. */
TEST(any)
{
    static const char letters[] = "ab.?[]()<>*@'\"-019$_ \x80";
    struct rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 20000; i++) {
        char text[24];
        size_t n = rng_below(&rng, sizeof text);
        struct err err;
        for (size_t k = 0; k < n; k++) {
            text[k] = letters[rng_below(&rng, sizeof letters - 1)];
        }
        (void)parse(i % 2 == 0 ? LANG_PYTHON : LANG_JAVA, text, n, &err);
    }
}
