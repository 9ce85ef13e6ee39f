/* The end of a translation: Next, Spec with its fairness, Termination. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "pluscal/gen_int.h"
#include "pluscal/pluscal.h"
#include "pluscal/pluscal_int.h"

/* ---- Next ---- */
static const char OR[] = " \\/ ";

/* Names joined by \/, on lines of at most `columns`; `suffix` follows each. */
static struct strs joined(struct gen *g, const struct strs *names, const char *suffix, int columns)
{
    struct strs lines = {0};
    struct strbuf line = {.arena = g->arena};
    for (size_t i = 0; i < names->n; i++) {
        int width = pcal_width(names->v[i]) + (int)strlen(suffix) + (int)strlen(OR);
        if (width + pcal_width(strbuf_str(&line)) > columns) {
            AVEC_PUSH(g->arena, &lines, str_dup(g->arena, strbuf_str(&line)));
            strbuf_reset(&line);
        }
        strbuf_printf(&line, "%s%.*s%s", line.n > 0 ? OR : "", STR_ARG(names->v[i]), suffix);
    }
    if (line.n > 0) {
        AVEC_PUSH(g->arena, &lines, strbuf_str(&line));
    }
    return lines;
}

static void gen_terminating(struct gen *g)
{
    pcal_gen_line(g, "(* Allow infinite stuttering to prevent deadlock on termination. *)");
    if (g->multi) {
        pcal_gen_line(g, "Terminating == /\\ \\A self \\in ProcSet: pc[self] = \"Done\"");
        pcal_gen_line(g, "               /\\ UNCHANGED vars");
    } else {
        pcal_gen_line(g, "Terminating == pc = \"Done\" /\\ UNCHANGED vars");
    }
    pcal_gen_blank(g);
}

/* The disjuncts of Next are written behind this. */
static const char NEXT[] = "Next == ";
static const char MORE[] = "           \\/ ";

/* (\E self \in ProcSet: p(self) \/ q(self)) */
static const char *next_procedures(struct gen *g, const char *before)
{
    static const char start[] = "(\\E self \\in ProcSet: ";
    struct strs names = {0};
    for (size_t i = 0; g->multi && i < g->names->procedures.n; i++) {
        AVEC_PUSH(g->arena, &names, g->names->procedures.v[i].name);
    }
    struct strs lines = joined(g, &names, "(self)",
                               g->wrap - (int)strlen("Next == \\/ (\\E self \\in ProcSet: \\/ "));
    if (lines.n == 0) {
        return before;
    }
    const char *indent = pcal_gen_spaces(g, (int)(strlen(before) + strlen(start)));
    pcal_gen_putf(g, "%s%s%s", before, start, lines.n > 1 ? OR : "");
    for (size_t i = 0; i < lines.n; i++) {
        pcal_gen_putf(g, "%s%s%.*s%s", i > 0 ? indent : "", i > 0 ? OR : "", STR_ARG(lines.v[i]),
                      i + 1 == lines.n ? ")" : "");
        pcal_gen_end_line(g);
    }
    return MORE;
}

/* (\E self \in S: p(self)). `alone`: nothing was written of Next yet. */
static const char *next_processes(struct gen *g, const char *before, bool alone)
{
    static const char start[] = "(\\E self \\in ";
    for (size_t i = 0; g->multi && i < g->names->processes.n; i++) {
        const struct unit *unit = &g->names->processes.v[i];
        struct strs lines = {0};
        if (unit->node->is_eq) {
            continue;
        }
        pcal_expr_lines(g->arena, unit->node->expr, &lines);
        const char *indent = pcal_gen_spaces(g, (alone ? 8 : 14) + (int)strlen(start));
        for (size_t k = 0; k < lines.n; k++) {
            pcal_gen_putf(g, "%s%s%.*s", k == 0 ? before : indent, k == 0 ? start : "",
                          STR_ARG(lines.v[k]));
            if (k + 1 == lines.n) {
                pcal_gen_putf(g, ": %.*s(self))", STR_ARG(unit->name));
            }
            pcal_gen_end_line(g);
        }
        before = MORE;
        alone = false;
    }
    return before;
}

void pcal_gen_next(struct gen *g)
{
    bool stutters = !g->p->options->no_done && !g->p->omit_stuttering;
    if (g->p->omit_pc && !g->multi) {
        return;
    }
    if (stutters) {
        gen_terminating(g);
    }
    const char *before = NEXT;
    struct strs steps = joined(g, &g->steps, "", g->wrap - (int)strlen("Next == \\/ "));
    for (size_t i = 0; i < steps.n; i++) {
        pcal_gen_line(g, "%s%.*s", before, STR_ARG(steps.v[i]));
        before = MORE;
    }
    before = next_procedures(g, before);
    before = next_processes(g, before, before == NEXT);
    if (stutters) {
        pcal_gen_line(g, "%sTerminating", before);
    }
    pcal_gen_blank(g);
}

