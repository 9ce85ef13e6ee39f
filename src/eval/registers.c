/* Registers of TLCGet and TLCSet, and the counts of _POSSIBLE predicates.
 *
 * Each worker of a search has a bank of registers. What is set outside of the workers' own search
 * (assumptions, initial states, postconditions) is set for all of them, as in TLC, and kept in the
 * main bank for workers that come later. A worker made to show or to retrace states has a copy.
 * Values are copied out: a register may be set while an older value is still in use. */
#include "eval/registers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "eval/code.h"
#include "eval/native.h"
#include "eval/ops.h"
#include "eval/worker.h"
#include "model/model.h"
#include "value/value.h"

#define POSSIBLE_KEY "s:_possible"

/* ---- banks ---- */

static struct ev_register *bank_find(struct ev_bank *bank, int64_t index)
{
    for (size_t i = 0; i < bank->regs.n; i++) {
        if (bank->regs.v[i].index == index) {
            return &bank->regs.v[i];
        }
    }
    return NULL;
}

/* Replaces the memory of a register by one that holds the value. */
static void bank_put(struct vctx *ctx, struct ev_bank *bank, int64_t index, struct val value)
{
    struct ev_register *reg = bank_find(bank, index);
    if (!reg) {
        VEC_PUSH(&bank->regs, (struct ev_register){.index = index, .value = VAL_UNDEF});
        reg = &VEC_LAST(&bank->regs);
        arena_init(&reg->arena, 1024);
    }
    struct arena fresh;
    arena_init(&fresh, 1024);
    reg->value = val_freeze(ctx, &fresh, value);
    arena_done(&reg->arena);
    reg->arena = fresh;
}

static struct ev_bank *bank_copy(struct ev *ev, struct ev_bank *from)
{
    struct ev_bank *bank = vec_grow(NULL, &(size_t){0}, 1, sizeof *bank);
    *bank = (struct ev_bank){0};
    for (size_t i = 0; i < from->regs.n; i++) {
        bank_put(&ev->vctx, bank, from->regs.v[i].index, from->regs.v[i].value);
    }
    return bank;
}

static void bank_clear(struct ev_bank *bank)
{
    for (size_t i = 0; i < bank->regs.n; i++) {
        arena_done(&bank->regs.v[i].arena);
    }
    VEC_DONE(&bank->regs);
}

void bank_join(struct ev *ev, unsigned index)
{
    struct spec *spec = ev->spec;
    pthread_mutex_lock(&spec->lock);
    if (index == WORKER_ASIDE) {
        ev->bank = bank_copy(ev, &spec->main_bank);
        ev->own_bank = true;
        pthread_mutex_unlock(&spec->lock);
        ev->possible = ARENA_ARRAY(&ev->keep, uint64_t, spec->possible.n + 1);
        return;
    }
    while (spec->banks.n <= index) {
        VEC_PUSH(&spec->banks, bank_copy(ev, &spec->main_bank));
    }
    ev->bank = spec->banks.v[index];
    if (ev->bank->taken) {
        ev->bank = bank_copy(ev, ev->bank);
        ev->own_bank = true;
    }
    ev->bank->taken = true;
    pthread_mutex_unlock(&spec->lock);
    ev->possible = ARENA_ARRAY(&ev->keep, uint64_t, spec->possible.n + 1);
}

void bank_leave(struct ev *ev)
{
    if (!ev->own_bank) {
        return;
    }
    bank_clear(ev->bank);
    vec_release(ev->bank);
}

void bank_done_all(struct spec *spec)
{
    for (size_t i = 0; i < spec->banks.n; i++) {
        bank_clear(spec->banks.v[i]);
        vec_release(spec->banks.v[i]);
    }
    VEC_DONE(&spec->banks);
    bank_clear(&spec->main_bank);
}

/* ---- registers ---- */

static struct ev_bank *bank_of(struct ev *ev)
{
    return ev->bank ? ev->bank : &ev->spec->main_bank;
}

/* Is this evaluated on behalf of all workers? */
static bool is_main(const struct ev *ev)
{
    return !ev->own_bank && (!ev->worker || ev->for_all || worker_of(ev->worker)->emitting_init);
}

