/* Several processes that search together: see peers.h.
 *
 * Who finds a successor checks its constraints, invariants and step; who owns it decides whether it
 * is new. So a rank may check a state that another one knows, but not often: what was sent lately
 * is remembered and not sent again (nor checked). Counts are each rank's own, and are added up.
 *
 * A violation ends the search in a round. Its path is asked for from rank to rank, by fingerprint,
 * and rank 0 runs its own model along it and expands the last state once more: so whatever has to
 * be said about it is found there, as if there were one process. */
#include "check/peers.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "check/check_int.h"
#include "check/fpset.h"
#include "check/kin.h"
#include "check/peers_int.h"
#include "check/queue.h"
#include "check/tracelog.h"
#include "dist/parcel.h"
#include "dist/ranks.h"
#include "model/model.h"

enum {
#ifdef ASSAY_TINY
    PARCEL_BYTES = 64,
    SIEVE_BITS = 3,
    UNSENT_MAX = 4096,
#else
    PARCEL_BYTES = 24 << 10,
    SIEVE_BITS = 20,
    UNSENT_MAX = 16 << 20, /* more of it, and no further states are expanded */
#endif
    TURNS = 4 /* states (or what is gathered) between looks at what has come */
};
#define TELL_NS UINT64_C(300000000) /* between figures for rank 0 */

/* What a rank says in a round. */
enum {
    SAID_USED_UP = 1, /* its level is */
    SAID_VIOLATION = 2,
    SAID_FAILED = 4,
    SAID_STOP = 8,
    SAID_SPEC = 16, /* ... because the specification wants it */
    SAID_LEFT = 32, /* ... so that the caller can begin anew */
    SAID_TORN = 64, /* a state is expanded in part */
    SAID_SAVE = 128,
    SAID_NAMES = 256 /* it has met a string that the others may number otherwise */
};

#define KINDS (RANKS_PARCEL | RANKS_END | RANKS_SYNC | RANKS_TOLD)

static struct peer *others(const struct peers *p, unsigned rank)
{
    return &p->of[rank];
}

/* ---- beginning and end ---- */

/* Everybody's status, and whether all search the same. */
static int compare_beginnings(struct search *s, int status, struct err *err)
{
    struct ranks *ranks = s->opt->ranks;
    unsigned n = ranks_size(ranks);
    struct {
        uint64_t status, identity;
        char text[sizeof err->text];
    } mine = {(uint64_t)(status < 0), s->opt->identity, ""};
    if (status < 0) {
        memcpy(mine.text, err->text, sizeof mine.text);
    }
    struct strbuf *all = vec_grow(NULL, &(size_t){0}, n, sizeof *all);
    memset(all, 0, n * sizeof *all);
    struct err broken = {0};
    int gathered =
        ranks_gather(ranks, (struct str){(const char *)&mine, sizeof mine}, all, &broken);
    if (gathered < 0 && status == 0) {
        *err = broken;
        status = gathered;
    }
    for (unsigned i = 0; i < n && status == 0; i++) {
        const char *text = all[i].p;
        uint64_t head[2] = {1, 0};
        if (all[i].n == sizeof mine) {
            memcpy(head, text, sizeof head);
        }
        if (head[0] != 0) {
            status =
                err_set(err, ERR_IO, 0, "rank %u: %.400s", i,
                        all[i].n == sizeof mine ? text + sizeof head : "it runs another assay");
        } else if (head[1] != mine.identity) {
            status = err_set(err, ERR_INVALID, 0,
                             "rank %u reads another specification, configuration or version of "
                             "assay than rank %u",
                             i, ranks_me(ranks));
        }
    }
    for (unsigned i = 0; i < n; i++) {
        strbuf_done(&all[i]);
    }
    vec_release(all);
    return status;
}

