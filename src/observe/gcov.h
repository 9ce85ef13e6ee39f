/* Which code of the programs has been executed, where they were built with `gcc --coverage`,
 * `clang -fprofile-instr-generate -fcoverage-mapping` or `go build -cover`, or run under
 * coverage.py: their counters are read from memory while they run, since a process that is killed,
 * or that goes back to a snapshot, never writes them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct gcov;
struct world;

struct gcov *gcov_new(struct arena *arena);
void gcov_done(struct gcov *gcov); /* accepts NULL */
/* Adds what the first process of the node has counted since it began. Nothing happens when nothing
 * runs there, or when the program does not count. */
void gcov_note(struct gcov *gcov, struct world *world, uint32_t node);
/* Writes what was counted to a directory: for gcov(1) a file with the counts of each object file,
 * beside a link to that of the compiler; for llvm-profdata(1) a file for each program, and one with
 * its path; for Go lines and functions, and files for `go tool covdata`; for Python lines, to be
 * asked about. What is there already is replaced. Makes no directory when there is nothing. */
MUST_USE int gcov_write(const struct gcov *gcov, const char *dir, struct err *err);
/* Why programs that count could not be read; empty when all could. */
const char *gcov_trouble(const struct gcov *gcov);
