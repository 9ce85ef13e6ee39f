/* Private to cgen: conditions whose value is known where they stand. */
#pragma once

struct ex;
struct fenv;
struct gen;

enum truth { TRUTH_UNKNOWN, TRUTH_FALSE, TRUTH_TRUE };

/* In the scope that was opened last, the condition holds. */
void facts_hold(struct gen *g, const struct ex *x, struct fenv *f);
/* Writes nothing. */
enum truth facts_truth(struct gen *g, const struct ex *x, struct fenv *f);