int peers_open(struct search *s, int status, struct err *err)
{
    struct kin *kin = NULL;
    char name[48];
    peers_kin_name(0, name);
    if (status == 0 && !s->opt->resume) {
        status = kin_new(&s->store, name, &kin, err);
    }
    status = compare_beginnings(s, status, err);
    if (status < 0) {
        kin_free(kin);
        return status;
    }
    struct peers *p = vec_grow(NULL, &(size_t){0}, 1, sizeof *p);
    *p = (struct peers){.ranks = s->opt->ranks,
                        .me = ranks_me(s->opt->ranks),
                        .n = ranks_size(s->opt->ranks),
                        .kin = kin};
    p->out = vec_grow(NULL, &(size_t){0}, p->n, sizeof *p->out);
    p->of = vec_grow(NULL, &(size_t){0}, p->n, sizeof *p->of);
    memset(p->out, 0, p->n * sizeof *p->out);
    memset(p->of, 0, p->n * sizeof *p->of);
    sent_init(&p->lately, SIEVE_BITS);
    p->names = s->opt->names ? s->opt->names(s->opt->extra_arg) : 0;
    s->peers = p;
    return 0;
}

void peers_done(struct search *s)
{
    struct peers *p = s->peers;
    if (!p) {
        return;
    }
    for (unsigned i = 0; i < p->n; i++) {
        parcel_done(&p->out[i]);
    }
    for (size_t i = 0; i < p->later.n; i++) {
        strbuf_done(&p->later.v[i]);
    }
    VEC_DONE(&p->later);
    vec_release(p->out);
    vec_release(p->of);
    sent_done(&p->lately);
    kin_free(p->kin);
    parcel_reader_done(&p->reader);
    strbuf_done(&p->message);
    strbuf_done(&p->state);
    vec_release(p);
    s->peers = NULL;
}

bool peers_silent(const struct search *s)
{
    return s->peers && s->peers->me != 0;
}

bool peers_replaying(const struct search *s)
{
    return s->peers && s->peers->replaying;
}

bool peers_left(const struct search *s)
{
    return s->peers && s->peers->left;
}

static int broken(struct search *s, const struct err *err)
{
    s->peers->broken = true;
    search_fail(s, err);
    return -1;
}

/* ---- on the way out ---- */

bool peers_away(const struct search *s, uint64_t fp)
{
    const struct peers *p = s->peers;
    return p->replaying || parcel_owner(fp, p->n) != p->me;
}

bool peers_sent(const struct search *s, uint64_t fp)
{
    return !s->peers->replaying && sent_has(&s->peers->lately, fp);
}

void peers_prefetch(const struct search *s, uint64_t fp)
{
    __builtin_prefetch(&s->peers->lately.slots[fp >> 7 & s->peers->lately.mask]);
}

enum fpset_answer peers_ask(struct worker *w, uint64_t fp)
{
    return peers_sent(w->search, fp) ? FPSET_SEEN : FPSET_AWAY;
}

static int send_parcel(struct search *s, unsigned to)
{
    struct peers *p = s->peers;
    struct err err = {0};
    struct parcel *parcel = &p->out[to];
    if (parcel->n == 0) {
        return 0;
    }
    p->sent += parcel->n;
    p->sent_bytes += parcel->out.n;
    int status = ranks_send(p->ranks, to, &parcel->out, &err);
    parcel_reset(parcel);
    return status < 0 ? broken(s, &err) : 0;
}

int peers_push(struct worker *w, const struct candidate *cand)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    if (p->replaying) {
        return 0;
    }
    unsigned to = parcel_owner(cand->fp, p->n);
    struct parcel *parcel = &p->out[to];
    sent_put(&p->lately, cand->fp);
    strbuf_reset(&p->state);
    s->ops->save(w->model, &p->state);
    if (parcel->n == 0) {
        ranks_begin(&parcel->out, RANKS_PARCEL);
        strbuf_add(&parcel->out, (const char *)&p->round, sizeof p->round);
    }
    uint64_t ordinal = w->ordinal - 1;
    parcel_add(parcel, &(struct parcel_record){
                           .fp = cand->fp,
                           .parent = w->current.fp,
                           .ordinal = ordinal < UINT32_MAX ? (uint32_t)ordinal : UINT32_MAX,
                           .action = cand->action,
                           .bytes = (const uint8_t *)p->state.p,
                           .len = p->state.n,
                       });
    return parcel->out.n >= PARCEL_BYTES ? send_parcel(s, to) : 0;
}

