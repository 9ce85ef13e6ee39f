/* Variables of this very program, read by name through its own debug information and
 * /proc/self/mem. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "dwarf/dwarf.h"
#include "test.h"

enum role { FOLLOWER, CANDIDATE = 7, LEADER = 200 };
enum sign { MINUS = -1, PLUS = 1 };
struct entry {
    uint64_t term;
    char command[8];
};
struct node {
    int key;
    struct node *next;
};
struct peer {
    unsigned next_index;
    struct peer *other;
};
struct server {
    enum role role;
    int n;
    struct entry log[4];
    struct peer *peers[3];
    unsigned bits : 3;
    signed minus : 4;
    bool up;
    union {
        int whole;
        unsigned char bytes[4];
    };
    const char *name;
    struct server *self;
    int grid[2][3];
    double load;
    float half;
    long double wide;
    void *nowhere;
    int (*function)(void);
    struct opaque *hidden;
};
/* The optimiser may not think them away. */
#define KEPT __attribute__((used)) static
KEPT struct peer peers[3] = {
    {11, &peers[1]},
    {12, NULL     },
    {13, &peers[0]}
};
KEPT struct node nodes[3] = {
    {1, &nodes[1]},
    {2, &nodes[2]},
    {3, NULL     }
};
KEPT struct node ring[2] = {
    {8, &ring[1]},
    {9, &ring[0]}
};
KEPT struct server self = {
    .role = LEADER,
    .n = 3,
    .log = {{1, "put a"}, {2, "put b"}, {2, "12345678"}, {0, ""}},
    .peers = {&peers[0], &peers[1], &peers[2]},
    .bits = 5,
    .minus = -3,
    .up = true,
    .whole = 0x01020304,
    .name = "server-1",
    .self = &self,
    .grid = {{1, 2, 3}, {4, 5, 6}},
    .load = 0.5,
    .half = 0.25F,
    .wide = 1.5L,
};
typedef const volatile int8_t *tiny_pointer;
KEPT volatile int8_t tiny = -5;
KEPT tiny_pointer tiny_at = &tiny;
KEPT volatile enum sign sign = MINUS;
KEPT volatile enum role odd = (enum role)9;
KEPT volatile uint64_t large = UINT64_MAX;
KEPT volatile __int128 huge = (__int128)-7;
KEPT volatile uint8_t raw[3] = {1, 2, 255};
KEPT volatile char letter = 'x';
KEPT struct node *head = &nodes[0];
KEPT struct node *circle = &ring[0];
KEPT struct node *none;
KEPT const char *const words[2] = {"one", NULL};
KEPT _Thread_local int per_thread = 1;
KEPT uintptr_t wild = 8;
KEPT char **wild_text = (char **)&wild;

struct self {
    struct arena arena;
    struct dwarf *bin;
    struct dwarf_memory memory;
    unsigned reads;
    int fd;
};

static int read_self(void *arg, uint64_t addr, void *buf, size_t n)
{
    struct self *s = arg;
    s->reads++;
    return pread(s->fd, buf, n, (off_t)addr) == (ssize_t)n ? 0 : -1;
}

