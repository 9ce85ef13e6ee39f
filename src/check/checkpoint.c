/* Checkpoints of a breadth-first search.
 *
 * What is stored: the log of expanded states (append-only, brought to disk up to a mark), the
 * states of the queue (a new file each time), the caller's and the model's own tables (a new file
 * each time), the behaviour graph (its own append-only files), and a manifest with counts, marks
 * and checksums. The fingerprint set is not stored: it is the fingerprints of the log and the
 * queue. The manifest is written last, under another name, and renamed; until then the previous
 * checkpoint is whole, and a failure on the way leaves it so. Numbers in files are those of this
 * machine (little-endian).
 *
 * A checkpoint is refused when it is of another specification (identity) or when any checksum or
 * count does not agree. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/live.h"
#include "check/queue.h"
#include "check/store.h"
#include "check/tracelog.h"
#include "model/model.h"

#define MANIFEST     "checkpoint"
#define MANIFEST_NEW "checkpoint.new"
static const uint64_t magic = UINT64_C(0x33706b4379617361); /* "asayCkp3" */

static void file_name(const char *what, uint64_t number, char *name, size_t cap)
{
    (void)snprintf(name, cap, "%s-%llu.ckpt", what, (unsigned long long)number);
}

/* ---- numbers in the manifest ---- */

static void put_u64(struct strbuf *out, uint64_t value)
{
    strbuf_add(out, (const char *)&value, sizeof value);
}

struct input {
    const char *p;
    size_t left;
    bool bad; /* read beyond the end */
};

static uint64_t get_u64(struct input *in)
{
    uint64_t value = 0;
    if (in->left < sizeof value) {
        in->bad = true;
        return 0;
    }
    memcpy(&value, in->p, sizeof value);
    in->p += sizeof value;
    in->left -= sizeof value;
    return value;
}

/* ---- files with a checksum over all their bytes, written and read in one pass ---- */

enum { CHUNK = 256 << 10 };

struct sum_file {
    struct store *store;
    int fd;
    uint64_t size, sum;
    struct strbuf buf;
    struct err *err;
};

/* Writes what fills whole chunks, or everything. The sum goes chunk by chunk, as it is read later.
 */
static int sum_flush(struct sum_file *file, bool all)
{
    size_t n = all ? file->buf.n : file->buf.n / CHUNK * CHUNK;
    for (size_t at = 0; at < n; at += CHUNK) {
        file->sum = hash_bytes(file->buf.p + at, n - at < CHUNK ? n - at : CHUNK, file->sum);
    }
    int status = store_write(file->store, file->fd, file->buf.p, n, file->size, file->err);
    file->size += n;
    memmove(file->buf.p, file->buf.p + n, file->buf.n - n);
    file->buf.n -= n;
    return status;
}

static int sum_add(struct sum_file *file, const void *bytes, size_t len)
{
    strbuf_add(&file->buf, bytes, len);
    return file->buf.n >= CHUNK ? sum_flush(file, false) : 0;
}

/* The size and checksum of a whole file in chunks of CHUNK bytes. */
static int sum_of(struct store *store, const char *name, uint64_t *ret_size, uint64_t *ret_sum,
                  struct err *err)
{
    int fd = -1;
    uint64_t size = 0;
    int status = store_open(store, name, false, &fd, &size, err);
    if (status < 0) {
        return status;
    }
    SCOPED_STRBUF buf = {0};
    strbuf_reserve(&buf, CHUNK);
    *ret_size = size;
    *ret_sum = 0;
    for (uint64_t at = 0; at < size && status == 0;) {
        size_t n = size - at < CHUNK ? (size_t)(size - at) : CHUNK;
        status = store_read(store, fd, buf.p, n, at, err);
        *ret_sum = hash_bytes(buf.p, n, *ret_sum);
        at += n;
    }
    if (status == 0) {
        status = store_sync(store, fd, err);
    }
    store_close(store, fd);
    return status;
}

