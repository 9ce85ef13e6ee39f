/* calls: openat read */
#include "t.h"

/* /proc/self/smaps: one entry for each mapping of /proc/self/maps, with the fields that programs look for. */
static char text[1 << 20];

static long slurp(const char *path)
{
    int fd = open(path, O_RDONLY);
    long n = 0, got = 0;
    while (fd >= 0 && (got = read(fd, text + n, sizeof text - 1 - (size_t)n)) > 0) {
        n += got;
    }
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return fd < 0 ? -1 : n;
}

static int lines_with(const char *begin)
{
    int n = 0;
    for (char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n'), at = at != NULL ? at + 1 : NULL) {
        n += strncmp(at, begin, strlen(begin)) == 0;
    }
    return n;
}

static int mappings(void)
{
    int n = 0;
    for (char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n'), at = at != NULL ? at + 1 : NULL) {
        unsigned long a, b;
        n += sscanf(at, "%lx-%lx ", &a, &b) == 2;
    }
    return n;
}

int main(void)
{
    static const char *const fields[] = {"Size:",         "KernelPageSize:", "Rss:",      "Pss:",           "Shared_Clean:",
                                         "Private_Dirty:", "Referenced:",     "Anonymous:", "AnonHugePages:", "Swap:",
                                         "Locked:",       "THPeligible:",    "VmFlags:"};
    enum { BYTES = 3 << 20 };
    char *p = mmap(NULL, BYTES + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + 4096, BYTES, PROT_READ | PROT_WRITE);
    memset(p + 4096, 1, BYTES);
    R(slurp("/proc/self/smaps") > 0);
    int n = mappings();
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        printf("%s %d\n", fields[i], lines_with(fields[i]) == n);
    }
    char want[64];
    snprintf(want, sizeof want, "%lx-%lx rw-p", (long)p + 4096, (long)p + 4096 + BYTES);
    char *at = strstr(text, want);
    R(at != NULL);
    long size = -1, rss = -1, dirty = -1;
    sscanf(strstr(at, "\nSize:"), "\nSize: %ld kB", &size);
    sscanf(strstr(at, "\nRss:"), "\nRss: %ld kB", &rss);
    sscanf(strstr(at, "\nPrivate_Dirty:"), "\nPrivate_Dirty: %ld kB", &dirty);
    printf("%ld %ld %ld\n", size, rss, dirty);
    R(slurp("/proc/self/maps") > 0);
    R(slurp("/proc/self/smaps_rollup") > 0);
    R(mappings());
    R(strstr(text, "[rollup]") != NULL);
    R(lines_with("Rss:"));
    /* the sum is that of the parts, give or take what reading them needs */
    long sums[3], whole[3];
    static const char *const summed[] = {"\nRss:", "\nPrivate_Dirty:", "\nShared_Dirty:"};
    for (int i = 0; i < 3; i++) {
        long kb = 0;
        sscanf(strstr(text, summed[i]) + strlen(summed[i]), "%ld", &whole[i]);
        sums[i] = 0;
        slurp("/proc/self/smaps");
        for (char *line = text; (line = strstr(line, summed[i])) != NULL; line++) {
            sscanf(line + strlen(summed[i]), "%ld", &kb);
            sums[i] += kb;
        }
        slurp("/proc/self/smaps_rollup");
        printf("%s %d\n", summed[i] + 1, labs(sums[i] - whole[i]) < 512);
    }
    R(whole[2]);
    return 0;
}