struct val ev_register(struct ev *ev, int64_t index)
{
    struct spec *spec = ev->spec;
    struct val found = VAL_UNDEF;
    pthread_mutex_lock(&spec->lock);
    const struct ev_register *reg = bank_find(bank_of(ev), index);
    if (reg) {
        found = val_freeze(&ev->vctx, &ev->scratch, reg->value);
    }
    pthread_mutex_unlock(&spec->lock);
    return found;
}

void ev_register_set(struct ev *ev, int64_t index, struct val value)
{
    struct spec *spec = ev->spec;
    value = val_force(&ev->vctx, value);
    pthread_mutex_lock(&spec->lock);
    if (!is_main(ev)) {
        bank_put(&ev->vctx, bank_of(ev), index, value);
    } else {
        bank_put(&ev->vctx, &spec->main_bank, index, value);
        for (size_t i = 0; i < spec->banks.n; i++) {
            bank_put(&ev->vctx, spec->banks.v[i], index, value);
        }
    }
    pthread_mutex_unlock(&spec->lock);
}

/* ---- properties ---- */

/* They live in the main bank under their whole names, "-D" and all. */
bool ev_property(struct ev *ev, struct val key, struct val *ret)
{
    struct spec *spec = ev->spec;
    struct str name = val_str_text(&ev->vctx, key);
    pthread_mutex_lock(&spec->lock);
    const struct ev_register *reg = bank_find(&spec->main_bank, -1 - (int64_t)val_str_id(key));
    if (reg) {
        *ret = val_freeze(&ev->vctx, &ev->scratch, reg->value);
    }
    pthread_mutex_unlock(&spec->lock);
    for (size_t i = 0; !reg && i < spec->options.nproperty; i++) {
        struct str given = str_of(spec->options.properties[i]);
        if (given.n > name.n - 2 && memcmp(given.p, name.p + 2, name.n - 2) == 0 &&
            given.p[name.n - 2] == '=') {
            *ret = val_str(&ev->vctx, str_of(given.p + name.n - 1));
            return true;
        }
    }
    if (!reg && str_is(name, "-Dtlc2.tool.impl.Tool.cdot") && spec->options.action_composition) {
        *ret = val_str(&ev->vctx, STR("true"));
        return true;
    }
    return reg != NULL;
}

void ev_property_set(struct ev *ev, struct val key, struct val value)
{
    struct spec *spec = ev->spec;
    pthread_mutex_lock(&spec->lock);
    bank_put(&ev->vctx, &spec->main_bank, -1 - (int64_t)val_str_id(key), value);
    pthread_mutex_unlock(&spec->lock);
}

/* ---- all workers at once ---- */

/* Is it one of TLCGet("all") or, by a name that starts with "s:", of TLCGet("all:named")? */
static bool is_among(struct ev *ev, int64_t index, bool named)
{
    if (index >= 0 || !named) {
        return index >= 0 && !named;
    }
    struct str name = val_str_text(&ev->vctx, val_strid((uint32_t)(-1 - index)));
    return name.n >= 2 && memcmp(name.p, "s:", 2) == 0;
}

static struct val key_of(int64_t index)
{
    return index < 0 ? val_strid((uint32_t)(-1 - index)) : val_small(index);
}

/* <<value of the first worker, of the second, ...>>; false when one of them has none. */
static bool row_of(struct ev *ev, int64_t index, struct val *ret)
{
    struct spec *spec = ev->spec;
    struct val *row = arena_alloc(&ev->scratch, sizeof *row * (spec->banks.n + 1));
    for (size_t i = 0; i < spec->banks.n; i++) {
        const struct ev_register *reg = bank_find(spec->banks.v[i], index);
        if (!reg) {
            return false;
        }
        row[i] = val_freeze(&ev->vctx, &ev->scratch, reg->value);
    }
    *ret = tuple_make(&ev->vctx, row, spec->banks.n);
    return true;
}

