/* calls: sched_getaffinity sched_setscheduler sched_setparam */
#include "t.h"

int main(void)
{
    cpu_set_t c;
    R(syscall(SYS_sched_getaffinity, 0, 1, &c));
    R(syscall(SYS_sched_getaffinity, 0, sizeof c, &c) > 0);
    R(CPU_ISSET(0, &c) || CPU_COUNT(&c) > 0);
    struct sched_param p = {0};
    R(sched_setparam(0, &p));
    p.sched_priority = 50;
    R(sched_setparam(0, &p));
    R(sched_setscheduler(1234567, SCHED_OTHER, &p));
    return 0;
}
