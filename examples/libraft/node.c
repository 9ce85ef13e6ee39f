/* A node on canonical/raft, as Debian packages it (libraft-dev), in the place of raft.c of
 * examples/raftkv: the process, the connections, the messages and the client are those of raftkv,
 * and the protocol is the library's.
 *
 * The library asks for input and output through struct raft_io. Here a write to the disk is done as
 * soon as the event that asked for it is over, and the disk is memory: there are no crashes. What
 * the library knows is copied to `self`, the state of a node of raftkv, after each event.
 *
 * Ticks come when something is due and not every few milliseconds, so that each does something. */
#include <raft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../raftkv/raftkv.h"

enum { HEARTBEAT_MS = 10, ELECTION_MS = 5000, PAYLOAD = 8 };

struct node self;
static struct raft raft;
static struct raft_io io;
static struct raft_fsm fsm;
static raft_io_tick_cb tick;
static raft_io_recv_cb receive;
static struct raft_configuration members;

/* ---- completions: told after the event that began them ---- */

struct completion {
    struct completion *next;
    struct raft_io_send *send;
    struct raft_io_append *append;
    int status;
};
static struct completion *first_completion, **last_completion = &first_completion;

static int complete(struct raft_io_send *send, struct raft_io_append *append, int status)
{
    struct completion *c = malloc(sizeof *c);
    if (c == NULL) {
        return RAFT_NOMEM;
    }
    *c = (struct completion){.send = send, .append = append, .status = status};
    *last_completion = c;
    last_completion = &c->next;
    return 0;
}

static void run_completions(void)
{
    while (first_completion != NULL) {
        struct completion *c = first_completion;
        first_completion = c->next;
        if (first_completion == NULL) {
            last_completion = &first_completion;
        }
        if (c->send != NULL) {
            c->send->cb(c->send, c->status);
        } else {
            c->append->cb(c->append, c->status);
        }
        free(c);
    }
}

/* ---- struct raft_io ---- */

static int io_init(struct raft_io *i, raft_id id, const char *address)
{
    (void)i, (void)id, (void)address;
    return 0;
}

static void io_close(struct raft_io *i, raft_io_close_cb cb)
{
    cb(i);
}

/* Every node begins with the same entry: who belongs to the cluster. */
static int io_load(struct raft_io *i, raft_term *term, raft_id *vote,
                   struct raft_snapshot **snapshot, raft_index *start, struct raft_entry *entries[],
                   size_t *n)
{
    (void)i;
    *term = 1;
    *vote = 0;
    *snapshot = NULL;
    *start = 1;
    *n = 1;
    *entries = raft_calloc(1, sizeof **entries);
    if (*entries == NULL) {
        return RAFT_NOMEM;
    }
    (*entries)[0] = (struct raft_entry){.term = 1, .type = RAFT_CHANGE};
    return raft_configuration_encode(&members, &(*entries)[0].buf);
}

static int io_start(struct raft_io *i, unsigned ms, raft_io_tick_cb tick_cb,
                    raft_io_recv_cb recv_cb)
{
    (void)i, (void)ms;
    tick = tick_cb;
    receive = recv_cb;
    return 0;
}

static int io_members(struct raft_io *i, const struct raft_configuration *conf)
{
    (void)i, (void)conf;
    return RAFT_INVALID;
}

static int io_set_term(struct raft_io *i, raft_term term)
{
    (void)i, (void)term;
    return 0;
}

static int io_set_vote(struct raft_io *i, raft_id id)
{
    (void)i, (void)id;
    return 0;
}

static void put_entries(const struct raft_append_entries *args, struct message *m)
{
    m->count = args->n_entries < BATCH_MAX ? args->n_entries : BATCH_MAX;
    for (uint32_t k = 0; k < m->count; k++) {
        m->entries[k].term = (uint32_t)args->entries[k].term;
        m->entries[k].op = args->entries[k].type;
        if (args->entries[k].buf.len == PAYLOAD) {
            memcpy(m->entries[k].value, args->entries[k].buf.base, PAYLOAD);
        }
    }
}

static int io_send(struct raft_io *i, struct raft_io_send *req, const struct raft_message *what,
                   raft_io_send_cb cb)
{
    (void)i;
    struct message m = {.to = (int)what->server_id - 1};
    req->cb = cb;
    switch (what->type) {
    case RAFT_IO_REQUEST_VOTE:
        m.type = MSG_ASK;
        m.term = (uint32_t)what->request_vote.term;
        m.index = (uint32_t)what->request_vote.last_log_index;
        m.index_term = (uint32_t)what->request_vote.last_log_term;
        break;
    case RAFT_IO_REQUEST_VOTE_RESULT:
        m.type = MSG_VOTE;
        m.term = (uint32_t)what->request_vote_result.term;
        m.ok = what->request_vote_result.vote_granted;
        break;
    case RAFT_IO_APPEND_ENTRIES:
        m.type = MSG_APPEND;
        m.term = (uint32_t)what->append_entries.term;
        m.index = (uint32_t)what->append_entries.prev_log_index;
        m.index_term = (uint32_t)what->append_entries.prev_log_term;
        m.commit = (uint32_t)what->append_entries.leader_commit;
        put_entries(&what->append_entries, &m);
        break;
    case RAFT_IO_APPEND_ENTRIES_RESULT:
        m.type = MSG_APPENDED;
        m.term = (uint32_t)what->append_entries_result.term;
        m.index = (uint32_t)what->append_entries_result.last_log_index;
        m.commit = (uint32_t)what->append_entries_result.rejected;
        break;
    default: return RAFT_INVALID;
    }
    return complete(req, NULL, peer_send(&m) ? 0 : RAFT_NOCONNECTION);
}