/* ---- writing ---- */

/* What the manifest says of the files. */
struct parts {
    uint64_t number;
    uint64_t in_records, out_records;
    uint64_t queue_size, queue_sum;
    uint64_t extra_size, extra_sum; /* size UINT64_MAX: none */
    uint64_t model_size, model_sum; /* likewise */
    struct tracelog_mark mark;
};

struct record_head {
    uint64_t fp;
    uint64_t link;
    uint64_t len;
};

struct queue_writer {
    struct sum_file file;
    uint64_t *count;
};

static int write_record(void *arg, const struct queue_record *record, struct err *err)
{
    struct queue_writer *writer = arg;
    struct record_head head = {record->fp, record->link, record->len};
    (void)err; /* the file has it */
    (*writer->count)++;
    int status = sum_add(&writer->file, &head, sizeof head);
    return status < 0 ? status : sum_add(&writer->file, record->bytes, record->len);
}

static int write_records(struct search *s, struct queue_writer *writer, struct parts *parts,
                         struct err *err)
{
    int status = 0;
    writer->count = &parts->in_records;
    for (unsigned i = 0; i < s->nworker && status == 0; i++) {
        struct queue_claim rest = s->workers[i].claim; /* a copy: the worker goes on from its own */
        struct queue_record record;
        while (status == 0 && queue_next(&rest, &record)) {
            status = write_record(writer, &record, err);
        }
    }
    status = status < 0 ? status : queue_each(s->queue, false, write_record, writer, err);
    writer->count = &parts->out_records;
    return status < 0 ? status : queue_each(s->queue, true, write_record, writer, err);
}

static int write_queue(struct search *s, const char *name, struct parts *parts, struct err *err)
{
    struct queue_writer writer = {
        .file = {.store = &s->store, .fd = -1, .err = err}
    };
    int status = store_create(&s->store, name, &writer.file.fd, err);
    if (status < 0) {
        return status;
    }
    status = write_records(s, &writer, parts, err);
    if (status == 0 && writer.file.buf.n > 0) {
        status = sum_flush(&writer.file, true);
    }
    status = status < 0 ? status : store_sync(&s->store, writer.file.fd, err);
    store_close(&s->store, writer.file.fd);
    strbuf_done(&writer.file.buf);
    parts->queue_size = writer.file.size;
    parts->queue_sum = writer.file.sum;
    return status;
}

static int write_extra(struct search *s, const char *name, struct parts *parts, struct err *err)
{
    SCOPED_STRBUF path = {0};
    parts->extra_size = UINT64_MAX;
    if (!s->opt->save_extra) {
        return 0;
    }
    int status = s->opt->save_extra(s->opt->extra_arg, store_path(&s->store, name, &path), err);
    return status < 0 ? status
                      : sum_of(&s->store, name, &parts->extra_size, &parts->extra_sum, err);
}

/* What the model itself keeps. */
static int write_model(struct search *s, const char *name, struct parts *parts, struct err *err)
{
    parts->model_size = UINT64_MAX;
    if (!s->ops->persist_save) {
        return 0;
    }
    struct sum_file file = {.store = &s->store, .fd = -1, .err = err};
    s->ops->persist_save(s->model, &file.buf);
    int status = store_create(&s->store, name, &file.fd, err);
    if (status == 0 && file.buf.n > 0) {
        status = sum_flush(&file, true);
    }
    status = status < 0 ? status : store_sync(&s->store, file.fd, err);
    store_close(&s->store, file.fd);
    strbuf_done(&file.buf);
    parts->model_size = file.size;
    parts->model_sum = file.sum;
    return status;
}

