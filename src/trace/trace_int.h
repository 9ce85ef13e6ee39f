/* What the files of this room share. */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "base/str.h"
#include "trace/trace.h"
#include "value/value.h"

#define ITF_DIGITS_MAX 10000 /* of one #bigint */

/* Parses text and calls `read` with the root. Failures through vctx.fail inside become an ordinary
 * error. */
typedef int (*json_reader)(struct vctx *ctx, json_t *root, void *arg, struct err *err);
MUST_USE int json_read_guarded(struct vctx *ctx, struct str text, json_reader read, void *arg,
                               struct err *err);
MUST_USE int json_to_val(struct vctx *ctx, json_t *json, struct val *ret, struct err *err);
MUST_USE int itf_to_val(struct vctx *ctx, json_t *json, struct val *ret, struct err *err);

/* write_tla.c */
void trace_write_tla(struct vctx *ctx, const struct trace *trace, struct strbuf *out);
void trace_write_plain(struct vctx *ctx, const struct trace *trace, struct strbuf *out);
void trace_write_test_spec(struct vctx *ctx, const struct trace *trace, struct strbuf *out);
void trace_write_action(struct vctx *ctx, const struct trace *trace, struct strbuf *out);

/* The step that closes the circle of a lasso; never NULL. */
const struct trace_state *trace_closing_step(const struct trace *trace);
/* The numbers of the variables in the order of TLC's strings, in ctx->arena. */
uint32_t *trace_var_order(struct vctx *ctx, const struct trace *trace);
