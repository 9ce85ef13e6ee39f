/* What the counters of gcc and of clang share. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct world;

/* gcov.c */
bool elf_part_there(struct str file, uint64_t at, uint64_t n);
/* The first address that the file is loaded at, as it says. */
uint64_t elf_first_load(struct str file, const Elf64_Ehdr *header);
/* What was added to the addresses of the file; false: it is not mapped. */
bool elf_bias(struct world *world, uint32_t node, const char *path, uint64_t load, uint64_t *ret);

/* llvm.c: as gcov.h says, of programs built with clang -fprofile-instr-generate -fcoverage-mapping:
 * NAME.profraw, and NAME.program with the path of the program. */
struct llvm;
struct llvm *llvm_new(struct arena *arena);
void llvm_done(struct llvm *llvm);
void llvm_note(struct llvm *llvm, struct world *world, uint32_t node);
MUST_USE int llvm_write(const struct llvm *llvm, const char *dir, struct err *err);
