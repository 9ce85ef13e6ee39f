/* What is said about mistakes, to the letter: test/corpus/messages/sem.txt. A case is the units of
 * a module (its first line is line 2), a line of five dashes, and the diagnostics with line,
 * column, notes and hint; five signs of equality end it. */
#include <stdio.h>

#include "base/str.h"
#include "messages_util.h"
#include "sem_util.h"

static void print_diags(struct fixture *fx, struct strbuf *out)
{
    for (size_t i = 0; i < fx->diags.n; i++) {
        const struct diag *diag = fx->diags.v[i];
        struct place place = sources_place(&fx->sources, diag->span);
        strbuf_printf(out, "%u:%u: %s\n", place.line, place.column, diag->text);
        for (const struct diag *note = diag->notes; note; note = note->next) {
            place = sources_place(&fx->sources, note->span);
            strbuf_printf(out, "  %u:%u: %s\n", place.line, place.column, note->text);
        }
        if (diag->hint) {
            strbuf_printf(out, "  %s\n", diag->hint);
        }
    }
}

static bool check_case(const char *units, const char *said)
{
    struct fixture fx;
    SCOPED_STRBUF got = {0};
    (void)!fixture_load(&fx, units);
    print_diags(&fx, &got);
    bool good = strcmp(strbuf_cstr(&got), said) == 0;
    if (!good) {
        fprintf(stderr, "%s\nsays\n%swant\n%s\n", units, strbuf_cstr(&got), said);
    }
    fixture_done(&fx);
    return good;
}

TEST(messages)
{
    check_cases("test/corpus/messages/sem.txt", 150, check_case);
}

TEST(messages_of_the_parser)
{
    check_cases("test/corpus/messages/syntax.txt", 150, check_case);
}
