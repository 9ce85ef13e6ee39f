/* calls: readlink getdents64 */
/* needs: /sys/class/net/lo/mtu */
#include "t.h"

#include <dirent.h>

static void line(const char *name)
{
    char path[128], text[128] = "";
    snprintf(path, sizeof path, "/sys/class/net/lo/%s", name);
    int fd = open(path, O_RDONLY);
    long n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    printf("%s: %s", name, n > 0 ? text : "none\n");
    fflush(stdout);
    close(fd);
}

int main(void)
{
    static const char *const names[] = {"mtu", "ifindex", "iflink", "address", "broadcast", "type", "flags", "operstate", "carrier", "addr_len", "nothing"};
    char target[128] = "";
    struct stat st;
    int lo = 0, statistics = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        line(names[i]);
    }
    R(readlink("/sys/class/net/lo", target, sizeof target - 1));
    S(target);
    DIR *d = opendir("/sys/class/net");
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        lo += strcmp(e->d_name, "lo") == 0;
    }
    R(lo);
    d = opendir("/sys/class/net/lo/");
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        statistics += strcmp(e->d_name, "statistics") == 0;
    }
    R(statistics);
    R(lstat("/sys/class/net/lo", &st));
    R(S_ISLNK(st.st_mode));
    R(stat("/sys/class/net/lo", &st));
    R(S_ISDIR(st.st_mode));
    R(stat("/sys/devices/virtual/net/lo/statistics/rx_bytes", &st));
    R(stat("/sys/class/net/none0", &st));
    return 0;
}
