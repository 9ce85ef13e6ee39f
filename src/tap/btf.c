/* BTF is a table of types one after the other, each with what its kind needs behind it. The table
 * of a kernel has 5 MB; it is read once, and looked through from its beginning for each question.
 */
#include "tap/btf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/btf.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"

enum { BTF_BYTES_MOST = 1 << 28, DEPTH_MOST = 16 };

struct btf {
    char *bytes; /* aligned, as types must be */
    const char *strings;
    size_t n_strings;
    VEC(const struct btf_type *) types; /* by number; [0] is void */
};

/* Bytes behind a type; SIZE_MAX: of an unknown kind. */
static size_t behind(const struct btf_type *t)
{
    size_t n = BTF_INFO_VLEN(t->info);
    switch (BTF_INFO_KIND(t->info)) {
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG: return 0;
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG: return 4;
    case BTF_KIND_ARRAY: return sizeof(struct btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION: return n * sizeof(struct btf_member);
    case BTF_KIND_ENUM: return n * sizeof(struct btf_enum);
    case BTF_KIND_ENUM64: return n * sizeof(struct btf_enum64);
    case BTF_KIND_FUNC_PROTO: return n * sizeof(struct btf_param);
    case BTF_KIND_DATASEC: return n * sizeof(struct btf_var_secinfo);
    default: return SIZE_MAX;
    }
}

static int index_types(struct btf *b, struct str bytes, struct err *err)
{
    struct btf_header h;
    if (bytes.n < sizeof h) {
        return err_set(err, ERR_UNSUPPORTED, 0, "the kernel's table of types is too short");
    }
    memcpy(&h, bytes.p, sizeof h);
    uint64_t end = (uint64_t)h.hdr_len + h.type_off + h.type_len;
    uint64_t strings = (uint64_t)h.hdr_len + h.str_off;
    if (h.magic != BTF_MAGIC || end > bytes.n || strings + h.str_len > bytes.n || h.str_len == 0 ||
        bytes.p[strings + h.str_len - 1] != 0 || h.type_off % 4 != 0 || h.hdr_len % 4 != 0) {
        return err_set(err, ERR_UNSUPPORTED, 0, "the kernel's table of types is of another form");
    }
    b->strings = bytes.p + strings;
    b->n_strings = h.str_len;
    VEC_PUSH(&b->types, NULL);
    for (uint64_t at = (uint64_t)h.hdr_len + h.type_off; at < end;) {
        const struct btf_type *t = (const void *)(bytes.p + at);
        size_t more = end - at >= sizeof *t ? behind(t) : SIZE_MAX;
        if (more > end - at - sizeof *t) {
            return err_set(err, ERR_UNSUPPORTED, 0, "a kind of type of this kernel is not known");
        }
        VEC_PUSH(&b->types, t);
        at += sizeof *t + more;
    }
    return 0;
}

int btf_open(const char *path, struct btf **ret, struct err *err)
{
    size_t cap = 0, cap_bytes = 0;
    struct str bytes = {0};
    struct arena arena;
    struct btf *b = vec_grow(NULL, &cap, 1, sizeof *b);
    memset(b, 0, sizeof *b);
    arena_init(&arena, 0);
    int status = file_read(&arena, path, BTF_BYTES_MOST, &bytes, err);
    if (status == 0) {
        b->bytes = vec_grow(NULL, &cap_bytes, bytes.n + 1, 1);
        memcpy(b->bytes, bytes.p, bytes.n);
        status = index_types(b, (struct str){b->bytes, bytes.n}, err);
    }
    arena_done(&arena);
    if (status != 0) {
        btf_close(b);
        return err_wrap(err, "%s", path);
    }
    *ret = b;
    return 0;
}

void btf_close(struct btf *b)
{
    if (b != NULL) {
        VEC_DONE(&b->types);
        vec_release(b->bytes);
        vec_release(b);
    }
}

static const char *name_at(const struct btf *b, uint32_t at)
{
    return at < b->n_strings ? b->strings + at : "";
}

static const struct btf_type *type_at(const struct btf *b, uint32_t number)
{
    return number < b->types.n ? b->types.v[number] : NULL;
}

uint32_t btf_find(const struct btf *b, uint32_t kind, const char *name)
{
    for (size_t i = 1; i < b->types.n; i++) {
        const struct btf_type *t = b->types.v[i];
        if (BTF_INFO_KIND(t->info) == kind && strcmp(name_at(b, t->name_off), name) == 0) {
            return (uint32_t)i;
        }
    }
    return 0;
}

static const struct btf_type *resolved(const struct btf *b, uint32_t number)
{
    const struct btf_type *t = type_at(b, number);
    for (int i = 0; t != NULL && i < DEPTH_MOST; i++) {
        uint32_t kind = BTF_INFO_KIND(t->info);
        if (kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_CONST && kind != BTF_KIND_VOLATILE &&
            kind != BTF_KIND_TYPE_TAG) {
            return t;
        }
        t = type_at(b, t->type);
    }
    return NULL;
}

static uint32_t size_of(const struct btf *b, uint32_t number, int depth)
{
    const struct btf_type *t = resolved(b, number);
    if (t == NULL || depth > DEPTH_MOST) {
        return 0;
    }
    switch (BTF_INFO_KIND(t->info)) {
    case BTF_KIND_PTR: return 8;
    case BTF_KIND_INT:
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64: return t->size;
    case BTF_KIND_ARRAY: {
        const struct btf_array *a = (const void *)(t + 1);
        return a->nelems * size_of(b, a->type, depth + 1);
    }
    default: return 0;
    }
}

/* In bits, from the beginning of t. */
static long find_member(const struct btf *b, const struct btf_type *t, const char *name,
                        uint32_t *ret_size, int depth)
{
    const struct btf_member *m = (const void *)(t + 1);
    bool fields = BTF_INFO_KFLAG(t->info);
    for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info) && depth < DEPTH_MOST; i++) {
        long at = fields ? (long)BTF_MEMBER_BIT_OFFSET(m[i].offset) : (long)m[i].offset;
        const char *own = name_at(b, m[i].name_off);
        if (strcmp(own, name) == 0) {
            *ret_size = size_of(b, m[i].type, 0);
            return fields && BTF_MEMBER_BITFIELD_SIZE(m[i].offset) != 0 ? -1 : at;
        }
        const struct btf_type *inner = own[0] == 0 ? resolved(b, m[i].type) : NULL;
        uint32_t kind = inner != NULL ? BTF_INFO_KIND(inner->info) : 0;
        if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION) {
            long found = find_member(b, inner, name, ret_size, depth + 1);
            if (found >= 0) {
                return at + found;
            }
        }
    }
    return -1;
}

long btf_member(const struct btf *b, const char *structure, const char *member, uint32_t *ret_size)
{
    uint32_t number = btf_find(b, BTF_KIND_STRUCT, structure);
    *ret_size = 0;
    long bits = number == 0 ? -1 : find_member(b, type_at(b, number), member, ret_size, 0);
    return bits < 0 || bits % 8 != 0 ? -1 : bits / 8;
}
