/* Where a runtime is in a process: a dynamic symbol of one of its mapped files, and where the
 * kernel has put that file. */
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "lang/lang.h"
#include "lang/lang_int.h"

/* The address of the first loaded byte, as the file says. */
static uint64_t first_address(Elf *elf)
{
    size_t n = 0;
    uint64_t first = UINT64_MAX;
    if (elf_getphdrnum(elf, &n) != 0) {
        return 0;
    }
    for (size_t i = 0; i < n && i < 256; i++) {
        GElf_Phdr ph;
        if (gelf_getphdr(elf, (int)i, &ph) != NULL && ph.p_type == PT_LOAD && ph.p_vaddr < first) {
            first = ph.p_vaddr;
        }
    }
    return first == UINT64_MAX ? 0 : first & ~UINT64_C(4095);
}

static bool find_in(Elf *elf, const char *name, uint64_t *ret)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(elf, scn)) != NULL) {
        GElf_Shdr sh;
        Elf_Data *data = NULL;
        if (gelf_getshdr(scn, &sh) == NULL ||
            (sh.sh_type != SHT_DYNSYM && sh.sh_type != SHT_SYMTAB) || sh.sh_entsize == 0 ||
            (data = elf_getdata(scn, NULL)) == NULL) {
            continue;
        }
        for (size_t i = 0; i < data->d_size / sh.sh_entsize && i < INT32_MAX; i++) {
            GElf_Sym sym;
            const char *at = gelf_getsym(data, (int)i, &sym) != NULL
                                 ? elf_strptr(elf, sh.sh_link, sym.st_name)
                                 : NULL;
            if (at != NULL && sym.st_shndx != SHN_UNDEF && strcmp(at, name) == 0) {
                *ret = sym.st_value;
                return true;
            }
        }
    }
    return false;
}

static bool symbol_of(const char *path, uint64_t start, const char *name, uint64_t *ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf =
        fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    uint64_t value = 0;
    bool found = elf != NULL && elf_kind(elf) == ELF_K_ELF && find_in(elf, name, &value);
    if (found) {
        *ret = value + start - first_address(elf);
    }
    (void)elf_end(elf);
    if (fd >= 0) {
        (void)close(fd);
    }
    return found;
}

static bool is_wanted(struct str path, const char *const *files)
{
    const char *slash = memrchr(path.p, '/', path.n);
    struct str base =
        slash == NULL ? path : (struct str){slash + 1, path.n - (size_t)(slash + 1 - path.p)};
    for (; *files != NULL; files++) {
        size_t n = strlen(*files);
        if (base.n >= n && memcmp(base.p, *files, n) == 0) {
            return true;
        }
    }
    return false;
}

/* The first mapping of a file is the one with its beginning. */
int symbol_find(const struct lang_memory *memory, const char *const *files, const char *name,
                uint64_t *ret, struct err *err)
{
    struct str rest = memory->maps, last = {0};
    while (rest.n != 0) {
        const char *newline = memchr(rest.p, '\n', rest.n);
        struct str line = {rest.p, newline != NULL ? (size_t)(newline - rest.p) : rest.n};
        const char *slash = memchr(line.p, '/', line.n);
        rest.p += line.n + (newline != NULL ? 1 : 0);
        rest.n -= line.n + (newline != NULL ? 1 : 0);
        if (slash == NULL) {
            continue;
        }
        struct str path = {slash, line.n - (size_t)(slash - line.p)};
        if (str_eq(path, last) || !is_wanted(path, files)) {
            continue;
        }
        last = path;
        char file[4096];
        if (path.n >= sizeof file) {
            continue;
        }
        memcpy(file, path.p, path.n);
        file[path.n] = '\0';
        if (symbol_of(file, strtoull(line.p, NULL, 16), name, ret)) {
            return 0;
        }
    }
    return err_set(err, ERR_NOT_FOUND, 0, "no %s... with the symbol %s is loaded in this process",
                   files[0], name);
}
