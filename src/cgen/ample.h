/* Private to cgen: partial-order reduction on states as bytes. See ample.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ample;
struct csource;
struct por_process;
struct spec;
struct vctx;

/* For one worker, with the processes of worker_processes. NULL when the layout does not show what
 * belongs to a process; then it is for the interpreter to choose. */
struct ample *ample_new(const struct spec *spec, const struct csource *source, struct vctx *ctx,
                        const struct por_process *processes, size_t n);
void ample_free(struct ample *a);
size_t ample_count(const struct ample *a);

/* Which processes may go alone from a state, as far as it is remembered: false when something is
 * not. After ample_learn it is. */
bool ample_recall(struct ample *a, const uint8_t *state);
void ample_learn(struct ample *a, const uint8_t *state, const struct por_process *processes);
/* After one of them: may this process go alone, if predicates do not notice. */
bool ample_alone(const struct ample *a, size_t process);

enum ample_step {
    STEP_OTHER,  /* not one of the process, or it changes nothing */
    STEP_HIDDEN, /* predicates do not notice */
    STEP_SEEN
};
enum ample_step ample_step(const struct ample *a, size_t process, const uint8_t *now,
                           const uint8_t *next);
