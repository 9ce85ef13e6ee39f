/* XXH3 of the xxhash library: its 64-bit output is specified, so that fingerprints agree between
 * machines. */
#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

uint64_t hash_bytes(const void *bytes, size_t len, uint64_t seed)
{
    return XXH3_64bits_withSeed(len ? bytes : "", len, seed);
}
