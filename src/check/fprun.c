/* Sorted runs of keys on disk: see fprun.h.
 *
 * A run is a plain array of little-endian words. Its index, the first key of each block, stays in
 * memory: one word for 512 on disk. Lookups come sorted, so matching is one pass that reads
 * neighbouring blocks together and leaves out those that no query needs. */
#include "check/fprun.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/vec.h"
#include "check/fpset.h"
#include "check/store.h"

#ifdef ASSAY_TINY
enum { BLOCK_KEYS = 4, WINDOW_BLOCKS = 2, GAP_BLOCKS = 1 };
#else
enum {
    BLOCK_KEYS = 512,    /* 4 KiB */
    WINDOW_BLOCKS = 128, /* 512 KiB read or written at once */
    GAP_BLOCKS = 8       /* blocks that are read although nobody asked, to keep reads long */
};
#endif
enum { WINDOW_KEYS = BLOCK_KEYS * WINDOW_BLOCKS };
#define WINDOW_BYTES (WINDOW_KEYS * sizeof(uint64_t))

static void run_name(uint64_t id, char *name, size_t cap)
{
    (void)snprintf(name, cap, "fp-%llu.run", (unsigned long long)id);
}

int fprun_begin(struct store *store, uint64_t id, struct fprun_writer *ret_writer, struct err *err)
{
    char name[40];
    run_name(id, name, sizeof name);
    struct fprun_writer writer = {
        .store = store, .run = {.fd = -1, .id = id}
    };
    int status = store_create(store, name, &writer.run.fd, err);
    if (status < 0) {
        return status;
    }
    writer.buffer = memory_map(WINDOW_BYTES);
    *ret_writer = writer;
    return 0;
}

static int writer_flush(struct fprun_writer *writer, struct err *err)
{
    uint64_t at = (writer->run.n - writer->fill) * sizeof(uint64_t);
    int status = store_write(writer->store, writer->run.fd, writer->buffer,
                             writer->fill * sizeof(uint64_t), at, err);
    writer->fill = 0;
    return status;
}

int fprun_put(struct fprun_writer *writer, uint64_t key, struct err *err)
{
    struct fprun *run = &writer->run;
    if (run->n > 0 && key == writer->last) {
        return 0;
    }
    writer->last = key;
    if (run->n % BLOCK_KEYS == 0) {
        if (run->nindex == run->index_cap) {
            run->index = vec_grow(run->index, &run->index_cap, run->nindex + 1, sizeof *run->index);
        }
        run->index[run->nindex++] = key;
    }
    writer->buffer[writer->fill++] = key;
    run->n++;
    return writer->fill == WINDOW_KEYS ? writer_flush(writer, err) : 0;
}

void fprun_abandon(struct fprun_writer *writer)
{
    memory_unmap(writer->buffer, WINDOW_BYTES);
    writer->buffer = NULL;
    fprun_drop(writer->store, &writer->run);
}

int fprun_end(struct fprun_writer *writer, struct fprun *ret_run, struct err *err)
{
    int status = writer->fill > 0 ? writer_flush(writer, err) : 0;
    if (status < 0) {
        fprun_abandon(writer);
        return status;
    }
    memory_unmap(writer->buffer, WINDOW_BYTES);
    writer->buffer = NULL;
    *ret_run = writer->run;
    return 0;
}

void fprun_drop(struct store *store, struct fprun *run)
{
    char name[40];
    if (run->fd >= 0) {
        run_name(run->id, name, sizeof name);
        store_close(store, run->fd);
        store_remove(store, name);
    }
    vec_release(run->index);
    *run = (struct fprun){.fd = -1};
}

/* ---- merging ---- */

struct reader {
    struct store *store;
    const struct fprun *run;
    uint64_t *buffer;
    size_t at, fill;
    uint64_t next; /* key number of the first one after the buffer */
};

/* Makes buffer[at] valid; at == fill afterwards means the end of the run. */
static int reader_fill(struct reader *reader, struct err *err)
{
    uint64_t left = reader->run->n - reader->next;
    if (reader->at < reader->fill || left == 0) {
        return 0;
    }
    size_t want = left < WINDOW_KEYS ? (size_t)left : WINDOW_KEYS;
    int status = store_read(reader->store, reader->run->fd, reader->buffer, want * sizeof(uint64_t),
                            reader->next * sizeof(uint64_t), err);
    reader->next += want;
    reader->at = 0;
    reader->fill = want;
    return status;
}

