/* VIEW: what tells states apart is the value of an expression, most often a tuple of variables, or
 * of tuples of them. Such a tuple is not made: its parts are put side by side in a struct V and
 * hashed as the variables of a state are. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

struct view {
    VEC(struct cv) part;
};

/* Does a name without arguments stand for another expression? */
static bool is_plain_call(const struct ex *x)
{
    const struct call_info *call = x->op == EX_CALL ? x->u.p : NULL;
    return call && x->n == 0 && call->ncapture == 0 &&
           !(call->unit->def && call->unit->def->recursive);
}

static void find_parts(struct gen *g, const struct ex *x, struct fenv *f, struct view *view)
{
    struct val known;
    if (gen_const_of(g, x, f, &known)) {
        return; /* the same in all states */
    }
    if (is_plain_call(x)) {
        const struct unit *unit = ((const struct call_info *)x->u.p)->unit;
        find_parts(g, unit->body, fenv_new(g, unit), view);
        return;
    }
    if (x->op == EX_TUPLE && x->n > 0) {
        for (uint32_t i = 0; i < x->n; i++) {
            find_parts(g, x->kid[i], f, view);
        }
        return;
    }
    struct cv v = emit(g, x, f, NULL);
    if (!v.ty) {
        gen_no(g, "a VIEW without a layout");
        return;
    }
    VEC_PUSH(&view->part, v);
}

/* The struct: parts that are hashed as a whole come first. */
static uint32_t put_struct(struct gen *g, const struct view *view)
{
    uint32_t fixed = 0;
    gen_define_fixed(g, "typedef struct __attribute__((packed)) {\n");
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < view->part.n; i++) {
            const struct ty *ty = view->part.v[i].ty;
            if (ty_varies(ty) == (part == 1)) {
                gen_define_fixed(g, "  %s v%zu;\n", ty_c(g->tys, ty), i);
                fixed += part == 0 ? ty->size : 0;
            }
        }
    }
    gen_define_fixed(g, "  uint8_t pad[8];\n} V;\n"); /* for hash_bytes */
    return fixed;
}

static void put_view_hash(struct gen *g, const struct view *view, uint32_t fixed)
{
    gen_define_fixed(g,
                     "static inline uint64_t hash_view(const V *s) {\nuint64_t h = hash_bytes(s, "
                     "%" PRIu32 ");\n",
                     fixed);
    for (size_t i = 0; i < view->part.n; i++) {
        if (ty_varies(view->part.v[i].ty)) {
            SCOPED_STRBUF hash = {0};
            gen_put_hash(&hash, view->part.v[i].ty, gen_text(g, "s->v%zu", i), 0);
            gen_define_fixed(g, "%s", strbuf_cstr(&hash));
        }
    }
    gen_define_fixed(g, "return fin64(h);\n}\n");
}

void emit_view(struct gen *g, const struct ex *x, struct fenv *f)
{
    struct view view = {0};
    find_parts(g, x, f, &view);
    put_view_hash(g, &view, put_struct(g, &view));
    const struct ty **ty = ARENA_ARRAY(g->arena, const struct ty *, view.part.n + 1);
    const struct cx *v = cx_name(g, CX_OTHER, NULL, "v", false);
    gen_put_room_of(g, v, "V"); /* all of it is written */
    for (size_t i = 0; i < view.part.n; i++) {
        ty[i] = view.part.v[i].ty;
        if (ty[i]->size > 0) {
            const struct cx *e = cv_e(g, &view.part.v[i]);
            gen_set(g, cx_member(g, v, gen_text(g, "v%zu", i), cx_kind_of(ty[i]), ty[i]), e);
        }
    }
    const struct cx *at = cx_addr(g, v);
    const struct cx *hash = cx_call(g, CX_U64, NULL, "hash_view", at);
    if (g->spec->nperm) {
        struct subject y = {"V", "hash_view", ty, (uint32_t)view.part.n, NULL};
        emit_symmetry(g, &y);
        gen_return(g, cx_call(g, CX_INT, NULL, "canon_fp", cx_worker(g), at, hash, cx_ret(g)),
                   true);
    } else {
        gen_give(g, hash);
    }
    VEC_DONE(&view.part);
}
