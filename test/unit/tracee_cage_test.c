/* The cage: a program whose system calls all reach the real kernel, as if its owner had let them
 * through, meets a tree that is read only, an empty network, and no processes but its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "test.h"
#include "tracee/tracee.h"

/* ---- the program: tries one thing, and ends with 0, or with the error ---- */

static int told(long result)
{
    return result >= 0 ? 0 : errno;
}

static int try_connect(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? errno : told(connect(fd, (struct sockaddr *)&to, sizeof to));
}

static int try_datagram(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return fd < 0 ? errno : told(sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof to));
}

static int try_abstract(const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    memcpy(to.sun_path + 1, name, strlen(name));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    return told(connect(fd, (struct sockaddr *)&to, n));
}

static int try_list(const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;
    while (dir != NULL && readdir(dir) != NULL) {
        n++;
    }
    return n > 2 ? 0 : ENOENT;
}

static int probe(const char *what, const char *with)
{
    int number = atoi(with);
    return strcmp(what, "write") == 0     ? told(open(with, O_WRONLY))
           : strcmp(what, "create") == 0  ? told(open(with, O_WRONLY | O_CREAT, 0600))
           : strcmp(what, "read") == 0    ? told(open(with, O_RDONLY))
           : strcmp(what, "mkdir") == 0   ? told(mkdir(with, 0700))
           : strcmp(what, "unlink") == 0  ? told(unlink(with))
           : strcmp(what, "rename") == 0  ? told(rename(with, "/tmp/assay-cage-renamed"))
           : strcmp(what, "chmod") == 0   ? told(chmod(with, 0777))
           : strcmp(what, "device") == 0  ? told(open(with, O_RDWR))
           : strcmp(what, "list") == 0    ? try_list(with)
           : strcmp(what, "connect") == 0 ? try_connect(number)
           : strcmp(what, "send") == 0    ? try_datagram(number)
           : strcmp(what, "unix") == 0    ? try_abstract(with)
           : strcmp(what, "kill") == 0    ? told(kill(number, SIGTERM))
           : strcmp(what, "trace") == 0   ? told(ptrace(PTRACE_ATTACH, number, 0, 0))
           : strcmp(what, "memory") == 0  ? told(shmget(number, 1, 0))
           : strcmp(what, "mount") == 0   ? told(mount("none", with, "tmpfs", 0, NULL))
           : strcmp(what, "remount") == 0
               ? told(mount(NULL, with, NULL, MS_REMOUNT | MS_BIND, NULL))
           : strcmp(what, "chown") == 0    ? told(chown(with, 1, 1))
           : strcmp(what, "hostname") == 0 ? told(sethostname(with, strlen(with)))
           : strcmp(what, "signal") == 0   ? told(raise(0))
                                           : 200;
}

__attribute__((constructor)) static void program(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "probe") == 0) {
        _exit(probe(argv[2], argv[3]));
    }
}

/* ---- the owner ---- */

struct outside {
    struct tracee_shared shared;
    struct tracee_cage *cage;
    uint8_t rules[TRACEE_SYSCALLS];
    struct strbuf dir, file;
    char self[4096];
    int port;
};

/* The dynamic linker reads the time stamp counter, which faults in a tracee. */
static void skip_counter(pid_t pid)
{
    struct user_regs_struct regs;
    uint8_t code[3] = {0};
    CHECK(tracee_regs_get(pid, &regs));
    CHECK_EQ(tracee_read(pid, TADDR(regs.rip), code, sizeof code), sizeof code);
    CHECK_EQ(code[0], 0x0f);
    CHECK(code[1] == 0x31 || (code[1] == 0x01 && code[2] == 0xf9)); /* RDTSC, RDTSCP */
    regs.rip += code[1] == 0x31 ? 2 : 3;
    regs.rax = regs.rdx = 0;
    CHECK(tracee_regs_set(pid, &regs));
}

