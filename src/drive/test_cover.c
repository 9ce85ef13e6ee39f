/* `assay test`: which code of the programs the suite has executed. Workers leave files with counts
 * (observe/gcov.h); gcov(1) of the compiler, llvm-cov(1), or Python says to which lines and
 * functions they belong; those of Go say it themselves. What several workers or programs have of a
 * source file is added up.
 *
 * Workers write their counts again and again, with the number of cases in them: a run that is
 * killed has lost those since the last time, and the one that goes on says so. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "drive/test.h"

enum { NAMES_MOST = 12 }; /* functions that are listed of a file */

static const char *root_dir(const struct test_cmd *cmd, struct arena *arena)
{
    return path_join(arena, cmd->o.out, "coverage");
}

/* Directories are called RUN-WORKER. */
static void note_run(void *arg, const char *name)
{
    unsigned *last = arg, run = (unsigned)strtoul(name, NULL, 10);
    *last = run > *last ? run : *last;
}

void test_cover_begin(struct test_cmd *cmd)
{
    struct err err = {0};
    const char *dir = root_dir(cmd, &cmd->arena);
    test_cover_forget(cmd);
    cmd->cover_run = 0;
    if (!cmd->resume && file_exists(dir) && dir_remove(dir, &err) != 0) {
        strbuf_adds(&cmd->code_trouble, err.text);
    }
    if (file_exists(dir)) {
        dir_each(dir, note_run, &cmd->cover_run);
    }
    cmd->cover_run++;
}

void test_cover_dir(const struct test_cmd *cmd, unsigned worker, struct strbuf *out)
{
    strbuf_printf(out, "%s/coverage/%u-%u", cmd->o.out, cmd->cover_run, worker + 1);
}

int test_cover_cases(const char *dir, size_t cases, struct err *err)
{
    SCOPED_STRBUF text = {0}, path = {0};
    if (!file_exists(dir)) {
        return 0; /* nothing counts */
    }
    strbuf_printf(&text, "%zu\n", cases);
    strbuf_printf(&path, "%s/cases", dir);
    return file_write(strbuf_cstr(&path), strbuf_str(&text), err);
}

void test_cover_forget(struct test_cmd *cmd)
{
    for (size_t i = 0; i < cmd->code.n; i++) {
        struct cover_file *f = &cmd->code.v[i];
        for (size_t k = 0; k < f->functions.n; k++) {
            vec_release(f->functions.v[k].name);
        }
        vec_release(f->name);
        VEC_DONE(&f->lines);
        VEC_DONE(&f->functions);
    }
    VEC_DONE(&cmd->code);
    cmd->code_cases = 0;
    strbuf_done(&cmd->code_trouble);
}

/* ---- what gcov says ---- */

static struct cover_file *file_named(struct test_cmd *cmd, const char *name)
{
    for (size_t i = 0; i < cmd->code.n; i++) {
        if (strcmp(cmd->code.v[i].name, name) == 0) {
            return &cmd->code.v[i];
        }
    }
    VEC_PUSH(&cmd->code, (struct cover_file){.name = str_heap(name)});
    return &VEC_LAST(&cmd->code);
}

static void count_line(struct cover_file *f, uint32_t line, uint64_t count)
{
    size_t i = f->lines.n; /* they come in order, most often */
    while (i > 0 && f->lines.v[i - 1].line >= line) {
        i--;
    }
    if (i == f->lines.n || f->lines.v[i].line != line) {
        VEC_PUSH(&f->lines, ((struct cover_line){line, 0}));
        for (size_t k = f->lines.n - 1; k > i; k--) {
            f->lines.v[k] = f->lines.v[k - 1];
        }
        f->lines.v[i] = (struct cover_line){line, 0};
    }
    f->lines.v[i].count += count;
}

static void add_line(struct cover_file *f, const json_t *json)
{
    count_line(f, (uint32_t)json_integer_value(json_object_get(json, "line_number")),
               (uint64_t)json_integer_value(json_object_get(json, "count")));
}

