/* Opening a program: its own debug information or that of a separate file, and where the kernel put
 * it.
 *
 * Separate files are looked for the way debuggers do: by build-id below /usr/lib/debug/.build-id,
 * then by the name of .gnu_debuglink beside the program, in .debug beside it, and below
 * /usr/lib/debug. A file found by name counts only when its build-id is the program's: one of
 * another build would give wrong values without a word. */
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "dwarf/dwarf_int.h"

#define DEBUG_ROOT "/usr/lib/debug"

static bool has_debug_info(Elf *elf)
{
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) {
        return false;
    }
    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && header.sh_type != SHT_NOBITS &&
            (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0)) {
            return true;
        }
    }
    return false;
}

static int elf_open(const char *path, int *ret_fd, Elf **ret_elf, struct err *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, ERR_IO, errno, "%s", path);
    }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return err_set(err, ERR_INVALID, 0, "%s is not a regular file", path);
    }
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
        elf_end(elf);
        close(fd);
        return err_set(err, ERR_INVALID, 0, "%s is not a program or shared library (ELF)", path);
    }
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
        elf_end(elf);
        close(fd);
        return err_set(err, ERR_UNSUPPORTED, 0, "%s: only 64-bit little-endian programs are read",
                       path);
    }
    *ret_fd = fd;
    *ret_elf = elf;
    return 0;
}

/* Sections that have names in them. libdw does not look whether the last name of one has an end. */
static void note_sections(struct dwarf *bin, Elf *elf)
{
    size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) {
        return;
    }
    for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && strncmp(name, ".debug_", 7) == 0 && header.sh_type != SHT_NOBITS) {
            Elf_Data *data = elf_rawdata(scn, NULL);
            if (data && data->d_buf) {
                VEC_PUSH(&bin->sections, (struct str){data->d_buf, data->d_size});
            }
        }
    }
}

const char *name_of(struct dwarf *bin, Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    for (size_t i = 0; name && i < bin->sections.n; i++) {
        struct str section = bin->sections.v[i];
        if (name >= section.p && name < section.p + section.n) {
            return memchr(name, 0, section.n - (size_t)(name - section.p)) ? name : NULL;
        }
    }
    return name;
}

static struct str build_id(Elf *elf)
{
    const void *bytes = NULL;
    ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);
    return n > 0 ? (struct str){bytes, (size_t)n} : (struct str){NULL, 0};
}

/* Takes a separate file when it has debug information and belongs to the program. */
static bool try_separate(struct dwarf *bin, const char *path)
{
    struct err err;
    int fd = -1;
    Elf *elf = NULL;
    if (!file_exists(path) || elf_open(path, &fd, &elf, &err) != 0) {
        return false;
    }
    struct str want = build_id(bin->elf);
    if (!has_debug_info(elf) || (want.n && !str_eq(want, build_id(elf)))) {
        elf_end(elf);
        close(fd);
        return false;
    }
    bin->debug_fd = fd;
    bin->debug_elf = elf;
    return true;
}

static bool find_separate(struct dwarf *bin)
{
    struct arena *arena = &bin->arena;
    struct str id = build_id(bin->elf);
    if (id.n >= 2 && id.n <= 64) {
        SCOPED_STRBUF name = {0};
        strbuf_printf(&name, DEBUG_ROOT "/.build-id/%02x/", (unsigned char)id.p[0]);
        for (size_t i = 1; i < id.n; i++) {
            strbuf_printf(&name, "%02x", (unsigned char)id.p[i]);
        }
        strbuf_adds(&name, ".debug");
        if (try_separate(bin, strbuf_cstr(&name))) {
            return true;
        }
    }
    GElf_Word crc = 0;
    const char *link = dwelf_elf_gnu_debuglink(bin->elf, &crc);
    if (!link || strchr(link, '/')) {
        return false;
    }
    struct str dir = path_dir(str_of(bin->path));
    const char *candidates[] = {
        arena_printf(arena, "%.*s/%s", STR_ARG(dir), link),
        arena_printf(arena, "%.*s/.debug/%s", STR_ARG(dir), link),
        arena_printf(arena, DEBUG_ROOT "%.*s/%s", STR_ARG(dir), link),
    };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (strcmp(candidates[i], bin->path) != 0 && try_separate(bin, candidates[i])) {
            return true;
        }
    }
    return false;
}

static void read_segments(struct dwarf *bin)
{
    GElf_Ehdr header;
    size_t n = 0;
    bin->moves = gelf_getehdr(bin->elf, &header) && header.e_type == ET_DYN;
    if (elf_getphdrnum(bin->elf, &n) != 0) {
        return;
    }
    for (size_t i = 0; i < n && i < 1024; i++) {
        GElf_Phdr ph;
        if (gelf_getphdr(bin->elf, (int)i, &ph) && ph.p_type == PT_LOAD) {
            VEC_PUSH(&bin->segments, (struct dseg){ph.p_offset, ph.p_vaddr, ph.p_filesz});
        }
    }
}

