/* What tools/embed-web makes of src/view/web. */
#pragma once

#include <stddef.h>

extern const char view_style[], view_body[], view_script[];
extern const size_t view_style_n, view_body_n, view_script_n;
