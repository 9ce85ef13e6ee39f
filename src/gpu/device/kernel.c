/* The search on the device: what follows the code of a specification in the text that is compiled
 * for it (source.c). Plain C. For a GPU a launch has as many threads as it holds; on a CPU as many
 * as the host says, each called by its number. Whatever is shared goes by atomic operations, whose
 * order does not matter: what a launch wrote is read by the next one.
 *
 * A state's successors are made by one thread, and written down; what becomes of them is done by
 * kernels of their own, a thread for each successor. So threads that run together do the same,
 * which they would not between the guards of actions. Nothing that others see happens before it is
 * known that there is room for it, or that a state need not be done again. */

#ifdef __NVPTX__
#define KERNEL(name)  __attribute__((nvptx_kernel)) void name(const struct gpu_go *go)
#define BLOCK_THREADS ((uint64_t)__nvvm_read_ptx_sreg_ntid_x())
#define BLOCK_THREAD  ((uint64_t)__nvvm_read_ptx_sreg_tid_x())
#define THREAD        ((uint64_t)__nvvm_read_ptx_sreg_ctaid_x() * BLOCK_THREADS + BLOCK_THREAD)
#define THREADS       ((uint64_t)__nvvm_read_ptx_sreg_nctaid_x() * BLOCK_THREADS)
#else
#define KERNEL(name) void name(const struct gpu_go *go, uint64_t thread_, uint64_t threads_)
#define THREAD       thread_
#define THREADS      threads_
#endif

#define AT_DEVICE(type, address) ((type *)(uintptr_t)(address))
typedef __UINTPTR_TYPE__ uintptr_t;

enum { WORDS = sizeof(S) / 8 };

/* A state with room for those who read whole words. */
union room {
    S s;
    uint64_t word[WORDS + 1];
};

/* A thread that makes successors. */
struct X {
    struct W w; /* first */
    const struct gpu_go *go;
    uint64_t number;         /* of the state in its level */
    uint64_t slot, slot_end; /* places for successors that are this thread's, and free */
    uint32_t state;          /* of the launch */
    uint32_t ordinal;
    int bad; /* nothing more is to be made of this state, and why */
};

int memcmp(const void *a, const void *b, size_t n)
#ifdef __NVPTX__
{
    const uint8_t *p = a, *q = b;
    for (; n; n--, p++, q++) {
        if (*p != *q) {
            return *p < *q ? -1 : 1;
        }
    }
    return 0;
}
#else
    ;
#endif

