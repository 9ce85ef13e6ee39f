/* calls: openat read write pread64 pwrite64 lseek ftruncate rename link symlink unlink mkdir rmdir dup3 fcntl */
/* Calls on files and directories in a random order, many at once open: what each returns, and what is there afterwards. */
#include "t.h"

#include <dirent.h>

enum { STEPS = 2000, FDS = 8, NAMES = 12 };

static uint64_t state;
static int fds[FDS];

static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11) % n;
}

/* The program is run by several seeds, one after the other, each in a folder of its own. */
static const char *name(void)
{
    static const char *const names[NAMES] = {"a", "b", "c", "d", "d/a", "d/b", "d/e", "d/e/a", "l", "d/l", "a/x", "d/"};
    return names[pick(NAMES)];
}

static void told(const char *what, const char *a, const char *b, long result)
{
    printf("%s %s %s %ld%s%s\n", what, a, b, result < 0 ? -1 : result, result < 0 ? " " : "", result < 0 ? strerrorname_np(errno) : "");
}
#define TOLD(what, a, b, e) told(what, a, b, (errno = 0, (long)(e)))

static void open_one(void)
{
    static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR}, more[] = {O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY, O_NOFOLLOW, O_PATH};
    int flags = modes[pick(3)] | (pick(2) ? O_CREAT : 0) | (pick(3) == 0 ? more[pick(7)] : 0), i = (int)pick(FDS);
    if ((flags & O_DIRECTORY) != 0) {
        flags &= ~O_CREAT; /* what Linux does with both has changed */
    }
    const char *path = name();
    char text[32];
    (void)snprintf(text, sizeof text, "%#x", flags);
    int fd = openat(AT_FDCWD, path, flags, pick(2) ? 0644 : 0600);
    told("open", path, text, fd < 0 ? fd : 0);
    if (fd >= 0) {
        close(fds[i]);
        fds[i] = fd;
    }
}

static void look(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        told("fstat", "", "", -1);
    } else if (S_ISREG(st.st_mode)) {
        printf("is %o %ld %ld at %ld\n", st.st_mode, (long)st.st_size, (long)st.st_nlink, (long)lseek(fd, 0, SEEK_CUR));
    } else {
        printf("is %o\n", st.st_mode & S_IFMT);
    }
}

static void bytes(int fd)
{
    static char b[20000];
    size_t n = pick(4) == 0 ? pick(sizeof b) : pick(50);
    off_t at = pick(4) == 0 ? pick(100000) : pick(60);
    uint64_t sum = 0;
    long got = -2;
    memset(b, 'a' + (int)pick(26), sizeof b);
    errno = 0;
    switch (pick(6)) {
    case 0: got = read(fd, b, n); break;
    case 1: got = pread(fd, b, n, at); break;
    case 2: told("write", "", "", write(fd, b, n)); return;
    case 3: told("pwrite", "", "", pwrite(fd, b, n, at)); return;
    case 4: {
        struct iovec v[2] = {{b, n / 3}, {b + n / 3, n - n / 3}};
        got = pick(2) ? readv(fd, v, 2) : preadv(fd, v, 2, at);
        break;
    }
    default: told("truncate", "", "", ftruncate(fd, at)); return;
    }
    for (long i = 0; i < got; i++) {
        sum = sum * 31 + (unsigned char)b[i];
    }
    told("bytes", "", "", got);
    printf("%llx\n", (unsigned long long)sum);
}

static void seek(int fd)
{
    static const int whence[] = {SEEK_SET, SEEK_CUR, SEEK_END, 9};
    struct stat st;
    bool file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    TOLD("seek", "", "", file ? lseek(fd, (off_t)pick(200) - 60, whence[pick(4)]) : 0);
}

static void copy(int fd)
{
    int to = fds[pick(FDS)];
    off_t in = pick(100), out = pick(5000);
    struct stat a, b;
    bool same = fstat(fd, &a) == 0 && fstat(to, &b) == 0 && a.st_ino == b.st_ino;
    if (same || !S_ISREG(a.st_mode) || !S_ISREG(b.st_mode) || (fcntl(fd, F_GETFL) & O_PATH) != 0 || (fcntl(to, F_GETFL) & O_PATH) != 0) {
        return;
    }
    if (pick(2)) {
        TOLD("copy", "", "", copy_file_range(fd, &in, to, &out, pick(300), 0));
    } else {
        TOLD("sendfile", "", "", sendfile(to, fd, pick(2) ? &in : NULL, pick(300)));
    }
    printf("%ld %ld\n", (long)in, (long)out);
}

