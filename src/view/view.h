/* What people look at: documents made of the artifacts that assay writes, the page that shows them,
 * and a server for this machine only.
 *
 * Documents are JSON (docs/schema/assay.schema.json): a trace, a run, a history, differences, a
 * graph, coverage, statistics, a report. Files are recognised by what is in them, not by their
 * names. Nothing here knows the evaluator: what needs it (expressions, other successors) is asked
 * of whoever serves. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "trace/trace.h"

/* ---- documents (docs.c) ---- */
struct view_docs {
    struct arena arena;
    struct strbuf json; /* the documents, with commas between them */
    size_t n;
    const char *last; /* kind of the last one; NULL: there is none */
    /* Traces among them, for whoever follows them: as they were read, by document. */
    struct view_trace {
        size_t doc;
        struct str spec;                /* of the root module; empty: not said */
        struct str spec_path, cfg_path; /* of files; empty: not said */
        struct str values;              /* the states: an array of objects of ITF's values */
    } *traces;
    size_t n_traces, cap_traces;
};
void view_docs_init(struct view_docs *docs);
void view_docs_done(struct view_docs *docs);
/* Adds what a file, or the directory of a run, has to show. ERR_INVALID: nothing that assay writes;
 * err says what was expected. */
MUST_USE int view_read(struct view_docs *docs, const char *path, struct err *err);
/* Adds a document: its members without the braces, "kind" and "schema" excepted. The kind lives as
 * long as the documents. */
void view_add(struct view_docs *docs, const char *kind, struct str members);

/* ---- the page (page.c) ---- */
struct view_page {
    struct str documents; /* with commas between them */
    const char *title;
    const char *nonce; /* of scripts and styles; unique to this page */
    bool server;       /* there is one that answers */
    bool can_step;     /* and it has a specification */
};
/* A page that needs nothing else. */
void view_page(const struct view_page *page, struct strbuf *out);
/* Random words of hexadecimal digits, for tokens and nonces. */
enum { VIEW_TOKEN = 32 };
MUST_USE int view_token(char ret[VIEW_TOKEN + 1], struct err *err);

/* ---- the server (http.c) ---- */
struct view_answer {
    int status;
    const char *type;  /* of the body */
    const char *nonce; /* of the page, for its policy; NULL: nothing may run */
    struct strbuf body;
};
/* `path` is what follows the token. */
typedef void (*view_handler)(void *arg, struct str method, struct str path, struct str body,
                             struct view_answer *answer);
struct view_http;
/* On 127.0.0.1; port 0: a free one. */
MUST_USE int view_http_open(uint16_t port, struct view_http **ret, struct err *err);
const char *view_http_url(const struct view_http *http); /* with the token */
/* Until the flag is set. */
MUST_USE int view_http_run(struct view_http *http, view_handler handler, void *arg,
                           const volatile sig_atomic_t *stop, struct err *err);
void view_http_close(struct view_http *http); /* accepts NULL */

/* ---- a document that changes (live.c) ---- */
struct view_live;
/* Serves a page with one document, which a thread of its own asks for whenever a page does:
 * `document` adds it whole, as JSON. While it changes it has a member "live" that is true. The
 * title must live as long. */
MUST_USE int view_live_open(uint16_t port, const char *title,
                            void (*document)(void *arg, struct strbuf *out), void *arg,
                            struct view_live **ret, struct err *err);
const char *view_live_url(const struct view_live *live);
/* Nothing changes any more: waits a moment until a page that looks on knows, and ends. Accepts
 * NULL. */
void view_live_close(struct view_live *live);
