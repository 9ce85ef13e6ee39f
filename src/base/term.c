/* The terminal. */
#include "base/term.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

bool color_wanted(enum color_when when, int fd)
{
    if (when != COLOR_AUTO) {
        return when == COLOR_ALWAYS;
    }
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    if ((no_color != NULL && no_color[0] != '\0') || (term != NULL && strcmp(term, "dumb") == 0)) {
        return false;
    }
    return isatty(fd) == 1;
}

int put_text(FILE *out, struct str text)
{
    return text.n == 0 || fwrite(text.p, 1, text.n, out) == text.n ? 0 : -1;
}
