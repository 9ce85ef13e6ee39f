/* Where a variable of the specification may be seen in the programs. Names decide first (words of
 * camelCase and snake_case), then whether what is there could be such a value at all; how to make
 * the one from the other is proposed with it. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "dwarf/dwarf.h"
#include "sketch/sketch_int.h"

enum { WORDS_MOST = 12, ALIKE_LEAST = 45 };

/* ---- names ---- */

static size_t cut_words(struct str name, struct str *words)
{
    size_t n = 0, begin = 0;
    for (size_t i = 0; i <= name.n && n < WORDS_MOST; i++) {
        bool end = i == name.n || !isalnum((unsigned char)name.p[i]);
        bool hump = !end && i > begin && isupper((unsigned char)name.p[i]) &&
                    !isupper((unsigned char)name.p[i - 1]);
        if ((end || hump) && i > begin) {
            words[n++] = (struct str){name.p + begin, i - begin};
        }
        begin = end ? i + 1 : hump ? i : begin;
    }
    return n;
}

/* Of 10: the same word, or one that begins with the other. */
static int word_alike(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    return strncasecmp(a.p, b.p, n) != 0 ? 0 : a.n == b.n ? 10 : n >= 3 ? 8 : 0;
}

/* n_votes, m_term: single letters say little. */
static size_t cut_most(struct str name, struct str *words)
{
    size_t n = cut_words(name, words), kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (words[i].n > 1) {
            words[kept++] = words[i];
        }
    }
    return kept != 0 ? kept : n;
}

int find_alike(struct str a, struct str b)
{
    struct str x[WORDS_MOST], y[WORDS_MOST];
    int nx = (int)cut_most(a, x), ny = (int)cut_most(b, y), same = 0;
    for (int i = 0; i < nx; i++) {
        int best = 0;
        for (int k = 0; k < ny; k++) {
            int alike = word_alike(x[i], y[k]);
            best = alike > best ? alike : best;
        }
        same += best;
    }
    if (nx + ny == 0) {
        return 0;
    }
    same = same < 10 * ny ? same : 10 * ny;
    return a.n == b.n && strncasecmp(a.p, b.p, a.n) == 0 ? 100 : 19 * same / (nx + ny);
}

bool find_is_nodes(const struct stype *type, const struct sset *nodes)
{
    if (nodes == NULL || type == NULL) {
        return false;
    }
    return nodes->numbers ? type->is_int && type->n_names == 0 && type->lo >= 1 &&
                                type->hi <= (int64_t)nodes->n
                          : type->n_names != 0 && stype_within(type, nodes, 1) != NULL;
}

/* The last part of a path: of "self.log[0..self.n_log]" it is "log". */
static struct str last_part(struct str path)
{
    size_t end = path.n;
    const char *bracket = memchr(path.p, '[', path.n);
    end = bracket != NULL ? (size_t)(bracket - path.p) : end;
    size_t begin = end;
    while (begin > 0 && path.p[begin - 1] != '.' && path.p[begin - 1] != ':') {
        begin--;
    }
    return (struct str){path.p + begin, end - begin};
}

/* ---- from what is there to a value ---- */

struct making {
    const struct samples *samples;
    const struct subject *subject;
    const struct dwarf_item *item;
    struct strbuf *out; /* lines of the table */
};

static bool is_whole(enum dwarf_kind kind)
{
    return kind == DWARF_INT || kind == DWARF_UINT;
}

/* Names among a type's that are no nodes: Nobody, Nil. */
static struct str other_name(const struct stype *type, const struct sset *nodes)
{
    for (size_t i = 0; i < type->n_names; i++) {
        size_t k = 0;
        while (k < nodes->n && !str_eq(nodes->elems[k], type->names[i])) {
            k++;
        }
        if (k == nodes->n) {
            return type->names[i];
        }
    }
    return STR("");
}

static bool mentions_node(const struct stype *type, const struct sset *nodes)
{
    for (size_t i = 0; nodes != NULL && i < type->n_names; i++) {
        for (size_t k = 0; k < nodes->n; k++) {
            if (str_eq(nodes->elems[k], type->names[i])) {
                return true;
            }
        }
    }
    return false;
}

