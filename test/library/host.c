/* A host of worlds: two of them in two threads, each run to its end twice. Prints what the worlds
 * were ("1 HASH SECONDS EVENTS"), then "same" when the process is as it was before.
 *
 * usage: host CLUSTER.toml */
#include <assay.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct job {
    const char *cluster;
    uint64_t seed, hash[2];
    double seconds;
    int64_t events;
    bool failed;
};

static int no_more(void *arg, const struct assay_event *event)
{
    (void)arg;
    return event->next ? 1 : 0;
}

static bool run_once(struct job *job, uint64_t *hash)
{
    char *error = NULL;
    assay_world *world = assay_world_open(job->cluster, NULL, job->seed, &error);
    int status = world != NULL ? 0 : -1;
    for (job->events = 0; status == 0; job->events++) {
        status = assay_world_events(world, no_more, NULL, &error) >= 0 ? 0 : -1;
        status = status == 0 ? assay_world_do(world, NULL, &error) : status;
    }
    if (status < 0) {
        fprintf(stderr, "%s\n", error);
        return false;
    }
    *hash = assay_world_hash(world);
    job->seconds = assay_world_seconds(world);
    assay_world_close(world);
    return true;
}

static void *run_job(void *arg)
{
    struct job *job = arg;
    job->failed = !run_once(job, &job->hash[0]) || !run_once(job, &job->hash[1]);
    return NULL;
}

static volatile sig_atomic_t children;

static void on_child(int sig)
{
    (void)sig;
    children = children + 1;
}

struct look {
    void (*handlers[65])(int);
    int flags[65];
    struct rlimit files;
    mode_t mask;
    sigset_t blocked;
};

static void look(struct look *l)
{
    memset(l, 0, sizeof *l);
    for (int sig = 1; sig <= 64; sig++) {
        struct sigaction action;
        if (sigaction(sig, NULL, &action) == 0) {
            l->handlers[sig] = action.sa_handler;
            l->flags[sig] = action.sa_flags & ~0x04000000; /* SA_RESTORER: glibc's own */
        }
    }
    (void)getrlimit(RLIMIT_NOFILE, &l->files);
    l->mask = umask(0);
    (void)umask(l->mask);
    (void)pthread_sigmask(SIG_BLOCK, NULL, &l->blocked);
}

int main(int argc, char **argv)
{
    struct sigaction child = {.sa_handler = on_child};
    struct rlimit few = {256, 4096};
    struct look before, after;
    (void)sigaction(SIGCHLD, &child, NULL);
    (void)setrlimit(RLIMIT_NOFILE, &few);
    (void)umask(027);
    look(&before);
    struct job jobs[2] = {
        {.cluster = argc > 1 ? argv[1] : "", .seed = 1},
        {.cluster = argc > 1 ? argv[1] : "", .seed = 2}
    };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, run_job, &jobs[i]) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < 2; i++) {
        (void)pthread_join(threads[i], NULL);
        if (jobs[i].failed || jobs[i].hash[0] != jobs[i].hash[1]) {
            printf("world %d: failed, or two hashes\n", i + 1);
            return 1;
        }
        printf("%d %016llx %.3f %lld\n", i + 1, (unsigned long long)jobs[i].hash[0],
               jobs[i].seconds, (long long)jobs[i].events);
    }
    look(&after);
    bool same = memcmp(&before, &after, sizeof before) == 0;
    bool left = waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD;
    printf("%s\n", !same ? "the process is another one" : left ? "children are left" : "same");
    return same && !left ? 0 : 1;
}
