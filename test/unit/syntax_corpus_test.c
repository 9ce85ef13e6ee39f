/* The corpus of parses: test/corpus/parse holds inputs and the trees (or first errors) expected of
 * them; test/corpus/diag holds one small module for each code of this room. With ASSAY_BLESS set,
 * the expected parts are written anew: review the difference. */
#include <dirent.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/file.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/parse.h"
#include "syntax/source.h"
#include "test.h"

#define PARSE_DIR "test/corpus/parse"
#define DIAG_DIR  "test/corpus/diag"

static bool has_prefix(struct str s, const char *prefix)
{
    return s.n >= strlen(prefix) && memcmp(s.p, prefix, strlen(prefix)) == 0;
}

static struct str next_line(struct str *rest)
{
    const char *newline = memchr(rest->p, '\n', rest->n);
    struct str line = {rest->p, newline ? (size_t)(newline - rest->p) + 1 : rest->n};
    rest->p += line.n;
    rest->n -= line.n;
    return line;
}

/* What the parser makes of a text: its tree, or the codes and places of its errors with the tree
 * that was kept. */
static void result_of(struct str text, bool module, struct strbuf *out)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    uint32_t next_id = 0;
    struct parse_options options = {.next_id = &next_id};
    const struct source *source = sources_add(&sources, "test.tla", text, false);
    const struct node *node = module ? parse_module(&arena, source, &options, &diags)
                                     : parse_expression(&arena, source, &options, &diags);
    for (size_t i = 0; i < diags.n; i++) {
        struct place place = sources_place(&sources, diags.v[i]->span);
        strbuf_printf(out, "E%04d %u:%u %s\n", (int)diags.v[i]->code, place.line, place.column,
                      diags.v[i]->text);
    }
    if (node) {
        node_print(node, out);
        strbuf_addc(out, '\n');
    }
    arena_done(&arena);
}

/* One record: "#### kind: title", input, "#----", expected. Returns whether it was as expected;
 * `blessed` gets it as it should be. */
static bool run_record(struct str title, struct str *rest, struct strbuf *blessed)
{
    struct strbuf input = {0}, expected = {0}, got = {0};
    strbuf_addstr(blessed, title);
    bool after = false;
    while (rest->n > 0 && !has_prefix(*rest, "####")) {
        struct str line = next_line(rest);
        if (!after) {
            strbuf_addstr(blessed, line);
        }
        if (has_prefix(line, "#----")) {
            after = true;
        } else {
            strbuf_addstr(after ? &expected : &input, line);
        }
    }
    result_of(strbuf_str(&input), has_prefix(title, "#### module:"), &got);
    strbuf_addstr(blessed, strbuf_str(&got));
    bool same = str_eq(strbuf_str(&expected), strbuf_str(&got));
    if (!same && !getenv("ASSAY_BLESS")) {
        fprintf(stderr, "%.*sgot\n%swant\n%s", STR_ARG(title), strbuf_cstr(&got),
                strbuf_cstr(&expected));
    }
    strbuf_done(&input);
    strbuf_done(&expected);
    strbuf_done(&got);
    return same;
}

static int run_file(const char *path)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str text;
    struct err err;
    CHECK(file_read(&arena, path, (size_t)1 << 24, &text, &err) == 0);
    struct strbuf blessed = {0};
    int failed = 0;
    while (text.n > 0) {
        struct str line = next_line(&text);
        if (has_prefix(line, "####")) {
            failed += !run_record(line, &text, &blessed);
        } else {
            strbuf_addstr(&blessed, line);
        }
    }
    if (failed && getenv("ASSAY_BLESS")) {
        CHECK(file_write(path, strbuf_str(&blessed), &err) == 0);
        failed = 0;
    }
    strbuf_done(&blessed);
    arena_done(&arena);
    return failed;
}

TEST(parse_corpus)
{
    DIR *dir = opendir(PARSE_DIR);
    CHECK(dir != NULL);
    int failed = 0, files = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strstr(entry->d_name, ".txt")) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", PARSE_DIR, entry->d_name);
            failed += run_file(path);
            files++;
        }
    }
    closedir(dir);
    CHECK(files > 0);
    CHECK_EQ(failed, 0);
}

static int code_of_first(const char *path)
{
    struct arena arena;
    struct sources sources;
    struct diags diags;
    struct source *source;
    struct err err;
    arena_init(&arena, 0);
    sources_init(&sources, &arena);
    diags_init(&diags, &arena);
    CHECK(sources_load(&sources, path, &source, &err) == 0);
    struct parse_options options = {0};
    (void)parse_module(&arena, source, &options, &diags);
    int code = diags.n > 0 ? (int)diags.v[0]->code : 0;
    arena_done(&arena);
    return code;
}

/* Files named E1xxx and E2xxx: the first diagnostic must have the code in the name. */
TEST(diag_corpus)
{
    DIR *dir = opendir(DIAG_DIR);
    CHECK(dir != NULL);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        int code = 0;
        if (sscanf(entry->d_name, "E%4d_", &code) == 1 && code < 3000 &&
            code != DIAG_PARSE_MODULE_NAME) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", DIAG_DIR, entry->d_name);
            if (code_of_first(path) != code) {
                fprintf(stderr, "%s gives E%04d\n", path, code_of_first(path));
            }
            CHECK_EQ(code_of_first(path), code);
            files++;
        }
    }
    closedir(dir);
    CHECK(files > 0);
}
