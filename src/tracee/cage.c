/* The cage: what a tracee meets if a system call should ever slip past its owner. Nothing here is
 * needed for a program to be contained, and programs cannot see it; it is there for mistakes in
 * all the rest. Every layer that the system offers without privileges is used, and what it does not
 * offer is left out:
 *
 *  - namespaces, which all tracees of a cage share: of users, so that root is root of nothing; of
 *    mounts, where the machine's tree is read only, devices do not work and /proc is empty; of the
 *    network, without an interface that is up; of System V's IPC; of processes, with nobody there
 *    but the cage's own;
 *  - Landlock, which refuses to write to any file, and TCP, and signals to anybody else;
 *  - no new privileges, no capabilities (root keeps those by which it may read and execute files of
 *    others: its programs lie there).
 *
 * The namespaces belong to a process of our own, the keeper, which is the first of its namespace of
 * processes and waits to be killed; it goes with us, and all that is left in there goes with it.
 * The number that a tracee is known by is the outer one, as it always was. A tracee begins as a
 * process that enters the namespaces; since one that does so stays in its own namespace of
 * processes, and only its children are in the new one, it makes such a child, which becomes ours
 * by CLONE_PARENT, and ends.
 *
 * Rejected: one set of namespaces for each tracee (a network costs a millisecond), and to be the
 * first process of them (the kernel ignores signals to it). */
#include "tracee/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include "base/vec.h"
#include "tracee/tracee.h"

/* Of newer headers than Debian 12 has; the numbers are the kernel's. */
enum { RULES_REFER = 1 << 13, RULES_TRUNCATE = 1 << 14, RULES_IOCTL_DEV = 1 << 15 };
enum { RULES_NET_BOTH = 3, RULES_SCOPE_BOTH = 3 };
struct rules {
    uint64_t files, net, scoped;
};

/* ---- Landlock ---- */

/* Rules that forbid all that is handled, for nothing is excepted. */
static int make_rules(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct rules rules = {
        .files = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
                 (abi >= 2 ? RULES_REFER : 0) | (abi >= 3 ? RULES_TRUNCATE : 0) |
                 (abi >= 5 ? RULES_IOCTL_DEV : 0),
        .net = abi >= 4 ? RULES_NET_BOTH : 0,
        .scoped = abi >= 6 ? RULES_SCOPE_BOTH : 0,
    };
    size_t bytes = abi >= 6 ? sizeof rules : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    return abi > 0 ? (int)syscall(SYS_landlock_create_ruleset, &rules, bytes, 0) : -1;
}

/* ---- the keeper ---- */

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    size_t n = strlen(text);
    bool good = write(fd, text, n) == (ssize_t)n;
    (void)close(fd);
    return good;
}

/* Every user or group that we know stands for itself. Only root may say so for others. */
static bool map_all(const char *name, const char *to)
{
    char from[64], text[4096];
    size_t n = 0;
    unsigned long inside = 0, outside = 0, count = 0;
    (void)snprintf(from, sizeof from, "/proc/self/%s", name);
    FILE *file = fopen(from, "re");
    while (file != NULL && n < sizeof text - 64 &&
           fscanf(file, "%lu %lu %lu", &inside, &outside, &count) == 3) { /* NOLINT(cert-err34-c) */
        n += (size_t)snprintf(text + n, sizeof text - n, "%lu %lu %lu\n", inside, inside, count);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return n != 0 && write_text(to, text);
}

static bool map_ids(pid_t keeper)
{
    char path[64], text[64];
    bool good = true;
    for (int group = 0; good && group < 2; group++) {
        const char *name = group != 0 ? "gid_map" : "uid_map";
        unsigned id = group != 0 ? getegid() : geteuid();
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)keeper, name);
        if (geteuid() == 0 && map_all(name, path)) {
            continue;
        }
        char deny[64];
        (void)snprintf(deny, sizeof deny, "/proc/%d/setgroups", (int)keeper);
        (void)write_text(deny, "deny");
        (void)snprintf(text, sizeof text, "%u %u 1\n", id, id);
        good = write_text(path, text);
    }
    return good;
}

/* The machine's tree, read only and without devices; nothing in /proc. Whether that worked. */
static bool close_tree(void)
{
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    const unsigned long private = 1UL << 14 | 1UL << 18; /* MS_REC | MS_PRIVATE */
    const unsigned long plain =
        1UL | 1UL << 1 | 1UL << 2 | 1UL << 3; /* ro, nosuid, nodev, noexec */
    return syscall(SYS_mount, NULL, "/", NULL, private, NULL) == 0 &&
           syscall(SYS_mount, "none", "/proc", "tmpfs", plain, NULL) == 0 &&
           syscall(SYS_mount_setattr, -1, "/", AT_RECURSIVE, &attr, sizeof attr) == 0;
}

__attribute__((noreturn)) static void keeper_main(const int begin[2], const int ready[2])
{
    char byte = 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)prctl(PR_SET_NAME, "assay-cage");
    (void)setpgid(0, 0);
    for (int sig = 1; sig < 65; sig++) {
        (void)signal(sig, sig == SIGCHLD ? SIG_IGN : SIG_DFL); /* nobody waits for orphans here */
    }
    (void)close(begin[1]);
    if (read(begin[0], &byte, 1) == 1) {
        byte = close_tree() ? 'm' : '-';
        (void)write(ready[1], &byte, 1);
        (void)close_range(0, ~0U, 0);
        for (;;) {
            (void)pause();
        }
    }
    (void)syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

