/* Diagnostics in SANY's layout. Our own texts go into it: the places and the framing lines are what
 * tools look for. */
#include "tlc/sany.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "job/load.h"
#include "sem/sem.h"
#include "syntax/ast.h"
#include "syntax/diag.h"
#include "syntax/source.h"
#include "tlc/tlc.h"

/* Modules that SANY does not lint. */
static const char *const standard_modules[] = {"Naturals",  "Integers",      "Reals", "ProtoReals",
                                               "Sequences", "FiniteSets",    "Bags",  "TLC",
                                               "RealTime",  "Randomization", NULL};

void sany_parsing(const char *path, bool builtin, struct strbuf *out)
{
    struct str base = path_base(str_of(path));
    bool suffix = base.n > 4 && memcmp(base.p + base.n - 4, ".tla", 4) == 0;
    if (builtin) {
        strbuf_printf(out,
                      "Parsing file /assay/StandardModules/%.*s%s "
                      "(jar:file:/assay/tla2tools.jar!/tla2sany/StandardModules/%.*s%s)\n",
                      STR_ARG(base), suffix ? "" : ".tla", STR_ARG(base), suffix ? "" : ".tla");
        return;
    }
    char real[PATH_MAX];
    strbuf_printf(out, "Parsing file %s\n", realpath(path, real) != NULL ? real : path);
}

void sany_analysed(const char *module, struct strbuf *out)
{
    strbuf_printf(out, "Semantic processing of module %s\n", module);
}

static bool is_standard(struct str name)
{
    for (size_t i = 0; standard_modules[i] != NULL; i++) {
        if (str_is(name, standard_modules[i])) {
            return true;
        }
    }
    return false;
}

struct lint_text {
    const struct spec *spec;
    struct strbuf *out;
};

static void print_clash(void *arg, const struct lint_clash *clash)
{
    struct lint_text *text = arg;
    struct str name = clash->name;
    tlc_place(text->spec, clash->field, text->out);
    strbuf_printf(text->out,
                  "\n\nThe field name \"%.*s\" in the record constructor is identical to the "
                  "existing definition or declaration\nnamed %.*s, located at ",
                  STR_ARG(name), STR_ARG(name));
    tlc_place(text->spec, clash->def->decl->span, text->out);
    strbuf_printf(text->out,
                  ".\nThe field in the record will not take the value of the %.*s definition or "
                  "declaration.\nIn TLA+, field names in records are strings, regardless of any "
                  "similarly named declarations or definitions.\nTherefore, DOMAIN [%.*s |-> ...] "
                  "= {\"%.*s\"} holds true.\n\n\n\n",
                  STR_ARG(name), STR_ARG(name), STR_ARG(name));
}

void sany_linting(const struct spec *spec, struct strbuf *out)
{
    struct lint_text text = {spec, out};
    for (size_t i = 0; i < spec->program.norder; i++) {
        struct str name = spec->program.order[i]->name;
        if (!is_standard(name)) {
            strbuf_printf(out, "Linting of module %.*s\n", STR_ARG(name));
        }
    }
    for (size_t i = 0; i < spec->program.norder; i++) {
        if (!is_standard(spec->program.order[i]->name)) {
            module_lint(spec->program.order[i], print_clash, &text);
        }
    }
}

/* ---- diagnostics ---- */
enum diag_class { CLASS_LEXICAL, CLASS_PARSE, CLASS_FATAL, CLASS_SEMANTIC };

static enum diag_class class_of(const struct diag *diag)
{
    if (diag->code == DIAG_MODULE_NOT_FOUND || diag->code == DIAG_MODULE_CYCLE ||
        diag->code == DIAG_PARSE_MODULE_NAME) {
        return CLASS_FATAL;
    }
    if (diag->code < 2000) {
        return CLASS_LEXICAL;
    }
    return diag->code < 3000 ? CLASS_PARSE : CLASS_SEMANTIC;
}

/* The text at a span. */
static struct str span_text(const struct spec *spec, const struct diag *diag)
{
    const struct source *source =
        diag->has_span ? sources_get(&spec->sources, diag->span.file) : NULL;
    if (source == NULL || diag->span.end > source->text.n || diag->span.begin >= diag->span.end) {
        return STR("");
    }
    return (struct str){source->text.p + diag->span.begin, diag->span.end - diag->span.begin};
}

