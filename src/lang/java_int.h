/* Private to the two files of Java: objects of HotSpot. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "lang/lang_int.h"

/* Places that the tables of the virtual machine tell, by the names there. */
struct jlayout {
    uint64_t graph_head; /* addresses of static fields */
    uint64_t oop_base, oop_shift, klass_base, klass_shift;
    uint64_t flags, n_flags, heap, threads;
    uint64_t cld_next, cld_klasses; /* offsets */
    uint64_t klass_next, klass_name, klass_mirror, klass_super, klass_layout;
    uint64_t symbol_length, symbol_body;
    uint64_t ik_fields, ik_n_fields, ik_constants;
    uint64_t array_length, array_data;
    uint64_t constants_bytes; /* sizes */
    uint64_t flag_name, flag_addr, flag_bytes;
    uint64_t list_length, list_threads;
    uint64_t thread_tlab, tlab_top, tlab_end, tlab_reserve, tlab_align;
    uint64_t young, old, eden, from, to, tenured, space_bottom, space_top;
    uint64_t mirror_size; /* where the offset of a class object's size is told */
};
enum { CLASSES_KNOWN = 64 };
struct jknown {
    struct str name;
    uint64_t klass;
};
struct java {
    struct lang_runtime head;
    struct jlayout at;
    struct jknown known[CLASSES_KNOWN]; /* classes that were found before */
    size_t next_known;                  /* to be replaced */
    bool narrow_oops, narrow_klasses, serial, relocates;
    uint64_t oop_base, klass_base;
    unsigned oop_shift, klass_shift;
};
struct jfield {
    uint64_t offset;
    char type; /* Z B C S I J F D, or L */
    struct str name;
};

/* java.c */
MUST_USE int java_klass_name(struct lreader *rd, uint64_t klass, struct str *ret); /* with / */
MUST_USE int java_class_of(struct lreader *rd, uint64_t object, uint64_t *ret);
bool java_derives(struct lreader *rd, uint64_t klass, struct str name);
/* The field of a class itself: 1; 0: it has none of that name. */
int java_field(struct lreader *rd, uint64_t klass, struct str name, bool is_static,
               struct jfield *ret);
/* All instance fields of a class itself. */
MUST_USE int java_each_field(struct lreader *rd, uint64_t klass,
                             int (*fn)(struct lreader *rd, void *arg, const struct jfield *field),
                             void *arg);
MUST_USE int java_super(struct lreader *rd, uint64_t klass, uint64_t *ret);
MUST_USE int java_load(struct lreader *rd, uint64_t addr, char type, struct lref *ret);

/* java_object.c */
MUST_USE int java_member(struct lreader *rd, struct lref at, struct str name, struct lref *ret);
MUST_USE int java_items(struct lreader *rd, struct lref at, struct lrefs *ret_keys,
                        struct lrefs *ret_values, bool *ret_map);
MUST_USE int java_value(struct lreader *rd, struct lref at, unsigned depth, unsigned follow,
                        struct dwarf_value *ret);
/* java_heap.c */
MUST_USE int java_instance(struct lreader *rd, struct str name, uint64_t *ret);
