/* Where a thread-local variable is, as the GNU C library lays it out: the thread's table of modules
 * is found through its fs register; the number of a module is its place among the loaded modules
 * that have such variables, in the order of loading. */
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "run/gdb_int.h"
#include "world/debug.h"

struct link { /* the public head of the loader's list */
    uint64_t base, name, dynamic, next, previous;
};

static bool get(const struct gdb_memory *m, uint64_t from, void *to, size_t n)
{
    return debug_read(m->world, m->node, m->pid, from, to, n) == n;
}

static bool segments_have_tls(const struct gdb_memory *m, uint64_t at, size_t n)
{
    for (size_t i = 0; i < n && i < 64; i++) {
        Elf64_Phdr segment;
        if (!get(m, at + i * sizeof segment, &segment, sizeof segment)) {
            return false;
        }
        if (segment.p_type == PT_TLS) {
            return true;
        }
    }
    return false;
}

/* The first of the list is the program itself, whose segments the kernel has told. */
static bool program_has_tls(const struct gdb_memory *m)
{
    SCOPED_STRBUF auxv = {0};
    uint64_t at = 0, n = 0;
    debug_auxv(m->world, m->node, m->pid, &auxv);
    for (size_t i = 0; i + 16 <= auxv.n; i += 16) {
        uint64_t pair[2];
        memcpy(pair, auxv.p + i, sizeof pair);
        at = pair[0] == AT_PHDR ? pair[1] : at;
        n = pair[0] == AT_PHNUM ? pair[1] : n;
    }
    return segments_have_tls(m, at, n);
}

static bool library_has_tls(const struct gdb_memory *m, uint64_t base)
{
    Elf64_Ehdr header;
    return get(m, base, &header, sizeof header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           segments_have_tls(m, base + header.e_phoff, header.e_phnum);
}

static bool module_number(const struct gdb_memory *m, uint64_t wanted, uint64_t *ret)
{
    struct link link;
    uint64_t at = wanted, number = 0;
    for (int left = 4096; left > 0; left--) {
        if (!get(m, at, &link, sizeof link)) {
            return false;
        }
        if (link.previous == 0) {
            break;
        }
        at = link.previous;
    }
    for (bool first = true; at != 0 && get(m, at, &link, sizeof link); first = false) {
        bool has = first ? program_has_tls(m) : library_has_tls(m, link.base);
        number += has ? 1 : 0;
        if (at == wanted) {
            *ret = number;
            return has;
        }
        at = link.next;
    }
    return false;
}

bool gdb_tls_address(const struct gdb_memory *m, int tid, uint64_t offset, uint64_t module,
                     uint64_t *ret)
{
    struct debug_regs regs;
    uint64_t table = 0, block = 0;
    uint64_t number = 1;
    if (!debug_regs_get(m->world, m->node, tid, &regs) ||
        (module != 0 && !module_number(m, module, &number)) ||
        !get(m, regs.general.fs_base + 8, &table, sizeof table) ||
        !get(m, table + 16 * number, &block, sizeof block) || block + 1 <= 1) {
        return false;
    }
    *ret = block + offset;
    return true;
}
