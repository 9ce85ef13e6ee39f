/* What the readers of artifacts share. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "view/view.h"

/* ,"key":"text" */
void view_field(struct strbuf *out, const char *key, struct str text);
/* A value as text, in one line. */
void view_dump(const json_t *value, struct strbuf *out);
/* A document of JSON; its members one by one. */
void view_add_json(struct view_docs *docs, const char *kind, const char *file, json_t *members);

/* Each is asked whether a text is one of its kind: 1, it has added documents; 0, it is another;
 * negative: it is one, and wrong. */
int view_read_trace(struct view_docs *docs, const char *path, struct str text, json_t *json,
                    struct err *err);
int view_read_check(struct view_docs *docs, const char *path, json_t *json);
int view_read_findings(struct view_docs *docs, const char *path, json_t *json);
int view_read_run(struct view_docs *docs, const char *path, struct str text, struct err *err);
int view_read_run_dir(struct view_docs *docs, const char *dir, struct err *err);
int view_read_history(struct view_docs *docs, const char *path, struct str text, struct err *err);
int view_read_graph(struct view_docs *docs, const char *path, struct str text, struct err *err);
