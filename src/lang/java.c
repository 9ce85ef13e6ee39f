/* HotSpot: where paths begin. libjvm.so exports tables for the serviceability agent
 * (gHotSpotVMStructs, gHotSpotVMTypes): for each field of its structures the offset, or the address
 * of a static one. All places come from there; only what the tables cannot tell (how 17 packs a
 * field's description) is known here. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "lang/java_int.h"
#include "lang/lang.h"
#include "lang/lang_int.h"

enum {
    ENTRIES_MOST = 20000,
    NAME_BYTES = 200,
    LOADERS_MOST = 100000,
    CLASSES_MOST = 1000000,
    SUPERS_MOST = 200,
    FIELDS_MOST = 65535,
    FIELD_WORDS = 6, /* of a field's description: flags, name, signature, value, offset (2) */
    FLAG_STATIC = 8
};
static const char *const libjvm[] = {"libjvm.so", NULL};

/* ---- the tables ---- */

struct table { /* of structures or types, in the process */
    const struct lang_memory *memory;
    struct arena *arena;
    uint64_t begin, stride;
    struct strmap entries; /* "Type::field", or "Type" */
};
struct entry {
    uint64_t offset, address, size;
};

static int word_at(const struct lang_memory *memory, uint64_t addr, uint64_t *ret)
{
    return memory->read(memory->arg, addr, ret, sizeof *ret);
}

static int symbol_word(const struct lang_memory *memory, const char *name, uint64_t *ret,
                       struct err *err)
{
    uint64_t addr = 0;
    int status = symbol_find(memory, libjvm, name, &addr, err);
    if (status == 0 && word_at(memory, addr, ret) != 0) {
        status = err_set(err, ERR_IO, 0, "%s cannot be read", name);
    }
    return status;
}

static bool text_at(const struct table *t, uint64_t addr, struct str *ret)
{
    char buf[NAME_BYTES];
    for (size_t n = 0; n < sizeof buf; n++) {
        if (t->memory->read(t->memory->arg, addr + n, &buf[n], 1) != 0) {
            return false;
        }
        if (buf[n] == '\0') {
            *ret = str_dup(t->arena, (struct str){buf, n});
            return true;
        }
    }
    return false;
}

struct columns {
    const char *table, *stride, *names[5]; /* of the offsets within an entry */
};

static int read_columns(const struct lang_memory *memory, const struct columns *c, uint64_t *begin,
                        uint64_t *stride, uint64_t *at, struct err *err)
{
    int status = symbol_word(memory, c->table, begin, err);
    status = status != 0 ? status : symbol_word(memory, c->stride, stride, err);
    for (size_t i = 0; status == 0 && c->names[i] != NULL; i++) {
        status = symbol_word(memory, c->names[i], &at[i], err);
    }
    return status;
}

/* An entry without a type's name ends the table. */
static int read_structs(struct table *t, struct err *err)
{
    static const struct columns columns = {
        "gHotSpotVMStructs",
        "gHotSpotVMStructEntryArrayStride",
        {"gHotSpotVMStructEntryTypeNameOffset", "gHotSpotVMStructEntryFieldNameOffset",
          "gHotSpotVMStructEntryOffsetOffset", "gHotSpotVMStructEntryAddressOffset"},
    };
    uint64_t at[5] = {0};
    int status = read_columns(t->memory, &columns, &t->begin, &t->stride, at, err);
    for (uint64_t i = 0; status == 0 && i < ENTRIES_MOST; i++) {
        uint64_t entry = t->begin + i * t->stride, type = 0, field = 0;
        struct str type_name, field_name;
        struct entry *e = ARENA_NEW(t->arena, struct entry);
        if (word_at(t->memory, entry + at[0], &type) != 0 || type == 0 ||
            word_at(t->memory, entry + at[1], &field) != 0 || !text_at(t, type, &type_name) ||
            !text_at(t, field, &field_name) || word_at(t->memory, entry + at[2], &e->offset) != 0 ||
            word_at(t->memory, entry + at[3], &e->address) != 0) {
            break;
        }
        (void)strmap_put(
            &t->entries,
            str_of(arena_printf(t->arena, "%.*s::%.*s", STR_ARG(type_name), STR_ARG(field_name))),
            e);
    }
    return status;
}

