/* RDRAND and RDSEED: random numbers that no seed decides. Where the processor lets CPUID fault,
 * programs are told that it has neither (sched.c). On other machines (many virtual ones) programs
 * do find them, such as all that use std::random_device of C++; and some use them without asking.
 * So the instructions themselves are replaced by one that faults and is answered from the node's
 * own randomness.
 *
 * They are looked for in the executable parts of each file that is mapped. Their bytes may also be
 * part of another instruction, which must not be touched: only what begins exactly where an
 * instruction begins counts, seen from the beginning of the function. That is found in the table
 * that ELF files have for exceptions (.eh_frame_hdr); in a file without it nothing is replaced.
 *
 * Only one byte changes: 0F C7 /6 and 0F C7 /7 become 0F FF /r (UD0), with the same prefixes and
 * register. Rejected: hardware breakpoints, four per thread are too few. */
#include "world/hwrand.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/user.h>

#include "base/rng.h"
#include "base/vec.h"
#include "tracee/tracee.h"
#include "world/maps.h"
#include "world/world_int.h"
#include "world/x86.h"

enum {
    FUNCTION_MOST = 1 << 20,
    TABLE_DATAREL_SDATA4 = 0x3b,
    COUNT_UDATA4 = 0x03,
    PTR_SIZE4 = 0x0b
};

/* A file that was looked at, and where in it the second byte of such instructions is. */
struct looked {
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec mtime;
    VEC(uint64_t) sites;
};
struct hwrand {
    VEC(struct looked) files;
};

void hwrand_free(struct hwrand *h)
{
    if (h != NULL) {
        for (size_t i = 0; i < h->files.n; i++) {
            VEC_DONE(&h->files.v[i].sites);
        }
        VEC_DONE(&h->files);
        vec_release(h);
    }
}

/* ---- looking at a file ---- */

struct image {
    const uint8_t *bytes;
    size_t n;
    const Elf64_Phdr *parts;
    size_t n_parts;
};

static bool image_open(struct image *image)
{
    const Elf64_Ehdr *head = (const void *)image->bytes;
    if (image->n < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64 ||
        head->e_phentsize != sizeof(Elf64_Phdr) || head->e_phoff % 8 != 0 ||
        head->e_phoff > image->n ||
        head->e_phnum > (image->n - head->e_phoff) / sizeof(Elf64_Phdr)) {
        return false;
    }
    image->parts = (const void *)(image->bytes + head->e_phoff);
    image->n_parts = head->e_phnum;
    return true;
}

static bool part_fits(const struct image *image, const Elf64_Phdr *part)
{
    return part->p_offset <= image->n && part->p_filesz <= image->n - part->p_offset;
}

