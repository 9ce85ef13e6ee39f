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

/* How a value is handed over. */
static const char *side_argument(struct gen *g, const struct ty *ty)
{
    bool word = ty->kind == TY_BITS && ty->w == 1;
    return word ? "uint64_t" : gen_text(g, "const %s *", ty_c(g->tys, ty));
}

static struct conv_key image_fn(struct gen *g, const struct ty *ty);

/* The image of `src` under p, as a C expression of a scalar, or written to dst. */
static void put_image(struct gen *g, const struct ty *ty, const char *src, const char *dst)
{
    if (!moves(ty)) {
        gen_put(g, "%s = %s;\n", dst, src);
    } else if (ty->kind == TY_ATOM) {
        gen_put(g, "%s = p[%s];\n", dst, src);
    } else if (ty->kind == TY_MIX) {
        gen_put(g, "%s = mix_kind(%s) == 1 ? (int32_t)(MIX_ATOM + p[%s - MIX_ATOM]) : %s;\n", dst,
                src, src, src);
    } else if (ty->kind == TY_BITS && ty->w == 1) {
        struct conv_key fn = image_fn(g, ty); /* dst may be packed */
        gen_put(g, "%s = %s;\n", dst, gen_call_of(g, "uint64_t", &fn, "w, p, %s", src));
    } else {
        struct conv_key fn = image_fn(g, ty);
        if (fn.traps) {
            gen_put_call(g, "%s(w, p, &%s, &%s)", fn.name, src, dst);
        } else {
            gen_put(g, "%s(w, p, &%s, &%s);\n", fn.name, src, dst);
        }
    }
}

static void image_bits(struct gen *g, const struct ty *ty)
{
    const char *e = ty->w == 1 ? "a" : "(*a)";
    struct loop_out loop;
    if (ty->w == 1) {
        gen_put(g, "uint64_t b = 0;\n");
    }
    gen_loop_open_cv(g, cv_of(ty, e), &loop);
    const char *t = gen_new_var(g, ty->elem);
    put_image(g, ty->elem, cv_e(g, &loop.elem), t);
    emit_set_add(g, ty->w == 1 ? "b" : "(*b)", ty, cv_of(ty->elem, t));
    gen_loop_close(g, &loop);
    if (ty->w == 1) {
        gen_put(g, "*ret = b;\n");
    }
}

static void image_fun(struct gen *g, const struct ty *ty)
{
    if (!moves(ty->key)) {
        gen_scope_open_loop(g, gen_text(g, "for (uint32_t i = 0; i < %u; i++)", ty->n));
        put_image(g, ty->elem, "a->a[i]", "b->a[i]");
        gen_scope_close(g);
        return;
    }
    for (uint32_t i = 0; i < ty->n; i++) {
        gen_scope_open(g, "");
        struct cv key = cv_conv(g, cv_val(g, ty->names[i]), ty->key);
        const char *k = gen_new_var(g, ty->key);
        put_image(g, ty->key, cv_e(g, &key), k);
        gen_put(g, "int j = %s;\n", emit_key_index(g, ty, cv_of(ty->key, k)));
        gen_trap_if(g, "T_DOMAIN", "j < 0");
        put_image(g, ty->elem, gen_text(g, "a->a[%u]", i), "b->a[j]");
        gen_scope_close(g);
    }
}