static void self_open(struct self *s)
{
    struct err err = {0};
    struct str maps;
    arena_init(&s->arena, 0);
    if (dwarf_open("/proc/self/exe", &s->bin, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    s->fd = open("/proc/self/mem", O_RDONLY);
    s->memory.read = read_self;
    s->memory.arg = s;
    CHECK_EQ(file_read(&s->arena, "/proc/self/maps", 1 << 22, &maps, &err), 0);
    CHECK_EQ(dwarf_load_bias(s->bin, maps, NULL, &s->memory.bias, &err), 0);
}

static void self_close(struct self *s)
{
    close(s->fd);
    dwarf_close(s->bin);
    arena_done(&s->arena);
}

/* The value as text, or "error: ..." */
static const char *show(struct self *s, const char *text)
{
    struct err err = {0};
    struct dwarf_path *path = NULL;
    struct dwarf_value *value = NULL;
    if (dwarf_path_new(s->bin, &s->arena, str_of(text), &path, &err) != 0 ||
        dwarf_read(path, &s->memory, NULL, &s->arena, &value, &err) != 0) {
        return arena_printf(&s->arena, "error: %s", err.text);
    }
    struct strbuf out = {.arena = &s->arena};
    dwarf_value_print(&out, value);
    return strbuf_cstr(&out);
}

TEST(values)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"self.n",                                  "3"                                         },
        {"self.role",                               "LEADER"                                    },
        {"odd",                                     "role(9)"                                   },
        {"sign",                                    "MINUS"                                     },
        {"self.log[0..self.n].term",                "[1, 2, 2]"                                 },
        {"self.log[1..self.n-1]",                   "[{term: 2, command: \"put b\"}]"           },
        {"self.log[self.n - 1 + 0].command",        "\"12345678\""                              },
        {"self.log[*].command",                     "[\"put a\", \"put b\", \"12345678\", \"\"]"},
        {"self.peers[2]->next_index",               "13"                                        },
        {"self.peers[2]->other->other->next_index", "12"                                        },
        {"self.peers[0..3].next_index",             "[11, 12, 13]"                              },
        {"*self.peers[1]",                          "{next_index: 12, other: null}"             },
        {"(*self.peers[0]).other.next_index",       "12"                                        },
        {"self.bits",                               "5"                                         },
        {"self.minus",                              "-3"                                        },
        {"self.up",                                 "true"                                      },
        {"self.whole",                              "16909060"                                  },
        {"self.bytes",                              "[4, 3, 2, 1]"                              },
        {"self.name",                               "\"server-1\""                              },
        {"self.self.self->self->n",                 "3"                                         },
        {"self.grid",                               "[[1, 2, 3], [4, 5, 6]]"                    },
        {"self.grid[1][2]",                         "6"                                         },
        {"self.grid[*][1]",                         "[2, 5]"                                    },
        {"self.load",                               "0.5"                                       },
        {"self.half",                               "0.25"                                      },
        {"self.wide",                               "1.5"                                       },
        {"self.nowhere",                            "null"                                      },
        {"*tiny_at",                                "-5"                                        },
        {"tiny",                                    "-5"                                        },
        {"large",                                   "18446744073709551615"                      },
        {"huge",                                    "-7"                                        },
        {"raw",                                     "[1, 2, 255]"                               },
        {"letter",                                  "'x'"                                       },
        {"head@next.key",                           "[1, 2, 3]"                                 },
        {"circle@next.key",                         "[8, 9]"                                    },
        {"none@next.key",                           "[]"                                        },
        {"nodes[1]@next.key",                       "[2, 3]"                                    },
        {"words",                                   "[\"one\", null]"                           },
        {"dwarf_self_test.c:tiny",                  "-5"                                        },
        {"`tiny`",                                  "-5"                                        },
        {" self . n ",                              "3"                                         },
    };
    struct self s = {0};
    self_open(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_STR(show(&s, rows[i].path), rows[i].want);
    }
    self_close(&s);
}

TEST(refusals)
{
    static const struct {
        const char *path, *want; /* a part of the message */
    } rows[] = {
        {"per_thread",                                     "thread-local"                                                          },
        {"nobody",                                         "no global or static variable nobody"                                   },
        {"self.lgo",                                       "`self.lgo', character 5: server has no member lgo (it has role, n, log"},
        {"self.log[9].term",                               "outside of the 4 elements"                                             },
        {"self.log[3..9].term",                            "outside of the 4 elements"                                             },
        {"self.log[3..1]",                                 "[3..1] is not a range"                                                 },
        {"self.log[0-1]",                                  "[-1] is not a position"                                                },
        {"self.n.x",                                       "int has no member x"                                                   },
        {"self.n[0]",                                      "int has no elements"                                                   },
        {"*self.n",                                        "int is not a pointer"                                                  },
        {"*self.nowhere",                                  "void"                                                                  },
        {"none->key",                                      "null"                                                                  },
        {"self.log[0",                                     "] is missing"                                                          },
        {"self..n",                                        "not expected"                                                          },
        {"",                                               "name of a variable is missing"                                         },
        {"self.",                                          "a name is missing"                                                     },
        {"(self",                                          ") is missing"                                                          },
        {"self.log[99999999999999999999]",                 "too large"                                                             },
        {"head[*]",                                        "how many elements"                                                     },
        {"head[0..1000000000].key",                        "more than 65536 values"                                                },
        {"*wild_text",                                     "cannot read"                                                           },
        {"((((((((((((((((((((((((((((((((((((((self))))", "nested too deeply"                                                     },
        {"other.c:tiny",                                   "no global or static variable tiny in a file other.c"                   },
        {"self.log[\"a\"]",                                "a text is not a position"                                              },
        {"`tiny",                                          "backquotes"                                                            },
    };
    struct self s = {0};
    self_open(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got = show(&s, rows[i].path);
        if (strncmp(got, "error: ", 7) != 0 || !strstr(got, rows[i].want)) {
            fprintf(stderr, "%s: got\n  %s\nwant\n  %s\n", rows[i].path, got, rows[i].want);
            exit(1);
        }
    }
    self_close(&s);
}