static int read_types(struct table *t, struct err *err)
{
    static const struct columns columns = {
        "gHotSpotVMTypes",
        "gHotSpotVMTypeEntryArrayStride",
        {"gHotSpotVMTypeEntryTypeNameOffset", "gHotSpotVMTypeEntrySizeOffset"},
    };
    uint64_t at[5] = {0};
    int status = read_columns(t->memory, &columns, &t->begin, &t->stride, at, err);
    for (uint64_t i = 0; status == 0 && i < ENTRIES_MOST; i++) {
        uint64_t entry = t->begin + i * t->stride, type = 0;
        struct str name;
        struct entry *e = ARENA_NEW(t->arena, struct entry);
        if (word_at(t->memory, entry + at[0], &type) != 0 || type == 0 ||
            !text_at(t, type, &name) || word_at(t->memory, entry + at[1], &e->size) != 0) {
            break;
        }
        (void)strmap_put(&t->entries, name, e);
    }
    return status;
}

/* What is needed of the tables. */
struct need {
    const char *name;
    size_t to;
    char what;     /* 'o' offset, 'a' address, 's' size */
    bool optional; /* for some collectors only */
};
#define TO(field) offsetof(struct jlayout, field)
static const struct need needs[] = {
    {"ClassLoaderDataGraph::_head",                              TO(graph_head),      'a', false},
    {"CompressedOops::_narrow_oop._base",                        TO(oop_base),        'a', false},
    {"CompressedOops::_narrow_oop._shift",                       TO(oop_shift),       'a', false},
    {"CompressedKlassPointers::_narrow_klass._base",             TO(klass_base),      'a', false},
    {"CompressedKlassPointers::_narrow_klass._shift",            TO(klass_shift),     'a', false},
    {"JVMFlag::flags",                                           TO(flags),           'a', false},
    {"JVMFlag::numFlags",                                        TO(n_flags),         'a', false},
    {"JVMFlag::_name",                                           TO(flag_name),       'o', false},
    {"JVMFlag::_addr",                                           TO(flag_addr),       'o', false},
    {"JVMFlag",                                                  TO(flag_bytes),      's', false},
    {"ClassLoaderData::_next",                                   TO(cld_next),        'o', false},
    {"ClassLoaderData::_klasses",                                TO(cld_klasses),     'o', false},
    {"Klass::_next_link",                                        TO(klass_next),      'o', false},
    {"Klass::_name",                                             TO(klass_name),      'o', false},
    {"Klass::_java_mirror",                                      TO(klass_mirror),    'o', false},
    {"Klass::_super",                                            TO(klass_super),     'o', false},
    {"Klass::_layout_helper",                                    TO(klass_layout),    'o', false},
    {"Symbol::_length",                                          TO(symbol_length),   'o', false},
    {"Symbol::_body[0]",                                         TO(symbol_body),     'o', false},
    {"InstanceKlass::_fields",                                   TO(ik_fields),       'o', false},
    {"InstanceKlass::_java_fields_count",                        TO(ik_n_fields),     'o', false},
    {"InstanceKlass::_constants",                                TO(ik_constants),    'o', false},
    {"Array<int>::_length",                                      TO(array_length),    'o', false},
    {"Array<u2>::_data",                                         TO(array_data),      'o', false},
    {"ConstantPool",                                             TO(constants_bytes), 's', false},
    {"Universe::_collectedHeap",                                 TO(heap),            'a', true },
    {"ThreadsSMRSupport::_java_thread_list",                     TO(threads),         'a', true },
    {"ThreadsList::_length",                                     TO(list_length),     'o', true },
    {"ThreadsList::_threads",                                    TO(list_threads),    'o', true },
    {"Thread::_tlab",                                            TO(thread_tlab),     'o', true },
    {"ThreadLocalAllocBuffer::_top",                             TO(tlab_top),        'o', true },
    {"ThreadLocalAllocBuffer::_end",                             TO(tlab_end),        'o', true },
    {"ThreadLocalAllocBuffer::_reserve_for_allocation_prefetch", TO(tlab_reserve),    'a', true },
    {"CollectedHeap::_lab_alignment_reserve",                    TO(tlab_align),      'a', true },
    {"GenCollectedHeap::_young_gen",                             TO(young),           'o', true },
    {"GenCollectedHeap::_old_gen",                               TO(old),             'o', true },
    {"DefNewGeneration::_eden_space",                            TO(eden),            'o', true },
    {"DefNewGeneration::_from_space",                            TO(from),            'o', true },
    {"DefNewGeneration::_to_space",                              TO(to),              'o', true },
    {"TenuredGeneration::_the_space",                            TO(tenured),         'o', true },
    {"Space::_bottom",                                           TO(space_bottom),    'o', true },
    {"ContiguousSpace::_top",                                    TO(space_top),       'o', true },
    {"java_lang_Class::_oop_size_offset",                        TO(mirror_size),     'a', true },
};

