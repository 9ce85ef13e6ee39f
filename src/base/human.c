/* Numbers as people read them, and colours. */
#include "base/human.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

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