static void add_function(struct cover_file *f, const json_t *json)
{
    const char *name = test_text(json, "demangled_name");
    uint64_t count = (uint64_t)json_integer_value(json_object_get(json, "execution_count"));
    uint32_t line = (uint32_t)json_integer_value(json_object_get(json, "start_line"));
    for (size_t i = 0; i < f->functions.n; i++) {
        if (f->functions.v[i].line == line && strcmp(f->functions.v[i].name, name) == 0) {
            f->functions.v[i].count += count;
            return;
        }
    }
    VEC_PUSH(&f->functions, ((struct cover_function){str_heap(name), line, count}));
}

static void take_document(struct test_cmd *cmd, char *text)
{
    json_t *root = json_loads(text, 0, NULL);
    size_t i = 0, k = 0;
    const json_t *file = NULL, *part = NULL;
    json_array_foreach(json_object_get(root, "files"), i, file)
    {
        const char *name = test_text(file, "file");
        if (strncmp(name, "/usr/include/", 13) == 0 || strncmp(name, "/usr/lib/", 9) == 0) {
            continue;
        }
        struct cover_file *f = file_named(cmd, name);
        json_array_foreach(json_object_get(file, "lines"), k, part)
        {
            add_line(f, part);
        }
        json_array_foreach(json_object_get(file, "functions"), k, part)
        {
            add_function(f, part);
        }
    }
    json_decref(root);
}

/* A word for the shell. */
static void quote(const char *text, struct strbuf *out)
{
    strbuf_addc(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            strbuf_adds(out, "'\\''");
        } else {
            strbuf_addc(out, *text);
        }
    }
    strbuf_addc(out, '\'');
}

/* What a command says in this directory, line by line. */
static void ask(struct test_cmd *cmd, const char *dir, const char *tool, const char *words,
                void (*take)(struct test_cmd *cmd, char *line))
{
    SCOPED_STRBUF command = {0};
    strbuf_adds(&command, "cd ");
    quote(dir, &command);
    strbuf_printf(&command, " && %s", words);
    FILE *from = popen(strbuf_cstr(&command), "re"); /* NOLINT(cert-env33-c): known commands */
    char *line = NULL;
    size_t cap = 0;
    while (from != NULL && getline(&line, &cap, from) > 0) {
        take(cmd, line);
    }
    vec_release(line);
    int status = from != NULL ? pclose(from) : -1;
    if (status != 0) {
        strbuf_reset(&cmd->code_trouble);
        strbuf_printf(&cmd->code_trouble,
                      "%s ended with status %d: see %s/%s.err, the counts are beside it", tool,
                      WIFEXITED(status) ? WEXITSTATUS(status) : -1, dir, tool);
    }
}

/* ---- what llvm-cov says (the format of lcov) ---- */

static void take_function(struct cover_file *f, const char *name, uint32_t line, uint64_t count)
{
    for (size_t i = 0; i < f->functions.n; i++) {
        struct cover_function *fn = &f->functions.v[i];
        if (strcmp(fn->name, name) == 0 && (line == 0 || fn->line == line)) {
            fn->count += count;
            return;
        }
    }
    if (line != 0) {
        VEC_PUSH(&f->functions, ((struct cover_function){str_heap(name), line, 0}));
    }
}

/* Static functions are called FILE:NAME. */
static const char *without_file(const char *name)
{
    const char *dot = strstr(name, ".c:");
    return dot != NULL ? dot + 3 : name;
}

static void take_lcov(struct test_cmd *cmd, char *line)
{
    char *end = NULL;
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "SF:", 3) == 0) {
        cmd->cover_file = (size_t)(file_named(cmd, line + 3) - cmd->code.v);
        return;
    }
    if (cmd->cover_file >= cmd->code.n) {
        return;
    }
    struct cover_file *f = &cmd->code.v[cmd->cover_file];
    if (strncmp(line, "FN:", 3) == 0) {
        uint32_t at = (uint32_t)strtoul(line + 3, &end, 10);
        take_function(f, without_file(end + (*end == ',' ? 1 : 0)), at, 0);
    } else if (strncmp(line, "FNDA:", 5) == 0) {
        uint64_t count = strtoull(line + 5, &end, 10);
        take_function(f, without_file(end + (*end == ',' ? 1 : 0)), 0, count);
    } else if (strncmp(line, "DA:", 3) == 0) {
        uint32_t at = (uint32_t)strtoul(line + 3, &end, 10);
        count_line(f, at, *end == ',' ? strtoull(end + 1, NULL, 10) : 0);
    }
}

