/* Traces as data: states with named values and the labels of the steps, read from and written to
 * the formats people use.
 *
 * Nothing here prints or opens files: text goes into a strbuf, text comes from a str. Writing a set
 * that cannot be enumerated fails through ctx->fail, as everywhere; reading never does. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "value/value.h"

struct trace_state {
    struct val *vals;   /* [trace->nvar] */
    const char *action; /* name of the action into this state; "Initial predicate" for the first */
    const char *label;  /* "Action(args)" */
    uint32_t number;    /* of the action in the model; for whoever made the trace */
    const char *module; /* place of the action; NULL when unknown */
    uint32_t line, column, end_line, end_column;
    const char *const *param_names; /* of the action */
    struct val *param_vals;
    uint32_t nparam;
};

struct trace {
    const char *const *vars;
    uint32_t nvar;
    struct trace_state *states;
    size_t nstate;
    bool lasso;
    size_t loop; /* index to which the behaviour returns */
    bool stuttering;
    const char *spec;     /* name of the root module */
    const char *property; /* what is violated, or NULL */
    const char *
        module_name; /* of the module that TLA, PLAIN, ACTION and TEST_SPEC write; NULL = "Trace" */
    /* Lasso and stuttering: the action that closes the circle. Only the fields about the action are
     * used; NULL = unknown. */
    const struct trace_state *back;
};

/* ORDER TRACE_FORMATS */
enum trace_format {
    TRACE_JSON,      /* TLC's -dumpTrace json */
    TRACE_ITF,       /* Informal Trace Format, Apalache ADR-015 */
    TRACE_TLA,       /* a module that defines CounterExample (TLC's tla) */
    TRACE_TLC_TEXT,  /* State 1: <...> and the variables */
    TRACE_DOT,       /* a graph of the trace (TLC's dot) */
    TRACE_TEST_SPEC, /* a module whose behaviour is the trace (TLC's tlcTESpec) */
    TRACE_PLAIN,     /* a module that defines Trace (TLC's tlcplain) */
    TRACE_ACTION     /* a module that allows just the trace's actions (TLC's tlcaction) */
};

bool trace_format_of(const char *path,
                     enum trace_format *ret); /* by suffix: .itf.json .json .tla .dot .txt */
void trace_write(struct vctx *ctx, const struct trace *trace, enum trace_format format,
                 struct strbuf *out);
/* Reads TLC's JSON or ITF. Values go into ctx->arena; never trusts the text: a clear error for
 * anything malformed. */
MUST_USE int trace_read(struct vctx *ctx, struct str text, struct trace *ret_trace,
                        struct err *err);
/* One value as JSON: TLC's lossy form, or ITF. */
void json_write_val(struct vctx *ctx, struct val v, struct strbuf *out);
void itf_write_val(struct vctx *ctx, struct val v, struct strbuf *out);
/* A JSON string with quotes. Bytes that are no UTF-8 become U+FFFD, so that the result is always
 * valid JSON. */
void json_write_string(struct str text, struct strbuf *out);
/* JSON text to a value as the Json module does it: object -> record, array -> sequence. */
MUST_USE int json_read_val(struct vctx *ctx, struct str text, struct val *ret, struct err *err);
/* The same for what programs send and answer: null, for which the Json module has no value, is the
 * string "null". */
MUST_USE int json_read_message(struct vctx *ctx, struct str text, struct val *ret, struct err *err);
MUST_USE int itf_read_val(struct vctx *ctx, struct str text, struct val *ret, struct err *err);

/* The values of a trace as TLC's CounterExample record: [action |-> {...}, state |-> {...}],
 * printed on one line. */
void trace_print_counterexample(struct vctx *ctx, const struct trace *trace, struct strbuf *out);
