/* calls: getdents64 lseek openat */
/* A directory read again from its beginning shows what is there then; files of /proc are no directories. */
#include "t.h"

#include <dirent.h>

static void list(const char *name, DIR *d)
{
    char names[16][64];
    int n = 0;
    for (struct dirent *e; (e = readdir(d)) != NULL && n < 16;) {
        strcpy(names[n++], e->d_name);
    }
    qsort(names, (size_t)n, sizeof names[0], (int (*)(const void *, const void *))strcmp);
    printf("%s:", name);
    for (int i = 0; i < n; i++) {
        printf(" %s", names[i]);
    }
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    mkdir("d", 0755);
    close(open("d/a", O_CREAT | O_WRONLY, 0644));
    DIR *d = opendir("d");
    list("first", d);
    close(open("d/b", O_CREAT | O_WRONLY, 0644));
    rewinddir(d);
    list("again", d);
    rewinddir(d);
    rewinddir(d);
    unlink("d/a");
    list("less", d);
    rewinddir(d);
    mkdir("d/c", 0755);
    list("more", d);
    closedir(d);
    R(open("/proc/self/stat", O_RDONLY | O_DIRECTORY));
    R(open("/proc/self/stat", O_RDONLY) > 0);
    R(open("/proc/self", O_RDONLY | O_DIRECTORY) > 0);
    R(open("/proc/self", O_WRONLY));
    return 0;
}