static void put_counts(struct search *s, struct strbuf *out)
{
    struct check_progress p;
    search_progress(s, &p);
    put_u64(out, s->level);
    put_u64(out, p.depth);
    put_u64(out, p.generated);
    put_u64(out, p.distinct);
    put_u64(out, s->init_generated);
    put_u64(out, s->init_distinct);
    put_u64(out, p.elapsed_ns);
    for (int d = 0; d < DEGREES; d++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < s->nworker; i++) {
            sum += s->workers[i].degrees[d];
        }
        put_u64(out, sum);
    }
    put_u64(out, s->model->naction);
    for (uint32_t a = 0; a < s->model->naction; a++) {
        uint64_t generated = 0;
        uint64_t distinct = 0;
        for (unsigned i = 0; i < s->nworker; i++) {
            generated += s->workers[i].action_generated[a];
            distinct += s->workers[i].action_distinct[a];
        }
        put_u64(out, generated);
        put_u64(out, distinct);
    }
}

/* With keep_going, violations found so far belong to the result. Their states are stored as they
 * are. */
static void put_violations(struct search *s, struct strbuf *out)
{
    const struct result_box *box = s->box;
    put_u64(out, s->raw_total);
    put_u64(out, box->violations.n);
    for (size_t i = 0; i < box->violations.n; i++) {
        const struct check_violation *v = &box->violations.v[i];
        put_u64(out, v->verdict);
        put_u64(out, (uint64_t)(int64_t)v->prop);
        put_u64(out, (uint64_t)v->phase);
        put_u64(out, v->error_in_init);
        put_u64(out, v->trace.incomplete);
        put_u64(out, v->trace.nstep);
        for (size_t k = 0; k < v->trace.nstep; k++) {
            const struct check_step *step = &v->trace.steps[k];
            put_u64(out, step->fp);
            put_u64(out, step->action);
            put_u64(out, step->len);
            strbuf_add(out, (const char *)step->bytes, step->len);
        }
    }
}

static int write_manifest(struct search *s, const struct parts *parts, struct err *err)
{
    SCOPED_STRBUF out = {0};
    put_u64(&out, magic);
    put_u64(&out, s->opt->identity);
    put_u64(&out, s->opt->origin);
    put_u64(&out, parts->number);
    put_u64(&out, s->live != NULL);
    put_u64(&out, parts->in_records);
    put_u64(&out, parts->out_records);
    put_u64(&out, parts->queue_size);
    put_u64(&out, parts->queue_sum);
    put_u64(&out, parts->extra_size);
    put_u64(&out, parts->extra_sum);
    put_u64(&out, parts->model_size);
    put_u64(&out, parts->model_sum);
    put_u64(&out, parts->mark.nblock);
    put_u64(&out, parts->mark.count);
    put_u64(&out, parts->mark.sum);
    put_u64(&out, parts->mark.npartial);
    for (size_t i = 0; i < parts->mark.npartial; i++) {
        put_u64(&out, parts->mark.partial[i][0]);
        put_u64(&out, parts->mark.partial[i][1]);
    }
    put_counts(s, &out);
    put_violations(s, &out);
    put_u64(&out, hash_bytes(out.p, out.n, magic));
    int fd = -1;
    int status = store_create(&s->store, MANIFEST_NEW, &fd, err);
    if (status < 0) {
        return status;
    }
    status = store_write(&s->store, fd, out.p, out.n, 0, err);
    status = status < 0 ? status : store_sync(&s->store, fd, err);
    store_close(&s->store, fd);
    return status < 0 ? status : store_rename(&s->store, MANIFEST_NEW, MANIFEST, err);
}

void checkpoint_remove_logs(struct store *store)
{
    static const char *const names[] = {TRACELOG_FILE, TRACELOG_FPS, "live.nodes", "live.blocks",
                                        "live.labels", "live.mark"}; /* live_store.c */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        store_remove(store, names[i]);
    }
}

