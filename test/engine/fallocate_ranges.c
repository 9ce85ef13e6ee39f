/* calls: fallocate lseek fstat */
/* fs: ext4 */
#include "t.h"

#include <limits.h>

enum { K = 4096 };
static int f;
static bool contents = true; /* not of what is reserved: a page that was read counts as data */

static void look(void)
{
    struct stat st;
    char c;
    fstat(f, &st);
    printf("%ld bytes:", (long)st.st_size);
    for (long at = 0; contents && at < st.st_size; at += K) {
        pread(f, &c, 1, at);
        printf(" %c", c == 0 ? '0' : c);
    }
    printf(";");
    for (long at = 0; (at = lseek(f, at, SEEK_DATA)) >= 0;) {
        long end = lseek(f, at, SEEK_HOLE);
        printf(" %ld-%ld", at, end);
        at = end;
    }
    printf("\n");
    fflush(stdout);
}

/* How many blocks it takes, in units that do not show what the file system needs for itself. */
static void blocks(const char *what)
{
    struct stat st;
    fsync(f);
    fstat(f, &st);
    printf("%s: %ld\n", what, (long)st.st_blocks / 64);
    fflush(stdout);
}

static void fill(int pages)
{
    char b[K];
    ftruncate(f, 0);
    for (int i = 0; i < pages; i++) {
        memset(b, 'a' + i, K);
        pwrite(f, b, K, (long)i * K);
    }
    fsync(f);
    look();
}

#define A(mode, off, n) R(fallocate(f, mode, off, n))
enum { COLLAPSE = FALLOC_FL_COLLAPSE_RANGE, INSERT = FALLOC_FL_INSERT_RANGE, ZERO = FALLOC_FL_ZERO_RANGE,
       PUNCH = FALLOC_FL_PUNCH_HOLE, KEEP = FALLOC_FL_KEEP_SIZE };

int main(void)
{
    int p[2];
    f = open("f", O_RDWR | O_CREAT, 0644);
    S("collapse");
    fill(8);
    A(COLLAPSE, 2 * K, 3 * K);
    look();
    A(COLLAPSE, 0, K);
    look();
    A(COLLAPSE, K, 3 * K);
    A(COLLAPSE, 1, K);
    A(COLLAPSE, 0, 100);
    A(COLLAPSE | KEEP, 0, K);
    S("insert");
    fill(4);
    A(INSERT, K, 2 * K);
    look();
    A(INSERT, 0, K);
    look();
    A(INSERT, 7 * K, K);
    A(INSERT, 100, K);
    A(INSERT | COLLAPSE, 0, K);
    ftruncate(f, 6 * K + 100);
    A(COLLAPSE, K, K);
    look();
    S("punch");
    fill(6);
    A(PUNCH | KEEP, K, 2 * K);
    look();
    A(PUNCH | KEEP, 4 * K + 100, K);
    fsync(f);
    look();
    A(PUNCH, K, K);
    A(PUNCH | KEEP, 100 * K, K);
    look();
    S("zero");
    contents = false;
    fill(4);
    A(ZERO, K, K);
    fsync(f);
    look();
    A(ZERO, 3 * K, 3 * K);
    fsync(f);
    look();
    A(ZERO | KEEP, 5 * K, 3 * K);
    look();
    S("reserved");
    ftruncate(f, 0);
    A(0, K, 2 * K);
    look();
    pwrite(f, "x", 1, 2 * K + 5);
    fsync(f);
    look();
    A(KEEP, 0, 6 * K);
    look();
    ftruncate(f, 2 * K);
    look();
    contents = true;
    fill(4);
    A(ZERO, K, 2 * K);
    char c = 1;
    R(pread(f, &c, 1, 2 * K));
    R(c);
    R(pread(f, &c, 1, 3 * K));
    R(c);
    S("sparse");
    ftruncate(f, 0);
    ftruncate(f, 1L << 30);
    pwrite(f, "x", 1, 1L << 29);
    fsync(f);
    R(lseek(f, 0, SEEK_DATA));
    R(lseek(f, 0, SEEK_HOLE));
    R(lseek(f, 1L << 29, SEEK_HOLE));
    R(lseek(f, (1L << 29) + K, SEEK_DATA));
    R(lseek(f, 1L << 30, SEEK_HOLE));
    R(lseek(f, -1, SEEK_DATA));
    S("blocks");
    blocks("one page");
    ftruncate(f, 0);
    blocks("none");
    static char mega[1 << 20];
    memset(mega, 1, sizeof mega);
    R(pwrite(f, mega, sizeof mega, 0));
    fsync(f);
    blocks("written");
    A(PUNCH | KEEP, 1 << 18, 1 << 18);
    blocks("punched");
    A(COLLAPSE, 1 << 18, 1 << 18);
    blocks("collapsed");
    A(INSERT, 0, 1 << 20);
    blocks("inserted");
    A(KEEP, 0, 4 << 20);
    blocks("reserved");
    R(ftruncate(f, 1 << 20));
    blocks("shortened");
    S("errors");
    pipe(p);
    R(fallocate(p[1], 0, 0, 1));
    R(fallocate(p[0], 0, 0, 1));
    R(fallocate(open("f", O_RDONLY), 0, 0, 1));
    A(0x100000, 0, 1);
    A(0, LONG_MAX, LONG_MAX);
    A(0, 0, 1L << 62);
    A(FALLOC_FL_KEEP_SIZE, 1L << 61, 1L << 61);
    return 0;
}
