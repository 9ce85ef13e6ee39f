/* Values as text, in TLC's syntax and on one line.
 *
 * Small lazy sets are printed as their elements and large ones as their definition; the bounds are
 * TLC's. Whether a set can be enumerated is found out before it is tried, since an error while
 * printing an error message helps nobody. Text that ends up in messages is then broken into lines
 * by pretty.c. */
#include <gmp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "value/value.h"
#include "value/value_int.h"

enum {
    SUBSET_EXPAND = 7,
    PRODUCT_EXPAND = 2000
}; /* TLC expands below these sizes: of the base, of the set */

/* ---- words ---- */

static void print_string(struct str text, struct strbuf *out)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        const char *escape = c == '"'    ? "\\\""
                             : c == '\\' ? "\\\\"
                             : c == '\t' ? "\\t"
                             : c == '\n' ? "\\n"
                             : c == '\f' ? "\\f"
                             : c == '\r' ? "\\r"
                                         : NULL;
        if (escape) {
            strbuf_adds(out, escape);
        } else {
            strbuf_addc(out, c);
        }
    }
    strbuf_addc(out, '"');
}

static const char *special_text(struct val v)
{
    switch (v.w >> 3) {
    case VSP_NAT: return "Nat";
    case VSP_INT: return "Int";
    case VSP_REAL: return "Real";
    case VSP_STRING: return "STRING";
    case VSP_ANYSET: return "ANY";
    default: return "UNDEF";
    }
}

static void print_word(struct vctx *ctx, struct val v, struct strbuf *out)
{
    switch (val_tag(v)) {
    case VTAG_INT: strbuf_printf(out, "%" PRId64, val_small_get(v)); break;
    case VTAG_BOOL: strbuf_adds(out, val_same(v, VAL_TRUE) ? "TRUE" : "FALSE"); break;
    case VTAG_STR: print_string(val_str_text(ctx, v), out); break;
    case VTAG_MODEL: strbuf_addstr(out, val_str_text(ctx, v)); break;
    default: strbuf_adds(out, special_text(v)); break;
    }
}

static void print_bigint(struct vctx *ctx, const struct vobj *obj, struct strbuf *out)
{
    mp_limb_t *limbs =
        arena_alloc(ctx->arena, obj->n * sizeof *limbs); /* mpn_get_str destroys them */
    memcpy(limbs, obj->v, obj->n * sizeof *limbs);
    unsigned char *digits = arena_alloc(ctx->arena, obj->n * (size_t)20 + 2);
    size_t n = mpn_get_str(digits, 10, limbs, (mp_size_t)obj->n);
    size_t skip = 0;
    while (skip + 1 < n && digits[skip] == 0) {
        skip++;
    }
    if (obj->flags & VF_NEG) {
        strbuf_addc(out, '-');
    }
    for (size_t i = skip; i < n; i++) {
        strbuf_addc(out, (char)('0' + digits[i]));
    }
}

/* ---- canonical objects ---- */

static void print_list(struct vctx *ctx, const struct val *v, size_t n, const char *open,
                       const char *close, struct strbuf *out)
{
    strbuf_adds(out, open);
    for (size_t i = 0; i < n; i++) {
        if (i) {
            strbuf_adds(out, ", ");
        }
        val_print(ctx, v[i], out);
    }
    strbuf_adds(out, close);
}

bool val_name_is_identifier(struct str name)
{
    bool letter = false;
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.p[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
        if (!is_letter && c != '_' && !(c >= '0' && c <= '9')) {
            return false;
        }
        letter |= is_letter;
    }
    return letter &&
           (name.n < 4 || (memcmp(name.p, "WF_", 3) != 0 && memcmp(name.p, "SF_", 3) != 0));
}

static bool prints_as_record(struct vctx *ctx, const struct vobj *obj)
{
    if (obj->kind != VK_RECORD) {
        return false;
    }
    for (uint32_t i = 0; i < obj->n && (obj->flags & VF_MAP); i++) {
        if (!val_name_is_identifier(val_str_text(ctx, obj->v[i]))) {
            return false;
        }
    }
    return true;
}

