/* The protocol. RaftKv.tla says the same in TLA+, action by action, under the same names.
 *
 * Sending never waits: a message for a node that is not connected is lost, as it may be anyway.
 * What must not be lost is sent again: votes are asked for twice before a candidate gives up, and a
 * leader learns from the answers to its heartbeats what a follower lacks.
 *
 * Reads go through the log like writes, so that a leader that was deposed cannot answer them. */
#include <stdlib.h>
#include <string.h>

#include "raftkv.h"

enum { HEARTBEAT_MS = 50, ELECTION_MS = 150, ELECTION_MOST_MS = 300, ASK_AGAIN_MS = 75 };

struct node self;

/* Clients that wait for an entry to be committed. Only a leader has some. */
struct waiting {
    uint32_t index;
    int token;
};
static struct waiting *waiting;
static size_t n_waiting;

static uint32_t term_at(uint32_t index)
{
    return index == 0 ? 0 : self.log[index - 1].term;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}

static bool is_quorum(uint32_t n)
{
    return 2 * n > (uint32_t)self.n;
}

/* ---- roles ---- */

static void election_timer(void)
{
    timer_set(ELECTION_MS, ELECTION_MOST_MS);
}

/* What only candidates and leaders need is put back. */
static void forget_role(void)
{
    self.n_votes = 0;
    self.asked = 0;
    for (int j = 0; j < NODES_MAX; j++) {
        self.granted[j] = false;
        self.next[j] = 1;
        self.match[j] = 0;
    }
    for (size_t i = 0; i < n_waiting; i++) {
        client_reply(waiting[i].token, UNKNOWN, 0, NULL);
    }
    n_waiting = 0;
}

/* Follows whoever leads the term, which may be newer than ours. The caller saves it. */
static void follow(uint32_t term)
{
    if (self.role != FOLLOWER) {
        forget_role();
        self.role = FOLLOWER;
        election_timer();
    }
    if (term > self.term) {
        self.term = term;
        self.vote = NOBODY;
        self.leader = NOBODY;
    }
}

/* ---- elections ---- */

static void ask_for_votes(void)
{
    for (int j = 0; j < self.n; j++) {
        if (j != self.id && !self.granted[j]) {
            struct message m = {.type = MSG_ASK,
                                .to = j,
                                .term = self.term,
                                .index = self.n_log,
                                .index_term = term_at(self.n_log)};
            peer_send(&m);
        }
    }
    self.asked++;
    timer_set(ASK_AGAIN_MS, ELECTION_MOST_MS / 2);
}

static void send_append(int j, bool with_entries)
{
    struct message m = {.type = MSG_APPEND,
                        .to = j,
                        .term = self.term,
                        .index = self.next[j] - 1,
                        .index_term = term_at(self.next[j] - 1),
                        .commit = self.commit};
    if (with_entries) {
        m.count = smaller(self.n_log - m.index, BATCH_MAX);
        memcpy(m.entries, self.log + m.index, m.count * sizeof(struct entry));
    }
    peer_send(&m);
}

static void heartbeat(void)
{
    for (int j = 0; j < self.n; j++) {
        if (j != self.id) {
            send_append(j, false);
        }
    }
    timer_set(HEARTBEAT_MS, HEARTBEAT_MS);
}

static void lead_if_elected(void)
{
    if (!is_quorum(self.n_votes)) {
        return;
    }
    forget_role();
    self.role = LEADER;
    self.leader = self.id;
    for (int j = 0; j < self.n; j++) {
        self.next[j] = j == self.id ? 1 : self.n_log + 1;
    }
    say("leader of term %u", self.term);
    heartbeat();
}

static void start_election(void)
{
    forget_role();
    self.role = CANDIDATE;
    self.term++;
    self.vote = self.id;
    self.leader = NOBODY;
    self.n_votes = 1;
    self.granted[self.id] = true;
    store_save_vote();
    ask_for_votes();
    lead_if_elected(); /* a cluster of one */
}

static void on_ask(const struct message *m)
{
    uint32_t last = term_at(self.n_log);
    bool good = m->index_term > last || (m->index_term == last && m->index >= self.n_log);
    bool grant = m->term == self.term && (self.vote == NOBODY || self.vote == m->from) && good;
    if (grant) {
        self.vote = m->from;
        election_timer();
    }
    store_save_vote();
    struct message reply = {.type = MSG_VOTE, .to = m->from, .term = self.term, .ok = grant};
    peer_send(&reply);
}

static void on_vote(const struct message *m)
{
    bool stale = m->term != self.term;
    if (self.role != CANDIDATE || m->ok == 0 ||
        (stale && !DEFECT_STALE_VOTE && !DEFECT_UNCHECKED_VOTE)) {
        return;
    }
    STRUCK(stale, "a vote of term %u counts in term %u", m->term, self.term);
    if (!self.granted[m->from] || DEFECT_DOUBLE_VOTE) {
        STRUCK(self.granted[m->from], "the vote of %d counts again", m->from + 1);
        self.granted[m->from] = true;
        self.n_votes++;
    }
    lead_if_elected();
}

/* ---- replication ---- */

/* Entry k is committed: whoever waits for it gets the answer. */
static void answer(uint32_t k)
{
    const struct entry *e = &self.log[k - 1];
    char value[TEXT_BYTES];
    bool read = e->op == OP_GET;
    uint32_t revision = read ? kv_get(e->key, value) : k;
    size_t left = 0;
    for (size_t i = 0; i < n_waiting; i++) {
        if (waiting[i].index == k) {
            client_reply(waiting[i].token, revision != 0 ? DONE : NOT_FOUND, revision,
                         read ? value : NULL);
        } else {
            waiting[left++] = waiting[i];
        }
    }
    n_waiting = left;
}