/* The files that each checkpoint writes anew. */
static void remove_files(struct store *store, uint64_t number)
{
    static const char *const whats[] = {"queue", "extra", "model"};
    char name[48];
    for (size_t i = 0; i < sizeof whats / sizeof whats[0]; i++) {
        file_name(whats[i], number, name, sizeof name);
        store_remove(store, name);
    }
}

int checkpoint_write(struct search *s, struct err *err)
{
    char queue_name[48];
    char extra_name[48];
    char model_name[48];
    struct parts parts = {.number = s->checkpoint_number + 1};
    size_t cap = 0;
    file_name("queue", parts.number, queue_name, sizeof queue_name);
    file_name("extra", parts.number, extra_name, sizeof extra_name);
    file_name("model", parts.number, model_name, sizeof model_name);
    int status = store_make(&s->store, err);
    parts.mark.partial = vec_grow(NULL, &cap, s->nworker, sizeof *parts.mark.partial);
    status = status < 0 ? status : write_extra(s, extra_name, &parts, err);
    status = status < 0 ? status : write_model(s, model_name, &parts, err);
    status = status < 0 ? status : write_queue(s, queue_name, &parts, err);
    status = status < 0 ? status : tracelog_flush(s->log, &parts.mark, err);
    if (status == 0 && s->live) {
        status = live_flush(s->live, err);
    }
    if (status == 0) {
        struct check_progress p;
        search_progress(s, &p);
        ASSERTF(p.distinct == parts.mark.count + parts.in_records + parts.out_records,
                "%llu distinct, %llu expanded, %llu + %llu queued", (unsigned long long)p.distinct,
                (unsigned long long)parts.mark.count, (unsigned long long)parts.in_records,
                (unsigned long long)parts.out_records);
        status = write_manifest(s, &parts, err);
    }
    vec_release(parts.mark.partial);
    /* The files of the checkpoint that does not count any more. */
    remove_files(&s->store, status == 0 ? s->checkpoint_number : parts.number);
    if (status < 0) {
        store_remove(&s->store, MANIFEST_NEW);
        return status;
    }
    s->checkpoint_number = parts.number;
    return 0;
}

/* ---- reading ---- */

static int damaged(const struct store *store, const char *what, struct err *err)
{
    return err_set(err, ERR_CORRUPT, 0, "the checkpoint in %s is damaged: %s", store->dir, what);
}

/* Whose checkpoint it is, at the head of the manifest. */
struct owner {
    uint64_t identity, origin;
};

static int open_manifest(struct store *store, struct arena *arena, struct input *ret_in,
                         struct owner *ret_owner, struct err *err)
{
    int fd = -1;
    uint64_t size = 0;
    int status = store_open(store, MANIFEST, false, &fd, &size, err);
    if (status < 0) {
        return err_wrap(err, "there is no checkpoint to go on from");
    }
    char *bytes = arena_alloc(arena, size + 1);
    status = store_read(store, fd, bytes, size, 0, err);
    store_close(store, fd);
    if (status < 0) {
        return status;
    }
    uint64_t sum = 0;
    if (size < 8 * sizeof sum) {
        return damaged(store, "its manifest is too short", err);
    }
    memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    struct input in = {.p = bytes, .left = size - sizeof sum};
    if (sum != hash_bytes(bytes, in.left, magic) || get_u64(&in) != magic) {
        return damaged(store, "the checksum of its manifest is wrong", err);
    }
    ret_owner->identity = get_u64(&in);
    ret_owner->origin = get_u64(&in);
    *ret_in = in;
    return 0;
}

static int read_manifest(struct search *s, struct arena *arena, struct input *ret_in,
                         struct err *err)
{
    struct owner owner = {0};
    int status = open_manifest(&s->store, arena, ret_in, &owner, err);
    if (status == 0 && owner.identity != s->opt->identity) {
        return err_set(err, ERR_INVALID, 0,
                       "the checkpoint in %s is of another specification or of other options",
                       s->store.dir);
    }
    return status;
}

