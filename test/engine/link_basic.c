/* calls: link linkat symlink symlinkat readlink readlinkat */
#include "t.h"

int main(void)
{
    struct stat st;
    char b[64] = {0};
    int f = open("f", O_RDWR | O_CREAT, 0644);
    (void)f;
    R(link("f", "g"));
    R(stat("g", &st));
    R(st.st_nlink);
    R(link("f", "g"));
    R(link("nope", "h"));
    R(link(".", "h"));
    R(unlink("f"));
    R(stat("g", &st));
    R(st.st_nlink);
    R(symlink("g", "s"));
    R(symlink("g", "s"));
    R(readlink("s", b, sizeof b));
    S(b);
    R(readlink("s", b, 0));
    R(readlink("g", b, 10));
    R(readlink("nope", b, 10));
    R(symlink("loop2", "loop1"));
    R(symlink("loop1", "loop2"));
    R(open("loop1", O_RDONLY));
    R(open("s", O_RDONLY | O_NOFOLLOW));
    R(stat("s/x", &st));
    R(linkat(AT_FDCWD, "s", AT_FDCWD, "ls", 0));
    R(lstat("ls", &st));
    R(S_ISLNK(st.st_mode));
    R(linkat(AT_FDCWD, "s", AT_FDCWD, "lf", AT_SYMLINK_FOLLOW));
    R(lstat("lf", &st));
    R(S_ISREG(st.st_mode));
    R(symlinkat("x", AT_FDCWD, "dangling"));
    R(stat("dangling", &st));
    R(lstat("dangling", &st));
    R(readlinkat(AT_FDCWD, "dangling", b, 64));
    R(mkdir("d", 0755));
    R(symlink("..", "d/up"));
    R(stat("d/up/d/up/g", &st));
    R(symlink("", "e"));
    return 0;
}
