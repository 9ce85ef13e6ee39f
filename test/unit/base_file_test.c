/* Files, paths and errors. Each test works in a directory of its own. */
#include <errno.h>
#include <fcntl.h>

#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "test.h"

struct fixture {
    struct arena arena;
    char dir[64];
};

static void setup(struct fixture *f)
{
    arena_init(&f->arena, 0);
    snprintf(f->dir, sizeof f->dir, "/tmp/assay-test-XXXXXX");
    CHECK(mkdtemp(f->dir) != NULL);
}

static void teardown(struct fixture *f)
{
    struct err err = {0};
    CHECK_EQ(dir_remove(f->dir, &err), 0);
    CHECK(!file_exists(f->dir));
    CHECK_EQ(dir_remove(f->dir, &err), 0); /* nothing to remove is fine */
    arena_done(&f->arena);
}

TEST(write_then_read)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    const char *path = path_join(&f.arena, f.dir, "x.txt");
    struct str text = {0};
    CHECK_EQ(file_write(path, (struct str){"a\0b\n", 4}, &err), 0);
    CHECK_EQ(file_read(&f.arena, path, 4, &text, &err), 0);
    CHECK(str_eq(text, (struct str){"a\0b\n", 4}));
    CHECK_EQ(text.p[4], 0);
    CHECK_EQ(file_write(path, STR(""), &err), 0);
    CHECK_EQ(file_read(&f.arena, path, 0, &text, &err), 0);
    CHECK_EQ(text.n, 0);
    struct stat st;
    CHECK_EQ(stat(path, &st), 0);
    CHECK_EQ(st.st_mode & 0600, 0600);
    teardown(&f);
}

TEST(nameless)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    struct stat st;
    char text[4] = "";
    int fd = -1;
    CHECK_EQ(file_nameless(f.dir, &fd, &err), 0);
    CHECK_EQ(pwrite(fd, "abc", 3, 100), 3);
    CHECK_EQ(pread(fd, text, 3, 100), 3);
    CHECK_STR(text, "abc");
    CHECK_EQ(fstat(fd, &st), 0);
    CHECK_EQ(st.st_nlink, 0);
    CHECK_EQ(st.st_mode & 0777, 0600);
    CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
    CHECK_EQ(rmdir(f.dir), 0); /* there is nothing in it */
    close(fd);
    CHECK(file_nameless(f.dir, &fd, &err) < 0);
    CHECK_EQ(err.os_errno, ENOENT);
    CHECK(strstr(err.text, f.dir) != NULL);
    teardown(&f);
}

TEST(new_directories)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    struct strbuf a = {0};
    struct strbuf b = {0};
    struct stat st;
    CHECK_EQ(dir_make_new(f.dir, "part", &a, &err), 0);
    CHECK_EQ(dir_make_new(f.dir, "part", &b, &err), 0);
    CHECK(strcmp(a.p, b.p) != 0);
    CHECK_EQ(strncmp(a.p, f.dir, strlen(f.dir)), 0);
    CHECK_EQ(strncmp(path_base(strbuf_str(&a)).p, "part-", 5), 0);
    CHECK_EQ(stat(a.p, &st), 0);
    CHECK(S_ISDIR(st.st_mode));
    CHECK_EQ(dir_make_new(path_join(&f.arena, f.dir, "none"), "part", &b, &err), -ERR_IO);
    CHECK_EQ(err.os_errno, ENOENT);
    strbuf_done(&a);
    strbuf_done(&b);
    teardown(&f);
}

TEST(read_refuses)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    struct str text = {"untouched", 9};
    const char *path = path_join(&f.arena, f.dir, "x");
    CHECK_EQ(file_read(&f.arena, path, 100, &text, &err), -ERR_NOT_FOUND);
    CHECK_EQ(err.code, ERR_NOT_FOUND);
    CHECK_EQ(err.os_errno, ENOENT);
    CHECK(strstr(err.text, "No such file") != NULL);
    CHECK_EQ(file_read(&f.arena, f.dir, 100, &text, &err), -ERR_IO);
    CHECK_EQ(err.os_errno, EISDIR);
    CHECK_EQ(file_write(path, STR("12345"), &err), 0);
    CHECK_EQ(file_read(&f.arena, path, 4, &text, &err), -ERR_LIMIT);
    CHECK_EQ(file_read(&f.arena, "/dev/zero", 100000, &text, &err), -ERR_LIMIT);
    CHECK(str_is(text, "untouched"));
    teardown(&f);
}

