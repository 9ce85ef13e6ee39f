/* calls: stat lstat fstat newfstatat */
#include "t.h"

int main(void)
{
    struct stat st;
    umask(022);
    int f = open("f", O_RDWR | O_CREAT, 0666);
    write(f, "abc", 3);
    R(stat("f", &st));
    R(st.st_size);
    R(st.st_mode);
    R(st.st_nlink);
    R(symlink("f", "l"));
    R(lstat("l", &st));
    R(S_ISLNK(st.st_mode));
    R(st.st_size);
    R(stat("l", &st));
    R(S_ISREG(st.st_mode));
    R(mkdir("d", 0755));
    R(stat("d", &st));
    R(S_ISDIR(st.st_mode));
    R(st.st_nlink);
    R(mkdir("d/e", 0700));
    R(stat("d", &st));
    R(st.st_nlink);
    R(stat("f/", &st));
    R(stat("d/", &st));
    R(stat("x", &st));
    R(stat("f/x", &st));
    R(fstat(f, &st));
    R(fstat(99, &st));
    R(fstatat(AT_FDCWD, "f", &st, 0));
    R(fstatat(f, "", &st, AT_EMPTY_PATH));
    R(fstatat(AT_FDCWD, "f", &st, 0x8000000));
    R(fstatat(f, "x", &st, 0));
    int p[2];
    pipe(p);
    R(fstat(p[0], &st));
    R(S_ISFIFO(st.st_mode));
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    R(fstat(s, &st));
    R(S_ISSOCK(st.st_mode));
    R(stat("/dev/null", &st));
    R(S_ISCHR(st.st_mode));
    return 0;
}
