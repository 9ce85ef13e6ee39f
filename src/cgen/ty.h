/* Types of values in compiled code: how a TLA+ value is laid out as a packed C struct.
 *
 * Equal values of one type have equal bytes. Types are interned: equal types are the same pointer.
 *
 *   BOOL, INT, ATOM   one number; an atom is a string or a model value, by its number in the table
 *                     of atoms. MIX holds any of the three: integers as they are, the others high
 * up REC               records; several sets of fields (variants) share one struct; absent fields
 * are zero TUP               a tuple whose positions have different types SEQ               length
 * and up to `cap` elements; the others are zero FUN               a function whose domain is always
 * the same: an array MAP               a function whose domain varies: up to `cap` pairs sorted by
 * the bytes of the key BITS              a set whose elements come from a small universe (all
 * atoms, the integers 0..63, or records of few fields with few values each): a bit vector SET a set
 * of anything else: up to `cap` elements sorted by their bytes UNION             values of
 * different shape: a tag, then one field for each alternative NONE              no value at all:
 * the elements of the empty set */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "value/value.h"

enum ty_kind {
    TY_NONE,
    TY_BOOL,
    TY_INT,
    TY_ATOM,
    TY_MIX,
    TY_REC,
    TY_TUP,
    TY_SEQ,
    TY_FUN,
    TY_MAP,
    TY_BITS,
    TY_SET,
    TY_UNION
};

#define MIX_ATOM    INT64_C(0x40000000) /* atom a is MIX_ATOM + a */
#define MIX_BOOL    INT64_C(0x60000000) /* FALSE, TRUE */
#define MIX_INT_MIN (-INT64_C(0x40000000))
#define TY_VARIANTS 32
#define TY_FIELDS   64
#define TY_CAP_MAX  4096
#define TY_LEAVES   16
#define TY_UNIVERSE 512 /* bits at most */
/* Classes of atoms: strings, model values without a type, and the model values of each type. TLC
 * compares those of two classes only if one of them is that of model values without a type. */
#define ATOM_STRING  0
#define ATOM_UNTYPED 1
#define ATOM_TYPED   2 /* the first of them */
#define ATOM_TYPES   30

/* All values that elements of a set may take: for each variant of a record (or the only one of
 * another type) the product of the values of its fields. */
struct uni_leaf {
    uint32_t offset; /* in the bytes of the element */
    const struct ty *ty;
    uint32_t n;
    const int64_t *code; /* ascending: numbers as stored */
};
struct uni_part {
    uint32_t base, count;
    uint32_t nleaf;
    const struct uni_leaf *leaf;
};
struct universe {
    uint32_t n;     /* bits */
    uint32_t npart; /* variants */
    const struct uni_part *part;
};

struct ty {
    enum ty_kind kind;
    uint32_t id;                   /* in the order of making; names the C type */
    uint32_t size;                 /* bytes */
    uint32_t w;                    /* INT: 1, 2, 4 or 8 bytes; BITS: words of 64 bits */
    uint32_t cap;                  /* SEQ, MAP, SET */
    uint32_t n;                    /* REC, TUP, UNION: fields; FUN: keys; ATOM: see ty_classes */
    const struct ty *key;          /* MAP, FUN */
    const struct ty *elem;         /* SEQ, SET, BITS: ATOM or INT; MAP, FUN: the values */
    const struct ty *const *field; /* REC, TUP, UNION */
    const uint32_t *offset;        /* of the fields */
    const struct val *names; /* REC: strings, ascending; FUN: keys, in the order of val_compare */
    const struct universe *uni; /* BITS of anything but atoms and integers; SET while sampling */
    uint32_t nvariant;          /* REC */
    const uint64_t *variant;    /* REC: which fields are there */
    bool map;                   /* REC: some were made as functions (:>, @@); see VF_MAP */
};

struct atom_swap {
    int from, to;
};

/* What all types of one model share. */
struct tys {
    struct arena *arena;
    struct vctx *ctx; /* for values in types, of the thread that makes types */
    struct strtab *strings;
    VEC(const struct ty *) all;
    VEC(uint32_t) index; /* hash table of all: number + 1, 0 = free; its size is a power of two */
    VEC(bool) named;     /* by id: C code speaks of it */
    VEC(const char *) names; /* by id, of structs in C: the same for the same text; NULL: not yet */
    VEC(struct val)
    atoms;       /* strings and model values, in the order of val_compare where there is one */
    bool sealed; /* no more atoms: numbers are fixed */
    char types[ATOM_TYPES]; /* of model values, in the order of their classes */
    uint32_t ntype;
    bool many_types;             /* more than that: nothing can be compiled */
    VEC(struct val) fresh;       /* met after that: for another round */
    bool small_ints;             /* sets of integers are BITS */
    bool sampling;               /* types are made of samples: sets note their universe */
    VEC(struct atom_swap) swaps; /* SYMMETRY exchanges them: universes hold both or none */
    uint32_t room; /* by how much integers in universes may grow: the number of widenings */
    const struct ty *none, *boolean, *atom, *mix;
    const struct ty *ints[4]; /* by log2 of the width */
};

void tys_init(struct tys *tys, struct arena *arena, struct vctx *ctx);
void tys_done(struct tys *tys);
/* Notes all atoms of a value; before tys_seal. */
void tys_atoms(struct tys *tys, struct val v);
void tys_seal(struct tys *tys);
void tys_reopen(struct tys *tys);                  /* takes the fresh atoms in */
int tys_atom(const struct tys *tys, struct val v); /* its number, -1: not in the table */
uint32_t tys_class(const struct tys *tys, struct val atom);
/* The classes that an ATOM may be of, as bits: strings and model values without a type unless the
 * type says otherwise. */
