/* Compiling C text with the system's compiler, with a cache.
 *
 * A cached file is <hash>.so, and <hash>.sum holds the hash of its bytes: a file that was cut short
 * or changed is compiled again. Files are written under a name of their own and renamed, so that
 * several processes can share a cache. A cache directory that belongs to somebody else, or that
 * others may write to, is not used. */
#include "cgen/build.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"

extern char **environ;

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "layouts of compiled states are little-endian"
#endif

static const char *const flags[] = {
    "-std=gnu11",           "-O1",           "-fPIC",    "-shared", "-w",
    "-fno-strict-aliasing", "-march=native", "-fno-plt", "-x",      "c"};
#define NFLAG (sizeof flags / sizeof flags[0])

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

static uint64_t text_hash(struct arena *arena, struct str text, const char *compiler, uint64_t seed)
{
    uint64_t h = hash_bytes(text.p, text.n, seed);
    h = hash_combine(h, hash_bytes(compiler, strlen(compiler), seed));
    for (size_t i = 0; i < NFLAG; i++) {
        h = hash_combine(h, hash_bytes(flags[i], strlen(flags[i]), seed));
    }
    struct stat st;
    if (stat("/usr/bin/cc", &st) == 0) { /* another compiler was installed */
        h = hash_combine(h, (uint64_t)st.st_size ^ (uint64_t)st.st_mtim.tv_sec);
    }
    return hash_combine(h, machine_hash(arena));
}

static bool dir_is_ours(const char *dir)
{
    struct stat st;
    return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
           (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(dir, W_OK) == 0;
}

/* ---- the cache ---- */
static void *open_cached(struct arena *arena, const char *so, const char *sum)
{
    struct err err = {0};
    struct str code;
    struct str want;
    if (!file_exists(so) || !file_exists(sum) || file_read(arena, sum, 64, &want, &err) != 0 ||
        file_read(arena, so, 256 << 20, &code, &err) != 0) {
        return NULL;
    }
    char have[32];
    (void)snprintf(have, sizeof have, "%016llx\n",
                   (unsigned long long)hash_bytes(code.p, code.n, 11));
    if (!str_is(want, have)) {
        return NULL;
    }
    return dlopen(so, RTLD_NOW | RTLD_LOCAL);
}

static void write_sum(struct arena *arena, const char *so, const char *sum)
{
    struct err err = {0};
    struct str code;
    if (file_read(arena, so, 256 << 20, &code, &err) != 0) {
        return;
    }
    char text[32];
    (void)snprintf(text, sizeof text, "%016llx\n",
                   (unsigned long long)hash_bytes(code.p, code.n, 11));
    if (file_write(sum, str_of(text), &err) != 0) {
        (void)unlink(sum); /* without it the code is simply made again */
    }
}

/* ---- the compiler ---- */
static int wait_for(pid_t pid, const volatile sig_atomic_t *interrupt)
{
    int status = 0;
    for (;;) {
        pid_t done = waitpid(pid, &status, interrupt ? WNOHANG : 0);
        if (done == pid) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        }
        if (done < 0 && errno != EINTR) {
            return 127;
        }
        if (interrupt && __atomic_load_n(interrupt, __ATOMIC_RELAXED)) {
            (void)kill(pid, SIGTERM);
            interrupt = NULL;
            continue;
        }
        if (done == 0) {
            (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
    }
}

static int compile(const char *compiler, const char *source, const char *so, const char *log,
                   const volatile sig_atomic_t *interrupt)
{
    const char *argv[NFLAG + 8];
    size_t n = 0;
    argv[n++] = compiler;
    for (size_t i = 0; i < NFLAG; i++) {
        argv[n++] = flags[i];
    }
    argv[n++] = source;
    argv[n++] = "-o";
    argv[n++] = so;
    argv[n] = NULL;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return 127;
    }
    (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid;
    int rc = posix_spawnp(&pid, compiler, &actions, NULL, (char *const *)argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return rc != 0 ? 127 : wait_for(pid, interrupt);
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

void *build_code(struct arena *arena, struct str text, const struct build_options *options,
                 const char **why)
{
    struct err err = {0};
    const char *compiler = options->compiler ? options->compiler : "cc";
    const char *dir = options->cache_dir;
    bool cached = dir && dir_make(dir, &err) == 0 && dir_is_ours(dir);
    uint64_t h1 = text_hash(arena, text, compiler, 1);
    uint64_t h2 = text_hash(arena, text, compiler, 2);
    if (!cached) {
        dir = arena_printf(arena, "%s/assay-code-XXXXXX",
                           options->temp_dir ? options->temp_dir : "/tmp");
        if (!mkdtemp((char *)dir)) {
            *why = "no place for the compiler's files";
            return NULL;
        }
    }
    const char *base = arena_printf(arena, "%s/%016llx%016llx", dir, (unsigned long long)h1,
                                    (unsigned long long)h2);
    const char *so = arena_printf(arena, "%s.so", base);
    const char *sum = arena_printf(arena, "%s.sum", base);
    void *handle = cached ? open_cached(arena, so, sum) : NULL;
    if (handle) {
        return handle;
    }
    const char *source = arena_printf(arena, "%s.%d.c", base, (int)getpid());
    const char *log = arena_printf(arena, "%s.%d.log", base, (int)getpid());
    const char *fresh = arena_printf(arena, "%s.%d.so", base, (int)getpid());
    int rc = file_write(source, text, &err) != 0
                 ? -1
                 : compile(compiler, source, fresh, log, options->interrupt);
    if (rc == 0) {
        handle = dlopen(fresh, RTLD_NOW | RTLD_LOCAL);
        *why = handle ? NULL : arena_printf(arena, "the code cannot be loaded: %s", dlerror());
        if (handle && cached && rename(fresh, so) == 0) {
            write_sum(arena, so, sum);
        }
    } else {
        *why = options->interrupt && __atomic_load_n(options->interrupt, __ATOMIC_RELAXED)
                   ? "the search ended first"
               : rc < 0 ? arena_printf(arena, "%s", err.text)
               : rc == 127
                   ? arena_printf(arena, "there is no C compiler (%s)", compiler)
                   : arena_printf(arena, "the C compiler failed: %s", first_line(arena, log));
    }
    if (!options->keep) {
        (void)unlink(source);
        (void)unlink(log);
    }
    (void)unlink(fresh);
    if (!cached && !options->keep) {
        (void)rmdir(dir);
    }
    return handle;
}