static void print_pairs(struct vctx *ctx, const struct vobj *obj, struct strbuf *out)
{
    bool record = prints_as_record(ctx, obj);
    strbuf_addc(out, record ? '[' : '(');
    for (uint32_t i = 0; i < obj->n; i++) {
        if (i) {
            strbuf_adds(out, record ? ", " : " @@ ");
        }
        if (record) {
            strbuf_addstr(out, val_str_text(ctx, obj->v[i]));
        } else {
            val_print(ctx, obj->v[i], out);
        }
        strbuf_adds(out, record ? " |-> " : " :> ");
        val_print(ctx, obj->v[obj->n + i], out);
    }
    strbuf_addc(out, record ? ']' : ')');
}

/* ---- lazy sets ---- */

/* Can the set be enumerated, and has it less than `limit` elements? */
static bool is_smaller(struct vctx *ctx, struct val set, uint64_t limit)
{
    struct bound bound = set_bound(ctx, set);
    if (bound.exact || bound.n < limit) {
        return bound.n < limit;
    }
    return bound.n <= set_limit(ctx) && set_view(ctx, set)->n < limit;
}

/* Can every operand be counted? [{} -> Nat] has one element, but TLC asks for the size of Nat first
 * and gives up. */
static bool operands_counted(struct vctx *ctx, const struct vlazy *lazy)
{
    for (uint32_t i = 0; i < lazy->n; i++) {
        if (set_bound(ctx, lazy->op[lazy->kind == VK_RECSET ? lazy->n + i : i]).n >= BOUND_INF) {
            return false;
        }
    }
    return true;
}

/* Can all parts of UNION base be enumerated, and are they not too many? */
static bool union_counted(struct vctx *ctx, struct val base)
{
    if (set_bound(ctx, base).n > set_limit(ctx)) {
        return false;
    }
    const struct vobj *parts = set_view(ctx, base);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < parts->n && sum <= set_limit(ctx); i++) {
        sum += set_bound(ctx, parts->v[i]).n;
    }
    return sum <= set_limit(ctx);
}

/* -terse: what TLC keeps as it is written stays so. */
static bool is_written(struct vctx *ctx, struct val set)
{
    if (!val_is_lazy(set)) {
        return false;
    }
    const struct vlazy *lazy = val_lazy(set);
    switch (lazy->kind) {
    case VK_SUBSET:
    case VK_KSUBSET:
    case VK_FCNSET:
    case VK_RECSET:
    case VK_PRODUCT: return true;
    case VK_CUP:
    case VK_DIFF: return is_written(ctx, lazy->op[0]) || is_written(ctx, lazy->op[1]);
    case VK_FILTER: return is_written(ctx, lazy->op[0]);
    default: return false;
    }
}

static bool expands(struct vctx *ctx, struct val set)
{
    const struct vlazy *lazy = val_lazy(set);
    if (ctx->terse && is_written(ctx, set)) {
        return false;
    }
    if (lazy->flags & VF_FORCED && lazy->kind >= VK_UNION) {
        return true;
    }
    switch (lazy->kind) {
    case VK_SUBSET:
    case VK_KSUBSET: return is_smaller(ctx, lazy->op[0], SUBSET_EXPAND);
    case VK_FCNSET:
    case VK_RECSET:
    case VK_PRODUCT: return operands_counted(ctx, lazy) && is_smaller(ctx, set, PRODUCT_EXPAND);
    case VK_UNION: return union_counted(ctx, lazy->op[0]);
    case VK_CUP:
    case VK_CAP:
    case VK_DIFF:
    case VK_FILTER: return set_bound(ctx, set).n <= set_limit(ctx);
    default: return false;
    }
}

static void print_recset(struct vctx *ctx, const struct vlazy *lazy, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < lazy->n; i++) {
        if (i) {
            strbuf_adds(out, ", ");
        }
        strbuf_addstr(out, val_str_text(ctx, lazy->op[i]));
        strbuf_adds(out, ": ");
        val_print(ctx, lazy->op[lazy->n + i], out);
    }
    strbuf_addc(out, ']');
}