uint32_t ty_classes(const struct ty *atom);
bool ty_has_typed(const struct ty *atom); /* model values with a type */
/* Can any atom of the one type be compared with any of the other, which may be the same? */
bool ty_comparable(const struct ty *atom, const struct ty *other);

const struct ty *ty_int(struct tys *tys, uint32_t w);
const struct ty *ty_seq(struct tys *tys, const struct ty *elem, uint32_t cap);
const struct ty *ty_set(struct tys *tys, const struct ty *elem,
                        uint32_t cap); /* BITS where that is possible */
const struct ty *ty_set_noted(struct tys *tys, const struct ty *elem, uint32_t cap,
                              const struct universe *uni); /* while sampling */
const struct ty *ty_set_array(struct tys *tys, const struct ty *elem, uint32_t cap);
const struct ty *ty_map(struct tys *tys, const struct ty *key, const struct ty *elem, uint32_t cap);
/* keys: ascending in the order of val_compare. */
const struct ty *ty_fun(struct tys *tys, const struct val *keys, uint32_t n, const struct ty *key,
                        const struct ty *elem);
const struct ty *ty_tup(struct tys *tys, const struct ty *const *field, uint32_t n);
/* names ascending by id; variants sorted. */
const struct ty *ty_rec(struct tys *tys, const struct val *names, const struct ty *const *field,
                        uint32_t n, const uint64_t *variant, uint32_t nvariant);
/* The same forms with other types of fields. */
const struct ty *ty_rec_like(struct tys *tys, const struct ty *rec, const struct ty *const *field);
/* The same for values that were made as functions. */
const struct ty *ty_rec_map(struct tys *tys, const struct ty *rec);
/* The same values as records: of a function whose keys are strings, or of a record; NULL: none. */
const struct ty *ty_as_rec(struct tys *tys, const struct ty *fcn);
/* Is it no common layout of several values but one that holds anything? */
bool ty_is_mixed(const struct ty *ty);
/* Can the parts of a tuple be elements of one sequence, or is the tuple better off with a type for
 * each? `join`: of `before`, the join of the parts before it, and this one. */
bool ty_part_differs(const struct ty *before, const struct ty *part, const struct ty *join);
int ty_field(const struct ty *rec, struct val name); /* -1: none */

/* The least type that holds the values of both; NULL: there is none. */
const struct ty *ty_join(struct tys *tys, const struct ty *a, const struct ty *b);
const struct ty *ty_of_atom(struct tys *tys, struct val v);
/* The least type that holds the value; NULL: it has no type. */
const struct ty *ty_of_val(struct tys *tys, struct val v);
/* A type for a variable that was seen to hold values of this type: with room to grow. */
const struct ty *ty_roomy(struct tys *tys, const struct ty *ty);
/* The alternative of a union that holds values like those of `like`; -1: none. */
int ty_alternative(const struct ty *uni, const struct ty *like);
/* No type at all (NULL) is neither. */
bool ty_is_scalar(const struct ty *ty);
bool ty_is_fcn(const struct ty *ty); /* REC, TUP, SEQ, FUN, MAP */

/* Writes the value at `out`, which must be zero; false: it does not fit. */
bool ty_encode(const struct tys *tys, struct vctx *ctx, const struct ty *ty, struct val v,
               uint8_t *out);
struct val ty_decode(const struct tys *tys, struct vctx *ctx, const struct ty *ty,
                     const uint8_t *at);

/* Sorts `n` keys by their bytes, as they stand in sets and maps, with what stands beside each
 * (NULL: nothing does). */
void ty_sort(const struct ty *key, uint8_t *keys, uint8_t *vals, uint32_t vsize, uint32_t n);

/* ---- ty_pack.c ---- */
/* From types of one model to those of another one of the same specification. */
struct ty_packer {
    const struct tys *from, *to;
    bool same_atoms;
};
struct ty_packer ty_packer(const struct tys *from, const struct tys *to);
/* Do the same bytes mean the same value in both? */
bool ty_alike(const struct ty_packer *p, const struct ty *a, const struct ty *b);
enum ty_packed { PACK_FITS, PACK_NOT, PACK_UNKNOWN }; /* unknown: go by values, into zeros */
/* Writes the value `at`, of type a, as one of type b at `out`, which must be zero. */
enum ty_packed ty_pack(const struct ty_packer *p, const struct ty *a, const uint8_t *at,
                       const struct ty *b, uint8_t *out);

/* ---- universe.c ---- */
/* Of the elements of a set; NULL: there are too many, or they are too complex. */
const struct universe *uni_of_vals(struct tys *tys, struct vctx *ctx, const struct ty *elem,
                                   const struct val *v, uint32_t n);
/* The union of both, for elements of type `elem`, the join of theirs; NULL: none. */
const struct universe *uni_join(struct tys *tys, const struct ty *elem, const struct ty *a,
                                const struct ty *b);
const struct universe *uni_for(struct tys *tys, const struct ty *set, const struct ty *elem);
bool uni_same(const struct universe *a, const struct universe *b);
int64_t uni_index(const struct ty *bits, const uint8_t *elem); /* -1: outside */
void uni_element(const struct ty *bits, uint32_t index, uint8_t *elem);
const struct ty *ty_bits(struct tys *tys, const struct ty *elem, const struct universe *uni);

/* ty_text.c: names and definitions in C */
const char *ty_c(struct tys *tys, const struct ty *ty);  /* the C type, in the arena */
void ty_define_all(struct tys *tys, struct strbuf *out); /* those that were named */
void ty_print(const struct tys *tys, const struct ty *ty, struct strbuf *out); /* for people */