/* ---- fairness ---- */
/* A formula, and strong fairness of labels with a plus beside it; sf.p NULL: none. */
struct formula {
    struct str wf, sf;
};
struct formulas {
    struct formula *v;
    size_t n, cap;
};

static struct str one_line(struct gen *g, const struct formula *f)
{
    return f->sf.p == NULL
               ? f->wf
               : str_of(arena_printf(g->arena, "%.*s /\\ %.*s", STR_ARG(f->wf), STR_ARG(f->sf)));
}

static struct str two_lines(struct gen *g, const struct formula *f, int col)
{
    if (f->sf.p == NULL) {
        return str_of(arena_printf(g->arena, "/\\ %.*s", STR_ARG(f->wf)));
    }
    return str_of(arena_printf(g->arena, "/\\ %.*s\n%s/\\ %.*s", STR_ARG(f->wf),
                               pcal_gen_spaces(g, col), STR_ARG(f->sf)));
}

/* Fairness of a process or procedure: `call` is its action, `argument` what its labels are called
 * with, `self` the subscript of pc. */
static struct formula fairness_of(struct gen *g, const struct node *unit, bool strong,
                                  const char *call, struct str argument, struct str self)
{
    struct strbuf wf = {.arena = g->arena}, sf = {.arena = g->arena};
    const struct strs *minus = &unit->minus_labels, *plus = &unit->plus_labels;
    strbuf_printf(&wf, "%s_vars(", strong ? "SF" : "WF");
    if (minus->n == 1) {
        strbuf_printf(&wf, "(pc[%.*s] # \"%.*s\") /\\ ", STR_ARG(self), STR_ARG(minus->v[0]));
    } else if (minus->n > 1) {
        strbuf_printf(&wf, "(pc[%.*s] \\notin {", STR_ARG(self));
        for (size_t i = 0; i < minus->n; i++) {
            strbuf_printf(&wf, "%s\"%.*s\"", i > 0 ? ", " : "", STR_ARG(minus->v[i]));
        }
        strbuf_adds(&wf, "}) /\\ ");
    }
    strbuf_printf(&wf, "%s)", call);
    for (size_t i = 0; !strong && i < plus->n; i++) {
        strbuf_printf(&sf, "%sSF_vars(%.*s%.*s)", i > 0 ? " /\\ " : "", STR_ARG(plus->v[i]),
                      STR_ARG(argument));
    }
    return (struct formula){strbuf_str(&wf), sf.n > 0 ? strbuf_str(&sf) : (struct str){0}};
}

/* The fairness of a process, with the procedures that it calls. */
struct process_fairness {
    struct strs prefix; /* lines: \A self \in S : */
    struct formula body;
    struct formulas procedures;
};

static struct strs fairness_prefix(struct gen *g, const struct node *unit, const struct strs *id)
{
    struct strs prefix = {0};
    if (unit->is_eq && id->n == 1) {
        return prefix;
    }
    const char *start = unit->is_eq ? "LET self == " : "\\A self \\in ";
    for (size_t i = 0; i < id->n; i++) {
        const char *before = i == 0 ? start : pcal_gen_spaces(g, (int)strlen(start));
        const char *after = i + 1 == id->n && !unit->is_eq ? " : " : "";
        AVEC_PUSH(g->arena, &prefix,
                  str_of(arena_printf(g->arena, "%s%.*s%s", before, STR_ARG(id->v[i]), after)));
    }
    if (unit->is_eq) {
        AVEC_PUSH(g->arena, &prefix, STR("IN "));
    }
    return prefix;
}

static struct process_fairness process_fairness(struct gen *g, const struct unit *process)
{
    const struct node *unit = process->node;
    struct process_fairness f = {0};
    struct strs id = {0};
    pcal_expr_lines(g->arena, unit->expr, &id);
    f.prefix = fairness_prefix(g, unit, &id);
    bool strong = unit->fairness == 2;
    struct str self = unit->is_eq && id.n == 1 ? id.v[0] : STR("self");
    const char *argument = unit->is_eq ? "" : "(self)";
    const char *call = arena_printf(g->arena, "%.*s%s", STR_ARG(process->name), argument);
    f.body = fairness_of(g, unit, strong, call, str_of(argument), self);
    for (size_t i = 0; i < unit->calls.n; i++) {
        struct str name = pcal_names_use(g->names, SYM_PROCEDURE, unit->calls.v[i], STR(""));
        const struct unit *procedure = pcal_names_procedure(g->names, name);
        if (procedure == NULL) {
            pcal_bug(g->p, "Procedure that is not in the table");
            return f;
        }
        struct str with = str_of(arena_printf(g->arena, "(%.*s)", STR_ARG(self)));
        call = arena_printf(g->arena, "%.*s%.*s", STR_ARG(procedure->name), STR_ARG(with));
        AVEC_PUSH(g->arena, &f.procedures,
                  fairness_of(g, procedure->node, strong, call, with, self));
    }
    return f;
}

