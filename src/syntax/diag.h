/* Diagnostics: what is wrong with the user's spec or configuration. They are collected, not thrown,
 * so that one run reports many. Codes are stable: Exxxx errors, Wxxxx warnings; the table is in
 * diag_codes.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "syntax/source.h"

struct arena;

enum severity { SEV_NOTE, SEV_WARNING, SEV_ERROR };

enum diag_code {
    DIAG_NONE = 0,
#define D(name, number, severity, hint) DIAG_##name = (number),
#include "syntax/diag_codes.def"
#undef D
};

struct diag {
    enum diag_code code;
    enum severity severity;
    struct span span;
    bool has_span;
    const char *text;
    const char *hint;   /* how to fix it; NULL when the table has none and the caller gave none */
    const char *module; /* name of the module, or NULL */
    struct diag *notes; /* chained by next: "first defined here" */
    struct diag *next;
};

struct diags {
    struct arena *arena;
    struct diag **v;
    size_t n, cap;
    size_t errors;
    size_t limit;      /* further errors are counted, not kept; 0 = 100 */
    struct diag spare; /* what diag_add returns for those above the limit */
};

void diags_init(struct diags *diags, struct arena *arena);
struct diag *diag_add(struct diags *diags, enum diag_code code, struct span span, const char *fmt,
                      ...) __attribute__((format(printf, 4, 5)));
void diag_note(struct diags *diags, struct diag *diag, struct span span, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_hint(struct diags *diags, struct diag *diag, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes `path:line:col: error[E0001]: text`, the source line, a caret line, notes and the hint. */
void diag_print(const struct sources *sources, const struct diag *diag, bool color,
                struct strbuf *out);
