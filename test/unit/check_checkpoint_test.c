/* Checkpoints: a search that is killed at any moment goes on from the last one and ends with the
 * same counts; damaged and foreign ones are refused; a full disk leaves the previous one as it was.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "check_toy.h"
#include "test.h"

#ifdef ASSAY_TINY
enum { STATES = 1500 };
#else
enum { STATES = 60000 };
#endif

static void scratch(char *dir)
{
    /* In memory where that can be had: the disk of a busy machine takes long to synchronise. */
    strcpy(dir, "/dev/shm/assay-ckpt-XXXXXX");
    if (!mkdtemp(dir)) {
        strcpy(dir, "/tmp/assay-ckpt-XXXXXX");
        CHECK(mkdtemp(dir) != NULL);
    }
}
static void remove_dir(const char *dir)
{
    struct err err;
    CHECK_EQ(dir_remove(dir, &err), 0);
}

/* A model that draws out the search, so that it can be killed in the middle. */
static struct toy slow_toy(uint32_t batch)
{
    struct toy toy = toy_graph(STATES, 4, 0);
    toy.batch = batch;
    toy.pad = batch ? 0 : 7;
    toy.outside = 13;
    toy.spin = 600000000 / STATES;
    toy_ready(&toy);
    return toy;
}

static int extra_saves;
static int save_extra(void *arg, const char *path, struct err *err)
{
    (void)arg;
    extra_saves++;
    return file_write(path, STR("tables of the model"), err);
}
static int load_extra(void *arg, const char *path, struct err *err)
{
    struct arena arena;
    struct str text = {0};
    arena_init(&arena, 0);
    int status = file_read(&arena, path, 100, &text, err);
    *(bool *)arg = status == 0 && str_is(text, "tables of the model");
    arena_done(&arena);
    return status;
}

static struct check_options options(const char *dir, unsigned workers, bool *loaded)
{
    return (struct check_options){.workers = workers,
                                  .dir = dir,
                                  .checkpoint_s = 0.01,
                                  .memory_bytes = 2 << 20,
                                  .identity = 42,
                                  .save_extra = save_extra,
                                  .load_extra = load_extra,
                                  .extra_arg = loaded};
}

static bool has_checkpoint(const char *dir)
{
    char path[300];
    struct stat st;
    snprintf(path, sizeof path, "%s/checkpoint", dir);
    return stat(path, &st) == 0;
}

/* Runs the search in a child and kills it after some time; true when it ended by itself. */
static bool run_and_kill(const char *dir, uint32_t batch, unsigned workers, bool resume,
                         unsigned delay_ms)
{
    pid_t pid = fork();
    if (pid == 0) {
        struct toy toy = slow_toy(batch);
        struct check_result *result = NULL;
        struct err err = {0};
        bool loaded = false;
        struct check_options opt = options(dir, workers, &loaded);
        opt.resume = resume;
        int status = check_run(&toy.model, &opt, &result, &err);
        if (status < 0 || result->verdict != VERDICT_OK || (resume && !loaded)) {
            fprintf(stderr, "child: %s\n", err.text);
        }
        _exit(status == 0 && result->verdict == VERDICT_OK ? 0 : 3);
    }
    struct timespec ts = {delay_ms / 1000, (delay_ms % 1000) * 1000000L};
    nanosleep(&ts, NULL);
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFEXITED(status);
}

static void finish_and_compare(const char *dir, uint32_t batch, unsigned workers, bool resume)
{
    struct toy toy = slow_toy(batch);
    struct plain p = plain_search(&toy);
    struct check_result *result = NULL;
    struct err err = {0};
    bool loaded = false;
    struct check_options opt = options(dir, workers, &loaded);
    opt.resume = resume;
    toy.spin = 0;
    int status = check_run(&toy.model, &opt, &result, &err);
    if (status < 0 || result->verdict != VERDICT_OK) {
        fprintf(stderr, "%s\n", err.text);
    }
    CHECK_EQ(status, 0);
    CHECK_EQ(result->verdict, VERDICT_OK);
    CHECK_EQ(loaded, resume);
    CHECK_EQ(toy.loaded, resume && batch);
    CHECK_EQ(result->recovered, resume);
    CHECK_EQ(result->generated, p.generated);
    CHECK_EQ(result->distinct, p.distinct);
    CHECK_EQ(result->depth, p.depth);
    CHECK_EQ(result->queued, 0);
    uint64_t distinct = result->init_distinct;
    for (int a = 0; a < TOY_ACTIONS; a++) {
        CHECK_EQ(result->action_generated[a], p.action_generated[a]);
        distinct += result->action_distinct[a];
    }
    CHECK_EQ(distinct, p.distinct);
    check_result_free(result);
}