int peers_note(struct worker *w, const struct candidate *cand)
{
    struct err err = {0};
    struct kin_record record = {
        .fp = cand->fp, .parent = w->level == 0 ? 0 : w->current.fp, .ordinal = w->ordinal - 1};
    if (kin_add(w->search->peers->kin, &record, &err) < 0) {
        search_fail(w->search, &err);
        return 1;
    }
    return 0;
}

/* States outside the constraints have no owner: rank 0 looks at them. */
bool peers_init_mine(const struct search *s, const struct candidate *cand, bool inside)
{
    return s->peers->replaying || (inside ? !peers_away(s, cand->fp) : s->peers->me == 0);
}

/* ---- on the way in ---- */

/* The parcel at hand is a group of its own for the delayed answers. */
static void begin_group(struct worker *w)
{
    w->level = w->search->level;
    w->new_here = 0;
    w->pend_here = 0;
}

static void end_group(struct worker *w)
{
    if (w->pend_here > 0) {
        pend_end_state(w);
    }
}

static int make_room(struct worker *w)
{
    struct search *s = w->search;
    struct err err = {0};
    if (!fpset_full(s->fps) && w->pend.n < s->pend_max) {
        return 0;
    }
    end_group(w);
    begin_group(w);
    if (search_maintain(s, &err) < 0) {
        search_fail(s, &err);
        return -1;
    }
    return 0;
}

static int take_record(struct worker *w, const struct parcel_record *record)
{
    struct search *s = w->search;
    struct candidate cand = {.fp = record->fp, .action = record->action};
    enum fpset_answer answer = fpset_insert(s->fps, &w->local, record->fp);
    if (answer == FPSET_SEEN) {
        return 0;
    }
    if (answer == FPSET_MAYBE) {
        pend_add(w, &cand);
    } else {
        w->span_open = false;
        search_count_new(w, &cand);
        bump(&w->enqueued);
    }
    struct kin_record kin = {record->fp, record->parent, record->ordinal};
    strbuf_add(queue_begin(s->queue, &w->out, record->fp, 0), (const char *)record->bytes,
               record->len);
    if (queue_commit(s->queue, &w->out, &w->err) < 0 || kin_add(s->peers->kin, &kin, &w->err) < 0) {
        search_fail(s, &w->err);
        return -1;
    }
    return make_room(w);
}

static int damaged(struct search *s, unsigned from)
{
    struct err err = {0};
    (void)err_set(&err, ERR_CORRUPT, 0, "what rank %u sent is damaged", from);
    return broken(s, &err);
}

static int take_parcel(struct worker *w, unsigned from, struct str records)
{
    struct search *s = w->search;
    struct parcel_reader *reader = &s->peers->reader;
    struct parcel_record record;
    int status = 1;
    reader->left = records;
    reader->parent = 0;
    strbuf_reset(&reader->last);
    begin_group(w);
    while (status > 0 && (status = parcel_next(reader, &record)) > 0) {
        if (record.action >= s->model->naction ||
            (s->model->state_size && record.len != s->model->state_size)) {
            return damaged(s, from);
        }
        status = take_record(w, &record) < 0 ? -2 : 1;
    }
    end_group(w);
    return status == -1 ? damaged(s, from) : status;
}

static bool get_word(struct str *body, uint64_t *ret)
{
    if (body->n < sizeof *ret) {
        return false;
    }
    memcpy(ret, body->p, sizeof *ret);
    body->p += sizeof *ret;
    body->n -= sizeof *ret;
    return true;
}

static bool get_told(struct str *body, struct peers_told *ret)
{
    if (body->n < sizeof *ret) {
        return false;
    }
    memcpy(ret, body->p, sizeof *ret);
    body->p += sizeof *ret;
    body->n -= sizeof *ret;
    return true;
}

/* A parcel of the round after this one has to wait. */
static int on_parcel(struct worker *w, const struct ranks_message *message, uint64_t round)
{
    struct peers *p = w->search->peers;
    struct str records = {message->body.p + sizeof round, message->body.n - sizeof round};
    if (round == p->round) {
        return take_parcel(w, message->from, records);
    }
    struct strbuf kept = {0};
    strbuf_addstr(&kept, records);
    VEC_PUSH(&p->later, kept);
    return 0;
}

