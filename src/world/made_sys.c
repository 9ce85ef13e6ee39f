/* More files that the engine makes up: interfaces below /sys, and what memory a process has. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "world/made.h"
#include "world/maps.h"
#include "world/world_int.h"

/* ---- interfaces: lo and eth0 ---- */

static const struct {
    const char *name, *lo, *eth0;
} net_files[] = {
    {"addr_len",              "6",                 "6"                },
    {"address",               "00:00:00:00:00:00", NULL               }, /* made from the node's */
    {"broadcast",             "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"},
    {"carrier",               "1",                 "1"                },
    {"dev_id",                "0x0",               "0x0"              },
    {"duplex",                NULL,                "full"             },
    {"flags",                 "0x9",               "0x1003"           },
    {"ifindex",               "1",                 "2"                },
    {"iflink",                "1",                 "2"                },
    {"mtu",                   "65536",             "1500"             },
    {"operstate",             "unknown",           "up"               },
    {"speed",                 NULL,                "10000"            },
    {"statistics/rx_bytes",   "0",                 "0"                },
    {"statistics/rx_dropped", "0",                 "0"                },
    {"statistics/rx_errors",  "0",                 "0"                },
    {"statistics/rx_packets", "0",                 "0"                },
    {"statistics/tx_bytes",   "0",                 "0"                },
    {"statistics/tx_dropped", "0",                 "0"                },
    {"statistics/tx_errors",  "0",                 "0"                },
    {"statistics/tx_packets", "0",                 "0"                },
    {"tx_queue_len",          "1000",              "1000"             },
    {"type",                  "772",               "1"                },
};
static const char class_net[] = "/sys/class/net", devices[] = "/sys/devices/virtual/net";

static void add_name(struct strbuf *out, const char *name, size_t n)
{
    strbuf_add(out, name, n);
    strbuf_addc(out, '\0');
}

/* What lies in the directory of an interface: name is "" or a path below it. */
static enum made_kind one_interface(const struct asked *a, bool lo, const char *name,
                                    struct strbuf *out)
{
    enum made_kind kind = *name == '\0' ? MADE_DIR : MADE_NONE;
    size_t n = strlen(name), last = 0;
    const char *before = "";
    for (size_t i = 0; i < sizeof net_files / sizeof net_files[0]; i++) {
        const char *file = net_files[i].name;
        const char *text = lo ? net_files[i].lo : net_files[i].eth0;
        if (strcmp(file, name) == 0) {
            const uint8_t *ip = (const uint8_t *)&a->node->ip;
            if (text != NULL) {
                strbuf_printf(out, "%s\n", text);
            } else if (strcmp(name, "address") == 0) {
                strbuf_printf(out, "02:00:%02x:%02x:%02x:%02x\n", ip[0], ip[1], ip[2], ip[3]);
            }
            return MADE_FILE;
        }
        bool below = n == 0 || (strncmp(file, name, n) == 0 && file[n] == '/');
        if (below) {
            const char *rest = file + (n == 0 ? 0 : n + 1);
            size_t len = strcspn(rest, "/");
            if (len != last || strncmp(rest, before, len) != 0) {
                add_name(out, rest, len);
            }
            before = rest;
            last = len;
            kind = MADE_DIR;
        }
    }
    return kind;
}

enum made_kind made_net(const struct asked *a, const char *path, struct strbuf *out)
{
    static const char *const names[] = {"lo", "eth0"};
    bool links = strncmp(path, class_net, sizeof class_net - 1) == 0;
    size_t n = links ? sizeof class_net - 1 : sizeof devices - 1;
    if (!links && strncmp(path, devices, n) != 0) {
        return MADE_NONE;
    }
    if (path[n] == '\0') {
        add_name(out, "lo", 2);
        add_name(out, "eth0", 4);
        return MADE_DIR;
    }
    for (int i = 0; path[n] == '/' && i < 2; i++) {
        size_t len = strlen(names[i]);
        const char *rest = path + n + 1 + len;
        if (strncmp(path + n + 1, names[i], len) != 0 || (*rest != '\0' && *rest != '/')) {
            continue;
        }
        if (links && *rest == '\0') {
            strbuf_printf(out, "../../devices/virtual/net/%s", names[i]);
            return MADE_LINK;
        }
        return one_interface(a, i == 0, *rest == '/' ? rest + 1 : rest, out);
    }
    return MADE_NONE;
}