/* What an earlier search has left in a directory. */
struct left {
    struct store store;
    struct arena arena;
    struct input in; /* the rest of its manifest, when it is whole */
    struct owner owner;
    bool there, whole;
};

static void left_open(struct left *left, const char *dir)
{
    struct err ignored = {0};
    *left = (struct left){0};
    store_init(&left->store, dir, NULL, 0);
    arena_init(&left->arena, 0);
    left->there = store_has(&left->store, MANIFEST);
    left->whole = left->there &&
                  open_manifest(&left->store, &left->arena, &left->in, &left->owner, &ignored) == 0;
}

static void left_close(struct left *left)
{
    arena_done(&left->arena);
    store_done(&left->store);
}

enum check_left check_left_in(const char *dir, uint64_t origin)
{
    struct left left;
    left_open(&left, dir);
    bool ours = left.whole && left.owner.origin == origin;
    left_close(&left);
    return ours ? CHECK_LEFT_OURS : left.there ? CHECK_LEFT_OTHERS : CHECK_LEFT_NOTHING;
}

void check_left_discard(const char *dir)
{
    struct left left;
    left_open(&left, dir);
    if (left.there) {
        store_remove(&left.store, MANIFEST);
        if (left.whole) {
            remove_files(&left.store, get_u64(&left.in));
        }
        checkpoint_remove_logs(&left.store);
    }
    left_close(&left);
}

static void get_parts(struct input *in, struct arena *arena, struct parts *parts)
{
    parts->in_records = get_u64(in);
    parts->out_records = get_u64(in);
    parts->queue_size = get_u64(in);
    parts->queue_sum = get_u64(in);
    parts->extra_size = get_u64(in);
    parts->extra_sum = get_u64(in);
    parts->model_size = get_u64(in);
    parts->model_sum = get_u64(in);
    parts->mark.nblock = get_u64(in);
    parts->mark.count = get_u64(in);
    parts->mark.sum = get_u64(in);
    uint64_t npartial = get_u64(in);
    if (npartial > in->left / 16) {
        in->bad = true;
        return;
    }
    void *pairs = ARENA_ARRAY(arena, uint64_t, 2 * npartial);
    parts->mark.partial = pairs;
    parts->mark.npartial = npartial;
    for (uint64_t i = 0; i < npartial; i++) {
        parts->mark.partial[i][0] = get_u64(in);
        parts->mark.partial[i][1] = get_u64(in);
    }
}

static void get_counts(struct search *s, struct worker *w, struct input *in)
{
    s->level = get_u64(in);
    atomic_store(&s->depth, get_u64(in));
    s->base_generated = get_u64(in);
    s->base_distinct = get_u64(in);
    s->init_generated = get_u64(in);
    s->init_distinct = get_u64(in);
    s->elapsed_before = get_u64(in);
    for (int d = 0; d < DEGREES; d++) {
        w->degrees[d] = get_u64(in);
    }
    if (get_u64(in) != s->model->naction) {
        in->bad = true;
        return;
    }
    for (uint32_t a = 0; a < s->model->naction; a++) {
        w->action_generated[a] = get_u64(in);
        w->action_distinct[a] = get_u64(in);
    }
}

static void get_violations(struct search *s, struct input *in)
{
    struct arena *arena = &s->box->arena;
    s->raw_total = get_u64(in);
    uint64_t n = get_u64(in);
    for (uint64_t i = 0; i < n && !in->bad; i++) {
        struct check_violation v = {.verdict = (enum verdict)get_u64(in)};
        v.prop = (int)(int64_t)get_u64(in);
        v.phase = (int)get_u64(in);
        v.error_in_init = get_u64(in) != 0;
        v.trace.incomplete = get_u64(in) != 0;
        v.trace.nstep = get_u64(in);
        if (v.trace.nstep > in->left) {
            in->bad = true;
            return;
        }
        v.trace.steps = ARENA_ARRAY(arena, struct check_step, v.trace.nstep);
        for (size_t k = 0; k < v.trace.nstep && !in->bad; k++) {
            struct check_step *step = &v.trace.steps[k];
            step->fp = get_u64(in);
            step->action = (uint32_t)get_u64(in);
            step->len = get_u64(in);
            if (step->len > in->left) {
                in->bad = true;
                return;
            }
            step->bytes = (const uint8_t *)in->p;
            in->p += step->len;
            in->left -= step->len;
            check_step_copy(arena, step);
        }
        violation_add(s, &v);
    }
}

