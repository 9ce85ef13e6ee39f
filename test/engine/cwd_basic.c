/* calls: chdir fchdir getcwd umask */
#include "t.h"

int main(void)
{
    char b[512];
    struct stat st;
    R(mkdir("d", 0755));
    R(chdir("d"));
    R(stat("../d", &st));
    R(getcwd(b, sizeof b) != NULL);
    S(strrchr(b, '/'));
    R(chdir("nope"));
    R(chdir(".."));
    int d = open("d", O_RDONLY);
    R(fchdir(d));
    open("f", O_CREAT | O_WRONLY, 0644);
    R(chdir("f"));
    R(fchdir(99));
    R(chdir("/"));
    S(getcwd(b, sizeof b));
    R(getcwd(b, 1) == NULL);
    R(errno == ERANGE);
    R(umask(077));
    R(umask(022));
    return 0;
}
