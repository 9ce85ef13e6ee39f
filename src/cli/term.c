/* Colours, and numbers as people read them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"

bool parse_color(const char *text, enum color_when *ret)
{
    static const char *const names[] = {"auto", "always", "never"}; /* ORDER enum color_when */
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *ret = (enum color_when)i;
            return true;
        }
    }
    return false;
}

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

struct palette palette_get(bool color)
{
    if (!color) {
        return (struct palette){"", "", "", "", "", "", "", ""};
    }
    return (struct palette){.bold = "\033[1m",
                            .dim = "\033[2m",
                            .red = "\033[1;31m",
                            .green = "\033[1;32m",
                            .yellow = "\033[33m",
                            .blue = "\033[34m",
                            .cyan = "\033[36m",
                            .reset = "\033[0m"};
}

void print_count(struct strbuf *out, uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) {
            strbuf_addc(out, ',');
        }
        strbuf_addc(out, digits[i]);
    }
}

void print_bytes(struct strbuf *out, uint64_t n)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)n;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024;
        unit++;
    }
    strbuf_printf(out, value >= 100 || unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

void print_seconds(struct strbuf *out, uint64_t ns)
{
    double s = (double)ns / 1e9;
    uint64_t whole = ns / 1000000000;
    if (s < 10) {
        strbuf_printf(out, "%.2f s", s);
    } else if (whole < 60) {
        strbuf_printf(out, "%.1f s", s);
    } else if (whole < 3600) {
        strbuf_printf(out, "%llu min %02llu s", (unsigned long long)(whole / 60),
                      (unsigned long long)(whole % 60));
    } else {
        strbuf_printf(out, "%llu h %02llu min", (unsigned long long)(whole / 3600),
                      (unsigned long long)(whole / 60 % 60));
    }
}

void print_si(struct strbuf *out, double n)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    size_t unit = 0;
    while (n >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        n /= 1000;
        unit++;
    }
    strbuf_printf(out, unit == 0 || n >= 100 ? "%.0f%s" : "%.1f%s", n, units[unit]);
}

int put_text(FILE *out, struct str text)
{
    return text.n == 0 || fwrite(text.p, 1, text.n, out) == text.n ? 0 : -1;
}
