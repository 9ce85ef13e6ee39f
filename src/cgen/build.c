/* Compiling C text with the system's compiler, with a cache.
 *
 * A cached file is <layout>-<parts>.so, and <layout>-<parts>.sum holds the hash of its bytes: a
 * file that was cut short or changed is compiled again. <layout> is a hash of all that code for the
 * same states has in common: compiler, flags, machine, prelude, type of a state. Every file says
 * which functions it holds, by their keys (defs.h). So what a changed constant does not touch is
 * found in the files of earlier runs, and only the rest is compiled; a first run compiles
 * everything at once, in one process, which is cheaper than in pieces.
 *
 * The compiler works in a temporary directory; what it made is put into the cache whole, so that
 * several processes can share it. own.h tells what a cache must be like to be used. */
#include "cgen/build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/own.h"
#include "base/str.h"
#include "base/vec.h"
#include "cgen/cgen.h"
#include "cgen/csource.h"
#include "cgen/defs.h"
#include "cgen/helpers.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "layouts of compiled states are little-endian"
#endif

/* The prelude needs no headers, and what it calls (memcpy, memset) is in the program that loads
 * the code: without the C library and its start files the linker has less to do. */
static const char *const flags[] = {"-std=gnu11",
                                    "-fPIC",
                                    "-shared",
                                    "-w",
                                    "-fno-strict-aliasing",
                                    "-march=native",
                                    "-fno-plt",
                                    "-nostdlib",
                                    "-pipe",
                                    "-x",
                                    "c",
                                    NULL};

/* What is needed to compile at a level. -Og takes 0.6 of the time of -O1, and what it makes
 * takes 1.1 to 1.2 times as long; tcc takes a thirtieth, and what it makes two to three times as
 * long. */
struct way {
    const char *compiler;
    const char *const *flags;
    const char *optimisation;
    const char *library; /* for machines that cannot count bits */
};

static const char *const tcc_flags[] = {"-shared", "-nostdlib", "-w", NULL};

static bool is_tcc(const char *compiler)
{
    struct str name = path_base(str_of(compiler));
    return str_is(name, "tcc");
}

static struct way way_to(const struct build_options *options, enum cgen_effort effort)
{
    const char *compiler = options->compiler ? options->compiler : "cc";
    switch (effort) {
    case CGEN_AT_ONCE: return (struct way){options->at_once, tcc_flags, "-O0", NULL};
    case CGEN_QUICK:
    case CGEN_WELL: break;
    }
    if (is_tcc(compiler)) {
        return (struct way){compiler, tcc_flags, "-O0", NULL};
    }
    if (effort == CGEN_QUICK) {
        return (struct way){compiler, flags, "-Og", "-lgcc"};
    }
    return (struct way){compiler, flags, "-O1", "-lgcc"};
}

#define FILES_MAX 64        /* for one layout: as many are thrown away */
#define LIMIT_S   600       /* for the compiler */
#define GRACE_NS  500000000 /* between asking it to stop and stopping it */

/* What a file of code says about itself: an array that ends with a zero. */
struct entry {
    uint64_t key[2];
    const void *code;
};

/* ---- names ---- */

/* What code made by -march=native depends on. */
static uint64_t machine_hash(struct arena *arena)
{
    struct err err = {0};
    struct str text;
    uint64_t h = 7;
    if (file_read(arena, "/proc/cpuinfo", 1 << 22, &text, &err) != 0) {
        return h;
    }
    const char *at = strstr(text.p, "flags");
    const char *end = at ? strchr(at, '\n') : NULL;
    return end ? hash_bytes(at, (size_t)(end - at), h) : h;
}

static uint64_t layout_hash(struct arena *arena, const struct build *build, const struct way *way)
{
    uint64_t h = hash_bytes(build->prelude.p, build->prelude.n, 1);
    h = hash_combine(h, build->layout);
    h = hash_combine(h, hash_bytes(way->compiler, strlen(way->compiler), 1));
    for (size_t i = 0; way->flags[i]; i++) {
        h = hash_combine(h, hash_bytes(way->flags[i], strlen(way->flags[i]), 1));
    }
    h = hash_combine(h, hash_bytes(way->optimisation, 3, 1));
    struct stat st;
    if (stat("/usr/bin/cc", &st) == 0) { /* another compiler was installed */
        h = hash_combine(h, (uint64_t)st.st_size ^ (uint64_t)st.st_mtim.tv_sec);
    }
    return hash_combine(h, machine_hash(arena));
}

