/* Locked directories: one holder at a time, whatever becomes of it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/str.h"
#include "test.h"

TEST(one_holder)
{
    char dir[] = "/tmp/assay-lock-XXXXXX";
    CHECK(mkdtemp(dir) != NULL);
    SCOPED_STRBUF inner = {0};
    strbuf_printf(&inner, "%s/a/b", dir);
    const char *path = strbuf_cstr(&inner);
    struct dir_lock first = {0}, second = {0};
    struct err err = {0};
    CHECK_EQ(dir_lock(&first, path, &err), 0);
    CHECK(!dir_is_empty(path, NULL) && dir_is_empty(path, DIR_LOCK_FILE));
    CHECK_EQ(dir_lock(&second, path, &err), -ERR_BUSY);
    char pid[32];
    (void)snprintf(pid, sizeof pid, "process %d", (int)getpid());
    CHECK(strstr(err.text, pid) != NULL && strstr(err.text, path) != NULL);
    CHECK(!second.held);
    dir_unlock(&second); /* holds nothing */
    CHECK_EQ(dir_lock(&second, path, &err), -ERR_BUSY);
    dir_unlock(&first);
    CHECK(dir_is_empty(path, NULL));
    CHECK_EQ(dir_lock(&second, path, &err), 0);
    CHECK_EQ(dir_clear(path, DIR_LOCK_FILE, &err), 0);
    CHECK(!dir_is_empty(path, NULL));
    dir_unlock(&second);
    CHECK_EQ(dir_remove(dir, &err), 0);
}

/* The child of a holder that was killed ends a little later. */
TEST(children_of_a_killed_holder)
{
    char dir[] = "/tmp/assay-lock-XXXXXX";
    struct dir_lock lock = {0};
    struct err err = {0};
    int ready[2];
    char byte = 0;
    CHECK(mkdtemp(dir) != NULL && pipe(ready) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        int status = dir_lock(&lock, dir, &err);
        if (fork() == 0) {
            (void)!write(ready[1], &byte, status == 0 ? 1 : 0);
            (void)usleep(300000);
            _exit(0);
        }
        (void)pause();
        _exit(0);
    }
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    CHECK_EQ(dir_lock(&lock, dir, &err), -ERR_BUSY);
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    CHECK_EQ(dir_lock(&lock, dir, &err), 0);
    dir_unlock(&lock);
    CHECK_EQ(dir_remove(dir, &err), 0);
    (void)close(ready[0]);
    (void)close(ready[1]);
}

TEST(a_killed_holder_holds_nothing)
{
    char dir[] = "/tmp/assay-lock-XXXXXX";
    struct dir_lock lock = {0};
    struct err err = {0};
    int ready[2];
    char byte = 0;
    CHECK(mkdtemp(dir) != NULL && pipe(ready) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        int status = dir_lock(&lock, dir, &err);
        (void)!write(ready[1], &byte, status == 0 ? 1 : 0);
        (void)pause();
        _exit(0);
    }
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    CHECK_EQ(dir_lock(&lock, dir, &err), -ERR_BUSY);
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    CHECK_EQ(dir_lock(&lock, dir, &err), 0);
    dir_unlock(&lock);
    CHECK(dir_is_empty(dir, NULL));
    CHECK_EQ(dir_remove(dir, &err), 0);
}

TEST(files_that_grow)
{
    char path[] = "/tmp/assay-lock-XXXXXX";
    struct err err = {0};
    int a = mkstemp(path), b = -1, c = -1;
    CHECK(a >= 0 && write(a, "old", 3) == 3);
    close(a);
    CHECK_EQ(file_create_locked(path, &b, &err), 0);
    CHECK_EQ(lseek(b, 0, SEEK_END), 0); /* emptied */
    CHECK_EQ(write(b, "new", 3), 3);
    CHECK_EQ(file_create_locked(path, &c, &err), -ERR_BUSY);
    CHECK_EQ(lseek(b, 0, SEEK_END), 3);
    close(b);
    CHECK_EQ(file_create_locked(path, &c, &err), 0);
    close(c);
    CHECK_EQ(file_create_locked("/dev/null", &b, &err), 0);
    CHECK_EQ(file_create_locked("/dev/null", &c, &err), 0); /* nothing to lock */
    close(b);
    close(c);
    CHECK(file_create_locked("/proc/nothing", &c, &err) != 0);
    unlink(path);
}
