/* The search on the device: what follows the code of a specification in the text that is compiled
 * for it (source.c). Plain C: one thread does one state after the other. For a GPU a launch has as
 * many threads as it holds; on a CPU as many as the host says, each called by its number. Whatever
 * is shared goes by atomic operations, whose order does not matter: what a launch wrote is read by
 * the next one.
 *
 * A successor is put into the table as soon as it is made. Where there is no room for what follows
 * from that, it is taken out again, and the whole state is done again later. Others may have seen
 * it in the table meanwhile and have gone on: it comes back. Its place is not used again, so that
 * the way to every other fingerprint stays what it was. */

#ifdef __NVPTX__
#define KERNEL(name)                                                                               \
    __attribute__((nvptx_kernel)) void name(const struct gpu_go *go)
#define THREAD                                                                                     \
    ((uint64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +                    \
     __nvvm_read_ptx_sreg_tid_x())
#define THREADS ((uint64_t)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x())
#else
#define KERNEL(name) void name(const struct gpu_go *go, uint64_t thread_, uint64_t threads_)
#define THREAD       thread_
#define THREADS      threads_
#endif

#define AT_DEVICE(type, address) ((type *)(uintptr_t)(address))
typedef __UINTPTR_TYPE__ uintptr_t;

/* A state with room for those who read whole words. */
union room {
    S s;
    uint64_t word[sizeof(S) / 8 + 1];
};

struct X {
    struct W w; /* first */
    const struct gpu_go *go;
    const S *s;
    uint64_t number; /* of the state in its level */
    uint32_t ordinal;
    uint32_t undo; /* so many successors are still to be taken from the counts */
    int bad;       /* nothing more is to be made of this state, and why */
    uint32_t generated[GPU_ACTIONS + 1], distinct[GPU_ACTIONS + 1];
    union room t;
};

int memcmp(const void *a, const void *b, size_t n)
#ifdef __NVPTX__
{
    const uint8_t *p = a, *q = b;
    for (; n; n--, p++, q++)
        if (*p != *q) return *p < *q ? -1 : 1;
    return 0;
}
#else
    ;
#endif

static inline void copy_words(uint64_t *to, const uint64_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) to[i] = from[i];
}

