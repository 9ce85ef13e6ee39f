// Variables as the C++ library has them, for where there is no C++: see disguise.py.
//= small => "short"
//= numbers => [1, 2, 3]
//= numbers[1] => 2
//= numbers[1..3] => [2, 3]
//~ numbers[3] => outside of the 3 elements
//~ numbers[0..4] => [0..4] is outside of the 3 elements
//~ numbers[2..1] => is not a range
//~ numbers.nosuch => has no member nosuch
//= nonumbers => []
//= turned => []
//= bits => [true, false, true]
//= bits[2] => true
//~ bits[3] => outside of the 3 elements
//= queue => [5, 6, 7]
//= queue[1..3] => [6, 7]
//= longqueue[126] => 126
//= longqueue[127] => 127
//= longqueue[128] => 128
//= longqueue[254..257] => [254, 255, 256]
//~ longqueue[258] => outside of the 258 elements
//~ broken => a deque that is being changed
//= chain => [7, 8, 9]
//= chain[1] => 8
//= chain[1..2] => [8]
//~ chain[1..5] => the list has 3 elements
//= ages => map[1: 10, 2: 20, 3: 30, 4: 40]
//= ages[3] => 30
//~ ages[5] => no key
//= votes => [1, 2, 3, 4]
//~ toomany => more nodes than it counts
//= hashed => map[5: 50, 6: 60]
//= hashed[6] => 60
//= marked => [5, 6]
//~ endless => more nodes than it counts
//= maybe => 3
//= without => null
//= found.term => 5
//~ lost.term => the optional is empty
//= counter => 17
//= counter2 => 18
//= fixed => [4, 5]
//= fixed[1] => 5
//= owner->term => 9
//= owner => &{term: 9, command: 2}
//= shared.command => 2
//= nobody => null
//~ nobody.term => null
//~ counter[*] => int has no elements
//~ unknown => a map of unknown elements
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct Entry {
    int term, command;
};
// ---- strings and vectors
struct basic_string_LT_char_GT_ {
    struct {
        char *_M_p;
    } _M_dataplus;
    uint64_t _M_string_length;
};
struct basic_string_LT_char_GT_ small = {{"shorter"}, 5};
struct vector_LT_int_GT_ {
    struct {
        int *_M_start, *_M_finish, *_M_end_of_storage;
    } _M_impl;
};
static int cells[] = {1, 2, 3, 4};
struct vector_LT_int_GT_ numbers = {{cells, cells + 3, cells + 4}}, nonumbers, turned = {{cells + 2, cells, cells}};
struct bit_iterator {
    uint64_t *_M_p;
    unsigned _M_offset;
};
struct vector_LT_bool_GT_ {
    bool TPARAM_T;
    struct {
        struct bit_iterator _M_start, _M_finish;
    } _M_impl;
};
static uint64_t words[2] = {5, 0};
struct vector_LT_bool_GT_ bits = {false, {{words, 0}, {words, 3}}};
struct deque_iterator {
    int *_M_cur, *_M_first, *_M_last, **_M_node;
};
struct deque_LT_int_GT_ {
    int TPARAM_T;
    struct {
        int **_M_map;
        uint64_t _M_map_size;
        struct deque_iterator _M_start, _M_finish;
    } _M_impl;
};
static int blocks[4][128];
static int *block_map[] = {blocks[0], blocks[1], blocks[2], blocks[3]};
static int few[128] = {0, 0, 5, 6, 7};
static int *few_map[] = {few};
struct deque_LT_int_GT_ queue = {0, {few_map, 1, {few + 2, few, few + 128, few_map}, {few + 5, few, few + 128, few_map}}};
struct deque_LT_int_GT_ longqueue = {0, {block_map, 4, {blocks[0] + 3, blocks[0], blocks[0] + 128, block_map}, {blocks[2] + 5, blocks[2], blocks[2] + 128, block_map + 2}}};
struct deque_LT_int_GT_ broken = {0, {block_map, 4, {blocks[0] + 3, blocks[0], blocks[0] + 128, block_map + 2}, {blocks[2] + 5, blocks[2], blocks[2] + 128, block_map}}};
struct list_node {
    struct list_node *_M_next, *_M_prev;
};
struct list_item {
    struct list_node links;
    int value;
};
struct list_LT_int_GT_ {
    int TPARAM_T;
    struct {
        struct list_node _M_node;
    } _M_impl;
};
extern struct list_item items[3];
struct list_LT_int_GT_ chain = {0, {{&items[0].links, &items[2].links}}};
struct list_item items[3] = {{{&items[1].links, &chain._M_impl._M_node}, 7}, {{&items[2].links, &items[0].links}, 8}, {{&chain._M_impl._M_node, &items[1].links}, 9}};

