// Variables of many kinds in C. The lines with //= say what must be read from it.
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

//= config.name => "alpha"
//= config.weights => [0.5, 2]
//= config.mode => SLOW
//= below => [MINUS, below(-7), PLUS]
//= above => [LARGE, above(4294967281), above(5)]
//= config.flags.b => 6
//= config.flags => {a: true, b: 6, c: -2}
//= table[1..3].id => [20, 30]
//= lookup->table[0].id => 10
//= lookup->count => 3
//= hidden->secret => 42
//= counter::calls => 3
//= calls => 3
//= vars.c:twice => 7
//~ thread_var => thread-local
//~ vanished => no global or static variable
//= matrix[1] => [4, 5, 6]
//= names[0..2] => ["zero", "one"]
//= names[2] => null
//= last->next->value => 1
//= last@next.value => [3, 1, 2]
//= limit => 99
//= `limit` => 99
//= `config`.mode => SLOW
//~ `limit => a name between backquotes is missing
//~ `` => a name between backquotes is missing
//~ (*lookup).cuont => has no member cuont (it has table, count); did you mean count?
//= deep.in.ner.x => 5
//= choice.number => 1078530011
//= choice.real => 3.1415927410125732
//= (struct row *)node.impl->id => 20
//= ((struct row *)node.impl)->id => 20
//= (struct row *)node.impl[0..2].id => [20, 30]
//= ((struct row *)node.impl)[1].id => 30
//= (struct row *)(struct node *)node.self->impl->id => 20
//= (row_id *)node.impl => &20
//= *(row_id *)node.impl => 20
//= (enum mode)node.mode => SLOW
//= (mode_of)node.mode => SLOW
//= (node).tag => 4
//= (lookup)->count => 3
//~ (struct nosuch *)node.impl->id => there is no type `struct nosuch *'
//~ (struct row)node.tag => cannot be seen as row
//~ (struct row *)node.impl->ids => has no member ids (it has id, more); did you mean id?
//~ node.tga => node has no member tga (it has impl, self, mode, tag, left, wide, inner); did you mean tag?
//~ node.inner.z => a structure without a name has no member z (it has x, y)
//~ node.left.z => has no member z (it has none)
//= flexible.items[0..2] => [8, 9]
//= flexible.items[1] => 9
//~ flexible.items[*] => how many elements there are is not known: write [lo..hi]
//~ lost@next => lost@next: cannot read 8 bytes at 0x10
//~ last@nxt => has no member nxt

enum mode { FAST, SLOW };
enum below { MINUS = -3, PLUS = 3 }; /* has a sign */
enum above { LARGE = 0xfffffff0U };  /* has none */
struct config {
    char name[16];
    double weights[2];
    enum mode mode;
    struct {
        unsigned a : 1, b : 3;
        signed c : 5;
    } flags_plain;
    struct {
        _Bool a : 1;
        unsigned b : 3;
        signed c : 5;
    } flags;
};
struct row {
    uint16_t id;
    uint64_t more;
};
struct lookup {
    struct row *table;
    int8_t count;
};
struct ring {
    int value;
    struct ring *next;
};
struct hidden; /* defined in other.c */
extern struct hidden *hidden;
typedef uint16_t row_id;
typedef enum mode mode_of;
struct node {
    void *impl, *self;
    int mode;
    struct {
        int tag;
        union {
            int left;
            long wide;
        };
    };
    struct {
        int x, y;
    } inner;
};
union choice {
    uint32_t number;
    float real;
};
struct {
    struct {
        struct {
            int x;
        } ner;
    } in;
} deep = {{{5}}};
struct config config = {
    "alpha", {0.5, 2},
     SLOW, {1, 6, -2},
     {1, 6, -2}
};
struct row table[3] = {
    {10, 1},
    {20, 2},
    {30, 3}
};
struct node node = {
    &table[1], &node, SLOW, {4, {5}},
     {6, 7}
};
row_id *some_id = &table[0].id;
mode_of some_mode = FAST;
struct lookup *lookup = &(struct lookup){table, 3};
int matrix[2][3] = {
    {1, 2, 3},
    {4, 5, 6}
};
const char *names[3] = {"zero", "one", NULL};
struct ring r1, r2, r3, *last = &r3;
struct ring r1 = {1, &r2}, r2 = {2, &r3}, r3 = {3, &r1};
struct flex {
    int n, items[];
} flexible = {2, {8, 9}};
struct ring broken = {5, (struct ring *)8}, *lost = &broken;
enum below below[3] = {MINUS, (enum below)-7, PLUS};
enum above above[3] = {LARGE, (enum above)0xfffffff1U, (enum above)5};
const volatile int limit = 99;
union choice choice = {.real = 3.14159274F};
__thread int thread_var = 1;
static volatile int twice = 7;

__attribute__((noinline)) static int counter(void)
{
    static volatile int calls;
    return ++calls;
}

int main(void)
{
    counter();
    counter();
    if (counter() != 3 || twice != 7) {
        return 1;
    }
    puts("ready");
    fflush(stdout);
    pause();
    return thread_var;
}
