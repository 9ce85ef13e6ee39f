/* calls: truncate */
/* Every call that takes a path, on a path of every kind: which error, or that it works. */
#include <utime.h>

#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "t.h"

static const char *const paths[] = {
    "file",        "dir",       "full",       "link",   "dirlink",  "dangling", "circle", "pipe",
    "sock",        "none",      "none/x",     "file/x", "dir/",     "file/",    "none/",  "link/",
    "dirlink/",    "dangling/", "dir/..",     "dir/.",  "circle/x", "",         ".",      "./file",
    "dir/../file", "full/in",   "dirlink/in", "/",      "//",
};
enum { PATHS = sizeof paths / sizeof paths[0] };
static char longname[300];
static struct stat st;
static struct statfs fs;
static char buf[100];
static bool touched;

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    write(fd, text, strlen(text));
    close(fd);
}

/* Removes a name, and what lies below it. */
static void sweep(const char *name)
{
    static const char *const below[] = {"in", "new", "file", "dir", "moved"};
    char text[500];
    if (unlink(name) == 0 || errno == ENOENT || rmdir(name) == 0) {
        return;
    }
    for (int i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "%s/%s", name, below[i]);
        if (unlink(text) != 0 && errno != ENOENT) {
            rmdir(text);
        }
    }
    rmdir(name);
}

/* The same files before each call. */
static void fresh(void)
{
    static const char *const all[] = {"file", "link", "dirlink", "dangling", "circle",
                                      "pipe", "sock", "new",     "none",     "moved",
                                      "dir",  "full", "nowhere"};
    for (int i = 0; i < 13; i++) {
        sweep(all[i]);
    }
    put("file", "0123456789");
    mkdir("dir", 0755);
    mkdir("full", 0755);
    put("full/in", "abc");
    symlink("file", "link");
    symlink("full", "dirlink");
    symlink("nowhere", "dangling");
    symlink("circle", "circle");
    mkfifo("pipe", 0644);
    mknod("sock", S_IFSOCK | 0644, 0);
}

#define EACH(title, e) EACH_OF(true, title, e)
#define LOOK(title, e) EACH_OF(false, title, e) /* changes nothing */
#define EACH_OF(again, title, e)                                                                   \
    do {                                                                                           \
        printf("%s:", title);                                                                      \
        for (int k = 0; k <= PATHS; k++) {                                                         \
            const char *p = k < PATHS ? paths[k] : longname;                                       \
            if (k == 0 || ((again) && touched)) {                                                  \
                fresh();                                                                           \
            }                                                                                      \
            errno = 0;                                                                             \
            long r = (long)(e);                                                                    \
            touched = r >= 0;                                                                      \
            printf(" %s=", k < PATHS ? p : "long");                                                \
            if (r < 0) {                                                                           \
                printf("%s", strerrorname_np(errno));                                              \
            } else {                                                                               \
                printf("%ld", r);                                                                  \
            }                                                                                      \
        }                                                                                          \
        printf("\n");                                                                              \
        fflush(stdout);                                                                            \
    } while (0)

static long opened(const char *p, int flags)
{
    int fd = open(p, flags | O_NONBLOCK, 0600);
    if (fd < 0) {
        return -1;
    }
    long kind = fstat(fd, &st) == 0 ? (long)((st.st_mode & S_IFMT) >> 12) : -1;
    close(fd);
    return kind;
}

static long mode_of(long status)
{
    return status < 0 ? -1 : (long)st.st_mode;
}

static void opens(void)
{
    LOOK("open", opened(p, O_RDONLY));
    LOOK("open write", opened(p, O_WRONLY));
    LOOK("open dir", opened(p, O_RDONLY | O_DIRECTORY));
    LOOK("open nofollow", opened(p, O_RDONLY | O_NOFOLLOW));
    LOOK("open path", opened(p, O_PATH));
    LOOK("open path nofollow", opened(p, O_PATH | O_NOFOLLOW));
    EACH("open create", strchr(p, 'd') != p || strlen(p) < 8 ? opened(p, O_RDWR | O_CREAT) : 0);
    EACH("open exclusive", opened(p, O_RDWR | O_CREAT | O_EXCL));
    EACH("open truncate", opened(p, O_RDWR | O_TRUNC) < 0 ? -1
                          : stat(p, &st) < 0              ? -1
                                             : (S_ISREG(st.st_mode) ? (long)st.st_size : 0));
    LOOK("open tmpfile", p[0] == '/' ? 0 : opened(p, O_RDWR | O_TMPFILE));
}

/* Goes there and comes back. */
static long moved_to(const char *p)
{
    int here = open(".", O_PATH | O_DIRECTORY);
    long status = chdir(p);
    int error = errno;
    fchdir(here);
    close(here);
    errno = error;
    return status;
}