TEST(killed_at_random_moments)
{
    srand(7);
    for (int round = 0; round < 6; round++) {
        char dir[40];
        scratch(dir);
        uint32_t batch = round % 2 ? TOY_SLOTS : 0;
        bool ended = false;
        int kills = 0;
        for (; kills < 8 && !ended; kills++) {
            unsigned workers = 1 + (unsigned)rand() % 3;
            ended =
                run_and_kill(dir, batch, workers, has_checkpoint(dir), 20 + (unsigned)rand() % 150);
        }
        if (!ended) {
            finish_and_compare(dir, batch, 1 + (unsigned)rand() % 3, has_checkpoint(dir));
        }
        remove_dir(dir);
    }
}

/* Leaves a checkpoint in `dir` by stopping a search. */
static void stop_early(const char *dir)
{
    struct toy toy = slow_toy(0);
    struct check_result *result = NULL;
    struct err err = {0};
    bool loaded = false;
    struct check_options opt = options(dir, 2, &loaded);
    opt.stop_after_ns = 60000000;
    CHECK_EQ(check_run(&toy.model, &opt, &result, &err), 0);
    CHECK_EQ(result->verdict, VERDICT_STOPPED);
    CHECK(result->distinct > 0);
    check_result_free(result);
    CHECK(has_checkpoint(dir));
}

TEST(stopped_and_resumed)
{
    char dir[40];
    scratch(dir);
    stop_early(dir);
    finish_and_compare(dir, 0, 4, true);
    CHECK(!has_checkpoint(dir)); /* a search that is over needs none */
    remove_dir(dir);
}

static int try_resume(const char *dir, uint64_t identity, struct err *err)
{
    struct toy toy = slow_toy(0);
    struct check_result *result = NULL;
    bool loaded = false;
    struct check_options opt = options(dir, 1, &loaded);
    opt.resume = true;
    opt.identity = identity;
    toy.spin = 0;
    *err = (struct err){0};
    CHECK_EQ(check_run(&toy.model, &opt, &result, err), 0);
    int verdict = (int)result->verdict;
    if (verdict == VERDICT_FAILED) {
        CHECK_STR(result->failure.text, err->text);
    }
    check_result_free(result);
    return verdict;
}

TEST(foreign_checkpoint)
{
    char dir[40];
    struct err err;
    scratch(dir);
    CHECK_EQ(try_resume(dir, 42, &err), VERDICT_FAILED); /* there is none */
    CHECK_EQ(err.code, ERR_NOT_FOUND);
    stop_early(dir);
    CHECK_EQ(try_resume(dir, 43, &err), VERDICT_FAILED);
    CHECK_EQ(err.code, ERR_INVALID);
    CHECK(strstr(err.text, "another specification") != NULL);
    finish_and_compare(dir, 0, 1, true); /* it was not harmed */
    remove_dir(dir);
}

static void copy_dir(const char *from, const char *to)
{
    DIR *dir = opendir(from);
    CHECK(dir != NULL);
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        char a[600];
        char b[600];
        struct err err;
        struct str text;
        struct arena arena;
        if (entry->d_name[0] == '.') {
            continue;
        }
        arena_init(&arena, 0);
        snprintf(a, sizeof a, "%s/%s", from, entry->d_name);
        snprintf(b, sizeof b, "%s/%s", to, entry->d_name);
        CHECK_EQ(file_read(&arena, a, 1 << 30, &text, &err), 0);
        CHECK_EQ(file_write(b, text, &err), 0);
        arena_done(&arena);
    }
    closedir(dir);
}