/* What it ends with; -1: it cannot be started. */
static int ends_with(struct outside *o, struct tracee_cage *cage, const char *what,
                     const char *with)
{
    struct err err;
    struct stop stop;
    pid_t pid = 0;
    char *argv[] = {o->self, (char *)"probe", (char *)what, (char *)with, NULL};
    char *envp[] = {NULL};
    struct tracee_spec spec = {.path = o->self,
                               .exec_fd = -1,
                               .argv = argv,
                               .envp = envp,
                               .rules = o->rules,
                               .shared = &o->shared,
                               .limits = {.stack_bytes = 8 << 20},
                               .cage = cage};
    if (tracee_spawn(&spec, &pid, &err) != 0) {
        printf("# %s\n", err.text);
        return -1;
    }
    do {
        tracee_resume(pid, 0);
        tracee_wait(pid, &stop);
        if (stop.kind == STOP_SIGNAL) {
            skip_counter(pid);
        }
    } while (stop.kind != STOP_GONE);
    return WIFEXITED(stop.status) ? WEXITSTATUS(stop.status) : 1000 + stop.status;
}

static int listen_here(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t n = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQ(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    CHECK_EQ(listen(fd, 8), 0);
    CHECK_EQ(getsockname(fd, (struct sockaddr *)&at, &n), 0);
    return ntohs(at.sin_port);
}

/* False where processes cannot be traced at all. */
static bool begin(struct outside *o)
{
    struct err err;
    memset(o, 0, sizeof *o);
    memset(o->rules, TRACEE_PASS, sizeof o->rules);
    CHECK_EQ(tracee_shared_init(&o->shared, &err), 0);
    CHECK(readlink("/proc/self/exe", o->self, sizeof o->self - 1) > 0);
    CHECK_EQ(dir_make_new("/tmp", "assay-cage-test", &o->dir, &err), 0);
    strbuf_printf(&o->file, "%s/file", strbuf_cstr(&o->dir));
    CHECK_EQ(file_write(strbuf_cstr(&o->file), STR("text"), &err), 0);
    CHECK_EQ(chmod(strbuf_cstr(&o->file), 0666), 0);
    o->port = listen_here();
    if (ends_with(o, NULL, "signal", "") != 0) {
        printf("# skipped: processes cannot be traced here\n");
        return false;
    }
    o->cage = tracee_cage_new();
    return true;
}

static void end(struct outside *o)
{
    struct err err;
    tracee_cage_free(o->cage);
    tracee_shared_done(&o->shared);
    CHECK_EQ(dir_remove(strbuf_cstr(&o->dir), &err), 0);
    strbuf_done(&o->dir);
    strbuf_done(&o->file);
}

/* Without the cage it works, so that the test tells something; inside it does not. */
static void fails_inside(struct outside *o, const char *what, const char *with)
{
    int caged = ends_with(o, o->cage, what, with);
    int free = ends_with(o, NULL, what, with);
    printf("# %s %s: %s, in the cage: %s\n", what, with, strerror(free), strerror(caged));
    CHECK_EQ(free, 0);
    CHECK(caged > 0 && caged < 134);
}

static bool has(const struct outside *o, unsigned layers)
{
    return (tracee_cage_layers(o->cage) & layers) != 0;
}

/* Whether Linux lets somebody like us do it, in a namespace of users of our own. */
static bool offered(unsigned long namespaces, bool (*also)(void))
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        _exit(unshare((int)(CLONE_NEWUSER | namespaces)) == 0 && (also == NULL || also()) ? 0 : 1);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool closes_tree(void)
{
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", "/proc", "tmpfs", 0, NULL) == 0 &&
           syscall(SYS_mount_setattr, -1, "/", AT_RECURSIVE, &attr, sizeof attr) == 0;
}

TEST(has_what_linux_offers)
{
    struct outside o;
    if (begin(&o)) {
        CHECK(!offered(0, NULL) || has(&o, LAYER_USERS));
        CHECK(!offered(CLONE_NEWNS, closes_tree) || has(&o, LAYER_MOUNTS));
        CHECK(!offered(CLONE_NEWNET, NULL) || has(&o, LAYER_NETWORK));
        CHECK(!offered(CLONE_NEWIPC, NULL) || has(&o, LAYER_IPC));
        CHECK(!offered(CLONE_NEWPID, NULL) || has(&o, LAYER_PROCESSES));
    }
    end(&o);
}

TEST(still_works)
{
    struct outside o;
    if (begin(&o)) {
        CHECK_EQ(ends_with(&o, o.cage, "signal", ""), 0);
        CHECK_EQ(ends_with(&o, o.cage, "read", "/etc/passwd"), 0);
        CHECK(has(&o, LAYER_PRIVILEGES));
        end(&o);
    }
}

TEST(tree_is_read_only)
{
    struct outside o;
    char path[4096];
    if (begin(&o) && has(&o, LAYER_MOUNTS | LAYER_LANDLOCK)) {
        const char *file = strbuf_cstr(&o.file);
        fails_inside(&o, "write", file);
        snprintf(path, sizeof path, "%s/new", strbuf_cstr(&o.dir));
        fails_inside(&o, "create", path);
        snprintf(path, sizeof path, "%s/newdir", strbuf_cstr(&o.dir));
        fails_inside(&o, "mkdir", path);
        CHECK_EQ(rmdir(path), 0);
        CHECK(ends_with(&o, o.cage, "unlink", file) > 0);
        CHECK(ends_with(&o, o.cage, "rename", file) > 0);
        CHECK_EQ(access(file, F_OK), 0);
        if (has(&o, LAYER_MOUNTS)) {
            fails_inside(&o, "chmod", file);
            fails_inside(&o, "device", "/dev/null");
        }
    }
    end(&o);
}

TEST(network_is_empty)
{
    struct outside o;
    char port[16];
    if (begin(&o) && has(&o, LAYER_NETWORK)) {
        struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0assay-cage-test"};
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        socklen_t n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 16);
        CHECK_EQ(bind(fd, (struct sockaddr *)&at, n), 0);
        CHECK_EQ(listen(fd, 8), 0);
        snprintf(port, sizeof port, "%d", o.port);
        fails_inside(&o, "connect", port);
        fails_inside(&o, "send", port);
        fails_inside(&o, "unix", "assay-cage-test");
        close(fd);
    }
    end(&o);
}