static int merge_loop(struct reader *a, struct reader *b, struct fprun_writer *writer,
                      struct err *err)
{
    for (;;) {
        int status = reader_fill(a, err);
        status = status < 0 ? status : reader_fill(b, err);
        if (status < 0) {
            return status;
        }
        bool has_a = a->at < a->fill;
        bool has_b = b->at < b->fill;
        if (!has_a && !has_b) {
            return 0;
        }
        struct reader *low = !has_b || (has_a && a->buffer[a->at] <= b->buffer[b->at]) ? a : b;
        status = fprun_put(writer, low->buffer[low->at++], err);
        if (status < 0) {
            return status;
        }
    }
}

int fprun_merge(struct store *store, const struct fprun *a, const struct fprun *b, uint64_t id,
                struct fprun *ret_run, struct err *err)
{
    struct fprun_writer writer;
    int status = fprun_begin(store, id, &writer, err);
    if (status < 0) {
        return status;
    }
    struct reader ra = {.store = store, .run = a, .buffer = memory_map(WINDOW_BYTES)};
    struct reader rb = {.store = store, .run = b, .buffer = memory_map(WINDOW_BYTES)};
    status = merge_loop(&ra, &rb, &writer, err);
    memory_unmap(ra.buffer, WINDOW_BYTES);
    memory_unmap(rb.buffer, WINDOW_BYTES);
    if (status < 0) {
        fprun_abandon(&writer);
        return status;
    }
    return fprun_end(&writer, ret_run, err);
}

/* ---- looking up ---- */

/* The block that would hold `key`, searched from block `from` on; nothing before the first key. */
static size_t block_of(const struct fprun *run, size_t from, uint64_t key)
{
    size_t step = 1;
    size_t low = from; /* index[low] <= key, or low == from */
    while (low + step < run->nindex && run->index[low + step] <= key) {
        low += step;
        step *= 2;
    }
    size_t high = low + step < run->nindex ? low + step : run->nindex;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (run->index[mid] <= key) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

static size_t block_keys(const struct fprun *run, size_t first, size_t count)
{
    uint64_t from = (uint64_t)first * BLOCK_KEYS;
    uint64_t want = (uint64_t)count * BLOCK_KEYS;
    return (size_t)(run->n - from < want ? run->n - from : want);
}

int fprun_find(struct store *store, const struct fprun *run, uint64_t key, struct err *err)
{
    if (run->n == 0 || key < run->index[0]) {
        return 0;
    }
    uint64_t block[BLOCK_KEYS];
    size_t at = block_of(run, 0, key);
    size_t n = block_keys(run, at, 1);
    int status =
        store_read(store, run->fd, block, n * sizeof *block, (uint64_t)at * sizeof block, err);
    if (status < 0) {
        return status;
    }
    size_t low = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (block[low + half] < key) {
            low += half + 1;
            n -= half + 1;
        } else if (block[low + half] == key) {
            return 1;
        } else {
            n = half;
        }
    }
    return 0;
}

/* Matches the queries first..end-1 against keys; both sorted. */
static void match_window(const uint64_t *keys, size_t nkey, const struct fpset_batch *batch,
                         size_t first, size_t end)
{
    size_t k = 0;
    size_t q = first;
    while (q < end && k < nkey) {
        if (keys[k] < batch->queries[q].key) {
            k++;
        } else {
            if (keys[k] == batch->queries[q].key) {
                batch->found(batch->arg, batch->queries[q].tag);
            }
            q++;
        }
    }
}

/* A window starts at the block of query `first` and goes on while the following ones are near.
 * Returns the first query beyond it. */
static size_t next_window(const struct fprun *run, const struct fpset_batch *batch, size_t first,
                          size_t *block, size_t *last)
{
    size_t end = first;
    *block = block_of(run, *block, batch->queries[first].key);
    *last = *block;
    while (end < batch->n) {
        size_t next = block_of(run, *last, batch->queries[end].key);
        if (next - *block >= WINDOW_BLOCKS || next - *last > GAP_BLOCKS) {
            break;
        }
        *last = next;
        end++;
    }
    return end;
}

int fprun_match(struct store *store, const struct fprun *run, const struct fpset_batch *batch,
                struct err *err)
{
    size_t q = 0;
    size_t block = 0;
    int status = 0;
    uint64_t *window = memory_map(WINDOW_BYTES);
    while (q < batch->n && run->n > 0 && batch->queries[q].key < run->index[0]) {
        q++;
    }
    while (q < batch->n && run->n > 0 && status == 0) {
        size_t last = 0;
        size_t end = next_window(run, batch, q, &block, &last);
        size_t nkey = block_keys(run, block, last - block + 1);
        status = store_read(store, run->fd, window, nkey * sizeof *window,
                            (uint64_t)block * BLOCK_KEYS * sizeof *window, err);
        if (status == 0) {
            match_window(window, nkey, batch, q, end);
        }
        q = end;
        block = last;
    }
    memory_unmap(window, WINDOW_BYTES);
    return status;
}
