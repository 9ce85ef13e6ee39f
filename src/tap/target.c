/* Processes, their children and their sockets, from /proc; cgroups from where version 2 is mounted.
 * All of it may change while it is read: what is gone then is left out. */
#include "tap/target.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/vfs.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "tap/tap.h"

enum { CGROUP2 = 0x63677270, STATE_OPEN = 1, STATE_LISTENS = 10, DEPTH_MOST = 32 };

void target_done(struct target *t)
{
    VEC_DONE(&t->pids);
    VEC_DONE(&t->sockets);
    *t = (struct target){0};
}

static void add_pid(struct target *t, uint32_t pid)
{
    for (size_t i = 0; i < t->pids.n; i++) {
        if (t->pids.v[i] == pid) {
            return;
        }
    }
    VEC_PUSH(&t->pids, pid);
}

uint32_t target_net(uint32_t pid)
{
    char path[64];
    struct stat st;
    (void)snprintf(path, sizeof path, "/proc/%" PRIu32 "/ns/net", pid);
    return stat(path, &st) == 0 ? (uint32_t)st.st_ino : 0;
}

/* ---- processes ---- */

static uint32_t parent_of(const char *pid)
{
    char path[64], line[512];
    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *f = fopen(path, "re");
    size_t n = f != NULL ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f != NULL) {
        (void)fclose(f);
    }
    line[n] = 0;
    const char *at = strrchr(line, ')'); /* a name may hold anything */
    return at != NULL && strlen(at) > 4 ? (uint32_t)strtoul(at + 4, NULL, 10) : 0;
}

struct children {
    struct target *t;
    bool more;
};

static void one_child(void *arg, const char *name)
{
    struct children *c = arg;
    if (!isdigit((unsigned char)name[0])) {
        return;
    }
    uint32_t parent = parent_of(name), pid = (uint32_t)strtoul(name, NULL, 10);
    size_t before = c->t->pids.n;
    for (size_t i = 0; i < before; i++) {
        if (c->t->pids.v[i] == parent) {
            add_pid(c->t, pid);
            break;
        }
    }
    c->more = c->more || c->t->pids.n != before;
}

int target_of_pid(pid_t pid, struct target *t, struct err *err)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (pid <= 0 || !file_exists(path)) {
        return err_set(err, ERR_NOT_FOUND, 0, "there is no process %d", (int)pid);
    }
    add_pid(t, (uint32_t)pid);
    struct children c = {t, true};
    while (c.more) {
        c.more = false;
        dir_each("/proc", one_child, &c);
    }
    t->net = target_net((uint32_t)pid);
    return 0;
}

/* ---- cgroups ---- */

/* Where version 2 is mounted. */
static int mount_point(struct strbuf *ret, struct err *err)
{
    char line[1024], place[512], kind[64];
    FILE *f = fopen("/proc/self/mounts", "re");
    bool found = false;
    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        found = sscanf(line, "%*s %511s %63s", place, kind) == 2 && strcmp(kind, "cgroup2") == 0;
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    if (!found) {
        return err_set(err, ERR_UNSUPPORTED, 0, "cgroups of version 2 are not mounted here");
    }
    strbuf_adds(ret, place);
    return 0;
}

static void pids_below(struct target *t, const char *dir, int depth);

struct below {
    struct target *t;
    const char *dir;
    int depth;
};

