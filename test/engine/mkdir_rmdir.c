/* calls: mkdir mkdirat rmdir unlinkat */
#include "t.h"

int main(void)
{
    R(mkdir("d", 0755));
    R(mkdir("d", 0755));
    R(mkdir("x/y", 0755));
    R(mkdir("d/e/", 0755));
    R(rmdir("d"));
    R(rmdir("d/e"));
    R(rmdir("d"));
    R(rmdir("d"));
    int f = open("f", O_CREAT | O_WRONLY, 0644);
    (void)f;
    R(rmdir("f"));
    R(mkdir("f/x", 0755));
    R(mkdirat(AT_FDCWD, "g", 0700));
    int d = open("g", O_RDONLY | O_DIRECTORY);
    R(mkdirat(d, "h", 0700));
    R(access("g/h", F_OK));
    R(unlinkat(d, "h", 0));
    R(unlinkat(d, "h", AT_REMOVEDIR));
    R(unlinkat(d, "h", AT_REMOVEDIR));
    R(rmdir("g"));
    R(open("g", O_DIRECTORY));
    R(open("f", O_DIRECTORY));
    return 0;
}