static int fill_layout(const struct table *t, struct jlayout *ret, struct err *err)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        const struct need *need = &needs[i];
        const struct entry *e = strmap_get(&t->entries, str_of(need->name));
        uint64_t *to = (uint64_t *)(void *)((char *)ret + need->to);
        if (e == NULL && !need->optional) {
            return err_set(err, ERR_UNSUPPORTED, 0,
                           "this Java has no %s in its tables: only 17 can be read", need->name);
        }
        if (e != NULL) {
            *to = need->what == 'o' ? e->offset : need->what == 'a' ? e->address : e->size;
        }
    }
    return 0;
}

/* ---- options of the machine ---- */

static bool flag_of(const struct table *t, const struct jlayout *at, const char *name)
{
    uint64_t flags = 0, n = 0, text = 0, addr = 0;
    uint8_t value = 0;
    if (word_at(t->memory, at->flags, &flags) != 0 || word_at(t->memory, at->n_flags, &n) != 0) {
        return false;
    }
    for (uint64_t i = 0; i < n && i < ENTRIES_MOST; i++) {
        char buf[64];
        uint64_t flag = flags + i * at->flag_bytes;
        if (word_at(t->memory, flag + at->flag_name, &text) == 0 && text != 0 &&
            t->memory->read(t->memory->arg, text, buf, strlen(name) + 1) == 0 &&
            memcmp(buf, name, strlen(name) + 1) == 0) {
            return word_at(t->memory, flag + at->flag_addr, &addr) == 0 &&
                   t->memory->read(t->memory->arg, addr, &value, 1) == 0 && value != 0;
        }
    }
    return false;
}

static int find_options(const struct table *t, struct java *java, struct err *err)
{
    const struct jlayout *at = &java->at;
    uint32_t oop_shift = 0, klass_shift = 0;
    java->narrow_oops = flag_of(t, at, "UseCompressedOops");
    java->narrow_klasses = flag_of(t, at, "UseCompressedClassPointers");
    java->serial = flag_of(t, at, "UseSerialGC");
    java->relocates = flag_of(t, at, "UseZGC") || flag_of(t, at, "UseShenandoahGC");
    if (java->relocates) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "this Java moves objects while it runs (ZGC, Shenandoah): use another "
                       "collector, -XX:+UseSerialGC");
    }
    if (word_at(t->memory, at->oop_base, &java->oop_base) != 0 ||
        t->memory->read(t->memory->arg, at->oop_shift, &oop_shift, 4) != 0 ||
        word_at(t->memory, at->klass_base, &java->klass_base) != 0 ||
        t->memory->read(t->memory->arg, at->klass_shift, &klass_shift, 4) != 0 || oop_shift > 8 ||
        klass_shift > 16) {
        return err_set(err, ERR_CORRUPT, 0, "this Java's compressed pointers cannot be read");
    }
    java->oop_shift = oop_shift;
    java->klass_shift = klass_shift;
    return 0;
}

/* ---- classes ---- */

