/* SYMMETRY: the fingerprint of a state is that of the least of its images under the permutations.
 * With VIEW the same holds for the value of that.
 *
 * Trying all n! of them is needless where the values that are permuted can be told apart. Each gets
 * a signature: a hash of the places where it stands, with everything around them, in which all
 * values of its kind look alike, so that renaming does not change it. Sorting by signature decides
 * the permutation; only values with equal signatures are tried in every order. That is exact: the
 * permutations tried for a state and for its image are the same up to the renaming.
 *
 * It holds when the group is all permutations of some disjoint sets of model values, as
 * Permutations(A) \union Permutations(B) is; for another group each member is tried. */
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"
#include "cgen/cx.h"
#include "cgen/defs.h"
#include "cgen/emit.h"
#include "cgen/host.h"
#include "cgen/ty.h"
#include "eval/code.h"
#include "value/value.h"

#define ORBITS 8

struct orbits {
    uint32_t n;
    uint32_t size[ORBITS];
    int atom[ORBITS][64];
};

/* ---- the group ---- */
static int atom_of(const struct gen *g, struct val v)
{
    return tys_atom(g->tys, v);
}

static void orbit_add(struct gen *g, struct orbits *o, int a, int b)
{
    uint32_t ia = ORBITS;
    uint32_t ib = ORBITS;
    for (uint32_t i = 0; i < o->n; i++) {
        for (uint32_t k = 0; k < o->size[i]; k++) {
            ia = o->atom[i][k] == a ? i : ia;
            ib = o->atom[i][k] == b ? i : ib;
        }
    }
    if (ia == ORBITS && ib == ORBITS) {
        if (o->n == ORBITS) {
            gen_no(g, "SYMMETRY over many sets");
            return;
        }
        o->atom[o->n][o->size[o->n]++] = a;
        o->atom[o->n][o->size[o->n]++] = b;
        o->n++;
    } else if (ia == ORBITS || ib == ORBITS) {
        uint32_t to = ia == ORBITS ? ib : ia;
        if (o->size[to] == 64) {
            gen_no(g, "SYMMETRY over a large set");
            return;
        }
        o->atom[to][o->size[to]++] = ia == ORBITS ? a : b;
    } else if (ia != ib) { /* two turn out to be one */
        for (uint32_t k = 0; k < o->size[ib] && o->size[ia] < 64; k++) {
            o->atom[ia][o->size[ia]++] = o->atom[ib][k];
        }
        o->n--;
        o->size[ib] = o->size[o->n];
        memcpy(o->atom[ib], o->atom[o->n], sizeof o->atom[ib]);
    }
}

/* Are the permutations all those of the orbits? */
static bool find_orbits(struct gen *g, struct orbits *o)
{
    const struct spec *spec = g->spec;
    *o = (struct orbits){0};
    for (size_t p = 0; p < spec->nperm; p++) {
        for (size_t i = 0; i < spec->perms[p].n; i++) {
            int a = atom_of(g, spec->perms[p].from[i]);
            int b = atom_of(g, spec->perms[p].to[i]);
            if (a < 0 || b < 0) {
                tys_atoms(g->tys, spec->perms[p].from[i]);
                tys_atoms(g->tys, spec->perms[p].to[i]);
                gen_no(g, "SYMMETRY of values that are not seen");
                return false;
            }
            if (a != b) {
                orbit_add(g, o, a, b);
            }
        }
    }
    uint64_t all = 1;
    for (uint32_t i = 0; i < o->n; i++) {
        for (uint32_t k = 2; k <= o->size[i] && all < 1 << 24; k++) {
            all *= k;
        }
        for (uint32_t k = 1; k < o->size[i]; k++) { /* ascending: the same in every run */
            int a = o->atom[i][k];
            uint32_t at = k;
            for (; at > 0 && o->atom[i][at - 1] > a; at--) {
                o->atom[i][at] = o->atom[i][at - 1];
            }
            o->atom[i][at] = a;
        }
    }
    return all == spec->nperm + 1;
}

/* ---- what a permutation does to a type ---- */
static bool moves(const struct ty *ty)
{
    switch (ty->kind) {
    case TY_NONE:
    case TY_BOOL:
    case TY_INT: return false;
    case TY_ATOM:
    case TY_MIX: return true;
    case TY_REC:
    case TY_TUP:
    case TY_UNION:
        for (uint32_t i = 0; i < ty->n; i++) {
            if (moves(ty->field[i])) {
                return true;
            }
        }
        return false;
    case TY_FUN:
    case TY_MAP: return moves(ty->key) || moves(ty->elem);
    default: return ty->elem && moves(ty->elem);
    }
}

