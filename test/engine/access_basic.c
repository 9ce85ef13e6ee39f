/* calls: access faccessat faccessat2 */
#include "t.h"

int main(void)
{
    int f = open("f", O_RDWR | O_CREAT, 0644);
    (void)f;
    R(access("f", F_OK));
    R(access("f", R_OK | W_OK));
    R(access("f", X_OK));
    R(access("nope", F_OK));
    R(access("f", 100));
    R(access(".", X_OK));
    R(chmod("f", 0755));
    R(access("f", X_OK));
    R(faccessat(AT_FDCWD, "f", R_OK, 0));
    R(faccessat(AT_FDCWD, "f", R_OK, AT_EACCESS));
    R(access("/usr/bin/env", X_OK));
    R(access("/usr/bin/env/x", X_OK));
    return 0;
}