static int on_end(struct worker *w, struct peer *peer, uint64_t round, struct str rest)
{
    struct search *s = w->search;
    uint64_t said = 0;
    if (!get_word(&rest, &said)) {
        return -1;
    }
    peer->ended[round % 2] = true;
    peer->end_said[round % 2] = said;
    if (round == s->peers->round && (said & SAID_USED_UP) == 0) {
        search_request(s, REQ_PEERS);
    }
    return 0;
}

static int on_sync(struct peer *peer, struct str rest)
{
    if (!get_word(&rest, &peer->said) || !get_told(&rest, &peer->sync)) {
        return -1;
    }
    peer->told = peer->sync;
    size_t n = rest.n < sizeof peer->why ? rest.n : sizeof peer->why - 1;
    memcpy(peer->why, rest.p, n);
    peer->why[n] = '\0';
    peer->synced = true;
    return 0;
}

static int on_message(struct worker *w, const struct ranks_message *message)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    struct peer *peer = others(p, message->from);
    struct str rest = message->body;
    uint64_t round = 0;
    int status = 0;
    if (message->kind == RANKS_TOLD) {
        return get_told(&rest, &peer->told) ? 0 : damaged(s, message->from);
    }
    if (!get_word(&rest, &round) || round < p->round || round > p->round + 1) {
        return damaged(s, message->from);
    }
    switch (message->kind) {
    case RANKS_PARCEL: return on_parcel(w, message, round);
    case RANKS_END: status = on_end(w, peer, round, rest); break;
    default: status = on_sync(peer, rest); break;
    }
    return status < 0 ? damaged(s, message->from) : 0;
}

/* Takes what has come: how many messages, or negative after a failure that was noted. */
static int take_messages(struct worker *w)
{
    struct search *s = w->search;
    struct ranks_message message;
    struct err err = {0};
    int n = 0;
    int status;
    while ((status = ranks_next(s->peers->ranks, RANKS_ANY, KINDS, &message, &err)) > 0) {
        n++;
        if (on_message(w, &message) < 0) {
            return -1;
        }
    }
    return status < 0 ? broken(s, &err) : n;
}

/* ---- figures ---- */

struct peers_told peers_told_now(const struct search *s)
{
    const struct worker *w = &s->workers[0];
    const struct peers *p = s->peers;
    uint64_t level = atomic_load_explicit(&w->max_level, memory_order_relaxed);
    uint64_t depth = atomic_load_explicit(&s->depth, memory_order_relaxed);
    return (struct peers_told){
        .generated = s->base_generated + atomic_load_explicit(&w->generated, memory_order_relaxed),
        .distinct = s->base_distinct + atomic_load_explicit(&w->distinct, memory_order_relaxed),
        .enqueued = atomic_load_explicit(&w->enqueued, memory_order_relaxed),
        .expanded = atomic_load_explicit(&w->expanded, memory_order_relaxed),
        .depth = level > depth ? level : depth,
        .settled = s->level_expanded,
        .sent = p->sent,
        .sent_bytes = p->sent_bytes,
    };
}

static void tell(struct search *s)
{
    struct peers *p = s->peers;
    struct err err = {0};
    uint64_t now = clock_mono_ns();
    if (p->me == 0 || now - p->told_ns < TELL_NS) {
        return;
    }
    struct peers_told told = peers_told_now(s);
    p->told_ns = now;
    ranks_begin(&p->message, RANKS_TOLD);
    strbuf_add(&p->message, (const char *)&told, sizeof told);
    if (ranks_send(p->ranks, 0, &p->message, &err) < 0) {
        (void)broken(s, &err);
    }
}

void peers_progress(const struct search *s, struct check_progress *ret)
{
    const struct peers *p = s->peers;
    for (unsigned i = 0; i < p->n; i++) {
        if (i == p->me) {
            continue;
        }
        const struct peers_told *told = &p->of[i].told;
        ret->generated += told->generated;
        ret->distinct += told->distinct;
        ret->queued += told->enqueued > told->expanded ? told->enqueued - told->expanded : 0;
        ret->depth = told->depth > ret->depth ? told->depth : ret->depth;
    }
}