/* Everything at once: pointers to itself, to nowhere and to unknown types do no harm. */
TEST(whole_structure)
{
    struct self s = {0};
    self_open(&s);
    self.nowhere = &s;
    self.hidden = (struct opaque *)(uintptr_t)16;
    self.function = (int (*)(void))getpid;
    const char *got = show(&s, "self");
    CHECK(strstr(got, "{role: LEADER, n: 3, log: [{term: 1, command: \"put a\"}") == got);
    CHECK(strstr(got, "hidden: 0x10") != NULL);
    CHECK(strstr(got, "self: &{role: LEADER") != NULL);
    /* One system call for the structure and a few for what it points to, not one for each member.
     */
    s.reads = 0;
    (void)show(&s, "self.log");
    CHECK_EQ(s.reads, 1);
    self_close(&s);
}

TEST(limits)
{
    struct self s = {0};
    struct err err = {0};
    struct dwarf_path *path = NULL;
    struct dwarf_value *value = NULL;
    struct dwarf_limits limits = {.values = 5};
    self_open(&s);
    CHECK_EQ(dwarf_path_new(s.bin, &s.arena, STR("self"), &path, &err), 0);
    CHECK_EQ(dwarf_read(path, &s.memory, &limits, &s.arena, &value, &err), -ERR_LIMIT);
    limits = (struct dwarf_limits){.string_bytes = 4};
    CHECK_EQ(dwarf_path_new(s.bin, &s.arena, STR("self.log[0].command"), &path, &err), 0);
    CHECK_EQ(dwarf_read(path, &s.memory, &limits, &s.arena, &value, &err), -ERR_LIMIT);
    CHECK(strstr(err.text, "self.log[0].command: a string of more than 4 bytes") != NULL);
    self_close(&s);
}

TEST(bias)
{
    struct self s = {0};
    struct err err = {0};
    uint64_t bias = 0;
    self_open(&s);
    CHECK_EQ(dwarf_load_bias(s.bin, STR(""), "/nowhere", &bias, &err), -ERR_NOT_FOUND);
    CHECK_EQ(dwarf_load_bias(s.bin, STR("x\n\n-\n12-\n12-13 r--p fffff000 00:00 0 /nowhere"),
                             "/nowhere", &bias, &err),
             -ERR_NOT_FOUND);
    CHECK_EQ(dwarf_load_bias(s.bin, STR("7f0000000000-7f0000001000 r--p 00000000 00:00 0   /x y\n"),
                             "/x y", &bias, &err),
             0);
    CHECK_EQ(bias, 0x7f0000000000);
    self_close(&s);
}

TEST(files)
{
    struct err err = {0};
    struct dwarf *bin = NULL;
    CHECK_EQ(dwarf_open("/nonexistent", &bin, &err), -ERR_IO);
    CHECK_EQ(dwarf_open("/", &bin, &err), -ERR_INVALID);
    CHECK_EQ(dwarf_open("/etc/passwd", &bin, &err), -ERR_INVALID);
    CHECK(strstr(err.text, "not a program") != NULL);
    CHECK_EQ(dwarf_open("/bin/true", &bin, &err), -ERR_UNSUPPORTED);
    CHECK(strstr(err.text, "no debug information: compile it with -g") != NULL);
    per_thread = 2;
}
