/* What a disk holds after a crash that keeps nothing: what was given, and what was synced, by name and content. */
#include <dirent.h>

#include "../t.h"

static void list(const char *path, int depth)
{
    DIR *dir = opendir(path);
    struct dirent *e;
    char names[64][64];
    int n = 0;
    while (dir != NULL && n < 64 && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] != '.') {
            snprintf(names[n++], 64, "%s", e->d_name);
        }
    }
    closedir(dir);
    qsort(names, (size_t)n, 64, (int (*)(const void *, const void *))strcmp);
    for (int i = 0; i < n; i++) {
        char below[300], text[64] = "";
        struct stat st;
        snprintf(below, sizeof below, "%s/%s", path, names[i]);
        lstat(below, &st);
        int fd = S_ISREG(st.st_mode) ? open(below, O_RDONLY) : -1;
        ssize_t got = fd >= 0 ? read(fd, text, 40) : S_ISLNK(st.st_mode) ? readlink(below, text, 40) : 0;
        close(fd);
        printf("%s mode %o links %lu size %ld <%.*s>\n", below, st.st_mode, (unsigned long)st.st_nlink, (long)st.st_size, got > 0 ? (int)got : 0, text);
        if (S_ISDIR(st.st_mode) && depth < 4) {
            list(below, depth + 1);
        }
    }
}

static int put(const char *path, const char *text, int how)
{
    int fd = open(path, O_RDWR | O_CREAT, 0640);
    write(fd, text, strlen(text));
    if (how == 1) {
        fsync(fd);
    } else if (how == 2) {
        fdatasync(fd);
    }
    return fd;
}

static void sync_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    fsync(fd);
    close(fd);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        return 0; /* a node that ends at once */
    }
    printf("begins\n");
    list("/data", 0);
    fflush(stdout);
    if (access("/data/d/again", F_OK) == 0) {
        sleep(10);
        return 0;
    }
    mkdir("/data/d", 0700);
    put("/data/d/again", "yes", 1);
    sync_dir("/data/d");
    sync_dir("/data");
    put("/data/lost", "lost", 0);
    put("/data/synced", "synced", 1);
    int fd = put("/data/partly", "first ", 1);
    write(fd, "second", 6);
    fd = put("/data/longer", "0123456789", 1);
    ftruncate(fd, 4);
    fd = put("/data/shorter", "0123456789", 1);
    ftruncate(fd, 4);
    fsync(fd);
    put("/data/old name", "renamed", 1);
    rename("/data/old name", "/data/new name");
    put("/data/from", "moved", 1);
    sync_dir("/data");
    rename("/data/from", "/data/d/to");
    sync_dir("/data/d");
    put("/data/x", "x", 1);
    link("/data/x", "/data/y");
    sync_dir("/data");
    unlink("/data/x");
    symlink("/data/y", "/data/sym");
    sync_dir("/data");
    link("/data/y", "/data/z");
    put("/data/gone", "gone", 1);
    sync_dir("/data");
    unlink("/data/gone");
    mkdir("/data/e", 0700);
    chmod("/data/synced", 0600);
    put("/data/given", "changed", 0);
    unlink("/data/sub/given");
    put("/data/dsync", "data", 2);
    sync_dir("/data");
    fd = open("/data/osync", O_WRONLY | O_CREAT | O_SYNC, 0600);
    write(fd, "at once", 7);
    sync_dir("/data");
    write(fd, " again", 6);
    printf("before\n");
    list("/data", 0);
    fflush(stdout);
    sleep(100);
    return 0;
}