static bool in_a_word(const struct ty *ty)
{
    return ty->kind == TY_BITS && ty->w == 1;
}

/* How a value is handed over. */
static const char *side_argument(struct gen *g, const struct ty *ty)
{
    return in_a_word(ty) ? "uint64_t" : gen_text(g, "const %s *", ty_c(g->tys, ty));
}

static struct conv_key image_fn(struct gen *g, const struct ty *ty);

static const struct cx *pointer(struct gen *g, const char *name)
{
    return cx_name(g, CX_POINTER, NULL, name, true);
}

static const struct cx *if_atom(struct gen *g, const struct cx *mix)
{
    return cx_two(g, CX_EQ, cx_call(g, CX_INT, NULL, "mix_kind", mix), cx_int(g, 1));
}

static const struct cx *atom_in(struct gen *g, const struct cx *mix)
{
    return cx_cast(g, CX_U32, cx_two(g, CX_SUB, mix, cx_mix_atom(g)));
}

/* dst = the image of `src` under p */
static void put_image(struct gen *g, const struct ty *ty, const struct cx *src,
                      const struct cx *dst)
{
    const struct cx *p = cx_name(g, CX_ARRAY, NULL, "p", true);
    if (g->declined) {
        return;
    }
    if (!moves(ty)) {
        gen_set(g, dst, src);
    } else if (ty->kind == TY_ATOM) {
        gen_set(g, dst, cx_index(g, p, src));
    } else if (ty->kind == TY_MIX) {
        const struct cx *to = cx_two(g, CX_ADD, cx_mix_atom(g), cx_index(g, p, atom_in(g, src)));
        gen_if(g, if_atom(g, src));
        gen_set(g, dst, to);
        gen_scope_close(g);
        gen_else(g, NULL);
        gen_set(g, dst, src);
        gen_scope_close(g);
    } else if (in_a_word(ty)) {
        struct conv_key fn = image_fn(g, ty); /* dst may be packed */
        const struct cx *call = cx_call(g, CX_U64, NULL, fn.name, cx_worker(g), p, src);
        gen_set(g, dst, gen_call_of(g, call, &fn));
    } else {
        struct conv_key fn = image_fn(g, ty);
        const struct cx *from = cx_addr(g, src);
        const struct cx *call =
            cx_call(g, CX_INT, NULL, fn.name, cx_worker(g), p, from, cx_addr(g, dst));
        if (fn.traps) {
            gen_call_into(g, call);
        } else {
            gen_do(g, call);
        }
    }
}

/* Inside a function of one type: what it is given, and what it makes. */
static struct cv from_a(struct gen *g, const struct ty *ty)
{
    return cv_of(g, ty, in_a_word(ty) ? cx_fixed(g, ty, "a") : cx_param(g, ty, "a", true));
}

static const struct cx *to_b(struct gen *g, const struct ty *ty)
{
    return cx_param(g, ty, "b", false);
}

static void image_bits(struct gen *g, const struct ty *ty)
{
    const struct cx *b = in_a_word(ty) ? gen_new_var(g, ty) : to_b(g, ty);
    struct loop_out loop;
    gen_loop_open_cv(g, from_a(g, ty), &loop);
    const struct cx *t = gen_new_var(g, ty->elem);
    put_image(g, ty->elem, cv_e(g, &loop.elem), t);
    if (!g->declined) {
        emit_set_add(g, b, ty, cv_of(g, ty->elem, cx_sealed(g, t)));
    }
    gen_loop_close(g, &loop);
    if (in_a_word(ty)) {
        gen_set(g, cx_param(g, ty, "ret", false), b);
    }
}

static void image_fun(struct gen *g, const struct ty *ty)
{
    struct cv a = from_a(g, ty);
    const struct cx *b = to_b(g, ty);
    if (!moves(ty->key)) {
        const struct cx *i = gen_for_n(g, CX_U32, cx_int(g, ty->n));
        put_image(g, ty->elem, cv_elem(g, a, i).e, cx_elem(g, b, i));
        gen_scope_close(g);
        return;
    }
    for (uint32_t i = 0; i < ty->n; i++) {
        gen_block(g);
        struct cv key = cv_conv(g, cv_val(g, ty->names[i]), ty->key);
        const struct cx *k = gen_new_var(g, ty->key);
        put_image(g, ty->key, cv_e(g, &key), k);
        const struct cx *j = gen_let(g, emit_key_index(g, ty, cv_of(g, ty->key, cx_sealed(g, k))));
        gen_trap_if(g, "T_DOMAIN", cx_two(g, CX_LT, j, cx_int(g, 0)));
        put_image(g, ty->elem, cv_elem(g, a, cx_int(g, i)).e, cx_elem(g, b, j));
        gen_scope_close(g);
    }
}