/* ---- what Python says (the same format) ---- */

/* Which lines have statements, and which of them are in which function: coverage.py and Python's
 * own parser know. A statement of several lines counts with its first one. The hook of setuptools
 * runs before coverage.py chooses files. */
static const char python_words[] =
    "import ast, sys, coverage\n"
    "seen, name = {}, None\n"
    "for line in open('python.seen', errors='surrogateescape'):\n"
    "    kind, _, rest = line.rstrip('\\n').partition(':')\n"
    "    if kind == 'SF': name = rest\n"
    "    else: n, _, count = rest.partition(','); seen.setdefault(name, {})[int(n)] = int(count)\n"
    "sys.stdout.reconfigure(errors='surrogateescape')\n"
    "for name, lines in seen.items():\n"
    "    if '/_distutils_hack/' in name: continue\n"
    "    cov = coverage.Coverage(data_file=None, config_file=False)\n"
    "    cov.get_data().add_lines({name: list(lines)})\n"
    "    try: _, all_of, _, missing, _ = cov.analysis2(name)\n"
    "    except coverage.CoverageException as e: sys.exit('%s: %s' % (name, e))\n"
    "    print('SF:' + name)\n"
    "    def count(line): return 0 if line in missing else lines.get(line, 1)\n"
    "    for line in all_of: print('DA:%d,%d' % (line, count(line)))\n"
    "    def walk(node, outer):\n"
    "        for part in ast.iter_child_nodes(node):\n"
    "            inner = outer\n"
    "            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):\n"
    "                inner = outer + part.name + '.'\n"
    "                first = [s for s in part.body if s.lineno in all_of]\n"
    "                if first and not isinstance(part, ast.ClassDef):\n"
    "                    print('FN:%d,%s' % (part.lineno, inner[:-1]))\n"
    "                    print('FNDA:%d,%s' % (count(first[0].lineno), inner[:-1]))\n"
    "            walk(part, inner)\n"
    "    walk(ast.parse(open(name, 'rb').read()), '')\n";

static void ask_python(struct test_cmd *cmd, const char *dir)
{
    SCOPED_STRBUF words = {0};
    strbuf_adds(&words, "\"$(cat python.program)\" -c ");
    quote(python_words, &words);
    strbuf_adds(&words, " 2>python.err");
    cmd->cover_file = SIZE_MAX;
    ask(cmd, dir, "python", strbuf_cstr(&words), take_lcov);
}

struct asking {
    struct test_cmd *cmd;
    const char *dir; /* of a worker */
    bool gcov;
};

/* That of Go is written by us. */
static void take_lcov_file(struct test_cmd *cmd, const char *path)
{
    struct str text;
    struct err err;
    if (file_read(&cmd->arena, path, SIZE_MAX / 2, &text, &err) != 0) {
        strbuf_reset(&cmd->code_trouble);
        strbuf_adds(&cmd->code_trouble, err.text);
        return;
    }
    char *copy = arena_strndup(&cmd->arena, text.p, text.n), *rest = NULL;
    cmd->cover_file = SIZE_MAX;
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        take_lcov(cmd, line);
    }
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

/* Tools of the version that has written the format. */
static void ask_of_file(void *arg, const char *name)
{
    struct asking *a = arg;
    SCOPED_STRBUF words = {0};
    a->gcov = a->gcov || ends_in(name, ".gcda");
    if (ends_in(name, ".lcov")) {
        take_lcov_file(a->cmd, path_join(&a->cmd->arena, a->dir, name));
    }
    if (strcmp(name, "python.seen") == 0) {
        ask_python(a->cmd, a->dir);
    }
    if (!ends_in(name, ".profraw")) {
        return;
    }
    int n = (int)(strlen(name) - strlen(".profraw"));
    strbuf_printf(&words,
                  "for v in '' -22 -21 -20 -19 -18 -17 -16 -15 -14; do "
                  "command -v llvm-profdata$v >/dev/null && command -v llvm-cov$v >/dev/null && "
                  "llvm-profdata$v merge -o %.*s.profdata %.*s.profraw 2>>llvm-cov.err && exec "
                  "llvm-cov$v export -format=lcov -instr-profile=%.*s.profdata \"$(cat "
                  "%.*s.program)\" 2>>llvm-cov.err; done; exit 1",
                  n, name, n, name, n, name, n, name);
    a->cmd->cover_file = SIZE_MAX;
    ask(a->cmd, a->dir, "llvm-cov", strbuf_cstr(&words), take_lcov);
}

