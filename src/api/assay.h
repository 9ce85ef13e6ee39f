/* libassay: specifications of TLA+ checked, evaluated and walked; traces read and written; clusters
 * of real programs stepped and compared with their specification. docs/LIBRARY.md has examples.
 *
 * Every object is opaque and belongs to whoever has made it. An object may be used from any thread,
 * by one call at a time (calls wait for each other); objects of their own may be used by any number
 * of threads together. Nothing is printed and nothing ends the process, unless there is no memory
 * at all or assay itself has a mistake: then a line on standard error says so, and abort() follows.
 * Signals, limits, umask and directory of the process stay as they are; while there are worlds, one
 * real-time signal that nobody uses has a handler, SIGCHLD tells nothing of children that only
 * stop, and the limit of open files is raised.
 *
 * What fails returns -1 or NULL and, unless `error` is NULL, gives a text there, of one or more
 * lines, to be freed with assay_free; *error is NULL otherwise. Structures begin with their size,
 * so that later versions can add to them: `struct assay_options options = {.size = sizeof
 * options}`. A structure that is NULL means the defaults. */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands between this line and the last is plain declarations, for cffi. BEGIN */

typedef struct assay_spec assay_spec;
typedef struct assay_trace assay_trace;
typedef struct assay_world assay_world;

const char *assay_version(void);
void assay_free(char *text); /* that a call has returned; accepts NULL */

/* ---- specifications ---- */

struct assay_options {
    size_t size;
    const char *config;            /* NULL: the specification's name with .cfg */
    const char *const *paths;      /* where modules are looked for; ends with NULL; may be NULL */
    const char *const *constants;  /* "N=3", "N<-Op": instead of the configuration's; as above */
    const char *const *invariants; /* expressions that are checked, too; as above */
    int no_exec;                   /* operators that run programs or write files fail */
    int no_deadlock;               /* a state without successors is no violation */
};
/* Reads modules and configuration (FILE.tla, FILE.cfg) and evaluates assumptions. */
assay_spec *assay_spec_open(const char *path, const struct assay_options *options, char **error);
void assay_spec_close(assay_spec *spec); /* accepts NULL; traces that it has given stay */

enum assay_verdict {
    ASSAY_HOLDS,    /* everything was seen, and nothing is violated */
    ASSAY_VIOLATED, /* an invariant, a property of steps, the initial states, a postcondition */
    ASSAY_DEADLOCK,
    ASSAY_LIVENESS,   /* a temporal property */
    ASSAY_EVALUATION, /* the specification cannot be evaluated somewhere */
    ASSAY_UNFINISHED /* a limit or assay_stop ended the search; nothing is violated in what was seen
                      */
};
enum assay_mode { ASSAY_BREADTH_FIRST, ASSAY_RANDOM };

struct assay_result {
    size_t size;
    int verdict; /* enum assay_verdict */
    int status;  /* the exit status that `assay check` has for it */
    int complete;
    uint64_t distinct, generated, depth, violations;
    double seconds;
};
struct assay_progress {
    size_t size;
    uint64_t distinct, generated, queued, depth;
    double seconds;
};
struct assay_violation {
    size_t size;
    const char *kind;         /* "invariant", "deadlock", "temporal", "evaluation", ... */
    const char *property;     /* its name; "" when there is none */
    const char *message;      /* one or more lines */
    const assay_trace *trace; /* that leads to it; NULL: none. assay_trace_keep makes it yours */
};
/* Called while assay_check runs, from its threads, one at a time; each may be NULL. What they are
 * given is good until they return. */
struct assay_callbacks {
    size_t size;
    void *arg;
    int (*progress)(void *arg, const struct assay_progress *progress); /* not 0: stop */
    void (*violation)(void *arg, const struct assay_violation *violation);
    void (*print)(void *arg, const char *text, size_t n); /* Print and PrintT */
};
struct assay_check_options {
    size_t size;
    unsigned workers;      /* 0: one for each processor */
    int mode;              /* enum assay_mode */
    int keep_going;        /* all violations, not only the first */
    uint64_t memory_bytes; /* 0: no limit */
    uint64_t depth;        /* of a random behaviour; 0: 100 */
    uint64_t behaviours;   /* random ones; 0: until stopped */
    uint64_t seed;
    double seconds;          /* 0: no limit */
    double progress_seconds; /* between calls of `progress`; 0: 1 */
    int interpreted;         /* never use compiled code */
};
/* Searches, by the configuration that the specification was opened with. Returns the verdict, or
 * -1. */
int assay_check(assay_spec *spec, const struct assay_check_options *options,
                const struct assay_callbacks *callbacks, struct assay_result *result, char **error);
