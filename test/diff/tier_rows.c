/* Which rows of ir/ops.def and ir/natives.def occur in random specifications, and which never do.
 *
 * usage: tier_rows [--seed=N] [--specs=N] [FILE.tla...]
 *
 * Lowers N specifications of tier_gen and the FILEs (each with its .cfg), and prints the names of
 * the rows that occur in none of them. Nothing is run. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "check/check.h"
#include "eval/code.h"
#include "eval/native.h"
#include "ir/ir.h"
#include "model/model.h"
#include "tier_load.h"

struct rows {
    uint64_t seed, specs, lowered;
    char **files;
    int nfile;
    bool ex[EX_COUNT], act[ACT_COUNT], native[NATIVE_COUNT];
};

static void note(struct model *model, void *arg)
{
    const struct spec *spec = (const struct spec *)model;
    struct rows *rows = arg;
    rows->lowered++;
    for (size_t i = 0; i < spec->all_ex.n; i++) {
        const struct ex *x = spec->all_ex.v[i];
        rows->ex[x->op] = true;
        for (int id = 0; x->op == EX_NATIVE && id < NATIVE_COUNT; id++) {
            rows->native[id] |= ex_is_native(x, (enum native_id)id);
        }
    }
    for (size_t i = 0; i < spec->all_act.n; i++) {
        rows->act[spec->all_act.v[i]->op] = true;
    }
}

static void lower_all(void *arg)
{
    struct rows *rows = arg;
    static const struct tier_size size = {
        .nvar = 9, .nact = 40, .ninv = 48, .nconstraint = 3, .nstep = 6, .ninit = 24, .depth = 4};
    for (uint64_t i = 0; i < rows->specs; i++) {
        (void)tier_load_generated(rows->seed + i, &size, NULL, note, rows);
    }
    for (int i = 0; i < rows->nfile; i++) {
        (void)tier_load_file(rows->files[i], NULL, note, rows);
    }
}

static void print_missing(const struct rows *rows)
{
#define EX(NAME, ...)                                                                              \
    if (!rows->ex[EX_##NAME]) {                                                                    \
        puts("EX_" #NAME);                                                                         \
    }
#define ACT(NAME, ...)                                                                             \
    if (!rows->act[ACT_##NAME]) {                                                                  \
        puts("ACT_" #NAME);                                                                        \
    }
#include "ir/ops.def"
#define NATIVE(ID, module, name, arity, flags, eval, op, emit)                                     \
    if (EX_##op == EX_NATIVE ? !rows->native[NATIVE_##ID] : !rows->ex[EX_##op]) {                  \
        puts("NATIVE_" #ID);                                                                       \
    }
#include "ir/natives.def"
}

int main(int argc, char **argv)
{
    struct rows rows = {.seed = 1, .specs = 20, .files = argv + 1};
    struct err err = {0};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--seed=", 7) == 0) {
            rows.seed = strtoull(argv[i] + 7, NULL, 10);
        } else if (strncmp(argv[i], "--specs=", 8) == 0) {
            rows.specs = strtoull(argv[i] + 8, NULL, 10);
        } else {
            rows.files[rows.nfile++] = argv[i];
        }
    }
    if (check_on_big_stack(lower_all, &rows, &err) != 0) {
        printf("%s\n", err.text);
        return 2;
    }
    printf("# %llu of %llu specifications lowered\n", (unsigned long long)rows.lowered,
           (unsigned long long)rows.specs + (unsigned long long)rows.nfile);
    print_missing(&rows);
    return 0;
}
