/* The boot cache. Starting a cluster of virtual machines (as Java's) takes seconds, and the same
 * seconds each time: nearly all of a run without faults. So the world is written down at times that
 * the user names, and a run of the same cluster and seed begins at the latest of them until which
 * the same was planned.
 *
 * A run from the cache is the run that it would have been: same events, hashes, logs. What is kept
 * belongs to a key: the program assay itself, the machine's kernel and processor, the user, all of
 * the description of the world, what is judged while it goes on, and what is planned until then.
 * Files of the machine that programs have looked at are compared one by one when it is loaded
 * (world_load). The file is the user's alone (base/own.h) and ends with a checksum; whatever does
 * not fit is as if there were no file. */
#include "run/boot.h"

#include <cpuid.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/own.h"
#include "base/pack.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/cluster.h"
#include "run/plan.h"
#include "run/runner.h"
#include "world/world.h"

#define MAGIC UINT64_C(0x32746f6f62737361) /* "assboot2" */
enum { KEPT_MOST = 8, NAME_BYTES = 32, WRITING_S_MOST = 300 };

void boot_done(struct boot *boot)
{
    VEC_DONE(&boot->choices);
    strbuf_done(&boot->journal);
    for (size_t i = 0; i < boot->said.n; i++) {
        strbuf_done(&boot->said.v[i]);
    }
    VEC_DONE(&boot->said);
}

size_t boot_possible(const struct run_options *o)
{
    const struct cluster *c = o->cluster;
    bool every = false;
    for (size_t i = 0; i < c->n_checks; i++) {
        every = every || c->checks[i].every != 0;
    }
    if (o->boot_dir == NULL || o->replay != NULL || o->choose != NULL || o->watch != NULL ||
        o->until != 0 || o->trace_fd >= 0 || o->pcap || o->shiviz || o->capture || o->jsonl ||
        o->choices || c->preemptions != 0 || c->faults.reorder_ppm != 0 || c->n_sometimes != 0 ||
        c->judge != NULL || c->work || every) {
        return 0;
    }
    size_t n = 0;
    while (n < o->n_boots && o->boots[n] < c->time_ns) {
        n++;
    }
    return n;
}

/* ---- the key ---- */

static void key_text(struct strbuf *key, const char *text)
{
    pack_bytes(key, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 0);
}

static void key_list(struct strbuf *key, const char *const *list)
{
    size_t n = 0;
    while (list != NULL && list[n] != NULL) {
        n++;
    }
    pack_u64(key, n);
    for (size_t i = 0; i < n; i++) {
        key_text(key, list[i]);
    }
}

/* Which file a program is, through links. */
static void key_program(struct strbuf *key, const char *name, const char *const *env)
{
    const char *path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    char found[PATH_MAX] = "";
    for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
        path = strncmp(env[i], "PATH=", 5) == 0 ? env[i] + 5 : path;
    }
    if (strchr(name, '/') != NULL) {
        (void)!realpath(name, found);
    }
    while (strchr(name, '/') == NULL && found[0] == '\0' && *path != '\0') {
        size_t n = strcspn(path, ":");
        SCOPED_STRBUF at = {0};
        strbuf_printf(&at, "%.*s/%s", (int)n, path, name);
        if (access(strbuf_cstr(&at), X_OK) == 0) {
            (void)!realpath(strbuf_cstr(&at), found);
        }
        path += n + (path[n] == ':' ? 1 : 0);
    }
    key_text(key, found);
}

static void key_node(struct strbuf *key, const struct world_node *node)
{
    key_text(key, node->name);
    key_list(key, node->argv);
    key_program(key, node->argv[0], node->env);
    key_list(key, node->env);
    key_text(key, node->cwd);
    key_list(key, node->dirs);
    key_list(key, node->shown);
    pack_u64(key, node->n_files);
    for (size_t i = 0; i < node->n_files; i++) {
        key_text(key, node->files[i].path);
        pack_bytes(key, node->files[i].text, node->files[i].n);
        pack_u64(key, node->files[i].mode);
    }
    const uint64_t numbers[] = {node->ip,
                                (uint64_t)node->skew_ns,
                                (uint64_t)node->drift_ppm,
                                node->start_ns,
                                node->client,
                                node->manual};
    pack_bytes(key, numbers, sizeof numbers);
}

