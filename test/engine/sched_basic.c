/* calls: sched_yield sched_getscheduler sched_getparam sched_get_priority_max getpriority setpriority sched_setaffinity */
#include "t.h"

int main(void)
{
    struct sched_param p;
    R(sched_yield());
    R(sched_getscheduler(0));
    R(sched_getscheduler(1234567));
    R(sched_getparam(0, &p));
    R(p.sched_priority);
    R(sched_get_priority_max(SCHED_FIFO));
    R(sched_get_priority_min(SCHED_FIFO));
    R(setpriority(PRIO_PROCESS, 0, 19));
    R(getpriority(PRIO_PROCESS, 0));
    R(getpriority(99, 0));
    p.sched_priority = 0;
    R(sched_setscheduler(0, SCHED_OTHER, &p));
    cpu_set_t c;
    R(sched_getaffinity(0, sizeof c, &c) >= 0);
    R(CPU_COUNT(&c) >= 1);
    R(sched_getaffinity(1234567, sizeof c, &c));
    return 0;
}
