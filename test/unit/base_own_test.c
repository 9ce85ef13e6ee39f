/* Directories of one user: what is not ours alone is not used, and what was looked at is what is
 * used. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/own.h"
#include "base/str.h"
#include "test.h"

static void enter_new_dir(struct strbuf *path)
{
    struct err err;
    const char *tmp = getenv("TMPDIR");
    CHECK_EQ(dir_make_new(tmp != NULL ? tmp : "/tmp", "assay-own-test", path, &err), 0);
    CHECK_EQ(chdir(strbuf_cstr(path)), 0);
}

static void leave(struct strbuf *path)
{
    struct err err;
    CHECK_EQ(chdir("/"), 0);
    CHECK_EQ(dir_remove(strbuf_cstr(path), &err), 0);
}

static bool usable(const char *path)
{
    int dir = own_dir(path);
    if (dir >= 0) {
        close(dir);
    }
    return dir >= 0;
}

static bool file_usable(int dir, const char *name)
{
    int fd = own_file(dir, name);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0;
}

TEST(directory)
{
    SCOPED_STRBUF at = {0};
    struct stat st;
    enter_new_dir(&at);
    umask(0);
    CHECK(usable("made/with/parents"));
    CHECK(usable("made/with/parents/"));
    CHECK_EQ(stat("made/with/parents", &st), 0);
    CHECK_EQ(st.st_mode & 07777, 0700);
    CHECK_EQ(stat("made", &st), 0);
    CHECK_EQ(st.st_mode & 07777, 0700);
    CHECK_EQ(chmod("made/with/parents", 0720), 0);
    CHECK(!usable("made/with/parents"));
    CHECK_EQ(chmod("made/with/parents", 0702), 0);
    CHECK(!usable("made/with/parents"));
    CHECK_EQ(chmod("made/with/parents", 0755), 0);
    CHECK(usable("made/with/parents"));
    CHECK_EQ(symlink("made/with/parents", "link"), 0);
    CHECK(!usable("link"));
    CHECK(!usable("link/"));
    CHECK_EQ(symlink("made", "above"), 0);
    CHECK(usable("above/with/parents"));
    CHECK_EQ(symlink("nowhere", "dangling"), 0);
    CHECK(!usable("dangling"));
    CHECK_EQ(close(open("file", O_CREAT | O_WRONLY, 0600)), 0);
    CHECK(!usable("file"));
    CHECK(!usable("file/below"));
    leave(&at);
}

TEST(directory_of_another_user)
{
    SCOPED_STRBUF at = {0};
    enter_new_dir(&at);
    CHECK_EQ(mkdir("theirs", 0755), 0);
    if (chown("theirs", 65534, 65534) == 0) { /* as root */
        CHECK(!usable("theirs"));
        CHECK(!usable("theirs/new"));
        CHECK_EQ(access("theirs/new", F_OK), -1);
    }
    leave(&at);
}

TEST(files)
{
    SCOPED_STRBUF at = {0};
    struct stat st;
    enter_new_dir(&at);
    int dir = own_dir("c");
    CHECK(dir >= 0);
    umask(0);
    CHECK(!file_usable(dir, "a.so"));
    CHECK(own_put(dir, "a.so", STR("first")));
    CHECK(file_usable(dir, "a.so"));
    CHECK_EQ(stat("c/a.so", &st), 0);
    CHECK_EQ(st.st_mode & 07777, 0600);
    CHECK_EQ(symlink("a.so", "c/link.so"), 0);
    CHECK(!file_usable(dir, "link.so"));
    CHECK_EQ(mkfifo("c/fifo.so", 0600), 0);
    CHECK(!file_usable(dir, "fifo.so"));
    CHECK_EQ(mkdir("c/dir.so", 0700), 0);
    CHECK(!file_usable(dir, "dir.so"));
    CHECK_EQ(chmod("c/a.so", 0620), 0);
    CHECK(!file_usable(dir, "a.so"));
    CHECK_EQ(chmod("c/a.so", 0600), 0);
    if (chown("c/a.so", 65534, 65534) == 0) { /* as root */
        CHECK(!file_usable(dir, "a.so"));
    }
    close(dir);
    leave(&at);
}

/* Somebody puts something else in the place of the file, or of the directory, after it was looked
 * at. */
TEST(swapped)
{
    SCOPED_STRBUF at = {0};
    struct arena arena;
    struct err err;
    struct str bytes;
    enter_new_dir(&at);
    arena_init(&arena, 0);
    int dir = own_dir("c");
    CHECK(own_put(dir, "a.so", STR("first")));
    int fd = own_file(dir, "a.so");
    CHECK(own_put(dir, "a.so", STR("another")));
    CHECK_EQ(own_read(&arena, fd, &bytes, &err), 0);
    CHECK(str_is(bytes, "first"));
    close(fd);
    CHECK_EQ(rename("c", "kept"), 0);
    CHECK_EQ(mkdir("c", 0777), 0);
    CHECK_EQ(symlink("/etc/passwd", "c/a.so"), 0);
    fd = own_file(dir, "a.so");
    CHECK_EQ(own_read(&arena, fd, &bytes, &err), 0);
    CHECK(str_is(bytes, "another"));
    close(fd);
    CHECK(own_put(dir, "b.so", STR("new")));
    CHECK_EQ(access("kept/b.so", F_OK), 0);
    CHECK_EQ(access("c/b.so", F_OK), -1);
    close(dir);
    arena_done(&arena);
    leave(&at);
}
