// Variables as Go has them, for where there is no Go: see disguise.py.
//= main.term => 7
//= main.name => "go node"
//= main.empty => ""
//= main.list => [4, 5, 6]
//= main.list[1] => 5
//= main.list[1..3] => [5, 6]
//= main.list[*] => [4, 5, 6]
//= main.nolist => []
//~ main.list[3] => outside of the 3 elements
//~ main.list[2..1] => is not a range
//= main.log[*].Term => [1, 2]
//= main.log[1] => {Term: 2, Command: "set"}
//= main.next.Term => 1
//= main.through[*] => [4, 5, 6]
//= main.through[1] => 5
//~ main.absent[*] => null
//~ main.absent[0] => null
//~ main.nobody.Term => null
//= main.old => map["ann": 30, "bob": 40, "cy": 50]
//= main.old["bob"] => 40
//~ main.old["eve"] => no key
//= main.growing => map[1: 10, 2: 20, 3: 30, 4: 40]
//= main.growing[3] => 30
//= main.samesize => map[1: 10, 9: 90]
//= main.nomap => map[]
//~ main.nomap[3] => no key
//= main.small => map["x": 1, "y": 2]
//= main.small["y"] => 2
//= main.large => map[1: 11, 2: 12, 3: 13, 4: 14]
//= main.large[4] => 14
//~ main.large[5] => no key
//= main.hollow => map[]
//~ main.odd => a map of an unknown version of Go
//~ main.strange => a map of an unknown version of Go
//~ main.deep => more than
//~ main.wide => more than
//~ main.list.Term => has no member Term
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct string {
    const uint8_t *str;
    int64_t len;
};
typedef int64_t go_int_type;
struct main_DOT_Entry {
    uint64_t Term;
    struct string Command;
};
struct _LB__RB_int {
    int64_t *array;
    int64_t len, cap;
};
struct _LB__RB_main_DOT_Entry {
    struct main_DOT_Entry *array;
    int64_t len, cap;
};
#define STRING(text) {(const uint8_t *)(text), sizeof(text) - 1}

uint64_t main_DOT_term = 7;
struct string main_DOT_name = STRING("go node"), main_DOT_empty;
static int64_t numbers[] = {4, 5, 6};
struct _LB__RB_int main_DOT_list = {numbers, 3, 3}, main_DOT_nolist;
static struct main_DOT_Entry entries[] = {{1, STRING("init")}, {2, STRING("set")}};
struct _LB__RB_main_DOT_Entry main_DOT_log = {entries, 2, 2};
struct main_DOT_Entry *main_DOT_next = entries, *main_DOT_nobody;
struct _LB__RB_int *main_DOT_through = &main_DOT_list, *main_DOT_absent;

// ---- maps before 1.24: strings to numbers, and numbers to numbers
struct bucket_of_strings {
    uint8_t tophash[8];
    struct string keys[8];
    int64_t values[8];
    struct bucket_of_strings *overflow;
};
struct hash_of_strings {
    int64_t count;
    uint8_t flags, B;
    struct bucket_of_strings *buckets, *oldbuckets;
};
typedef struct hash_of_strings *map_LB_string_RB_int;
struct bucket_of_numbers {
    uint8_t tophash[8];
    int64_t keys[8], values[8];
    struct bucket_of_numbers *overflow;
};
struct hash_of_numbers {
    int64_t count;
    uint8_t flags, B;
    struct bucket_of_numbers *buckets, *oldbuckets;
};
typedef struct hash_of_numbers *map_LB_int_RB_int;
static struct bucket_of_strings more_strings = {{0, 0, 5}, {[2] = STRING("cy")}, {[2] = 50}, NULL};
static struct bucket_of_strings strings[2] = {
    {{9, 1, 0, 4, 200}, {STRING("bob"), STRING("gone"), STRING("empty"), STRING("moved"), STRING("ann")}, {40, 1, 2, 3, 30}, &more_strings}, {{0}}};
