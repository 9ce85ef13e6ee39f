/* TLCGet and TLCSet: registers of a worker, and what the run tells about itself.
 *
 * Registers have natural numbers as names, or strings that start with "s:"; the latter live below
 * zero, at -1 - id of the string. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "eval/native_int.h"
#include "model/model.h"

__attribute__((noreturn, cold)) static void fail_undefined(struct ev *ev, struct val key)
{
    struct str name = native_unquoted(ev, key);
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

/* In random simulation there is nothing to count states by; the diameter is the number of walks, as
 * in TLC. */
static bool counter(struct ev *ev, struct str key, struct val *ret)
{
    const struct mstats *stats = stats_of(ev);
    const struct mhost *host = ev_host(ev);
    if (stats == NULL || !ev_is_checking(ev)) {
        return false;
    }
    bool walks = host->mode != NULL &&
                 (strcmp(host->mode, "simulate") == 0 || strcmp(host->mode, "generate") == 0);
    const _Atomic uint64_t *from = NULL;
    if (str_is(key, "diameter") && walks && ev_level(ev) == 0) {
        *ret = val_small(0);
        return true;
    }
    if (str_is(key, "diameter")) {
        from = walks ? &stats->traces : &stats->diameter;
    } else if (!walks) {
        from = str_is(key, "generated")  ? &stats->generated
               : str_is(key, "distinct") ? &stats->distinct
               : str_is(key, "queue")    ? &stats->queued
                                         : NULL;
    }
    if (from == NULL) {
        return false;
    }
    *ret = val_int(ev_vctx(ev), (int64_t)atomic_load_explicit(from, memory_order_relaxed));
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
    if (counter(ev, name, &found)) {
        return found;
    }
    if (str_is(name, "duration") && stats_of(ev) != NULL) {
        return val_int(ctx, (int64_t)ev_duration_s(ev));
    }
    if (ev_model_info(ev, arena_strndup(ctx->arena, name.p, name.n), &found)) {
        return found;
    }
    if (str_starts(name, "-D")) { /* a property of the Java machine: unset ones are their name */
        return ev_property(ev, key, &found) ? found : key;
    }
    fail_undefined(ev, key);
}

/* ---- operators ---- */

struct val native_tlc_get(struct ev *ev, const struct val *args)
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
        native_fail_only_argument(ev, "TLCGet", "nonnegative integer", args[0]);
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

struct val native_tlc_set(struct ev *ev, const struct val *args)
{
    int64_t index = 0;
    if (register_of(ev, args[0], &index)) {
        ev_register_set(ev, index, args[1]);
        return VAL_TRUE;
    }
    if (val_is_str(args[0])) {
        struct str name = val_str_text(ev_vctx(ev), args[0]);
        if (str_is(name, "exit") || str_is(name, "pause")) {
            set_named(ev, name, args[1]);
            return VAL_TRUE;
        }
        if (str_starts(name, "-D")) {
            struct text text;
            native_text_init(&text, ev);
            native_text_addval(&text, ev, args[1]);
            ev_property_set(ev, args[0], native_text_val(&text, ev));
            return VAL_TRUE;
        }
    }
    native_fail_argument(ev, "first", "TLCSet", "nonnegative integer", args[0]);
}

struct val native_tlc_get_or_default(struct ev *ev, const struct val *args)
{
    int64_t index = 0;
    if (register_of(ev, args[0], &index)) {
        struct val v = ev_register(ev, index);
        return val_is_undef(v) ? args[1] : v;
    }
    return args[1];
}

struct val native_tlc_get_and_set(struct ev *ev, const struct val *args)
{
    const struct val key_default[2] = {args[0], args[3]};
    struct val old = native_tlc_get_or_default(ev, key_default);
    const struct val key_new[2] = {args[0], native_call2(ev, args[1], old, args[2])};
    /* The register's memory may be given back when it is set: keep the old value in ours. */
    old = val_freeze(ev_vctx(ev), ev_vctx(ev)->arena, old);
    (void)native_tlc_set(ev, key_new);
    return old;
}
