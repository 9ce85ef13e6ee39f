/* Every file of /proc, /sys and /dev that nodes see: what it is, and what is in it. */
#include <dirent.h>
#include <sys/sysmacros.h>

#include "../t.h"

/* What depends on where things lie in memory, and on the machine's libraries. */
static bool elsewhere(const char *path)
{
    static const char *const names[] = {"/maps", "/smaps", "/smaps_rollup", "/auxv", "/stat", "/statm", "/environ", "/exe"};
    const char *name = strrchr(path, '/');
    bool of_process = strncmp(path, "/proc/", 6) == 0 && path[6] >= '1' && path[6] <= '9';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (of_process && strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return strstr(path, "/map_files") != NULL;
}

static void show_text(const char *path)
{
    static char text[65536];
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (n < 0) {
        printf("  cannot be read: %s\n", strerrorname_np(errno));
        close(fd);
        return;
    }
    text[n] = '\0';
    close(fd);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        bool memory = strncmp(line, "Vm", 2) == 0 || strncmp(line, "Rss", 3) == 0 || strstr(line, "ctxt_switches") != NULL ||
                      strncmp(line, "Uid:", 4) == 0 || strncmp(line, "Gid:", 4) == 0 || strncmp(line, "Groups:", 7) == 0 ||
                      strncmp(line, "Max stack", 9) == 0;
        printf("  |%.*s%s\n", memory ? 4 : 2000, line, memory ? "..." : "");
    }
}

static void show(const char *path, int depth);

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void show_entries(const char *path, int depth)
{
    DIR *dir = opendir(path);
    char *names[1024];
    size_t n = 0;
    for (struct dirent *e = dir != NULL ? readdir(dir) : NULL; e != NULL && n < 1024; e = readdir(dir)) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            names[n] = malloc(strlen(e->d_name) + 4);
            sprintf(names[n++], "%s %c", e->d_name, e->d_type == DT_DIR ? 'd' : e->d_type == DT_LNK ? 'l' : e->d_type == DT_CHR ? 'c' : '-');
        }
    }
    closedir(dir);
    qsort(names, n, sizeof names[0], by_name);
    for (size_t i = 0; i < n; i++) {
        char below[4096];
        printf("entry %s\n", names[i]);
        *strrchr(names[i], ' ') = '\0';
        snprintf(below, sizeof below, "%s%s%s", path, path[1] != '\0' ? "/" : "", names[i]);
        show(below, depth + 1);
        free(names[i]);
    }
}

static void show(const char *path, int depth)
{
    struct stat st;
    char target[4096];
    if (lstat(path, &st) != 0) {
        printf("%s: %s\n", path, strerrorname_np(errno));
        return;
    }
    printf("%s mode %o links %lu size %ld blksize %ld blocks %ld rdev %u:%u\n", path, st.st_mode, (unsigned long)st.st_nlink,
           elsewhere(path) || S_ISLNK(st.st_mode) ? -1 : (long)st.st_size, (long)st.st_blksize, (long)st.st_blocks, major(st.st_rdev), minor(st.st_rdev));
    if (elsewhere(path)) {
        return;
    }
    if (S_ISLNK(st.st_mode)) {
        ssize_t n = readlink(path, target, sizeof target);
        printf("  -> %.*s\n", (int)n, target);
    } else if (S_ISDIR(st.st_mode) && depth < 7) {
        show_entries(path, depth);
    } else if (S_ISREG(st.st_mode)) {
        show_text(path);
    }
}

/* The flags of a mapping of our own. */
static void show_smaps(int prot, int flags)
{
    char *p = mmap(NULL, 3 * 4096, prot, flags, -1, 0), line[512], want[32];
    if ((prot & PROT_WRITE) != 0) {
        p[0] = p[4096] = 1;
    }
    FILE *f = fopen("/proc/self/smaps", "r");
    bool inside = false;
    snprintf(want, sizeof want, "%lx-", (unsigned long)p);
    while (fgets(line, sizeof line, f) != NULL) {
        bool head = strchr(line, '-') != NULL && strchr(line, ':') != NULL && line[0] >= '0' && line[0] <= 'f' && strchr("0123456789abcdef", line[0]) != NULL;
        inside = head ? strncmp(line, want, strlen(want)) == 0 : inside;
        if (inside) {
            printf("  smaps %s", head ? strchr(line, ' ') : line);
        }
    }
    fclose(f);
    munmap(p, 3 * 4096);
}

int main(void)
{
    static const char *const files[] = {
        "/etc/hosts", "/etc/hostname", "/etc/machine-id", "/etc/nsswitch.conf", "/etc/resolv.conf", "/dev/null/x", "/proc/self", "/proc/self/nothing",
        "/proc/self/fd/99", "/proc/99999", "/proc/0", "/proc/self/task", "/proc/1/cmdline", "/proc/uptime", "/proc/net/dev", "/proc/net/if_inet6", "/proc/mounts",
        "/proc/self/mountinfo", "/sys/class/net/eth0/address", "/sys/class/net/lo/speed", "/sys/class/net/eth1", "/sys/devices/virtual/net/eth0/mtu", "/sysx", "/procx",
        "/proc/sys/kernel/random/uuid", "/proc/sys/kernel/random/boot_id", "/proc/sys/kernel/nothing", "/dev/pts/0", "/dev/tty", "/dev/ptmx", "/dev/stdin", "/dev/fd",
        "/dev/shm", "/dev/random", "/dev/urandom", "/dev/full", "/dev/zero"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        show(files[i], 6);
        if (strncmp(files[i], "/proc/", 6) == 0) {
            show_text(files[i]);
        }
    }
    show("/proc/sys", 0);
    show("/sys", 0);
    char own[64];
    snprintf(own, sizeof own, "/proc/%d", getpid());
    show(own, 4);
    show_smaps(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS);
    show_smaps(PROT_READ, MAP_SHARED | MAP_ANONYMOUS);
    show_smaps(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
    show_smaps(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS);
    return 0;
}
