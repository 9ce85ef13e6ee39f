/* A node of a replicated counter on canonical/raft, its libuv back end and its disk format.
 *
 *     raftd ID N DIR     listens on 10.0.0.ID:9000 as one of N; the leader adds 1 every 200 ms */
#include <raft.h>
#include <raft/uv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static uint64_t count;
static struct raft raft;
static struct raft_io io;
static struct raft_fsm fsm;
static struct raft_uv_transport transport;
static uv_timer_t timer;
static unsigned long id;

static int fsm_apply(struct raft_fsm *f, const struct raft_buffer *buf, void **result)
{
    uint64_t add = 0;
    memcpy(&add, buf->base, sizeof add);
    count += add;
    *result = &count;
    if (count % 5 == 0) {
        printf("counter %llu\n", (unsigned long long)count);
    }
    return 0;
}

static int fsm_snapshot(struct raft_fsm *f, struct raft_buffer *bufs[], unsigned *n)
{
    *n = 1;
    *bufs = raft_malloc(sizeof **bufs);
    (*bufs)[0].len = sizeof count;
    (*bufs)[0].base = raft_malloc(sizeof count);
    memcpy((*bufs)[0].base, &count, sizeof count);
    return 0;
}

static int fsm_restore(struct raft_fsm *f, struct raft_buffer *buf)
{
    memcpy(&count, buf->base, sizeof count);
    raft_free(buf->base);
    return 0;
}

static void on_apply(struct raft_apply *req, int status, void *result)
{
    raft_free(req);
}

static void on_timer(uv_timer_t *t)
{
    if (raft_state(&raft) != RAFT_LEADER) {
        return;
    }
    struct raft_buffer buf = {.base = raft_malloc(8), .len = 8};
    uint64_t one = 1;
    memcpy(buf.base, &one, 8);
    struct raft_apply *req = raft_malloc(sizeof *req);
    if (raft_apply(&raft, req, &buf, 1, on_apply) != 0) {
        raft_free(buf.base);
        raft_free(req);
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    uv_loop_t *loop = uv_default_loop();
    struct raft_configuration conf;
    char address[64];
    id = strtoul(argv[1], NULL, 10);
    unsigned long n = strtoul(argv[2], NULL, 10);
    memset(&transport, 0, sizeof transport);
    if (raft_uv_tcp_init(&transport, loop) != 0 || raft_uv_init(&io, loop, argv[3], &transport) != 0) {
        return 1;
    }
    fsm.version = 1;
    fsm.apply = fsm_apply;
    fsm.snapshot = fsm_snapshot;
    fsm.restore = fsm_restore;
    snprintf(address, sizeof address, "10.0.0.%lu:9000", id);
    if (raft_init(&raft, &io, &fsm, id, address) != 0) {
        return 1;
    }
    raft_configuration_init(&conf);
    for (unsigned long i = 1; i <= n; i++) {
        snprintf(address, sizeof address, "10.0.0.%lu:9000", i);
        raft_configuration_add(&conf, i, address, RAFT_VOTER);
    }
    int status = raft_bootstrap(&raft, &conf);
    if (status != 0 && status != RAFT_CANTBOOTSTRAP) {
        fprintf(stderr, "bootstrap: %s\n", raft_strerror(status));
        return 1;
    }
    raft_configuration_close(&conf);
    status = raft_start(&raft);
    if (status != 0) {
        fprintf(stderr, "start: %s\n", raft_errmsg(&raft));
        return 1;
    }
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 200, 200);
    return uv_run(loop, UV_RUN_DEFAULT);
}
