/* What "did you mean" offers. */
#include <stddef.h>

#include "base/near.h"
#include "base/str.h"
#include "test.h"

TEST(the_nearest_word)
{
    static const char *const names[] = {"MaxTerm", "MaxFaults", "Server", "INVARIANT", "seed", "x"};
    static const struct {
        const char *word, *want; /* "": nothing is near */
    } rows[] = {
        {"MaxTrem",   "MaxTerm"  }, /* neighbours swapped */
        {"MaxTermm",  "MaxTerm"  },
        {"Servers",   "Server"   },
        {"sver",      ""         }, /* two changes of four letters are too many */
        {"INVARAINT", "INVARIANT"},
        {"invariant", "INVARIANT"}, /* only the case */
        {"Seed",      "seed"     },
        {"X",         "x"        },
        {"Quorum",    ""         },
        {"y",         ""         }, /* nothing would be left of the word */
        {"",          ""         },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct near near = near_to(str_of(rows[i].word));
        near_try_all(&near, names, sizeof names / sizeof names[0]);
        SCOPED_STRBUF got = {0};
        near_add(&near, &got, "", "");
        CHECK_STR(strbuf_cstr(&got), rows[i].want);
    }
}

TEST(long_words_are_never_near)
{
    static const char text[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    struct near near = near_to((struct str){text, 64});
    near_try(&near, (struct str){text, 63});
    CHECK_EQ(near.best.n, 0);
    near = near_to((struct str){text, 63});
    near_try(&near, (struct str){text, 62});
    CHECK_EQ(near.best.n, 62);
}

TEST(the_least_of_equals)
{
    static const char *const names[] = {"cat", "car", "cay"};
    struct near near = near_to(STR("caz"));
    near_try_all(&near, names, 3);
    CHECK(str_is(near.best, "car"));
}
