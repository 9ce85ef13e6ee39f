/* Depth-first search as TLC's: the frontier is a stack instead of a queue, all else is the same.
 * The state expanded next is the one found last. One worker.
 *
 * The stack is one block of bytes; when it grows beyond its share, the lower part goes to a file in
 * pieces, which come back when the top is used up. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/queue.h"
#include "check/store.h"
#include "model/model.h"

#ifdef ASSAY_TINY
enum { STACK_BYTES = 256 };
#else
enum { STACK_BYTES = 16 << 20 }; /* in memory */
#endif

/* After each record's bytes, so that it is found from the top. */
struct __attribute__((packed)) trailer {
    uint64_t fp;
    uint64_t link;
    uint64_t level;
    uint32_t len;
};

struct piece {
    uint64_t offset;
    size_t bytes;
};

struct stack {
    struct store *store;
    struct strbuf top;
    size_t middle; /* a boundary between records at about half of STACK_BYTES */
    int fd;        /* -1: nothing was moved out yet */
    uint64_t end;  /* of the file */
    VEC(struct piece) pieces;
    struct strbuf record; /* the one popped last */
};

static int move_out(struct stack *stack, struct err *err)
{
    size_t bytes = stack->middle;
    int status = stack->fd < 0 ? store_create(stack->store, "stack.spill", &stack->fd, err) : 0;
    if (status == 0) {
        status = store_write(stack->store, stack->fd, stack->top.p, bytes, stack->end, err);
    }
    if (status < 0) {
        return status;
    }
    VEC_PUSH(&stack->pieces, (struct piece){stack->end, bytes});
    stack->end += bytes;
    memmove(stack->top.p, stack->top.p + bytes, stack->top.n - bytes);
    stack->top.n -= bytes;
    stack->middle = 0;
    return 0;
}

static int move_in(struct stack *stack, struct err *err)
{
    struct piece piece = VEC_POP(&stack->pieces);
    strbuf_reset(&stack->top);
    strbuf_reserve(&stack->top, piece.bytes);
    int status = store_read(stack->store, stack->fd, stack->top.p, piece.bytes, piece.offset, err);
    stack->top.n = status < 0 ? 0 : piece.bytes;
    stack->end = piece.offset;
    stack->middle = 0;
    return status;
}

int live_stack_push(struct stack *stack, struct worker *w, const struct candidate *cand,
                    uint64_t link, struct err *err)
{
    uint64_t depth_max = w->search->opt->depth_max;
    if (depth_max && w->level + 1 > depth_max) {
        w->search->cut = true;
        return 0;
    }
    size_t begin = stack->top.n;
    w->search->ops->save(w->model, &stack->top);
    struct trailer trailer = {.fp = cand->fp,
                              .link = link,
                              .level = w->level + 1,
                              .len = (uint32_t)(stack->top.n - begin)};
    strbuf_add(&stack->top, (const char *)&trailer, sizeof trailer);
    if (stack->middle == 0 && stack->top.n > STACK_BYTES / 2) {
        stack->middle = stack->top.n;
    }
    return stack->top.n > STACK_BYTES && stack->middle < stack->top.n ? move_out(stack, err) : 0;
}

/* 1 with a record, valid until the next call; 0 when the stack is empty. */
static int stack_pop(struct stack *stack, struct queue_record *ret_record, uint64_t *ret_level,
                     struct err *err)
{
    struct trailer trailer;
    if (stack->top.n == 0) {
        if (stack->pieces.n == 0) {
            return 0;
        }
        int status = move_in(stack, err);
        if (status < 0) {
            return status;
        }
    }
    memcpy(&trailer, stack->top.p + stack->top.n - sizeof trailer, sizeof trailer);
    stack->top.n -= sizeof trailer + trailer.len;
    if (stack->middle > stack->top.n) {
        stack->middle = 0;
    }
    strbuf_reset(&stack->record);
    strbuf_add(&stack->record, stack->top.p + stack->top.n, trailer.len);
    *ret_record = (struct queue_record){.fp = trailer.fp,
                                        .link = trailer.link,
                                        .bytes = (const uint8_t *)stack->record.p,
                                        .len = trailer.len};
    *ret_level = trailer.level;
    return 1;
}

/* What the leader does in a breadth-first search. Returns false when the search is over. */
static bool between_states(struct search *s, struct worker *w)
{
    struct err err = {0};
    unsigned request = atomic_exchange_explicit(&s->request, 0, memory_order_relaxed);
    if (s->failed) {
        return false;
    }
    if (search_maintain(s, &err) < 0) {
        search_fail(s, &err);
        return false;
    }
    if (s->raw.n > 0) {
        violations_settle(s, w);
    }
    if (request & REQ_STOP) {
        s->stopped = true;
    }
    if ((request & REQ_LIVE) && !s->fatal) {
        liveness_check(s, w);
    }
    return !s->fatal && !s->failed && !s->stopped;
}

static void dfs_work(struct worker *w)
{
    struct search *s = w->search;
    for (;;) {
        struct err err = {0};
        struct queue_record record;
        uint64_t level = 0;
        if (search_interrupted(s)) {
            search_request(s, REQ_STOP);
        }
        if (atomic_load_explicit(&s->request, memory_order_relaxed) != 0 && !between_states(s, w)) {
            return;
        }
        int got = stack_pop(s->stack, &record, &level, &err);
        if (got < 0) {
            search_fail(s, &err);
        }
        if (got == 0) {
            s->complete = !s->cut;
            return;
        }
        if (got > 0) {
            search_expand(w, &record, level);
        }
    }
}

static void *dfs_main(void *arg)
{
    struct worker *w = arg;
    struct search *s = w->search;
    if (search_worker_begin(w) == 0) {
        search_begin(w);
        dfs_work(w);
    }
    search_finish(w);
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_signal(&s->coordinator);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int search_dfs(struct search *s, struct err *err)
{
    struct stack stack = {.store = &s->store, .fd = -1};
    s->stack = &stack;
    s->exact_answers = true;
    int status = search_run(s, dfs_main, err);
    store_close(&s->store, stack.fd);
    store_remove(&s->store, "stack.spill");
    strbuf_done(&stack.top);
    strbuf_done(&stack.record);
    VEC_DONE(&stack.pieces);
    s->stack = NULL;
    return status;
}
