/* What the files of this room share. */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "follow/follow.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "tap/tap.h"

/* ---- run.c ---- */
/* Where events come from, as text, for the place of an alarm. */
void follow_explain(struct follow *cmd, struct strbuf *out);

/* ---- events.c: all events of a file ---- */
MUST_USE int follow_events(struct follow *cmd, struct err *err);
MUST_USE int follow_capture(struct follow *cmd, struct err *err);
/* From captured bytes to the monitor. */
MUST_USE int follow_make_feed(struct follow *cmd, struct err *err);

/* ---- live.c ---- */
MUST_USE int follow_peers(struct follow *cmd, struct feed_peer **ret, size_t *ret_n,
                          struct err *err);
MUST_USE int follow_live(struct follow *cmd, struct err *err);
MUST_USE int follow_describe_live(struct follow *cmd, struct strbuf *out, struct err *err);

/* ---- metrics.c ---- */
MUST_USE int follow_metrics_open(struct follow *cmd, struct err *err);
void follow_metrics_close(struct follow *cmd);
/* Waits up to so many milliseconds, or until someone asks; answers. */
void follow_metrics_serve(struct follow *cmd, int wait_ms);

/* ---- page.c; all accept a node that nobody looks at ---- */
MUST_USE int follow_page_open(struct follow *cmd, struct err *err);
/* With each event, and now and then when there is none. */
void follow_page_note(struct follow *cmd);
void follow_page_alarm(struct follow *cmd);
/* The verdict is there. */
MUST_USE int follow_page_end(struct follow *cmd, struct err *err);
void follow_page_close(struct follow *cmd);

/* ---- bundle.c ---- */
/* One more event, for the bundle. */
void follow_remember(struct follow *cmd, const struct monitor_event *event);
void follow_past_done(struct follow_past *past);
/* What an alarm leaves behind: a new directory below `bundle`; its name goes to *ret. */
MUST_USE int follow_leave(struct follow *cmd, struct strbuf *ret, struct err *err);
