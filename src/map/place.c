/* Mistakes of a mapping that show only when it is used: told with their place in the file. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "map/map.h"
#include "model/model.h"
#include "syntax/source.h"

/* file:line:column: error: text, then the line and a caret. */
static int place_error(const struct map *map, struct err *err, size_t begin, size_t end,
                       const char *text)
{
    const struct source *file = map->file;
    size_t line_begin = begin < file->text.n ? begin : file->text.n, line = 1;
    if (end == 0) {
        return err_set(err, ERR_INVALID, 0, "%s: error: %s", file->path, text);
    }
    for (size_t i = 0; i < line_begin; i++) {
        line += file->text.p[i] == '\n' ? 1 : 0;
    }
    while (line_begin > 0 && file->text.p[line_begin - 1] != '\n') {
        line_begin--;
    }
    size_t n = 0, column = begin - line_begin;
    while (line_begin + n < file->text.n && file->text.p[line_begin + n] != '\n' && n < 160) {
        n++;
    }
    size_t width = end > begin ? end - begin : 1;
    width = column + width > n && n > column ? n - column : width;
    char caret[240];
    size_t k = 0;
    for (; k < column && k < 150; k++) {
        caret[k] = ' ';
    }
    for (size_t i = 0; i < width && k < sizeof caret - 1 && i < 60; i++) {
        caret[k++] = '^';
    }
    caret[k] = '\0';
    return err_set(err, ERR_INVALID, 0, "%s:%zu:%zu: error: %s\n    %.*s\n    %s", file->path, line,
                   column + 1, text, (int)n, file->text.p + line_begin, caret);
}

int map_error(const struct map *map, struct err *err, size_t begin, size_t end, const char *fmt,
              ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return place_error(map, err, begin, end, text);
}

int map_evaluation_error(const struct map *map, struct err *err, const struct mworker *worker,
                         size_t begin, size_t end)
{
    const char *text = worker->error.text != NULL ? worker->error.text : "evaluation failed";
    char line[300];
    size_t n = 0;
    for (; text[n] != '\0' && n < sizeof line - 1; n++) {
        line[n] = text[n] == '\n' ? ' ' : text[n];
    }
    line[n] = '\0';
    return place_error(map, err, begin, end, line);
}
