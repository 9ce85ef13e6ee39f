/* Private to cgen: leaves out of a function what has no effect. */
#pragma once

#include <stddef.h>

struct tree;

/* Statements of a function whose variables are among `nname` names (cxs.names): those that only
 * give variables values that nobody reads, and blocks with nothing else in them, are dead
 * afterwards. */
void tidy(struct tree *decls, struct tree *body, size_t nname);
