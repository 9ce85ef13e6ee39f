/* calls: open stat */
#include "t.h"

int main(void)
{
    struct stat st;
    char longname[300], longpath[5000];
    memset(longname, 'a', 299);
    longname[299] = 0;
    memset(longpath, '/', 4999);
    longpath[4999] = 0;
    R(open(longname, O_RDONLY));
    R(stat(longpath, &st));
    R(mkdir("a", 0755));
    R(mkdir("a/b", 0755));
    R(stat("a//b", &st));
    R(stat("./a/./b/../b", &st));
    R(stat("a/b/../../a", &st));
    R(stat("/../../..", &st));
    R(stat("a/b/c/..", &st));
    R(stat(NULL, &st));
    R(open((char *)8, O_RDONLY));
    R(mkdir("", 0755));
    R(stat("..", &st));
    R(S_ISDIR(st.st_mode));
    char exe[4096] = "", up[4096] = "";
    R(readlink("/proc/self/exe", exe, sizeof exe - 1) > 0);
    R(realpath(exe, up) != NULL && strcmp(exe, up) == 0);
    for (char *slash = strrchr(up, '/'); slash != NULL && slash != up; slash = strrchr(up, '/')) {
        struct stat st;
        *slash = '\0';
        R(lstat(up, &st) == 0 && S_ISDIR(st.st_mode));
    }
    return 0;
}