static bool make_node(struct making *m, const struct stype *type)
{
    struct str other = other_name(type, m->subject->nodes);
    if (!is_whole(m->item->kind)) {
        return m->item->kind == DWARF_STRING;
    }
    if (other.n == 0) {
        strbuf_adds(m->out, "as = 'nodes[value + 1]'   # FILL IN: is that how it numbers nodes?\n");
    } else {
        bool quoted = !type->name_is_model[0];
        strbuf_printf(
            m->out,
            "as = 'IF value < 0 THEN %s%.*s%s ELSE nodes[value + 1]'   # FILL IN: is that "
            "how it numbers nodes?\n",
            quoted ? "\"" : "", STR_ARG(other), quoted ? "\"" : "");
    }
    return true;
}

static struct str best_name(const struct stype *type, struct str enumerator)
{
    struct str best = STR("FILL IN");
    int most = 0;
    for (size_t i = 0; i < type->n_names; i++) {
        int score = find_alike(type->names[i], enumerator);
        if (score > most && score >= ALIKE_LEAST) {
            most = score;
            best = type->names[i];
        }
    }
    return best;
}

static void make_enum(struct making *m, const struct stype *type)
{
    bool open = false;
    strbuf_adds(m->out, "enum = { ");
    for (size_t i = 0; i < m->item->n_names; i++) {
        struct str name = best_name(type, m->item->names[i]);
        bool found = !str_is(name, "FILL IN");
        strbuf_printf(m->out, "%s%.*s = '\"%.*s\"'", i == 0 ? "" : ", ", STR_ARG(m->item->names[i]),
                      STR_ARG(name));
        open = open || !found;
    }
    strbuf_adds(m->out, open ? " }   # FILL IN: what the others are\n" : " }\n");
}

static bool make_name(struct making *m, const struct stype *type)
{
    if (mentions_node(type, m->subject->nodes)) {
        return make_node(m, type);
    }
    if (m->item->kind == DWARF_ENUM && m->item->n_names < 40) {
        make_enum(m, type);
        return true;
    }
    if (is_whole(m->item->kind)) {
        strbuf_adds(m->out, "enum = { ");
        for (size_t i = 0; i < type->n_names; i++) {
            strbuf_printf(m->out, "%s%zu = '\"%.*s\"'", i == 0 ? "" : ", ", i,
                          STR_ARG(type->names[i]));
        }
        strbuf_adds(m->out, " }   # FILL IN: which number is which?\n");
        return true;
    }
    return m->item->kind == DWARF_STRING;
}

static bool make_set(struct making *m, const struct stype *elem)
{
    if (find_is_nodes(elem, m->subject->nodes) && m->item->kind == DWARF_ARRAY) {
        strbuf_adds(m->out, "as = '{nodes[k] : k \\in {k \\in DOMAIN nodes : value[k]}}'   # FILL "
                            "IN: one truth value for each node?\n");
        return true;
    }
    if (find_is_nodes(elem, m->subject->nodes) && is_whole(m->item->kind)) {
        strbuf_adds(m->out,
                    "as = '{nodes[k] : k \\in {k \\in DOMAIN nodes : (value \\div (2 ^ (k - "
                    "1))) % 2 = 1}}'   # FILL IN: one bit for each node?\n");
        return true;
    }
    if (m->item->kind == DWARF_ARRAY) {
        strbuf_adds(m->out, "as = '{value[k] : k \\in DOMAIN value}'\n");
        return true;
    }
    return false;
}

static void make_record(struct making *m, const struct stype *type, const char *from)
{
    strbuf_adds(m->out, "[");
    for (const struct sfield *f = type->fields; f != NULL; f = f->next) {
        strbuf_printf(m->out, "%s%.*s |-> %s.%.*s", f == type->fields ? "" : ", ", STR_ARG(f->name),
                      from, STR_ARG(f->name));
    }
    strbuf_adds(m->out, "]");
}

static bool make_sequence(struct making *m, const struct stype *elem)
{
    if (m->item->kind != DWARF_ARRAY) {
        return false;
    }
    if (elem != NULL && elem->fields != NULL) {
        strbuf_adds(m->out, "as = '[k \\in DOMAIN value |-> ");
        make_record(m, elem, "value[k]");
        strbuf_adds(m->out, "]'   # FILL IN: are these the names of its members?\n");
    }
    return true;
}

