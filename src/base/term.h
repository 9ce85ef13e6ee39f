/* The terminal: whether text is in colour, and writing it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
bool color_wanted(enum color_when when,
                  int fd);                /* NO_COLOR, TERM=dumb and not-a-terminal mean no */
int put_text(FILE *out, struct str text); /* fwrite; 0 or -1 */
