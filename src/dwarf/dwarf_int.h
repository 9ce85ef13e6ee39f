/* Inside of the room: types as we keep them, places in memory, the parsed form of paths. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"

#define DWARF_PEEL_MAX  64      /* typedefs and qualifiers in a row */
#define DWARF_SCOPE_MAX 64      /* namespaces within namespaces */
#define DWARF_FIELD_MAX 4096    /* members of a structure, names of an enumeration */
#define DWARF_BULK_MAX  1048576 /* bytes read ahead for one structure or array */

enum dtype_kind {
    TY_INT,
    TY_UINT,
    TY_BOOL,
    TY_CHAR,
    TY_FLOAT,
    TY_ENUM,
    TY_STRUCT,
    TY_UNION,
    TY_ARRAY,
    TY_POINTER,
    TY_GO_MAP, /* a pointer to Go's hash table */
    TY_VOID,
    TY_OTHER,
};

/* How a structure of a known library is shown: as what it means. */
enum shape {
    SHAPE_UNKNOWN, /* not looked at yet */
    SHAPE_PLAIN,
    SHAPE_GO_STRING,
    SHAPE_GO_SLICE,
    SHAPE_CXX_STRING,
    SHAPE_CXX_VECTOR,
    SHAPE_CXX_BITS, /* std::vector<bool> */
    SHAPE_CXX_DEQUE,
    SHAPE_CXX_LIST,
    SHAPE_CXX_TREE, /* std::map, std::set and their multi forms */
    SHAPE_CXX_HASH, /* std::unordered_map, std::unordered_set */
    SHAPE_CXX_OPTIONAL,
    SHAPE_RUST_VEC,
    SHAPE_RUST_STRING,
    SHAPE_RUST_STR,
    SHAPE_RUST_SLICE,
    SHAPE_WRAPPER, /* one member stands for the whole: atomics, smart pointers */
};

struct dfield {
    struct str name; /* empty: anonymous */
    struct dtype *type;
    uint64_t offset;     /* in bytes */
    unsigned bit_size;   /* 0: not a bit-field */
    uint64_t bit_offset; /* from the beginning of the structure, when bit_size */
    bool base;           /* a base class */
};
struct dvariant {
    bool otherwise; /* for all values that no other variant has */
    int64_t value;
    struct dfield field;
};
struct denumerator {
    struct str name;
    int64_t value;
};

struct dtype {
    enum dtype_kind kind;
    enum shape shape;
    struct str name;
    int lang;
    uint64_t size; /* bytes; 0 when not known */
    Dwarf_Die die; /* where the rest is read from when it is needed */
    bool has_die;
    bool loaded;          /* fields, variants, enumerators are here */
    bool is_signed;       /* of an enumeration */
    bool targeted;        /* target is here */
    struct dtype *target; /* of a pointer or an array; NULL: void */
    uint64_t count;       /* of an array */
    bool count_known;
    struct dfield *fields;
    size_t nfields;
    struct dvariant *variants; /* Rust: which of them is there, the discriminant says */
    size_t nvariants;
    struct dfield discriminant;
    bool has_discriminant;
    struct denumerator *enumerators;
    size_t nenumerators;
};

struct dvar {
    struct str qualified;
    Dwarf_Die die;
    int lang;
    struct dvar *next; /* same last component */
};

/* A typed constant of Go. */
struct dconst {
    uint64_t type; /* entry of its type */
    struct str name;
    int64_t value;
};

struct dseg {
    uint64_t offset, vaddr, size; /* of PT_LOAD */
};

struct dwarf {
    struct arena arena;
    const char *path;
    int fd, debug_fd;
    Elf *elf, *debug_elf;
    Dwarf *dw;
    bool moves; /* position-independent: a bias must be given */
    VEC(struct dseg) segments;
    struct strmap vars;  /* last component -> struct dvar */
    struct strmap types; /* qualified name of a structure -> struct ddef, first one only */
    struct strmap names; /* qualified name of a typedef or a basic type -> struct ddef */
    VEC(struct dconst) consts;
    struct u64map decls;      /* entry of a declared variable -> index in declared */
    struct u64map made;       /* entry of a type -> index in types_made */
    VEC(struct str) declared; /* qualified names */
    VEC(struct dtype *) types_made;
    VEC(struct str) sections; /* contents of those that have names in them */
    bool indexed, locals_indexed;
};

enum step_kind { STEP_MEMBER, STEP_INDEX, STEP_RANGE, STEP_ALL, STEP_DEREF, STEP_LIST, STEP_CAST };
struct step {
    enum step_kind kind;
    size_t at; /* character of the text */
    struct str name;
    struct dtype *type; /* of a cast */
    struct bound *lo, *hi;
    struct step *next;
};
/* A sum: items with signs. */
struct bound {
    bool minus;
    bool is_text;
    struct str text; /* key of a map */
    int64_t number;
    struct dwarf_path *path; /* or NULL: the number, or the text */
    struct bound *next;
};
struct dwarf_path {
    struct dwarf *bin;
    struct str text;
    size_t at;
    struct str name; /* of the variable */
    struct dtype *type;
    bool is_const; /* the variable has no address: its bytes are here */
    uint8_t *bytes;
    size_t nbytes;
    uint64_t addr;
    struct step *steps;
};

