/* CSV: lines of values appended to files, and read back as records of strings. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "eval/native_int.h"

enum { FILE_MAX = 1 << 30 };

/* One write at the end of the file, so that lines of several workers do not mix. */
static void append_to(struct ev *ev, const char *op, const char *path, struct str text)
{
    native_need_exec(ev, op);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int failed = fd < 0 ? errno : 0;
    for (size_t at = 0; failed == 0 && at < text.n;) {
        ssize_t n = write(fd, text.p + at, text.n - at);
        if (n < 0 && errno != EINTR) {
            failed = errno;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0 && close(fd) != 0 && failed == 0) {
        failed = errno;
    }
    if (failed != 0) {
        native_fail_outside(ev, op, "%s: %s", path, strerror(failed));
    }
}

struct val native_csv_write(struct ev *ev, const struct val *args)
{
    const char *op = "CSVWrite";
    struct str template = native_need_string(ev, args[0], "first", op);
    const struct vobj *seq = native_need_only_seq(ev, args[1], op);
    const char *path = native_need_path(ev, args[2], "third", op);
    struct str *params = arena_alloc(ev_vctx(ev)->arena, (seq->n + (size_t)1) * sizeof *params);
    for (uint32_t i = 0; i < seq->n; i++) {
        struct text text;
        native_text_init(&text, ev);
        native_text_addval(&text, ev, seq->v[i]);
        params[i] = native_text_str(&text);
    }
    struct text line;
    native_text_init(&line, ev);
    native_text_addstr(&line, native_format_template(ev, op, template, params, seq->n));
    native_text_addc(&line, '\n');
    append_to(ev, op, path, native_text_str(&line));
    return VAL_TRUE;
}

struct val native_csv_write_record(struct ev *ev, const struct val *args)
{
    const char *op = "CSVWriteRecord";
    struct vctx *ctx = ev_vctx(ev);
    struct val record;
    if (!native_as_record(ev, args[0], &record)) {
        native_fail_only_argument(ev, op, "record", args[0]);
    }
    struct str delim = native_need_string(ev, args[1], "second", op);
    bool headers = native_need_bool(ev, args[2], "third", op);
    const char *path = native_need_path(ev, args[3], "fourth", op);
    size_t n = fcn_size(ctx, record);
    struct text lines;
    native_text_init(&lines, ev);
    for (unsigned row = headers ? 0 : 1; row < 2; row++) {
        for (size_t i = 0; i < n; i++) {
            native_text_addstr(&lines, i > 0 ? delim : STR(""));
            if (row == 0) {
                native_text_addstr(&lines, native_unquoted(ev, fcn_key(ctx, record, i)));
            } else {
                native_text_addval(&lines, ev, fcn_value(ctx, record, i));
            }
        }
        native_text_addc(&lines, '\n');
    }
    append_to(ev, op, path, native_text_str(&lines));
    return VAL_TRUE;
}

/* The delimiter is a regular expression in TLC; what is used are plain characters, perhaps with a
 * backslash before them. */
static struct str plain_delimiter(struct str delim)
{
    return delim.n == 2 && delim.p[0] == '\\' ? (struct str){delim.p + 1, 1} : delim;
}

/* The fields of a line; empty ones at the end do not count. */
static size_t split_line(struct ev *ev, struct str line, struct str delim, struct vals *ret)
{
    struct vctx *ctx = ev_vctx(ev);
    size_t last = 0;
    ret->n = 0;
    const char *end = line.p + line.n;
    for (const char *at = line.p;;) {
        const char *stop =
            delim.n > 0 && at < end ? memmem(at, (size_t)(end - at), delim.p, delim.n) : NULL;
        struct str part = {at, (size_t)((stop != NULL ? stop : end) - at)};
        native_push(ret, val_str(ctx, part));
        last = part.n > 0 ? ret->n : last;
        if (stop == NULL) {
            return last > 0 ? last : (line.n == 0 ? 1 : 0);
        }
        at = stop + delim.n;
    }
}

static struct str next_line(const char **at, const char *end)
{
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    struct str line = {*at, (size_t)((stop != NULL ? stop : end) - *at)};
    *at = stop != NULL ? stop + 1 : end;
    if (line.n > 0 && line.p[line.n - 1] == '\r') {
        line.n--;
    }
    return line;
}

static struct str read_text(struct ev *ev, const char *op, const char *path)
{
    struct str text;
    struct err err = {0};
    if (file_read(ev_vctx(ev)->arena, path, FILE_MAX, &text, &err) != 0) {
        native_fail_outside(ev, op, "%s", err.text);
    }
    return text;
}

struct val native_csv_read(struct ev *ev, const struct val *args)
{
    const char *op = "CSVRead";
    struct vctx *ctx = ev_vctx(ev);
    const struct vobj *names = native_need_only_seq(ev, args[0], op);
    for (uint32_t i = 0; i < names->n; i++) {
        (void)native_need_string(ev, names->v[i], "first", op);
    }
    struct str delim = plain_delimiter(native_need_string(ev, args[1], "second", op));
    const char *path = native_need_path(ev, args[2], "third", op);
    if (!file_exists(path)) {
        return tuple_empty();
    }
    struct str text = read_text(ev, op, path);
    struct vals records, fields;
    native_vals_init(&records, ev, 64);
    native_vals_init(&fields, ev, names->n + (size_t)1);
    const char *end = text.p + text.n;
    for (const char *at = text.p; at < end;) {
        size_t n = split_line(ev, next_line(&at, end), delim, &fields);
        if (n != names->n) {
            native_fail_outside(ev, op, "%s: line %zu has %zu fields, but %u columns are named",
                                path, records.n + 1, n, names->n);
        }
        native_push(&records, record_make(ctx, names->v, fields.v, n));
    }
    return tuple_make(ctx, records.v, records.n);
}

struct val native_csv_records(struct ev *ev, const struct val *args)
{
    const char *op = "CSVRecords";
    const char *path = native_need_path(ev, args[0], "first", op);
    if (!file_exists(path)) {
        return val_small(0);
    }
    struct str text = read_text(ev, op, path);
    int64_t lines = 0;
    const char *end = text.p + text.n;
    for (const char *at = text.p; at < end; lines++) {
        (void)next_line(&at, end);
    }
    return val_small(lines);
}
