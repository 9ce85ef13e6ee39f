/* What the parts of the generator share: types, what is in scope, and expressions of a wanted type.
 * d is how deep an expression may still become. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "tier_gen.h"

enum gkind {
    G_BOOL,
    G_INT,
    G_STR,
    G_MV,     /* an element of Server */
    G_OPTMV,  /* ... or Nil */
    G_OPTINT, /* an integer or Nil */
    G_OPTSTR, /* a string or Nil */
    G_REC,
    G_FORMS, /* records of several forms */
    G_OPT,   /* `a` (a record, a sequence, ...) or Nil */
    G_TUP,
    G_SEQ,
    G_FUN, /* from a constant domain */
    G_MAP, /* domain varies; a function from strings, model values, integers, tuples */
    G_SET,
    G_BAG /* of b */
};

#define FIELDS 4
struct gty {
    enum gkind kind;
    const struct gty *a, *b; /* element or value; key */
    uint32_t n;
    const struct gty *field[FIELDS]; /* REC, TUP */
    const char *name[FIELDS];
    uint32_t dom; /* FUN: in doms */
};

struct gdom {
    const char *text;
    const struct gty *key;
};

enum { DOM_SERVER, DOM_STR, DOM_FROM1, DOM_FROM0, DOM_PAIR, DOM_BOOL, DOM_OPTMV, NDOM };

struct gname {
    const char *name;
    const struct gty *ty;
};
struct gop {
    const char *name;
    const struct gty *ty;
    uint32_t n;
    const struct gty *param[3];
};

#define TYPES 24
#define NAMES 64
#define OPS   24
struct gg {
    struct arena arena;
    struct rng rng;
    struct strbuf *out;
    const struct tier_size *size;
    const struct gty *types[TYPES];
    uint32_t ntype;
    struct gdom doms[NDOM];
    struct gname bound[NAMES];
    uint32_t nbound;
    struct gname vars[16];
    uint32_t nvar;
    uint32_t primed; /* bits: variables whose primed value may be read */
    struct gop ops[OPS];
    uint32_t nop;
    bool constant; /* no variables */
    bool wild;     /* may fail */
    bool action;   /* part of an action: no recursive operators as conditions */
    uint32_t fresh;
    uint32_t budget; /* nodes left for this definition */
};

extern const struct gty t_bool, t_int, t_str, t_mv, t_optmv, t_optint, t_optstr, t_forms, t_pair;

static inline uint32_t below(struct gg *g, uint32_t n)
{
    return (uint32_t)rng_below(&g->rng, n);
}

static inline bool chance(struct gg *g, uint32_t percent)
{
    return below(g, 100) < percent;
}

static inline void w(struct gg *g, const char *text)
{
    strbuf_adds(g->out, text);
}

#define wf(g, ...) strbuf_printf((g)->out, __VA_ARGS__)

/* A part of some type, in the parentheses that `before` opens. */
typedef void (*part_fn)(struct gg *g, const struct gty *t, int d);
static inline void around(struct gg *g, const char *before, part_fn part, const struct gty *t,
                          int d)
{
    w(g, before);
    part(g, t, d);
    w(g, ")");
}

/* ---- tier_gen.c: types and literals ---- */
bool same(const struct gty *a, const struct gty *b);
const struct gty *new_ty(struct gg *g, struct gty t);
const struct gty *set_of(struct gg *g, const struct gty *a);
const struct gty *pick_ty(struct gg *g);
const struct gty *small_ty(struct gg *g); /* may stand in sets and as keys */
const struct gty *key_ty(struct gg *g);   /* ... of maps: TLC can tell 1 :> x from <<x>>, which
                                           * matters where they meet other keys than numbers */
void lit_key(struct gg *g, uint32_t dom);
void lit(struct gg *g, const struct gty *t, int d);

/* ---- tier_expr.c: expressions ---- */
const char *bind(struct gg *g, const struct gty *t); /* a new name in scope */
bool ex_name(struct gg *g, const struct gty *t);     /* false: none has the type */
void leaf(struct gg *g, const struct gty *t);
void ex(struct gg *g, const struct gty *t, int d);
void ex_set(struct gg *g, const struct gty *elem, int d);
void ex_bool(struct gg *g, int d);
void ex_if(struct gg *g, part_fn part, const struct gty *t, int d); /* both ways by `part` */

/* ---- tier_forms.c: forms that are compiled in ways of their own; false: nothing was written ----
 */
bool form_any(struct gg *g, const struct gty *t, int d);
bool form_bool(struct gg *g, int d);
bool form_int(struct gg *g, int d);
bool form_set(struct gg *g, const struct gty *elem, int d);
void ex_bag_of(struct gg *g, const struct gty *elem, int d); /* a bag */
