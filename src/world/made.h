/* Private to the world room: files that the engine makes up. */
#pragma once

#include "base/str.h"
#include "world/world_int.h"

enum made_kind { MADE_NONE, MADE_FILE, MADE_DIR, MADE_LINK };
struct asked {
    struct world *w;
    struct node *node;
    struct proc *proc; /* of /proc/PID */
    struct thread *t;  /* who asks */
};

/* made_sys.c: /sys/class/net and what it leads to. Text of a file, target of a link, or names in a
 * directory, each with a NUL. */
enum made_kind made_net(const struct asked *a, const char *path, struct strbuf *out);
/* made_sys.c: /proc/PID/smaps and smaps_rollup. */
void made_smaps(const struct asked *a, struct strbuf *out);
void made_smaps_rollup(const struct asked *a, struct strbuf *out);
/* made.c: a line of /proc/PID/maps; false: it is not shown. */
struct map;
bool made_map_line(const struct map *map, struct strbuf *out);
