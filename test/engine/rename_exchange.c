/* calls: renameat2 */
/* fs: ext4 */
#include "t.h"

static void put(const char *path, const char *text)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    write(fd, text, strlen(text));
    close(fd);
}

static void get(const char *path)
{
    char b[32] = "";
    struct stat st;
    int status = lstat(path, &st), fd = open(path, O_RDONLY | O_NONBLOCK);
    long n = fd < 0 ? -1 : read(fd, b, sizeof b - 1);
    printf("%s: %o %s\n", path, status == 0 ? st.st_mode & S_IFMT : 0, n > 0 ? b : "");
    fflush(stdout);
    close(fd);
}

#define X(a, b, flags) R(renameat2(AT_FDCWD, a, AT_FDCWD, b, flags))

int main(void)
{
    put("a", "one");
    put("b", "two");
    mkdir("d", 0755);
    mkdir("d/e", 0755);
    put("d/f", "three");
    X("a", "b", RENAME_EXCHANGE);
    get("a");
    get("b");
    X("a", "d", RENAME_EXCHANGE); /* a file and a directory */
    get("a");
    get("d");
    get("a/f");
    X("a/f", "b", RENAME_EXCHANGE);
    get("a/f");
    get("b");
    R(chdir("a/e"));
    X("..", "../../b", RENAME_EXCHANGE);
    R(chdir("../.."));
    X("a", "a/e", RENAME_EXCHANGE);
    X("a/e", "a", RENAME_EXCHANGE);
    X("a", "none", RENAME_EXCHANGE);
    X("none", "a", RENAME_EXCHANGE);
    X("b", "b", RENAME_EXCHANGE);
    X("b", "d", RENAME_NOREPLACE);
    X("b", "c", RENAME_NOREPLACE);
    get("c");
    X("c", "d", RENAME_EXCHANGE | RENAME_NOREPLACE);
    X("c", "d", RENAME_EXCHANGE | RENAME_WHITEOUT);
    X("c", "d", 8);
    X("c/", "d", RENAME_EXCHANGE);
    if (getuid() == 0) {
        X("c", "w", RENAME_WHITEOUT);
        get("w");
        struct stat st;
        stat("c", &st);
        printf("%o %d\n", st.st_mode, (int)st.st_rdev);
        R(open("c", O_RDONLY));
        R(unlink("c"));
    }
    return 0;
}