TEST(nobody_else_is_there)
{
    struct outside o;
    char number[16];
    if (begin(&o) && has(&o, LAYER_PROCESSES)) {
        pid_t other = fork();
        if (other == 0) {
            signal(SIGTERM, SIG_IGN);
            for (;;) {
                pause();
            }
        }
        snprintf(number, sizeof number, "%d", other);
        CHECK_EQ(ends_with(&o, o.cage, "kill", number), ESRCH);
        CHECK_EQ(ends_with(&o, o.cage, "trace", number), ESRCH);
        snprintf(number, sizeof number, "%d", getpid());
        CHECK_EQ(ends_with(&o, o.cage, "kill", number), ESRCH);
        if (has(&o, LAYER_MOUNTS)) {
            fails_inside(&o, "list", "/proc");
        }
        kill(other, SIGKILL);
        waitpid(other, NULL, 0);
    }
    if (has(&o, LAYER_IPC)) {
        int id = shmget(0x61737361, 1, IPC_CREAT | 0666);
        CHECK(id >= 0);
        fails_inside(&o, "memory", "1634956129");
        shmctl(id, IPC_RMID, NULL);
    }
    end(&o);
}

TEST(root_of_nothing)
{
    struct outside o;
    if (begin(&o)) {
        CHECK(ends_with(&o, o.cage, "mount", "/tmp") > 0);
        CHECK(ends_with(&o, o.cage, "remount", "/") > 0);
        CHECK(ends_with(&o, o.cage, "hostname", "other") > 0);
        if (has(&o, LAYER_MOUNTS)) {
            CHECK(ends_with(&o, o.cage, "chown", strbuf_cstr(&o.file)) > 0);
        }
    }
    end(&o);
}