/* ---- the layout of fairness ---- */
/* As the translator counts it: a prefix of one line counts nothing. */
static int width_in_one_line(struct gen *g, const struct process_fairness *f)
{
    int widest = 0, width = 0;
    for (size_t i = 0; i + 1 < f->prefix.n; i++) {
        int line = pcal_width(f->prefix.v[i]);
        widest = line > widest ? line : widest;
        width = pcal_width(f->prefix.v[f->prefix.n - 1]);
    }
    width += pcal_width(f->body.wf) + (f->body.sf.p != NULL ? pcal_width(f->body.sf) : 0);
    for (size_t i = 0; i < f->procedures.n; i++) {
        width += pcal_width(one_line(g, &f->procedures.v[i]));
    }
    return widest > width ? widest : width;
}

static void add_prefix(struct gen *g, const struct process_fairness *f, int col, struct strbuf *out)
{
    for (size_t i = 0; i < f->prefix.n; i++) {
        strbuf_printf(out, "%s%.*s%s", i > 0 ? pcal_gen_spaces(g, col) : "",
                      STR_ARG(f->prefix.v[i]), i + 1 < f->prefix.n ? "\n" : "");
    }
}

static void add_fairness(struct gen *g, const struct process_fairness *f, int col,
                         struct strbuf *out)
{
    bool simple = f->body.sf.p == NULL && f->procedures.n == 0;
    add_prefix(g, f, col, out);
    if (simple || col + width_in_one_line(g, f) <= g->wrap) {
        strbuf_addstr(out, one_line(g, &f->body));
        for (size_t i = 0; i < f->procedures.n; i++) {
            strbuf_printf(out, " /\\ %.*s", STR_ARG(one_line(g, &f->procedures.v[i])));
        }
        return;
    }
    int at = col + (f->prefix.n > 0 ? pcal_width(f->prefix.v[f->prefix.n - 1]) : 0);
    struct str line = one_line(g, &f->body);
    if (at + pcal_width(line) + 3 <= g->wrap) {
        strbuf_printf(out, "/\\ %.*s", STR_ARG(line));
    } else {
        strbuf_addstr(out, two_lines(g, &f->body, at));
    }
    for (size_t i = 0; i < f->procedures.n; i++) {
        line = one_line(g, &f->procedures.v[i]);
        strbuf_printf(out, "%s%s", i == 0 ? "\n" : "", pcal_gen_spaces(g, at));
        if (at + pcal_width(line) + 3 <= g->wrap) {
            strbuf_printf(out, "/\\ %.*s\n", STR_ARG(line));
        } else {
            strbuf_addstr(out, two_lines(g, &f->procedures.v[i], at));
        }
    }
}

/* Writes lines; empty ones at the end are left out. */
static void put_lines(struct gen *g, struct str text)
{
    while (text.n > 0 && text.p[text.n - 1] == '\n') {
        text.n--;
    }
    size_t begin = 0;
    for (size_t i = 0; i <= text.n; i++) {
        if (i == text.n || text.p[i] == '\n') {
            if (i == begin) {
                pcal_gen_blank(g);
            } else {
                pcal_gen_line(g, "%.*s", (int)(i - begin), text.p + begin);
            }
            begin = i + 1;
        }
    }
}

/* ---- Spec ---- */
void pcal_gen_spec(struct gen *g)
{
    static const char conjunct[] = "        /\\ ";
    enum pluscal_fairness option = g->p->options->fairness;
    const struct names *names = g->names;
    bool none = option == FAIRNESS_NOF || (!g->multi && option == FAIRNESS_NONE);
    bool next = option == FAIRNESS_WFNEXT || g->p->options->fair_algorithm ||
                (!g->multi && (option == FAIRNESS_WF || option == FAIRNESS_SF));
    bool fair = next;
    for (size_t i = 0; g->multi && i < names->processes.n; i++) {
        fair = fair || names->processes.v[i].node->fairness != 0;
    }
    if (none || !fair) {
        pcal_gen_line(g, "Spec == Init /\\ [][Next]_vars");
        pcal_gen_blank(g);
        return;
    }
    pcal_gen_line(g, "Spec == /\\ Init /\\ [][Next]_vars");
    if (next) {
        pcal_gen_line(g, "%sWF_vars(Next)", conjunct);
    }
    for (size_t i = 0; g->multi && i < names->processes.n; i++) {
        struct strbuf text = {.arena = g->arena};
        if (names->processes.v[i].node->fairness == 0) {
            continue;
        }
        struct process_fairness f = process_fairness(g, &names->processes.v[i]);
        strbuf_adds(&text, conjunct);
        add_fairness(g, &f, (int)strlen(conjunct), &text);
        put_lines(g, strbuf_str(&text));
    }
    pcal_gen_blank(g);
}

void pcal_gen_termination(struct gen *g)
{
    if (g->p->omit_pc || g->p->omit_stuttering) {
        return;
    }
    pcal_gen_line(g, "Termination == <>(%s = \"Done\")",
                  g->multi ? "\\A self \\in ProcSet: pc[self]" : "pc");
    pcal_gen_blank(g);
}
