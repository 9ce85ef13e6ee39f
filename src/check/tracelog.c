/* The log of expanded states: see tracelog.h.
 *
 * Blocks are numbered by one atomic counter, and a record's index is block x records + position, so
 * indices of different threads never clash and need no lock. A block stays in its writer's buffer
 * until it is full. A reader that follows a path while others still write looks into the buffers
 * under their locks; writers take their own lock only to switch blocks. Records that are not used
 * (the rest of a block at a checkpoint) have link 0 and fp 0 in the file, which no real record has:
 * the parent of an initial state is TRACE_ROOT, and record 0's child would need parent 0 with
 * ordinal 0 and fp 0; such a one is written with ordinal "not known". */
#include "check/tracelog.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "check/store.h"

#ifdef ASSAY_TINY
enum { BLOCK_RECORDS = 4 };
#else
enum { BLOCK_RECORDS = 4096 }; /* 64 KiB */
#endif
enum { BLOCK_BYTES = BLOCK_RECORDS * (int)sizeof(struct trace_record) };
#define NO_BLOCK UINT64_MAX

struct writer {
    pthread_mutex_t lock;         /* held to switch blocks, and by other threads that read */
    uint64_t block;               /* NO_BLOCK at first */
    uint64_t fill;                /* records; written by the owner */
    uint64_t count, sum;          /* of this writer's records; read alone */
    struct trace_record *records; /* [BLOCK_RECORDS] */
};

struct tracelog {
    struct store *store;
    pthread_mutex_t open_lock;
    _Atomic int fd; /* -1 until something is written; under open_lock when it is made */
    _Atomic uint64_t nblock;
    uint64_t count, sum; /* of records of earlier runs */
    unsigned nwriter;
    struct writer *writers;
};

int tracelog_new(struct store *store, unsigned writers, struct tracelog **ret_log, struct err *err)
{
    (void)err;
    struct tracelog *log = memory_map(sizeof *log);
    log->store = store;
    log->nwriter = writers;
    atomic_init(&log->fd, -1);
    pthread_mutex_init(&log->open_lock, NULL);
    log->writers = memory_map(writers * sizeof *log->writers);
    for (unsigned i = 0; i < writers; i++) {
        log->writers[i].block = NO_BLOCK;
        log->writers[i].records = memory_map(BLOCK_BYTES);
        pthread_mutex_init(&log->writers[i].lock, NULL);
    }
    *ret_log = log;
    return 0;
}

void tracelog_free(struct tracelog *log)
{
    if (!log) {
        return;
    }
    store_close(log->store, atomic_load(&log->fd));
    for (unsigned i = 0; i < log->nwriter; i++) {
        memory_unmap(log->writers[i].records, BLOCK_BYTES);
        pthread_mutex_destroy(&log->writers[i].lock);
    }
    memory_unmap(log->writers, log->nwriter * sizeof *log->writers);
    pthread_mutex_destroy(&log->open_lock);
    memory_unmap(log, sizeof *log);
}

static int log_open(struct tracelog *log, struct err *err)
{
    int status = 0;
    pthread_mutex_lock(&log->open_lock);
    if (atomic_load(&log->fd) < 0) {
        int fd = -1;
        status = store_create(log->store, TRACELOG_FILE, &fd, err);
        if (status == 0) {
            atomic_store(&log->fd, fd);
        }
    }
    pthread_mutex_unlock(&log->open_lock);
    return status;
}

/* Writes the block of a writer, the unused rest as zeros. */
static int write_block(struct tracelog *log, struct writer *writer, struct err *err)
{
    int status = log_open(log, err);
    if (status < 0) {
        return status;
    }
    memset(writer->records + writer->fill, 0,
           (BLOCK_RECORDS - writer->fill) * sizeof(struct trace_record));
    return store_write(log->store, atomic_load(&log->fd), writer->records, BLOCK_BYTES,
                       writer->block * BLOCK_BYTES, err);
}

static uint64_t record_sum(uint64_t index, struct trace_record record)
{
    return hash_mix(hash_mix(record.fp ^ UINT64_C(0x5bd1e995)) + record.link * 31 + index);
}