static inline void copy_words(uint64_t *to, const uint64_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

static inline uint64_t add(uint64_t *at, uint64_t n)
{
    return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

static inline struct gpu_counts *counts_of(const struct gpu_go *go)
{
    return AT_DEVICE(struct gpu_counts, go->counts);
}

static inline S *made_of(const struct gpu_go *go)
{
    return AT_DEVICE(S, go->made);
}

static inline struct gpu_head *heads_of(const struct gpu_go *go)
{
    return AT_DEVICE(struct gpu_head, go->heads);
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- the table ---- */
enum { SEEN, FRESH, FULL, STEPS_MAX = 1 << 14 };

static inline uint64_t key_of(uint64_t fp)
{
    return fp != GPU_EMPTY ? fp : 0x9e3779b97f4a7c15;
}

static OUTLINE int table_put(const struct gpu_go *go, uint64_t key)
{
    uint64_t *table = AT_DEVICE(uint64_t, go->table), slots = go->slots;
    uint64_t h = key * 0x9e3779b97f4a7c15;
    uint64_t i = (uint64_t)((__uint128_t)(h ^ h >> 32) * slots >> 64);
    for (uint32_t step = 0; step < STEPS_MAX; step++) {
        uint64_t there = __atomic_load_n(&table[i], __ATOMIC_RELAXED);
        if (there == key) {
            return SEEN;
        }
        if (there == GPU_EMPTY) {
            if (__atomic_compare_exchange_n(&table[i], &there, key, 0, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
                return FRESH;
            }
            if (there == key) {
                return SEEN;
            }
        }
        i = i + 1 == slots ? 0 : i + 1;
    }
    return FULL;
}

/* ---- states ---- */
static inline uint64_t which_of(const struct gpu_go *go, uint64_t i)
{
    return go->pick ? AT_DEVICE(uint32_t, go->pick)[i] : go->from + i;
}

static inline uint32_t *bad_of(const struct gpu_go *go, uint64_t i)
{
    return &AT_DEVICE(uint32_t, go->bad)[i];
}

/* The state must be done again, or by the host: once, whoever finds it first. */
static OUTLINE void put_off(const struct gpu_go *go, uint64_t i, int why)
{
    if (__atomic_exchange_n(bad_of(go, i), 1, __ATOMIC_RELAXED) == 0) {
        uint64_t at = add(&counts_of(go)->todo, 1);
        AT_DEVICE(uint64_t, go->todo)[at] = which_of(go, i) << 16 | (uint32_t)why;
    }
}

/* The host must judge the candidate; false: there is no room to say so. */
static OUTLINE int doubt(const struct gpu_go *go, uint64_t candidate)
{
    uint64_t at = add(&counts_of(go)->doubts, 1);
    if (at >= go->doubt_cap) {
        return 0;
    }
    AT_DEVICE(uint64_t, go->doubts)[at] = candidate;
    return 1;
}

/* ---- make ---- called by the code of the specification */
static int next_state(struct W *w, S **ret)
{
    struct X *x = (struct X *)w;
    if (x->bad) {
        TRAP(x->bad);
    }
    if (x->slot == x->slot_end) { /* a few at once: all threads ask here */
        uint64_t at = add(&counts_of(x->go)->made, x->go->places);
        if (at + x->go->places > x->go->made_cap) {
            for (; at < x->go->made_cap; at++) {
                heads_of(x->go)[at].what = GPU_NOTHING;
            }
            x->bad = GPU_AGAIN;
            TRAP(GPU_AGAIN);
        }
        x->slot = at;
        x->slot_end = at + x->go->places;
    }
    *ret = made_of(x->go) + x->slot;
    return 0;
}

static void next_done(struct W *w, uint32_t action, uint64_t changed)
{
    struct X *x = (struct X *)w;
    struct gpu_head *head = heads_of(x->go) + x->slot;
    if (++x->ordinal > GPU_ORDINAL_MAX) {
        x->bad = T_BIG;
        return;
    }
    head->candidate = x->number << GPU_ORDINAL_BITS | x->ordinal;
    head->changed = changed;
    head->state = x->state;
    head->action = (uint16_t)action;
    head->what = GPU_MADE;
    x->slot++;
}

/* Before a function of the specification is called. */
static inline void begin_call(struct W *w, uint64_t level)
{
    w->level = level;
    w->depth = 0;
}

/* All disjuncts of Next; 0, or why they must be done again. */
static OUTLINE int run_acts(struct X *x, const S *s)
{
    int why;
#define ACT(act)                                                                                   \
    begin_call(&x->w, x->go->level);                                                               \
    why = act(&x->w, s, s);                                                                        \
    if (why || x->bad)                                                                             \
        return x->bad ? x->bad : why;
    GPU_ACTS(ACT)
    return 0;
}

KERNEL(make)
{
    union room s;
    struct X x;
    x.go = go;
    x.w.n = 0;
    x.slot = x.slot_end = 0;
    s.word[WORDS] = 0;
    for (uint64_t i = THREAD; i < go->n; i += THREADS) {
        uint64_t which = which_of(go, i);
        copy_words(s.word, AT_DEVICE(uint64_t, go->in) + which * WORDS, WORDS);
        x.number = go->first + which;
        x.state = (uint32_t)i;
        x.ordinal = 0;
        x.bad = 0;
        x.w.ticks = 0;
        *bad_of(go, i) = 0;
        int why = run_acts(&x, &s.s);
        if (!why && GPU_DEADLOCK && x.ordinal == 0) {
            why = doubt(go, x.number << GPU_ORDINAL_BITS) ? 0 : GPU_AGAIN;
        }
        if (why) {
            put_off(go, i, why);
        }
    }
    for (; x.slot < x.slot_end; x.slot++) {
        heads_of(go)[x.slot].what = GPU_NOTHING;
    }
}

/* ---- look ---- */

/* 1: in the model; 0: not; else why the host must look. A predicate writes its answer only where it
 * holds. */
static OUTLINE int in_model(struct W *w, const struct gpu_go *go, const S *s, const S *t, int *ret)
{
    int why, holds;
    (void)s;
    (void)t;
    (void)why;
    (void)holds;
    *ret = 0;
#define CONSTRAINT(pred)                                                                           \
    begin_call(w, go->level + 1);                                                                  \
    holds = 0;                                                                                     \
    why = pred(w, t, t, ~UINT64_C(0), &holds);                                                     \
    if (why)                                                                                       \
        return why;                                                                                \
    if (!holds)                                                                                    \
        return 0;
#define STEP_CONSTRAINT(pred)                                                                      \
    begin_call(w, go->level);                                                                      \
    holds = 0;                                                                                     \
    why = pred(w, s, t, ~UINT64_C(0), &holds);                                                     \
    if (why)                                                                                       \
        return why;                                                                                \
    if (!holds)                                                                                    \
        return 0;
    GPU_CONSTRAINTS(CONSTRAINT)
    GPU_STEP_CONSTRAINTS(STEP_CONSTRAINT)
    *ret = 1;
    return 0;
}

/* Do the action properties hold, for sure? */
static OUTLINE int steps_hold(struct W *w, const struct gpu_go *go, const S *s, const S *t)
{
    int holds;
    (void)s;
    (void)t;
    (void)holds;
#define STEP(pred)                                                                                 \
    begin_call(w, go->level);                                                                      \
    holds = 0;                                                                                     \
    if (pred(w, s, t, ~UINT64_C(0), &holds) || !holds)                                             \
        return 0;
    GPU_STEPS(STEP)
    return 1;
}

KERNEL(look)
{
    struct W w;
    uint64_t n = least(counts_of(go)->made, go->made_cap);
    w.n = 0;
    for (uint64_t k = THREAD; k < n; k += THREADS) {
        struct gpu_head *head = heads_of(go) + k;
        if (head->what != GPU_MADE || __atomic_load_n(bad_of(go, head->state), __ATOMIC_RELAXED)) {
            continue;
        }
        const S *s = AT_DEVICE(S, go->in) + which_of(go, head->state), *t = made_of(go) + k;
        int inside;
        uint64_t fp = 0;
        w.ticks = 0;
        int why = in_model(&w, go, s, t, &inside);
        if (!why && inside) {
            w.depth = 0;
            why = state_fp(&w, t, &fp);
        }
        if (!why && GPU_HAS_STEPS && !steps_hold(&w, go, s, t)) {
            why = doubt(go, head->candidate) ? 0 : GPU_AGAIN;
        }
        if (why) {
            put_off(go, head->state, why);
        } else {
            head->fp = fp;
            head->what = inside ? GPU_INSIDE : GPU_OUTSIDE;
        }
    }
}

/* ---- put ---- */

/* What a thread has counted by action. */
struct tally {
    uint32_t generated[GPU_ACTIONS + 1], distinct[GPU_ACTIONS + 1];
};

/* What becomes of a successor: nothing more, or where in the list it goes. */
enum { DONE, TO_FRESH, TO_OUTSIDE };

#ifdef __NVPTX__
/* Threads of a block add up what they have, so that few ask for the same word of memory. Volatile:
 * the compiler does not know that others write there between two barriers. */
#define OF_BLOCK static volatile __attribute__((address_space(3)))
OF_BLOCK uint32_t block_tally[2 * GPU_ACTIONS + 1], block_n[2];
OF_BLOCK uint64_t block_at[2];

static void tally_end(const struct gpu_go *go, const struct tally *mine)
{
    uint64_t *all = (uint64_t *)(counts_of(go) + 1);
    for (uint32_t i = BLOCK_THREAD; i < 2 * GPU_ACTIONS; i += BLOCK_THREADS) {
        block_tally[i] = 0;
    }
    __syncthreads();
    for (uint32_t i = 0; i < GPU_ACTIONS; i++) {
        if (mine->generated[i]) {
            __atomic_fetch_add(&block_tally[i], mine->generated[i], __ATOMIC_RELAXED);
        }
        if (mine->distinct[i]) {
            __atomic_fetch_add(&block_tally[GPU_ACTIONS + i], mine->distinct[i], __ATOMIC_RELAXED);
        }
    }
    __syncthreads();
    for (uint32_t i = BLOCK_THREAD; i < 2 * GPU_ACTIONS; i += BLOCK_THREADS) {
        if (block_tally[i]) {
            add(&all[i], block_tally[i]);
        }
    }
}

/* By all threads of a block at once. */
static void list_add(const struct gpu_go *go, uint64_t k, int to)
{
    uint32_t *list = AT_DEVICE(uint32_t, go->list), mine = 0;
    if (BLOCK_THREAD == 0) {
        block_n[0] = block_n[1] = 0;
    }
    __syncthreads();
    if (to != DONE) {
        mine = __atomic_fetch_add(&block_n[to - TO_FRESH], 1, __ATOMIC_RELAXED);
    }
    __syncthreads();
    if (BLOCK_THREAD == 0) {
        block_at[0] = block_n[0] ? add(&counts_of(go)->fresh, block_n[0]) : 0;
        block_at[1] = block_n[1] ? add(&counts_of(go)->outside, block_n[1]) : 0;
    }
    __syncthreads();
    if (to == TO_FRESH) {
        list[block_at[0] + mine] = (uint32_t)k;
    }
    if (to == TO_OUTSIDE) {
        list[go->made_cap - 1 - (block_at[1] + mine)] = (uint32_t)k;
    }
}
#else
#define BLOCK_THREAD 0
static void tally_end(const struct gpu_go *go, const struct tally *mine)
{
    uint64_t *all = (uint64_t *)(counts_of(go) + 1);
    for (uint32_t i = 0; i < GPU_ACTIONS; i++) {
        add(&all[i], mine->generated[i]);
        add(&all[GPU_ACTIONS + i], mine->distinct[i]);
    }
}

static void list_add(const struct gpu_go *go, uint64_t k, int to)
{
    uint32_t *list = AT_DEVICE(uint32_t, go->list);
    if (to == TO_FRESH) {
        list[add(&counts_of(go)->fresh, 1)] = (uint32_t)k;
    }
    if (to == TO_OUTSIDE) {
        list[go->made_cap - 1 - add(&counts_of(go)->outside, 1)] = (uint32_t)k;
    }
}
#endif

static OUTLINE int put_one(const struct gpu_go *go, struct gpu_head *head, struct tally *tally)
{
    uint32_t action = head->action, what = head->what;
    if (go->again ? what != GPU_WAITS : what != GPU_INSIDE && what != GPU_OUTSIDE) {
        return DONE;
    }
    if (!go->found && *bad_of(go, head->state)) {
        return DONE;
    }
    if (!go->again && !go->found) {
        tally->generated[action]++;
    }
    if (what == GPU_OUTSIDE) {
        return TO_OUTSIDE;
    }
    int answer = table_put(go, key_of(head->fp));
    if (answer == FULL) {
        head->what = GPU_WAITS;
        add(&counts_of(go)->full, 1);
    } else if (answer == FRESH) {
        tally->distinct[action]++;
        return TO_FRESH;
    }
    return DONE;
}

KERNEL(put)
{
    struct tally tally;
    uint64_t n = least(counts_of(go)->made, go->made_cap);
    for (uint32_t i = 0; i < GPU_ACTIONS; i++) {
        tally.generated[i] = tally.distinct[i] = 0;
    }
    for (uint64_t from = THREAD - BLOCK_THREAD; from < n; from += THREADS) { /* as one block */
        uint64_t k = from + BLOCK_THREAD;
        list_add(go, k, k < n ? put_one(go, heads_of(go) + k, &tally) : DONE);
    }
    tally_end(go, &tally);
}

/* ---- judge ---- */

/* Do the invariants hold, for sure? */
static OUTLINE int invariants_hold(struct W *w, const struct gpu_go *go, const S *t,
                                   uint64_t changed)
{
    int holds;
    (void)t;
    (void)holds;
    (void)changed;
#define INVARIANT(pred)                                                                            \
    begin_call(w, go->level + 1);                                                                  \
    holds = 0;                                                                                     \
    if (pred(w, t, t, changed, &holds) || !holds)                                                  \
        return 0;
    GPU_INVARIANTS(INVARIANT)
    return 1;
}

KERNEL(judge)
{
    struct W w;
    const uint32_t *list = AT_DEVICE(uint32_t, go->list);
    const struct gpu_counts *counts = counts_of(go);
    uint64_t to = least(counts->fresh, go->list_to);
    uint64_t outside = least(counts->outside, go->outside_to);
    uint64_t fresh = to > go->list_from ? to - go->list_from : 0;
    uint64_t n = fresh + (outside > go->outside_from ? outside - go->outside_from : 0);
    w.n = 0;
    for (uint64_t j = THREAD; j < n; j += THREADS) {
        uint64_t k = j < fresh ? list[go->list_from + j]
                               : list[go->made_cap - 1 - go->outside_from - (j - fresh)];
        const struct gpu_head *head = heads_of(go) + k;
        w.ticks = 0;
        if (!invariants_hold(&w, go, made_of(go) + k, head->changed)) {
            (void)doubt(go, head->candidate); /* the host sees that there were too many */
        }
    }
}

/* ---- keep ---- */

/* A thread for each word, so that those beside each other write beside each other. */
KERNEL(keep)
{
    const uint32_t *list = AT_DEVICE(uint32_t, go->list) + go->list_from;
    const uint64_t *made = AT_DEVICE(uint64_t, go->made);
    uint64_t *out = AT_DEVICE(uint64_t, go->out) + go->out_n * WORDS;
    uint64_t *parents = AT_DEVICE(uint64_t, go->parents) + go->out_n;
    uint64_t to = least(counts_of(go)->fresh, go->list_to);
    uint64_t n = to > go->list_from ? least(to - go->list_from, go->out_cap - go->out_n) : 0;
    for (uint64_t i = THREAD; i < n * WORDS; i += THREADS) {
        uint64_t j = i / WORDS, word = i % WORDS;
        out[i] = made[list[j] * (uint64_t)WORDS + word];
        if (word == 0) {
            parents[j] = heads_of(go)[list[j]].candidate;
        }
    }
}

/* ---- others ---- */

/* Fingerprints of an old table `in`, of n words, to a new one. */
KERNEL(rehash)
{
    const uint64_t *old = AT_DEVICE(uint64_t, go->in);
    for (uint64_t i = THREAD; i < go->n; i += THREADS) {
        if (old[i] != GPU_EMPTY && table_put(go, old[i]) == FULL) {
            add(&counts_of(go)->full, 1);
        }
    }
}

/* States one after the other: those picked of `in` to `out`. */
KERNEL(collect)
{
    for (uint64_t i = THREAD; i < go->n * WORDS; i += THREADS) {
        AT_DEVICE(uint64_t, go->out)
        [i] = AT_DEVICE(uint64_t, go->in)[which_of(go, i / WORDS) * WORDS + i % WORDS];
    }
}
