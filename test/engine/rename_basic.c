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
    R(mkdir("from", 0755));
    R(mkdir("to", 0755));
    R(close(open("from/one", O_CREAT | O_WRONLY, 0644)));
    int from = open("from", O_RDONLY | O_DIRECTORY), to = open("to", O_RDONLY | O_DIRECTORY);
    R(renameat(from, "one", to, "two"));
    R(access("to/two", F_OK));
    R(renameat2(to, "two", from, "three", 0));
    R(access("from/three", F_OK));
    R(renameat(from, "one", to, "two"));
    R(renameat(77, "one", to, "two"));
    R(renameat(from, "three", 77, "two"));
    return 0;
}