static void key_world(struct strbuf *key, const struct world_spec *spec)
{
    pack_u64(key, spec->n_nodes);
    for (size_t i = 0; i < spec->n_nodes; i++) {
        key_node(key, &spec->nodes[i]);
    }
    const struct world_net *net = &spec->net;
    const uint64_t numbers[] = {
        net->latency_min_ns, net->latency_max_ns, net->udp_loss_ppm,  net->udp_dup_ppm,
        net->loss_ppm,       net->bytes_per_s,    net->n_messages,    spec->seed,
        spec->order,         spec->hwrand,        spec->writeback_ns, spec->strict_disk,
        spec->independent,   spec->local_clocks,  spec->bare,
    };
    pack_bytes(key, numbers, sizeof numbers);
    for (size_t i = 0; i < net->n_messages; i++) {
        const struct world_message *m = &net->messages[i];
        const uint64_t parts[] = {
            m->port, m->end, m->width, m->little, m->offset, (uint64_t)m->extra, m->counts_all};
        pack_bytes(key, parts, sizeof parts);
        pack_bytes(key, m->text, m->text_n);
    }
    pack_bytes(key, &spec->limits, sizeof spec->limits);
    key_list(key, spec->allow);
}

/* The program that does all this, by its contents. */
static void key_self(struct strbuf *key)
{
    uint8_t bytes[65536];
    uint64_t h = 1;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? 1 : 0;
    while (n > 0) {
        n = read(fd, bytes, sizeof bytes);
        h = n > 0 ? hash_bytes(bytes, (size_t)n, h) : h;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    pack_u64(key, h);
}

static void key_machine(struct strbuf *key)
{
    struct utsname name;
    if (uname(&name) == 0) {
        key_text(key, name.release);
        key_text(key, name.version);
        key_text(key, name.nodename);
    }
    for (unsigned leaf = 0; leaf < 14; leaf++) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        __cpuid_count(leaf, 0, a, b, c, d);
        const uint64_t one[] = {a, leaf == 1 ? b & 0x00ffffffU : b, c, leaf == 11 ? 0 : d};
        pack_bytes(key, one, sizeof one);
    }
    pack_u64(key, getuid());
    pack_u64(key, getgid());
}

/* What is judged while a run goes on: of a run that has come so far, nothing was violated. */
static void key_judged(struct strbuf *key, const struct cluster *c)
{
    const uint64_t numbers[] = {c->n_fail_on, c->stop_with_clients, c->history.on};
    pack_bytes(key, numbers, sizeof numbers);
    for (size_t i = 0; i < c->n_fail_on; i++) {
        pack_bytes(key, c->fail_on[i].p, c->fail_on[i].n);
    }
    pack_bytes(key, c->may_fail, c->n_nodes * sizeof c->may_fail[0]);
}

static void make_key(const struct run_options *o, struct strbuf *key)
{
    struct world_spec spec = run_world_spec(o);
    key_self(key);
    key_machine(key);
    key_world(key, &spec);
    key_judged(key, o->cluster);
}

/* What was planned until a time. */
static void key_until(const struct run_options *o, uint64_t ns, struct strbuf *key)
{
    pack_u64(key, ns);
    for (size_t i = 0; o->plan != NULL && i < o->plan->events.n; i++) {
        const struct timed_event *timed = &o->plan->events.v[i];
        const struct event *e = &timed->event;
        if (timed->at_ns > ns) {
            break;
        }
        const uint64_t numbers[] = {timed->at_ns, e->kind, e->node,
                                    e->peer,      e->id,   (uint64_t)e->arg};
        pack_bytes(key, numbers, sizeof numbers);
        pack_bytes(key, e->command.p, e->command.n);
    }
}

