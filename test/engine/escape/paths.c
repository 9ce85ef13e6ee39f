/* expect: ok held */
/* Names that lead from the node's own disk to the machine: links, dots, /proc. */
#include "escape.h"

static int writes(const char *path, int flags)
{
    int fd = open(path, flags, 0644);
    int worked = fd >= 0 && write(fd, "out", 3) == 3;
    if (worked) {
        printf("wrote %s\n", path);
    }
    close(fd);
    return worked;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    int out = 0;
    char dir[4096], path[8192];
    snprintf(dir, sizeof dir, "%s", victim);
    *strrchr(dir, '/') = '\0';
    symlink(victim, "/data/file");
    symlink(dir, "/data/dir");
    symlink("/data/dir", "/data/again");
    symlink(fresh, "/data/fresh");
    symlink("/proc/self/root", "/data/root");
    link(victim, "/data/hard");
    rename(victim, "/data/moved");
    const char *base = strrchr(victim, '/');
    const char *starts[] = {"/data/dir", "/data/again", "/data/../data/dir", "/tmp/../data/dir", "/data/dir/../data/dir"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        snprintf(path, sizeof path, "%s%s", starts[i], base);
        out += writes(path, O_WRONLY) + writes(path, O_RDWR | O_TRUNC) + writes(path, O_WRONLY | O_APPEND);
        snprintf(path, sizeof path, "%s/made-by-%zu", starts[i], i);
        out += writes(path, O_CREAT | O_WRONLY) + (mkdir(path, 0755) == 0) + (symlink("x", path) == 0) + (mknod(path, 010644, 0) == 0);
    }
    const char *ways[] = {"/proc/self/root%s", "/proc/self/cwd/..%s",  "/proc/1/root%s", "/proc/self/task/100/root%s",
                          "/data/root%s",      "/proc/thread-self/root%s", "/../..%s",     "//%s", "/./%s"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(path, sizeof path, ways[i], victim);
        out += writes(path, O_WRONLY) + writes(path, O_WRONLY | O_CREAT) + (truncate(path, 0) == 0) + (unlink(path) == 0);
        snprintf(path, sizeof path, ways[i], fresh);
        out += writes(path, O_WRONLY | O_CREAT);
    }
    out += writes("/data/file", O_WRONLY) + writes("/data/fresh", O_CREAT | O_WRONLY) + writes("/data/fresh", O_CREAT | O_EXCL | O_WRONLY);
    out += rename("/data/dir", fresh) == 0;
    out += (chmod(victim, 0) == 0) + (chown(victim, 1, 1) == 0) + (utimensat(AT_FDCWD, victim, NULL, 0) == 0);
    /* memory of processes, and what the engine has open */
    const char *mem[] = {"/proc/self/mem", "/proc/1/mem", "/proc/self/fd/1000", "/proc/self/map_files", "/dev/mem", "/dev/kmem", "/dev/sda",
                         "/dev/vda", "/proc/kcore", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/sys/kernel/mm/ksm/run", "/dev/fuse"};
    for (size_t i = 0; i < sizeof mem / sizeof mem[0]; i++) {
        int fd = open(mem[i], O_RDWR);
        if (fd >= 0 && pwrite(fd, "out", 3, PAGE_CODE) == 3 && memcmp((char *)PAGE_CODE, "out", 3) == 0) {
            printf("wrote to %s\n", mem[i]);
            out++;
        }
        close(fd);
    }
    int d = open(dir, O_RDONLY | O_DIRECTORY), p = open(dir, O_PATH);
    out += (openat(d, base + 1, O_WRONLY) >= 0) + (openat(p, base + 1, O_RDWR) >= 0) + (unlinkat(d, base + 1, 0) == 0);
    out += (openat(d, "fresh-at", O_CREAT | O_WRONLY, 0644) >= 0) + (fchdir(d) == 0 && open(base + 1, O_WRONLY) >= 0);
    return verdict(out);
}