static int check_file(struct search *s, const char *name, uint64_t want_size, uint64_t want_sum,
                      struct err *err)
{
    uint64_t size = 0;
    uint64_t sum = 0;
    int status = sum_of(&s->store, name, &size, &sum, err);
    if (status < 0) {
        return status;
    }
    return size == want_size && sum == want_sum ? 0 : damaged(&s->store, name, err);
}

struct rebuild {
    struct search *s;
    struct worker *w;
};

/* All fingerprints of a checkpoint are different; one that comes twice means that its files do not
 * belong together. */
static int add_fp(struct rebuild *rebuild, uint64_t fp, struct err *err)
{
    struct search *s = rebuild->s;
    if (fpset_insert(s->fps, &rebuild->w->local, fp) == FPSET_SEEN) {
        return damaged(&s->store, "a state is in it twice", err);
    }
    return fpset_full(s->fps) ? fpset_make_room(s->fps, NULL, err) : 0;
}

static int log_record(void *arg, const struct trace_record *record, struct err *err)
{
    return add_fp(arg, record->fp, err);
}

/* Reads a file from front to back. */
struct reader {
    struct store *store;
    int fd;
    uint64_t at, size; /* of the file: what is not in the buffer yet */
    struct strbuf buf;
    size_t used; /* of the buffer */
};

static int reader_take(struct reader *reader, void *to, size_t len, struct err *err)
{
    while (len > 0) {
        if (reader->used == reader->buf.n) {
            uint64_t left = reader->size - reader->at;
            size_t n = left < CHUNK ? (size_t)left : CHUNK;
            strbuf_reset(&reader->buf);
            strbuf_reserve(&reader->buf, CHUNK);
            int status =
                n > 0 ? store_read(reader->store, reader->fd, reader->buf.p, n, reader->at, err)
                      : err_set(err, ERR_CORRUPT, 0, "the stored queue is too short");
            if (status < 0) {
                return status;
            }
            reader->at += n;
            reader->buf.n = n;
            reader->used = 0;
        }
        size_t n = reader->buf.n - reader->used < len ? reader->buf.n - reader->used : len;
        memcpy(to, reader->buf.p + reader->used, n);
        reader->used += n;
        to = (char *)to + n;
        len -= n;
    }
    return 0;
}

/* Reads `count` records into the out level. */
static int read_records(struct rebuild *rebuild, struct reader *reader, uint64_t count,
                        struct err *err)
{
    struct search *s = rebuild->s;
    struct worker *w = rebuild->w;
    int status = 0;
    for (uint64_t i = 0; i < count && status == 0; i++) {
        struct record_head head;
        status = reader_take(reader, &head, sizeof head, err);
        if (status < 0) {
            break;
        }
        if (head.len > reader->size || (s->model->state_size && head.len != s->model->state_size)) {
            return damaged(&s->store, "a state has the wrong length", err);
        }
        struct strbuf *bytes = queue_begin(s->queue, &w->out, head.fp, head.link);
        strbuf_reserve(bytes, head.len);
        status = reader_take(reader, bytes->p + bytes->n, head.len, err);
        bytes->n += head.len;
        status = status < 0 ? status : queue_commit(s->queue, &w->out, err);
        status = status < 0 ? status : add_fp(rebuild, head.fp, err);
    }
    return status;
}

