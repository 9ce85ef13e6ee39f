/* calls: rmdir open mkdir */
#include "t.h"

int main(void)
{
    R(mkdir("d", 0755));
    int d = open("d", O_RDONLY | O_DIRECTORY);
    R(rmdir("d"));
    R(openat(d, "x", O_CREAT | O_WRONLY, 0644));
    struct stat st;
    R(fstat(d, &st));
    R(S_ISDIR(st.st_mode));
    return 0;
}
