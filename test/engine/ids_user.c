/* calls: getuid geteuid getgid getegid getgroups getresuid getresgid */
#include "t.h"

int main(void)
{
    R(getuid() == geteuid());
    R(getgid() == getegid());
    uid_t a, b, c;
    R(getresuid(&a, &b, &c));
    R(a == b && b == c);
    R(getresgid(&a, &b, &c));
    R(getgroups(0, NULL) >= 0);
    return 0;
}
