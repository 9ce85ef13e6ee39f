/* `assay doctor`: looks at the machine before a long run does: memory, disk, cores, huge pages,
 * limits, directories; what the engine needs of the kernel, and programs that are used. Whatever is
 * not as it should be is followed by what to do. Each thing is tried, in a child process, rather
 * than concluded from settings: containers forbid some of them without a trace in /proc. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <asm/prctl.h>
#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "base/str.h"
#include "cli/cli.h"
#include "dist/ranks.h"
#include "gpu/gpu.h"
#include "tracee/tracee.h"

struct doctor {
    struct palette pal;
    unsigned warnings, errors;
};

enum finding { FINE, WARN, BAD };

__attribute__((format(printf, 4, 5))) static void say(struct doctor *doctor, enum finding finding,
                                                      const char *what, const char *fmt, ...)
{
    SCOPED_STRBUF text = {0};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    const char *mark = finding == FINE ? "ok  " : finding == WARN ? "warn" : "BAD ";
    const char *color = finding == FINE   ? doctor->pal.green
                        : finding == WARN ? doctor->pal.yellow
                                          : doctor->pal.red;
    (void)printf("%s%s%s  %-12s %s\n", color, mark, doctor->pal.reset, what, strbuf_cstr(&text));
    doctor->warnings += finding == WARN;
    doctor->errors += finding == BAD;
}

static void advise(const char *what)
{
    (void)printf("      %-12s -> %s\n", "", what);
}

/* A line of /proc/meminfo in bytes; 0 when absent. */
static uint64_t meminfo(const char *key)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL) {
        return 0;
    }
    char line[128];
    uint64_t value = 0;
    size_t len = strlen(key);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, len) == 0 && line[len] == ':') {
            value = strtoull(line + len + 1, NULL, 10) * 1024;
            break;
        }
    }
    (void)fclose(file);
    return value;
}

static bool read_first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    bool good = fgets(line, (int)size, file) != NULL;
    (void)fclose(file);
    if (good) {
        line[strcspn(line, "\n")] = '\0';
    }
    return good;
}

static void check_machine(struct doctor *doctor)
{
    struct utsname os = {0};
    (void)uname(&os);
    say(doctor, FINE, "system", "%s %s %s, assay %s", os.sysname, os.release, os.machine,
        ASSAY_VERSION);
    say(doctor, FINE, "cores", "%u: --workers auto uses them all", cpu_count());
}

static void check_memory(struct doctor *doctor)
{
    uint64_t available = meminfo("MemAvailable");
    SCOPED_STRBUF text = {0};
    print_bytes(&text, available);
    strbuf_adds(&text, " available of ");
    print_bytes(&text, meminfo("MemTotal"));
    bool little = available < ((uint64_t)512 << 20);
    say(doctor, little ? WARN : FINE, "memory", "%s", strbuf_cstr(&text));
    if (little) {
        advise("say --memory SIZE: what does not fit goes to disk");
    }
    char line[128];
    if (read_first_line("/sys/fs/cgroup/memory.max", line, sizeof line) &&
        strcmp(line, "max") != 0) {
        strbuf_reset(&text);
        print_bytes(&text, strtoull(line, NULL, 10));
        say(doctor, FINE, "cgroup", "limits memory to %s; set --memory below it",
            strbuf_cstr(&text));
    }
    if (read_first_line("/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line)) {
        bool never = strstr(line, "[never]") != NULL;
        say(doctor, never ? WARN : FINE, "huge pages", "%s%s", line,
            never ? ": large tables are slower without them" : "");
        if (never) {
            advise("echo madvise >/sys/kernel/mm/transparent_hugepage/enabled, as root");
        }
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        strbuf_reset(&text);
        print_bytes(&text, limit.rlim_cur);
        bool low = limit.rlim_cur < ((uint64_t)4 << 30);
        say(doctor, low ? WARN : FINE, "ulimit -v", "address space is limited to %s",
            strbuf_cstr(&text));
        if (low) {
            advise("ulimit -v unlimited");
        }
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        say(doctor, limit.rlim_cur < 256 ? WARN : FINE, "open files", "up to %" PRIu64,
            (uint64_t)limit.rlim_cur);
        if (limit.rlim_cur < 256) {
            advise("ulimit -n 1024");
        }
    }
}

/* ---- what the engine needs of the kernel ---- */

/* Runs a trial in a child and gives its exit status; -1 when it did not end by itself. */
static int try_in_child(int (*trial)(void))
{
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        _exit(trial());
    }
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A tracer and its child, as `assay run` has them. */
static int trial_ptrace(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
            _exit(1);
        }
        (void)raise(SIGSTOP);
        _exit(0);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) {
        return 1;
    }
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL;
    int refused = ptrace(PTRACE_SETOPTIONS, pid, NULL, options) != 0;
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, &status, 0);
    return refused;
}

