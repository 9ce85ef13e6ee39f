/* calls: open mkdir unlink rename */
#include "t.h"

int main(void)
{
    R(open("/usr/assay-nope", O_CREAT | O_WRONLY, 0644) < 0 || unlink("/usr/assay-nope") == 0);
    R(open("/etc/passwd", O_RDONLY) >= 0);
    char b[8];
    int f = open("/etc/passwd", O_RDONLY);
    R(read(f, b, 4));
    struct stat st;
    R(stat("/usr/bin/env", &st));
    R(S_ISREG(st.st_mode));
    R(stat("/usr/bin/../bin/env", &st));
    R(stat("/bin/sh", &st));
    R(lstat("/nonexistent/x", &st));
    R(open("/tmp", O_RDONLY | O_DIRECTORY) >= 0);
    f = open("/tmp/assay-test-file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    R(f >= 0);
    R(write(f, "x", 1));
    R(unlink("/tmp/assay-test-file"));
    return 0;
}
