/* Messages as TLC prints them: numbered, framed with -tool, prefixed without. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* ORDER severities: as in the frames */
enum tlc_severity { TLC_NONE, TLC_ERROR, TLC_BUG, TLC_WARNING, TLC_STATE };

#define TLC_CODES_MAX 64

struct tlc_out {
    FILE *out;
    bool tool;
    bool no_timestamps;       /* -Dtlc2.output.MP.noTimestamps */
    bool warn;                /* no -nowarning */
    bool warnings_are_errors; /* -Dtlc2.output.MP.warning2error */
    int suppressed[TLC_CODES_MAX];
    size_t nsuppressed;
    int as_errors[TLC_CODES_MAX];
    size_t nas_error;
    struct arena arena;
    struct strmap warned; /* texts of warnings printed so far */
    pthread_mutex_t lock; /* one message at a time */
};

void tlc_out_init(struct tlc_out *out, FILE *file);
void tlc_out_done(struct tlc_out *out);
void tlc_print(struct tlc_out *out, int code, enum tlc_severity severity, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void tlc_text(struct tlc_out *out, int code, enum tlc_severity severity, struct str text);
/* A warning, once for each text. Returns false when it must be treated as an error (then nothing
 * was printed). */
bool tlc_warn(struct tlc_out *out, int code, const char *text);
/* Text without any frame: user output, SANY. */
void tlc_raw(struct tlc_out *out, struct str text);
/* A message inside another one: framed with severity 0 in tool mode, the plain text otherwise. */
void tlc_nested(const struct tlc_out *out, int code, const char *text, struct strbuf *ret);
/* "TLC threw an unexpected exception ..." around a message. */
void tlc_unexpected(const struct tlc_out *out, const char *exception, const char *text,
                    struct strbuf *ret);
/* The time of day as TLC writes it, in the caller's buffer. */
#define TLC_TIME_BYTES 32
const char *tlc_now(const struct tlc_out *out, char buffer[TLC_TIME_BYTES]);
bool tlc_known_code(int code); /* one of TLC's message codes */
/* TLC's exit status for an error whose final code this is. */
int tlc_exit_status(int code);
