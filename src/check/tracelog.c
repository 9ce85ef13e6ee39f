/* The log of expanded states: see tracelog.h.
 *
 * Blocks are numbered by one atomic counter, and a record's index is block x records + position, so
 * indices of different threads never clash and need no lock. A block stays in its writer's buffer
 * until it is full. A reader that follows a path while others still write looks into the buffers
 * under their locks; writers take their own lock only to switch blocks.
 *
 * In the buffers a link is greater by 1, so that 0 says that a record is not used (the rest of a
 * block at a checkpoint). Where checkpoints are written, the files hold the blocks as they are, at
 * their places. Elsewhere they are packed and follow each other as they come, and a directory in
 * memory says where each one is; whoever reads a record unpacks its block.
 *
 * A state may have more successors than a link can number. Where no fingerprints are kept, those
 * beyond are remembered in a map: such states are rare, and their successors are found by
 * fingerprint. */
#include "check/tracelog.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/store.h"

#ifdef ASSAY_TINY
enum { BLOCK_RECORDS = 4 };
#else
enum { BLOCK_RECORDS = 32768 }; /* 256 KiB */
#endif
enum { BLOCK_BYTES = BLOCK_RECORDS * (int)sizeof(uint64_t) };
enum { UNPACKED = 16 };
enum { LINKS, FPS, FILES }; /* the files of a log */
#define NO_BLOCK UINT64_MAX

static const char *const file_names[FILES] = {TRACELOG_FILE, TRACELOG_FPS};

/* Where a packed block is. */
struct place {
    uint64_t offset;
    uint32_t bytes;
};

struct writer {
    alignas(128) pthread_mutex_t lock; /* held to switch blocks, and by other threads that read */
    uint64_t block;                    /* NO_BLOCK at first */
    uint64_t fill;                     /* records; written by the owner */
    uint64_t count, sum;               /* of this writer's records; read alone */
    uint64_t *records[FILES];          /* [BLOCK_RECORDS] */
    struct strbuf packed;              /* scratch */
};

struct tracelog {
    struct store *store;
    int nfile; /* LINKS, or all */
    pthread_mutex_t open_lock;
    _Atomic int fd[FILES]; /* -1 until something is written; under open_lock when they are made */
    _Atomic uint64_t nblock;
    uint64_t count, sum;       /* of records of earlier runs */
    pthread_mutex_t pack_lock; /* guards down to `unpacked` */
    VEC(struct place) places;  /* of blocks that are written packed */
    uint64_t end;              /* of the file of packed blocks */
    struct unpacked {
        uint64_t block;    /* NO_BLOCK: none */
        uint64_t *records; /* [BLOCK_RECORDS]; made when first needed */
    } unpacked[UNPACKED];  /* blocks that were read, each at its number modulo UNPACKED */
    pthread_mutex_t far_lock;
    struct u64map far; /* under far_lock: fingerprints by index */
    unsigned nwriter;
    struct writer *writers;
};

int tracelog_new(struct store *store, unsigned writers, bool keep_fps, struct tracelog **ret_log,
                 struct err *err)
{
    (void)err;
    struct tracelog *log = memory_map(sizeof *log);
    log->store = store;
    log->nwriter = writers;
    log->nfile = keep_fps ? FILES : LINKS + 1;
    pthread_mutex_init(&log->open_lock, NULL);
    pthread_mutex_init(&log->pack_lock, NULL);
    pthread_mutex_init(&log->far_lock, NULL);
    for (int i = 0; i < UNPACKED; i++) {
        log->unpacked[i].block = NO_BLOCK;
    }
    for (int f = 0; f < FILES; f++) {
        atomic_init(&log->fd[f], -1);
    }
    log->writers = memory_map(writers * sizeof *log->writers);
    for (unsigned i = 0; i < writers; i++) {
        log->writers[i].block = NO_BLOCK;
        pthread_mutex_init(&log->writers[i].lock, NULL);
        for (int f = 0; f < log->nfile; f++) {
            log->writers[i].records[f] = memory_map(BLOCK_BYTES);
        }
    }
    *ret_log = log;
    return 0;
}