static inline uint64_t add(uint64_t *at, uint64_t n)
{
    return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

static inline struct gpu_counts *counts_of(const struct gpu_go *go)
{
    return AT_DEVICE(struct gpu_counts, go->counts);
}

/* ---- the table ---- */
enum { SEEN, FRESH, FULL, STEPS_MAX = 2048 };

static inline uint64_t key_of(uint64_t fp)
{
    return fp > GPU_GONE ? fp : fp + 0x9e3779b97f4a7c15;
}

static OUTLINE int table_put(const struct gpu_go *go, uint64_t key, uint64_t **ret_at)
{
    uint64_t *table = AT_DEVICE(uint64_t, go->table), slots = go->slots;
    uint64_t h = key * 0x9e3779b97f4a7c15;
    uint64_t i = (uint64_t)((__uint128_t)(h ^ h >> 32) * slots >> 64);
    for (uint32_t step = 0; step < STEPS_MAX; step++) {
        uint64_t there = __atomic_load_n(&table[i], __ATOMIC_RELAXED);
        if (there == key) return SEEN;
        if (there == GPU_EMPTY) {
            if (__atomic_compare_exchange_n(&table[i], &there, key, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
                *ret_at = &table[i];
                return FRESH;
            }
            if (there == key) return SEEN;
        }
        i = i + 1 == slots ? 0 : i + 1;
    }
    return FULL;
}

static inline void table_take_back(uint64_t *at)
{
    __atomic_store_n(at, (uint64_t)GPU_GONE, __ATOMIC_RELAXED);
}

/* ---- candidates ---- */

/* The host must judge the candidate; false: there is no room to say so. */
static OUTLINE int doubt(struct X *x, uint64_t candidate)
{
    uint64_t at = add(&counts_of(x->go)->doubts, 1);
    if (at >= x->go->doubt_cap) return 0;
    AT_DEVICE(uint64_t, x->go->doubts)[at] = candidate;
    return 1;
}

/* Before a predicate is called, which writes its answer only where it holds. */
static inline void begin_pred(struct X *x, uint64_t level)
{
    x->w.level = level;
    x->w.depth = 0;
}

/* 1: in the model; 0: not; else why the host must look. */
static OUTLINE int in_model(struct X *x, int *ret)
{
    const S *t = &x->t.s;
    int why, holds;
    (void)t; (void)why; (void)holds;
    *ret = 0;
#define CONSTRAINT(pred)                                                                           \
    begin_pred(x, x->go->level + 1);                                                               \
    holds = 0;                                                                                     \
    why = pred(&x->w, t, t, ~UINT64_C(0), &holds);                                                 \
    if (why) return why;                                                                           \
    if (!holds) return 0;
#define STEP_CONSTRAINT(pred)                                                                      \
    begin_pred(x, x->go->level);                                                                   \
    holds = 0;                                                                                     \
    why = pred(&x->w, x->s, t, ~UINT64_C(0), &holds);                                              \
    if (why) return why;                                                                           \
    if (!holds) return 0;
    GPU_CONSTRAINTS(CONSTRAINT)
    GPU_STEP_CONSTRAINTS(STEP_CONSTRAINT)
    *ret = 1;
    return 0;
}

/* Do all properties hold, for sure? */
static OUTLINE int invariants_hold(struct X *x, uint64_t changed)
{
    const S *t = &x->t.s;
    int holds;
    (void)t; (void)holds; (void)changed;
#define INVARIANT(pred)                                                                            \
    begin_pred(x, x->go->level + 1);                                                               \
    holds = 0;                                                                                     \
    if (pred(&x->w, t, t, changed, &holds) || !holds) return 0;
    GPU_INVARIANTS(INVARIANT)
    return 1;
}

static OUTLINE int step_holds(struct X *x)
{
    int holds;
    (void)holds;
#define STEP(pred)                                                                                 \
    begin_pred(x, x->go->level);                                                                   \
    holds = 0;                                                                                     \
    if (pred(&x->w, x->s, &x->t.s, ~UINT64_C(0), &holds) || !holds) return 0;
    GPU_STEPS(STEP)
    return 1;
}

/* Puts the new state x->t where it belongs; false: there is no room. */
static inline int put_out(struct X *x, uint64_t candidate)
{
    const struct gpu_go *go = x->go;
    uint64_t at = go->out_n + add(&counts_of(go)->fresh, 1);
    if (at >= go->out_cap) return 0;
    copy_words(AT_DEVICE(uint64_t, go->out) + at * (sizeof(S) / 8), x->t.word, sizeof(S) / 8);
    AT_DEVICE(uint64_t, go->parents)[at] = candidate;
    return 1;
}

/* What follows for a candidate, which is in x->t: as candidate_treat of room check does it. Returns
 * 0, or why nothing was done. */
static OUTLINE int treat(struct X *x, int inside, uint64_t fp, uint64_t candidate, uint32_t action,
                         uint64_t changed, int step)
{
    uint64_t *at = 0;
    int answer = inside ? table_put(x->go, key_of(fp), &at) : FRESH;
    if (answer == FULL) {
        add(&counts_of(x->go)->full, 1);
        return GPU_AGAIN;
    }
    int good = answer == SEEN || invariants_hold(x, changed);
    if ((GPU_HAS_STEPS && good && step && !step_holds(x)) || !good) {
        if (!doubt(x, candidate)) {
            if (at) table_take_back(at);
            return GPU_AGAIN;
        }
    }
    if (at && !put_out(x, candidate)) {
        table_take_back(at);
        return GPU_AGAIN;
    }
    if (at) x->distinct[action]++;
    return 0;
}

static OUTLINE void successor(struct X *x, uint32_t action, uint64_t changed)
{
    int inside;
    uint64_t fp = 0;
    if (x->undo) { /* counted before it turned out that the state is not done */
        x->generated[action]--;
        if (--x->undo == 0) x->bad = GPU_AGAIN;
        return;
    }
    x->ordinal++;
    x->generated[action]++;
    int why = in_model(x, &inside);
    if (!why && inside) {
        x->w.depth = 0;
        why = state_fp(&x->w, &x->t.s, &fp);
    }
    if (!why && x->ordinal > GPU_ORDINAL_MAX) why = T_BIG;
    if (!why) {
        why = treat(x, inside, fp, x->number << GPU_ORDINAL_BITS | x->ordinal, action, changed, 1);
    }
    x->bad = why;
}

/* ---- called by the code of the specification ---- */
static int next_state(struct W *w, S **ret)
{
    struct X *x = (struct X *)w;
    if (x->bad) TRAP(x->bad);
    *ret = &x->t.s;
    return 0;
}

static void next_done(struct W *w, uint32_t action, uint64_t changed)
{
    uint32_t depth = w->depth;
    uint64_t level = w->level;
    successor((struct X *)w, action, changed);
    w->depth = depth;
    w->level = level;
}

/* ---- states ---- */

/* All disjuncts of Next; 0, or why they must be done again. */
static OUTLINE int run_acts(struct X *x)
{
    const S *s = x->s;
    int why;
    x->bad = 0;
    x->w.ticks = 0;
#define ACT(act)                                                                                   \
    begin_pred(x, x->go->level);                                                                   \
    why = act(&x->w, s, s);                                                                        \
    if (why || x->bad) return x->bad ? x->bad : why;
    GPU_ACTS(ACT)
    return 0;
}

/* Takes what the state at hand has added to the counts from them. */
static OUTLINE void uncount(struct X *x)
{
    x->undo = x->ordinal;
    if (x->undo) (void)run_acts(x);
    x->undo = 0;
}

static void worker_begin(struct X *x, const struct gpu_go *go)
{
    x->go = go;
    x->undo = 0;
    x->w.n = 0;
    x->w.ticks = 0;
    x->t.word[sizeof(S) / 8] = 0;
    for (uint32_t i = 0; i < GPU_ACTIONS; i++) x->generated[i] = x->distinct[i] = 0;
}

static void worker_end(struct X *x)
{
    uint64_t *all = (uint64_t *)(counts_of(x->go) + 1);
    uint64_t distinct = 0;
    for (uint32_t i = 0; i < GPU_ACTIONS; i++) {
        if (x->generated[i]) add(&all[i], x->generated[i]);
        if (x->distinct[i]) add(&all[GPU_ACTIONS + i], x->distinct[i]);
        distinct += x->distinct[i];
    }
    if (distinct) add(&counts_of(x->go)->distinct, distinct);
}

static inline void put_off(const struct gpu_go *go, uint64_t which, int why)
{
    uint64_t at = add(&counts_of(go)->todo, 1);
    AT_DEVICE(uint64_t, go->todo)[at] = which << 16 | (uint32_t)why;
}

static inline uint64_t which_of(const struct gpu_go *go, uint64_t i)
{
    return go->pick ? AT_DEVICE(uint32_t, go->pick)[i] : go->from + i;
}

KERNEL(expand)
{
    union room s;
    struct X x;
    worker_begin(&x, go);
    s.word[sizeof(S) / 8] = 0;
    x.s = &s.s;
    for (uint64_t i = THREAD; i < go->n; i += THREADS) {
        uint64_t which = which_of(go, i);
        copy_words(s.word, AT_DEVICE(uint64_t, go->in) + which * (sizeof(S) / 8), sizeof(S) / 8);
        x.number = go->first + which;
        x.ordinal = 0;
        x.w.ticks = 0;
        int why = run_acts(&x);
        if (!why && GPU_DEADLOCK && x.ordinal == 0) {
            why = doubt(&x, x.number << GPU_ORDINAL_BITS) ? 0 : GPU_AGAIN;
        }
        if (why) {
            uncount(&x);
            put_off(go, which, why);
        }
    }
    worker_end(&x);
}

/* States that the host made; it has counted and judged the steps to them. */
KERNEL(insert)
{
    struct X x;
    worker_begin(&x, go);
    x.s = &x.t.s;
    for (uint64_t i = THREAD; i < go->n; i += THREADS) {
        uint64_t which = which_of(go, i);
        const struct gpu_item *item = AT_DEVICE(struct gpu_item, go->items) + which;
        copy_words(x.t.word, AT_DEVICE(uint64_t, go->in) + which * (sizeof(S) / 8), sizeof(S) / 8);
        x.w.ticks = 0;
        int why = treat(&x, 1, item->fp, item->candidate, item->action, ~UINT64_C(0), 0);
        if (why) put_off(go, which, why);
    }
    worker_end(&x);
}

/* Fingerprints of an old table `in`, of n words, to a new one. */
KERNEL(rehash)
{
    const uint64_t *old = AT_DEVICE(uint64_t, go->in);
    uint64_t *at, moved = 0;
    for (uint64_t i = THREAD; i < go->n; i += THREADS) {
        if (old[i] > GPU_GONE && table_put(go, old[i], &at) == FULL) add(&counts_of(go)->full, 1);
    }
}

/* States one after the other: those picked of `in` to `out`. */
KERNEL(collect)
{
    const uint64_t words = sizeof(S) / 8;
    for (uint64_t i = THREAD; i < go->n; i += THREADS) {
        copy_words(AT_DEVICE(uint64_t, go->out) + i * words,
                   AT_DEVICE(uint64_t, go->in) + which_of(go, i) * words, words);
    }
}