static int read_queue(struct rebuild *rebuild, const struct parts *parts, const char *name,
                      struct err *err)
{
    struct search *s = rebuild->s;
    struct reader reader = {.store = &s->store, .fd = -1};
    int status = store_open(&s->store, name, false, &reader.fd, &reader.size, err);
    if (status < 0) {
        return status;
    }
    status = read_records(rebuild, &reader, parts->in_records, err);
    status = status < 0 ? status : queue_seal(s->queue, &rebuild->w->out, err);
    if (status == 0) {
        queue_advance(s->queue);
        status = read_records(rebuild, &reader, parts->out_records, err);
    }
    store_close(&s->store, reader.fd);
    strbuf_done(&reader.buf);
    atomic_store(&rebuild->w->enqueued, parts->in_records + parts->out_records);
    return status;
}

static int read_model(struct search *s, const struct parts *parts, struct err *err)
{
    char name[48];
    int fd = -1;
    uint64_t size = 0;
    if ((parts->model_size != UINT64_MAX) != (s->ops->persist_load != NULL)) {
        return err_set(err, ERR_INVALID, 0,
                       "the checkpoint in %s is of a model that was run in another way",
                       s->store.dir);
    }
    if (parts->model_size == UINT64_MAX) {
        return 0;
    }
    file_name("model", parts->number, name, sizeof name);
    int status = check_file(s, name, parts->model_size, parts->model_sum, err);
    status = status < 0 ? status : store_open(&s->store, name, false, &fd, &size, err);
    if (status < 0) {
        return status;
    }
    SCOPED_STRBUF bytes = {0};
    strbuf_reserve(&bytes, size);
    status = store_read(&s->store, fd, bytes.p, size, 0, err);
    store_close(&s->store, fd);
    status = status < 0 ? status : s->ops->persist_load(s->model, bytes.p, size, err);
    queue_resize(s->queue, s->model->state_size); /* it may have brought another layout */
    return status;
}

/* The parts whose sizes and sums the manifest gives. */
static int read_parts(struct search *s, struct worker *w, const struct parts *parts,
                      struct err *err)
{
    char queue_name[48];
    char extra_name[48];
    SCOPED_STRBUF path = {0};
    struct rebuild rebuild = {s, w};
    file_name("queue", parts->number, queue_name, sizeof queue_name);
    file_name("extra", parts->number, extra_name, sizeof extra_name);
    int status = check_file(s, queue_name, parts->queue_size, parts->queue_sum, err);
    if (status == 0 && parts->extra_size != UINT64_MAX) {
        status = check_file(s, extra_name, parts->extra_size, parts->extra_sum, err);
        if (status == 0 && s->opt->load_extra) {
            status = s->opt->load_extra(s->opt->extra_arg, store_path(&s->store, extra_name, &path),
                                        err);
        }
    }
    status = status < 0 ? status : read_model(s, parts, err);
    status = status < 0 ? status : tracelog_resume(s->log, &parts->mark, log_record, &rebuild, err);
    status = status < 0 ? status : read_queue(&rebuild, parts, queue_name, err);
    if (status == 0 &&
        s->base_distinct != parts->mark.count + parts->in_records + parts->out_records) {
        return damaged(&s->store, "its counts do not agree", err);
    }
    return status;
}

/* Files of the checkpoint before and of one that was not finished, if the run was killed just then.
 */
static void remove_neighbours(struct search *s, uint64_t number)
{
    remove_files(&s->store, number - 1);
    remove_files(&s->store, number + 1);
    store_remove(&s->store, MANIFEST_NEW);
}