void tracelog_free(struct tracelog *log)
{
    if (!log) {
        return;
    }
    for (int f = 0; f < log->nfile; f++) {
        store_close(log->store, atomic_load(&log->fd[f]));
    }
    for (unsigned i = 0; i < log->nwriter; i++) {
        for (int f = 0; f < log->nfile; f++) {
            memory_unmap(log->writers[i].records[f], BLOCK_BYTES);
        }
        pthread_mutex_destroy(&log->writers[i].lock);
        strbuf_done(&log->writers[i].packed);
    }
    memory_unmap(log->writers, log->nwriter * sizeof *log->writers);
    u64map_done(&log->far);
    VEC_DONE(&log->places);
    for (int i = 0; i < UNPACKED; i++) {
        memory_unmap(log->unpacked[i].records, BLOCK_BYTES);
    }
    pthread_mutex_destroy(&log->open_lock);
    pthread_mutex_destroy(&log->pack_lock);
    pthread_mutex_destroy(&log->far_lock);
    memory_unmap(log, sizeof *log);
}

static int log_open(struct tracelog *log, struct err *err)
{
    int status = 0;
    pthread_mutex_lock(&log->open_lock);
    for (int f = 0; f < FILES && f < log->nfile && status == 0; f++) {
        int fd = -1;
        if (atomic_load(&log->fd[f]) >= 0) {
            continue;
        }
        status = store_create(log->store, file_names[f], &fd, err);
        if (status == 0) {
            atomic_store(&log->fd[f], fd);
        }
    }
    pthread_mutex_unlock(&log->open_lock);
    return status;
}

/* ---- packing ----
 * A byte holds how much greater the parent is than that of the record before, and the number of the
 * candidate, when both are small. Else the larger ones follow, seven bits a byte, last ones first.
 */

enum { MORE = 15, PARENT_ROOT = 15, PARENT_MORE = 14 }; /* values of the two halves of the byte */

static uint8_t *put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 128; value >>= 7) {
        *to++ = (uint8_t)(value | 128);
    }
    *to++ = (uint8_t)value;
    return to;
}

static bool get_varint(const uint8_t **at, const uint8_t *end, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *ret_value = value;
            return true;
        }
    }
    return false;
}

static void pack(const uint64_t *links, size_t n, struct strbuf *out)
{
    enum { RECORD_MAX = 21 };
    strbuf_reset(out);
    strbuf_reserve(out, n * RECORD_MAX);
    uint8_t *to = (uint8_t *)out->p;
    uint64_t before = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t link = links[i] - 1;
        uint64_t parent = trace_parent(link);
        uint64_t ordinal = trace_ordinal(link);
        uint64_t ahead = parent - before; /* modulo 2^64 when it is smaller */
        uint8_t *head = to++;
        unsigned high = parent == TRACE_ROOT  ? PARENT_ROOT
                        : ahead < PARENT_MORE ? (unsigned)ahead
                                              : PARENT_MORE;
        unsigned low = ordinal < MORE ? (unsigned)ordinal : MORE;
        *head = (uint8_t)(high << 4 | low);
        to = high == PARENT_MORE ? put_varint(to, parent) : to;
        to = low == MORE ? put_varint(to, ordinal) : to;
        before = parent == TRACE_ROOT ? before : parent;
    }
    out->n = (size_t)(to - (uint8_t *)out->p);
}

/* False when the bytes are not those of BLOCK_RECORDS links. */
static bool unpack(const uint8_t *at, size_t bytes, uint64_t *links)
{
    const uint8_t *end = at + bytes;
    uint64_t parent = 0;
    bool good = true;
    for (size_t i = 0; i < BLOCK_RECORDS && good; i++) {
        if (at == end) {
            return false;
        }
        unsigned high = *at >> 4;
        uint64_t ordinal = *at++ & 15;
        if (high == PARENT_MORE) {
            good = get_varint(&at, end, &parent);
        } else if (high != PARENT_ROOT) {
            parent += high;
        }
        good = good && (ordinal < MORE || get_varint(&at, end, &ordinal));
        links[i] = trace_link(high == PARENT_ROOT ? TRACE_ROOT : parent, ordinal) + 1;
    }
    return good && at == end;
}

/* Writes the full block of a writer, packed, and notes where. */
static int write_packed(struct tracelog *log, struct writer *writer, struct err *err)
{
    pack(writer->records[LINKS], BLOCK_RECORDS, &writer->packed);
    pthread_mutex_lock(&log->pack_lock);
    uint64_t offset = log->end;
    log->end += writer->packed.n;
    while (log->places.n <= writer->block) {
        VEC_PUSH(&log->places, (struct place){0});
    }
    log->places.v[writer->block] = (struct place){offset, (uint32_t)writer->packed.n};
    pthread_mutex_unlock(&log->pack_lock);
    return store_write(log->store, atomic_load(&log->fd[LINKS]), writer->packed.p, writer->packed.n,
                       offset, err);
}