TEST(large_file)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    SCOPED_STRBUF sb = {0};
    for (int i = 0; i < 100000; i++) {
        strbuf_printf(&sb, "line %d\n", i);
    }
    const char *path = path_join(&f.arena, f.dir, "large");
    struct str text = {0};
    CHECK_EQ(file_write(path, strbuf_str(&sb), &err), 0);
    CHECK_EQ(file_read(&f.arena, path, 1 << 30, &text, &err), 0);
    CHECK(str_eq(text, strbuf_str(&sb)));
    teardown(&f);
}

TEST(failed_write_leaves_nothing)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    CHECK_EQ(file_write(path_join(&f.arena, f.dir, "no/such/dir"), STR("x"), &err), -ERR_NOT_FOUND);
    CHECK_EQ(file_write("/dev/full", STR("x"), &err), -ERR_IO);
    CHECK_EQ(file_write("/dev/null", STR("x"), &err), 0);
    struct stat st;
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
    CHECK_EQ(rmdir(f.dir), 0); /* empty */
    CHECK_EQ(mkdir(f.dir, 0700), 0);
    teardown(&f);
}

TEST(directories)
{
    struct fixture f;
    setup(&f);
    struct err err = {0};
    const char *deep = path_join(&f.arena, f.dir, "a/b//c/");
    CHECK_EQ(dir_make(deep, &err), 0);
    CHECK_EQ(dir_make(deep, &err), 0);
    CHECK(file_exists(deep));
    const char *file = path_join(&f.arena, deep, "file");
    CHECK_EQ(file_write(file, STR("x"), &err), 0);
    CHECK(dir_make(file, &err) < 0);
    CHECK(dir_make(path_join(&f.arena, file, "below"), &err) < 0);
    teardown(&f);
}

TEST(paths)
{
    static const struct {
        const char *path, *dir, *base;
    } rows[] = {
        {"a",      ".",    "a"},
        {"a/b",    "a",    "b"},
        {"/a",     "/",    "a"},
        {"/a/b/c", "/a/b", "c"},
        {"a//b",   "a",    "b"},
        {"a/",     "a",    "" },
        {"",       ".",    "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(str_is(path_dir(str_of(rows[i].path)), rows[i].dir));
        CHECK(str_is(path_base(str_of(rows[i].path)), rows[i].base));
    }
    struct arena arena;
    arena_init(&arena, 0);
    CHECK_STR(path_join(&arena, "a", "b"), "a/b");
    CHECK_STR(path_join(&arena, "a/", "b"), "a/b");
    CHECK_STR(path_join(&arena, "a", "/b"), "/b");
    CHECK_STR(path_join(&arena, ".", "b"), "b");
    CHECK_STR(path_join(&arena, "", "b"), "b");
    arena_done(&arena);
}

TEST(errors_wrap)
{
    struct err err = {0};
    CHECK_EQ(err_set(&err, ERR_CORRUPT, 0, "block %d", 7), -ERR_CORRUPT);
    CHECK_STR(err.text, "block 7");
    CHECK_EQ(err_wrap(&err, "reading %s", "x.chk"), -ERR_CORRUPT);
    CHECK_STR(err.text, "reading x.chk: block 7");
    for (int i = 0; i < 100; i++) {
        err_wrap(&err, "layer %d", i);
    }
    CHECK_EQ(strlen(err.text), sizeof err.text - 1);
    CHECK_STR(err_name(ERR_CORRUPT), "stored data is damaged");
    CHECK_EQ(err_set(NULL, ERR_IO, 5, "nobody listens"), -ERR_IO);
}