void peers_result(const struct search *s, struct check_result *r)
{
    const struct peers *p = s->peers;
    r->ranks = p->n;
    r->sent = p->sent;
    r->sent_bytes = p->sent_bytes;
    for (unsigned i = 0; i < p->n; i++) {
        if (i != p->me) {
            r->settled += p->of[i].told.settled;
            r->sent += p->of[i].told.sent;
            r->sent_bytes += p->of[i].told.sent_bytes;
        }
    }
}

/* ---- rounds ---- */

static uint64_t said_now(const struct search *s, unsigned request, bool used_up)
{
    const struct peers *p = s->peers;
    uint64_t said = used_up ? SAID_USED_UP : 0;
    said |= s->fatal ? SAID_VIOLATION : 0;
    said |= s->failed ? SAID_FAILED : 0;
    said |= atomic_load(&s->abort) ? SAID_TORN : 0;
    said |= (request & REQ_CHECKPOINT) && p->me == 0 ? SAID_SAVE : 0;
    if (request & REQ_STOP) {
        said |= SAID_STOP;
        said |= search_yielded(s) ? SAID_LEFT : 0;
        said |= s->opt->interrupt && __atomic_load_n(s->opt->interrupt, __ATOMIC_RELAXED) < 0
                    ? SAID_SPEC
                    : 0;
    }
    if (s->opt->names && s->opt->names(s->opt->extra_arg) != p->names) {
        said |= SAID_NAMES;
    }
    return said;
}

static int say_end(struct search *s, uint64_t said)
{
    struct peers *p = s->peers;
    struct err err = {0};
    for (unsigned to = 0; to < p->n; to++) {
        if (send_parcel(s, to) < 0) {
            return -1;
        }
    }
    ranks_begin(&p->message, RANKS_END);
    strbuf_add(&p->message, (const char *)&p->round, sizeof p->round);
    strbuf_add(&p->message, (const char *)&said, sizeof said);
    return ranks_send_all(p->ranks, &p->message, &err) < 0 ? broken(s, &err) : 0;
}

static int say_sync(struct search *s, uint64_t said)
{
    struct peers *p = s->peers;
    struct err err = {0};
    struct peers_told told = peers_told_now(s);
    struct peer *mine = others(p, p->me);
    mine->said = said;
    mine->sync = told;
    ranks_begin(&p->message, RANKS_SYNC);
    strbuf_add(&p->message, (const char *)&p->round, sizeof p->round);
    strbuf_add(&p->message, (const char *)&said, sizeof said);
    strbuf_add(&p->message, (const char *)&told, sizeof told);
    strbuf_adds(&p->message, s->failed ? s->box->result.failure.text : "");
    return ranks_send_all(p->ranks, &p->message, &err) < 0 ? broken(s, &err) : 0;
}

static bool all_ended(const struct peers *p)
{
    bool all = true;
    for (unsigned i = 0; i < p->n; i++) {
        all = all && (i == p->me || p->of[i].ended[p->round % 2]);
    }
    return all;
}

static bool all_synced(const struct peers *p)
{
    bool all = true;
    for (unsigned i = 0; i < p->n; i++) {
        all = all && (i == p->me || p->of[i].synced);
    }
    return all;
}

static int wait_for(struct worker *w, bool (*all)(const struct peers *p))
{
    unsigned turns = 0;
    while (!all(w->search->peers)) {
        int n = take_messages(w);
        if (n < 0) {
            return -1;
        }
        if (n > 0) {
            turns = 0;
        } else {
            ranks_idle(&turns);
        }
    }
    return 0;
}

