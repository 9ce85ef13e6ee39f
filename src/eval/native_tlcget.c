/* TLCGet and TLCSet: registers of a worker, and what the run tells about itself.
 *
 * Registers have natural numbers as names, or strings that start with "s:"; the latter live below
 * zero, at -1 - id of the string. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "eval/native_int.h"
#include "model/model.h"

__attribute__((noreturn, cold)) static void fail_undefined(struct ev *ev, struct val key)
{
    struct str name = unquoted(ev, key);
    vctx_fail(ev_vctx(ev), CODE_TLCGET, "TLCGet(%.*s) was undefined.", STR_ARG(name));
}

static bool str_starts(struct str s, const char *prefix)
{
    size_t n = strlen(prefix);
    return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

/* The register that a key names; false when it names none. */
static bool register_of(struct ev *ev, struct val key, int64_t *ret_index)
{
    if (val_is_str(key)) {
        *ret_index = -1 - (int64_t)val_str_id(key);
        return str_starts(val_str_text(ev_vctx(ev), key), "s:");
    }
    return val_is_int(key) && int_to_i64(key, ret_index) && *ret_index >= 0;
}

/* ---- what the run knows ---- */

static const struct mstats *stats_of(struct ev *ev)
{
    struct mhost *host = ev_host(ev);
    return host != NULL ? host->stats : NULL;
}

static uint64_t duration_s(const struct mstats *stats)
{
    uint64_t start = atomic_load_explicit(&stats->start_ms, memory_order_relaxed),
             now = clock_wall_ms();
    return start != 0 && now > start ? (now - start) / 1000 : 0;
}

static bool counter(struct ev *ev, struct str key, struct val *ret)
{
    const struct mstats *stats = stats_of(ev);
    uint64_t n = 0;
    if (stats == NULL || !ev_is_checking(ev)) {
        return false;
    }
    if (str_is(key, "generated")) {
        n = atomic_load_explicit(&stats->generated, memory_order_relaxed);
    } else if (str_is(key, "distinct")) {
        n = atomic_load_explicit(&stats->distinct, memory_order_relaxed);
    } else if (str_is(key, "queue")) {
        n = atomic_load_explicit(&stats->queued, memory_order_relaxed);
    } else if (str_is(key, "diameter")) {
        n = atomic_load_explicit(&stats->diameter, memory_order_relaxed);
    } else if (str_is(key, "traces")) {
        n = atomic_load_explicit(&stats->traces, memory_order_relaxed);
    } else if (str_is(key, "duration")) {
        n = duration_s(stats);
    } else {
        return false;
    }
    *ret = val_int(ev_vctx(ev), (int64_t)n);
    return true;
}

/* The counters of a search, or of random simulation, in one record; for when the model has nothing
 * better. */
static bool statistics(struct ev *ev, struct val *ret)
{
    static const char *const search[] = {"worker",    "diameter", "duration",
                                         "generated", "distinct", "queue"};
    static const char *const simulation[] = {"worker", "traces", "duration", "generated",
                                             "distinct"};
    struct vctx *ctx = ev_vctx(ev);
    const struct mhost *host = ev_host(ev);
    bool walks = host != NULL && host->mode != NULL &&
                 (strcmp(host->mode, "simulate") == 0 || strcmp(host->mode, "generate") == 0);
    const char *const *keys = walks ? simulation : search;
    size_t n = walks ? sizeof simulation / sizeof simulation[0] : sizeof search / sizeof search[0];
    struct val names[6], values[6] = {val_small(0)};
    for (size_t i = 0; i < n; i++) {
        names[i] = val_str(ctx, str_of(keys[i]));
        if (i > 0 && !counter(ev, str_of(keys[i]), &values[i])) {
            return false;
        }
    }
    *ret = record_make(ctx, names, values, n);
    return true;
}

/* The version of TLC whose language and modules these are: specifications ask for a minimum. */
static struct val revision(struct ev *ev)
{
    static const char *const keys[] = {"timestamp", "date", "count", "tag", "calver"};
    struct vctx *ctx = ev_vctx(ev);
    struct val names[5], values[5];
    for (size_t i = 0; i < 5; i++) {
        names[i] = val_str(ctx, str_of(keys[i]));
    }
    values[0] = val_small(1777420800);
    values[1] = val_str(ctx, STR("2026-04-29T00:00:00.0Z"));
    values[2] = val_small(8000);
    values[3] = val_str(ctx, STR("assay " ASSAY_VERSION));
    values[4] = val_str(ctx, STR("2026.04.29.000000"));
    return record_make(ctx, names, values, 5);
}