static struct str file_module(const struct spec *spec, const struct diag *diag)
{
    const struct source *source =
        diag->has_span ? sources_get(&spec->sources, diag->span.file) : NULL;
    struct str name = path_base(str_of(source != NULL ? source->path : spec->module_path));
    if (name.n > 4 && memcmp(name.p + name.n - 4, ".tla", 4) == 0) {
        name.n -= 4;
    }
    return name;
}

static struct str module_of(const struct spec *spec, const struct diag *diag)
{
    return diag->module != NULL ? str_of(diag->module) : file_module(spec, diag);
}

/* The text at a span, and the word before it. */
static void write_encountered(const struct spec *spec, const struct diag *diag, struct place place,
                              struct strbuf *out)
{
    const struct source *source = sources_get(&spec->sources, diag->span.file);
    struct str here = {"<EOF>", 5};
    struct str before = {"", 0};
    if (source != NULL && diag->span.begin < source->text.n) {
        size_t end = diag->span.end < source->text.n ? diag->span.end : source->text.n;
        here = (struct str){source->text.p + diag->span.begin,
                            end > diag->span.begin ? end - diag->span.begin : 1};
        const char *newline = memchr(here.p, '\n', here.n);
        if (newline != NULL && newline > here.p) {
            here.n = (size_t)(newline - here.p);
        }
    }
    if (source != NULL) {
        size_t end = diag->span.begin < source->text.n ? diag->span.begin : source->text.n;
        while (end > 0 && isspace((unsigned char)source->text.p[end - 1])) {
            end--;
        }
        size_t begin = end;
        while (begin > 0 && !isspace((unsigned char)source->text.p[begin - 1])) {
            begin--;
        }
        before = (struct str){source->text.p + begin, end - begin};
    }
    strbuf_printf(out, "Encountered \"%.*s\" at line %u, column %u and token \"%.*s\" \n",
                  STR_ARG(here), place.line, place.column, STR_ARG(before));
}

/* SANY's own sentences for the errors that people meet most; ours for the others. */
static void write_message(const struct spec *spec, const struct diag *diag, struct strbuf *out)
{
    struct str here = span_text(spec, diag);
    struct str file = file_module(spec, diag);
    switch (diag->code) {
    case DIAG_NAME_UNKNOWN: strbuf_printf(out, "Unknown operator: `%.*s'.", STR_ARG(here)); break;
    case DIAG_NAME_TWICE:
        strbuf_printf(out, "Operator %.*s already defined or declared.", STR_ARG(here));
        break;
    case DIAG_MODULE_NOT_FOUND:
        strbuf_printf(out, "Cannot find source file for module %.*s imported in module %.*s.",
                      STR_ARG(here), STR_ARG(file));
        break;
    case DIAG_PARSE_MODULE_NAME:
        strbuf_printf(
            out,
            "File name '%.*s' does not match the name '%.*s' of the top level module it contains.",
            STR_ARG(file), STR_ARG(here));
        break;
    default: strbuf_adds(out, diag->text);
    }
}

static void write_syntax(const struct spec *spec, const struct diag *diag, struct strbuf *out)
{
    struct place place =
        diag->has_span ? sources_place(&spec->sources, diag->span) : (struct place){0};
    if (class_of(diag) == CLASS_LEXICAL) {
        strbuf_printf(out, "Lexical error at line %u, column %u.  %s\n", place.line, place.column,
                      diag->text);
        return;
    }
    strbuf_printf(out, "***Parse Error***\n%s\n", diag->text);
    write_encountered(spec, diag, place, out);
    strbuf_adds(
        out,
        "\nResidual stack trace follows:\nModule definition starting at line 1, column 1.\n\n");
}

static void write_fatal(const struct spec *spec, struct str module, const char *text,
                        bool has_module, struct strbuf *out)
{
    struct str root = path_base(str_of(spec->module_path));
    if (root.n > 4) {
        root.n -= 4;
    }
    SCOPED_STRBUF where = {0};
    if (has_module) {
        strbuf_printf(&where, "In module %.*s", STR_ARG(module));
    } else {
        strbuf_adds(&where, "Unknown location");
    }
    strbuf_printf(out, "\nFatal errors while parsing TLA+ spec in file %.*s\n\n%s\n\n%s\n",
                  STR_ARG(root), strbuf_cstr(&where), text);
    strbuf_printf(out, "*** Errors: 1\n\n%s\n\n%s\n\n\n\n", strbuf_cstr(&where), text);
}