/* Opens a scope in which field i is there: one of several forms, or of a union. */
static void if_there(struct gen *g, const struct ty *ty, uint32_t i)
{
    uint64_t with = 0;
    for (uint32_t v = 0; v < ty->nvariant; v++) {
        with |= ty->variant[v] >> i & 1 ? UINT64_C(1) << v : 0;
    }
    bool always = ty->kind != TY_UNION && ty->nvariant <= 1;
    const struct cx *tag = always ? NULL : cx_tag(g, from_a(g, ty).e);
    gen_if(g, always                 ? cx_int(g, 1)
              : ty->kind == TY_UNION ? cx_two(g, CX_EQ, tag, cx_int(g, i))
                                     : cx_bit(g, cx_u64(g, with), tag));
}

/* Elements of a set, and pairs of a map: each in its place. */
static void image_sorted(struct gen *g, const struct ty *ty)
{
    struct cv a = from_a(g, ty);
    const struct cx *b = cx_addr(g, to_b(g, ty));
    const struct ty *sorted = ty->kind == TY_MAP ? ty->key : ty->elem;
    const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, a.e));
    const struct cx *k = gen_new_stored(g, sorted);
    struct cv from = ty->kind == TY_MAP ? cv_key(g, a, i) : cv_elem(g, a, i);
    put_image(g, sorted, from.e, k);
    if (ty->kind == TY_MAP) {
        gen_need_map(g, ty);
        const struct cx *v = gen_new_stored(g, ty->elem);
        put_image(g, ty->elem, cv_elem(g, a, i).e, v);
        gen_call_into(g,
                      cx_ty_call(g, CX_INT, ty, "_put", CX_ARGS(b, cx_addr(g, k), cx_addr(g, v))));
    } else {
        gen_need_set(g, ty);
        gen_call_into(g, cx_ty_call(g, CX_INT, ty, "_add", CX_ARGS(b, cx_addr(g, k))));
    }
    gen_scope_close(g);
}

static void image_body(struct gen *g, const struct ty *ty)
{
    struct cv a = from_a(g, ty);
    const struct cx *b = to_b(g, ty);
    switch (ty->kind) {
    case TY_REC:
    case TY_TUP:
    case TY_UNION:
        if (ty->kind == TY_UNION || ty->nvariant > 1) {
            gen_set(g, cx_tag(g, b), cx_tag(g, a.e));
        }
        for (uint32_t i = 0; i < ty->n; i++) {
            if_there(g, ty, i);
            put_image(g, ty->field[i], cv_field(g, a, i).e, cx_field(g, b, i));
            gen_scope_close(g);
        }
        break;
    case TY_SEQ: {
        gen_set(g, cx_count(g, b), cx_count(g, a.e));
        const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, a.e));
        put_image(g, ty->elem, cv_elem(g, a, i).e, cx_elem(g, b, i));
        gen_scope_close(g);
        break;
    }
    case TY_FUN: image_fun(g, ty); break;
    case TY_MAP:
    case TY_SET: image_sorted(g, ty); break;
    case TY_BITS: image_bits(g, ty); break;
    default: gen_no(g, "SYMMETRY of an unusual type"); return;
    }
}

/* Functions by type are kept in two lists: images and signatures. */
static const struct conv_key *known_fn(const struct conv_key *v, size_t n, const struct ty *ty)
{
    for (size_t i = 0; i < n; i++) {
        if (v[i].from == ty) {
            return &v[i];
        }
    }
    return NULL;
}

static struct conv_key image_fn(struct gen *g, const struct ty *ty)
{
    const struct conv_key *known = known_fn(g->images.v, g->images.n, ty);
    if (known) {
        return *known;
    }
    struct side side;
    gen_side_open(g, &side);
    image_body(g, ty);
    gen_return(g, NULL, false);
    const char *c = ty_c(g->tys, ty);
    bool word = in_a_word(ty);
    const char *name = gen_side_close(
        g, &side, "image", "static int ",
        word ? "(struct W *w, const uint16_t *p, uint64_t a, uint64_t *ret)"
             : gen_text(g, "(struct W *w, const uint16_t *p, const %s *a, %s *b)", c, c));
    VEC_PUSH(&g->images, (struct conv_key){ty, ty, name, side.traps});
    return VEC_LAST(&g->images);
}

