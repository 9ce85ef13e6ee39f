/* TLC's message printer: frames, prefixes, warnings said once, suppressed codes. */
#include "tlc/message.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"

#define FRAME "@!@!@"

void tlc_out_init(struct tlc_out *out, FILE *file)
{
    *out = (struct tlc_out){.out = file, .warn = true};
    arena_init(&out->arena, 0);
    (void)pthread_mutex_init(&out->lock, NULL);
}

void tlc_out_done(struct tlc_out *out)
{
    strmap_done(&out->warned);
    arena_done(&out->arena);
    (void)pthread_mutex_destroy(&out->lock);
}

static bool is_listed(const int *codes, size_t n, int code)
{
    for (size_t i = 0; i < n; i++) {
        if (codes[i] == code) {
            return true;
        }
    }
    return false;
}

static void compose(const struct tlc_out *out, int code, enum tlc_severity severity,
                    struct str text, struct strbuf *ret)
{
    static const char *const prefixes[] = {
        "", "Error: ", "TLC Bug: ", "Warning: ", "State "}; /* ORDER severities */
    if (!out->tool) {
        strbuf_adds(ret, prefixes[severity]);
        strbuf_addstr(ret, text);
        if (severity == TLC_WARNING && out->warned.n == 0) {
            strbuf_adds(ret, "\n(Use the -nowarning option to disable this warning.)");
        }
        return;
    }
    strbuf_printf(ret, FRAME "STARTMSG %d:%d " FRAME "\n", code, (int)severity);
    strbuf_addstr(ret, text);
    strbuf_printf(ret, "\n" FRAME "ENDMSG %d " FRAME, code);
}

static void emit(struct tlc_out *out, struct str text)
{
    (void)pthread_mutex_lock(&out->lock);
    (void)put_text(out->out, text);
    (void)putc('\n', out->out);
    (void)fflush(out->out);
    (void)pthread_mutex_unlock(&out->lock);
}

void tlc_text(struct tlc_out *out, int code, enum tlc_severity severity, struct str text)
{
    if (severity != TLC_ERROR && is_listed(out->suppressed, out->nsuppressed, code)) {
        return;
    }
    SCOPED_STRBUF message = {0};
    compose(out, code, severity, text, &message);
    emit(out, strbuf_str(&message));
}

void tlc_print(struct tlc_out *out, int code, enum tlc_severity severity, const char *fmt, ...)
{
    SCOPED_STRBUF text = {0};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    tlc_text(out, code, severity, strbuf_str(&text));
}

bool tlc_warn(struct tlc_out *out, int code, const char *text)
{
    if (out->warnings_are_errors || is_listed(out->as_errors, out->nas_error, code)) {
        return false;
    }
    if (!out->warn) {
        return true;
    }
    SCOPED_STRBUF message = {0};
    compose(out, code, TLC_WARNING, str_of(text), &message);
    struct str key = str_dup(&out->arena, str_of(text));
    if (strmap_has(&out->warned, key)) {
        return true;
    }
    (void)strmap_put(&out->warned, key, &out->warned);
    if (!is_listed(out->suppressed, out->nsuppressed, code)) {
        emit(out, strbuf_str(&message));
    }
    return true;
}

void tlc_raw(struct tlc_out *out, struct str text)
{
    (void)pthread_mutex_lock(&out->lock);
    (void)put_text(out->out, text);
    (void)fflush(out->out);
    (void)pthread_mutex_unlock(&out->lock);
}

void tlc_nested(const struct tlc_out *out, int code, const char *text, struct strbuf *ret)
{
    if (out->tool) {
        compose(out, code, TLC_NONE, str_of(text), ret);
    } else {
        strbuf_adds(ret, text);
    }
}

void tlc_unexpected(const struct tlc_out *out, const char *exception, const char *text,
                    struct strbuf *ret)
{
    (void)out;
    strbuf_printf(ret,
                  "TLC threw an unexpected exception.\n"
                  "This was probably caused by an error in the spec or model.\n"
                  "See the User Output or TLC Console for clues to what happened.\n"
                  "The exception was a %s\n: %s",
                  exception, text);
}

const char *tlc_now(const struct tlc_out *out, char buffer[TLC_TIME_BYTES])
{
    if (out->no_timestamps) {
        return "NOW";
    }
    time_t seconds = (time_t)clock_wall_s();
    struct tm tm;
    if (localtime_r(&seconds, &tm) == NULL ||
        strftime(buffer, TLC_TIME_BYTES, "%Y-%m-%d %H:%M:%S", &tm) == 0) {
        return "NOW";
    }
    return buffer;
}

/* ---- codes ---- */
/* Ranges of TLC's message codes, first and last of each. */
static const struct {
    short first, last;
} known[] = {
    {0,     0    },
    {1000,  1003 },
    {1005,  1005 },
    {1101,  1102 },
    {2000,  2001 },
    {2100,  2149 },
    {2154,  2274 },
    {2279,  2284 },
    {2300,  2301 },
    {2400,  2405 },
    {2501,  2502 },
    {2772,  2779 },
    {3000,  3002 },
    {3100,  3114 },
    {4000,  4002 },
    {5001,  5006 },
    {7000,  7010 },
    {20000, 20000},
};

bool tlc_known_code(int code)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (code >= known[i].first && code <= known[i].last) {
            return true;
        }
    }
    return code == -1 || code == -123456;
}

int tlc_exit_status(int code)
{
    static const struct {
        short first, last, status;
    } rows[] = {
        {0,    0,    EXIT_OK           },
        {2104, 2105, EXIT_ASSUMPTION   },
        {2404, 2405, EXIT_ASSUMPTION   },
        {2107, 2107, EXIT_SAFETY       },
        {2110, 2110, EXIT_SAFETY       },
        {2108, 2108, EXIT_LIVENESS     },
        {2112, 2113, EXIT_LIVENESS     },
        {2116, 2116, EXIT_LIVENESS     },
        {2114, 2114, EXIT_DEADLOCK     },
        {2132, 2132, EXIT_ASSERT       },
        {2103, 2103, EXIT_SPEC_EVAL    },
        {2109, 2109, EXIT_SPEC_EVAL    },
        {2115, 2115, EXIT_SPEC_EVAL    },
        {2147, 2147, EXIT_SPEC_EVAL    },
        {2111, 2111, EXIT_SAFETY_EVAL  },
        {2146, 2146, EXIT_SAFETY_EVAL  },
        {2253, 2253, EXIT_LIVENESS_EVAL},
        {2171, 2171, EXIT_PARSE        },
        {3002, 3002, EXIT_PARSE        },
        {2222, 2245, EXIT_CONFIG       },
        {2272, 2274, EXIT_CONFIG       },
        {2280, 2281, EXIT_CONFIG       },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (code >= rows[i].first && code <= rows[i].last) {
            return rows[i].status;
        }
    }
    return EXIT_OTHER;
}