/* The next round begins with what came too early for it. */
static int next_round(struct worker *w)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    int status = 0;
    for (unsigned i = 0; i < p->n; i++) {
        struct peer *peer = others(p, i);
        peer->ended[p->round % 2] = false;
        peer->synced = false;
    }
    p->round++;
    for (unsigned i = 0; i < p->n; i++) {
        const struct peer *peer = others(p, i);
        if (peer->ended[p->round % 2] && (peer->end_said[p->round % 2] & SAID_USED_UP) == 0) {
            search_request(s, REQ_PEERS);
        }
    }
    for (size_t i = 0; i < p->later.n; i++) {
        status = status < 0 ? status : take_parcel(w, 0, strbuf_str(&p->later.v[i]));
        strbuf_done(&p->later.v[i]);
    }
    VEC_RESET(&p->later);
    return status;
}

/* Comes together with the others: what any and what all have said. */
static int come_together(struct worker *w, unsigned request, bool used_up, uint64_t *ret_any,
                         uint64_t *ret_all)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    struct err err = {0};
    if (p->broken || say_end(s, said_now(s, request, used_up)) < 0 || wait_for(w, all_ended) < 0) {
        return -1;
    }
    if (!s->failed && search_maintain(s, &err) < 0) {
        search_fail(s, &err);
    }
    search_note_depth(s);
    if (say_sync(s, said_now(s, request, used_up)) < 0 || wait_for(w, all_synced) < 0) {
        return -1;
    }
    *ret_any = 0;
    *ret_all = UINT64_MAX;
    for (unsigned i = 0; i < p->n; i++) {
        *ret_any |= others(p, i)->said;
        *ret_all &= others(p, i)->said;
    }
    return 0;
}

static unsigned first_who_said(const struct peers *p, uint64_t what)
{
    unsigned i = 0;
    while (i + 1 < p->n && (p->of[i].said & what) == 0) {
        i++;
    }
    return i;
}

/* ---- violations ---- */

/* Who has it, tells where a state of a level came from. */
static int ask_kin(struct search *s, uint64_t level, uint64_t fp, struct kin_record *ret)
{
    struct peers *p = s->peers;
    struct err err = {0};
    SCOPED_STRBUF answer = {0};
    unsigned owner = parcel_owner(fp, p->n);
    if (owner == p->me) {
        int found = kin_find(p->kin, level, fp, ret, &err);
        if (found > 0) {
            strbuf_add(&answer, (const char *)ret, sizeof *ret);
        }
    }
    if (ranks_share(p->ranks, owner, &answer, &err) < 0) {
        return broken(s, &err);
    }
    if (answer.n != sizeof *ret) {
        return 0;
    }
    memcpy(ret, answer.p, sizeof *ret);
    return 1;
}

/* The path to a state, from an initial one on; empty when it is not known. */
static int ask_path(struct search *s, uint64_t level, uint64_t fp, struct path_node *nodes)
{
    for (uint64_t l = level; l > 0; l--) {
        struct kin_record record;
        int found = ask_kin(s, l, fp, &record);
        if (found <= 0) {
            return found;
        }
        bool far = record.ordinal == UINT32_MAX;
        nodes[l - 1] = (struct path_node){
            .fp = fp, .has_fp = true, .ordinal = far ? PATH_ANY : record.ordinal};
        fp = record.parent;
    }
    return 1;
}

/* Looks at the initial states, or at the successors of the path's last state, once more. */
static void look_again(struct worker *w, uint64_t level, const struct path_node *nodes)
{
    struct search *s = w->search;
    if (level == 0) {
        search_init_again(w);
        return;
    }
    struct arena *arena = &s->box->arena;
    struct check_step *steps = ARENA_ARRAY(arena, struct check_step, level);
    if (path_states(s->model, w->model, arena, nodes, level, steps) != level) {
        return;
    }
    const struct check_step *last = &steps[level - 1];
    struct queue_record record = {.fp = last->fp, .bytes = last->bytes, .len = last->len};
    w->past = steps;
    w->npast = level;
    search_expand(w, &record, level);
    w->past = NULL;
    w->npast = 0;
}

