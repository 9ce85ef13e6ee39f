/* From the text of a file to its new text: where the algorithm is, where its translation belongs,
 * and the steps between. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

enum { VERSION_15 = 1500 };

/* ---- messages ---- */
void pluscal_print(enum pluscal_kind kind, struct str text, struct strbuf *out)
{
    switch (kind) {
    case PLUSCAL_INFO: strbuf_printf(out, "%.*s\n", STR_ARG(text)); break;
    case PLUSCAL_WARNING: strbuf_printf(out, "Warning: %.*s\n", STR_ARG(text)); break;
    case PLUSCAL_ERROR:
        strbuf_printf(out, "\nUnrecoverable error:\n -- %.*s.\n\n", STR_ARG(text));
        break;
    }
}

void pcal_say(const struct pcal *p, enum pluscal_kind kind, const char *fmt, ...)
{
    if (p->sink == NULL || p->sink->say == NULL) {
        return;
    }
    struct strbuf text = {.arena = p->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    p->sink->say(p->sink->arg, kind, strbuf_str(&text));
}

void pcal_fail(struct pcal *p, const struct node *at, const char *fmt, ...)
{
    if (p->failed) {
        return;
    }
    struct strbuf text = {.arena = p->arena};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    if (at != NULL && at->line != 0) {
        strbuf_printf(&text, "\n    at %s", pcal_node_place(p->arena, at));
    }
    p->failed = true;
    p->error = strbuf_str(&text);
}

void pcal_bug(struct pcal *p, const char *what)
{
    pcal_fail(p, NULL, "The PlusCal translator cannot do this: %s", what);
}

static void tell_failure(const struct pcal *p)
{
    pcal_say(p, PLUSCAL_ERROR, "%.*s", STR_ARG(p->error));
}

void pcal_init(struct pcal *p, struct arena *arena, struct pluscal_options *options,
               const struct pluscal_sink *sink)
{
    *p = (struct pcal){.arena = arena,
                       .options = options,
                       .sink = sink,
                       .procedures = pcal_nodes_new(arena),
                       .next_label = 1};
}

/* ---- places in the text ---- */
long pcal_find_words(const struct lines *lines, size_t from, const char *first, const char *second)
{
    for (size_t i = from; i < lines->n; i++) {
        struct u16s line = lines->v[i];
        long col = pcal_u16_find(line, first);
        if (col < 0) {
            continue;
        }
        size_t next = (size_t)col + strlen(first);
        while (next < line.n && line.v[next] == ' ') {
            next++;
        }
        if (next < line.n && (long)next == pcal_u16_find(line, second)) {
            return (long)i;
        }
    }
    return -1;
}

struct algorithm pcal_find_algorithm(const struct lines *lines)
{
    static const char plain[] = "--algorithm", fair[] = "--fair";
    for (size_t i = 0; i < lines->n; i++) {
        long col = pcal_u16_find(lines->v[i], plain);
        if (col >= 0) {
            return (struct algorithm){i, (size_t)col + strlen(plain), true, false};
        }
        col = pcal_u16_find(lines->v[i], fair);
        if (col >= 0) {
            return (struct algorithm){i, (size_t)col + strlen(fair), true, true};
        }
    }
    return (struct algorithm){0};
}

/* The line on which the comment ends that the algorithm is in, and the column behind its end. */
static bool find_comment_end(const struct lines *lines, const struct algorithm *algorithm,
                             size_t *ret_line, size_t *ret_col)
{
    int depth = 1;
    size_t col = algorithm->col;
    for (size_t i = algorithm->line; i < lines->n; i++, col = 0) {
        struct u16s line = lines->v[i];
        while (col + 1 < line.n) {
            bool opens = line.v[col] == '(' && line.v[col + 1] == '*';
            bool closes = line.v[col] == '*' && line.v[col + 1] == ')';
            depth += opens - closes;
            col += opens || closes ? 2 : 1;
            if (depth == 0) {
                *ret_line = i;
                *ret_col = col;
                return true;
            }
        }
    }
    return false;
}

static bool only_comment(struct u16s line, size_t col)
{
    while (col < line.n && line.v[col] <= ' ') {
        col++;
    }
    return col == line.n || pcal_u16_starts(line, col, "\\*");
}

/* ---- the steps ---- */
struct node *pcal_parse(struct pcal *p, const struct algorithm *algorithm)
{
    p->omit_pc = p->omit_stuttering = p->options->version >= VERSION_15;
    pcal_scan_begin(p, algorithm->line, algorithm->col);
    struct node *root = pcal_parse_algorithm(p, algorithm->fair);
    if (p->failed) {
        tell_failure(p);
    }
    return root;
}

bool pcal_finish(struct pcal *p, struct node *root, struct strs *ret_lines)
{
    struct names *names = pcal_names_resolve(p, root);
    struct node *exploded = p->failed ? NULL : pcal_explode(p, root, names);
    if (!p->failed) {
        pcal_generate(p, exploded, names, ret_lines);
    }
    if (!p->failed && p->has_default) {
        pcal_names_check_default(p, names);
    }
    if (p->failed) {
        tell_failure(p);
    }
    return !p->failed;
}

/* ---- the file ---- */
struct file {
    struct pcal pcal;
    struct strs text; /* its lines, as they were */
    size_t begin;     /* the line BEGIN TRANSLATION */
    struct algorithm algorithm;
};

static const char BEGIN_LINE[] =
    "\\* BEGIN TRANSLATION (chksum(pcal) = \"ffffffff\" /\\ chksum(tla) = \"ffffffff\")";
static const char END_LINE[] = "\\* END TRANSLATION ";

/* Takes the old translation out of the text. */
static bool drop_translation(struct file *f, bool *ret_found)
{
    struct pcal *p = &f->pcal;
    long begin = pcal_find_words(&p->lines, 0, "BEGIN", "TRANSLATION");
    *ret_found = begin >= 0;
    if (begin < 0) {
        return true;
    }
    f->begin = (size_t)begin;
    long end = pcal_find_words(&p->lines, f->begin + 1, "END", "TRANSLATION");
    if (end < 0) {
        pcal_say(p, PLUSCAL_ERROR, "No line containing `END TRANSLATION");
        return false;
    }
    size_t n = p->lines.n - (size_t)end;
    memmove(p->lines.v + begin + 1, p->lines.v + end, n * sizeof *p->lines.v);
    memmove(f->text.v + begin + 1, f->text.v + end, n * sizeof *f->text.v);
    p->lines.n = f->text.n = f->begin + 1 + n;
    return true;
}

static bool add_translation(struct file *f)
{
    struct pcal *p = &f->pcal;
    size_t line = 0, col = 0;
    if (!find_comment_end(&p->lines, &f->algorithm, &line, &col)) {
        pcal_say(p, PLUSCAL_ERROR, "Algorithm not in properly terminated comment");
        return false;
    }
    if (!only_comment(p->lines.v[line], col)) {
        pcal_say(p, PLUSCAL_ERROR,
                 "Text on same line following `*)' that ends the \n   comment containing the "
                 "algorithm.");
        return false;
    }
    pcal_strs_insert(p->arena, &f->text, line + 1, str_of(BEGIN_LINE));
    pcal_strs_insert(p->arena, &f->text, line + 2, str_of(END_LINE));
    pcal_lines_insert(p->arena, &p->lines, line + 1,
                      pcal_u16_of(p->arena, STR("\\* BEGIN TRANSLATION")));
    pcal_lines_insert(p->arena, &p->lines, line + 2,
                      pcal_u16_of(p->arena, STR("\\* END TRANSLATION")));
    f->begin = line + 1;
    return true;
}

/* The line BEGIN TRANSLATION with new checksums, if it has any. */
static struct str begin_line(struct file *f, const struct node *root, const struct strs *lines)
{
    struct pcal *p = &f->pcal;
    struct str line = f->text.v[f->begin];
    struct checksums sums;
    if (!pcal_checksums_find(line, &sums)) {
        return line;
    }
    struct strbuf out = {.arena = p->arena};
    const char *at = line.p;
    if (sums.pcal.p != NULL) {
        strbuf_add(&out, at, (size_t)(sums.pcal.p - at));
        strbuf_addstr(&out, pcal_checksum_of_tree(p, root, f->algorithm.fair));
        at = sums.pcal.p + sums.pcal.n;
    }
    if (sums.tla.p != NULL) {
        strbuf_add(&out, at, (size_t)(sums.tla.p - at));
        strbuf_addstr(&out, pcal_checksum_of_lines(p->arena, lines->v, lines->n));
        at = sums.tla.p + sums.tla.n;
    }
    strbuf_add(&out, at, (size_t)(line.p + line.n - at));
    return strbuf_str(&out);
}

/* The tree as a module: what -writeAST writes. */
static struct str ast_module(struct pcal *p, const struct node *root)
{
    static const char *const fairness[] = {"", "wf", "sf", "wfNext", "nof"};
    struct strbuf out = {.arena = p->arena};
    strbuf_printf(&out, "------ MODULE AST -------\nEXTENDS TLC\nfairness == \"%s\"\n \nast == \n",
                  fairness[p->options->fairness]);
    pcal_tree_print(root, p->options, &out);
    strbuf_adds(&out, "\n==========================\n");
    return strbuf_str(&out);
}

static struct str joined(struct file *f, struct str begin, const struct strs *lines)
{
    struct strbuf out = {.arena = f->pcal.arena};
    for (size_t i = 0; i < f->text.n; i++) {
        strbuf_addstr(&out, i == f->begin ? begin : f->text.v[i]);
        strbuf_addc(&out, '\n');
        for (size_t k = 0; i == f->begin && k < lines->n; k++) {
            strbuf_addstr(&out, lines->v[k]);
            strbuf_addc(&out, '\n');
        }
    }
    return strbuf_str(&out);
}

static bool locate(struct file *f)
{
    struct pcal *p = &f->pcal;
    bool found = false;
    pcal_text_options(p);
    if (p->options->spec != SPEC_NONE) {
        pcal_say(p, PLUSCAL_ERROR,
                 "The options -spec, -myspec, -spec2 and -myspec2, by which a specification "
                 "translates, are not supported");
        return false;
    }
    if (!drop_translation(f, &found)) {
        return false;
    }
    f->algorithm = pcal_find_algorithm(&p->lines);
    if (!f->algorithm.found) {
        pcal_say(p, PLUSCAL_ERROR, "Beginning of algorithm string --algorithm not found.");
        return false;
    }
    if (!found && !add_translation(f)) {
        return false;
    }
    if (!pcal_uncomment(p, f->algorithm.line, f->algorithm.col)) {
        tell_failure(p);
        return false;
    }
    return true;
}

bool pluscal_translate(struct arena *arena, struct str text, struct pluscal_options *options,
                       const struct pluscal_sink *sink, struct pluscal_result *ret_result)
{
    struct file f = {0};
    struct strs lines = {0};
    struct pcal *p = &f.pcal;
    *ret_result = (struct pluscal_result){0};
    pcal_init(p, arena, options, sink);
    pcal_lines_cut(arena, text, &f.text);
    pcal_lines_read(arena, &f.text, &p->lines);
    if (!locate(&f)) {
        return false;
    }
    struct node *root = pcal_parse(p, &f.algorithm);
    if (root == NULL) {
        return false;
    }
    pcal_say(p, PLUSCAL_INFO, "Parsing completed.");
    if (options->write_ast) {
        ret_result->ast = ast_module(p, root);
        return true;
    }
    if (!pcal_finish(p, root, &lines)) {
        return false;
    }
    ret_result->module = joined(&f, begin_line(&f, root, &lines), &lines);
    ret_result->default_values = p->has_default;
    pcal_say(p, PLUSCAL_INFO, "Translation completed.");
    return true;
}
