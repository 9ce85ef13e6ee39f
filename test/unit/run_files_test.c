/* Cluster files as they are understood: test/corpus/cluster holds files and all that is read of
 * them, with the faults that seeds draw, or the message. Of most only what differs from the
 * smallest file is written. With ASSAY_BLESS set, the expected parts are written anew: review the
 * difference. */
#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/toml.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "run/plan.h"
#include "test.h"
#include "world/world.h"

#define DIR_OF_CASES "test/corpus/cluster"

static const char smallest[] = "[[node]]\nname = \"a\"\nrun = \"x\"\n";

/* ---- all that is read ---- */

static void add_list(struct strbuf *out, const char *name, const char *const *list)
{
    strbuf_printf(out, " %s:", name);
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        strbuf_printf(out, " <%s>", list[i]);
    }
    strbuf_addc(out, '\n');
}

static void add_text(struct strbuf *out, const char *name, const char *text)
{
    strbuf_printf(out, " %s: %s\n", name, text != NULL ? text : "none");
}

static void add_number(struct strbuf *out, const char *name, uint64_t value)
{
    strbuf_printf(out, "%s: %" PRIu64 "\n", name, value);
}

static void add_node(struct strbuf *out, const struct cluster *c, size_t i)
{
    const struct world_node *n = &c->nodes[i];
    strbuf_printf(
        out, "node %s %u.%u.%u.%u%s%s%s%s skew %" PRId64 " drift %" PRId64 " start %" PRIu64 "\n",
        n->name, n->ip >> 24, n->ip >> 16 & 255, n->ip >> 8 & 255, n->ip & 255,
        n->client ? " client" : "", n->manual ? " manual" : "", c->may_fail[i] ? " may fail" : "",
        c->ours[i] ? " ours" : "", n->skew_ns, n->drift_ppm, n->start_ns);
    add_list(out, "argv", c->ours[i] ? n->argv + 1 : n->argv);
    add_list(out, "env", n->env);
    add_list(out, "dirs", n->dirs);
    add_list(out, "shown", n->shown);
    add_text(out, "cwd", n->cwd);
    for (size_t k = 0; k < n->n_files; k++) {
        strbuf_printf(out, " file %s mode %o: %.*s\n", n->files[k].path, n->files[k].mode,
                      (int)n->files[k].n, n->files[k].text);
    }
}

static void add_faults(struct strbuf *out, const struct fault_plan *f)
{
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"kills",         f->kills        },
        {"crashes",       f->crashes      },
        {"pauses",        f->pauses       },
        {"partitions",    f->partitions   },
        {"cuts",          f->cuts         },
        {"jumps",         f->jumps        },
        {"disk",          f->disk         },
        {"drops",         f->drops        },
        {"duplicates",    f->duplicates   },
        {"splits",        f->splits       },
        {"bridges",       f->bridges      },
        {"slow_links",    f->slow_links   },
        {"lossy_links",   f->lossy_links  },
        {"narrow_links",  f->narrow_links },
        {"slow_disks",    f->slow_disks   },
        {"memory",        f->memory       },
        {"process_kills", f->process_kills},
        {"strobes",       f->strobes      },
        {"rolling",       f->rolling      },
        {"from_ns",       f->from_ns      },
        {"to_ns",         f->to_ns        },
        {"min_ns",        f->min_ns       },
        {"max_ns",        f->max_ns       },
        {"reorder_ppm",   f->reorder_ppm  },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        add_number(out, rows[i].name, rows[i].value);
    }
}