/* ---- signatures ----
 * Two walks over the state. sig: the hash of a part in which all values of an orbit look alike.
 * spread: each value that is permuted gets, for each of its places, the hash of what is around it
 * added to its account. */
static const char *sig_fn(struct gen *g, const struct ty *ty);

/* The hash of src. */
static const struct cx *sig(struct gen *g, const struct ty *ty, const struct cx *src)
{
    switch (ty->kind) {
    case TY_NONE: return cx_int(g, 0);
    case TY_BOOL:
    case TY_INT: return cx_call(g, CX_U64, NULL, "sig_num", src);
    case TY_ATOM: return cx_call(g, CX_U64, NULL, "sig_atom", src);
    case TY_MIX: return cx_call(g, CX_U64, NULL, "sig_mix", src);
    default: break;
    }
    if (in_a_word(ty)) {
        return cx_call(g, CX_U64, NULL, sig_fn(g, ty), src);
    }
    const struct cx *at = cx_addr(g, src);
    if (!moves(ty)) {
        return cx_call(g, CX_U64, NULL, "hash_bytes", at, cx_int(g, (int64_t)ty->size));
    }
    return cx_call(g, CX_U64, NULL, sig_fn(g, ty), at);
}

static const struct cx *sig_then(struct gen *g, const struct cx *h, const struct cx *x)
{
    return cx_call(g, CX_U64, NULL, "sig_then", h, x);
}

/* h += sig_end(x) */
static void add_end(struct gen *g, const struct cx *h, const struct cx *x)
{
    gen_change(g, h, "+=", cx_call(g, CX_U64, NULL, "sig_end", x));
}

static void sig_fields(struct gen *g, const struct ty *ty, const struct cx *h)
{
    struct cv a = from_a(g, ty);
    if (ty->kind == TY_UNION || ty->nvariant > 1) {
        gen_set(g, h, sig_then(g, h, cx_tag(g, a.e)));
    }
    for (uint32_t i = 0; i < ty->n; i++) { /* absent fields are zero: the same for all */
        if_there(g, ty, i);
        gen_set(g, h, sig_then(g, h, sig(g, ty->field[i], cv_field(g, a, i).e)));
        gen_scope_close(g);
    }
}

/* The keys of a function, as a table. */
static struct cv keys_of(struct gen *g, const struct ty *fun)
{
    struct cv keys = {.ty = ty_seq(g->tys, fun->key, fun->n),
                      .is_val = true,
                      .val = tuple_make(g->ctx, fun->names, fun->n)};
    (void)cv_e(g, &keys);
    keys.is_val = false;
    return keys;
}

/* One bit vector of atoms: members of an orbit are counted. */
static void sig_atoms(struct gen *g, const struct cx *a, const struct cx *h)
{
    gen_set(g, h, cx_two(g, CX_AND, a, cx_flip(g, cx_name(g, CX_U64, NULL, "orbit_all", true))));
    const struct cx *o = gen_for_n(g, CX_U32, cx_name(g, CX_INT, NULL, "NORBIT", true));
    const struct cx *mask = cx_index(g, cx_name(g, CX_ARRAY, NULL, "orbit_mask", true), o);
    const struct cx *n =
        cx_call(g, CX_INT, NULL, "__builtin_popcountll", cx_two(g, CX_AND, a, mask));
    gen_set(g, h, sig_then(g, h, cx_cast(g, CX_U64, n)));
    gen_scope_close(g);
}

