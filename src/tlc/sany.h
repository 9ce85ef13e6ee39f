/* Output in the words and layout of SANY, which front-ends read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "job/load.h"

/* "Parsing file ...\n" */
void sany_parsing(const char *path, bool builtin, struct strbuf *out);
/* "Semantic processing of module ...\n" */
void sany_analysed(const char *module, struct strbuf *out);
/* "Linting of module ...\n" for every module that is not one of the standard ones. */
void sany_linting(const struct spec *spec, struct strbuf *out);
/* Warnings and errors as SANY's blocks. */
/* Warnings about PlusCal translations, which SANY gives before it analyses; `file` as it was told.
 */
void sany_pluscal(const struct spec *spec, struct str file, struct strbuf *out);
void sany_diags(const struct spec *spec, struct strbuf *out);
/* There is an error after which SANY analyses no module. */
bool sany_is_fatal(const struct spec *spec);
/* What SANY says when the root module cannot be read. */
void sany_missing(const char *module, struct strbuf *out);