static void one_below(void *arg, const char *name)
{
    const struct below *b = arg;
    SCOPED_STRBUF path = {0};
    struct stat st;
    strbuf_printf(&path, "%s/%s", b->dir, name);
    if (name[0] != '.' && stat(strbuf_cstr(&path), &st) == 0 && S_ISDIR(st.st_mode)) {
        pids_below(b->t, strbuf_cstr(&path), b->depth + 1);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as cgroups are, and not deeper than DEPTH_MOST */
static void pids_below(struct target *t, const char *dir, int depth)
{
    SCOPED_STRBUF path = {0};
    char line[32];
    strbuf_printf(&path, "%s/cgroup.procs", dir);
    FILE *f = fopen(strbuf_cstr(&path), "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        add_pid(t, (uint32_t)strtoul(line, NULL, 10));
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    struct below b = {t, dir, depth};
    if (depth < DEPTH_MOST) {
        dir_each(dir, one_below, &b);
    }
}

int target_of_cgroup(const char *dir, struct target *t, struct err *err)
{
    SCOPED_STRBUF root = {0};
    struct stat st, top;
    struct statfs fs;
    int status = mount_point(&root, err);
    if (status != 0) {
        return status;
    }
    if (statfs(dir, &fs) != 0 || stat(dir, &st) != 0) {
        return err_set(err, ERR_NOT_FOUND, errno, "%s", dir);
    }
    if (fs.f_type != CGROUP2 || stat(strbuf_cstr(&root), &top) != 0) {
        return err_set(err, ERR_INVALID, 0,
                       "%s is no directory of cgroups of version 2 (they are in %s)", dir,
                       strbuf_cstr(&root));
    }
    t->cgroup_id = st.st_ino;
    SCOPED_STRBUF up = {0};
    strbuf_adds(&up, dir);
    for (struct stat now = st; now.st_ino != top.st_ino; t->level++) {
        strbuf_adds(&up, "/..");
        if (t->level == DEPTH_MOST || stat(strbuf_cstr(&up), &now) != 0) {
            return err_set(err, ERR_INVALID, 0, "%s is not below %s", dir, strbuf_cstr(&root));
        }
    }
    pids_below(t, dir, 0);
    t->net = t->pids.n != 0 ? target_net(t->pids.v[0]) : 0;
    return 0;
}

struct search {
    const char *unit, *dir;
    struct strbuf *found;
    int depth;
};

/* NOLINTNEXTLINE(misc-no-recursion): as above */
static void search_unit(void *arg, const char *name)
{
    const struct search *s = arg;
    SCOPED_STRBUF path = {0};
    struct stat st;
    strbuf_printf(&path, "%s/%s", s->dir, name);
    if (name[0] == '.' || s->found->n != 0 || stat(strbuf_cstr(&path), &st) != 0 ||
        !S_ISDIR(st.st_mode)) {
        return;
    }
    if (strcmp(name, s->unit) == 0) {
        strbuf_addstr(s->found, strbuf_str(&path));
        return;
    }
    struct search below = {s->unit, strbuf_cstr(&path), s->found, s->depth + 1};
    if (s->depth < DEPTH_MOST) {
        dir_each(below.dir, search_unit, &below);
    }
}

int tap_find_unit(const char *unit, struct strbuf *ret, struct err *err)
{
    SCOPED_STRBUF root = {0};
    int status = mount_point(&root, err);
    struct search s = {unit, strbuf_cstr(&root), ret, 0};
    if (status == 0) {
        dir_each(s.dir, search_unit, &s);
    }
    return status != 0   ? status
           : ret->n != 0 ? 0
                         : err_set(err, ERR_NOT_FOUND, 0,
                                   "no cgroup below %s is called %s: a unit has one while it runs, "
                                   "and its name ends with .service",
                                   strbuf_cstr(&root), unit);
}

/* ---- sockets ---- */

struct inodes {
    VEC(uint64_t) v;
    uint32_t pid;
};

static void one_fd(void *arg, const char *name)
{
    struct inodes *all = arg;
    char path[96], text[64];
    (void)snprintf(path, sizeof path, "/proc/%" PRIu32 "/fd/%.20s", all->pid, name);
    ssize_t n = readlink(path, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    if (strncmp(text, "socket:[", 8) == 0) {
        VEC_PUSH(&all->v, strtoull(text + 8, NULL, 10));
    }
}

static bool is_own(const struct inodes *all, uint64_t inode)
{
    for (size_t i = 0; i < all->v.n; i++) {
        if (all->v.v[i] == inode) {
            return true;
        }
    }
    return false;
}

/* An address as /proc has it; the last 32 bits of one of IPv6. */
static uint32_t address(const char *hex)
{
    size_t n = strlen(hex);
    return n >= 8 ? __builtin_bswap32((uint32_t)strtoul(hex + n - 8, NULL, 16)) : 0;
}

static void read_table(struct target *t, const struct inodes *own, const char *table)
{
    char path[64], line[512], local[40], remote[40];
    (void)snprintf(path, sizeof path, "/proc/%" PRIu32 "/net/%s", own->pid, table);
    FILE *f = fopen(path, "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        unsigned lport = 0, rport = 0, state = 0;
        unsigned long inode = 0;
        /* NOLINTNEXTLINE(cert-err34-c): what the kernel writes */
        if (sscanf(line, " %*d: %39[0-9A-F]:%x %39[0-9A-F]:%x %x %*s %*s %*s %*u %*d %lu", local,
                   &lport, remote, &rport, &state, &inode) != 6 ||
            (state != STATE_OPEN && state != STATE_LISTENS) || !is_own(own, inode)) {
            continue;
        }
        VEC_PUSH(&t->sockets, (struct target_socket){.local_ip = address(local),
                                                     .remote_ip = address(remote),
                                                     .local_port = (uint16_t)lport,
                                                     .remote_port = (uint16_t)rport,
                                                     .listens = state == STATE_LISTENS});
    }
    if (f != NULL) {
        (void)fclose(f);
    }
}

void target_sockets(struct target *t)
{
    t->sockets.n = 0;
    for (size_t i = 0; i < t->pids.n; i++) {
        char path[64];
        struct inodes own = {.pid = t->pids.v[i]};
        (void)snprintf(path, sizeof path, "/proc/%" PRIu32 "/fd", own.pid);
        dir_each(path, one_fd, &own);
        if (own.v.n != 0) {
            read_table(t, &own, "tcp");
            read_table(t, &own, "tcp6");
        }
        VEC_DONE(&own.v);
    }
}