static const struct java *java_of(const struct lreader *rd)
{
    return (const struct java *)rd->runtime;
}

static int symbol_text(struct lreader *rd, uint64_t symbol, struct str *ret)
{
    const struct jlayout *at = &java_of(rd)->at;
    uint16_t n = 0;
    int status = lread(rd, symbol + at->symbol_length, &n, sizeof n);
    char *text = arena_alloc(rd->arena, (size_t)n + 1);
    status = status != 0 || n == 0 ? status : lread(rd, symbol + at->symbol_body, text, n);
    *ret = (struct str){text, n};
    return status;
}

int java_klass_name(struct lreader *rd, uint64_t klass, struct str *ret)
{
    uint64_t symbol = 0;
    int status = lread_word(rd, klass + java_of(rd)->at.klass_name, &symbol);
    return status != 0 ? status : symbol_text(rd, symbol, ret);
}

int java_super(struct lreader *rd, uint64_t klass, uint64_t *ret)
{
    return lread_word(rd, klass + java_of(rd)->at.klass_super, ret);
}

int java_class_of(struct lreader *rd, uint64_t object, uint64_t *ret)
{
    const struct java *java = java_of(rd);
    uint32_t narrow = 0;
    if (!java->narrow_klasses) {
        return lread_word(rd, object + 8, ret);
    }
    int status = lread(rd, object + 8, &narrow, sizeof narrow);
    *ret = java->klass_base + ((uint64_t)narrow << java->klass_shift);
    return status;
}

/* "pkg.Class" against "pkg/Class"; without a package the last part counts. */
static bool is_class(struct str klass, struct str name)
{
    bool short_name = memchr(name.p, '.', name.n) == NULL;
    const char *slash = short_name ? memrchr(klass.p, '/', klass.n) : NULL;
    if (slash != NULL) {
        klass = (struct str){slash + 1, klass.n - (size_t)(slash + 1 - klass.p)};
    }
    if (klass.n != name.n) {
        return false;
    }
    for (size_t i = 0; i < name.n; i++) {
        if (klass.p[i] != name.p[i] && !(klass.p[i] == '/' && name.p[i] == '.')) {
            return false;
        }
    }
    return true;
}

bool java_derives(struct lreader *rd, uint64_t klass, struct str name)
{
    for (int i = 0; i < SUPERS_MOST && klass != 0; i++) {
        struct str text;
        if (java_klass_name(rd, klass, &text) != 0) {
            return false;
        }
        if (is_class(text, name)) {
            return true;
        }
        if (java_super(rd, klass, &klass) != 0) {
            return false;
        }
    }
    return false;
}

static int find_in_loader(struct lreader *rd, uint64_t loader, struct str name, uint64_t *left,
                          uint64_t *ret)
{
    const struct jlayout *at = &java_of(rd)->at;
    uint64_t klass = 0;
    int status = lread_word(rd, loader + at->cld_klasses, &klass);
    while (status == 0 && klass != 0 && (*left)-- > 0) {
        struct str text;
        status = java_klass_name(rd, klass, &text);
        if (status == 0 && is_class(text, name)) {
            *ret = klass;
            return 0;
        }
        status = status != 0 ? status : lread_word(rd, klass + at->klass_next, &klass);
    }
    return status;
}

/* *ret 0: no such class is loaded. */
static int find_class(struct lreader *rd, struct str name, uint64_t *ret)
{
    struct java *java = (struct java *)rd->runtime;
    uint64_t loader = 0, left = CLASSES_MOST;
    struct str text;
    *ret = 0;
    for (size_t i = 0; i < CLASSES_KNOWN; i++) {
        const struct jknown *known = &java->known[i];
        struct err before = *rd->err;
        if (known->klass != 0 && str_eq(known->name, name) &&
            java_klass_name(rd, known->klass, &text) == 0 && is_class(text, name)) {
            *ret = known->klass;
            return 0;
        }
        *rd->err = before;
    }
    int status = lread_word(rd, java->at.graph_head, &loader);
    for (int i = 0; status == 0 && *ret == 0 && loader != 0 && i < LOADERS_MOST; i++) {
        status = find_in_loader(rd, loader, name, &left, ret);
        status = status != 0 ? status : lread_word(rd, loader + java->at.cld_next, &loader);
    }
    if (status == 0 && *ret != 0) {
        java->known[java->next_known++ % CLASSES_KNOWN] =
            (struct jknown){str_dup(java->head.arena, name), *ret};
    }
    return status;
}