/* Under pack_lock. Makes `to` that block. */
static int read_packed(struct tracelog *log, uint64_t block, struct unpacked *to, struct err *err)
{
    SCOPED_STRBUF packed = {0};
    struct place place = block < log->places.n ? log->places.v[block] : (struct place){.bytes = 0};
    to->records = to->records ? to->records : memory_map(BLOCK_BYTES);
    to->block = NO_BLOCK;
    strbuf_reserve(&packed, place.bytes + 1);
    int status = store_read(log->store, atomic_load(&log->fd[LINKS]), packed.p, place.bytes,
                            place.offset, err);
    if (status == 0 && !unpack((const uint8_t *)packed.p, place.bytes, to->records)) {
        status = err_set(err, ERR_CORRUPT, 0, "%s is damaged", TRACELOG_FILE);
    }
    if (status == 0) {
        to->block = block;
    }
    return status;
}

/* ---- blocks ---- */

/* Writes the block of a writer, the unused rest as zeros. */
static int write_block(struct tracelog *log, struct writer *writer, struct err *err)
{
    int status = log_open(log, err);
    if (status == 0 && log->nfile == LINKS + 1) {
        return write_packed(log, writer, err);
    }
    for (int f = 0; f < log->nfile && status == 0; f++) {
        memset(writer->records[f] + writer->fill, 0,
               (BLOCK_RECORDS - writer->fill) * sizeof(uint64_t));
        status = store_write(log->store, atomic_load(&log->fd[f]), writer->records[f], BLOCK_BYTES,
                             writer->block * BLOCK_BYTES, err);
    }
    return status;
}

static uint64_t record_sum(uint64_t index, uint64_t fp, uint64_t link)
{
    return hash_mix(hash_mix(fp ^ UINT64_C(0x5bd1e995)) + link * 31 + index);
}

static int next_block(struct tracelog *log, struct writer *writer, struct err *err)
{
    pthread_mutex_lock(&writer->lock);
    int status = writer->block == NO_BLOCK ? 0 : write_block(log, writer, err);
    if (status == 0) {
        writer->block = atomic_fetch_add_explicit(&log->nblock, 1, memory_order_relaxed);
        writer->fill = 0;
    }
    pthread_mutex_unlock(&writer->lock);
    return status;
}

static void far_put(struct tracelog *log, uint64_t index, uint64_t fp)
{
    pthread_mutex_lock(&log->far_lock);
    u64map_put(&log->far, index, fp);
    pthread_mutex_unlock(&log->far_lock);
}

int tracelog_append(struct tracelog *log, unsigned writer_index, uint64_t fp, uint64_t link,
                    uint64_t *ret_index, struct err *err)
{
    struct writer *writer = &log->writers[writer_index];
    if (writer->block == NO_BLOCK || writer->fill == BLOCK_RECORDS) {
        int status = next_block(log, writer, err);
        if (status < 0) {
            return status;
        }
    }
    uint64_t index = writer->block * BLOCK_RECORDS + writer->fill;
    writer->records[LINKS][writer->fill] = link + 1;
    if (log->nfile > FPS) {
        writer->records[FPS][writer->fill] = fp;
        writer->sum += record_sum(index, fp, link);
        writer->count++;
    } else if (trace_ordinal(link) == TRACE_FAR) {
        far_put(log, index, fp);
    }
    writer->fill++;
    *ret_index = index;
    return 0;
}

/* A word of one file. */
static int word_get(struct tracelog *log, int file, uint64_t index, uint64_t *ret_word,
                    struct err *err)
{
    uint64_t block = index / BLOCK_RECORDS;
    for (unsigned i = 0; i < log->nwriter; i++) {
        struct writer *writer = &log->writers[i];
        pthread_mutex_lock(&writer->lock);
        bool here = writer->block == block;
        if (here) {
            *ret_word = writer->records[file][index % BLOCK_RECORDS];
        }
        pthread_mutex_unlock(&writer->lock);
        if (here) {
            return 0;
        }
    }
    if (log->nfile > FPS) {
        return store_read(log->store, atomic_load(&log->fd[file]), ret_word, sizeof *ret_word,
                          index * sizeof *ret_word, err);
    }
    pthread_mutex_lock(&log->pack_lock);
    struct unpacked *unpacked = &log->unpacked[block % UNPACKED];
    int status = unpacked->block == block ? 0 : read_packed(log, block, unpacked, err);
    if (status == 0) {
        *ret_word = unpacked->records[index % BLOCK_RECORDS];
    }
    pthread_mutex_unlock(&log->pack_lock);
    return status;
}

