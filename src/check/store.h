/* The directory where a search keeps its files: made when the first file is. Without one of its own
 * its files have no names: nothing is left of them, however the search ends. All reading and
 * writing of the room goes through here, so that faults can be injected and disk use counted. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct store {
    char *dir;
    bool nameless; /* files in dir have no names, and are gone when they are closed */
    bool made;     /* under lock */
    pthread_mutex_t lock;
    _Atomic uint64_t bytes;  /* held by files now */
    _Atomic uint64_t writes; /* so far */
    uint64_t fail_write_at;  /* tests: the n-th write fails */
};

/* dir NULL: files without names in `temporary`, or in /tmp when that is NULL too. */
void store_init(struct store *store, const char *dir, const char *temporary,
                uint64_t fail_write_at);
void store_done(struct store *store);
/* Makes the directory if it is not there yet. */
MUST_USE int store_make(struct store *store, struct err *err);
/* Removes the scratch files that a killed run left behind. */
void store_sweep(struct store *store);
/* "dir/name", in the caller's buffer. */
struct strbuf;
const char *store_path(struct store *store, const char *name, struct strbuf *buf);

MUST_USE int store_create(struct store *store, const char *name, int *ret_fd,
                          struct err *err); /* read and write, emptied */
MUST_USE int store_open(struct store *store, const char *name, bool write, int *ret_fd,
                        uint64_t *ret_size, struct err *err);
void store_close(struct store *store, int fd);
void store_remove(struct store *store, const char *name);
bool store_has(struct store *store, const char *name);
MUST_USE int store_write(struct store *store, int fd, const void *bytes, size_t len,
                         uint64_t offset, struct err *err);
/* Reads exactly len bytes; a shorter file is ERR_CORRUPT. */
MUST_USE int store_read(struct store *store, int fd, void *bytes, size_t len, uint64_t offset,
                        struct err *err);
MUST_USE int store_sync(struct store *store, int fd, struct err *err);
MUST_USE int store_rename(struct store *store, const char *from, const char *to,
                          struct err *err); /* and syncs the directory */

/* Anonymous memory, zeroed, given back with store_unmap. Never NULL. */
void *memory_map(size_t bytes);
void *memory_try_map(size_t bytes); /* NULL: there is not so much room */
void memory_unmap(void *memory, size_t bytes);
uint64_t memory_available(void); /* bytes this machine or control group has to give */
uint64_t memory_resident(void);  /* bytes this process holds */