static void sig_body(struct gen *g, const struct ty *ty, const struct cx *h)
{
    struct cv a = from_a(g, ty);
    switch (ty->kind) {
    case TY_REC:
    case TY_TUP:
    case TY_UNION: sig_fields(g, ty, h); return;
    case TY_SEQ:
        gen_set(g, h, cx_count(g, a.e));
        gen_set(
            g, h,
            sig_then(g, h,
                     sig(g, ty->elem, cv_elem(g, a, gen_for_n(g, CX_U32, cx_count(g, a.e))).e)));
        gen_scope_close(g);
        return;
    case TY_FUN:
    case TY_MAP: {
        struct cv keys = ty->kind == TY_FUN ? keys_of(g, ty) : (struct cv){0};
        const struct cx *i = gen_for_n(g, CX_U32, cx_size(g, a.e));
        struct cv key = ty->kind == TY_FUN ? cv_elem(g, keys, i) : cv_key(g, a, i);
        const struct cx *of_key = sig(g, ty->key, key.e);
        add_end(g, h, sig_then(g, of_key, sig(g, ty->elem, cv_elem(g, a, i).e)));
        gen_scope_close(g);
        return;
    }
    case TY_SET:
        add_end(g, h, sig(g, ty->elem, cv_elem(g, a, gen_for_n(g, CX_U32, cx_count(g, a.e))).e));
        gen_scope_close(g);
        return;
    case TY_BITS: {
        struct loop_out loop;
        if (in_a_word(ty) && ty->elem->kind == TY_ATOM && !ty->uni) {
            sig_atoms(g, a.e, h);
            return;
        }
        gen_loop_open_cv(g, a, &loop);
        add_end(g, h, sig(g, ty->elem, cv_e(g, &loop.elem)));
        gen_loop_close(g, &loop);
        return;
    }
    default: gen_no(g, "SYMMETRY of an unusual type"); return;
    }
}

static const char *sig_fn(struct gen *g, const struct ty *ty)
{
    const struct conv_key *known = known_fn(g->sigs.v, g->sigs.n, ty);
    if (known) {
        return known->name;
    }
    struct side side;
    gen_side_open(g, &side);
    const struct cx *h = gen_new_number(g, CX_U64, cx_int(g, 0));
    sig_body(g, ty, h);
    gen_return(g, h, false);
    const char *name = gen_side_close(g, &side, "sig", "static uint64_t ",
                                      gen_text(g, "(%s a)", side_argument(g, ty)));
    if (side.traps) {
        gen_no(g, "a signature that may trap"); /* it has no way to say so */
        return "0";
    }
    VEC_PUSH(&g->sigs, (struct conv_key){ty, ty, name, false});
    return name;
}

static const char *spread_fn(struct gen *g, const struct ty *ty);

/* Statements that give the values in src their due; around: the hash of what is around it. */
static void spread(struct gen *g, const struct ty *ty, const struct cx *src,
                   const struct cx *around)
{
    const struct cx *acc = pointer(g, "acc");
    if (g->declined || !moves(ty)) {
        return;
    }
    if (ty->kind == TY_ATOM) {
        gen_do(g, cx_call(g, CX_OTHER, NULL, "spread_atom", acc, src, around));
    } else if (ty->kind == TY_MIX) {
        gen_if(g, if_atom(g, src));
        gen_do(g, cx_call(g, CX_OTHER, NULL, "spread_atom", acc, atom_in(g, src), around));
        gen_scope_close(g);
    } else {
        const struct cx *at = in_a_word(ty) ? src : cx_addr(g, src);
        gen_do(g, cx_call(g, CX_OTHER, NULL, spread_fn(g, ty), acc, around, at));
    }
}

/* Elements of a set or sequence, and values of a map: what else is in them is around. */
static void spread_elem(struct gen *g, const struct ty *ty, const struct cx *src,
                        const struct cx *around)
{
    bool plain = ty->kind == TY_ATOM || ty->kind == TY_MIX;
    spread(g, ty, src, plain ? around : sig_then(g, around, sig(g, ty, src)));
}

/* Around all that the function is given. */
static const struct cx *around_a(struct gen *g)
{
    return cx_name(g, CX_U64, NULL, "c", true);
}

static void spread_pairs(struct gen *g, const struct ty *ty)
{
    struct cv a = from_a(g, ty);
    struct cv keys = ty->kind == TY_FUN ? keys_of(g, ty) : (struct cv){0};
    const struct cx *i = gen_for_n(g, CX_U32, cx_size(g, a.e));
    const struct cx *key = (ty->kind == TY_FUN ? cv_elem(g, keys, i) : cv_key(g, a, i)).e;
    const struct cx *elem = cv_elem(g, a, i).e;
    const struct cx *v = gen_let(g, sig_then(g, around_a(g), sig(g, ty->elem, elem)));
    spread(g, ty->key, key, v);
    if (moves(ty->elem)) {
        spread(g, ty->elem, elem, gen_let(g, sig_then(g, v, sig(g, ty->key, key))));
    }
    gen_scope_close(g);
}

static const struct cx *sig_step(struct gen *g, const struct cx *i)
{
    return cx_call(g, CX_U64, NULL, "sig_step", around_a(g), i);
}