static void add_world(struct strbuf *out, const struct cluster *c)
{
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"latency_min_ns",    c->net.latency_min_ns             },
        {"latency_max_ns",    c->net.latency_max_ns             },
        {"udp_loss_ppm",      c->net.udp_loss_ppm               },
        {"udp_dup_ppm",       c->net.udp_dup_ppm                },
        {"loss_ppm",          c->net.loss_ppm                   },
        {"bytes_per_s",       c->net.bytes_per_s                },
        {"memory_bytes",      c->limits.memory_bytes            },
        {"disk_bytes",        c->limits.disk_bytes              },
        {"kernel_bytes",      c->limits.kernel_bytes            },
        {"log_bytes",         c->limits.log_bytes               },
        {"threads",           c->limits.threads                 },
        {"busy_calls",        c->limits.busy_calls              },
        {"spin_ms",           c->limits.spin_ms                 },
        {"compute_ms",        c->limits.compute_ms              },
        {"escape_ms",         c->limits.escape_ms               },
        {"seed",              c->seed                           },
        {"time_ns",           c->time_ns                        },
        {"events_most",       c->events_most                    },
        {"writeback_ns",      c->writeback_ns                   },
        {"seeded_threads",    c->seeded_threads                 },
        {"strict_disk",       c->strict_disk                    },
        {"work",              c->work                           },
        {"independent",       c->independent                    },
        {"dependent",         c->dependent                      },
        {"hwrand",            (uint64_t)c->hwrand               },
        {"stop_with_clients", c->stop_with_clients              },
        {"bare",              c->bare                           },
        {"history",           c->history.on                     },
        {"keyed",             c->history.keyed                  },
        {"clients",           c->history.clients                },
        {"keys",              c->history.options.keys           },
        {"has_total",         c->history.options.has_total      },
        {"total",             (uint64_t)c->history.options.total},
        {"negative",          c->history.options.negative_ok    },
        {"memory",            c->history.options.memory_bytes   },
        {"nodes",             c->n_nodes                        },
        {"sometimes",         c->n_sometimes                    },
        {"scripts",           c->n_scripts                      },
        {"checks",            c->n_checks                       },
        {"events",            c->n_events                       },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        add_number(out, rows[i].name, rows[i].value);
    }
    strbuf_printf(out, "model %s, level %s, workload %s\n",
                  hist_model_name(c->history.options.model),
                  hist_level_name(c->history.options.level),
                  c->history.workload != NULL ? c->history.workload : "none");
    add_list(out, "allow", c->allow);
    for (size_t i = 0; i < c->n_fail_on; i++) {
        strbuf_printf(out, "fail_on <%.*s>\n", STR_ARG(c->fail_on[i]));
    }
}

static void add_others(struct strbuf *out, const struct cluster *c)
{
    for (size_t i = 0; i < c->net.n_messages; i++) {
        const struct world_message *m = &c->net.messages[i];
        strbuf_printf(out, "messages port %u end %u width %u%s%s offset %u extra %" PRId64 " ",
                      m->port, m->end, m->width, m->little ? " little" : "",
                      m->counts_all ? " all" : "", m->offset, m->extra);
        bytes_print((const uint8_t *)m->text, m->text_n, 64, out);
        strbuf_addc(out, '\n');
    }
    for (size_t i = 0; i < c->n_sometimes; i++) {
        const struct cluster_sometimes *s = &c->sometimes[i];
        strbuf_printf(out, "sometimes %s node %d event %s\n", s->name, s->node,
                      s->has_event ? event_name(s->event) : "none");
        add_text(out, "line", s->line);
        add_text(out, "variable", s->variable);
        add_text(out, "equals", s->equals);
        add_text(out, "state", s->state);
        add_text(out, "until", s->until);
    }
    for (size_t i = 0; i < c->n_scripts; i++) {
        strbuf_printf(out, "fault on %u, %u times\n", c->scripts[i].node, c->scripts[i].times);
        add_text(out, "run", c->scripts[i].run);
        add_text(out, "undo", c->scripts[i].undo);
    }
    for (size_t i = 0; i < c->n_checks; i++) {
        strbuf_printf(out, "check %.*s every %u\n", STR_ARG(c->checks[i].name), c->checks[i].every);
        add_list(out, "argv", c->checks[i].argv);
    }
}

static void add_plan(struct strbuf *out, const struct cluster *c, uint64_t seed, bool faults)
{
    struct plan plan = {0};
    plan_make(&plan, c, seed, faults);
    for (size_t i = 0; i < plan.events.n; i++) {
        const struct timed_event *e = &plan.events.v[i];
        strbuf_printf(out, "%s %" PRIu64 ": %" PRIu64 " ", faults ? "seed" : "without faults", seed,
                      e->at_ns);
        event_print(c, &e->event, out);
        strbuf_addc(out, '\n');
    }
    plan_done(&plan);
}