static struct hash_of_strings old_hash = {3, 0, 1, strings, NULL};
map_LB_string_RB_int main_DOT_old = &old_hash;
// B = 2: four buckets now, two before; the first of these was moved already
static struct bucket_of_numbers now[4] = {{{7}, {1}, {10}}, {{0}}, {{8, 6}, {2, 3}, {20, 30}}, {{0}}};
static struct bucket_of_numbers before[4] = {{{2, 7}, {77, 78}, {1, 1}}, {{1, 7}, {5, 4}, {5, 40}}, {{7}, {66}, {6}}, {{7}, {67}, {6}}};
static struct hash_of_numbers growing_hash = {4, 0, 2, now, before};
map_LB_int_RB_int main_DOT_growing = &growing_hash;
static struct bucket_of_numbers same_now[1] = {{{7}, {1}, {10}}}, same_before[1] = {{{9}, {9}, {90}}};
static struct hash_of_numbers same_hash = {2, 8, 0, same_now, same_before};
map_LB_int_RB_int main_DOT_samesize = &same_hash, main_DOT_nomap;
static struct hash_of_numbers deep_hash = {4, 0, 41, now, NULL}, wide_hash = {4, 0, 30, now, NULL};
map_LB_int_RB_int main_DOT_deep = &deep_hash, main_DOT_wide = &wide_hash;

// ---- maps since 1.24
struct slot_of_strings {
    struct string key;
    int64_t elem;
};
struct group_of_strings {
    uint64_t ctrl;
    struct slot_of_strings slots[8];
};
struct table_of_strings {
    uint16_t used;
    struct {
        struct group_of_strings *data;
        uint64_t lengthMask;
    } groups;
};
struct swiss_of_strings {
    uint64_t used;
    struct table_of_strings **dirPtr;
    int64_t dirLen;
};
typedef struct swiss_of_strings *map_LB_string_RB_int64;
struct slot_of_numbers {
    int64_t key, elem;
};
struct group_of_numbers {
    uint64_t ctrl;
    struct slot_of_numbers slots[8];
};
struct table_of_numbers {
    uint16_t used;
    struct {
        struct group_of_numbers *data;
        uint64_t lengthMask;
    } groups;
};
struct swiss_of_numbers {
    uint64_t used;
    struct table_of_numbers **dirPtr;
    int64_t dirLen;
};
typedef struct swiss_of_numbers *map_LB_int_RB_int64;
static struct group_of_strings one_group = {0x8080807f80fe8001, {{STRING("y"), 2}, {STRING("no"), 9}, {STRING("no"), 9}, {STRING("no"), 9}, {STRING("x"), 1}}};
static struct swiss_of_strings small_map = {2, (struct table_of_strings **)&one_group, 0};
map_LB_string_RB_int64 main_DOT_small = &small_map;
static struct group_of_numbers groups_a[2] = {{0x8080808080808001, {{1, 11}}}, {0x8080808080800180, {{9, 9}, {2, 12}}}}, groups_b[1] = {{0x0180808080808002, {{3, 13}, [7] = {4, 14}}}};
static struct table_of_numbers table_a = {2, {groups_a, 1}}, table_b = {2, {groups_b, 0}};
static struct table_of_numbers *directory[4] = {&table_a, &table_a, &table_b, &table_b};
static struct swiss_of_numbers large_map = {4, directory, 4}, hollow_map;
map_LB_int_RB_int64 main_DOT_large = &large_map, main_DOT_hollow = &hollow_map;

struct odd_map {
    int64_t used;
};
typedef struct odd_map *map_LB_int_RB_bool;
static struct odd_map odd_value = {1};
map_LB_int_RB_bool main_DOT_odd = &odd_value;
struct strange_map {
    int64_t **dirPtr;
    int64_t dirLen;
};
typedef struct strange_map *map_LB_bool_RB_bool;
static int64_t *something = numbers;
static struct strange_map strange_value = {&something, 1};
map_LB_bool_RB_bool main_DOT_strange = &strange_value;

int main(void)
{
    printf("ready\n");
    fflush(stdout);
    pause();
    return 0;
}