static void looks(void)
{
    LOOK("stat", mode_of(stat(p, &st)) < 0 ? -1 : (long)((st.st_mode & S_IFMT) >> 12));
    LOOK("lstat", mode_of(lstat(p, &st)) < 0 ? -1 : (long)((st.st_mode & S_IFMT) >> 12));
    LOOK("access", access(p, F_OK));
    LOOK("access execute", getuid() == 0 && p[0] == '/' ? 0 : access(p, X_OK));
    LOOK("access what", access(p, 9));
    LOOK("readlink", readlink(p, buf, sizeof buf));
    LOOK("readlink short", readlink(p, buf, 2));
    LOOK("readlink none", readlink(p, buf, 0));
    LOOK("statfs", statfs(p, &fs));
    LOOK("chdir", moved_to(p));
}

static void changes(void)
{
    EACH("truncate", truncate(p, 4) < 0 ? -1 : stat(p, &st) < 0 ? -1 : (long)st.st_size);
    LOOK("truncate negative", truncate(p, -1));
    EACH("unlink", p[0] == '/' ? 0 : unlink(p));
    EACH("rmdir", p[0] == '/' ? 0 : rmdir(p));
    EACH("mkdir", mkdir(p, 0755));
    EACH("mkfifo", mkfifo(p, 0644));
    LOOK("mknod what", mknod(p, 0170000, 0));
    EACH("symlink", symlink("t", p));
    LOOK("symlink to nothing", symlink("", p));
    EACH("link from", p[0] == '/' ? 0 : link(p, "new"));
    EACH("link to", link("file", p));
    EACH("link follow", p[0] == '/' ? 0 : linkat(AT_FDCWD, p, AT_FDCWD, "new", AT_SYMLINK_FOLLOW));
    EACH("chmod", p[0] == '/' || p[0] == '.' || strcmp(p, "dir/..") == 0 ? 0
                  : chmod(p, 0700) < 0                                   ? -1
                  : stat(p, &st) < 0                                     ? -1
                                     : (long)(st.st_mode & 07777));
    EACH("utime", p[0] == '/' || p[0] == '.'              ? 0
                  : utime(p, &(struct utimbuf){7, 9}) < 0 ? -1
                  : stat(p, &st) < 0                      ? -1
                                                          : (long)st.st_mtime);
}

static void moves(void)
{
    EACH("rename from", p[0] == '/' ? 0 : rename(p, "moved"));
    EACH("rename to", p[0] == '/' ? 0 : rename("file", p));
    EACH("rename dir to", p[0] == '/' ? 0 : rename("dir", p));
    EACH("rename full to", p[0] == '/' ? 0 : rename("full", p));
    LOOK("rename into itself", p[0] == '/' ? 0 : rename("full", "full/moved"));
    EACH("rename keep",
         p[0] == '/' ? 0 : renameat2(AT_FDCWD, "file", AT_FDCWD, p, RENAME_NOREPLACE));
    LOOK("rename flags", p[0] == '/' ? 0 : renameat2(AT_FDCWD, "file", AT_FDCWD, p, 64));
    EACH("exchange", p[0] == '/' ? 0 : renameat2(AT_FDCWD, "file", AT_FDCWD, p, RENAME_EXCHANGE));
    EACH("rmdir at", p[0] == '/' ? 0 : unlinkat(AT_FDCWD, p, AT_REMOVEDIR));
    LOOK("unlink flags", p[0] == '/' ? 0 : unlinkat(AT_FDCWD, p, 1));
}

static void others(void)
{
    int in = inotify_init(), s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    LOOK("watch", inotify_add_watch(in, p, IN_MODIFY) < 0 ? -1 : 0);
    LOOK("watch nofollow", inotify_add_watch(in, p, IN_MODIFY | IN_DONT_FOLLOW) < 0 ? -1 : 0);
    LOOK("watch dir", inotify_add_watch(in, p, IN_MODIFY | IN_ONLYDIR) < 0 ? -1 : 0);
    LOOK("connect", p[0] == '/' ? 0
                    : p[0] == '\0' || p == longname
                        ? 0
                        : (strcpy(a.sun_path, p), connect(s, (void *)&a, sizeof a)));
    EACH("bind", p[0] == '\0' || p == longname
                     ? 0
                     : (close(s), s = socket(AF_UNIX, SOCK_STREAM, 0), strcpy(a.sun_path, p),
                        bind(s, (void *)&a, sizeof a)));
    LOOK("execve", p[0] == '/' ? 0 : execve(p, (char *[]){"x", NULL}, (char *[]){NULL}));
}

int main(void)
{
    umask(022);
    memset(longname, 'n', sizeof longname - 1);
    opens();
    looks();
    changes();
    moves();
    others();
    return 0;
}
