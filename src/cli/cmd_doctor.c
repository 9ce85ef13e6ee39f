/* `assay doctor`: looks at the machine before a long run does: memory, disk, cores, huge pages,
 * limits, directories. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include "base/str.h"
#include "cli/cli.h"

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
    say(doctor, available < ((uint64_t)512 << 20) ? WARN : FINE, "memory", "%s",
        strbuf_cstr(&text));
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
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        strbuf_reset(&text);
        print_bytes(&text, limit.rlim_cur);
        say(doctor, limit.rlim_cur < ((uint64_t)4 << 30) ? WARN : FINE, "ulimit -v",
            "address space is limited to %s", strbuf_cstr(&text));
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        say(doctor, limit.rlim_cur < 256 ? WARN : FINE, "open files", "up to %" PRIu64,
            (uint64_t)limit.rlim_cur);
    }
}

static void check_dir(struct doctor *doctor, const char *what, const char *path)
{
    struct statvfs fs;
    if (access(path, W_OK) != 0 || statvfs(path, &fs) != 0) {
        say(doctor, WARN, what, "%s: %s", path, strerror(errno));
        return;
    }
    uint64_t available = (uint64_t)fs.f_bavail * fs.f_frsize;
    SCOPED_STRBUF text = {0};
    print_bytes(&text, available);
    say(doctor, available < ((uint64_t)1 << 30) ? WARN : FINE, what, "%s is writable, %s free",
        path, strbuf_cstr(&text));
}

int cmd_doctor(int argc, char **argv)
{
    if (argc > 1) {
        return usage_error(argv[0], "takes no arguments");
    }
    struct doctor doctor = {.pal = palette_get(color_wanted(COLOR_AUTO, STDOUT_FILENO))};
    check_machine(&doctor);
    check_memory(&doctor);
    const char *tmp = getenv("TMPDIR");
    check_dir(&doctor, "temporary", tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");
    check_dir(&doctor, "here", ".");
    (void)printf("%u warning%s, %u problem%s\n", doctor.warnings, doctor.warnings == 1 ? "" : "s",
                 doctor.errors, doctor.errors == 1 ? "" : "s");
    return doctor.errors == 0 ? EXIT_OK : EXIT_USAGE;
}
