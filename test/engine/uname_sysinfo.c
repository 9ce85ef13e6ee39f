/* calls: uname sysinfo */
#include "t.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

int main(void)
{
    struct utsname u;
    struct sysinfo s;
    R(uname(&u));
    S(u.sysname);
    S(u.machine);
    R(sysinfo(&s));
    R(s.mem_unit > 0);
    R(s.totalram > 0);
    char h[64];
    R(gethostname(h, 64));
    R(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
    R(sysconf(_SC_PAGESIZE));
    R(getpagesize());
    return 0;
}