static void forget_keeper(struct tracee_cage *cage)
{
    if (cage->keeper > 0) {
        (void)kill(cage->keeper, SIGKILL);
        while (waitpid(cage->keeper, NULL, __WALL) < 0 && errno == EINTR) {
        }
    }
    if (cage->keeper_fd >= 0) {
        (void)close(cage->keeper_fd);
    }
    cage->keeper = 0;
    cage->keeper_fd = -1;
    cage->namespaces = 0;
    cage->layers &=
        ~(unsigned)(LAYER_USERS | LAYER_MOUNTS | LAYER_NETWORK | LAYER_IPC | LAYER_PROCESSES);
}

static void note_layers(struct tracee_cage *cage, bool mounts)
{
    const struct {
        int flag;
        enum tracee_layer layer;
    } rows[] = {
        {CLONE_NEWUSER, LAYER_USERS    },
        {CLONE_NEWNET,  LAYER_NETWORK  },
        {CLONE_NEWIPC,  LAYER_IPC      },
        {CLONE_NEWPID,  LAYER_PROCESSES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cage->layers |= (cage->namespaces & rows[i].flag) != 0 ? (unsigned)rows[i].layer : 0;
    }
    cage->layers |= mounts ? (unsigned)LAYER_MOUNTS : 0;
}

/* Starts the keeper with these namespaces. False, with nothing left, when the system does not want
 * to. */
static bool start_keeper(struct tracee_cage *cage, int namespaces)
{
    int begin[2] = {-1, -1}, ready[2] = {-1, -1};
    char byte = 0;
    if (pipe2(begin, O_CLOEXEC) != 0 || pipe2(ready, O_CLOEXEC) != 0) {
        return false;
    }
    pid_t pid = (pid_t)syscall(SYS_clone, namespaces | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        keeper_main(begin, ready);
    }
    (void)close(begin[0]);
    (void)close(ready[1]);
    bool good = pid > 0;
    if (good) {
        cage->keeper = pid;
        cage->keeper_fd = (int)syscall(SYS_pidfd_open, pid, 0);
        cage->namespaces = namespaces;
        good = cage->keeper_fd >= 0 && map_ids(pid) && write(begin[1], "b", 1) == 1 &&
               read(ready[0], &byte, 1) == 1;
    }
    (void)close(begin[1]);
    (void)close(ready[0]);
    if (good) {
        note_layers(cage, byte == 'm');
    } else {
        forget_keeper(cage);
    }
    return good;
}

/* ---- life ---- */

struct tracee_cage *tracee_cage_new(void)
{
    size_t cap = 0;
    struct tracee_cage *cage = vec_grow(NULL, &cap, 1, sizeof *cage);
    *cage = (struct tracee_cage){.keeper_fd = -1,
                                 .rules_fd = make_rules(),
                                 .null_fd = open("/dev/null", O_RDWR | O_CLOEXEC),
                                 .layers = LAYER_PRIVILEGES};
    cage->layers |= cage->rules_fd >= 0 ? (unsigned)LAYER_LANDLOCK : 0;
    const int all = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
    if (!start_keeper(cage, all | CLONE_NEWNET)) {
        (void)start_keeper(cage, all); /* a system without namespaces of networks */
    }
    return cage;
}

void tracee_cage_free(struct tracee_cage *cage)
{
    if (cage == NULL) {
        return;
    }
    forget_keeper(cage);
    if (cage->rules_fd >= 0) {
        (void)close(cage->rules_fd);
    }
    if (cage->null_fd >= 0) {
        (void)close(cage->null_fd);
    }
    vec_release(cage);
}

unsigned tracee_cage_layers(const struct tracee_cage *cage)
{
    return cage->layers;
}

bool cage_give_up(struct tracee_cage *cage)
{
    bool had = cage->keeper != 0;
    forget_keeper(cage);
    return had;
}

/* ---- entering it ---- */

pid_t cage_fork(const struct tracee_cage *cage)
{
    if (setns(cage->keeper_fd, cage->namespaces) != 0) {
        return -1;
    }
    return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
}

/* Root's programs may lie where only root, or only another user, may read. */
static void drop_capabilities(void)
{
    const uint32_t kept = geteuid() == 0 ? 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH : 0;
    for (int i = 0; i <= CAP_LAST_CAP; i++) {
        if (i >= 32 || (kept & 1U << i) == 0) {
            (void)prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
        }
    }
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    if (syscall(SYS_capget, &head, data) == 0) {
        data[0].effective &= kept;
        data[0].permitted &= kept;
        data[0].inheritable = 0;
        memset(&data[1], 0, sizeof data[1]);
        (void)syscall(SYS_capset, &head, data);
    }
}

void cage_close(const struct tracee_cage *cage)
{
    drop_capabilities();
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (cage->rules_fd >= 0) {
        (void)syscall(SYS_landlock_restrict_self, cage->rules_fd, 0);
    }
}
