/* The order in which TLC meets words of the language and of its standard modules. */
#pragma once

#include <stdbool.h>

#include "value/value.h"

void intern_language(struct strtab *strings);
/* The words of a module that ships with TLC; false when it is none of them. */
bool intern_module(struct strtab *strings, const char *module);
/* What TLC parses besides the spec when it may have to write a trace exploration spec: its name for
 * intern_module. */
#define INTERN_TRACE_MODULE "_TLCTrace"