static int trial_seccomp(void)
{
    struct sock_filter pass = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {1, &pass};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0;
}

static int trial_cpuid(void)
{
    return syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0UL) != 0;
}

static int trial_namespace(void)
{
    return unshare(CLONE_NEWUSER) != 0;
}

static void check_kernel(struct doctor *doctor)
{
    bool ptrace_works = try_in_child(trial_ptrace) == 0;
    say(doctor, ptrace_works ? FINE : BAD, "ptrace",
        ptrace_works ? "works: assay run, conform and confirm can trace programs"
                     : "is refused: assay run, conform and confirm cannot work here");
    if (!ptrace_works) {
        advise("in a container, start it with --cap-add=SYS_PTRACE, or --security-opt "
               "seccomp=unconfined");
        advise("else see /proc/sys/kernel/yama/ptrace_scope: 3 forbids it until the next boot");
    }
    bool seccomp_works = try_in_child(trial_seccomp) == 0;
    say(doctor, seccomp_works ? FINE : BAD, "seccomp",
        seccomp_works ? "filters can be installed" : "filters cannot be installed");
    if (!seccomp_works) {
        advise("the kernel needs CONFIG_SECCOMP_FILTER; in a container, --security-opt "
               "seccomp=unconfined");
    }
    bool cpuid_faults = try_in_child(trial_cpuid) == 0;
    say(doctor, FINE, "CPUID", "%s",
        cpuid_faults ? "faults: every node sees the same processor"
                     : "cannot fault here: instructions that are random (RDRAND) are looked for in "
                       "programs instead");
    bool users = try_in_child(trial_namespace) == 0;
    say(doctor, users ? FINE : WARN, "namespaces", "%s",
        users ? "of users can be made without root" : "of users cannot be made by this user");
    if (!users) {
        advise("nodes run without that layer of protection; sysctl "
               "kernel.unprivileged_userns_clone=1, or user.max_user_namespaces above 0");
    }
    long landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    say(doctor, landlock > 0 ? FINE : WARN, "Landlock",
        landlock > 0 ? "version %ld" : "is not there", landlock);
    if (landlock <= 0) {
        advise("nodes run without that layer of protection; boot with lsm=landlock,...");
    }
}

/* ---- programs ---- */

enum program { PROGRAM_NONE, PROGRAM_FAILS, PROGRAM_WORKS };

/* Whether a command says its version; what it says, in one line. */
static enum program version_of(const char *command, char *line, size_t size)
{
    SCOPED_STRBUF text = {0};
    strbuf_printf(&text, "%s --version 2>/dev/null", command);
    FILE *pipe = popen(strbuf_cstr(&text), "re"); /* NOLINT(cert-env33-c): as a shell would */
    if (pipe == NULL) {
        return PROGRAM_NONE;
    }
    bool said = fgets(line, (int)size, pipe) != NULL;
    char rest[256];
    while (fgets(rest, sizeof rest, pipe) != NULL) {
    }
    line[said ? strcspn(line, "\n") : 0] = '\0';
    int status = pclose(pipe);
    bool missing = WIFEXITED(status) && WEXITSTATUS(status) == 127; /* says the shell */
    return missing ? PROGRAM_NONE : status == 0 && said ? PROGRAM_WORKS : PROGRAM_FAILS;
}

static void check_programs(struct doctor *doctor)
{
    char line[128];
    const char *tcc = getenv("TCC");
    tcc = tcc != NULL ? tcc : "tcc";
    if (tcc[0] != '\0' && version_of(tcc, line, sizeof line) == PROGRAM_WORKS) {
        say(doctor, FINE, "at once", "%s: %s", tcc, line);
    } else if (tcc[0] != '\0') {
        say(doctor, FINE, "at once", "there is no %s: short checks take longer", tcc);
    }
    const char *cc = getenv("CC");
    cc = cc != NULL && cc[0] != '\0' ? cc : "cc";
    switch (version_of(cc, line, sizeof line)) {
    case PROGRAM_WORKS: say(doctor, FINE, "compiler", "%s: %s", cc, line); break;
    case PROGRAM_FAILS:
        say(doctor, WARN, "compiler",
            "%s --version fails: specifications are interpreted, and slower", cc);
        advise("look at what it says, or name another compiler in CC");
        break;
    case PROGRAM_NONE:
        say(doctor, WARN, "compiler", "there is no %s: specifications are interpreted, and slower",
            cc);
        advise("apt-get install gcc libc6-dev, or name another compiler in CC");
        break;
    }
    switch (version_of("gdb", line, sizeof line)) {
    case PROGRAM_WORKS: say(doctor, FINE, "gdb", "%s", line); break;
    case PROGRAM_FAILS:
        say(doctor, WARN, "gdb", "gdb --version fails: only assay replay --gdb needs it");
        advise("look at what it says");
        break;
    case PROGRAM_NONE:
        say(doctor, WARN, "gdb", "is not installed: only assay replay --gdb needs it");
        advise("apt-get install gdb");
        break;
    }
}

