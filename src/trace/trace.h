/* Traces as data: states with named values and the labels of the steps, read from and written to the formats people use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "value/value.h"

struct trace_state {
    struct val *vals;         /* [trace->nvar] */
    const char *action;       /* name of the action into this state; "Initial predicate" for the first */
    const char *label;        /* "Action(args)" */
    const char *module;       /* place of the action; NULL when unknown */
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
    size_t loop;              /* index to which the behaviour returns */
    bool stuttering;
    const char *spec;         /* name of the root module */
    const char *property;     /* what is violated, or NULL */
};

enum trace_format { TRACE_JSON, TRACE_ITF, TRACE_TLA, TRACE_TLC_TEXT, TRACE_DOT, TRACE_TEST_SPEC };

bool trace_format_of(const char *path, enum trace_format *ret); /* by suffix: .itf.json .json .tla .dot .txt */
void trace_write(struct vctx *ctx, const struct trace *trace, enum trace_format format, struct strbuf *out);
/* Reads TLC's JSON or ITF. Values go into ctx->arena; never trusts the text: a clear error for anything malformed. */
MUST_USE int trace_read(struct vctx *ctx, struct str text, struct trace *ret_trace, struct err *err);
/* One value as JSON: TLC's lossy form, or ITF. */
void val_write_json(struct vctx *ctx, struct val v, struct strbuf *out);
void val_write_itf(struct vctx *ctx, struct val v, struct strbuf *out);
/* JSON text to a value as the Json module does it: object -> record, array -> sequence. */
MUST_USE int val_read_json(struct vctx *ctx, struct str text, struct val *ret, struct err *err);
MUST_USE int val_read_itf(struct vctx *ctx, struct str text, struct val *ret, struct err *err);