/* ---- fields ---- */

struct fields { /* of a class, as 17 packs them */
    uint64_t data, constants;
    uint16_t n;
};

static int read_fields(struct lreader *rd, uint64_t klass, struct fields *ret)
{
    const struct jlayout *at = &java_of(rd)->at;
    uint64_t array = 0;
    uint32_t length = 0;
    int status = lread_word(rd, klass + at->ik_fields, &array);
    status = status != 0 ? status : lread(rd, klass + at->ik_n_fields, &ret->n, sizeof ret->n);
    status = status != 0 ? status : lread_word(rd, klass + at->ik_constants, &ret->constants);
    status = status != 0 ? status : lread(rd, array + at->array_length, &length, sizeof length);
    ret->data = array + at->array_data;
    if (status == 0 && (uint32_t)ret->n * FIELD_WORDS > length) {
        status = err_set(rd->err, ERR_CORRUPT, 0, "a class is damaged");
    }
    return status;
}

static int constant_text(struct lreader *rd, const struct fields *f, uint16_t index,
                         struct str *ret)
{
    uint64_t symbol = 0;
    int status = lread_word(
        rd, f->constants + java_of(rd)->at.constants_bytes + 8 * (uint64_t)index, &symbol);
    return status != 0 ? status : symbol_text(rd, symbol, ret);
}

/* Field i: 1; 0: it is of the other kind (static or not). */
static int field_at(struct lreader *rd, const struct fields *f, uint16_t i, bool is_static,
                    struct jfield *ret)
{
    uint16_t w[FIELD_WORDS];
    struct str signature;
    int status = lread(rd, f->data + sizeof w * (uint64_t)i, w, sizeof w);
    if (status != 0 || ((w[0] & FLAG_STATIC) != 0) != is_static) {
        return status;
    }
    status = constant_text(rd, f, w[1], &ret->name);
    status = status != 0 ? status : constant_text(rd, f, w[2], &signature);
    if (status != 0) {
        return status;
    }
    ret->offset = ((uint64_t)w[5] << 16 | w[4]) >> 2; /* two bits say that it is one */
    ret->type = signature.n == 0 || signature.p[0] == '[' ? 'L' : signature.p[0];
    return 1;
}

int java_field(struct lreader *rd, uint64_t klass, struct str name, bool is_static,
               struct jfield *ret)
{
    struct fields f;
    int status = read_fields(rd, klass, &f);
    for (uint16_t i = 0; status == 0 && i < f.n; i++) {
        status = field_at(rd, &f, i, is_static, ret);
        if (status == 1 && !str_eq(ret->name, name)) {
            status = 0;
        }
    }
    return status;
}

int java_each_field(struct lreader *rd, uint64_t klass,
                    int (*fn)(struct lreader *rd, void *arg, const struct jfield *field), void *arg)
{
    struct fields f;
    struct jfield field;
    int status = read_fields(rd, klass, &f);
    for (uint16_t i = 0; status == 0 && i < f.n; i++) {
        status = field_at(rd, &f, i, false, &field);
        status = status == 1 ? fn(rd, arg, &field) : status;
    }
    return status;
}

int java_load(struct lreader *rd, uint64_t addr, char type, struct lref *ret)
{
    static const char types[] = "ZBCSIJFD";
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 8, 4, 8};
    const struct java *java = java_of(rd);
    const char *at = strchr(types, type);
    uint64_t bits = 0;
    if (type != '\0' && at != NULL) {
        int status = lread(rd, addr, &bits, widths[at - types]);
        *ret = (struct lref){.prim = type, .bits = bits};
        return status;
    }
    int status = lread(rd, addr, &bits, java->narrow_oops ? 4 : 8);
    if (java->narrow_oops && bits != 0) {
        bits = java->oop_base + (bits << java->oop_shift);
    }
    *ret = (struct lref){.addr = bits};
    return status;
}