static void spread_body(struct gen *g, const struct ty *ty)
{
    struct cv a = from_a(g, ty);
    switch (ty->kind) {
    case TY_REC:
    case TY_TUP:
    case TY_UNION:
        for (uint32_t i = 0; i < ty->n; i++) {
            if (moves(ty->field[i])) {
                if_there(g, ty, i);
                spread(g, ty->field[i], cv_field(g, a, i).e, sig_step(g, cx_int(g, i + 1)));
                gen_scope_close(g);
            }
        }
        return;
    case TY_SEQ: {
        const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, a.e));
        spread_elem(g, ty->elem, cv_elem(g, a, i).e,
                    sig_step(g, cx_two(g, CX_ADD, i, cx_int(g, 1))));
        gen_scope_close(g);
        return;
    }
    case TY_FUN:
    case TY_MAP: spread_pairs(g, ty); return;
    case TY_SET: {
        const struct cx *i = gen_for_n(g, CX_U32, cx_count(g, a.e));
        spread_elem(g, ty->elem, cv_elem(g, a, i).e, around_a(g));
        gen_scope_close(g);
        return;
    }
    case TY_BITS: {
        struct loop_out loop;
        gen_loop_open_cv(g, a, &loop);
        spread_elem(g, ty->elem, cv_e(g, &loop.elem), around_a(g));
        gen_loop_close(g, &loop);
        return;
    }
    default: gen_no(g, "SYMMETRY of an unusual type"); return;
    }
}

static const char *spread_fn(struct gen *g, const struct ty *ty)
{
    const struct conv_key *known = known_fn(g->spreads.v, g->spreads.n, ty);
    if (known) {
        return known->name;
    }
    struct side side;
    gen_side_open(g, &side);
    spread_body(g, ty);
    const char *name =
        gen_side_close(g, &side, "spread", "static void ",
                       gen_text(g, "(uint64_t *acc, uint64_t c, %s a)", side_argument(g, ty)));
    if (side.traps) {
        gen_no(g, "a signature that may trap");
        return "0";
    }
    VEC_PUSH(&g->spreads, (struct conv_key){ty, ty, name, false});
    return name;
}

/* ---- the whole state ---- */
static const char sig_helpers[] =
    "static inline uint64_t sig_num(int64_t i) { return (uint64_t)i + "
    "UINT64_C(0x51ed270b7a3f9c21); }\n"
    "static inline uint64_t sig_atom(uint32_t a)\n"
    "{ return orbit_of[a] ? UINT64_C(0x2000000) + orbit_of[a] : a + 1; }\n"
    "static inline uint64_t sig_mix(int64_t m)\n"
    "{ return mix_kind(m) == 1 ? sig_atom((uint32_t)(m - MIX_ATOM)) : sig_num(m); }\n"
    "static inline uint64_t sig_step(uint64_t c, uint64_t i)\n"
    "{ return c + i * UINT64_C(0x9e3779b97f4a7c15); }\n"
    "static inline void spread_atom(uint64_t *acc, uint32_t a, uint64_t c)\n"
    "{ if (orbit_of[a]) acc[a] += sig_end(c); }\n";

