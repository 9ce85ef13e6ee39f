/* Where states came from, by fingerprints: see kin.h. A record is 20 bytes. A trace asks for one
 * state in each level, so a level is read from its beginning; nothing is kept in memory. */
#include "check/kin.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/store.h"

enum {
    RECORD = 20,
#ifdef ASSAY_TINY
    CHUNK = 3 * RECORD,
#else
    CHUNK = 3200 * RECORD,
#endif
};

struct kin {
    struct store *store;
    int fd;
    struct strbuf buf;  /* what is not written yet */
    uint64_t count;     /* records, with those in the buffer */
    uint64_t written;   /* bytes */
    VEC(uint64_t) ends; /* of finished levels: records up to there */
};

int kin_new(struct store *store, const char *name, struct kin **ret, struct err *err)
{
    int fd = -1;
    int status = store_create(store, name, &fd, err);
    if (status < 0) {
        return status;
    }
    struct kin *kin = vec_grow(NULL, &(size_t){0}, 1, sizeof *kin);
    *kin = (struct kin){.store = store, .fd = fd};
    *ret = kin;
    return 0;
}

void kin_free(struct kin *kin)
{
    if (kin) {
        store_close(kin->store, kin->fd);
        strbuf_done(&kin->buf);
        VEC_DONE(&kin->ends);
        vec_release(kin);
    }
}

static int write_buffer(struct kin *kin, struct err *err)
{
    int status = store_write(kin->store, kin->fd, kin->buf.p, kin->buf.n, kin->written, err);
    kin->written += kin->buf.n;
    strbuf_reset(&kin->buf);
    return status;
}

int kin_add(struct kin *kin, const struct kin_record *record, struct err *err)
{
    uint32_t ordinal = record->ordinal < UINT32_MAX ? (uint32_t)record->ordinal : UINT32_MAX;
    strbuf_add(&kin->buf, (const char *)&record->fp, sizeof record->fp);
    strbuf_add(&kin->buf, (const char *)&record->parent, sizeof record->parent);
    strbuf_add(&kin->buf, (const char *)&ordinal, sizeof ordinal);
    kin->count++;
    return kin->buf.n >= CHUNK ? write_buffer(kin, err) : 0;
}

void kin_next_level(struct kin *kin)
{
    VEC_PUSH(&kin->ends, kin->count);
}

uint64_t kin_levels(const struct kin *kin)
{
    return kin->ends.n;
}

uint64_t kin_count(const struct kin *kin, uint64_t level)
{
    return level == 0 ? 0 : level <= kin->ends.n ? kin->ends.v[level - 1] : kin->count;
}

static void get_record(const char *bytes, struct kin_record *ret)
{
    uint32_t ordinal;
    memcpy(&ret->fp, bytes, 8);
    memcpy(&ret->parent, bytes + 8, 8);
    memcpy(&ordinal, bytes + 16, 4);
    ret->ordinal = ordinal;
}

static int read_range(struct store *store, int fd, uint64_t begin, uint64_t end,
                      int (*each)(void *arg, const struct kin_record *record, struct err *err),
                      void *arg, struct err *err)
{
    SCOPED_STRBUF buf = {0};
    int status = 0;
    strbuf_reserve(&buf, CHUNK);
    for (uint64_t at = begin * RECORD; at < end * RECORD && status == 0;) {
        uint64_t left = end * RECORD - at;
        size_t n = left < CHUNK ? (size_t)left : CHUNK;
        status = store_read(store, fd, buf.p, n, at, err);
        for (size_t i = 0; i < n && status == 0; i += RECORD) {
            struct kin_record record;
            get_record(buf.p + i, &record);
            status = each(arg, &record, err);
        }
        at += n;
    }
    return status;
}

struct seeking {
    uint64_t fp;
    struct kin_record *ret;
};

static int seek(void *arg, const struct kin_record *record, struct err *err)
{
    struct seeking *seeking = arg;
    (void)err;
    if (record->fp != seeking->fp) {
        return 0;
    }
    *seeking->ret = *record;
    return 1;
}

int kin_find(struct kin *kin, uint64_t level, uint64_t fp, struct kin_record *ret, struct err *err)
{
    struct seeking seeking = {fp, ret};
    int status = write_buffer(kin, err);
    return status < 0 ? status
                      : read_range(kin->store, kin->fd, kin_count(kin, level - 1),
                                   kin_count(kin, level), seek, &seeking, err);
}

int kin_flush(struct kin *kin, struct err *err)
{
    int status = write_buffer(kin, err);
    return status < 0 ? status : store_sync(kin->store, kin->fd, err);
}

int kin_read(struct store *store, const char *name, uint64_t begin, uint64_t end,
             int (*each)(void *arg, const struct kin_record *record, struct err *err), void *arg,
             struct err *err)
{
    int fd = -1;
    uint64_t size = 0;
    int status = store_open(store, name, false, &fd, &size, err);
    if (status < 0) {
        return status;
    }
    status = read_range(store, fd, begin, end, each, arg, err);
    store_close(store, fd);
    return status;
}