int tracelog_get(struct tracelog *log, uint64_t index, struct trace_record *ret_record,
                 struct err *err)
{
    struct trace_record record = {0};
    int status = word_get(log, LINKS, index, &record.link, err);
    record.link--;
    if (status == 0 && log->nfile > FPS) {
        status = word_get(log, FPS, index, &record.fp, err);
        record.has_fp = true;
    } else if (status == 0) {
        pthread_mutex_lock(&log->far_lock);
        record.has_fp = u64map_get(&log->far, index, &record.fp);
        pthread_mutex_unlock(&log->far_lock);
    }
    if (status == 0) {
        *ret_record = record;
    }
    return status;
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
    for (int f = 0; f < log->nfile && status == 0; f++) {
        status = store_sync(log->store, atomic_load(&log->fd[f]), err);
    }
    return status;
}

void tracelog_mark_now(const struct tracelog *log, struct tracelog_mark *mark)
{
    size_t cap = 0;
    *mark = (struct tracelog_mark){.nblock = atomic_load(&log->nblock), .npartial = log->nwriter};
    mark->partial = vec_grow(NULL, &cap, log->nwriter, sizeof *mark->partial);
    for (unsigned i = 0; i < log->nwriter; i++) {
        mark->partial[i][0] = log->writers[i].block;
        mark->partial[i][1] = log->writers[i].fill;
    }
}

bool tracelog_before(const struct tracelog_mark *mark, uint64_t index)
{
    uint64_t block = index / BLOCK_RECORDS;
    for (size_t i = 0; i < mark->npartial; i++) {
        if (mark->partial[i][0] == block) {
            return index % BLOCK_RECORDS < mark->partial[i][1];
        }
    }
    return block < mark->nblock;
}

/* Writes zeros over what was appended to a block after the checkpoint. */
static int forget_tail(struct tracelog *log, const uint64_t partial[2], struct err *err)
{
    static const uint64_t zeros[BLOCK_RECORDS];
    int status = 0;
    for (int f = 0; f < FILES && status == 0; f++) {
        if (partial[0] != NO_BLOCK && partial[1] < BLOCK_RECORDS) {
            status = store_write(log->store, atomic_load(&log->fd[f]), zeros,
                                 (BLOCK_RECORDS - partial[1]) * sizeof *zeros,
                                 partial[0] * BLOCK_BYTES + partial[1] * sizeof *zeros, err);
        }
    }
    return status;
}

/* Reads all blocks up to the mark. */
static int read_all(struct tracelog *log, uint64_t nblock,
                    int (*each)(void *arg, const struct trace_record *record, struct err *err),
                    void *arg, struct err *err)
{
    uint64_t **records = log->writers[0].records; /* nobody writes yet */
    int status = 0;
    for (uint64_t block = 0; block < nblock && status == 0; block++) {
        for (int f = 0; f < FILES && status == 0; f++) {
            status = store_read(log->store, atomic_load(&log->fd[f]), records[f], BLOCK_BYTES,
                                block * BLOCK_BYTES, err);
        }
        for (uint64_t i = 0; i < BLOCK_RECORDS && status == 0; i++) {
            struct trace_record record = {records[FPS][i], records[LINKS][i] - 1, true};
            if (records[LINKS][i]) {
                log->count++;
                log->sum += record_sum(block * BLOCK_RECORDS + i, record.fp, record.link);
                status = each(arg, &record, err);
            }
        }
    }
    return status;
}

int tracelog_resume(struct tracelog *log, const struct tracelog_mark *mark,
                    int (*each)(void *arg, const struct trace_record *record, struct err *err),
                    void *arg, struct err *err)
{
    int status = 0;
    for (int f = 0; f < FILES && status == 0; f++) {
        int fd = -1;
        uint64_t size = 0;
        status = store_open(log->store, file_names[f], true, &fd, &size, err);
        atomic_store(&log->fd[f], fd);
        if (status == 0 && size / BLOCK_BYTES < mark->nblock) {
            status = err_set(err, ERR_CORRUPT, 0, "%s is too short", file_names[f]);
        }
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