static int32_t read_i32(const uint8_t *at)
{
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* The address where the function begins that holds this one; 0 when that is not known. */
static uint64_t function_of(const struct image *image, uint64_t address)
{
    const Elf64_Phdr *table = NULL;
    for (size_t i = 0; i < image->n_parts; i++) {
        table = image->parts[i].p_type == PT_GNU_EH_FRAME ? &image->parts[i] : table;
    }
    if (table == NULL || !part_fits(image, table) || table->p_filesz < 12) {
        return 0;
    }
    const uint8_t *at = image->bytes + table->p_offset;
    if (at[0] != 1 || (at[1] & 0x0f) != PTR_SIZE4 || at[2] != COUNT_UDATA4 ||
        at[3] != TABLE_DATAREL_SDATA4) {
        return 0;
    }
    uint32_t n = (uint32_t)read_i32(at + 8), low = 0;
    n = n < (table->p_filesz - 12) / 8 ? n : (uint32_t)((table->p_filesz - 12) / 8);
    for (uint32_t high = n; low < high;) { /* the first one behind it */
        uint32_t middle = low + (high - low) / 2;
        uint64_t begin = table->p_vaddr + (uint64_t)(int64_t)read_i32(at + 12 + 8UL * middle);
        if (begin <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? 0 : table->p_vaddr + (uint64_t)(int64_t)read_i32(at + 12 + 8UL * (low - 1));
}

/* Whether an instruction begins at this place of the part: with prefixes, up to two bytes before.
 */
static bool begins_instruction(const struct image *image, const Elf64_Phdr *part, uint64_t place)
{
    uint64_t address = part->p_vaddr + place, begin = function_of(image, address);
    if (begin < part->p_vaddr || begin > address || address - begin > FUNCTION_MOST) {
        return false;
    }
    const uint8_t *code = image->bytes + part->p_offset;
    uint64_t at = begin - part->p_vaddr;
    while (at < place) {
        size_t n = x86_length(code + at, (size_t)(part->p_filesz - at));
        if (n == 0) {
            return false;
        }
        if (at + n > place) { /* 66 and REX are prefixes of the instruction at `place` */
            bool prefixes = place - at <= 2 && at + n == place + 3;
            for (uint64_t i = at; i < place; i++) {
                prefixes = prefixes && (code[i] == 0x66 || (code[i] & 0xf0) == 0x40);
            }
            return prefixes;
        }
        at += n;
    }
    return at == place;
}

static void look_at_part(const struct image *image, const Elf64_Phdr *part, struct looked *file)
{
    const uint8_t *code = image->bytes + part->p_offset, *end = code + part->p_filesz - 1;
    for (const uint8_t *at = code + 1; at < end; at++) {
        at = memchr(at, 0xc7, (size_t)(end - at));
        if (at == NULL) {
            return;
        }
        if (at[-1] == 0x0f && at[1] >= 0xf0 &&
            begins_instruction(image, part, (uint64_t)(at - 1 - code))) {
            VEC_PUSH(&file->sites, (uint64_t)(at - image->bytes));
        }
    }
}

static void look_at(int fd, struct looked *file)
{
    size_t n = (size_t)file->size;
    void *bytes =
        n > sizeof(Elf64_Ehdr) ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (bytes == MAP_FAILED) {
        return;
    }
    struct image image = {.bytes = bytes, .n = n};
    for (size_t i = 0; image_open(&image) && i < image.n_parts; i++) {
        const Elf64_Phdr *part = &image.parts[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 && part->p_filesz > 3 &&
            part_fits(&image, part)) {
            look_at_part(&image, part, file);
        }
    }
    (void)munmap(bytes, n);
}

/* What is known about a file; NULL when there is nothing to do. */
static const struct looked *sites_of(struct world *w, int fd)
{
    if (w->engine->hwrand == NULL) {
        size_t cap = 0;
        struct hwrand *fresh = vec_grow(NULL, &cap, 1, sizeof *fresh);
        *fresh = (struct hwrand){0};
        w->engine->hwrand = fresh;
    }
    struct hwrand *h = w->engine->hwrand;
    struct stat st;
    if (w->engine->hwrand_way == HWRAND_HIDE || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return NULL;
    }
    for (size_t i = 0; i < h->files.n; i++) {
        const struct looked *file = &h->files.v[i];
        if (file->dev == st.st_dev && file->ino == st.st_ino && file->size == st.st_size &&
            file->mtime.tv_sec == st.st_mtim.tv_sec && file->mtime.tv_nsec == st.st_mtim.tv_nsec) {
            return file;
        }
    }
    struct looked file = {
        .dev = st.st_dev, .ino = st.st_ino, .size = st.st_size, .mtime = st.st_mtim};
    look_at(fd, &file);
    VEC_PUSH(&h->files, file);
    return &VEC_LAST(&h->files);
}

/* ---- replacing ---- */

static void replace(const struct thread *t, const struct looked *file, const uint64_t map[3])
{
    for (size_t i = 0; i < file->sites.n; i++) {
        uint64_t site = file->sites.v[i];
        if (site >= map[2] && site - map[2] < map[1]) {
            (void)tracee_poke(t->real, TADDR(map[0] + (site - map[2])), "\xff", 1);
        }
    }
}

void hwrand_mapped(struct world *w, const struct thread *t, int fd, const uint64_t map[3])
{
    const struct looked *file = sites_of(w, fd);
    if (file != NULL) {
        replace(t, file, map);
    }
}

void hwrand_exec(struct world *w, const struct thread *t)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/exe", (int)t->proc->real);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const struct looked *file = fd >= 0 ? sites_of(w, fd) : NULL;
    struct maps *maps = file != NULL && file->sites.n != 0 ? maps_open(t->proc->real) : NULL;
    struct map map;
    while (maps != NULL && maps_next(maps, &map)) {
        if (map.perms[2] == 'x' && map.perms[3] == 'p' && map.inode == file->ino) {
            replace(t, file, (const uint64_t[3]){map.begin, map.end - map.begin, map.offset});
        }
    }
    maps_close(maps);
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* ---- answering ---- */

static unsigned long long *register_of(struct user_regs_struct *regs, unsigned number)
{
    unsigned long long *const of[16] = {
        &regs->rax, &regs->rcx, &regs->rdx, &regs->rbx, &regs->rsp, &regs->rbp,
        &regs->rsi, &regs->rdi, &regs->r8,  &regs->r9,  &regs->r10, &regs->r11,
        &regs->r12, &regs->r13, &regs->r14, &regs->r15,
    };
    return of[number & 15];
}

bool hwrand_answer(struct world *w, struct thread *t)
{
    enum { CARRY = 1, OTHER_FLAGS = 0x8d4 }; /* parity, auxiliary carry, zero, sign, overflow */
    struct user_regs_struct regs;
    uint8_t code[5] = {0};
    if (!tracee_regs_get(t->real, &regs)) {
        return false;
    }
    (void)tracee_read(t->real, TADDR(regs.rip), code, sizeof code);
    bool word = code[0] == 0x66;
    size_t at = word ? 1 : 0;
    uint8_t rex = (code[at] & 0xf0) == 0x40 ? code[at++] : 0;
    if (code[at] != 0x0f || code[at + 1] != 0xff || code[at + 2] < 0xf0) {
        return false;
    }
    uint64_t value = rng_next(&t->proc->node->rng);
    hash_u64(w, value);
    unsigned long long *to = register_of(&regs, (code[at + 2] & 7U) | (rex & 1U) << 3);
    *to = (rex & 8) != 0 ? value : word ? (*to & ~0xffffULL) | (value & 0xffff) : (uint32_t)value;
    regs.eflags = (regs.eflags & ~(unsigned long long)OTHER_FLAGS) | CARRY;
    regs.rip += at + 3;
    return tracee_regs_set(t->real, &regs);
}