static const char choose_helpers[] =
    "struct pick { const Y *s; uint64_t best, plain; uint16_t p[NATOM]; uint64_t acc[NATOM];\n"
    "  uint8_t order[NORBIT][64]; };\n"
    "static int pick_try(struct W *w, struct pick *k)\n"
    "{ int same = 1; for (uint32_t i = 0; i < NATOM; i++) same &= k->p[i] == i;\n"
    "  if (same) { if (k->plain < k->best) k->best = k->plain; return 0; }\n"
    "  Y t; memset(&t, 0, sizeof t); CALL(image_state(w, k->p, k->s, &t));\n"
    "  uint64_t h = hash_y(&t); if (h < k->best) k->best = h; return 0; }\n"
    "/* Does exchanging two values leave the state as it is? Then it does not matter which comes "
    "first. */\n"
    "static int pick_same(struct W *w, const struct pick *k, uint16_t a, uint16_t b, int *ret)\n"
    "{ uint16_t p[NATOM]; for (uint32_t i = 0; i < NATOM; i++) p[i] = (uint16_t)i; p[a] = b; p[b] "
    "= a;\n"
    "  Y t; memset(&t, 0, sizeof t); CALL(image_state(w, p, k->s, &t));\n"
    "  GIVE(memcmp(&t, k->s, sizeof t) == 0); }\n"
    "/* Place `at` of orbit o is taken by each member that has the signature due there. */\n"
    "static int pick_place(struct W *w, struct pick *k, uint32_t o, uint32_t at)\n"
    "{\n"
    "  if (o == NORBIT) return pick_try(w, k);\n"
    "  if (at == orbit_size[o]) return pick_place(w, k, o + 1, 0);\n"
    "  uint64_t due = k->acc[orbit[o][k->order[o][at]]];\n"
    "  for (uint32_t i = at; i < orbit_size[o] && k->acc[orbit[o][k->order[o][i]]] == due; i++) "
    "{\n"
    "    int same = 0;\n"
    "    if (i > at)\n"
    "      CALL(pick_same(w, k, orbit[o][k->order[o][at]], orbit[o][k->order[o][i]], &same));\n"
    "    if (same) continue;\n"
    "    uint8_t m = k->order[o][i]; k->order[o][i] = k->order[o][at]; k->order[o][at] = m;\n"
    "    k->p[orbit[o][m]] = orbit[o][at];\n"
    "    CALL(pick_place(w, k, o, at + 1));\n"
    "    k->order[o][at] = k->order[o][i]; k->order[o][i] = m; }\n"
    "  return 0;\n"
    "}\n"
    "static int symmetric_fp(struct W *w, const Y *s, uint64_t plain, uint64_t *ret)\n"
    "{\n"
    "  struct pick k; k.s = s; k.best = UINT64_MAX; k.plain = plain;\n"
    "  for (uint32_t i = 0; i < NATOM; i++) { k.p[i] = (uint16_t)i; k.acc[i] = 0; }\n"
    "  spread_state(k.acc, s);\n"
    "  for (uint32_t o = 0; o < NORBIT; o++) for (uint32_t i = 0; i < orbit_size[o]; i++) {\n"
    "    uint64_t own = k.acc[orbit[o][i]]; uint32_t at = i;\n"
    "    for (; at > 0 && k.acc[orbit[o][k.order[o][at - 1]]] > own; at--)\n"
    "      k.order[o][at] = k.order[o][at - 1];\n"
    "    k.order[o][at] = (uint8_t)i; }\n"
    "  CALL(pick_place(w, &k, 0, 0));\n"
    "  GIVE(k.best);\n"
    "}\n";

static const char every_helpers[] =
    "static int symmetric_fp(struct W *w, const Y *s, uint64_t plain, uint64_t *ret)\n"
    "{\n"
    "  uint64_t best = plain;\n"
    "  for (uint32_t i = 0; i < NPERM; i++) {\n"
    "    Y t; memset(&t, 0, sizeof t); CALL(image_state(w, perms[i], s, &t));\n"
    "    uint64_t h = hash_y(&t); if (h < best) best = h; }\n"
    "  GIVE(best);\n"
    "}\n";

/* What a permutation makes of an atom. */
static int image_of_atom(struct gen *g, size_t perm, size_t atom)
{
    const struct spec *spec = g->spec;
    int to = (int)atom;
    for (size_t k = 0; k < spec->perms[perm].n; k++) {
        if (val_same(spec->perms[perm].from[k], g->tys->atoms.v[atom])) {
            to = atom_of(g, spec->perms[perm].to[k]);
        }
    }
    return to;
}

static void put_perms(struct gen *g)
{
    size_t natom = g->tys->atoms.n;
    gen_define_fixed(g, "enum { NPERM = %zu };\nstatic const uint16_t perms[][%zu] = {\n",
                     g->spec->nperm, natom + 1);
    for (size_t i = 0; i < g->spec->nperm; i++) {
        gen_define_fixed(g, "{");
        for (size_t a = 0; a < natom; a++) {
            gen_define_fixed(g, "%d,", image_of_atom(g, i, a));
        }
        gen_define_fixed(g, "},\n");
    }
    gen_define_fixed(g, "};\n");
}