/* The process of ours that keeps the namespaces; 0: there is none. */
static pid_t find_keeper(void)
{
    DIR *dir = opendir("/proc");
    pid_t found = 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        char path[300], name[32] = "";
        int pid = 0, parent = 0;
        char state;
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            bool good = fscanf(file, "%d (%31[^)]) %c %d", &pid, name, &state, &parent) == 4;
            found = good && parent == getpid() && strcmp(name, "assay-cage") == 0 ? pid : found;
            fclose(file);
        }
    }
    closedir(dir);
    return found;
}

/* What is inside goes with the cage, and the cage with its owner, whatever happens to that. */
TEST(goes_with_its_owner)
{
    struct outside o;
    int pipes[2];
    CHECK_EQ(pipe(pipes), 0);
    pid_t owner = fork(), keeper = 0;
    if (owner == 0) {
        keeper = begin(&o) && ends_with(&o, o.cage, "signal", "") == 0 ? find_keeper() : 0;
        (void)!write(pipes[1], &keeper, sizeof keeper);
        for (;;) {
            pause();
        }
    }
    CHECK_EQ(read(pipes[0], &keeper, sizeof keeper), sizeof keeper);
    int fd = keeper != 0 ? (int)syscall(SYS_pidfd_open, keeper, 0) : -1;
    kill(owner, SIGKILL);
    waitpid(owner, NULL, 0);
    if (keeper != 0) {
        CHECK(fd >= 0);
        struct pollfd gone = {fd, POLLIN, 0};
        CHECK_EQ(poll(&gone, 1, -1), 1);
    }
}

/* ---- systems that offer less ---- */

/* From now on these calls fail, and clone where it would make a namespace. */
static void forbid(const long *calls, size_t n, bool namespaces)
{
    struct sock_filter code[64] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short at = 1;
    for (size_t i = 0; i < n; i++) {
        code[at++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    if (namespaces) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                  offsetof(struct seccomp_data, args[0]));
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {at, code};
    CHECK_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    CHECK_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

/* Programs run all the same; what is missing is said. */
static void runs_without(const long *calls, size_t n, bool namespaces, unsigned lost)
{
    struct outside o;
    if (!begin(&o)) {
        return;
    }
    unsigned all = tracee_cage_layers(o.cage);
    tracee_cage_free(o.cage);
    forbid(calls, n, namespaces);
    o.cage = tracee_cage_new();
    CHECK_EQ(ends_with(&o, o.cage, "signal", ""), 0);
    CHECK_EQ(ends_with(&o, o.cage, "read", "/etc/passwd"), 0);
    CHECK_EQ(tracee_cage_layers(o.cage), all & ~lost);
    end(&o);
}

enum { NAMESPACES = LAYER_USERS | LAYER_MOUNTS | LAYER_NETWORK | LAYER_IPC | LAYER_PROCESSES };

TEST(without_namespaces)
{
    runs_without(NULL, 0, true, NAMESPACES);
}

TEST(without_entering_them)
{
    runs_without((long[]){SYS_setns}, 1, false, NAMESPACES);
}

TEST(without_descriptors_of_processes)
{
    runs_without((long[]){SYS_pidfd_open}, 1, false, NAMESPACES);
}

TEST(without_mounts)
{
    runs_without((long[]){SYS_mount, SYS_mount_setattr}, 2, false, LAYER_MOUNTS);
}

TEST(without_landlock)
{
    runs_without((long[]){SYS_landlock_create_ruleset}, 1, false, LAYER_LANDLOCK);
}

TEST(without_anything)
{
    runs_without((long[]){SYS_landlock_create_ruleset, SYS_setns, SYS_capset}, 3, true,
                 NAMESPACES | LAYER_LANDLOCK);
}
