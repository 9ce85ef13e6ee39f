/* calls: access faccessat2 chdir fchdir chmod chown utimensat truncate rename link unlink rmdir
 * open openat */
/* Who may do what to files and directories of others, by owner, group and others. Needs root. */
#include <sys/fsuid.h>
#include <sys/inotify.h>

#include "t.h"

#ifndef AT_EACCESS
#define AT_EACCESS 0x200
#endif

static void make(const char *path, mode_t mode, int uid, int gid)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
    if (fd < 0 || write(fd, "x", 1) != 1 || chmod(path, mode) != 0 || chown(path, uid, gid) != 0) {
        printf("%s was not made\n", path);
    }
    close(fd);
}

static void make_dir(const char *path, mode_t mode, int uid, int gid)
{
    if (mkdir(path, 0700) != 0 || chmod(path, mode) != 0 || chown(path, uid, gid) != 0) {
        printf("%s was not made\n", path);
    }
}

static void tree(void)
{
    static const int modes[] = {0700, 0750, 0755, 0711,  0733, 0070,
                                0007, 0077, 0777, 01777, 0555, 0000};
    umask(0);
    make_dir("d", 0755, 0, 0);
    for (int o = 0; o < 3; o++) {
        int uid = o == 1 ? 1001 : 0, gid = o == 2 ? 1002 : 0;
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            char path[64];
            snprintf(path, sizeof path, "d/d%d-%o", o, modes[i]);
            make_dir(path, modes[i], uid, gid);
            int dir = open(path, O_RDONLY | O_DIRECTORY);
            for (int k = 0; k < 2; k++) {
                int fd = openat(dir, k == 0 ? "theirs" : "ours", O_CREAT | O_WRONLY, 0644);
                if (fd < 0 || fchown(fd, k == 0 ? 0 : 1001, 0) != 0) {
                    puts("a file was not made");
                }
                close(fd);
            }
            mkdirat(dir, "sub", 0755);
            close(dir);
            snprintf(path, sizeof path, "d/f%d-%o", o, modes[i]);
            make(path, modes[i] & 0777, uid, gid);
        }
    }
    make_dir("all", 0777, 0, 0);
    make_dir("all/closed", 0700, 0, 0);
    make_dir("all/closed/in", 0777, 0, 0);
    make("all/closed/in/f", 0666, 0, 0);
    make_dir("all/theirs", 0755, 0, 0);
    make_dir("all/mine", 0755, 1001, 1001);
    make_dir("all/mine/low", 0755, 1001, 1001);
    make("all/text", 0755, 0, 0);
}

static int opened(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 ? 0 : -1;
}

static void of_files(void)
{
    for (int o = 0; o < 3; o++) {
        static const int modes[] = {0700, 0750, 0755, 0711, 0733, 0070,
                                    0007, 0077, 0777, 0555, 0000};
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            char path[64];
            struct timespec set[2] = {
                {1, 0},
                {2, 0}
            };
            snprintf(path, sizeof path, "d/f%d-%o", o, modes[i]);
            printf("%s\n", path);
            R(opened(path, O_RDONLY));
            R(opened(path, O_WRONLY));
            R(opened(path, O_RDWR | O_CREAT));
            R(opened(path, O_RDONLY | O_CREAT | O_EXCL));
            R(opened(path, O_PATH));
            R(opened(path, O_RDONLY | O_DIRECTORY));
            R(access(path, R_OK));
            R(access(path, W_OK));
            R(access(path, X_OK));
            R(faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS));
            R(truncate(path, 1));
            R(chmod(path, modes[i] & 0777));
            R(chown(path, -1, -1));
            R(chown(path, 1001, -1));
            R(chown(path, -1, 1002));
            R(chown(path, -1, 1003));
            R(utimensat(AT_FDCWD, path, set, 0));
            R(utimensat(AT_FDCWD, path, NULL, 0));
            if (fork() == 0) {
                execl(path, path, NULL);
                R(errno == EACCES);
                fflush(stdout);
                _exit(0);
            }
            wait(NULL);
        }
    }
}