static uint64_t missing_hash(const struct build *build)
{
    uint64_t h = 1;
    for (size_t i = 0; i < build->part.n; i++) {
        const struct build_part *part = &build->part.v[i];
        const struct part_key *key = &part->function->key;
        h = part->code ? h : hash_combine(hash_combine(h, key->v[0]), key->v[1]);
    }
    return h;
}

/* ---- code ---- */
/* A word of the key that code carries. The layout of states is in it, and not only in the name of
 * the file: the same text means other code for other states. */
static uint64_t key_word(const struct build *build, const struct build_part *part, size_t i)
{
    return hash_combine(part->function->key.v[i], build->layout);
}

static size_t missing(const struct build *build)
{
    size_t n = 0;
    for (size_t i = 0; i < build->part.n; i++) {
        n += build->part.v[i].code == NULL;
    }
    return n;
}

/* Loads the code that was opened; NULL when that fails (dlerror). The descriptor must stay open for
 * as long as the code is loaded: its number is the name by which the linker knows the code. */
static void *load_code(int fd)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Loaded already, by another name? The linker would keep both names, and give this code again for
 * whatever file gets the number of the second descriptor later. */
static bool is_loaded(const struct build *build, int fd)
{
    struct stat st;
    struct stat other;
    bool same = false;
    for (size_t i = 0; i < build->loaded.n && !same; i++) {
        same = fstat(fd, &st) == 0 && fstat(build->loaded.v[i].fd, &other) == 0 &&
               st.st_dev == other.st_dev && st.st_ino == other.st_ino;
    }
    return same;
}

/* Loads a file of code, takes over its descriptor, and keeps it if it has any of what is missing.
 * False when it cannot be loaded. */
static bool take(struct build *build, int fd)
{
    if (is_loaded(build, fd)) {
        (void)close(fd);
        return true;
    }
    void *handle = load_code(fd);
    const struct entry *entries = handle ? dlsym(handle, "assay_parts") : NULL;
    struct helpers *const *helpers =
        handle ? (struct helpers *const *)dlsym(handle, "assay_helpers") : NULL;
    if (helpers) { /* only tcc's code has them */
        **helpers = cgen_helpers;
    }
    size_t before = missing(build);
    for (size_t i = 0; i < build->part.n && entries; i++) {
        struct build_part *part = &build->part.v[i];
        for (const struct entry *e = entries; e->code && !part->code; e++) {
            bool same =
                e->key[0] == key_word(build, part, 0) && e->key[1] == key_word(build, part, 1);
            part->code = same ? e->code : NULL;
        }
    }
    if (missing(build) < before) {
        VEC_PUSH(&build->loaded, (struct build_file){handle, fd});
        return true;
    }
    if (handle) {
        (void)dlclose(handle);
    }
    (void)close(fd);
    return handle != NULL;
}

/* The text of what is missing. */
static void write_text(const struct build *build, struct strbuf *out)
{
    strbuf_addstr(out, build->prelude);
    strbuf_addstr(out, build->shared);
    for (size_t i = 0; i < build->part.n; i++) {
        const struct cfunction *fn = build->part.v[i].function;
        if (!build->part.v[i].code) {
            strbuf_printf(out, "%.*s%s", STR_ARG(fn->head), fn->name);
            strbuf_addstr(out, fn->body);
        }
    }
    strbuf_adds(out, "const struct { uint64_t key[2]; const void *code; } assay_parts[] = {\n");
    for (size_t i = 0; i < build->part.n; i++) {
        const struct build_part *part = &build->part.v[i];
        if (!part->code) {
            strbuf_printf(out, "{{UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 ")}, %s},\n",
                          key_word(build, part, 0), key_word(build, part, 1), part->function->name);
        }
    }
    strbuf_adds(out, "{{0, 0}, 0}};\n");
}

