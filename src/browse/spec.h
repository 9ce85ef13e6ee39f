/* A specification behind `assay view`: follows traces through it, takes other steps, evaluates
 * expressions on states that were seen. Everything on a big stack, by one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/vec.h"
#include "job/load.h"
#include "model/model.h"

struct browse_state {
    const char *bytes; /* as the model saves them */
    size_t n;
    uint64_t level;
};

struct browse_spec {
    struct spec spec;
    const struct teller *teller;
    struct mhost host;
    struct mworker *worker, *probe; /* the probe looks into candidates */
    VEC(struct browse_state) states;
    struct u64map known; /* hash of bytes -> number of the state */
    bool open;
};

/* False after a message: then there is nothing to step through. `config` NULL: the spec's own. The
 * teller stays until it is closed. */
bool browse_spec_open(struct browse_spec *v, const char *path, const char *config,
                      const char *const *dirs, size_t ndir, const struct teller *teller);
void browse_spec_close(struct browse_spec *v); /* accepts a zeroed one */
/* The members of a document "sources". */
void browse_spec_sources(const struct browse_spec *v, struct strbuf *out);
/* The members of a document "followed": of a trace whose states are `values`, an array of objects
 * with ITF's values. */
void browse_spec_follow(struct browse_spec *v, size_t doc, struct str values, struct strbuf *out);
/* Answers a question of the page; both are JSON. */
void browse_spec_answer(struct browse_spec *v, struct str question, struct strbuf *out);