static int io_append(struct raft_io *i, struct raft_io_append *req,
                     const struct raft_entry entries[], unsigned n, raft_io_append_cb cb)
{
    (void)i, (void)entries, (void)n;
    req->cb = cb;
    return complete(NULL, req, 0);
}

static int io_truncate(struct raft_io *i, raft_index index)
{
    (void)i, (void)index;
    return 0;
}

static int io_snapshot_put(struct raft_io *i, unsigned trailing, struct raft_io_snapshot_put *req,
                           const struct raft_snapshot *snapshot, raft_io_snapshot_put_cb cb)
{
    (void)i, (void)trailing, (void)req, (void)snapshot, (void)cb;
    return RAFT_INVALID;
}

static int io_snapshot_get(struct raft_io *i, struct raft_io_snapshot_get *req,
                           raft_io_snapshot_get_cb cb)
{
    (void)i, (void)req, (void)cb;
    return RAFT_INVALID;
}

static raft_time now_ms(void)
{
    struct timespec ts;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (raft_time)ts.tv_sec * 1000 + (raft_time)ts.tv_nsec / 1000000;
}

static raft_time io_time(struct raft_io *i)
{
    (void)i;
    return now_ms();
}

static int io_random(struct raft_io *i, int least, int most)
{
    (void)i;
    return least + rand() % (most - least);
}

/* ---- struct raft_fsm: nothing is kept ---- */

static int fsm_apply(struct raft_fsm *f, const struct raft_buffer *buf, void **result)
{
    (void)f, (void)buf;
    *result = NULL;
    return 0;
}

static int fsm_snapshot(struct raft_fsm *f, struct raft_buffer *bufs[], unsigned *n)
{
    (void)f, (void)bufs, (void)n;
    return RAFT_INVALID;
}

static int fsm_restore(struct raft_fsm *f, struct raft_buffer *buf)
{
    (void)f, (void)buf;
    return RAFT_INVALID;
}

/* ---- what can be seen ---- */

static void show_log(void)
{
    self.n_log = (uint32_t)raft_last_index(&raft);
    store_room(self.n_log);
    for (uint32_t k = 0; k < self.n_log; k++) {
        const struct raft_entry *e = &raft.log.entries[(raft.log.front + k) % raft.log.size];
        self.log[k] = (struct entry){.term = (uint32_t)e->term, .op = e->type};
    }
}

/* A node that is not available any more has the role after LEADER. */
static void show(void)
{
    static const enum role roles[] = {[RAFT_UNAVAILABLE] = LEADER + 1,
                                      [RAFT_FOLLOWER] = FOLLOWER,
                                      [RAFT_CANDIDATE] = CANDIDATE,
                                      [RAFT_LEADER] = LEADER};
    self.role = roles[raft.state];
    self.term = (uint32_t)raft.current_term;
    self.vote = (int)raft.voted_for - 1;
    self.commit = (uint32_t)raft.commit_index;
    self.leader =
        raft.state == RAFT_FOLLOWER ? (int)raft.follower_state.current_leader.id - 1 : NOBODY;
    for (int j = 0; j < self.n; j++) {
        bool leads = raft.state == RAFT_LEADER;
        const struct raft_progress *p = leads ? &raft.leader_state.progress[j] : NULL;
        self.granted[j] = raft.state == RAFT_CANDIDATE && raft.candidate_state.votes[j];
        self.next[j] = leads ? (uint32_t)p->next_index : 0;
        self.match[j] = leads ? (uint32_t)p->match_index : 0;
        self.piped[j] = leads && p->state == 1;
    }
    show_log();
}

static void set_timer(void)
{
    raft_time now = now_ms(), due = now + HEARTBEAT_MS;
    if (raft.state == RAFT_FOLLOWER) {
        due = raft.election_timer_start + raft.follower_state.randomized_election_timeout;
    } else if (raft.state == RAFT_CANDIDATE) {
        due = raft.election_timer_start + raft.candidate_state.randomized_election_timeout;
    }
    unsigned left = due > now ? (unsigned)(due - now) : 0;
    timer_set(left, left);
}

/* A leader's heartbeat is not put off by what happens in between. */
static void event_over(bool ticked)
{
    bool led = self.role == LEADER;
    run_completions();
    show();
    if (ticked || !led || self.role != LEADER) {
        set_timer();
    }
}

/* ---- the events of a node ---- */