static int open_debug(struct dwarf *bin, struct err *err)
{
    int ret = elf_open(bin->path, &bin->fd, &bin->elf, err);
    if (ret != 0) {
        return ret;
    }
    read_segments(bin);
    if (!has_debug_info(bin->elf) && !find_separate(bin)) {
        return err_set(err, ERR_UNSUPPORTED, 0,
                       "%s has no debug information: compile it with -g (Rust: debuginfo=2; Go: "
                       "without -ldflags=-w or -s) and do not strip it, or install its debug file "
                       "below " DEBUG_ROOT "/.build-id (Debian: the package's -dbgsym)",
                       bin->path);
    }
    note_sections(bin, bin->debug_elf ? bin->debug_elf : bin->elf);
    bin->dw = dwarf_begin_elf(bin->debug_elf ? bin->debug_elf : bin->elf, DWARF_C_READ, NULL);
    if (!bin->dw) {
        return err_set(err, ERR_CORRUPT, 0, "%s: debug information: %s", bin->path,
                       dwarf_errmsg(-1));
    }
    return 0;
}

int dwarf_open(const char *path, struct dwarf **ret, struct err *err)
{
    if (elf_version(EV_CURRENT) == EV_NONE) {
        return err_set(err, ERR_UNSUPPORTED, 0, "libelf is too old");
    }
    struct arena arena;
    arena_init(&arena, 0);
    struct dwarf *bin = ARENA_NEW(&arena, struct dwarf);
    bin->fd = bin->debug_fd = -1;
    char *real = realpath(path, NULL);
    bin->path = arena_strndup(&arena, real ? real : path, strlen(real ? real : path));
    vec_release(real);
    bin->arena = arena;
    int status = open_debug(bin, err);
    if (status != 0) {
        dwarf_close(bin);
        return status;
    }
    *ret = bin;
    return 0;
}

void dwarf_close(struct dwarf *bin)
{
    if (!bin) {
        return;
    }
    dwarf_end(bin->dw);
    elf_end(bin->debug_elf);
    elf_end(bin->elf);
    if (bin->debug_fd >= 0) {
        close(bin->debug_fd);
    }
    if (bin->fd >= 0) {
        close(bin->fd);
    }
    VEC_DONE(&bin->segments);
    strmap_done(&bin->vars);
    strmap_done(&bin->types);
    strmap_done(&bin->names);
    VEC_DONE(&bin->consts);
    u64map_done(&bin->decls);
    u64map_done(&bin->made);
    VEC_DONE(&bin->declared);
    VEC_DONE(&bin->types_made);
    VEC_DONE(&bin->sections);
    struct arena arena = bin->arena; /* bin lives in it */
    arena_done(&arena);
}

/* "55e0-55e1 r--p 00001000 08:01 42  /path": false when the line is of another form. */
static bool parse_mapping(struct str line, uint64_t *ret_start, uint64_t *ret_offset,
                          struct str *ret_path)
{
    char text[64];
    size_t n = line.n < sizeof text - 1 ? line.n : sizeof text - 1;
    memcpy(text, line.p, n);
    text[n] = 0;
    char *end = NULL;
    *ret_start = strtoull(text, &end, 16);
    if (end == text || *end != '-') {
        return false;
    }
    const char *perms = strchr(end, ' ');
    const char *offset = perms ? strchr(perms + 1, ' ') : NULL;
    if (!offset) {
        return false;
    }
    *ret_offset = strtoull(offset, &end, 16);
    const char *slash = memchr(line.p, '/', line.n);
    *ret_path = slash ? (struct str){slash, line.n - (size_t)(slash - line.p)}
                      : (struct str){line.p + line.n, 0};
    return end != offset;
}

int dwarf_load_bias(const struct dwarf *bin, struct str maps, const char *path, uint64_t *ret_bias,
                    struct err *err)
{
    if (!bin->moves) {
        *ret_bias = 0;
        return 0;
    }
    struct str want = str_of(path ? path : bin->path);
    while (maps.n) {
        const char *newline = memchr(maps.p, '\n', maps.n);
        size_t n = newline ? (size_t)(newline - maps.p) : maps.n;
        struct str line = {maps.p, n}, name;
        uint64_t start = 0, offset = 0;
        maps.p += n + (newline != NULL);
        maps.n -= n + (newline != NULL);
        if (!parse_mapping(line, &start, &offset, &name) || !str_eq(name, want)) {
            continue;
        }
        for (size_t i = 0; i < bin->segments.n; i++) {
            const struct dseg *seg = &bin->segments.v[i];
            uint64_t page = seg->offset & ~(uint64_t)4095;
            if (offset >= page && offset < seg->offset + seg->size) {
                *ret_bias = start - offset - (seg->vaddr - seg->offset);
                return 0;
            }
        }
    }
    return err_set(err, ERR_NOT_FOUND, 0, "%.*s is not mapped in the process", STR_ARG(want));
}
