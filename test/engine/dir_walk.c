/* calls: getdents64 newfstatat unlinkat */
#include "t.h"

#include <dirent.h>

int main(void)
{
    mkdir("t", 0755);
    for (int i = 0; i < 300; i++) {
        char n[32];
        snprintf(n, sizeof n, "t/file-%03d", i);
        close(open(n, O_CREAT | O_WRONLY, 0644));
    }
    DIR *d = opendir("t");
    int n = 0;
    struct dirent *e;
    while ((e = readdir(d))) {
        n++;
    }
    R(n);
    rewinddir(d);
    n = 0;
    while ((e = readdir(d))) {
        if (e->d_name[0] != '.') {
            n += unlinkat(dirfd(d), e->d_name, 0) == 0;
        }
    }
    R(n);
    closedir(d);
    R(rmdir("t"));
    R(opendir("nope") == NULL);
    return 0;
}
