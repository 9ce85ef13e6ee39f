/* calls: statfs fstatfs */
#include "t.h"

int main(void)
{
    struct statfs s;
    R(statfs(".", &s));
    R(s.f_bsize);
    R(s.f_namelen);
    R(s.f_bavail > 0);
    R(statfs("nope", &s));
    R(fstatfs(0, &s));
    R(fstatfs(99, &s));
    return 0;
}
