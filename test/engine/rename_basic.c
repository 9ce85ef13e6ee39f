/* calls: rename renameat renameat2 */
#include "t.h"

int main(void)
{
    struct stat st;
    int f = open("a", O_RDWR | O_CREAT, 0644), g = open("b", O_RDWR | O_CREAT, 0644);
    write(f, "aaa", 3);
    (void)g;
    R(rename("a", "b"));
    R(stat("b", &st));
    R(st.st_size);
    R(stat("a", &st));
    R(rename("a", "c"));
    R(mkdir("d", 0755));
    R(rename("b", "d"));
    R(rename("d", "b"));
    R(rename("b", "d/b"));
    R(rename("d", "d/x"));
    R(mkdir("e", 0755));
    R(rename("e", "d"));
    R(rename("d", "e"));
    R(stat("e/b", &st));
    R(rename("e/b", "e/b"));
    R(renameat(AT_FDCWD, "e/b", AT_FDCWD, "z"));
    open("y", O_CREAT | O_WRONLY, 0644);
    R(renameat2(AT_FDCWD, "z", AT_FDCWD, "y", RENAME_NOREPLACE));
    R(renameat2(AT_FDCWD, "z", AT_FDCWD, "w", RENAME_NOREPLACE));
    R(rename("w", ""));
    return 0;
}