int checkpoint_read(struct search *s, struct worker *w, struct err *err)
{
    struct arena arena;
    struct input in = {0};
    struct parts parts = {0};
    arena_init(&arena, 0);
    int status = read_manifest(s, &arena, &in, err);
    if (status == 0) {
        parts.number = get_u64(&in);
        if (parts.number == UINT64_MAX) {
            arena_done(&arena);
            return err_set(err, ERR_INVALID, 0,
                           "the checkpoint in %s is of several processes: go on with mpirun, with "
                           "any number of them",
                           s->store.dir);
        }
        bool live = get_u64(&in) != 0;
        get_parts(&in, &arena, &parts);
        get_counts(s, w, &in);
        get_violations(s, &in);
        if (in.bad || live != (s->live != NULL)) {
            status = damaged(&s->store, "its manifest does not fit", err);
        }
        status = status < 0 ? status : read_parts(s, w, &parts, err);
    }
    arena_done(&arena);
    if (status == 0 && s->live) {
        status = live_resume(s->live, err);
    }
    s->checkpoint_number = parts.number;
    s->box->result.recovered = status == 0;
    if (status == 0) {
        remove_neighbours(s, parts.number);
    }
    return status;
}

void checkpoint_forget(struct search *s)
{
    struct err err = {0};
    struct arena arena;
    struct input in = {0};
    if (!s->opt->dir || !store_has(&s->store, MANIFEST) || store_make(&s->store, &err) < 0) {
        return;
    }
    arena_init(&arena, 0);
    if (read_manifest(s, &arena, &in, &err) == 0) {
        remove_files(&s->store, get_u64(&in));
    }
    arena_done(&arena);
    store_remove(&s->store, MANIFEST);
}

/* ---- of several processes ---- */

/* In place of a number. */
#define BY_RANKS UINT64_MAX

int checkpoint_write_ranks(const struct check_options *opt, const struct checkpoint_ranks *ranks,
                           struct err *err)
{
    SCOPED_STRBUF out = {0};
    struct store store;
    int fd = -1;
    put_u64(&out, magic);
    put_u64(&out, opt->identity);
    put_u64(&out, opt->origin);
    put_u64(&out, BY_RANKS);
    put_u64(&out, ranks->number);
    put_u64(&out, ranks->size);
    put_u64(&out, 0); /* no manifest is shorter than eight words */
    put_u64(&out, hash_bytes(out.p, out.n, magic));
    store_init(&store, opt->dir, NULL, 0);
    int status = store_create(&store, MANIFEST_NEW, &fd, err);
    if (status == 0) {
        status = store_write(&store, fd, out.p, out.n, 0, err);
        status = status < 0 ? status : store_sync(&store, fd, err);
        store_close(&store, fd);
        status = status < 0 ? status : store_rename(&store, MANIFEST_NEW, MANIFEST, err);
    }
    store_done(&store);
    return status;
}

int checkpoint_read_ranks(const struct check_options *opt, struct checkpoint_ranks *ret,
                          struct err *err)
{
    struct arena arena;
    struct store store;
    struct input in = {0};
    struct owner owner = {0};
    arena_init(&arena, 0);
    store_init(&store, opt->dir, NULL, 0);
    int status = open_manifest(&store, &arena, &in, &owner, err);
    if (status == 0 && owner.identity != opt->identity) {
        status = err_set(err, ERR_INVALID, 0,
                         "the checkpoint in %s is of another specification or of other options",
                         opt->dir);
    }
    if (status == 0 && get_u64(&in) != BY_RANKS) {
        status =
            err_set(err, ERR_INVALID, 0,
                    "the checkpoint in %s is of one process: go on with one process", opt->dir);
    }
    ret->number = status == 0 ? get_u64(&in) : 0;
    ret->size = status == 0 ? (unsigned)get_u64(&in) : 0;
    store_done(&store);
    arena_done(&arena);
    return status;
}

void checkpoint_forget_ranks(const struct check_options *opt)
{
    struct store store;
    struct err ignored = {0};
    store_init(&store, opt->dir, NULL, 0);
    if (store_make(&store, &ignored) == 0) {
        store_remove(&store, MANIFEST);
    }
    store_done(&store);
}
