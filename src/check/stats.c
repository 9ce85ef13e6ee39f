/* Figures of a finished search, calculated as TLC does. */
#include <math.h>
#include <stdint.h>

#include "check/check.h"
#include "check/check_int.h"

/* degrees[i]: states with i new successors. The 95th percentile is the class in which the state at
 * 95% of all observations lies. */
void check_stats_degrees(const uint64_t degrees[DEGREES], struct check_result *result)
{
    uint64_t total = 0;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < DEGREES; i++) {
        total += degrees[i];
        sum += degrees[i] * i;
    }
    if (total == 0) {
        return;
    }
    uint64_t position = (uint64_t)((double)total * 0.95);
    uint64_t below = 0;
    bool first = true;
    bool placed = false;
    for (uint64_t i = 0; i < DEGREES; i++) {
        if (degrees[i] == 0) {
            continue;
        }
        if (first) {
            result->outdegree_min = i;
            first = false;
        }
        result->outdegree_max = i;
        below += degrees[i];
        if (!placed && below > position) {
            result->outdegree_95 = i;
            placed = true;
        }
    }
    result->outdegree_mean = (uint64_t)floor((double)sum / (double)total + 0.5);
}

/* The chance that two states share a fingerprint, if fingerprints are random. */
double check_stats_optimistic(uint64_t distinct, uint64_t generated)
{
    return (double)distinct * ((double)(generated - distinct) / 18446744073709551616.0);
}