static void image_body(struct gen *g, const struct ty *ty)
{
    switch (ty->kind) {
    case TY_REC:
    case TY_TUP:
    case TY_UNION:
        if (ty->kind == TY_UNION || ty->nvariant > 1) {
            gen_put(g, "b->t = a->t;\n");
        }
        for (uint32_t i = 0; i < ty->n; i++) {
            uint64_t with = 0;
            for (uint32_t v = 0; v < ty->nvariant; v++) {
                with |= ty->variant[v] >> i & 1 ? UINT64_C(1) << v : 0;
            }
            const char *cond = ty->kind == TY_UNION ? gen_text(g, "if (a->t == %u)", i)
                               : ty->nvariant > 1
                                   ? gen_text(g, "if (UINT64_C(%" PRIu64 ") >> a->t & 1)", with)
                                   : "";
            gen_scope_open(g, cond);
            put_image(g, ty->field[i], gen_text(g, "a->f%u", i), gen_text(g, "b->f%u", i));
            gen_scope_close(g);
        }
        break;
    case TY_SEQ:
        gen_put(g, "b->n = a->n;\n");
        gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
        put_image(g, ty->elem, "a->a[i]", "b->a[i]");
        gen_scope_close(g);
        break;
    case TY_FUN: image_fun(g, ty); break;
    case TY_MAP: {
        gen_need_map(g, ty);
        gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
        gen_put(g, "%s k; memset(&k, 0, sizeof k); %s v; memset(&v, 0, sizeof v);\n",
                ty_c(g->tys, ty->key), ty_c(g->tys, ty->elem));
        put_image(g, ty->key, "a->k[i]", "k");
        put_image(g, ty->elem, "a->a[i]", "v");
        gen_put_call(g, "%s_put(b, &k, &v)", ty_c(g->tys, ty));
        gen_scope_close(g);
        break;
    }
    case TY_SET:
        gen_need_set(g, ty);
        gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
        gen_put(g, "%s e; memset(&e, 0, sizeof e);\n", ty_c(g->tys, ty->elem));
        put_image(g, ty->elem, "a->a[i]", "e");
        gen_put_call(g, "%s_add(b, &e)", ty_c(g->tys, ty));
        gen_scope_close(g);
        break;
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
    gen_put(g, "return 0;\n");
    const char *c = ty_c(g->tys, ty);
    bool word = ty->kind == TY_BITS && ty->w == 1;
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

/* A C expression: the hash of src. */
static const char *sig(struct gen *g, const struct ty *ty, const char *src)
{
    switch (ty->kind) {
    case TY_NONE: return "0";
    case TY_BOOL:
    case TY_INT: return gen_text(g, "sig_num(%s)", src);
    case TY_ATOM: return gen_text(g, "sig_atom(%s)", src);
    case TY_MIX: return gen_text(g, "sig_mix(%s)", src);
    default: break;
    }
    if (ty->kind == TY_BITS && ty->w == 1) {
        return gen_text(g, "%s(%s)", sig_fn(g, ty), src);
    }
    if (!moves(ty)) {
        return gen_text(g, "hash_bytes(&%s, %u)", src, ty->size);
    }
    return gen_text(g, "%s(&%s)", sig_fn(g, ty), src);
}

/* A condition in C for records of several forms, and unions: is field i there? */
static const char *if_there(struct gen *g, const struct ty *ty, uint32_t i)
{
    uint64_t with = 0;
    for (uint32_t v = 0; v < ty->nvariant; v++) {
        with |= ty->variant[v] >> i & 1 ? UINT64_C(1) << v : 0;
    }
    return ty->kind == TY_UNION ? gen_text(g, "if (a->t == %u)", i)
           : ty->nvariant > 1   ? gen_text(g, "if (UINT64_C(%" PRIu64 ") >> a->t & 1)", with)
                                : "";
}

static void sig_fields(struct gen *g, const struct ty *ty)
{
    if (ty->kind == TY_UNION || ty->nvariant > 1) {
        gen_put(g, "h = sig_then(h, a->t);\n");
    }
    for (uint32_t i = 0; i < ty->n; i++) { /* absent fields are zero: the same for all */
        gen_put(g, "%s h = sig_then(h, %s);\n", if_there(g, ty, i),
                sig(g, ty->field[i], gen_text(g, "a->f%u", i)));
    }
}

/* The keys of a function, as a table. */
static const char *keys_of(struct gen *g, const struct ty *fun)
{
    struct cv keys = {.ty = ty_seq(g->tys, fun->key, fun->n),
                      .is_val = true,
                      .val = tuple_make(g->ctx, fun->names, fun->n)};
    return cv_e(g, &keys);
}

static void sig_body(struct gen *g, const struct ty *ty)
{
    switch (ty->kind) {
    case TY_REC:
    case TY_TUP:
    case TY_UNION: sig_fields(g, ty); break;
    case TY_SEQ:
        gen_put_loop(g, "h = a->n; for (uint32_t i = 0; i < a->n; i++) h = sig_then(h, %s);\n",
                     sig(g, ty->elem, "a->a[i]"));
        break;
    case TY_FUN: {
        const char *k = keys_of(g, ty);
        gen_put_loop(g, "for (uint32_t i = 0; i < %u; i++) h += sig_end(sig_then(%s, %s));\n",
                     ty->n, sig(g, ty->key, gen_text(g, "%s.a[i]", k)),
                     sig(g, ty->elem, "a->a[i]"));
        break;
    }
    case TY_MAP:
        gen_put_loop(g, "for (uint32_t i = 0; i < a->n; i++) h += sig_end(sig_then(%s, %s));\n",
                     sig(g, ty->key, "a->k[i]"), sig(g, ty->elem, "a->a[i]"));
        break;
    case TY_SET:
        gen_put_loop(g, "for (uint32_t i = 0; i < a->n; i++) h += sig_end(%s);\n",
                     sig(g, ty->elem, "a->a[i]"));
        break;
    case TY_BITS: {
        struct loop_out loop;
        if (ty->w == 1 && ty->elem->kind == TY_ATOM && !ty->uni) {
            gen_put_loop(g,
                         "h = a & ~orbit_all; for (uint32_t o = 0; o < NORBIT; o++)\n"
                         "h = sig_then(h, (uint64_t)__builtin_popcountll(a & orbit_mask[o]));\n");
            break;
        }
        gen_loop_open_cv(g, cv_of(ty, ty->w == 1 ? "a" : "(*a)"), &loop);
        gen_put(g, "h += sig_end(%s);\n", sig(g, ty->elem, cv_e(g, &loop.elem)));
        gen_loop_close(g, &loop);
        break;
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
    gen_put(g, "uint64_t h = 0;\n");
    sig_body(g, ty);
    gen_put(g, "return h;\n");
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

/* Statements that give the values in src their due; around: C expression, the hash of what is
 * around it. */
static void spread(struct gen *g, const struct ty *ty, const char *src, const char *around)
{
    if (!moves(ty)) {
        return;
    }
    if (ty->kind == TY_ATOM) {
        gen_put(g, "spread_atom(acc, %s, %s);\n", src, around);
    } else if (ty->kind == TY_MIX) {
        gen_put(g, "if (mix_kind(%s) == 1) spread_atom(acc, (uint32_t)(%s - MIX_ATOM), %s);\n", src,
                src, around);
    } else {
        bool word = ty->kind == TY_BITS && ty->w == 1;
        gen_put(g, "%s(acc, %s, %s%s);\n", spread_fn(g, ty), around, word ? "" : "&", src);
    }
}

/* Elements of a set or sequence, and values of a map: what else is in them is around. */
static void spread_elem(struct gen *g, const struct ty *ty, const char *src, const char *around)
{
    bool plain = ty->kind == TY_ATOM || ty->kind == TY_MIX;
    spread(g, ty, src, plain ? around : gen_text(g, "sig_then(%s, %s)", around, sig(g, ty, src)));
}

static void spread_pairs(struct gen *g, const struct ty *ty, const char *n, const char *key)
{
    gen_scope_open_loop(g, gen_text(g, "for (uint32_t i = 0; i < %s; i++)", n));
    gen_put(g, "uint64_t v = sig_then(c, %s);\n", sig(g, ty->elem, "a->a[i]"));
    spread(g, ty->key, key, "v");
    if (moves(ty->elem)) {
        gen_put(g, "uint64_t k = sig_then(v, %s);\n", sig(g, ty->key, key));
        spread(g, ty->elem, "a->a[i]", "k");
    }
    gen_scope_close(g);
}

static void spread_body(struct gen *g, const struct ty *ty)
{
    switch (ty->kind) {
    case TY_REC:
    case TY_TUP:
    case TY_UNION:
        for (uint32_t i = 0; i < ty->n; i++) {
            if (moves(ty->field[i])) {
                gen_scope_open(g, if_there(g, ty, i));
                spread(g, ty->field[i], gen_text(g, "a->f%u", i),
                       gen_text(g, "sig_step(c, %u)", i + 1));
                gen_scope_close(g);
            }
        }
        break;
    case TY_SEQ:
        gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
        spread_elem(g, ty->elem, "a->a[i]", "sig_step(c, i + 1)");
        gen_scope_close(g);
        break;
    case TY_FUN:
        spread_pairs(g, ty, gen_text(g, "%u", ty->n), gen_text(g, "%s.a[i]", keys_of(g, ty)));
        break;
    case TY_MAP: spread_pairs(g, ty, "a->n", "a->k[i]"); break;
    case TY_SET:
        gen_scope_open_loop(g, "for (uint32_t i = 0; i < a->n; i++)");
        spread_elem(g, ty->elem, "a->a[i]", "c");
        gen_scope_close(g);
        break;
    case TY_BITS: {
        struct loop_out loop;
        gen_loop_open_cv(g, cv_of(ty, ty->w == 1 ? "a" : "(*a)"), &loop);
        spread_elem(g, ty->elem, cv_e(g, &loop.elem), "c");
        gen_loop_close(g, &loop);
        break;
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

static void put_state_image(struct gen *g, const struct subject *y)
{
    struct side side;
    gen_side_open(g, &side);
    for (uint32_t i = 0; i < y->n; i++) {
        if (y->left_out && y->left_out[i]) {
            continue;
        }
        gen_scope_open(g, "");
        put_image(g, y->ty[i], gen_text(g, "a->v%u", i), gen_text(g, "b->v%u", i));
        gen_scope_close(g);
    }
    gen_put(g, "return 0;\n");
    gen_side_close_fixed(
        g, &side, "static int image_state(struct W *w, const uint16_t *p, const Y *a, Y *b)");
}

static void put_state_spread(struct gen *g, const struct subject *y)
{
    struct side side;
    gen_side_open(g, &side);
    for (uint32_t i = 0; i < y->n; i++) {
        if (!y->left_out || !y->left_out[i]) {
            spread(g, y->ty[i], gen_text(g, "a->v%u", i), gen_text(g, "sig_num(%u)", i));
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
        "{ struct canon *c = &w->canon[plain %% CANON];\n"
        "  if (c->plain != plain) { CALL(symmetric_fp(w, y, plain, &c->fp)); c->plain = plain; }\n"
        "  GIVE(c->fp); }\n",
        HOST_CANON);
}