// ---- trees and hash tables
struct pair_of_ints {
    int first, second;
};
struct tree_node {
    uint64_t colour;
    struct tree_node *parent, *left, *right;
    struct pair_of_ints value;
};
static struct tree_node nodes[4] = {{0, NULL, NULL, NULL, {1, 10}}, {0, NULL, &nodes[0], &nodes[3], {2, 20}}, {0, NULL, NULL, NULL, {3, 30}}, {0, NULL, &nodes[2], NULL, {4, 40}}};
struct tree_header {
    uint64_t _M_color;
    struct tree_node *_M_parent;
};
struct _Rb_tree_LT_pairs_GT_ {
    int TPARAM_Key;
    struct pair_of_ints TPARAM_Val;
    struct {
        struct tree_header _M_header;
        uint64_t _M_node_count;
    } _M_impl;
};
struct _Rb_tree_LT_keys_GT_ {
    int TPARAM_Key, TPARAM_Val;
    struct {
        struct tree_header _M_header;
        uint64_t _M_node_count;
    } _M_impl;
};
struct _Rb_tree_LT_nothing_GT_ {
    struct {
        struct tree_header _M_header;
        uint64_t _M_node_count;
    } _M_impl;
};
struct map_LT_int_COMMA_int_GT_ {
    struct _Rb_tree_LT_pairs_GT_ _M_t;
};
struct set_LT_int_GT_ {
    struct _Rb_tree_LT_keys_GT_ _M_t;
};
struct map_LT_nothing_GT_ {
    struct _Rb_tree_LT_nothing_GT_ _M_t;
};
struct map_LT_int_COMMA_int_GT_ ages = {{0, {0, 0}, {{0, &nodes[1]}, 4}}}, toomany = {{0, {0, 0}, {{0, &nodes[1]}, 3}}};
struct set_LT_int_GT_ votes = {{0, 0, {{0, &nodes[1]}, 4}}};
struct map_LT_nothing_GT_ unknown = {{{{0, &nodes[1]}, 4}}};
struct hash_node {
    struct hash_node *_M_nxt;
    struct pair_of_ints value;
};
struct _Hashtable_LT_pairs_GT_ {
    int TPARAM_Key;
    struct pair_of_ints TPARAM_Val;
    struct {
        struct hash_node *_M_nxt;
    } _M_before_begin;
    uint64_t _M_element_count;
};
struct _Hashtable_LT_keys_GT_ {
    int TPARAM_Key, TPARAM_Val;
    struct {
        struct hash_node *_M_nxt;
    } _M_before_begin;
    uint64_t _M_element_count;
};
struct unordered_map_LT_int_COMMA_int_GT_ {
    struct _Hashtable_LT_pairs_GT_ _M_h;
};
struct unordered_set_LT_int_GT_ {
    struct _Hashtable_LT_keys_GT_ _M_h;
};
static struct hash_node chained[2] = {{&chained[1], {6, 60}}, {NULL, {5, 50}}}, ring = {&ring, {1, 1}};
struct unordered_map_LT_int_COMMA_int_GT_ hashed = {{0, {0, 0}, {chained}, 2}}, endless = {{0, {0, 0}, {&ring}, 5}};
struct unordered_set_LT_int_GT_ marked = {{0, 0, {chained}, 2}};

// ---- what stands for something else
struct optional_LT_int_GT_ {
    struct {
        union {
            char _M_empty;
            int _M_value;
        } _M_payload;
        bool _M_engaged;
    } _M_payload;
};
struct optional_LT_Entry_GT_ {
    struct {
        union {
            char _M_empty;
            struct Entry _M_value;
        } _M_payload;
        bool _M_engaged;
    } _M_payload;
};
struct optional_LT_int_GT_ maybe = {{{._M_value = 3}, true}}, without = {{{._M_value = 3}, false}};
struct optional_LT_Entry_GT_ found = {{{._M_value = {5, 6}}, true}}, lost = {{{._M_value = {5, 6}}, false}};
struct atomic_LT_int_GT_ {
    int _M_i;
};
struct atomic_LT_long_GT_ {
    struct {
        long _M_i;
    } _M_base;
};
struct atomic_LT_int_GT_ counter = {17};
struct atomic_LT_long_GT_ counter2 = {{18}};
struct array_LT_int_COMMA_2_GT_ {
    int _M_elems[2];
};
struct array_LT_int_COMMA_2_GT_ fixed = {{4, 5}};
static struct Entry entry = {9, 2};
struct shared_ptr_LT_Entry_GT_ {
    struct Entry *_M_ptr;
    void *_M_refcount;
};
struct shared_ptr_LT_Entry_GT_ shared = {&entry, NULL}, owner = {&entry, NULL}, nobody;

int main(void)
{
    for (int i = 0; i < 4 * 128; i++) {
        blocks[i / 128][i % 128] = i - 3;
    }
    printf("ready\n");
    fflush(stdout);
    pause();
    return 0;
}
