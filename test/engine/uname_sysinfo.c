/* calls: uname sysinfo */
#include "t.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

/* What is behind the text. */
static int rest(const char *field)
{
    int n = 0;
    for (size_t i = strlen(field); i < sizeof((struct utsname *)0)->release; i++) {
        n += field[i] != 0;
    }
    return n;
}

int main(void)
{
    struct utsname u;
    struct sysinfo s;
    memset(&u, 7, sizeof u);
    R(uname(&u));
    R(rest(u.sysname) + rest(u.nodename) + rest(u.release) + rest(u.machine) + rest(u.domainname));
    R(uname(NULL));
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