static void print_cluster(struct strbuf *out, const struct cluster *c, bool plans)
{
    add_world(out, c);
    add_faults(out, &c->faults);
    for (size_t i = 0; i < c->n_nodes; i++) {
        add_node(out, c, i);
    }
    add_others(out, c);
    add_plan(out, c, 1, false);
    for (uint64_t seed = 1; plans && seed <= 3; seed++) {
        add_plan(out, c, seed, true);
    }
}

/* ---- what the reader of TOML sees ---- */

static void print_value(struct strbuf *out, const struct toml_value *v);

static void print_pairs(struct strbuf *out, const struct toml_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct toml_pair *pair = &table->pairs[i];
        strbuf_printf(out, "%.*s [%zu, %zu) = ", STR_ARG(pair->key), pair->begin, pair->end);
        print_value(out, &pair->value);
        strbuf_addc(out, '\n');
    }
}

static void print_value(struct strbuf *out, const struct toml_value *v)
{
    strbuf_printf(out, "line %u [%zu, %zu) ", v->line, v->begin, v->end);
    switch (v->kind) {
    case TOML_STRING:
        strbuf_adds(out, "string ");
        bytes_print((const uint8_t *)v->text.p, v->text.n, 200, out);
        break;
    case TOML_NUMBER: strbuf_printf(out, "number %.17g <%.*s>", v->number, STR_ARG(v->text)); break;
    case TOML_BOOL: strbuf_adds(out, v->boolean ? "true" : "false"); break;
    case TOML_ARRAY:
        strbuf_adds(out, "array");
        for (size_t i = 0; i < v->n; i++) {
            strbuf_adds(out, "\n - ");
            print_value(out, &v->items[i]);
        }
        break;
    case TOML_TABLE:
        strbuf_printf(out, "table of line %u {\n", v->table->line);
        print_pairs(out, v->table);
        strbuf_addc(out, '}');
        break;
    }
}

static void print_toml(struct strbuf *out, struct arena *arena, struct str text)
{
    struct toml toml;
    struct err err = {0};
    if (toml_parse(arena, text, &toml, &err) != 0) {
        strbuf_printf(out, "%s\n", err.text);
        return;
    }
    for (size_t i = 0; i < toml.n; i++) {
        const struct toml_table *table = &toml.tables[i];
        strbuf_printf(out, "%s <%.*s> line %u [%zu, %zu)\n", table->element ? "element" : "table",
                      STR_ARG(table->name), table->line, table->begin, table->end);
        print_pairs(out, table);
    }
}

/* ---- cases ---- */

static void add_without(struct strbuf *out, struct str text, const char *dir)
{
    size_t n = strlen(dir);
    for (size_t i = 0; i < text.n; i++) {
        if (n <= text.n - i && memcmp(text.p + i, dir, n) == 0) {
            strbuf_adds(out, "DIR");
            i += n - 1;
        } else {
            strbuf_addc(out, text.p[i]);
        }
    }
}

static void understood(struct strbuf *out, struct str text, bool plans)
{
    char dir[] = "/tmp/assay-cluster-XXXXXX", path[64];
    struct arena arena;
    struct cluster c;
    struct err err = {0};
    SCOPED_STRBUF raw = {0};
    arena_init(&arena, 0);
    CHECK(mkdtemp(dir) != NULL);
    (void)snprintf(path, sizeof path, "%s/c.toml", dir);
    CHECK_EQ(file_write(path, text, &err), 0);
    CHECK_EQ(chmod(path, 0640), 0);
    if (cluster_read(&arena, path, &c, &err) == 0) {
        print_cluster(&raw, &c, plans);
    } else {
        strbuf_printf(&raw, "%s\n", err.text);
    }
    add_without(out, strbuf_str(&raw), dir);
    unlink(path);
    rmdir(dir);
    arena_done(&arena);
}

