/* Files of the store: what was written is read; a file that is cut, one that cannot be read or
 * written, and one that is not there are told apart; bytes are counted. */
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "check/store.h"
#include "test.h"

TEST(what_was_written_is_read)
{
    char dir[] = "/tmp/assay-files-XXXXXX";
    struct store store;
    struct err err = {0};
    int fd = -1;
    char bytes[100];
    char got[100];
    CHECK(mkdtemp(dir) != NULL);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 7);
    }
    store_init(&store, dir, NULL, 0);
    CHECK_EQ(store_make(&store, &err), 0);
    CHECK(!store_has(&store, "x"));
    CHECK_EQ(store_create(&store, "x", &fd, &err), 0);
    CHECK(store_has(&store, "x"));
    CHECK_EQ(store_write(&store, fd, bytes, 100, 0, &err), 0);
    CHECK_EQ(store.bytes, 100);
    CHECK_EQ(store_write(&store, fd, bytes + 10, 50, 200, &err), 0);
    CHECK_EQ(store.bytes, 250);
    CHECK_EQ(store_write(&store, fd, bytes, 100, 0, &err), 0); /* over what is there */
    CHECK_EQ(store.bytes, 250);
    CHECK_EQ(store_read(&store, fd, got, 100, 0, &err), 0);
    CHECK(memcmp(got, bytes, 100) == 0);
    CHECK_EQ(store_read(&store, fd, got, 50, 200, &err), 0);
    CHECK(memcmp(got, bytes + 10, 50) == 0);
    CHECK_EQ(store_read(&store, fd, got, 20, 40, &err), 0);
    CHECK(memcmp(got, bytes + 40, 20) == 0);
    CHECK_EQ(store_read(&store, fd, got, 0, 9999, &err), 0);

    CHECK_EQ(store_read(&store, fd, got, 51, 200, &err), -ERR_CORRUPT);
    SCOPED_STRBUF said = {0};
    strbuf_printf(&said, "a file in %s is too short", dir);
    CHECK_STR(err.text, strbuf_cstr(&said));
    CHECK_EQ(err.os_errno, 0);
    CHECK_EQ(store_read(&store, fd, got, 1, 250, &err), -ERR_CORRUPT);
    CHECK_EQ(store_read(&store, -1, got, 1, 0, &err), -ERR_IO);
    strbuf_reset(&said);
    strbuf_printf(&said, "cannot read from %s: Bad file descriptor", dir);
    CHECK_STR(err.text, strbuf_cstr(&said));
    CHECK_EQ(store_write(&store, -1, bytes, 1, 0, &err), -ERR_IO);
    CHECK_EQ(store_sync(&store, fd, &err), 0);
    CHECK_EQ(store_sync(&store, -1, &err), -ERR_IO);
    store_close(&store, fd);
    CHECK_EQ(store.bytes, 0); /* those of files that are open */

    uint64_t size = 0;
    CHECK_EQ(store_open(&store, "x", false, &fd, &size, &err), 0);
    CHECK_EQ(size, 250);
    CHECK_EQ(store_write(&store, fd, bytes, 1, 0, &err), -ERR_IO);
    store_close(&store, fd);
    CHECK(store_open(&store, "y", false, &fd, &size, &err) < 0);
    CHECK_EQ(store_rename(&store, "x", "y", &err), 0);
    CHECK(!store_has(&store, "x") && store_has(&store, "y"));
    CHECK_EQ(store_rename(&store, "x", "z", &err), -ERR_IO);
    store_remove(&store, "y");
    CHECK(!store_has(&store, "y"));
    store_done(&store);
    CHECK_EQ(dir_remove(dir, &err), 0);
}

/* The n-th write of a test fails, and none before it. */
TEST(a_write_fails)
{
    struct store store;
    struct err err = {0};
    int fd = -1;
    store_init(&store, NULL, NULL, 3);
    CHECK_EQ(store_create(&store, "x", &fd, &err), 0);
    CHECK_EQ(store_write(&store, fd, "a", 1, 0, &err), 0);
    CHECK_EQ(store_write(&store, fd, "b", 1, 1, &err), 0);
    CHECK(store_write(&store, fd, "c", 1, 2, &err) < 0);
    store_close(&store, fd);
    store_done(&store);
}