static bool make_function(struct making *m, const struct stype *type)
{
    if (m->item->kind == DWARF_MAP) {
        return true;
    }
    if (m->item->kind != DWARF_ARRAY || !find_is_nodes(type->key, m->subject->nodes)) {
        return false;
    }
    if (m->subject->nodes->numbers) {
        strbuf_printf(m->out,
                      "as = '[j \\in %.*s |-> value[j]]'   # FILL IN: value[j + 1], where it has "
                      "number 1 at the index 1?\n",
                      STR_ARG(m->subject->nodes->name));
        return true;
    }
    strbuf_printf(m->out,
                  "as = '[j \\in %.*s |-> value[CHOOSE k \\in DOMAIN nodes : nodes[k] = j]]'\n",
                  STR_ARG(m->subject->nodes->name));
    return true;
}

/* Whether the item could hold such values; what makes one of it is added. */
static bool make_value(struct making *m, const struct stype *type)
{
    enum dwarf_kind kind = m->item->kind;
    if (type->is_int) {
        return is_whole(kind);
    }
    if (type->is_bool) {
        if (is_whole(kind)) {
            strbuf_adds(m->out, "as = 'value # 0'\n");
        }
        return kind == DWARF_BOOL || is_whole(kind);
    }
    if (type->n_names != 0) {
        return make_name(m, type);
    }
    if (type->set != NULL) {
        return make_set(m, type->set);
    }
    if (type->value != NULL) {
        return make_function(m, type);
    }
    if (type->fields != NULL && kind == DWARF_STRUCT) {
        strbuf_adds(m->out, "as = '");
        make_record(m, type, "value");
        strbuf_adds(m->out, "'   # FILL IN: are these the names of its members?\n");
        return true;
    }
    return (type->seq != NULL || type->empty) && make_sequence(m, type->seq);
}

/* ---- keeping the best ---- */

static void keep(struct spots *spots, int score, struct strbuf *text, struct str seen)
{
    size_t at = spots->n;
    while (at > 0 && spots->v[at - 1].score < score) {
        at--;
    }
    for (size_t i = 0; i < spots->n; i++) {
        if (str_eq(strbuf_str(&spots->v[i].text), strbuf_str(text))) {
            return; /* the same at another node */
        }
    }
    if (at == SPOTS_MOST) {
        return;
    }
    if (spots->n == SPOTS_MOST) {
        strbuf_done(&spots->v[--spots->n].text);
    }
    memmove(&spots->v[at + 1], &spots->v[at], (spots->n - at) * sizeof spots->v[0]);
    spots->v[at] = (struct spot){score, *text, seen};
    *text = (struct strbuf){0};
    spots->n++;
}

static int depth_of(struct str path)
{
    int n = 0;
    for (size_t i = 0; i < path.n; i++) {
        n += path.p[i] == '.' ? 1 : 0;
    }
    return n;
}

static void find_memory(const struct samples *samples, const struct look *look,
                        const struct subject *subject, struct spots *ret)
{
    for (size_t i = 0; i < look->items.n; i++) {
        const struct sitem *item = &look->items.v[i];
        int alike = find_alike(subject->var->name, last_part(item->item.path));
        SCOPED_STRBUF text = {0};
        struct making m = {samples, subject, &item->item, &text};
        if (alike < ALIKE_LEAST) {
            continue;
        }
        strbuf_printf(&text, "memory = \"%.*s\"\n", STR_ARG(item->item.path));
        if (make_value(&m, subject->type)) {
            if (!subject->per_node) {
                strbuf_printf(&text, "nodes = [\"%s\"]\n", look->cluster->nodes[item->node].name);
            }
            keep(ret, 2 * alike + 20 - 3 * depth_of(item->item.path), &text,
                 strbuf_str(&item->seen));
        }
    }
}

/* ---- lines ---- */

struct span_of {
    size_t begin, end;
};

/* A value of the type in a line: a number after a word like the name, or one of the names. */
static bool value_in(const struct subject *subject, struct str line, struct span_of *ret,
                     int *alike)
{
    struct str words[WORDS_MOST];
    size_t n = cut_words(line, words);
    for (size_t i = 0; i + 1 < n && subject->type->is_int; i++) {
        size_t begin = (size_t)(words[i + 1].p - line.p);
        *alike = find_alike(subject->var->name, words[i]);
        if (*alike >= ALIKE_LEAST && isdigit((unsigned char)line.p[begin])) {
            *ret = (struct span_of){begin, begin + words[i + 1].n};
            return strspn(words[i + 1].p, "0123456789") >= words[i + 1].n;
        }
    }
    for (size_t i = 0; i < n && subject->type->n_names > 1; i++) {
        for (size_t k = 0; k < subject->type->n_names; k++) {
            struct str name = subject->type->names[k];
            if (words[i].n == name.n && strncasecmp(words[i].p, name.p, name.n) == 0) {
                size_t begin = (size_t)(words[i].p - line.p);
                *ret = (struct span_of){begin, begin + name.n};
                *alike = 60;
                return true;
            }
        }
    }
    return false;
}

