/* Private to gdb.c, gdb_regs.c and gdb_tls.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "world/debug.h"

/* The registers as gdb gets them, one after the other; target.xml names them. */
enum { GDB_REG_BYTES_MOST = 640 };
size_t gdb_regs_pack(const struct debug_regs *regs, uint8_t to[GDB_REG_BYTES_MOST]);
bool gdb_regs_unpack(const uint8_t *from, size_t n, struct debug_regs *regs);
void gdb_target_xml(struct strbuf *out);

/* gdb_tls.c */
struct gdb_memory { /* whose memory */
    const struct world *world;
    uint32_t node;
    int pid;
};
/* `module` is the loader's entry of the module, 0: the program itself. False: it has none yet. */
bool gdb_tls_address(const struct gdb_memory *memory, int tid, uint64_t offset, uint64_t module,
                     uint64_t *ret);

void hex_put(struct strbuf *out, const void *bytes, size_t n);
size_t hex_get(const char *text, size_t n, uint8_t *to); /* bytes; stops at what is no pair */