static struct val get_named(struct ev *ev, struct val key)
{
    struct vctx *ctx = ev_vctx(ev);
    struct str name = val_str_text(ctx, key);
    struct val found;
    if (str_is(name, "level")) {
        return val_int(ctx, (int64_t)ev_level(ev));
    }
    if (str_is(name, "revision")) {
        return revision(ev);
    }
    if (str_is(name, "all") || str_is(name, "all:named")) {
        return ev_registers_all(ev, !str_is(name, "all"));
    }
    if (!str_is(name, "traces") && counter(ev, name, &found)) {
        return found;
    }
    if (ev_model_info(ev, arena_strndup(ctx->arena, name.p, name.n), &found)) {
        return found;
    }
    if (str_is(name, "stats") && statistics(ev, &found)) {
        return found;
    }
    if (str_starts(name,
                   "-D")) { /* a property of the Java machine: unset ones are their own name */
        return key;
    }
    fail_undefined(ev, key);
}

/* ---- operators ---- */

static struct val tlc_get(struct ev *ev, const struct val *args)
{
    int64_t index = 0;
    if (register_of(ev, args[0], &index)) {
        struct val v = ev_register(ev, index);
        if (val_is_undef(v)) {
            fail_undefined(ev, args[0]);
        }
        return v;
    }
    if (!val_is_str(args[0])) {
        fail_only_argument(ev, "TLCGet", "nonnegative integer", args[0]);
    }
    return get_named(ev, args[0]);
}

static void set_named(struct ev *ev, struct str name, struct val v)
{
    struct mhost *host = ev_host(ev);
    if (host == NULL || !val_same(v, VAL_TRUE)) {
        return;
    }
    if (str_is(name, "exit") && host->stop != NULL) {
        host->stop(host->arg);
    } else if (str_is(name, "pause") && host->pause != NULL) {
        host->pause(host->arg);
    }
}

static struct val tlc_set(struct ev *ev, const struct val *args)
{
    int64_t index = 0;
    if (register_of(ev, args[0], &index)) {
        ev_register_set(ev, index, args[1]);
        return VAL_TRUE;
    }
    if (val_is_str(args[0])) {
        struct str name = val_str_text(ev_vctx(ev), args[0]);
        if (str_is(name, "exit") || str_is(name, "pause") || str_starts(name, "-D")) {
            set_named(ev, name, args[1]);
            return VAL_TRUE;
        }
    }
    fail_argument(ev, "first", "TLCSet", "nonnegative integer", args[0]);
}

static struct val tlc_get_or_default(struct ev *ev, const struct val *args)
{
    int64_t index = 0;
    if (register_of(ev, args[0], &index)) {
        struct val v = ev_register(ev, index);
        return val_is_undef(v) ? args[1] : v;
    }
    return args[1];
}

static struct val tlc_get_and_set(struct ev *ev, const struct val *args)
{
    const struct val key_default[2] = {args[0], args[3]};
    struct val old = tlc_get_or_default(ev, key_default);
    const struct val key_new[2] = {args[0], call2(ev, args[1], old, args[2])};
    /* The register's memory may be given back when it is set: keep the old value in ours. */
    old = val_freeze(ev_vctx(ev), ev_vctx(ev)->arena, old);
    (void)tlc_set(ev, key_new);
    return old;
}

const struct native natives_tlcget[] = {
    {"TLC",    "TLCGet",          1, NATIVE_IMPURE, tlc_get           },
    {"TLC",    "TLCSet",          2, NATIVE_IMPURE, tlc_set           },
    {"TLCExt", "TLCGetOrDefault", 2, NATIVE_IMPURE, tlc_get_or_default},
    {"TLCExt", "TLCGetAndSet",    4, NATIVE_IMPURE, tlc_get_and_set   },
    {NULL,     NULL,              0, 0,             NULL              },
};
