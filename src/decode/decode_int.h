/* Private to the decode room. */
#pragma once

#include "base/arena.h"
#include "decode/decode.h"

struct pattern;
struct decoder;

struct decode {
    struct decode_options o;
    struct arena arena;
    struct pattern **patterns; /* [observes + messages] or NULL */
    struct decoder **decoders; /* likewise */
    struct err *err;
};

/* The answer of the user's program. */
int decoder_run(struct decode *d, size_t number, struct str bytes, struct str *ret);
void decoders_free(struct decode *d);