void node_start(int id, int n)
{
    self.id = id;
    self.n = n;
    srand((unsigned)id + 1);
    io = (struct raft_io){.version = 1,
                          .init = io_init,
                          .close = io_close,
                          .load = io_load,
                          .start = io_start,
                          .bootstrap = io_members,
                          .recover = io_members,
                          .set_term = io_set_term,
                          .set_vote = io_set_vote,
                          .send = io_send,
                          .append = io_append,
                          .truncate = io_truncate,
                          .snapshot_put = io_snapshot_put,
                          .snapshot_get = io_snapshot_get,
                          .time = io_time,
                          .random = io_random};
    fsm = (struct raft_fsm){
        .version = 1, .apply = fsm_apply, .snapshot = fsm_snapshot, .restore = fsm_restore};
    raft_configuration_init(&members);
    int status = 0;
    for (int j = 1; status == 0 && j <= n; j++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%d", j);
        status = raft_configuration_add(&members, (raft_id)j, name, RAFT_VOTER);
    }
    status = status != 0 ? status : raft_init(&raft, &io, &fsm, (raft_id)id + 1, "self");
    raft_set_heartbeat_timeout(&raft, HEARTBEAT_MS);
    raft_set_election_timeout(&raft, ELECTION_MS);
    status = status != 0 ? status : raft_start(&raft);
    if (status != 0) {
        (void)fprintf(stderr, "raft: %s\n", raft_strerror(status));
        exit(1);
    }
    event_over(true);
}

void node_timer(void)
{
    tick(&io);
    event_over(true);
}

static void get_entries(const struct message *m, struct raft_append_entries *args)
{
    args->n_entries = m->count;
    args->entries = NULL;
    if (m->count == 0) {
        return;
    }
    char *batch = raft_calloc(m->count, PAYLOAD);
    args->entries = raft_calloc(m->count, sizeof *args->entries);
    for (uint32_t k = 0; batch != NULL && args->entries != NULL && k < m->count; k++) {
        char *base = batch + (size_t)k * PAYLOAD;
        memcpy(base, m->entries[k].value, PAYLOAD);
        args->entries[k] = (struct raft_entry){
            .term = m->entries[k].term,
            .type = (unsigned short)m->entries[k].op,
            .buf = {base, PAYLOAD},
            .batch = batch
        };
    }
}

void node_message(const struct message *m)
{
    struct raft_message what = {.server_id = (raft_id)m->from + 1};
    if (m->to != self.id || m->from >= self.n || m->from == self.id) {
        return;
    }
    what.server_address = members.servers[m->from].address;
    switch (m->type) {
    case MSG_ASK:
        what.type = RAFT_IO_REQUEST_VOTE;
        what.request_vote = (struct raft_request_vote){.term = m->term,
                                                       .candidate_id = what.server_id,
                                                       .last_log_index = m->index,
                                                       .last_log_term = m->index_term};
        break;
    case MSG_VOTE:
        what.type = RAFT_IO_REQUEST_VOTE_RESULT;
        what.request_vote_result = (struct raft_request_vote_result){
            .term = m->term, .vote_granted = m->ok != 0, .pre_vote = raft_tribool_false};
        break;
    case MSG_APPEND:
        what.type = RAFT_IO_APPEND_ENTRIES;
        what.append_entries = (struct raft_append_entries){.term = m->term,
                                                           .prev_log_index = m->index,
                                                           .prev_log_term = m->index_term,
                                                           .leader_commit = m->commit};
        get_entries(m, &what.append_entries);
        break;
    case MSG_APPENDED:
        what.type = RAFT_IO_APPEND_ENTRIES_RESULT;
        what.append_entries_result = (struct raft_append_entries_result){
            .term = m->term, .rejected = m->commit, .last_log_index = m->index};
        break;
    default: return;
    }
    receive(&io, &what);
    event_over(false);
}

struct request {
    struct raft_apply apply;
    int token;
};

static void applied(struct raft_apply *apply, int status, void *result)
{
    (void)result;
    struct request *r = apply->data;
    client_reply(r->token, status == 0 ? DONE : UNKNOWN, (uint32_t)apply->index, NULL);
    free(r);
}

void node_request(const struct message *m, int token)
{
    struct raft_buffer buf = {.base = raft_calloc(1, PAYLOAD), .len = PAYLOAD};
    struct request *r = calloc(1, sizeof *r);
    if (buf.base == NULL || r == NULL) {
        abort();
    }
    memcpy(buf.base, m->entries[0].value, PAYLOAD);
    r->token = token;
    r->apply.data = r;
    if (raft_apply(&raft, &r->apply, &buf, 1, applied) != 0) {
        raft_free(buf.base);
        free(r);
        client_reply(token, NOT_LEADER, (uint32_t)(self.leader + 1), NULL);
    }
    event_over(false);
}

/* ---- what server.c wants of store.c ---- */

void store_open(const char *dir)
{
    (void)dir;
}

void store_room(uint32_t n)
{
    if (n > self.log_room) {
        struct entry *more = realloc(self.log, 2 * n * sizeof *more);
        if (more == NULL) {
            abort();
        }
        self.log = more;
        self.log_room = 2 * n;
    }
}