static void print_infix(struct vctx *ctx, const struct vlazy *lazy, const char *open,
                        const char *infix, const char *close, struct strbuf *out)
{
    strbuf_adds(out, open);
    for (uint32_t i = 0; i < lazy->n; i++) {
        if (i) {
            strbuf_adds(out, infix);
        }
        val_print(ctx, lazy->op[i], out);
    }
    strbuf_adds(out, close);
}

static void print_around(struct vctx *ctx, const char *before, struct val v, const char *after,
                         struct strbuf *out)
{
    strbuf_adds(out, before);
    val_print(ctx, v, out);
    strbuf_adds(out, after);
}

static void print_definition(struct vctx *ctx, struct vlazy *lazy, struct strbuf *out)
{
    bool interval = val_is_kind(lazy->op[0], VK_INTERVAL);
    switch (lazy->kind) {
    case VK_INTERVAL: print_infix(ctx, lazy, "", "..", "", out); break;
    case VK_SUBSET:
    case VK_KSUBSET:
        print_around(ctx, interval ? "SUBSET (" : "SUBSET ", lazy->op[0], interval ? ")" : "", out);
        break;
    case VK_FCNSET: print_infix(ctx, lazy, "[", " -> ", "]", out); break;
    case VK_RECSET: print_recset(ctx, lazy, out); break;
    case VK_PRODUCT: print_infix(ctx, lazy, "(", " \\X ", ")", out); break;
    case VK_SEQSET: print_around(ctx, "Seq(", lazy->op[0], ")", out); break;
    case VK_UNION: print_around(ctx, "UNION(", lazy->op[0], ")", out); break;
    case VK_CUP: print_infix(ctx, lazy, "", " \\cup ", "", out); break;
    case VK_CAP: print_infix(ctx, lazy, "", " \\cap ", "", out); break;
    case VK_DIFF: print_infix(ctx, lazy, "", " \\ ", "", out); break;
    case VK_FILTER: print_around(ctx, "{x \\in ", lazy->op[0], " : <expression> }", out); break;
    case VK_LAMBDA: print_around(ctx, "[x \\in ", lazy->op[0], " |-> <expression>]", out); break;
    default: strbuf_adds(out, "<operator>"); break;
    }
}

static void print_lazy(struct vctx *ctx, struct val v, struct strbuf *out)
{
    struct vlazy *lazy = val_lazy(v);
    if (lazy->kind == VK_LAMBDA &&
        ((lazy->flags & VF_FORCED) || set_bound(ctx, lazy->op[0]).n <= set_limit(ctx))) {
        val_print(ctx, fcn_force(ctx, v), out);
    } else if (set_is_enumerable(v) && expands(ctx, v)) {
        val_print(ctx, set_force(ctx, v), out);
    } else if (lazy->ops && lazy->ops->print) {
        lazy->ops->print(ctx, lazy, out);
    } else {
        print_definition(ctx, lazy, out);
    }
}

void val_print(struct vctx *ctx, struct val v, struct strbuf *out)
{
    if (!val_is_obj(v)) {
        print_word(ctx, v, out);
        return;
    }
    stack_check(ctx);
    const struct vobj *obj = val_obj(v);
    switch ((enum vkind)obj->kind) {
    case VK_BIGINT: print_bigint(ctx, obj, out); break;
    case VK_SET: print_list(ctx, obj->v, obj->n, "{", "}", out); break;
    case VK_TUPLE: print_list(ctx, obj->v, obj->n, "<<", ">>", out); break;
    case VK_RECORD:
    case VK_FCN: print_pairs(ctx, obj, out); break;
    default: print_lazy(ctx, v, out); break;
    }
}

/* ---- messages ---- */

enum { MESSAGE_WIDTH = 80 };

void val_print_pretty(struct vctx *ctx, struct val v, unsigned indent, unsigned width,
                      struct strbuf *out)
{
    struct strbuf line = {.arena = ctx->arena};
    val_print(ctx, v, &line);
    val_text_pretty(ctx, strbuf_str(&line), indent, width, out);
}

const char *val_line(struct vctx *ctx, struct val v)
{
    struct strbuf text = {.arena = ctx->arena};
    val_print(ctx, v, &text);
    return strbuf_cstr(&text);
}

