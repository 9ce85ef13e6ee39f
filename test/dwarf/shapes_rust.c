// Variables as Rust has them, for where there is no Rust: see disguise.py.
//= list => [1, 2, 3]
//= list[1] => 2
//= list[1..3] => [2, 3]
//~ list[3] => outside of the 3 elements
//= text => "owned"
//= word => "borrowed"
//= part => [2, 3]
//= counter => 5
//= node.term => 4
//= node.next.term => 4
//~ nothing.term => null
//~ odd => a Vec of an unknown version of Rust
//= through[1] => 2
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct Cap {
    uint64_t value;
};
struct NonNull_LT_u8_GT_ {
    uint8_t *pointer;
};
struct RawVecInner {
    struct Cap capacity;
    struct {
        struct NonNull_LT_u8_GT_ pointer;
    } unique;
};
struct RawVec {
    struct RawVecInner inner;
};
struct Vec_LT_i32_GT_ {
    int TPARAM_T;
    struct RawVec buf;
    uint64_t len;
};
struct Vec_LT_u8_GT_ {
    uint8_t TPARAM_T;
    struct RawVec buf;
    uint64_t len;
};
struct String {
    struct Vec_LT_u8_GT_ vec;
};
struct _AMP_str {
    uint8_t *data_ptr;
    uint64_t length;
};
struct _AMP__LB_i32_RB_ {
    int *data_ptr;
    uint64_t length;
};
struct odd_buf {
    uint32_t nothing[4];
};
struct Vec_LT_odd_GT_ {
    int TPARAM_T;
    struct odd_buf buf;
    uint64_t len;
};
struct AtomicU32 {
    struct {
        uint32_t value;
    } v;
};
struct Node {
    uint64_t term;
    struct Node *next;
};
static int cells[] = {1, 2, 3};
struct Vec_LT_i32_GT_ list = {0, {{{8}, {{(uint8_t *)cells}}}}, 3};
struct Vec_LT_i32_GT_ *through = &list;
struct Vec_LT_odd_GT_ odd = {0, {{1, 2, 3, 4}}, 3};
struct String text = {{0, {{{5}, {{(uint8_t *)"owned!"}}}}, 5}};
struct _AMP_str word = {(uint8_t *)"borrowed thing", 8};
struct _AMP__LB_i32_RB_ part = {cells + 1, 2};
struct AtomicU32 counter = {{5}};
struct Node node = {4, &node}, *nothing;

int main(void)
{
    printf("ready\n");
    fflush(stdout);
    pause();
    return 0;
}