/* Rank 0 meets the violation itself. Counts stay what they are. */
static void replay(struct worker *w, unsigned who, uint64_t level, const struct path_node *nodes)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    size_t n = s->model->naction;
    struct arena *arena = &s->box->arena;
    uint64_t generated = atomic_load(&w->generated);
    uint64_t expanded = atomic_load(&w->expanded);
    uint64_t *by_action = ARENA_ARRAY(arena, uint64_t, n + 1);
    uint64_t init_generated = s->init_generated;
    memcpy(by_action, w->action_generated, n * sizeof *by_action);
    VEC_RESET(&s->raw);
    s->raw_total = 0;
    s->fatal = false;
    atomic_store(&s->abort, false);
    p->replaying = true;
    look_again(w, level, nodes);
    p->replaying = false;
    memcpy(w->action_generated, by_action, n * sizeof *by_action);
    atomic_store(&w->generated, generated);
    atomic_store(&w->expanded, expanded);
    s->init_generated = init_generated;
    if (s->raw.n > 0) {
        violations_settle(s, w);
        s->fatal = true;
    } else if (!s->failed) {
        struct err err = {0};
        (void)err_set(&err, ERR_INVALID, 0,
                      "rank %u found a violation that does not come again: does the specification "
                      "draw random values?",
                      who);
        search_fail(s, &err);
    }
}

static void settle(struct worker *w)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    unsigned who = first_who_said(p, SAID_VIOLATION);
    uint64_t where[2] = {UINT64_MAX, 0}; /* level and state; no level: all have said it already */
    SCOPED_STRBUF message = {0};
    struct err err = {0};
    if (who == p->me && s->raw.n > 0) {
        const struct raw_violation *raw = &s->raw.v[0];
        where[0] = raw->index == TRACE_ROOT ? 0 : s->level;
        where[1] = raw->current.fp;
    }
    strbuf_add(&message, (const char *)where, sizeof where);
    s->fatal = true;
    if (ranks_share(p->ranks, who, &message, &err) < 0) {
        (void)broken(s, &err);
        return;
    }
    memcpy(where, message.p, sizeof where);
    if (where[0] == UINT64_MAX) {
        return;
    }
    struct path_node *nodes = ARENA_ARRAY(&s->box->arena, struct path_node, where[0] + 1);
    if (ask_path(s, where[0], where[1], nodes) < 0) {
        return;
    }
    if (p->me == 0) {
        replay(w, who, where[0], nodes);
    }
    VEC_RESET(&s->raw);
}

/* ---- leading ---- */

static void fail_as_told(struct search *s, uint64_t any)
{
    struct peers *p = s->peers;
    struct err err = {0};
    unsigned who = first_who_said(p, any & SAID_FAILED ? SAID_FAILED : SAID_NAMES);
    if (s->failed) {
        return;
    }
    if (any & SAID_FAILED) {
        (void)err_set(&err, ERR_IO, 0, "rank %u: %.400s", who, others(p, who)->why);
    } else {
        (void)err_set(&err, ERR_UNSUPPORTED, 0,
                      "the specification makes strings while it is checked (\\o, ToString), which "
                      "several processes number differently: check it with one process");
    }
    search_fail(s, &err);
}

static void stop_as_told(struct search *s, uint64_t any)
{
    s->stopped = true;
    s->peers->left = (any & SAID_LEFT) != 0;
    if ((any & SAID_SPEC) && s->model->host && s->model->host->stop) {
        s->model->host->stop(s->model->host->arg);
    }
    bool whole = (any & (SAID_LEFT | SAID_SPEC | SAID_TORN)) == 0;
    if (whole && s->opt->checkpoint_s > 0 && s->level > 0) {
        search_checkpoint(s);
    }
}

/* The level is used up everywhere. */
static bool advance(struct search *s)
{
    struct peers *p = s->peers;
    uint64_t waiting = 0;
    for (unsigned i = 0; i < p->n; i++) {
        struct peer *peer = others(p, i);
        waiting += peer->sync.enqueued - peer->sync.expanded;
        peer->told.settled = peer->sync.expanded;
    }
    kin_next_level(p->kin);
    if (search_next_level(s) < 0) {
        return false; /* the next round tells the others */
    }
    s->complete = waiting == 0;
    return true;
}