/* A regular expression for lines of this kind; what stands in the span is the value. */
static void line_pattern(struct str line, struct span_of span, bool number, struct strbuf *out)
{
    strbuf_addc(out, '^');
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        if (i == span.begin) {
            strbuf_adds(out, number ? "(?<value>\\d+)" : "(?<value>\\w+)");
            i = span.end - 1;
        } else if (isdigit((unsigned char)c)) {
            strbuf_adds(out, "\\d+");
            while (i + 1 < line.n && isdigit((unsigned char)line.p[i + 1]) && i + 1 != span.begin) {
                i++;
            }
        } else if (c == '\'' || (unsigned char)c < ' ' || (unsigned char)c > 126) {
            strbuf_addc(out, '.'); /* not in a string between '...' */
        } else {
            strbuf_adds(out, strchr(".^$*+?()[]{}|\\", c) != NULL ? "\\" : "");
            strbuf_addc(out, c);
        }
    }
    strbuf_addc(out, '$');
}

static void find_line(const struct subject *subject, struct str line, const char *key,
                      struct strbuf *text, struct spots *ret)
{
    struct span_of span = {0, 0};
    int alike = 0;
    if (!value_in(subject, line, &span, &alike)) {
        return;
    }
    strbuf_printf(text, "%s = '", key);
    line_pattern(line, span, subject->type->is_int, text);
    strbuf_adds(text, "'\n");
    if (find_is_nodes(subject->type, subject->nodes)) {
        strbuf_adds(text, "type = \"node\"\n");
    }
    keep(ret, alike, text, line);
}

static void find_lines(const struct look *look, const struct subject *subject, struct spots *ret)
{
    for (size_t i = 0; i < look->lines.n; i++) {
        const struct sline *line = &look->lines.v[i];
        SCOPED_STRBUF text = {0};
        if (!subject->per_node) {
            strbuf_printf(&text, "nodes = [\"%s\"]\n", look->cluster->nodes[line->node].name);
        }
        find_line(subject, line->text, "log", &text, ret);
    }
}

/* ---- files ---- */

static void find_key(const struct subject *subject, const struct sfile *file, struct spots *ret)
{
    const char *end = file->text.p + file->text.n;
    for (const char *at = file->text.p; (at = memchr(at, '"', (size_t)(end - at))) != NULL;) {
        const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (close == NULL) {
            return;
        }
        struct str key = {at + 1, (size_t)(close - at - 1)};
        int alike = find_alike(subject->var->name, key);
        if (alike >= ALIKE_LEAST && close + 1 < end && close[1] == ':') {
            SCOPED_STRBUF text = {0};
            strbuf_printf(&text, "file = \"%.*s\"\njson = true\nas = 'value.%.*s'\n",
                          STR_ARG(file->path), STR_ARG(key));
            keep(ret, alike + 40, &text, file->text);
        }
        at = close + 1;
    }
}

static void find_files(const struct look *look, const struct subject *subject, struct spots *ret)
{
    for (size_t i = 0; i < look->files.n; i++) {
        const struct sfile *file = &look->files.v[i];
        struct str rest = file->text;
        if (memchr(rest.p, '\0', rest.n) != NULL) {
            continue; /* not text */
        }
        if (rest.p[0] == '{') {
            find_key(subject, file, ret);
            continue;
        }
        while (rest.n != 0) {
            const char *end = memchr(rest.p, '\n', rest.n);
            struct str line = {rest.p, end != NULL ? (size_t)(end - rest.p) : rest.n};
            SCOPED_STRBUF text = {0};
            strbuf_printf(&text, "file = \"%.*s\"\n", STR_ARG(file->path));
            find_line(subject, line, "match", &text, ret);
            rest.p += line.n + (end != NULL ? 1 : 0);
            rest.n -= line.n + (end != NULL ? 1 : 0);
        }
    }
}

void find_spots(const struct samples *samples, const struct look *look,
                const struct subject *subject, struct spots *ret)
{
    ret->n = 0;
    find_memory(samples, look, subject, ret);
    find_lines(look, subject, ret);
    find_files(look, subject, ret);
}

void spots_done(struct spots *spots)
{
    for (size_t i = 0; i < spots->n; i++) {
        strbuf_done(&spots->v[i].text);
    }
}
