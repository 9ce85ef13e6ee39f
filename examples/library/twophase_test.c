/* A unit test with a specification in it: a coordinator written in C is driven through random
 * orders of messages, and all that it does must be a step of TwoPhase.tla.
 *
 *     cc twophase_test.c $(pkg-config --cflags --libs assay) && ./a.out TwoPhase.tla
 *
 * With -DHASTY the coordinator commits one promise too early: the test finds it out. */
#include <assay.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program that is tested ---- */

enum { PARTICIPANTS = 3 };
#ifdef HASTY
enum { ENOUGH = PARTICIPANTS - 1 };
#else
enum { ENOUGH = PARTICIPANTS };
#endif

struct coordinator {
    bool promised[PARTICIPANTS];
    int count;
    bool decided;
};

/* A promise has come. True: everybody has to be told to commit. */
static bool coordinator_promise(struct coordinator *c, int from)
{
    if (c->decided || c->promised[from]) {
        return false;
    }
    c->promised[from] = true;
    c->decided = ++c->count == ENOUGH;
    return c->decided;
}

/* ---- the test ---- */

struct search {
    const char *label;
    uint64_t state; /* that the step leads to; 0: there is no such step */
};

static int compare(void *arg, const struct assay_step *step)
{
    struct search *s = arg;
    s->state = strcmp(step->label, s->label) == 0 ? step->state : s->state;
    return s->state != 0;
}

/* The specification takes a step of that name; false: it has none here. */
static bool follow(assay_spec *spec, uint64_t *state, const char *label)
{
    struct search s = {.label = label};
    char *error = NULL;
    if (assay_steps(spec, *state, compare, &s, &error) < 0 || s.state == 0) {
        char *here = *state != 0 ? assay_state(spec, *state, NULL) : NULL;
        printf("not ok: the specification has no step %s %s\n", label,
               error != NULL  ? error
               : here != NULL ? here
                              : "");
        assay_free(here);
        assay_free(error);
        return false;
    }
    *state = s.state;
    return true;
}

static bool one_run(assay_spec *spec, unsigned seed)
{
    struct coordinator c = {.count = 0};
    bool sent[PARTICIPANTS] = {false};
    uint64_t state = 0;
    char label[64];
    srand(seed);
    if (!follow(spec, &state, "Initial predicate")) {
        return false;
    }
    while (!c.decided) {
        int p = rand() % PARTICIPANTS;
        bool collect = sent[p] && !c.promised[p];
        if (sent[p] && !collect) {
            continue;
        }
        (void)snprintf(label, sizeof label, collect ? "CollectPromise(p%d)" : "Promise(p%d)",
                       p + 1);
        sent[p] = true;
        bool commits = collect && coordinator_promise(&c, p);
        if (!follow(spec, &state, label) || (commits && !follow(spec, &state, "DecideCommit"))) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static const char *const constants[] = {"Participant={p1, p2, p3}", NULL};
    struct assay_options options = {.size = sizeof options, .constants = constants};
    char *error = NULL;
    assay_spec *spec = assay_spec_open(argc > 1 ? argv[1] : "TwoPhase.tla", &options, &error);
    bool good = spec != NULL;
    if (spec == NULL) {
        printf("not ok: %s\n", error);
        assay_free(error);
    }
    for (unsigned seed = 1; good && seed <= 100; seed++) {
        good = one_run(spec, seed);
    }
    assay_spec_close(spec);
    if (good) {
        printf("ok: what the coordinator does in 100 runs, the specification allows\n");
    }
    return good ? 0 : 1;
}
