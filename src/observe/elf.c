/* Programs' files, as far as the counters in them need: see gcov_int.h. Nothing in them is trusted.
 */
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "observe/gcov_int.h"
#include "world/world.h"

bool elf_header(struct str file, Elf64_Ehdr *ret)
{
    if (file.n < sizeof *ret || memcmp(file.p, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    memcpy(ret, file.p, sizeof *ret);
    return ret->e_ident[EI_CLASS] == ELFCLASS64;
}

bool elf_part_there(struct str file, uint64_t at, uint64_t n)
{
    return at <= file.n && n <= file.n - at;
}

/* The first address that the file is loaded at, as it says. */
uint64_t elf_first_load(struct str file, const Elf64_Ehdr *h)
{
    for (size_t i = 0; i < h->e_phnum; i++) {
        Elf64_Phdr ph;
        uint64_t at = h->e_phoff + i * sizeof ph;
        if (!elf_part_there(file, at, sizeof ph)) {
            break;
        }
        memcpy(&ph, file.p + at, sizeof ph);
        if (ph.p_type == PT_LOAD && ph.p_offset == 0) {
            return ph.p_vaddr;
        }
    }
    return 0;
}

static uint64_t find_in(struct str file, const Elf64_Shdr *symbols, const Elf64_Shdr *names,
                        const char *name)
{
    size_t n = strlen(name) + 1;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym sym;
        memcpy(&sym, file.p + symbols->sh_offset + at, sizeof sym);
        if (sym.st_name < names->sh_size && names->sh_size - sym.st_name >= n &&
            memcmp(file.p + names->sh_offset + sym.st_name, name, n) == 0) {
            return sym.st_value;
        }
    }
    return 0;
}

uint64_t elf_symbol(struct str file, const Elf64_Ehdr *h, const char *name)
{
    uint64_t value = 0;
    for (size_t i = 0; value == 0 && i < h->e_shnum; i++) {
        Elf64_Shdr symbols, names;
        uint64_t at = h->e_shoff + i * sizeof symbols;
        if (!elf_part_there(file, at, sizeof symbols)) {
            return 0;
        }
        memcpy(&symbols, file.p + at, sizeof symbols);
        uint64_t link = h->e_shoff + symbols.sh_link * sizeof names;
        if (symbols.sh_type != SHT_SYMTAB || !elf_part_there(file, link, sizeof names)) {
            continue;
        }
        memcpy(&names, file.p + link, sizeof names);
        if (elf_part_there(file, symbols.sh_offset, symbols.sh_size) &&
            elf_part_there(file, names.sh_offset, names.sh_size)) {
            value = find_in(file, &symbols, &names, name);
        }
    }
    return value;
}

/* What was added to the addresses of the file: from the first mapping of its beginning. */
bool elf_bias(struct world *world, uint32_t node, const char *path, uint64_t load, uint64_t *ret)
{
    struct arena arena;
    arena_init(&arena, 0);
    struct str maps = world_memory_maps(world, node, &arena);
    size_t n = strlen(path);
    bool found = false;
    for (const char *at = maps.p, *end; !found && at < maps.p + maps.n; at = end + 1) {
        end = memchr(at, '\n', (size_t)(maps.p + maps.n - at));
        end = end != NULL ? end : maps.p + maps.n;
        if ((size_t)(end - at) > n && memcmp(end - n, path, n) == 0 &&
            end[-(ptrdiff_t)n - 1] == ' ') {
            *ret = strtoull(at, NULL, 16) - (load & ~UINT64_C(4095));
            found = true;
        }
    }
    arena_done(&arena);
    return found;
}