/* A search on a GPU needs both; without them the CPU does everything. */
static void check_gpu(struct doctor *doctor)
{
    struct gpu_found found;
    gpu_look(&found);
    say(doctor, FINE, "GPU", "%s%s", found.text,
        found.driver ? "" : ": only assay check --gpu needs one");
    if (found.compiler[0] != '\0') {
        say(doctor, FINE, "GPU code", "%s compiles for it", found.compiler);
    } else {
        say(doctor, found.driver ? WARN : FINE, "GPU code",
            "there is no clang: assay check --gpu needs one");
        if (found.driver) {
            advise("apt-get install clang, or name one in CLANG");
        }
    }
}

static void check_dir(struct doctor *doctor, const char *what, const char *path)
{
    struct statvfs fs;
    if (access(path, W_OK) != 0 || statvfs(path, &fs) != 0) {
        say(doctor, WARN, what, "%s: %s", path, strerror(errno));
        advise("files of a run need a place: --dir, -o, or TMPDIR");
        return;
    }
    uint64_t available = (uint64_t)fs.f_bavail * fs.f_frsize;
    SCOPED_STRBUF text = {0};
    print_bytes(&text, available);
    bool little = available < ((uint64_t)1 << 30);
    say(doctor, little ? WARN : FINE, what, "%s is writable, %s free", path, strbuf_cstr(&text));
    if (little) {
        advise("a large search spills to disk: --dir, or TMPDIR, on a larger one");
    }
}

/* What would hold a program if a system call slipped past the engine. */
static void check_cage(struct doctor *doctor)
{
    static const struct {
        unsigned layer;
        const char *name;
    } rows[] = {
        {LAYER_USERS,      "users"         },
        {LAYER_MOUNTS,     "read-only tree"},
        {LAYER_NETWORK,    "no network"    },
        {LAYER_IPC,        "IPC"           },
        {LAYER_PROCESSES,  "processes"     },
        {LAYER_LANDLOCK,   "Landlock"      },
        {LAYER_PRIVILEGES, "no privileges" },
    };
    struct tracee_cage *cage = tracee_cage_new();
    unsigned layers = tracee_cage_layers(cage);
    tracee_cage_free(cage);
    SCOPED_STRBUF has = {0};
    SCOPED_STRBUF lacks = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct strbuf *to = (layers & rows[i].layer) != 0 ? &has : &lacks;
        strbuf_printf(to, "%s%s", to->n != 0 ? ", " : "", rows[i].name);
    }
    say(doctor, lacks.n != 0 ? WARN : FINE, "containment", "%s%s%s", strbuf_cstr(&has),
        lacks.n != 0 ? "; this system does not offer: " : "", strbuf_cstr(&lacks));
}

/* Several processes by MPI: optional. */
static void check_mpi(struct doctor *doctor)
{
    SCOPED_STRBUF text = {0};
    bool plugin = ranks_describe(&text);
    char line[128];
    bool mpirun = version_of("mpirun", line, sizeof line) == PROGRAM_WORKS;
    say(doctor, FINE, "MPI", "%s%s%s%s", plugin ? "" : "not here: ", strbuf_cstr(&text),
        mpirun ? "; " : "; there is no mpirun (apt-get install openmpi-bin)", mpirun ? line : "");
}

int cmd_doctor(int argc, char **argv)
{
    if (argc > 1) {
        return usage_error(argv[0], "takes no arguments");
    }
    struct doctor doctor = {.pal = palette_get(color_wanted(COLOR_AUTO, STDOUT_FILENO))};
    check_machine(&doctor);
    check_memory(&doctor);
    check_kernel(&doctor);
    check_programs(&doctor);
    check_gpu(&doctor);
    const char *tmp = getenv("TMPDIR");
    check_dir(&doctor, "temporary", tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");
    check_dir(&doctor, "here", ".");
    check_cage(&doctor);
    check_mpi(&doctor);
    (void)printf("%u warning%s, %u problem%s\n", doctor.warnings, doctor.warnings == 1 ? "" : "s",
                 doctor.errors, doctor.errors == 1 ? "" : "s");
    return doctor.errors == 0 ? EXIT_OK : EXIT_USAGE;
}
