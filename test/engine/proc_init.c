/* calls: openat getdents64 kill */
#include "t.h"

#include <dirent.h>

static char text[8192];

static int slurp(const char *path)
{
    int fd = open(path, O_RDONLY);
    long n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    close(fd);
    return n > 0;
}

int main(void)
{
    struct stat st;
    int seen = 0;
    R(stat("/proc/1", &st));
    R(S_ISDIR(st.st_mode));
    R(slurp("/proc/1/comm"));
    R(strchr(text, '\n') != NULL);
    R(slurp("/proc/1/stat"));
    int pid = -1, parent = -1;
    char state;
    sscanf(text, "%d", &pid);
    sscanf(strrchr(text, ')'), ") %c %d", &state, &parent);
    printf("%d %d\n", pid, parent);
    R(slurp("/proc/1/status"));
    R(strstr(text, "\nPid:\t1\n") != NULL);
    R(strstr(text, "\nPPid:\t0\n") != NULL);
    R(strstr(text, "\nUid:\t0\t0\t0\t0\n") != NULL);
    R(slurp("/proc/1/cgroup"));
    R(slurp("/proc/1/cmdline"));
    R(open("/proc/1/nothing", O_RDONLY));
    DIR *d = opendir("/proc");
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        seen += strcmp(e->d_name, "1") == 0;
    }
    R(seen);
    R(kill(1, 0) == (getuid() == 0 ? 0 : -1));
    return 0;
}