static void of_directories(void)
{
    for (int o = 0; o < 3; o++) {
        static const int modes[] = {0700, 0750, 0755, 0711,  0733, 0070,
                                    0007, 0077, 0777, 01777, 0555, 0000};
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            char path[64], name[80], other[80];
            snprintf(path, sizeof path, "d/d%d-%o", o, modes[i]);
            printf("%s\n", path);
#define IN(NAME) (snprintf(name, sizeof name, "%s/%s", path, NAME), name)
#define TO(NAME) (snprintf(other, sizeof other, "%s/%s", path, NAME), other)
            struct stat st;
            R(opened(path, O_RDONLY | O_DIRECTORY));
            R(access(path, R_OK | W_OK | X_OK));
            R(stat(IN("theirs"), &st));
            R(stat(IN("absent"), &st));
            R(opened(IN("theirs"), O_RDONLY));
            R(opened(IN("new"), O_RDWR | O_CREAT));
            R(opened(path, O_RDWR | O_TMPFILE));
            R(mkdir(IN("dir"), 0755));
            R(mkdir(IN("sub"), 0755));
            R(mkfifo(IN("fifo"), 0600));
            R(symlink("ours", IN("symlink")));
            R(opened(IN("symlink"), O_RDONLY));
            R(link(IN("ours"), TO("link")));
            int s = socket(AF_UNIX, SOCK_STREAM, 0);
            struct sockaddr_un at = {.sun_family = AF_UNIX};
            snprintf(at.sun_path, sizeof at.sun_path, "%s/socket", path);
            R(bind(s, (void *)&at, sizeof at));
            close(s);
            R(rename(IN("ours"), TO("renamed")));
            R(rename(IN("theirs"), TO("renamed")));
            R(rename(IN("sub"), TO("../../all/moved")));
            R(rename(IN("absent"), TO("renamed")));
            R(unlink(IN("theirs")));
            R(unlink(IN("sub")));
            R(rmdir(IN("theirs")));
            R(rmdir(IN("sub")));
            R(unlink(IN("new")));
            int in = inotify_init();
            R(inotify_add_watch(in, path, IN_CREATE) > 0);
            close(in);
            int here = open(".", O_RDONLY | O_DIRECTORY);
            R(chdir(path));
            R(stat("..", &st));
            R(fchdir(here));
            close(here);
        }
    }
}

static void of_ways(void)
{
    struct stat st;
    int at = open("all/closed/in", O_PATH | O_DIRECTORY),
        closed = open("all/closed", O_PATH | O_DIRECTORY);
    int file = open("all/text", O_WRONLY);
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "all/socket"};
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    R(bind(server, (void *)&to, sizeof to));
    R(listen(server, 5));
    R(chmod("all/socket", 0755));
    R(setgid(1001));
    R(setgroups(1, (gid_t[]){1002}));
    R(setresuid(1001, 1001, 0));
    R(stat("all/closed/in/f", &st));
    R(fstatat(at, "f", &st, 0));
    R(fstatat(closed, "in", &st, 0));
    R(fstatat(closed, "..", &st, 0));
    R(fstatat(at, "../in/f", &st, 0));
    R(fstatat(at, "", &st, AT_EMPTY_PATH));
    R(fchdir(closed));
    R(fchdir(at));
    R(stat("f", &st));
    R(stat("../in", &st));
    R(stat("..", &st));
    R(chdir("../.."));
    R(chdir("/") == 0 || 1);
    R(fchmod(file, 0777));
    R(fchown(file, 1001, -1));
    R(ftruncate(file, 0));
    R(futimens(file, NULL));
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    R(client > 0);
    R(setresuid(0, 0, 0));
    R(fchdir(at));
    R(chdir("../.."));
    R(setresuid(1001, 1001, 0));
    R(connect(client, (void *)&(struct sockaddr_un){.sun_family = AF_UNIX, .sun_path = "socket"},
              sizeof to));
    R(rename("mine", "theirs/mine"));
    R(rename("mine/low", "low"));
    R(rename("theirs", "mine/theirs"));
    R(chmod("mine", 02777));
    R(stat("mine", &st));
    R(st.st_mode & 07777);
    R(chown("mine", -1, 1002));
    R(chmod("mine", 02777));
    R(stat("mine", &st));
    R(st.st_mode & 07777);
    /* The ids for files alone, and those that access(2) asks for. */
    R(setresuid(1001, 0, 0));
    R(access("closed", R_OK));
    R(faccessat(AT_FDCWD, "closed", R_OK, AT_EACCESS));
    R(opened("closed", O_RDONLY));
    R(setfsuid(1001));
    R(opened("closed", O_RDONLY));
    R(unlink("text"));
}

int main(void)
{
    if (geteuid() != 0) {
        puts("not root");
        return 0;
    }
    tree();
    fflush(stdout);
    if (fork() == 0) {
        R(setgid(1001));
        R(setgroups(1, (gid_t[]){1002}));
        R(setuid(1001));
        of_files();
        of_directories();
        fflush(stdout);
        _exit(0);
    }
    wait(NULL);
    of_ways();
    return 0;
}