static void name_of(const struct strbuf *key, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "boot-%016llx",
                   (unsigned long long)hash_bytes(key->p, key->n, 1));
}

/* ---- writing ---- */

static uint64_t checksum(const char *bytes, size_t n)
{
    return hash_bytes(bytes, n, MAGIC);
}

/* Images are large: only some are kept, and what somebody was killed over is no image (own_put has
 * names of its own until one is whole). True: there are too many still. */
static bool drop_oldest(int dir)
{
    char oldest[NAME_BYTES] = "";
    struct timespec when = {0};
    const time_t now = (time_t)clock_wall_s();
    size_t n = 0;
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        struct stat st;
        if (strncmp(e->d_name, "boot-", 5) != 0 ||
            fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        if (strstr(e->d_name, ".tmp") != NULL) {
            if (st.st_mtim.tv_sec < now - WRITING_S_MOST) {
                (void)unlinkat(dir, e->d_name, 0);
            }
            continue;
        }
        if (strlen(e->d_name) >= NAME_BYTES) {
            continue;
        }
        n++;
        bool older = st.st_mtim.tv_sec < when.tv_sec ||
                     (st.st_mtim.tv_sec == when.tv_sec && st.st_mtim.tv_nsec < when.tv_nsec);
        if (oldest[0] == '\0' || older) {
            memcpy(oldest, e->d_name, strlen(e->d_name) + 1);
            when = st.st_mtim;
        }
    }
    if (list != NULL) {
        (void)closedir(list);
    }
    return n >= KEPT_MOST && unlinkat(dir, oldest, 0) == 0 && n > KEPT_MOST;
}

int boot_store(const struct run_options *o, struct world *world, const struct boot *boot,
               struct err *err)
{
    SCOPED_STRBUF key = {0}, out = {0};
    char name[NAME_BYTES];
    make_key(o, &key);
    key_until(o, boot->at_ns, &key);
    name_of(&key, name);
    pack_u64(&out, MAGIC);
    pack_bytes(&out, key.p, key.n);
    pack_u64(&out, boot->events);
    pack_u64(&out, boot->planned);
    pack_bytes(&out, boot->asked, sizeof boot->asked);
    pack_bytes(&out, boot->fired, sizeof boot->fired);
    pack_bytes(&out, &boot->rng, sizeof boot->rng);
    pack_bytes(&out, boot->choices.v, boot->choices.n * sizeof boot->choices.v[0]);
    pack_bytes(&out, boot->journal.p, boot->journal.n);
    pack_u64(&out, boot->said.n);
    for (size_t i = 0; i < boot->said.n; i++) {
        pack_bytes(&out, boot->said.v[i].p, boot->said.v[i].n);
    }
    int status = world_store(world, &out, err);
    if (status != 0) {
        return status;
    }
    pack_u64(&out, checksum(out.p, out.n));
    int dir = own_dir(o->boot_dir);
    if (dir < 0) {
        return err_set(err, ERR_IO, 0, "%s is no directory of yours alone", o->boot_dir);
    }
    while (drop_oldest(dir)) { /* several runs at once may have left more */
    }
    bool put = own_put(dir, name, strbuf_str(&out));
    (void)close(dir);
    return put ? 0 : err_set(err, ERR_IO, 0, "cannot write to %s", o->boot_dir);
}

/* ---- reading ---- */

static bool take_words(struct unpack *in, void *ret, size_t n)
{
    struct str bytes = unpack_bytes(in);
    if (bytes.n == n) {
        memcpy(ret, bytes.p, n);
    }
    return bytes.n == n;
}

