/* Times and sizes as cluster files write them. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "run/cluster.h"

struct unit {
    const char *name;
    double size;
};

/* A number that is not negative, and one of the units. */
static bool parse_quantity(struct str text, const struct unit *units, size_t n, double *ret)
{
    char copy[48];
    if (text.n == 0 || text.n >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\0';
    char *end = NULL;
    double value = strtod(copy, &end);
    if (end == copy || value < 0 || !isfinite(value)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(end, units[i].name) == 0) {
            *ret = value * units[i].size;
            return true;
        }
    }
    return false;
}

bool parse_time_ns(struct str text, uint64_t *ret_ns)
{
    static const struct unit units[] = {
        {"ns", 1   },
        {"us", 1e3 },
        {"ms", 1e6 },
        {"s",  1e9 },
        {"m",  60e9},
        {"",   1e9 },
    };
    const double most = 1e19;
    double ns = 0;
    bool good = parse_quantity(text, units, sizeof units / sizeof units[0], &ns) && ns < most;
    if (good) {
        *ret_ns = (uint64_t)(ns + 0.5);
    }
    return good;
}

bool parse_bytes(struct str text, int64_t *ret)
{
    static const struct unit units[] = {
        {"GB", 1e9},
        {"MB", 1e6},
        {"kB", 1e3},
        {"B",  1  },
    };
    const double most = 1e18;
    double bytes = 0;
    bool good = parse_quantity(text, units, sizeof units / sizeof units[0], &bytes) && bytes < most;
    if (good) {
        *ret = (int64_t)bytes;
    }
    return good;
}