#define MESSAGE_BYTES_MAX ((size_t)64 << 10)

const char *val_ppr(struct vctx *ctx, struct val v)
{
    struct strbuf text = {.arena = ctx->arena};
    val_print_pretty(ctx, v, 0, MESSAGE_WIDTH, &text);
    if (text.n > MESSAGE_BYTES_MAX) { /* nobody reads on, and the arena may have a limit */
        text.n = MESSAGE_BYTES_MAX;
        strbuf_adds(&text, " ...");
    }
    return strbuf_cstr(&text);
}

static void all_printable(struct vctx *ctx, const struct val *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        val_check_printable(ctx, v[i]);
    }
}

static void lazy_printable(struct vctx *ctx, struct val v)
{
    const struct vlazy *lazy = val_lazy(v);
    switch (lazy->kind) {
    case VK_UNION:
    case VK_CUP:
    case VK_CAP:
    case VK_DIFF:
    case VK_FILTER: val_check_printable(ctx, set_force(ctx, v)); break;
    case VK_SUBSET:
    case VK_KSUBSET:
    case VK_FCNSET:
    case VK_RECSET:
    case VK_PRODUCT:
        if (!set_is_finite(ctx, v)) {
            (void)set_card(ctx, v);
        }
        break;
    default: break;
    }
}

void val_check_printable(struct vctx *ctx, struct val v)
{
    if (!val_is_obj(v) || ctx->terse) {
        return;
    }
    stack_check(ctx);
    const struct vobj *obj = val_obj(v);
    switch ((enum vkind)obj->kind) {
    case VK_BIGINT: break;
    case VK_SET:
    case VK_TUPLE: all_printable(ctx, obj->v, obj->n); break;
    case VK_RECORD:
    case VK_FCN: all_printable(ctx, obj->v, obj->n * 2); break;
    default: lazy_printable(ctx, v); break;
    }
}

const char *val_shown(struct vctx *ctx, struct val v)
{
    struct strbuf text = {.arena = ctx->arena};
    val_check_printable(ctx, v);
    val_print_pretty(ctx, v, 0, MESSAGE_WIDTH, &text);
    return strbuf_cstr(&text);
}

const char *val_kind_text(struct val v)
{
    switch (val_tag(v)) {
    case VTAG_INT: return "an integer";
    case VTAG_BOOL: return "a Boolean value";
    case VTAG_STR: return "a string";
    case VTAG_MODEL: return "a model value";
    case VTAG_SPECIAL: return val_is_undef(v) ? "an undefined value" : "a special set constant";
    default: break;
    }
    switch ((enum vkind)val_obj(v)->kind) {
    case VK_BIGINT: return "an integer";
    case VK_SET: return "a set of the form {e1, ... ,eN}";
    case VK_TUPLE: return "a tuple";
    case VK_RECORD:
        return val_obj(v)->flags & VF_MAP ? "a function  of the form (d1 :> e1 @@ ... @@ dN :> eN)"
                                          : "a record";
    case VK_FCN: return "a function  of the form (d1 :> e1 @@ ... @@ dN :> eN)";
    case VK_INTERVAL: return "a set of the form i..j";
    case VK_SUBSET:
    case VK_KSUBSET: return "a set of the form SUBSET S";
    case VK_FCNSET: return "a set of the form [S -> T]";
    case VK_RECSET: return "a set of the form [d1 : S1, ... , dN : SN]";
    case VK_PRODUCT: return "a cartesian product";
    case VK_SEQSET: return "a special set constant";
    case VK_UNION: return "a set of the form UNION  S";
    case VK_CUP: return "a set of the form S \\cup T";
    case VK_CAP: return "a set of the form S \\cap T";
    case VK_DIFF: return "a set of the form S \\ T";
    case VK_FILTER: return "a set of the form {x \\in S : expr}";
    case VK_LAMBDA: return "a function of the form  [x \\in S |-> expr]";
    case VK_OPER: return "an operator";
    case VK_THUNK: return "a value represented in lazy form";
    }
    return "a value";
}