static void descriptor(int fd)
{
    int i = (int)pick(FDS);
    switch (pick(5)) {
    case 0:
        if (fds[i] != fd) {
            TOLD("dup3", "", "", dup3(fd, fds[i], pick(2) ? O_CLOEXEC : 0) < 0 ? -1 : 0);
        }
        break;
    case 1: TOLD("getfd", "", "", fcntl(fd, F_GETFD)); break;
    case 2: TOLD("setfd", "", "", fcntl(fd, F_SETFD, (int)pick(2))); break;
    case 3: TOLD("setfl", "", "", fcntl(fd, F_SETFL, pick(2) ? O_APPEND : 0)); break;
    default: TOLD("getfl", "", "", fcntl(fd, F_GETFL) & ~O_LARGEFILE); break;
    }
}

static void path(void)
{
    const char *a = name(), *b = name();
    char text[64] = "";
    struct stat st;
    switch (pick(14)) {
    case 0: TOLD("rename", a, b, rename(a, b)); break;
    case 1: TOLD("renameat2", a, b, renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_NOREPLACE)); break;
    case 2: TOLD("exchange", a, b, renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE)); break;
    case 3: TOLD("link", a, b, link(a, b)); break;
    case 4: TOLD("symlink", a, b, symlink(a, b)); break;
    case 5: TOLD("unlink", a, "", unlink(a)); break;
    case 6:
    case 7: TOLD("mkdir", a, "", mkdir(a, 0755)); break;
    case 8: TOLD("rmdir", a, "", rmdir(a)); break;
    case 9: TOLD("readlink", a, "", readlink(a, text, pick(2) ? sizeof text - 1 : 2)); puts(text); break;
    case 10: TOLD("access", a, "", access(a, (int)pick(3))); break;
    case 11: TOLD("chmod", a, "", chmod(a, 0600 | pick(0200))); break;
    case 12: TOLD("truncate", a, "", truncate(a, pick(9000))); break;
    default:
        TOLD("lstat", a, "", lstat(a, &st));
        if (stat(a, &st) == 0 && S_ISREG(st.st_mode)) {
            printf("%o %ld %ld\n", st.st_mode, (long)st.st_size, (long)st.st_nlink);
        }
    }
}

static void tree(const char *dir)
{
    struct dirent **list;
    int n = scandir(dir, &list, NULL, alphasort);
    printf("%s: %d\n", dir, n);
    for (int i = 0; i < n; i++) {
        char path[600];
        struct stat st;
        (void)snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name);
        if (list[i]->d_name[0] != '.' && lstat(path, &st) == 0) {
            printf("%s %d %o\n", path, list[i]->d_type, st.st_mode);
            if (S_ISDIR(st.st_mode)) {
                tree(path);
            }
        }
        free(list[i]);
    }
}

static void run(uint64_t seed)
{
    char folder[32];
    state = seed;
    (void)snprintf(folder, sizeof folder, "seed%llu", (unsigned long long)seed);
    mkdir(folder, 0755);
    chdir(folder);
    for (int i = 0; i < FDS; i++) {
        fds[i] = open(".", O_RDONLY);
    }
    for (int step = 0; step < STEPS; step++) {
        int fd = fds[pick(FDS)];
        printf("%llu:%d ", (unsigned long long)seed, step);
        switch (pick(12)) {
        case 0:
        case 1:
        case 2: open_one(); break;
        case 3: look(fd); break;
        case 4: seek(fd); break;
        case 5: copy(fd); break;
        case 6: descriptor(fd); break;
        case 7:
        case 8:
        case 9: path(); break;
        default: bytes(fd); break;
        }
        if (step % 500 == 499) {
            tree(".");
        }
    }
    for (int i = 0; i < FDS; i++) {
        close(fds[i]);
    }
    chdir("..");
}

int main(void)
{
    static char all[1 << 16];
    setvbuf(stdout, all, _IOFBF, sizeof all);
    umask(022);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run(seed * 7919);
    }
    return 0;
}
