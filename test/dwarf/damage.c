/* Opens damaged copies of a program and reads variables through what is left of their debug
 * information; memory is made up. Each copy is read in a child with a time limit: an error is as
 * good as a value, a crash or a hang is not. usage: damage NAME PROGRAM COUNT */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/str.h"
#include "dwarf/dwarf.h"

/* Memory that holds something everywhere: small numbers, and pointers into the same. */
static int made_up(void *arg, uint64_t addr, void *buf, size_t n)
{
    (void)arg;
    for (size_t i = 0; i < n; i++) {
        ((unsigned char *)buf)[i] = (unsigned char)((addr + i) % 8 == 0 ? (addr >> 3) * 37 : 0);
    }
    return addr > UINT64_C(1) << 47;
}

static void read_all(const char *path)
{
    static const char *const paths[] = {
        "config", "table[0..3]", "lookup->table[0..2]", "hidden", "last@next",           "matrix",
        "names",  "deep",        "counter::calls",      "choice", "r1.next->next->value"};
    struct err err = {0};
    struct arena arena;
    struct dwarf *bin = NULL;
    struct dwarf_memory memory = {.read = made_up};
    arena_init(&arena, 0);
    if (dwarf_open(path, &bin, &err) == 0) {
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            struct dwarf_path *parsed = NULL;
            struct dwarf_value *value = NULL;
            SCOPED_STRBUF out = {0};
            if (dwarf_path_new(bin, &arena, str_of(paths[i]), &parsed, &err) == 0 &&
                dwarf_read(parsed, &memory, NULL, &arena, &value, &err) == 0) {
                dwarf_value_print(&out, value);
            }
        }
    }
    dwarf_close(bin);
    arena_done(&arena);
}

/* Where the sections of debug information are: most of the damage goes there. */
static size_t debug_range(struct str file, size_t *ret_begin)
{
    const Elf64_Ehdr *eh = (const void *)file.p;
    size_t begin = file.n, end = 0;
    const Elf64_Shdr *sh = (const void *)(file.p + eh->e_shoff);
    const char *names = file.p + sh[eh->e_shstrndx].sh_offset;
    for (unsigned i = 0; i < eh->e_shnum; i++) {
        if (strncmp(names + sh[i].sh_name, ".debug_", 7) == 0) {
            begin = sh[i].sh_offset < begin ? sh[i].sh_offset : begin;
            end = sh[i].sh_offset + sh[i].sh_size > end ? sh[i].sh_offset + sh[i].sh_size : end;
        }
    }
    *ret_begin = begin;
    return end > begin ? end - begin : 0;
}

static void spoil(char *copy, size_t *n, struct rng *rng, size_t begin, size_t length)
{
    unsigned changes = 1 + (unsigned)rng_below(rng, 20);
    for (unsigned i = 0; i < changes; i++) {
        size_t at = rng_below(rng, 8) ? begin + rng_below(rng, length) : rng_below(rng, *n);
        copy[at] =
            rng_below(rng, 2) ? (char)rng_below(rng, 256) : (char)(rng_below(rng, 2) ? 0 : 255);
    }
    if (rng_below(rng, 16) == 0) {
        *n = rng_below(rng, *n);
    }
}

int main(int argc, char **argv)
{
    struct arena arena;
    struct err err = {0};
    struct str file;
    if (argc != 4) {
        fprintf(stderr, "usage: damage NAME PROGRAM COUNT\n");
        return 2;
    }
    arena_init(&arena, 0);
    size_t begin = 0;
    if (file_read(&arena, argv[2], 1 << 26, &file, &err) != 0) {
        printf("not ok damage-%s: %s\n", argv[1], err.text);
        return 1;
    }
    size_t length = debug_range(file, &begin);
    struct rng rng;
    rng_seed(&rng, 1);
    char *copy = arena_alloc(&arena, file.n + 1);
    long bad = 0, count = strtol(argv[3], NULL, 10);
    for (long i = 0; i < count && length; i++) {
        char path[64];
        size_t n = file.n;
        memcpy(copy, file.p, file.n);
        spoil(copy, &n, &rng, begin, length);
        int fd = memfd_create("damaged", 0);
        if (fd < 0 || write(fd, copy, n) != (ssize_t)n) {
            return 1;
        }
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(30);
            read_all(path);
            _exit(0);
        }
        int status = 1;
        waitpid(pid, &status, 0);
        if (status != 0) {
            printf("# damage-%s: copy %ld ended with status %d\n", argv[1], i, status);
            bad++;
        }
        close(fd);
    }
    printf("%s damage-%s\n", bad || !length ? "not ok" : "ok", argv[1]);
    arena_done(&arena);
    return bad != 0;
}
