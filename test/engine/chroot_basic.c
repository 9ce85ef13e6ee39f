/* calls: chroot */
#include "t.h"

static void where(const char *what)
{
    char b[4096] = "";
    int n = (int)syscall(SYS_getcwd, b, sizeof b);
    if (strncmp(b, "(unreachable)", 13) == 0) {
        b[13] = '\0'; /* then comes the directory that the test runs in */
        n = n > 14 ? 14 : 0;
    }
    printf("%s: %s %d\n", what, b, n == (int)strlen(b) + 1);
}

static void copy(const char *from, const char *to)
{
    char bytes[65536];
    int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_WRONLY, 0755);
    for (ssize_t n; (n = read(in, bytes, sizeof bytes)) > 0;) {
        (void)!write(out, bytes, (size_t)n);
    }
    close(in);
    close(out);
}

static void put(const char *path, const char *text)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    R(write(fd, text, strlen(text)));
    close(fd);
}

static void get(const char *path)
{
    char b[64] = "";
    int fd = open(path, O_RDONLY);
    R(fd < 0 ? fd : 0);
    R(read(fd, b, sizeof b - 1));
    printf("%s: %s\n", path, b);
    close(fd);
}

/* Names, links and "..", with the working directory inside. */
static void inside(void)
{
    struct stat a, b;
    char text[256] = "";
    R(chroot("jail"));
    R(chdir("/"));
    where("root");
    get("/f");
    get("/../../f");
    get("/d/../../f");
    get("/absolute");
    get("/d/absolute");
    get("/d/up");
    R(open("/etc/passwd", O_RDONLY));
    R(open("/proc/self/status", O_RDONLY));
    R(readlink("/absolute", text, sizeof text));
    S(text);
    R(stat("/", &a));
    R(stat("/..", &b));
    R(a.st_ino == b.st_ino);
    R(chdir("d"));
    where("below");
    R(chdir("../.."));
    where("above");
    R(mkdir("/new", 0755));
    R(chdir("/new"));
    where("new");
    R(rename("/f", "/new/g"));
    get("g");
    R(symlink("/new/g", "/link"));
    get("/link");
    R(truncate("/link", 2));
    get("/new/g");
    R(execl("/bin/true", "true", NULL));
    R(chroot("/new"));
    R(chdir("/"));
    get("/g");
    get("/new/g");
    R(chroot("nowhere"));
    R(chroot("/g"));
    R(chroot(""));
    R(syscall(SYS_chroot, 1));
}

/* The working directory stays outside, and so do open directories. */
static void outside(void)
{
    int top = open(".", O_RDONLY | O_DIRECTORY);
    R(chroot("jail"));
    where("outside");
    get("outside");
    get("jail/f");
    get("/outside");
    R(openat(top, "outside", O_RDONLY) >= 0);
    R(openat(top, "jail/d/../f", O_RDONLY) >= 0);
    R(chdir("/d"));
    where("in");
    R(fchdir(top));
    where("out again");
    get("outside");
    pid_t pid = fork();
    if (pid == 0) {
        where("child");
        get("/f");
        R(chroot("/d"));
        R(chdir("/"));
        get("/h");
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    get("/f");
    int s = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "/s"};
    R(bind(s, (void *)&name, sizeof name));
    R(listen(s, 1));
    R(connect(c, (void *)&name, sizeof name));
    R(faccessat(top, "jail/s", F_OK, 0));
}

static void *change(void *arg)
{
    R(chroot(arg));
    return NULL;
}

/* Threads share it. */
static void threads(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, "jail");
    pthread_join(t, NULL);
    R(chdir("/"));
    get("/f");
}

static void nobody(void)
{
    R(setuid(65534));
    R(chroot("jail"));
    R(chroot("nowhere"));
    R(chroot("outside"));
}

/* A program whose dynamic linker is not there. */
static void programs(void)
{
    R(chroot("jail"));
    R(chdir("/d"));
    R(execl("/t", "t", NULL));
    R(execl("/nothing", "t", NULL));
}

/* One that has all that it needs. */
static void programs_complete(void)
{
    mkdir("jail/lib64", 0755);
    mkdir("jail/lib", 0755);
    mkdir("jail/lib/x86_64-linux-gnu", 0755);
    copy("/lib64/ld-linux-x86-64.so.2", "jail/lib64/ld-linux-x86-64.so.2");
    copy("/lib/x86_64-linux-gnu/libc.so.6", "jail/lib/x86_64-linux-gnu/libc.so.6");
    R(chroot("jail"));
    R(chdir("/d"));
    fflush(stdout);
    R(execl("/t", "t", "again", NULL));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        where(argv[1]);
        get("/f");
        return 0;
    }
    void (*parts[])(void) = {outside, threads, nobody, programs, programs_complete, inside};
    mkdir("jail", 0755);
    mkdir("jail/d", 0755);
    chmod("jail", 0755);
    put("jail/f", "inside");
    put("jail/d/h", "deep");
    put("outside", "outside");
    symlink("/f", "jail/absolute");
    symlink("/d/h", "jail/d/absolute");
    symlink("../../../f", "jail/d/up");
    copy("/proc/self/exe", "jail/t");
    for (int i = 0; i < (int)(sizeof parts / sizeof parts[0]); i++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            parts[i]();
            fflush(stdout);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return 0;
}