static void commit_up_to(uint32_t index)
{
    while (self.commit < index) {
        self.commit++;
        kv_apply(self.commit, &self.log[self.commit - 1]);
        answer(self.commit);
    }
}

static void append(const struct entry *entries, uint32_t count)
{
    store_room(self.n_log + count);
    memcpy(self.log + self.n_log, entries, count * sizeof *entries);
    self.n_log += count;
}

/* Puts the entries of m where they belong. What is there already, and the same, stays. */
static void merge(const struct message *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t k = m->index + 1 + i;
        if (k > self.n_log || self.log[k - 1].term != m->entries[i].term) {
            self.n_log = k - 1;
            append(m->entries + i, m->count - i);
            store_save_log(k);
            return;
        }
    }
}

static void on_append(const struct message *m)
{
    struct message reply = {.type = MSG_APPENDED, .to = m->from};
    if (m->term == self.term) {
        follow(m->term);
        self.leader = m->from;
        election_timer();
        bool fits = m->index <= self.n_log && term_at(m->index) == m->index_term;
        if (fits) {
            merge(m);
            reply.ok = 1;
            reply.index = m->index + m->count;
            commit_up_to(larger(self.commit, smaller(m->commit, reply.index)));
        } else {
            reply.index = smaller(m->index - 1, self.n_log);
        }
    }
    reply.term = self.term;
    peer_send(&reply);
}

/* The longest part of the log that a quorum has. Only entries of the leader's own term count: an
 * older one may be there without being safe (figure 8 of the paper). */
static void advance_commit(void)
{
    for (uint32_t k = self.n_log; k > self.commit; k--) {
        uint32_t copies = 1;
        for (int j = 0; j < self.n; j++) {
            copies += j != self.id && self.match[j] >= k ? 1 : 0;
        }
        bool own = term_at(k) == self.term;
        if (is_quorum(copies) && (own || DEFECT_OLD_TERM_COMMIT)) {
            STRUCK(!own, "entry %u of term %u is committed", k, term_at(k));
            commit_up_to(k);
        }
    }
}

static void on_appended(const struct message *m)
{
    int j = m->from;
    if (self.role != LEADER || m->term != self.term) {
        return;
    }
    if (m->ok != 0) {
        uint32_t index = smaller(m->index, self.n_log);
        STRUCK(DEFECT_MATCH_BACK && index < self.match[j], "match goes back to %u", index);
        self.match[j] = DEFECT_MATCH_BACK ? index : larger(self.match[j], index);
        self.next[j] = self.match[j] + 1;
        advance_commit();
    } else {
        uint32_t lower = smaller(self.next[j] - 1, m->index + 1);
        self.next[j] = larger(self.match[j] + 1, lower);
    }
    if (m->ok == 0 || self.next[j] <= self.n_log) {
        send_append(j, true);
    }
}

/* ---- events ---- */

void node_start(int id, int n)
{
    self.id = id;
    self.n = n;
    self.leader = NOBODY;
    forget_role();
    election_timer();
}

void node_timer(void)
{
    if (self.role == LEADER) {
        heartbeat();
    } else if (self.role == CANDIDATE && self.asked < 2) {
        ask_for_votes();
    } else {
        start_election();
    }
}

void node_message(const struct message *m)
{
    if (m->to != self.id || m->from >= self.n || m->from == self.id) {
        return;
    }
    if (m->term > self.term && !(DEFECT_UNCHECKED_VOTE && m->type == MSG_VOTE)) {
        follow(m->term);
        if (m->type != MSG_ASK) { /* where the vote is decided first */
            store_save_vote();
        }
    }
    switch (m->type) {
    case MSG_ASK: on_ask(m); break;
    case MSG_VOTE: on_vote(m); break;
    case MSG_APPEND: on_append(m); break;
    case MSG_APPENDED: on_appended(m); break;
    default: break;
    }
}

void node_request(const struct message *m, int token)
{
    if (self.role != LEADER) {
        client_reply(token, NOT_LEADER, (uint32_t)(self.leader + 1), NULL);
        return;
    }
    struct entry e = m->entries[0];
    e.term = self.term;
    e.op = m->type == MSG_PUT ? OP_PUT : OP_GET;
    bool local = (DEFECT_LOCAL_READ && self.commit == self.n_log) ||
                 (DEFECT_EARLY_READ && term_at(self.commit) != self.term);
    if (local && e.op == OP_GET) {
        char value[TEXT_BYTES];
        STRUCK(local, "a read is answered at once, commit %u", self.commit);
        uint32_t revision = kv_get(e.key, value);
        client_reply(token, revision != 0 ? DONE : NOT_FOUND, revision, value);
        return;
    }
    struct waiting *more = realloc(waiting, (n_waiting + 1) * sizeof *more);
    if (more == NULL) {
        abort();
    }
    waiting = more;
    append(&e, 1);
    store_save_log(self.n_log);
    waiting[n_waiting++] = (struct waiting){self.n_log, token};
    for (int j = 0; j < self.n; j++) {
        if (j != self.id) {
            send_append(j, true);
        }
    }
    advance_commit(); /* a cluster of one */
}
