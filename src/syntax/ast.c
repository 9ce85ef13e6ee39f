/* Printing syntax trees for tests. */
#include "syntax/ast.h"

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

static const char *const kind_names[] = {
#define X(name) #name,
    NODE_KINDS(X)
#undef X
};

const char *node_kind_name(enum node_kind kind)
{
    return (size_t)kind < sizeof kind_names / sizeof kind_names[0] ? kind_names[kind] : "?";
}

static void print_string(struct str s, struct strbuf *out)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        const char *escape = c == '\n'   ? "\\n"
                             : c == '\t' ? "\\t"
                             : c == '\r' ? "\\r"
                             : c == '\f' ? "\\f"
                             : c == '"'  ? "\\\""
                             : c == '\\' ? "\\\\"
                                         : NULL;
        if (escape) {
            strbuf_adds(out, escape);
        } else {
            strbuf_addc(out, c);
        }
    }
    strbuf_addc(out, '"');
}

static void print_flags(const struct node *node, struct strbuf *out)
{
    static const struct {
        unsigned flag;
        const char *name;
    } rows[] = {
        {NF_LOCAL,   "LOCAL"  },
        {NF_BULLETS, "BULLETS"},
        {NF_INFIX,   "INFIX"  },
        {NF_PREFIX,  "PREFIX" },
        {NF_POSTFIX, "POSTFIX"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (node->flags & rows[i].flag) {
            strbuf_printf(out, " %s", rows[i].name);
        }
    }
}

void node_print(const struct node *node, struct strbuf *out)
{
    strbuf_printf(out, "(%s", node_kind_name((enum node_kind)node->kind));
    if (node->kind == N_STRING) {
        strbuf_addc(out, ' ');
        print_string(node->name, out);
    } else if (node->name.n > 0) {
        strbuf_addc(out, ' ');
        strbuf_addstr(out, node->name);
    }
    if (node->kind == N_OPDECL || (node->kind == N_SEL && node->name.n == 0)) {
        strbuf_printf(out, " %d", (int)node->num);
    }
    print_flags(node, out);
    for (uint32_t i = 0; i < node->nkid; i++) {
        strbuf_addc(out, ' ');
        node_print(node->kid[i], out);
    }
    strbuf_addc(out, ')');
}