/* ---- memory ---- */

struct usage {
    uint64_t size, resident, clean, dirty; /* kB */
};

/* How much of a mapping is in memory is not the same in every run: all of it is said to be, except
 * for what is larger than a process may touch. */
static struct usage usage_of(const struct asked *a, const struct map *map)
{
    struct usage u = {.size = (map->end - map->begin) / 1024};
    bool whole = map->end - map->begin <= a->w->limits.memory_bytes && map->perms[0] == 'r';
    u.resident = whole ? u.size : 0;
    bool dirty = map->perms[1] == 'w' && map->perms[3] == 'p';
    u.dirty = dirty ? u.resident : 0;
    u.clean = dirty ? 0 : u.resident;
    return u;
}

static void usage_lines(const struct usage *u, struct strbuf *out)
{
    const struct {
        const char *name;
        uint64_t kb;
    } lines[] = {
        {"Rss",             u->resident},
        {"Pss",             u->resident},
        {"Pss_Dirty",       u->dirty   },
        {"Shared_Clean",    u->clean   },
        {"Shared_Dirty",    0          },
        {"Private_Clean",   0          },
        {"Private_Dirty",   u->dirty   },
        {"Referenced",      u->resident},
        {"Anonymous",       u->dirty   },
        {"LazyFree",        0          },
        {"AnonHugePages",   0          },
        {"ShmemPmdMapped",  0          },
        {"FilePmdMapped",   0          },
        {"Shared_Hugetlb",  0          },
        {"Private_Hugetlb", 0          },
        {"Swap",            0          },
        {"SwapPss",         0          },
        {"Locked",          0          },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%s:", lines[i].name);
        strbuf_printf(out, "%-16s%8llu kB\n", name, (unsigned long long)lines[i].kb);
    }
}

void made_smaps(const struct asked *a, struct strbuf *out)
{
    struct maps *maps = maps_open(a->proc->real);
    struct map map;
    while (maps_next(maps, &map)) {
        if (!made_map_line(&map, out)) {
            continue;
        }
        struct usage u = usage_of(a, &map);
        strbuf_printf(out,
                      "Size:           %8llu kB\nKernelPageSize:        4 kB\n"
                      "MMUPageSize:           4 kB\n",
                      (unsigned long long)u.size);
        usage_lines(&u, out);
        strbuf_printf(out, "THPeligible:           0\nVmFlags: %s%s%s%smr mw me %s\n",
                      map.perms[0] == 'r' ? "rd " : "", map.perms[1] == 'w' ? "wr " : "",
                      map.perms[2] == 'x' ? "ex " : "", map.perms[3] == 's' ? "sh " : "",
                      map.perms[1] == 'w' ? "ac " : "");
    }
    maps_close(maps);
}

void made_smaps_rollup(const struct asked *a, struct strbuf *out)
{
    struct maps *maps = maps_open(a->proc->real);
    struct map map;
    struct usage all = {0};
    uint64_t begin = 0, end = 0;
    while (maps_next(maps, &map)) {
        SCOPED_STRBUF line = {0};
        if (made_map_line(&map, &line)) {
            struct usage u = usage_of(a, &map);
            all.resident += u.resident;
            all.clean += u.clean;
            all.dirty += u.dirty;
            begin = begin == 0 ? map.begin : begin;
            end = map.end;
        }
    }
    maps_close(maps);
    strbuf_printf(out, "%llx-%llx ---p 00000000 00:00 0                          [rollup]\n",
                  (unsigned long long)begin, (unsigned long long)end);
    usage_lines(&all, out);
}