/* Some bytes of the process with their type. */
struct place {
    struct dtype *type;
    uint64_t addr;
    const uint8_t *local; /* the same bytes, when they have been read already; else NULL */
    size_t nlocal;
    bool immaterial; /* there is no address, only local bytes */
    unsigned bit_size;
    uint64_t bit_offset; /* from addr */
};

/* One read under way. */
struct reader {
    const struct dwarf_memory *memory;
    struct dwarf_limits limits;
    struct arena *arena;
    struct dwarf *bin;
    struct err *err; /* never NULL */
    size_t values;
    struct strbuf *steps; /* see dwarf_memory; NULL: not now */
    unsigned courtesies;  /* how often following a pointer may still end at the limit */
};

/* open.c */
const char *name_of(struct dwarf *bin, Dwarf_Die *die); /* NULL: none, or one without an end */

/* index.c */
MUST_USE int index_find(struct dwarf *bin, struct str name, struct str file, struct dvar **ret,
                        struct err *err);
bool index_has(struct dwarf *bin, struct str name);
bool index_definition(struct dwarf *bin, struct str qualified, Dwarf_Die *ret);
/* A type by its name, which may leave out outer scopes; `tagged`: one that has members or
 * enumerators, else a typedef or a basic type first. */
bool index_type(struct dwarf *bin, struct str name, bool tagged, Dwarf_Die *ret);
MUST_USE int var_locate(struct dwarf *bin, struct dvar *var, struct dwarf_path *path,
                        struct err *err);
bool die_next(Dwarf_Die *die); /* the next sibling, never backwards */

/* type.c */
struct dtype *type_of(struct dwarf *bin, Dwarf_Die *die, int lang); /* of a die with DW_AT_type */
struct dtype *type_from(struct dwarf *bin, Dwarf_Die die, int lang);
struct dtype *type_target(struct dwarf *bin, struct dtype *type);
struct dtype *type_pointer(struct dwarf *bin, struct dtype *target); /* a new one */
void type_load(struct dwarf *bin, struct dtype *type);
struct dtype *type_parameter(struct dwarf *bin, struct dtype *type, unsigned index);
uint64_t type_size(struct dwarf *bin, struct dtype *type);
/* A member, also of base classes and anonymous members; its offset is from the outermost. */
bool type_member(struct dwarf *bin, struct dtype *type, struct str name, struct dfield *ret);
/* A base class, also of base classes, whose name begins so. */
bool type_base(struct dwarf *bin, struct dtype *type, struct str prefix, struct dfield *ret);
/* "a.b.c" of structures; a component {prefix is a base class. */
bool type_walk(struct dwarf *bin, struct dtype *type, const char *path, struct dfield *ret);

/* place.c */
MUST_USE int place_read(struct reader *rd, const struct place *place, uint64_t offset, void *buf,
                        size_t n);
MUST_USE int place_word(struct reader *rd, const struct place *place, uint64_t *ret);
struct place place_at(const struct place *place, uint64_t offset, struct dtype *type);
struct place place_field(const struct place *place, const struct dfield *field);
void place_load(struct reader *rd, struct place *place, uint64_t bytes); /* reads ahead */
MUST_USE int place_member(struct reader *rd, const struct place *place, const char *path,
                          struct place *ret); /* see type_walk */
MUST_USE int place_deref(struct reader *rd, const struct place *place, struct place *ret);
MUST_USE int scalar_read(struct reader *rd, const struct place *place, struct dwarf_value *ret);
MUST_USE int limit_value(struct reader *rd, uint64_t more);

/* shape.c: what is within containers */
enum shape shape_of(struct dwarf *bin, struct dtype *type);
const char *shape_wrapped(struct dwarf *bin, struct dtype *type); /* the member, of a wrapper */
bool shape_is_sequence(enum shape shape);
struct dtype *shape_element(struct dwarf *bin, struct dtype *type); /* NULL: not a sequence */
/* Places of the elements of a sequence: [lo, hi) of them, all when hi is UINT64_MAX. */
struct places {
    struct place *v;
    size_t n, cap;
};
void places_add(struct reader *rd, struct places *places, struct place place);
MUST_USE int sequence_length(struct reader *rd, const struct place *place, bool *ret_known,
                             uint64_t *ret);
MUST_USE int sequence_items(struct reader *rd, const struct place *place, uint64_t lo, uint64_t hi,
                            struct places *ret);
MUST_USE int text_read(struct reader *rd, const struct place *place, bool *ret_is_text,
                       struct str *ret);
MUST_USE int optional_read(struct reader *rd, const struct place *place, bool *ret_there,
                           struct place *ret);

/* map.c */
bool map_is(struct dwarf *bin, struct dtype *type);
bool map_has_values(const struct dtype *type); /* false: a set */
MUST_USE int map_entries(struct reader *rd, const struct place *place, struct places *ret_keys,
                         struct places *ret_values);

/* tell.c: what a path has led to, when somebody asks */
void tell_variable(struct reader *rd, const struct dwarf_path *path);
void tell_step(struct reader *rd, const struct step *step, const struct place *place);
void tell_places(struct reader *rd, const struct step *step, size_t n);

/* read.c */
MUST_USE int value_read(struct reader *rd, const struct place *place, unsigned depth,
                        unsigned follow, struct dwarf_value *ret);
