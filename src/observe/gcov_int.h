/* What the counters of compilers share. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct world;

/* elf.c */
bool elf_header(struct str file, Elf64_Ehdr *ret); /* false: it is no program of 64 bits */
/* The value of a symbol, by the table that `strip` takes away; 0: there is none. */
uint64_t elf_symbol(struct str file, const Elf64_Ehdr *header, const char *name);
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

/* gocover.c: of programs built with `go build -cover`: NAME.lcov, and the files that such a program
 * writes when it ends, for `go tool covdata`. */
struct gocover;
struct gocover *gocover_new(struct arena *arena);
void gocover_done(struct gocover *go);
/* ret_trouble: why a program that counts could not be read. */
void gocover_note(struct gocover *go, struct world *world, uint32_t node,
                  struct strbuf *ret_trouble);
MUST_USE int gocover_write(const struct gocover *go, const char *dir, struct err *err);

/* pycover.c: of programs in Python under coverage.py: python.seen, lines with counts in the way of
 * lcov, and python.program with the path of the interpreter, which has that module. */
struct pycover;
struct pycover *pycover_new(struct arena *arena);
void pycover_done(struct pycover *py);
void pycover_note(struct pycover *py, struct world *world, uint32_t node,
                  struct strbuf *ret_trouble);
MUST_USE int pycover_write(const struct pycover *py, const char *dir, struct err *err);