void sany_missing(const char *module, struct strbuf *out)
{
    strbuf_printf(out,
                  "\nFatal errors while parsing TLA+ spec in file %s\n\nUnknown location\n\nCannot "
                  "find source file for module %s\n",
                  module, module);
    strbuf_printf(
        out, "*** Errors: 1\n\nUnknown location\n\nCannot find source file for module %s\n\n\n\n",
        module);
}

static void write_located(const struct spec *spec, const struct diag *diag, struct strbuf *out)
{
    struct str module = module_of(spec, diag);
    if (diag->has_span) {
        struct place place = sources_place(&spec->sources, diag->span);
        strbuf_printf(out, "line %u, col %u to line %u, col %u of module %.*s\n\n", place.line,
                      place.column, place.end_line, place.end_column, STR_ARG(module));
    } else {
        strbuf_printf(out, "In module %.*s\n\n", STR_ARG(module));
    }
    write_message(spec, diag, out);
    strbuf_adds(out, "\n\n\n");
}

static bool is_pluscal(const struct diag *diag)
{
    return diag->code == DIAG_WARN_PLUSCAL_BOTH || diag->code == DIAG_WARN_PLUSCAL_ALGORITHM ||
           diag->code == DIAG_WARN_PLUSCAL_TRANSLATION;
}

void sany_pluscal(const struct spec *spec, struct str file, struct strbuf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < spec->diags.n; i++) {
        n += is_pluscal(spec->diags.v[i]);
    }
    if (n == 0) {
        return;
    }
    strbuf_printf(out, "Warnings (%zu) during syntax parsing of %.*s:\n\n\n", n, STR_ARG(file));
    for (size_t i = 0; i < spec->diags.n; i++) {
        if (is_pluscal(spec->diags.v[i])) {
            strbuf_printf(out, "In module %s\n\n%s\n\n\n\n", spec->diags.v[i]->module,
                          spec->diags.v[i]->text);
        }
    }
}

static bool in_block(const struct diag *diag, enum severity severity)
{
    return diag->severity == severity && !is_pluscal(diag);
}

static void write_block(const struct spec *spec, enum severity severity, const char *title,
                        struct strbuf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < spec->diags.n; i++) {
        n += in_block(spec->diags.v[i], severity);
    }
    if (n == 0) {
        return;
    }
    if (severity == SEV_ERROR) {
        strbuf_adds(out, "Semantic errors:\n\n");
    }
    strbuf_printf(out, "*** %s: %zu\n\n", title, n);
    for (size_t i = 0; i < spec->diags.n; i++) {
        if (in_block(spec->diags.v[i], severity)) {
            write_located(spec, spec->diags.v[i], out);
        }
    }
    if (severity == SEV_WARNING) {
        strbuf_adds(out, "\n");
    }
}

bool sany_is_fatal(const struct spec *spec)
{
    for (size_t i = 0; i < spec->diags.n; i++) {
        if (spec->diags.v[i]->severity == SEV_ERROR &&
            class_of(spec->diags.v[i]) != CLASS_SEMANTIC) {
            return true;
        }
    }
    return false;
}

void sany_diags(const struct spec *spec, struct strbuf *out)
{
    const struct diag *fatal = NULL;
    for (size_t i = 0; i < spec->diags.n; i++) {
        const struct diag *diag = spec->diags.v[i];
        if (diag->severity != SEV_ERROR || class_of(diag) == CLASS_SEMANTIC) {
            continue;
        }
        fatal = fatal == NULL ? diag : fatal; /* SANY stops at the first */
    }
    if (fatal == NULL) {
        write_block(spec, SEV_WARNING, "Warnings", out);
        write_block(spec, SEV_ERROR, "Errors", out);
        return;
    }
    struct str module = module_of(spec, fatal);
    SCOPED_STRBUF text = {0};
    if (class_of(fatal) == CLASS_FATAL) {
        write_message(spec, fatal, &text);
    } else {
        write_syntax(spec, fatal, out);
        strbuf_printf(&text, "Could not parse module %.*s from file %.*s.tla", STR_ARG(module),
                      STR_ARG(module));
    }
    write_fatal(spec, module, strbuf_cstr(&text), fatal->code != DIAG_PARSE_MODULE_NAME, out);
}