bool peers_lead(struct search *s, struct worker *w, unsigned request, bool used_up)
{
    struct peers *p = s->peers;
    struct err err = {0};
    uint64_t any = 0;
    uint64_t all = 0;
    unsigned alone = REQ_ROOM | REQ_RESOLVE | (p->me != 0 ? REQ_CHECKPOINT : 0U);
    if (!used_up && (request & ~alone) == 0 && !s->failed) {
        if (request & REQ_CHECKPOINT) { /* rank 0 says when */
            atomic_store(&s->checkpoint_end_ns, clock_mono_ns());
        }
        if (search_maintain(s, &err) == 0) {
            return true;
        }
        search_fail(s, &err);
    }
    if (come_together(w, request, used_up, &any, &all) < 0) {
        return false;
    }
    p->over = true;
    if (any & (SAID_FAILED | SAID_NAMES)) {
        fail_as_told(s, any);
        return false;
    }
    if ((any & SAID_LEFT) == 0 && (any & SAID_VIOLATION)) {
        settle(w);
        return false;
    }
    if (any & SAID_STOP) {
        stop_as_told(s, any);
        return false;
    }
    if (any & SAID_SAVE) {
        search_checkpoint(s); /* what was asked for meanwhile is done, too */
        atomic_fetch_and_explicit(&s->request, ~(unsigned)REQ_CHECKPOINT, memory_order_relaxed);
    }
    if (!s->failed && (all & SAID_USED_UP)) {
        (void)advance(s);
    }
    p->over = s->complete;
    return s->failed || s->complete ? false : next_round(w) == 0 || !p->broken;
}

void peers_turn(struct worker *w)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    if (++p->turns < TURNS) {
        return;
    }
    p->turns = 0;
    if (take_messages(w) < 0) {
        return;
    }
    unsigned turns = 0;
    while (ranks_unsent(p->ranks) > UNSENT_MAX && take_messages(w) >= 0) {
        ranks_idle(&turns);
    }
    tell(s);
}

void peers_begun(struct worker *w)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    struct err err = {0};
    uint64_t mine[2] = {s->init_distinct, s->init_generated};
    struct strbuf *all = vec_grow(NULL, &(size_t){0}, p->n, sizeof *all);
    memset(all, 0, p->n * sizeof *all);
    if (ranks_gather(p->ranks, (struct str){(const char *)mine, sizeof mine}, all, &err) < 0) {
        (void)broken(s, &err);
    }
    s->init_distinct = 0;
    for (unsigned i = 0; i < p->n; i++) {
        uint64_t got[2] = {0, 0};
        if (all[i].n == sizeof got) {
            memcpy(got, all[i].p, sizeof got);
        }
        s->init_distinct += got[0];
        others(p, i)->told.distinct = got[0];
        others(p, i)->told.generated = i == 0 ? got[1] : 0;
        strbuf_done(&all[i]);
    }
    vec_release(all);
}

/* Counts by action come together at rank 0. */
void peers_finish(struct worker *w)
{
    struct search *s = w->search;
    struct peers *p = s->peers;
    struct err err = {0};
    size_t n = s->model->naction;
    SCOPED_STRBUF mine = {0};
    if (!p->over || p->broken || s->failed) {
        return;
    }
    strbuf_add(&mine, (const char *)w->action_generated, n * sizeof *w->action_generated);
    strbuf_add(&mine, (const char *)w->action_distinct, n * sizeof *w->action_distinct);
    struct strbuf *all = vec_grow(NULL, &(size_t){0}, p->n, sizeof *all);
    memset(all, 0, p->n * sizeof *all);
    if (ranks_gather(p->ranks, strbuf_str(&mine), all, &err) < 0) {
        (void)broken(s, &err);
    }
    for (unsigned i = 0; i < p->n; i++) {
        for (size_t a = 0; a < n && p->me == 0 && i != 0 && all[i].n == mine.n; a++) {
            uint64_t counts[2];
            memcpy(&counts[0], all[i].p + a * sizeof counts[0], sizeof counts[0]);
            memcpy(&counts[1], all[i].p + (n + a) * sizeof counts[1], sizeof counts[1]);
            w->action_generated[a] += counts[0];
            w->action_distinct[a] += counts[1];
        }
        strbuf_done(&all[i]);
    }
    vec_release(all);
}
