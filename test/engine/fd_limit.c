/* calls: getrlimit setrlimit prlimit64 */
#include "t.h"

int main(void)
{
    struct rlimit l = {16, 0};
    struct rlimit old;
    R(getrlimit(RLIMIT_NOFILE, &old));
    l.rlim_max = old.rlim_max;
    R(setrlimit(RLIMIT_NOFILE, &l));
    int n = 0;
    while (dup(1) >= 0) {
        n++;
    }
    R(errno == EMFILE);
    R(n);
    R(getrlimit(99, &old));
    l.rlim_cur = 100;
    l.rlim_max = 50;
    R(setrlimit(RLIMIT_NOFILE, &l));
    return 0;
}
