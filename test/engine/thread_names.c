/* calls: prctl */
#include "t.h"

int main(void)
{
    char b[16] = {0};
    R(prctl(PR_SET_NAME, "abcdefghijklmnopqrst"));
    R(prctl(PR_GET_NAME, b));
    S(b);
    R(prctl(PR_GET_DUMPABLE));
    R(prctl(PR_SET_DUMPABLE, 0));
    R(prctl(PR_GET_DUMPABLE));
    R(prctl(PR_SET_PDEATHSIG, 99));
    R(prctl(PR_SET_PDEATHSIG, SIGTERM));
    int s = 0;
    R(prctl(PR_GET_PDEATHSIG, &s));
    R(s);
    R(prctl(99999));
    R(prctl(PR_SET_CHILD_SUBREAPER, 1));
    R(prctl(PR_GET_CHILD_SUBREAPER, &s));
    R(s);
    return 0;
}
