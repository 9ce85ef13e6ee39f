/* The heap of a world: blocks are zero and apart, and a saved heap comes back. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "test.h"
#include "world/heap.h"

TEST(blocks_are_zero_and_apart)
{
    struct heap *heap = NULL;
    struct err err;
    struct rng rng;
    unsigned char *blocks[200] = {0};
    size_t sizes[200] = {0};
    rng_seed(&rng, 1);
    CHECK_EQ(heap_new((size_t)1 << 28, &heap, &err), 0);
    for (int round = 0; round < 5000; round++) {
        size_t i = rng_below(&rng, 200);
        if (blocks[i] != NULL) {
            for (size_t k = 0; k < sizes[i]; k++) {
                CHECK_EQ(blocks[i][k], (unsigned char)i);
            }
            heap_free(heap, blocks[i]);
        }
        sizes[i] = rng_below(&rng, round % 10 == 0 ? 100000 : 300);
        blocks[i] = heap_alloc(heap, sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++) {
            CHECK_EQ(blocks[i][k], 0);
        }
        memset(blocks[i], (int)i, sizes[i]);
    }
    heap_free_all(heap);
}

TEST(realloc_keeps_and_zeroes)
{
    struct heap *heap = NULL;
    struct err err;
    CHECK_EQ(heap_new((size_t)1 << 24, &heap, &err), 0);
    unsigned char *p = heap_realloc(heap, NULL, 10);
    memset(p, 7, 10);
    p = heap_realloc(heap, p, 5000);
    CHECK_EQ(p[9], 7);
    CHECK_EQ(p[10], 0);
    CHECK_EQ(p[4999], 0);
    heap_free(heap, NULL);
    heap_free_all(heap);
}

TEST(a_saved_heap_comes_back)
{
    struct heap *heap = NULL;
    struct err err;
    static unsigned char image[1 << 16];
    CHECK_EQ(heap_new((size_t)1 << 24, &heap, &err), 0);
    char *p = heap_alloc(heap, 100);
    strcpy(p, "before");
    size_t n = heap_used(heap);
    CHECK(n <= sizeof image);
    heap_save(heap, image);
    strcpy(p, "after");
    char *later = heap_alloc(heap, 3000);
    memset(later, 1, 3000);
    heap_restore(heap, image, n);
    CHECK_STR(p, "before");
    char *again = heap_alloc(heap, 3000);
    CHECK(again == later);
    CHECK_EQ(again[2999], 0);
    heap_free_all(heap);
}