static void ask_of_worker(void *arg, const char *name)
{
    struct asking *a = arg;
    struct test_cmd *cmd = a->cmd;
    struct str text;
    struct err unused;
    if (name[0] == '.') {
        return;
    }
    struct asking one = {cmd, path_join(&cmd->arena, a->dir, name), false};
    dir_each(one.dir, ask_of_file, &one);
    if (one.gcov) {
        ask(cmd, one.dir, "gcov", "gcov -t -j -- *.gcda 2>gcov.err", take_document);
    }
    const char *cases = path_join(&cmd->arena, one.dir, "cases");
    if (file_read(&cmd->arena, cases, 64, &text, &unused) == 0) {
        cmd->code_cases += strtoull(text.p, NULL, 10);
    }
}

void test_cover_read(struct test_cmd *cmd)
{
    struct asking a = {cmd, root_dir(cmd, &cmd->arena), false};
    if (file_exists(a.dir)) {
        dir_each(a.dir, ask_of_worker, &a);
    }
}

/* ---- telling ---- */

static size_t reached_lines(const struct cover_file *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->lines.n; i++) {
        n += f->lines.v[i].count != 0 ? 1 : 0;
    }
    return n;
}

static void put_never(const struct cover_file *f, struct strbuf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < f->functions.n; i++) {
        if (f->functions.v[i].count == 0 && n++ < NAMES_MOST) {
            strbuf_printf(out, "%s%s", n == 1 ? "; never reached: " : ", ", f->functions.v[i].name);
        }
    }
    if (n > NAMES_MOST) {
        strbuf_printf(out, " and %zu more", n - NAMES_MOST);
    }
}

void test_cover_text(const struct test_cmd *cmd, struct strbuf *out)
{
    for (size_t i = 0; i < cmd->code.n; i++) {
        const struct cover_file *f = &cmd->code.v[i];
        if (f->lines.n == 0) {
            continue;
        }
        size_t n = reached_lines(f);
        strbuf_printf(out, "code: the suite exercises %zu%% of %s (%zu of %zu lines)",
                      n * 100 / f->lines.n, f->name, n, f->lines.n);
        put_never(f, out);
        strbuf_addc(out, '\n');
    }
    size_t known = 0;
    for (size_t i = 0; i < cmd->suite->n; i++) {
        const struct test_outcome *o = &cmd->outcomes[i];
        known += o->known && o->done + o->again != 0 ? 1 : 0;
    }
    if (cmd->code.n != 0 && cmd->code_cases < known) {
        strbuf_printf(out,
                      "code: %zu of %zu cases are not counted: the last ones of a run that was "
                      "killed\n",
                      known - (size_t)cmd->code_cases, known);
    }
    if (cmd->code_trouble.n != 0) {
        strbuf_printf(out, "code: not all is known: %.*s\n", (int)cmd->code_trouble.n,
                      cmd->code_trouble.p);
    }
}

json_t *test_cover_json(const struct test_cmd *cmd)
{
    json_t *list = cmd->code.n != 0 ? json_array() : NULL;
    for (size_t i = 0; i < cmd->code.n; i++) {
        const struct cover_file *f = &cmd->code.v[i];
        json_t *functions = json_array(), *missed = json_array();
        for (size_t k = 0; k < f->functions.n; k++) {
            const struct cover_function *fn = &f->functions.v[k];
            (void)json_array_append_new(functions, json_pack("{s:s, s:I, s:I}", "name", fn->name,
                                                             "line", (json_int_t)fn->line, "count",
                                                             (json_int_t)fn->count));
        }
        for (size_t k = 0; k < f->lines.n; k++) {
            if (f->lines.v[k].count == 0) {
                (void)json_array_append_new(missed, json_integer((json_int_t)f->lines.v[k].line));
            }
        }
        (void)json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:o, s:o}", "file", f->name,
                                                    "lines", (json_int_t)reached_lines(f),
                                                    "lines_of", (json_int_t)f->lines.n, "functions",
                                                    functions, "lines_missed", missed));
    }
    return list;
}
