/* Private to the map room: what the files that read a mapping share. */
#pragma once

#include "base/toml.h"
#include "map/map.h"

struct reading {
    struct arena *arena;
    struct diags *diags;
    struct map *map;
    struct toml toml;
    struct toml_table *table;
    const char *dir; /* of the file */
};

__attribute__((format(printf, 4, 5))) struct diag *map_fail(struct reading *r, size_t begin,
                                                            size_t end, const char *fmt, ...);
/* The value of a name, if it is there and of that kind; NULL otherwise. */
struct toml_value *map_want(struct reading *r, const char *key, enum toml_kind kind);
const struct toml_pair *map_pair(const struct reading *r, const char *key);
struct map_expr *map_expr_new(struct reading *r, struct str text, size_t begin,
                              const char *const *offered);
/* A string, or an array of strings. */
void map_steps(struct reading *r, const struct toml_value *value, const char *const *offered,
               struct map_step **ret, size_t *ret_n);
void map_actions(struct reading *r, struct toml_table *table);
bool map_fields(struct reading *r, const struct toml_value *value, struct map_field **ret,
                size_t *ret_n);
/* Where a name stands in an expression, not before `from`; text.n: nowhere. */
size_t map_mention(struct str text, const char *name, size_t from);
const char *const *map_list(struct reading *r, const struct toml_value *value);
void map_read_watch(struct reading *r); /* watch.c */
