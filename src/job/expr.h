/* Evaluating expressions outside of a check: for `assay eval`, `assay repl` and TLC's REPL class.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "base/teller.h"
#include "job/load.h"

struct expr_session {
    struct teller teller;
    struct spec spec;
    struct mhost host;
    bool color;
    unsigned count; /* inputs so far */
};

/* Opens a session: on a module (with an optional configuration), or on one that extends the
 * standard modules when `module` is NULL. Returns 0, or an exit status after it has said why not
 * to the teller. Evaluation needs a big stack: call on one. The session stays where it is. */
int expr_open(struct expr_session *session, const char *module, const char *config,
              const char *const *dirs, size_t ndir, const struct teller *teller);
void expr_close(struct expr_session *session);

enum expr_result { EXPR_VALUE, EXPR_DEFINED, EXPR_INCOMPLETE, EXPR_ERROR };
/* Evaluates one input. The value, or the messages, go to out. With allow_incomplete an input that
 * just stops too early is told apart. */
enum expr_result expr_eval(struct expr_session *session, struct str text, bool allow_incomplete,
                           struct strbuf *out);
/* The exit status of the last EXPR_ERROR. */
int expr_status(const struct expr_session *session);
