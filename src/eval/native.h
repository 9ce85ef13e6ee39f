/* Operators of modules that are implemented in C instead of from their TLA+ definitions, and what
 * such an operator may ask of the evaluator.
 *
 * A native operator gets its arguments evaluated (lazy sets stay lazy); an operator argument
 * arrives as a VK_OPER value for ev_call. It returns the value, or fails through vctx_fail with
 * TLC's message code and text. It keeps no state of its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "ir/ir.h" /* IWYU pragma: export */
#include "model/model.h"
#include "value/value.h"

struct ev; /* one evaluator: one thread */

extern const struct native natives[NATIVE_COUNT]; /* by enum native_id */
const struct native *native_find(const char *module, const char *name, unsigned arity);

/* ---- the evaluator's side ---- */
struct vctx *ev_vctx(struct ev *ev);
struct val ev_call(struct ev *ev, struct val oper, const struct val *args, size_t n);
bool ev_call_bool(struct ev *ev, struct val oper, const struct val *args,
                  size_t n);          /* fails when the result is no boolean */
struct mhost *ev_host(struct ev *ev); /* may be NULL */
bool ev_quiet(struct ev *ev);         /* a behaviour is being rebuilt: print nothing again */
struct rng *ev_rng(struct ev *ev);    /* seeded from the run's seed and the worker's number */
uint64_t ev_level(struct ev *ev);     /* TLCGet("level") */
bool ev_is_checking(struct ev *ev);   /* there is a run that counters can speak of */
/* Registers of TLCSet: per worker; unset = VAL_UNDEF. Values are copied both ways. */
struct val ev_register(struct ev *ev, int64_t index);
void ev_register_set(struct ev *ev, int64_t index, struct val value);
struct val ev_registers_all(struct ev *ev, bool named); /* TLCGet("all"), TLCGet("all:named") */
/* Properties, TLCGet("-Dname"): as given on the command line or set by the spec; for all workers.
 */
bool ev_property(struct ev *ev, struct val key, struct val *ret);
void ev_property_set(struct ev *ev, struct val key, struct val value);
uint64_t ev_duration_s(struct ev *ev);  /* since the run began */
const char *ev_spec_dir(struct ev *ev); /* for files named in the spec; relative names are relative
                                           to the working directory, as in TLC */
bool ev_may_exec(struct ev *ev);        /* whether operators may run programs and write files */
/* TLCGet("config"), TLCGet("spec"), TLCGet("action") and other answers that only the model knows;
 * false when there is none. */
bool ev_model_info(struct ev *ev, const char *key, struct val *ret);
/* The trace to the current state as a sequence of records (TLCExt!Trace); fails where there is
 * none. */
struct val ev_trace(struct ev *ev);
/* The current state as a record of its variables. */
struct val ev_state_record(struct ev *ev, bool primed);

/* The text of a module that ships inside assay (modules in src/eval/modules, embedded at build
 * time). */
const char *modules_find(const char *name, size_t *ret_len, bool *ret_standard);
const char *modules_name(size_t i); /* in their order; NULL after the last */