/* Counts of _POSSIBLE as the function that TLC keeps in a register. */
static struct val possible_value(struct ev *ev, const uint64_t *counts)
{
    const struct spec *spec = ev->spec;
    struct val *names = arena_alloc(&ev->scratch, sizeof *names * (spec->possible.n + 1));
    struct val *values = arena_alloc(&ev->scratch, sizeof *values * (spec->possible.n + 1));
    size_t n = 0;
    for (size_t i = 0; i < spec->possible.n; i++) {
        if (counts[i]) {
            names[n] = val_str(&ev->vctx, str_of(spec->possible.v[i].pred.name));
            values[n++] = val_int(&ev->vctx, (int64_t)(counts[i] - 1));
        }
    }
    return fcn_make(&ev->vctx, names, values, n);
}

/* The workers that search, by their numbers. */
static struct ev *searcher(struct spec *spec, size_t index)
{
    for (size_t i = 0; i < spec->workers.n; i++) {
        struct ev *ev = &spec->workers.v[i]->ev;
        if (!ev->own_bank && ev->bank == spec->banks.v[index]) {
            return ev;
        }
    }
    return NULL;
}

static struct val possible_row(struct ev *ev)
{
    struct spec *spec = ev->spec;
    struct val *row = arena_alloc(&ev->scratch, sizeof *row * (spec->banks.n + 1));
    size_t n = 0;
    for (size_t i = 0; i < spec->banks.n; i++) {
        const struct ev *other = searcher(spec, i);
        if (other) {
            row[n++] = possible_value(ev, other->possible);
        }
    }
    return tuple_make(&ev->vctx, row, n);
}

struct val ev_registers_all(struct ev *ev, bool named)
{
    struct spec *spec = ev->spec;
    pthread_mutex_lock(&spec->lock);
    struct ev_bank *first = spec->banks.n ? spec->banks.v[0] : &spec->main_bank;
    struct val *keys = arena_alloc(&ev->scratch, sizeof *keys * (first->regs.n + 2));
    struct val *rows = arena_alloc(&ev->scratch, sizeof *rows * (first->regs.n + 2));
    size_t n = 0;
    for (size_t i = 0; i < first->regs.n; i++) {
        int64_t index = first->regs.v[i].index;
        if (is_among(ev, index, named) && row_of(ev, index, &rows[n])) {
            keys[n++] = key_of(index);
        }
    }
    if (named && spec->possible.n) {
        keys[n] = val_str(&ev->vctx, STR(POSSIBLE_KEY));
        rows[n++] = possible_row(ev);
    }
    pthread_mutex_unlock(&spec->lock);
    return fcn_make(&ev->vctx, keys, rows, n);
}

/* ---- _POSSIBLE ---- */

void ev_possible_count(struct ev *ev, size_t i, bool holds)
{
    ev->possible[i] += ev->possible[i] == 0 ? 1U + holds : holds;
}

bool ev_possible_seen(struct ev *ev, size_t i)
{
    struct spec *spec = ev->spec;
    uint64_t *sum = arena_alloc(&ev->scratch, sizeof *sum * (spec->possible.n + 1));
    pthread_mutex_lock(&spec->lock);
    for (size_t k = 0; k < spec->possible.n; k++) {
        sum[k] = 0;
        for (size_t b = 0; b < spec->banks.n; b++) {
            const struct ev *other = searcher(spec, b);
            if (other && other->possible[k]) {
                sum[k] += other->possible[k] - (sum[k] ? 1 : 0);
            }
        }
    }
    pthread_mutex_unlock(&spec->lock);
    if (sum[i] > 1) {
        return true;
    }
    struct strbuf sb = {.arena = &ev->scratch};
    val_print(&ev->vctx, possible_value(ev, sum), &sb);
    strbuf_addc(&sb, '\n');
    if (ev->host && ev->host->print) {
        ev->host->print(ev->host->arg, strbuf_cstr(&sb), sb.n);
    }
    strbuf_done(&sb);
    return false;
}

struct val op_possible(struct ev *ev, const struct ex *x, struct val *fr)
{
    (void)fr;
    return val_bool(ev_possible_seen(ev, (size_t)x->u.i));
}