/* ---- the cache ---- */
static const char *sum_of(struct arena *arena, struct str code)
{
    return arena_printf(arena, "%016llx\n", (unsigned long long)hash_bytes(code.p, code.n, 11));
}

static void take_file(struct arena *arena, struct build *build, int dir, const char *name)
{
    struct err err = {0};
    struct str code;
    struct str want;
    int so = own_file(dir, arena_printf(arena, "%s.so", name));
    int sum = own_file(dir, arena_printf(arena, "%s.sum", name));
    bool good = so >= 0 && sum >= 0 && own_read(arena, sum, &want, &err) == 0 &&
                own_read(arena, so, &code, &err) == 0 && str_is(want, sum_of(arena, code));
    if (sum >= 0) {
        (void)close(sum);
    }
    if (good) {
        (void)take(build, so);
    } else if (so >= 0) {
        (void)close(so);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Looks into files for the same layout, the one that should hold everything first. */
static void search(struct arena *arena, struct build *build, int dir, uint64_t layout)
{
    const char *names[FILES_MAX];
    size_t n = 0;
    take_file(arena, build, dir,
              arena_printf(arena, "%016" PRIx64 "-%016" PRIx64, layout, missing_hash(build)));
    int again = missing(build) ? openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *open = again >= 0 ? fdopendir(again) : NULL;
    if (!open) {
        if (again >= 0) {
            (void)close(again);
        }
        return;
    }
    const char *prefix = arena_printf(arena, "%016" PRIx64 "-", layout);
    for (struct dirent *e = readdir(open); e && n < FILES_MAX; e = readdir(open)) {
        size_t len = strlen(e->d_name);
        if (len > 3 && strncmp(e->d_name, prefix, strlen(prefix)) == 0 &&
            strcmp(e->d_name + len - 3, ".so") == 0) {
            names[n++] = arena_strndup(arena, e->d_name, len - 3);
        }
    }
    (void)closedir(open);
    qsort((void *)names, n, sizeof names[0], by_name);
    for (size_t i = 0; i < n && n < FILES_MAX && missing(build); i++) {
        take_file(arena, build, dir, names[i]);
    }
    for (size_t i = 0; i < n && n == FILES_MAX;
         i++) { /* crumbs: one file for everything is better */
        (void)unlinkat(dir, arena_printf(arena, "%s.so", names[i]), 0);
        (void)unlinkat(dir, arena_printf(arena, "%s.sum", names[i]), 0);
    }
}

/* ---- the compiler ---- */
enum { RC_NONE = 127, RC_KILLED = 128, RC_LATE = 129, RC_UNWANTED = 130 };

/* What it reads and makes. */
struct work {
    const char *dir, *source, *log, *code;
};

static bool is_set(const volatile sig_atomic_t *flag)
{
    return flag && __atomic_load_n(flag, __ATOMIC_RELAXED);
}

/* The compiler and all it starts are one group of processes, led by a shell that has a socket of
 * ours. A line there means that the source is ready. The socket ends when we end, in whatever way:
 * then the group is told to end, is killed if it does not, and the directory $0 of its files goes
 * with it. SIGTERM is for the compiler, so that it can remove what it has made elsewhere; the shell
 * tells how it ended. */
static const char guard[] =
    "trap told=1 TERM\n"
    "read -r _ <&3 || { rm -rf -- \"$0\"; exit 1; }\n"
    "\"$@\" 3<&- &\n"
    "compiler=$!\n"
    "{ trap '' TERM; read -r _ <&3; kill -TERM 0; sleep 1; rm -rf -- \"$0\"; kill -9 0; } &\n"
    "watch=$!\n"
    "while :; do\n"
    "    wait $compiler\n"
    "    status=$?\n"
    "    kill -0 $compiler 2>/dev/null || break\n"
    "done\n"
    "[ -z \"$told\" ] || { rm -rf -- \"$0\"; kill -9 0; }\n"
    "kill -9 $watch\n"
    "exit $status\n";

static int how_it_ended(int status)
{
    int rc = WIFEXITED(status) ? WEXITSTATUS(status) : RC_KILLED;
    return rc == 126 ? RC_NONE : rc > RC_KILLED ? RC_KILLED : rc; /* as a shell tells it */
}

static int wait_for(pid_t pid, const struct build_options *options)
{
    uint64_t now = clock_mono_ns();
    uint64_t limit = now + UINT64_C(1000000000) * (options->limit_s ? options->limit_s : LIMIT_S);
    uint64_t patience = UINT64_MAX; /* until when it may take to stop */
    int status = 0;
    for (;; now = clock_mono_ns()) {
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid) {
            return now >= limit ? RC_LATE : how_it_ended(status);
        }
        if (done < 0 && errno != EINTR) {
            return RC_NONE;
        }
        if (patience == UINT64_MAX && (now >= limit || is_set(options->interrupt))) {
            (void)kill(-pid, SIGTERM);
            patience = now + GRACE_NS;
        } else if (now >= patience) {
            (void)kill(-pid, SIGKILL);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* `watched`: the end of the socket that the guard reads. Returns a process, or -1. */
static pid_t start(const struct work *work, int watched, const struct way *way,
                   const struct build_options *options)
{
    enum { OTHERS = 12 };
    size_t n = 0;
    while (way->flags[n]) {
        n++;
    }
    const char **argv = vec_grow(NULL, &(size_t){0}, n + OTHERS, sizeof *argv);
    n = 0;
    argv[n++] = "sh";
    argv[n++] = "-c";
    argv[n++] = guard;
    argv[n++] = options->keep ? "" : work->dir;
    argv[n++] = way->compiler;
    for (size_t i = 0; way->flags[i]; i++) {
        argv[n++] = way->flags[i];
    }
    argv[n++] = way->optimisation;
    argv[n++] = "-o";
    argv[n++] = work->code;
    argv[n++] = work->source;
    if (way->library) {
        argv[n++] = way->library;
    }
    argv[n] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        vec_release(argv);
        return -1;
    }
    if (posix_spawnattr_init(&attr) != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        vec_release(argv);
        return -1;
    }
    (void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
    (void)posix_spawnattr_setpgroup(&attr, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 1, work->log, O_WRONLY | O_CREAT | O_TRUNC,
                                           0600);
    (void)posix_spawn_file_actions_adddup2(&actions, 1, 2);
    (void)posix_spawn_file_actions_adddup2(&actions, watched, 3);
    pid_t pid;
    int rc = posix_spawn(&pid, "/bin/sh", &actions, &attr, (char *const *)argv, env_all());
    (void)posix_spawnattr_destroy(&attr);
    (void)posix_spawn_file_actions_destroy(&actions);
    vec_release(argv);
    return rc != 0 ? -1 : pid;
}

/* -1: the source cannot be written. */
static int compile(const struct work *work, struct str source, const struct way *way,
                   const struct build_options *options, struct err *err)
{
    int alive[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, alive) != 0) {
        return RC_NONE;
    }
    pid_t pid = start(work, alive[0], way, options);
    (void)close(alive[0]);
    int rc = RC_NONE;
    if (pid >= 0) {
        bool ready = file_write(work->source, source, err) == 0;
        if (ready) {
            (void)send(alive[1], "\n", 1, MSG_NOSIGNAL); /* nobody there: how it ended tells */
        } else {
            (void)shutdown(alive[1], SHUT_WR);
        }
        rc = wait_for(pid, options);
        rc = ready ? rc : -1;
    }
    (void)close(alive[1]);
    return rc;
}

static const char *first_line(struct arena *arena, const char *path)
{
    struct err err = {0};
    struct str text;
    if (file_read(arena, path, 1 << 20, &text, &err) != 0 || text.n == 0) {
        return "it printed nothing";
    }
    const char *end = memchr(text.p, '\n', text.n);
    return arena_strndup(arena, text.p, end ? (size_t)(end - text.p) : text.n);
}

static const char *failure(struct arena *arena, int rc, const char *log, const struct way *way,
                           const struct build_options *options)
{
    if (is_set(options->interrupt) || rc == RC_UNWANTED) {
        return "the search ended first";
    }
    switch (rc) {
    case RC_NONE: return arena_printf(arena, "there is no C compiler (%s)", way->compiler);
    case RC_KILLED: return "the C compiler was killed";
    case RC_LATE: return "the C compiler took too long";
    default: return arena_printf(arena, "the C compiler failed: %s", first_line(arena, log));
    }
}

/* Loads what the compiler made, and puts it into the cache if there is one: by the name given.
 * Takes over the descriptor. */
static const char *take_fresh(struct arena *arena, struct build *build, int fd, const char *name)
{
    struct err err = {0};
    struct str code;
    int cache = build->cache;
    /* The sum comes last: code without one is not used. */
    if (cache >= 0 && own_read(arena, fd, &code, &err) == 0 &&
        own_put(cache, arena_printf(arena, "%s.so", name), code) &&
        !own_put(cache, arena_printf(arena, "%s.sum", name), str_of(sum_of(arena, code)))) {
        (void)unlinkat(cache, arena_printf(arena, "%s.so", name), 0);
    }
    return take(build, fd) ? NULL : arena_printf(arena, "the code cannot be loaded: %s", dlerror());
}

/* Compiles what is missing in the directory `dir`, which goes as soon as the code is open; the
 * result is kept in the cache, if there is one. */
static void make(struct arena *arena, struct build *build, const char *dir, const struct way *way,
                 const struct build_options *options, const char **why)
{
    struct err err = {0};
    const char *name = arena_printf(arena, "%016" PRIx64 "-%016" PRIx64,
                                    layout_hash(arena, build, way), missing_hash(build));
    struct work work = {dir, path_join(arena, dir, "code.c"), path_join(arena, dir, "log"),
                        path_join(arena, dir, "code.so")};
    SCOPED_STRBUF text = {0};
    write_text(build, &text);
    bool may = !options->may_compile ||
               options->may_compile(options->may_compile_arg, build->effort, text.n);
    int rc = may ? compile(&work, strbuf_str(&text), way, options, &err) : RC_UNWANTED;
    int fd = rc == 0 ? open(work.code, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    *why = rc < 0   ? arena_printf(arena, "%s", err.text)
           : rc > 0 ? failure(arena, rc, work.log, way, options)
           : fd < 0 ? arena_printf(arena, "the code cannot be loaded: %s", strerror(errno))
                    : NULL;
    (void)unlink(work.code);
    if (!options->keep) {
        (void)unlink(work.source);
        (void)unlink(work.log);
        (void)rmdir(dir);
    }
    if (fd >= 0) {
        *why = take_fresh(arena, build, fd, name);
    }
}

/* Compiles what is missing; *why tells of what did not work. */
static void compile_missing(struct arena *arena, struct build *build,
                            const struct build_options *options, const char **why)
{
    struct err err = {0};
    SCOPED_STRBUF work = {0};
    const char *dir = options->temp_dir ? options->temp_dir : "/tmp";
    struct way way = way_to(options, build->effort);
    if (dir_make_new(dir, "assay-code", &work, &err) != 0) {
        *why = "no place for the compiler's files";
        return;
    }
    make(arena, build, work.p, &way, options, why);
}

static int fill(struct arena *arena, struct build *build, const struct build_options *options,
                const char **why)
{
    enum cgen_effort lowest =
        options->at_once || options->effort != CGEN_AT_ONCE ? options->effort : CGEN_QUICK;
    build->effort = CGEN_WELL;
    for (int level = CGEN_WELL; level >= (int)lowest && missing(build); level--) {
        struct way way = way_to(options, (enum cgen_effort)level);
        build->effort = (enum cgen_effort)level;
        if (build->cache >= 0) {
            search(arena, build, build->cache, layout_hash(arena, build, &way));
        }
    }
    build->compiled = missing(build);
    if (build->compiled > 0) {
        compile_missing(arena, build, options, why);
    }
    if (missing(build) && build->effort == CGEN_AT_ONCE && !is_set(options->interrupt)) {
        build->effort = CGEN_QUICK; /* tcc is not there, or does not know something */
        compile_missing(arena, build, options, why);
    }
    if (missing(build)) {
        *why = *why ? *why : "the code is not what was asked for";
        return -1;
    }
    return 0;
}

int build_code(struct arena *arena, struct build *build, const struct build_options *options,
               const char **why)
{
    build->cache = options->cache_dir ? own_dir(options->cache_dir) : -1;
    int status = fill(arena, build, options, why);
    if (build->cache >= 0) {
        (void)close(build->cache);
    }
    return status;
}

void build_done(struct build *build)
{
    for (size_t i = 0; i < build->loaded.n; i++) {
        (void)dlclose(build->loaded.v[i].handle);
        (void)close(build->loaded.v[i].fd);
    }
    VEC_DONE(&build->loaded);
    VEC_DONE(&build->part);
}

/* ---- other compilers ---- */

static uint64_t text_hash(struct arena *arena, const struct cgen_tool *tool, struct str text,
                          uint64_t seed)
{
    uint64_t h = hash_bytes(text.p, text.n, seed);
    for (size_t i = 0; tool->flags[i]; i++) {
        h = hash_combine(h, hash_bytes(tool->flags[i], strlen(tool->flags[i]), seed));
    }
    return tool->portable ? h : hash_combine(h, machine_hash(arena));
}

static bool take_text(struct arena *arena, int dir, const char *name, const char *suffix,
                      struct str *ret_made)
{
    struct err err = {0};
    struct str want;
    int made = own_file(dir, arena_printf(arena, "%s.%s", name, suffix));
    int sum = own_file(dir, arena_printf(arena, "%s.sum", name));
    bool good = made >= 0 && sum >= 0 && own_read(arena, sum, &want, &err) == 0 &&
                own_read(arena, made, ret_made, &err) == 0 &&
                str_is(want, sum_of(arena, *ret_made));
    if (made >= 0) {
        (void)close(made);
    }
    if (sum >= 0) {
        (void)close(sum);
    }
    return good;
}

static const char *make_text(struct arena *arena, const struct build_options *options,
                             const struct way *way, struct str text, struct str *ret_made)
{
    struct err err = {0};
    SCOPED_STRBUF dir = {0};
    if (dir_make_new(options->temp_dir ? options->temp_dir : "/tmp", "assay-code", &dir, &err) !=
        0) {
        return "no place for the compiler's files";
    }
    struct work work = {dir.p, path_join(arena, dir.p, "code.c"), path_join(arena, dir.p, "log"),
                        path_join(arena, dir.p, "code.out")};
    int rc = compile(&work, text, way, options, &err);
    const char *why = rc < 0   ? arena_printf(arena, "%s", err.text)
                      : rc > 0 ? failure(arena, rc, work.log, way, options)
                      : file_read(arena, work.code, (size_t)1 << 30, ret_made, &err) != 0
                          ? arena_printf(arena, "%s", err.text)
                          : NULL;
    (void)unlink(work.code);
    if (!options->keep) {
        (void)unlink(work.source);
        (void)unlink(work.log);
        (void)rmdir(dir.p);
    }
    return why;
}

int build_text(struct arena *arena, const struct build_options *options,
               const struct cgen_tool *tool, struct str text, struct str *ret_made,
               const char **ret_why)
{
    struct way way = {tool->command, tool->flags, "-w", NULL};
    int cache = options->cache_dir ? own_dir(options->cache_dir) : -1;
    const char *name =
        arena_printf(arena, "%016" PRIx64 "%016" PRIx64, text_hash(arena, tool, text, 1),
                     text_hash(arena, tool, text, 2));
    *ret_why = NULL;
    if (cache < 0 || !take_text(arena, cache, name, tool->suffix, ret_made)) {
        *ret_why = make_text(arena, options, &way, text, ret_made);
        if (!*ret_why && cache >= 0 &&
            own_put(cache, arena_printf(arena, "%s.%s", name, tool->suffix), *ret_made)) {
            (void)own_put(cache, arena_printf(arena, "%s.sum", name),
                          str_of(sum_of(arena, *ret_made)));
        }
    }
    if (cache >= 0) {
        (void)close(cache);
    }
    return *ret_why ? -1 : 0;
}