static void put_orbits(struct gen *g, const struct orbits *o)
{
    size_t natom = g->tys->atoms.n;
    gen_define_fixed(g, "enum { NORBIT = %u, NATOM = %zu };\nstatic const uint8_t orbit_of[] = {",
                     o->n, natom + 1);
    for (size_t a = 0; a < natom; a++) {
        uint32_t in = 0;
        for (uint32_t i = 0; i < o->n; i++) {
            for (uint32_t k = 0; k < o->size[i]; k++) {
                in = o->atom[i][k] == (int)a ? i + 1 : in;
            }
        }
        gen_define_fixed(g, "%u,", in);
    }
    gen_define_fixed(g, "0};\nstatic const uint32_t orbit_size[] = {");
    for (uint32_t i = 0; i < o->n; i++) {
        gen_define_fixed(g, "%u,", o->size[i]);
    }
    gen_define_fixed(g, "};\nstatic const uint16_t orbit[][64] = {");
    for (uint32_t i = 0; i < o->n; i++) {
        gen_define_fixed(g, "{");
        for (uint32_t k = 0; k < o->size[i]; k++) {
            gen_define_fixed(g, "%d,", o->atom[i][k]);
        }
        gen_define_fixed(g, "},");
    }
    gen_define_fixed(g, "};\nstatic const uint64_t orbit_mask[] = {");
    uint64_t all = 0;
    for (uint32_t i = 0; i < o->n; i++) { /* for bit vectors of one word */
        uint64_t mask = 0;
        for (uint32_t k = 0; k < o->size[i]; k++) {
            mask |= o->atom[i][k] < 64 ? UINT64_C(1) << o->atom[i][k] : 0;
        }
        gen_define_fixed(g, "UINT64_C(%" PRIu64 "),", mask);
        all |= mask;
    }
    gen_define_fixed(g, "};\nstatic const uint64_t orbit_all = UINT64_C(%" PRIu64 ");\n", all);
    gen_define_fixed(g, "%s", sig_helpers);
}

/* Member i of a subject that a parameter points to. */
static const struct cx *subject_part(struct gen *g, const struct subject *y, const char *of,
                                     uint32_t i)
{
    const struct cx *at = cx_deref(g, cx_name(g, CX_POINTER, NULL, of, of[0] == 'a'));
    return cx_member(g, at, gen_text(g, "v%u", i), cx_kind_of(y->ty[i]), y->ty[i]);
}

static void put_state_image(struct gen *g, const struct subject *y)
{
    struct side side;
    gen_side_open(g, &side);
    for (uint32_t i = 0; i < y->n; i++) {
        if (y->left_out && y->left_out[i]) {
            continue;
        }
        gen_block(g);
        put_image(g, y->ty[i], subject_part(g, y, "a", i), subject_part(g, y, "b", i));
        gen_scope_close(g);
    }
    gen_return(g, NULL, false);
    gen_side_close_fixed(
        g, &side, "static int image_state(struct W *w, const uint16_t *p, const Y *a, Y *b)");
}

static void put_state_spread(struct gen *g, const struct subject *y)
{
    struct side side;
    gen_side_open(g, &side);
    for (uint32_t i = 0; i < y->n; i++) {
        if (!y->left_out || !y->left_out[i]) {
            spread(g, y->ty[i], subject_part(g, y, "a", i),
                   cx_call(g, CX_U64, NULL, "sig_num", cx_int(g, i)));
        }
    }
    gen_side_close_fixed(g, &side, "static void spread_state(uint64_t *acc, const Y *a)");
}

void emit_symmetry(struct gen *g, const struct subject *y)
{
    struct orbits o;
    bool whole = find_orbits(g, &o);
    if (g->declined) {
        return;
    }
    if (!whole && g->spec->nperm > 5040) {
        gen_no(g, "SYMMETRY with many permutations");
        return;
    }
    gen_define_fixed(g,
                     "typedef %s Y;\nstatic inline uint64_t hash_y(const Y *y) { return %s(y); }\n",
                     y->c, y->hash);
    put_state_image(g, y);
    if (whole) {
        put_orbits(g, &o);
        put_state_spread(g, y);
        gen_define_fixed(g, "%s", choose_helpers);
    } else {
        put_perms(g);
        gen_define_fixed(g, "%s", every_helpers);
    }
    gen_define_fixed(
        g,
        "enum { CANON = %d };\n"
        "static inline int canon_fp(struct W *w, const Y *y, uint64_t plain, uint64_t *ret)\n"
        "{\n#ifdef ASSAY_GPU\n  return symmetric_fp(w, y, plain, ret);\n#else\n"
        "  struct canon *c = &w->canon[plain %% CANON];\n"
        "  if (c->plain != plain || plain == 0) /* an empty place has 0 */\n"
        "    { CALL(symmetric_fp(w, y, plain, &c->fp)); c->plain = plain; }\n"
        "  GIVE(c->fp);\n#endif\n}\n",
        HOST_CANON);
}