/* Ends the call that goes on with this specification in another thread; when there is none, the
 * next one. */
void assay_stop(assay_spec *spec);

/* States have numbers, which are good until the specification is closed. 0 is no state. */
struct assay_step {
    size_t size;
    uint64_t state;       /* that it leads to */
    const char *action;   /* its name; "Initial predicate" */
    const char *label;    /* with arguments */
    const char *violated; /* the first property that is false; NULL: none */
    int outside;          /* the constraints of the configuration exclude it */
};
/* All initial states (state 0), or all steps from a state: calls `each` until it returns other than
 * 0. Returns how many there were, or -1. */
int64_t assay_steps(assay_spec *spec, uint64_t state,
                    int (*each)(void *arg, const struct assay_step *step), void *arg, char **error);
/* The variables of a state: one object of JSON, with values as in ITF. */
char *assay_state(assay_spec *spec, uint64_t state, char **error);
/* The value of an expression in TLA+: of a constant one (state 0), or in a state. */
char *assay_eval(assay_spec *spec, uint64_t state, const char *expression, char **error);

/* ---- traces ---- */

/* TLC's JSON, or ITF. */
assay_trace *assay_trace_read(const char *path, char **error);
/* The suffix says how: .json, .itf.json, .tla, .dot, .txt. */
int assay_trace_write(const assay_trace *trace, const char *path, char **error);
size_t assay_trace_length(const assay_trace *trace); /* states */
/* Where a lasso goes back to; -1: it is none. Its last state may just repeat (stuttering). */
int64_t assay_trace_loop(const assay_trace *trace);
/* What leads to a state, counted from 0: "Initial predicate", "Action(args)"; NULL: no such state.
 */
const char *assay_trace_label(const assay_trace *trace, size_t at);
char *assay_trace_state(const assay_trace *trace, size_t at, char **error); /* as assay_state */
assay_trace *assay_trace_keep(const assay_trace *trace);
void assay_trace_free(assay_trace *trace); /* accepts NULL */

/* ---- clusters of real programs ---- */

/* The cluster of a file (docs/CLUSTER.md), with every program waiting for its first event. Logs of
 * nodes go to `dir`, which is made; NULL: to a temporary directory, which goes with the world. */
assay_world *assay_world_open(const char *path, const char *dir, uint64_t seed, char **error);
void assay_world_close(assay_world *world); /* accepts NULL; ends all programs */
struct assay_event {
    size_t size;
    const char *text;  /* as in cluster files: "deliver 17", "timer n1" */
    const char *kind;  /* "deliver", "timer", "start", ... */
    const char *node;  /* where it happens */
    double at_seconds; /* when it is due, of virtual time; 0: now */
    int next;          /* it comes first by itself */
};
/* What can happen by itself now. Returns how many there were, or -1. */
int64_t assay_world_events(assay_world *world,
                           int (*each)(void *arg, const struct assay_event *event), void *arg,
                           char **error);
/* Makes an event happen, and waits until everything is quiet: any of the above, or a fault ("crash
 * n1", "partition n1 | n2 n3", "heal"). NULL: what is due next. Returns 0; 1 when the world is
 * over: no program is left and none will start. */
int assay_world_do(assay_world *world, const char *event, char **error);
double assay_world_seconds(assay_world *world); /* of virtual time, since the start */
uint64_t assay_world_hash(assay_world *world);  /* of all that was done and seen so far */
/* A variable of a program by its path (docs/MAPPING.md), as a value in TLA+. */
char *assay_world_observe(assay_world *world, const char *node, const char *variable, char **error);

/* ---- specification and programs ---- */

enum assay_agreement {
    ASSAY_AGREES,     /* the programs do all steps, and every state is the same */
    ASSAY_CONFIRMED,  /* so it is, and a property of the specification is false at the end */
    ASSAY_DIFFERS,    /* the message says where and how */
    ASSAY_IMPOSSIBLE, /* the programs cannot do a step of the trace */
    ASSAY_NOT_DECIDED /* the property needs more than is observed */
};
struct assay_conform_options {
    size_t size;
    const char *config;       /* instead of the mapping's; NULL: that */
    const char *cluster;      /* the same */
    const char *const *paths; /* where modules are looked for; ends with NULL; may be NULL */
};
/* Does a trace of the specification with the programs of a mapping file (docs/MAPPING.md), and
 * compares. Files are left in `dir`, which must be new or of an earlier run. Returns an agreement,
 * or -1. *message (may be NULL): for people, to be freed. */
int assay_conform(const char *mapping, const char *trace, const char *dir,
                  const struct assay_conform_options *options, char **message, char **error);

/* END */

#ifdef __cplusplus
}
#endif
#endif