/* ---- where a path begins ---- */

/* A static field of the class or of those above it. */
static int static_field(struct lreader *rd, uint64_t klass, struct str name, struct lref *ret)
{
    const struct jlayout *at = &java_of(rd)->at;
    struct jfield field;
    for (int i = 0; i < SUPERS_MOST && klass != 0; i++) {
        uint64_t handle = 0, mirror = 0;
        int there = java_field(rd, klass, name, true, &field);
        if (there == 1) {
            int status = lread_word(rd, klass + at->klass_mirror, &handle);
            status = status != 0 ? status : lread_word(rd, handle, &mirror);
            return status != 0 ? status : java_load(rd, mirror + field.offset, field.type, ret);
        }
        int status = there != 0 ? there : java_super(rd, klass, &klass);
        if (status != 0) {
            return status;
        }
    }
    return lread_none(rd, "the class has no static field", name);
}

static int java_root(struct lreader *rd, const struct lang_path *path,
                     const struct lstep **ret_rest, struct lref *ret)
{
    uint64_t klass = 0, found = 0;
    *ret_rest = path->steps;
    if (path->instance.n != 0) {
        int status = java_instance(rd, path->instance, &found);
        *ret = (struct lref){.addr = found};
        if (status == 0) {
            lread_tell(rd, "the instance of ", path->instance, *ret);
        }
        return status;
    }
    for (const struct lstep *s = path->steps; s != NULL && s->kind == LSTEP_NAME; s = s->next) {
        struct str name = {path->text.p, s->at + s->name.n + (s->at == 0 ? 0 : 1)};
        int status = find_class(rd, name, &klass);
        if (status != 0) {
            return status;
        }
        if (klass == 0) {
            continue;
        }
        if (s->next == NULL || s->next->kind != LSTEP_NAME) {
            return lread_none(rd, "name a static field of", name);
        }
        status = static_field(rd, klass, s->next->name, ret);
        *ret_rest = s->next->next;
        if (status == 0) {
            lread_tell(rd, "static field ", s->next->name, *ret);
        }
        return status;
    }
    return lread_none(rd, "no class is loaded that the path could begin with:", path->text);
}

static void java_tell(struct lreader *rd, struct lref at, struct strbuf *out)
{
    static const char types[] = "ZBCSIJFD";
    static const char *const names[] = {"boolean", "byte", "char",  "short",
                                        "int",     "long", "float", "double"};
    uint64_t klass = 0;
    struct str name;
    if (at.prim != 0) {
        const char *found = strchr(types, at.prim);
        strbuf_adds(out, found != NULL ? names[found - types] : "?");
    } else if (at.addr == 0) {
        strbuf_adds(out, "null");
    } else if (java_class_of(rd, at.addr, &klass) == 0 && java_klass_name(rd, klass, &name) == 0) {
        for (size_t i = 0; i < name.n; i++) {
            strbuf_addc(out, name.p[i] == '/' ? '.' : name.p[i]);
        }
    }
}

static const struct lang_ops java_ops = {
    .root = java_root,
    .member = java_member,
    .items = java_items,
    .value = java_value,
    .type = java_tell,
};

int java_open(const struct lang_memory *memory, struct arena *arena, struct lang_runtime **ret,
              struct err *err)
{
    struct table t = {.memory = memory, .arena = arena};
    struct java *java = ARENA_NEW(arena, struct java);
    java->head = (struct lang_runtime){.lang = LANG_JAVA, .ops = &java_ops, .arena = arena};
    int status = read_structs(&t, err);
    status = status != 0 ? status : read_types(&t, err);
    status = status != 0 ? status : fill_layout(&t, &java->at, err);
    status = status != 0 ? status : find_options(&t, java, err);
    strmap_done(&t.entries);
    *ret = status == 0 ? &java->head : NULL;
    return status;
}
