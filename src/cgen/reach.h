/* Private to cgen. */
#pragma once

struct native;
struct spec;

/* An operator with effects, or that reads more than its arguments, which a search would run; NULL:
 * there is none. */
const struct native *reach_effects(const struct spec *spec);