int tracelog_append(struct tracelog *log, unsigned writer_index, struct trace_record record,
                    uint64_t *ret_index, struct err *err)
{
    struct writer *writer = &log->writers[writer_index];
    if (writer->block == NO_BLOCK || writer->fill == BLOCK_RECORDS) {
        pthread_mutex_lock(&writer->lock);
        int status = writer->block == NO_BLOCK ? 0 : write_block(log, writer, err);
        if (status == 0) {
            writer->block = atomic_fetch_add_explicit(&log->nblock, 1, memory_order_relaxed);
            writer->fill = 0;
        }
        pthread_mutex_unlock(&writer->lock);
        if (status < 0) {
            return status;
        }
    }
    if (record.fp == 0 && record.link == 0) {
        record.link = trace_link(0, TRACE_ORDINAL_MAX);
    }
    uint64_t index = writer->block * BLOCK_RECORDS + writer->fill;
    writer->records[writer->fill++] = record;
    writer->count++;
    writer->sum += record_sum(index, record);
    *ret_index = index;
    return 0;
}

int tracelog_get(struct tracelog *log, uint64_t index, struct trace_record *ret_record,
                 struct err *err)
{
    uint64_t block = index / BLOCK_RECORDS;
    for (unsigned i = 0; i < log->nwriter; i++) {
        struct writer *writer = &log->writers[i];
        pthread_mutex_lock(&writer->lock);
        bool here = writer->block == block;
        if (here) {
            *ret_record = writer->records[index % BLOCK_RECORDS];
        }
        pthread_mutex_unlock(&writer->lock);
        if (here) {
            return 0;
        }
    }
    return store_read(log->store, atomic_load(&log->fd), ret_record, sizeof *ret_record,
                      index * sizeof *ret_record, err);
}

int tracelog_flush(struct tracelog *log, struct tracelog_mark *mark, struct err *err)
{
    int status = log_open(log, err);
    mark->count = log->count;
    mark->sum = log->sum;
    mark->nblock = atomic_load(&log->nblock);
    mark->npartial = log->nwriter;
    for (unsigned i = 0; i < log->nwriter && status == 0; i++) {
        struct writer *writer = &log->writers[i];
        if (writer->block != NO_BLOCK) {
            status = write_block(log, writer, err);
        }
        mark->count += writer->count;
        mark->sum += writer->sum;
        mark->partial[i][0] = writer->block;
        mark->partial[i][1] = writer->fill;
    }
    return status < 0 ? status : store_sync(log->store, atomic_load(&log->fd), err);
}

/* Writes zeros over what was appended to a block after the checkpoint. */
static int forget_tail(struct tracelog *log, const uint64_t partial[2], struct err *err)
{
    static const struct trace_record zeros[BLOCK_RECORDS];
    if (partial[0] == NO_BLOCK || partial[1] >= BLOCK_RECORDS) {
        return 0;
    }
    return store_write(log->store, atomic_load(&log->fd), zeros,
                       (BLOCK_RECORDS - partial[1]) * sizeof *zeros,
                       partial[0] * BLOCK_BYTES + partial[1] * sizeof *zeros, err);
}

/* Reads all blocks up to the mark. */
static int read_all(struct tracelog *log, uint64_t nblock,
                    int (*each)(void *arg, const struct trace_record *record, struct err *err),
                    void *arg, struct err *err)
{
    struct trace_record *records = log->writers[0].records; /* nobody writes yet */
    int status = 0;
    for (uint64_t block = 0; block < nblock && status == 0; block++) {
        status = store_read(log->store, atomic_load(&log->fd), records, BLOCK_BYTES,
                            block * BLOCK_BYTES, err);
        for (uint64_t i = 0; i < BLOCK_RECORDS && status == 0; i++) {
            if (records[i].fp || records[i].link) {
                log->count++;
                log->sum += record_sum(block * BLOCK_RECORDS + i, records[i]);
                status = each(arg, &records[i], err);
            }
        }
    }
    return status;
}

int tracelog_resume(struct tracelog *log, const struct tracelog_mark *mark,
                    int (*each)(void *arg, const struct trace_record *record, struct err *err),
                    void *arg, struct err *err)
{
    int fd = -1;
    uint64_t size = 0;
    int status = store_open(log->store, TRACELOG_FILE, true, &fd, &size, err);
    if (status < 0) {
        return status;
    }
    atomic_store(&log->fd, fd);
    if (size / BLOCK_BYTES < mark->nblock) {
        return err_set(err, ERR_CORRUPT, 0, "%s is too short", TRACELOG_FILE);
    }
    for (size_t i = 0; i < mark->npartial && status == 0; i++) {
        status = forget_tail(log, mark->partial[i], err);
    }
    status = status < 0 ? status : read_all(log, mark->nblock, each, arg, err);
    if (status == 0 && (log->count != mark->count || log->sum != mark->sum)) {
        return err_set(err, ERR_CORRUPT, 0, "%s does not match the checkpoint", TRACELOG_FILE);
    }
    atomic_store(&log->nblock, mark->nblock);
    return status;
}