static bool take_boot(struct unpack *in, struct boot *ret)
{
    ret->events = unpack_u64(in);
    ret->planned = unpack_u64(in);
    if (!take_words(in, ret->asked, sizeof ret->asked) ||
        !take_words(in, ret->fired, sizeof ret->fired) ||
        !take_words(in, &ret->rng, sizeof ret->rng)) {
        return false;
    }
    struct str choices = unpack_bytes(in);
    size_t n = choices.n / sizeof ret->choices.v[0];
    if (n != 0) {
        VEC_RESERVE(&ret->choices, n);
        memcpy(ret->choices.v, choices.p, n * sizeof ret->choices.v[0]);
        ret->choices.n = n;
    }
    strbuf_addstr(&ret->journal, unpack_bytes(in));
    uint64_t said = unpack_u64(in);
    for (uint64_t i = 0; i < said && !in->cut; i++) {
        struct strbuf text = {0};
        strbuf_addstr(&text, unpack_bytes(in));
        VEC_PUSH(&ret->said, text);
    }
    return !in->cut;
}

static int load(const struct run_options *o, const struct strbuf *key, struct str file,
                struct world *world, struct boot *ret, struct err *err)
{
    struct unpack in = {.rest = file};
    uint64_t sum = 0;
    if (file.n > 2 * sizeof sum) {
        in.rest.n -= sizeof sum;
        memcpy(&sum, file.p + in.rest.n, sizeof sum);
    }
    bool whole = file.n > 2 * sizeof sum && sum == checksum(file.p, in.rest.n);
    if (!whole || unpack_u64(&in) != MAGIC) {
        return err_set(err, ERR_NOT_FOUND, 0, "the boot cache is damaged");
    }
    struct str theirs = unpack_bytes(&in);
    if (theirs.n != key->n || memcmp(theirs.p, key->p, key->n) != 0 || !take_boot(&in, ret)) {
        return err_set(err, ERR_NOT_FOUND, 0, "the boot cache is of something else");
    }
    if (ret->events > o->cluster->events_most) {
        return err_set(err, ERR_NOT_FOUND, 0, "the run ends before");
    }
    ret->touched = true;
    return world_load(world, &in, err);
}

/* The one of one time; ret->at_ns says which. */
static int load_one(const struct run_options *o, int dir, const struct strbuf *key,
                    struct world *world, struct boot *ret, struct err *err)
{
    char name[NAME_BYTES];
    name_of(key, name);
    int fd = dir >= 0 ? own_file(dir, name) : -1;
    struct stat st;
    void *at = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0
                   ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0)
                   : MAP_FAILED;
    int status = at == MAP_FAILED
                     ? err_set(err, ERR_NOT_FOUND, 0, "nothing in the boot cache")
                     : load(o, key, (struct str){at, (size_t)st.st_size}, world, ret, err);
    if (at != MAP_FAILED) {
        (void)munmap(at, (size_t)st.st_size);
    }
    if (fd >= 0) {
        (void)(status == 0 ? futimens(fd, NULL) : 0); /* it is not the oldest any more */
        (void)close(fd);
    }
    return status;
}

int boot_load(const struct run_options *o, struct world *world, struct boot *ret, struct err *err)
{
    SCOPED_STRBUF key = {0};
    make_key(o, &key);
    size_t base = key.n;
    int dir = own_dir(o->boot_dir);
    int status = err_set(err, ERR_NOT_FOUND, 0, "nothing in the boot cache");
    for (size_t i = boot_possible(o); status != 0 && !ret->touched && i-- > 0;) {
        struct err why = {0};
        boot_done(ret);
        *ret = (struct boot){.at_ns = o->boots[i]};
        key.n = base;
        key_until(o, ret->at_ns, &key);
        status = load_one(o, dir, &key, world, ret, &why);
        *err = ret->touched || i == 0 ? why : *err;
    }
    if (dir >= 0) {
        (void)close(dir);
    }
    return status;
}
