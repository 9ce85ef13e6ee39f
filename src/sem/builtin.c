/* The operators of the language itself: those that need no module. Names are canonical (see
 * syntax/ast.h).
 *
 * The level columns say how an application's level comes about (Lamport, "Specifying Systems",
 * section 17.2): the operator's own level, the highest level that each argument may have, and
 * whether the argument's level passes on to the result. A prime, for example, makes an action out
 * of anything up to a state function, whatever the argument is. */
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "sem/sem.h"
#include "sem/sem_int.h"

struct builtin {
    const char *name;
    uint32_t arity;
    struct builtin_levels levels;
};

#define PLAIN(n)                                                                                   \
    {                                                                                              \
        LEVEL_CONSTANT, {LEVEL_ACTION, LEVEL_ACTION}, \
         {true,         (n) > 1     } \
}
#define LOGIC                                                                                      \
    {                                                                                              \
        LEVEL_CONSTANT, {LEVEL_TEMPORAL, LEVEL_TEMPORAL},                                          \
        {                                                                                          \
            true, true                                                                             \
        }                                                                                          \
    }
#define TEMPORAL                                                                                   \
    {                                                                                              \
        LEVEL_TEMPORAL, {LEVEL_TEMPORAL, LEVEL_TEMPORAL},                                          \
        {                                                                                          \
            false, false                                                                           \
        }                                                                                          \
    }

static const struct builtin builtin_names[] = {
    {"TRUE",       0, PLAIN(0)                                                    },
    {"FALSE",      0, PLAIN(0)                                                    },
    {"BOOLEAN",    0, PLAIN(0)                                                    },
    {"STRING",     0, PLAIN(0)                                                    },
    {"=",          2, PLAIN(2)                                                    },
    {"#",          2, PLAIN(2)                                                    },
    {"~",          1, LOGIC                                                       },
    {"/\\",        2, LOGIC                                                       },
    {"\\/",        2, LOGIC                                                       },
    {"=>",         2, LOGIC                                                       },
    {"\\equiv",    2, LOGIC                                                       },
    {"\\in",       2, PLAIN(2)                                                    },
    {"\\notin",    2, PLAIN(2)                                                    },
    {"\\subseteq", 2, PLAIN(2)                                                    },
    {"\\cup",      2, PLAIN(2)                                                    },
    {"\\cap",      2, PLAIN(2)                                                    },
    {"\\",         2, PLAIN(2)                                                    },
    {"\\X",        2, PLAIN(2)                                                    },
    {"SUBSET",     1, PLAIN(1)                                                    },
    {"UNION",      1, PLAIN(1)                                                    },
    {"DOMAIN",     1, PLAIN(1)                                                    },
    {"'",          1, {LEVEL_ACTION, {LEVEL_STATE, LEVEL_STATE}, {false, false}}  },
    {"UNCHANGED",  1, {LEVEL_ACTION, {LEVEL_STATE, LEVEL_STATE}, {false, false}}  },
    {"ENABLED",    1, {LEVEL_STATE, {LEVEL_ACTION, LEVEL_ACTION}, {false, false}} },
    {"\\cdot",     2, {LEVEL_ACTION, {LEVEL_ACTION, LEVEL_ACTION}, {false, false}}},
    {"[]",         1, TEMPORAL                                                    },
    {"<>",         1, TEMPORAL                                                    },
    {"~>",         2, TEMPORAL                                                    },
    {"-+->",       2, TEMPORAL                                                    },
};

enum { BUILTIN_COUNT = sizeof builtin_names / sizeof builtin_names[0] };

void builtin_init(struct sem *sem)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        struct def *def = def_new(sem, DEF_BUILTIN, str_of(builtin_names[i].name), NULL, NULL);
        def->arity = builtin_names[i].arity;
        def->level = builtin_names[i].levels.level;
        strmap_put(&sem->builtins, def->name, def);
    }
}

struct builtin_levels builtin_levels(struct str name)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        if (str_is(name, builtin_names[i].name)) {
            return builtin_names[i].levels;
        }
    }
    return (struct builtin_levels){
        LEVEL_CONSTANT, {LEVEL_TEMPORAL, LEVEL_TEMPORAL},
         {true,           true          }
    };
}

struct standard_name {
    const char *name;
    const char *module;
};

static const struct standard_name standard_names[] = {
    {"+",              "Naturals"  },
    {"-",              "Naturals"  },
    {"*",              "Naturals"  },
    {"^",              "Naturals"  },
    {"<",              "Naturals"  },
    {">",              "Naturals"  },
    {"\\leq",          "Naturals"  },
    {"\\geq",          "Naturals"  },
    {"%",              "Naturals"  },
    {"\\div",          "Naturals"  },
    {"..",             "Naturals"  },
    {"Nat",            "Naturals"  },
    {"Int",            "Integers"  },
    {"-.",             "Integers"  },
    {"/",              "Reals"     },
    {"Real",           "Reals"     },
    {"Infinity",       "Reals"     },
    {"Seq",            "Sequences" },
    {"Len",            "Sequences" },
    {"\\o",            "Sequences" },
    {"Append",         "Sequences" },
    {"Head",           "Sequences" },
    {"Tail",           "Sequences" },
    {"SubSeq",         "Sequences" },
    {"SelectSeq",      "Sequences" },
    {"IsFiniteSet",    "FiniteSets"},
    {"Cardinality",    "FiniteSets"},
    {":>",             "TLC"       },
    {"@@",             "TLC"       },
    {"Print",          "TLC"       },
    {"PrintT",         "TLC"       },
    {"Assert",         "TLC"       },
    {"JavaTime",       "TLC"       },
    {"TLCGet",         "TLC"       },
    {"TLCSet",         "TLC"       },
    {"Permutations",   "TLC"       },
    {"SortSeq",        "TLC"       },
    {"RandomElement",  "TLC"       },
    {"ToString",       "TLC"       },
    {"TLCEval",        "TLC"       },
    {"Any",            "TLC"       },
    {"(+)",            "Bags"      },
    {"(-)",            "Bags"      },
    {"IsABag",         "Bags"      },
    {"BagToSet",       "Bags"      },
    {"SetToBag",       "Bags"      },
    {"BagIn",          "Bags"      },
    {"EmptyBag",       "Bags"      },
    {"BagCardinality", "Bags"      },
    {"CopiesIn",       "Bags"      },
    {"BagUnion",       "Bags"      },
};

const char *builtin_module_of(struct str name)
{
    for (size_t i = 0; i < sizeof standard_names / sizeof standard_names[0]; i++) {
        if (str_is(name, standard_names[i].name)) {
            return standard_names[i].module;
        }
    }
    return NULL;
}