static struct str next_line(struct str *rest)
{
    const char *newline = memchr(rest->p, '\n', rest->n);
    struct str line = {rest->p, newline != NULL ? (size_t)(newline - rest->p) + 1 : rest->n};
    rest->p += line.n;
    rest->n -= line.n;
    return line;
}

/* The lines of `all` that are not in `known`, in their order. */
static void add_new(struct strbuf *out, struct str all, struct str known)
{
    while (all.n != 0) {
        struct str line = next_line(&all), rest = known;
        bool old = false;
        while (rest.n != 0 && !old) {
            old = str_eq(next_line(&rest), line);
        }
        if (!old) {
            strbuf_addstr(out, line);
        }
    }
}

static bool begins(struct str line, const char *with)
{
    return line.n >= strlen(with) && memcmp(line.p, with, strlen(with)) == 0;
}

/* What is understood of a text, by the title of its case. */
static void result_of(struct str title, struct str text, struct strbuf *out)
{
    if (begins(title, "#### toml")) {
        struct arena arena;
        arena_init(&arena, 0);
        print_toml(out, &arena, text);
        arena_done(&arena);
        return;
    }
    SCOPED_STRBUF all = {0};
    SCOPED_STRBUF known = {0};
    bool whole = begins(title, "#### whole"), bare = begins(title, "#### bare");
    SCOPED_STRBUF full = {0};
    strbuf_addstr(&full, text);
    strbuf_adds(&full, whole || bare ? "" : smallest);
    understood(&known, whole ? STR("") : STR(smallest), false);
    understood(&all, strbuf_str(&full), begins(title, "#### plan"));
    add_new(out, strbuf_str(&all), strbuf_str(&known));
}

/* "#### title", input, "#----", expected. */
static bool run_file(struct arena *arena, const char *path)
{
    struct str text;
    struct err err = {0};
    bool good = true;
    SCOPED_STRBUF blessed = {0};
    CHECK_EQ(file_read(arena, path, 1 << 24, &text, &err), 0);
    struct str line = next_line(&text);
    while (line.n != 0) {
        struct str title = line;
        SCOPED_STRBUF input = {0};
        SCOPED_STRBUF want = {0};
        SCOPED_STRBUF got = {0};
        for (line = next_line(&text); line.n != 0 && !begins(line, "#----");
             line = next_line(&text)) {
            strbuf_addstr(&input, line);
        }
        for (line = next_line(&text); line.n != 0 && !begins(line, "####");
             line = next_line(&text)) {
            strbuf_addstr(&want, line);
        }
        result_of(title, strbuf_str(&input), &got);
        if (!str_eq(strbuf_str(&want), strbuf_str(&got))) {
            fprintf(stderr, "%s: %.*s%.*s#---- expected\n%.*s#---- found\n%.*s", path,
                    STR_ARG(title), STR_ARG(strbuf_str(&input)), STR_ARG(strbuf_str(&want)),
                    STR_ARG(strbuf_str(&got)));
            good = false;
        }
        strbuf_addstr(&blessed, title);
        strbuf_addstr(&blessed, strbuf_str(&input));
        strbuf_adds(&blessed, "#----\n");
        strbuf_addstr(&blessed, strbuf_str(&got));
    }
    if (getenv("ASSAY_BLESS") != NULL) {
        CHECK_EQ(file_write(path, strbuf_str(&blessed), &err), 0);
    }
    return good;
}

TEST(files_are_understood)
{
    struct arena arena;
    bool good = true;
    int n = 0;
    DIR *dir = opendir(DIR_OF_CASES);
    CHECK(dir != NULL);
    arena_init(&arena, 0);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        size_t len = strlen(entry->d_name);
        if (len > 2 && strcmp(entry->d_name + len - 2, ".t") == 0) {
            good =
                run_file(&arena, arena_printf(&arena, DIR_OF_CASES "/%s", entry->d_name)) && good;
            n++;
        }
    }
    closedir(dir);
    arena_done(&arena);
    CHECK(n >= 3);
    CHECK(good || getenv("ASSAY_BLESS") != NULL);
}
