/* What survives a crash: two files in a directory.
 *
 *   vote   "TERM VOTE\n", replaced as a whole: written beside, synced, renamed, directory synced
 *   log    records of one size, an entry and its checksum each; appended and synced, or cut off
 *
 * Nothing is promised to anybody before the calls here return. A record that a power failure has
 * left half written was never promised: it and all behind it are cut off when the log is read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "raftkv.h"

enum { RECORD = WIRE_ENTRY + 4 };

static int dir_fd = -1, log_fd = -1;
static uint32_t saved_term; /* what the file `vote` says */
static int saved_vote = NOBODY;

static void fail(const char *what)
{
    (void)fprintf(stderr, "raftkv: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint32_t checksum(const uint8_t *bytes, size_t n)
{
    uint32_t h = 2166136261U;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ bytes[i]) * 16777619U;
    }
    return h;
}

static void write_all(int fd, const void *bytes, size_t n, off_t at, const char *what)
{
    const char *p = bytes;
    while (n > 0) {
        ssize_t done = pwrite(fd, p, n, at);
        if (done < 0 && errno != EINTR) {
            fail(what);
        }
        if (done > 0) {
            p += done;
            at += done;
            n -= (size_t)done;
        }
    }
}

/* ---- term and vote ---- */

static void load_vote(void)
{
    char text[64] = "";
    self.vote = NOBODY;
    int fd = openat(dir_fd, "vote", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        if (errno != ENOENT) {
            fail("vote");
        }
        return;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    unsigned term = 0;
    int vote = NOBODY;
    if (n <= 0 || sscanf(text, "%u %d", &term, &vote) != 2) { // NOLINT(cert-err34-c)
        (void)fprintf(stderr, "raftkv: the file 'vote' is damaged\n");
        exit(1);
    }
    self.term = saved_term = term;
    self.vote = saved_vote = vote;
}

static void save_in_place(const char *text, size_t n)
{
    int fd = openat(dir_fd, "vote", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        fail("vote");
    }
    write_all(fd, text, n, 0, "vote");
    (void)close(fd);
    saved_term = self.term;
    saved_vote = self.vote;
}

void store_save_vote(void)
{
    if (self.term == saved_term && self.vote == saved_vote) {
        return;
    }
    if (DEFECT_TERM_NOT_SAVED) {
        STRUCK(true, "term %u and vote %d are not saved", self.term, self.vote + 1);
        saved_term = self.term;
        saved_vote = self.vote;
        return;
    }
    char text[64];
    int n = snprintf(text, sizeof text, "%u %d\n", self.term, self.vote);
    if (DEFECT_IN_PLACE) {
        save_in_place(text, (size_t)n);
        return;
    }
    int fd = openat(dir_fd, "vote.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        fail("vote.new");
    }
    write_all(fd, text, (size_t)n, 0, "vote.new");
    if (fsync(fd) != 0 || close(fd) != 0 || renameat(dir_fd, "vote.new", dir_fd, "vote") != 0 ||
        fsync(dir_fd) != 0) {
        fail("vote");
    }
    saved_term = self.term;
    saved_vote = self.vote;
}

/* ---- the log ---- */

void store_room(uint32_t n)
{
    if (n <= self.log_room) {
        return;
    }
    uint32_t room = n * 2 < 64 ? 64 : n * 2;
    struct entry *more = realloc(self.log, room * sizeof *more);
    if (more == NULL) {
        fail("log");
    }
    self.log = more;
    self.log_room = room;
}

static void load_log(void)
{
    uint8_t record[RECORD];
    while (pread(log_fd, record, RECORD, (off_t)self.n_log * RECORD) == RECORD) {
        uint32_t sum = 0;
        memcpy(&sum, record + WIRE_ENTRY, sizeof sum);
        if (sum != checksum(record, WIRE_ENTRY)) {
            break;
        }
        store_room(self.n_log + 1);
        wire_get_entry(record, &self.log[self.n_log++]);
    }
    if (ftruncate(log_fd, (off_t)self.n_log * RECORD) != 0 || fsync(log_fd) != 0) {
        fail("log");
    }
}

void store_save_log(uint32_t from)
{
    off_t at = (off_t)(from - 1) * RECORD;
    if (ftruncate(log_fd, at) != 0) {
        fail("log");
    }
    for (uint32_t k = from; k <= self.n_log; k++, at += RECORD) {
        uint8_t record[RECORD];
        wire_put_entry(&self.log[k - 1], record);
        uint32_t sum = checksum(record, WIRE_ENTRY);
        memcpy(record + WIRE_ENTRY, &sum, sizeof sum);
        write_all(log_fd, record, RECORD, at, "log");
    }
    if (fsync(log_fd) != 0) {
        fail("log");
    }
}

void store_open(const char *dir)
{
    dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir_fd < 0) {
        fail(dir);
    }
    log_fd = openat(dir_fd, "log", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (log_fd < 0 || fsync(dir_fd) != 0) {
        fail("log");
    }
    load_vote();
    load_log();
}