/* Flips one byte in, or cuts, each file of a checkpoint: it is refused, or the damage is in a part
 * that does not count and the search ends right. */
TEST(damaged_checkpoint)
{
    char good[40];
    scratch(good);
    stop_early(good);
    DIR *dir = opendir(good);
    CHECK(dir != NULL);
    struct dirent *entry;
    int refused = 0;
    while ((entry = readdir(dir))) {
        for (int kind = 0; kind < 4 && entry->d_name[0] != '.'; kind++) {
            char bad[40];
            char path[600];
            struct stat st;
            struct err err;
            scratch(bad);
            copy_dir(good, bad);
            snprintf(path, sizeof path, "%s/%s", bad, entry->d_name);
            CHECK_EQ(stat(path, &st), 0);
            if (kind == 3) {
                CHECK_EQ(truncate(path, st.st_size / 2), 0);
            } else if (st.st_size > 0) {
                int fd = open(path, O_RDWR);
                unsigned char c = 0;
                off_t at = st.st_size * (kind + 1) / 5;
                CHECK_EQ(pread(fd, &c, 1, at), 1);
                c ^= 0x10;
                CHECK_EQ(pwrite(fd, &c, 1, at), 1);
                close(fd);
            }
            int verdict = try_resume(bad, 42, &err);
            if (verdict == VERDICT_FAILED) {
                refused++;
                CHECK(err.code == ERR_CORRUPT || err.code == ERR_NOT_FOUND);
            } else {
                CHECK_EQ(verdict, VERDICT_OK);
            }
            remove_dir(bad);
        }
    }
    closedir(dir);
    CHECK(refused >= 12); /* manifest, queue, log and tables */
    remove_dir(good);
}

/* The n-th write fails, for n = 1, 2, ...: an error that says so, and a checkpoint that was there
 * before can still be used. */
TEST(disk_full)
{
    char good[40];
    scratch(good);
    stop_early(good);
    for (uint64_t n = 1; n < 200; n += 1 + n / 4) {
        char dir[40];
        struct toy toy = slow_toy(0);
        struct check_result *result = NULL;
        struct err err = {0};
        bool loaded = false;
        scratch(dir);
        copy_dir(good, dir);
        struct check_options opt = options(dir, 2, &loaded);
        opt.resume = true;
        opt.fail_write_at = n;
        toy.spin = toy.spin / 10;
        CHECK_EQ(check_run(&toy.model, &opt, &result, &err), 0);
        if (result->verdict == VERDICT_FAILED) {
            CHECK_EQ(err.code, ERR_IO);
            CHECK_EQ(err.os_errno, ENOSPC);
            finish_and_compare(dir, 0, 2, true);
        } else {
            CHECK_EQ(result->verdict, VERDICT_OK);
        }
        check_result_free(result);
        remove_dir(dir);
    }
    remove_dir(good);
}

/* With -continue, violations found before the checkpoint are part of the result after it. */
TEST(violations_survive)
{
    char dir[40];
    struct err err = {0};
    scratch(dir);
    struct toy toy = slow_toy(0);
    bool loaded = false;
    struct check_options opt = options(dir, 1, &loaded);
    opt.keep_going = true;
    opt.stop_after_ns = 80000000;
    struct check_result *result = NULL;
    toy.bad_state = toy_succ(&toy, 1, 0);
    CHECK_EQ(check_run(&toy.model, &opt, &result, &err), 0);
    CHECK_EQ(result->nviolation, 1);
    CHECK(!result->complete);
    check_result_free(result);
    opt.resume = true;
    opt.stop_after_ns = 0;
    toy.spin = 0;
    CHECK_EQ(check_run(&toy.model, &opt, &result, &err), 0);
    CHECK_EQ(result->verdict, VERDICT_INVARIANT);
    CHECK_EQ(result->nviolation, 1);
    CHECK_EQ(result->violations[0].trace.nstep, 2);
    uint32_t last = 0;
    memcpy(&last, result->violations[0].trace.steps[1].bytes, 4);
    CHECK_EQ(last, toy.bad_state);
    check_result_free(result);
    remove_dir(dir);
}
