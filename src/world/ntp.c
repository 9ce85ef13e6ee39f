/* Setting clocks: adjtimex and its relatives. The realtime clock of a node can be moved, and all of
 * its clocks made faster or slower, by those who may: root, and who kept CAP_SYS_TIME. What Linux
 * does little by little (ADJ_OFFSET, adjtime) happens at once. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <linux/capability.h>
#include <sys/time.h>
#include <sys/timex.h>

#include "world/calls.h"
#include "world/world_int.h"

enum { TICK_US = 10000, TICK_MOST = 11000, TICK_LEAST = 9000, FREQ_MOST = 32768000 };

static bool may_set(const struct thread *t)
{
    return t->cred->uid[CRED_EFFECTIVE] == 0 || (t->cred->caps >> CAP_SYS_TIME & 1) != 0;
}

/* ---- moving ---- */

static int64_t set_time(struct world *w, struct thread *t, int64_t s, int64_t ns)
{
    if (!may_set(t)) {
        return -EPERM;
    }
    if (s < 0 || ns < 0 || ns >= 1000000000) {
        return -EINVAL;
    }
    struct node *node = t->proc->node;
    uint64_t want = (uint64_t)s * 1000000000 + (uint64_t)ns;
    node_jump(w, node, (int64_t)(want - node_real(node, w->now_ns)));
    node->changed = true;
    return 0;
}

int64_t call_clock_settime(struct world *w, struct thread *t)
{
    struct timespec ts;
    if ((int)t->a[0] != CLOCK_REALTIME) {
        return -EINVAL;
    }
    return mem_read(t, t->a[1], &ts, sizeof ts) ? set_time(w, t, ts.tv_sec, ts.tv_nsec) : -EFAULT;
}

int64_t call_settimeofday(struct world *w, struct thread *t)
{
    struct timeval tv;
    if (t->a[0] == 0) {
        return may_set(t) ? 0 : -EPERM; /* the zone: nobody looks at it */
    }
    if (!mem_read(t, t->a[0], &tv, sizeof tv)) {
        return -EFAULT;
    }
    return tv.tv_usec < 0 || tv.tv_usec > 999999
               ? -EINVAL
               : set_time(w, t, tv.tv_sec, tv.tv_usec * (int64_t)1000);
}

/* ---- the rate ---- */

static void set_rate(const struct world *w, struct node *node)
{
    int64_t ppb = node->drift_ppm * 1000 + node->ntp.freq * 1000 / 65536 +
                  (node->ntp.tick - TICK_US) * (int64_t)100000;
    uint64_t mono = node_mono(node, w->now_ns);
    node->rate_at_ns = w->now_ns;
    node->rate_mono_ns = mono;
    node->rate_ppb = ppb;
}

static int64_t bounded(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

static int64_t move_clock(struct world *w, struct node *node, const struct timex *x)
{
    bool nano = (x->modes & ADJ_NANO) != 0 || (node->ntp.status & STA_NANO) != 0;
    if ((x->modes & ADJ_SETOFFSET) != 0) {
        bool ns = (x->modes & ADJ_NANO) != 0;
        int64_t part = x->time.tv_usec;
        if (part < 0 || part >= (ns ? 1000000000 : 1000000)) {
            return -EINVAL;
        }
        node_jump(w, node, x->time.tv_sec * 1000000000 + (ns ? part : part * 1000));
    }
    bool once = (x->modes & ADJ_OFFSET_SINGLESHOT) == ADJ_OFFSET_SINGLESHOT;
    bool phase = (x->modes & ADJ_OFFSET) != 0 && (node->ntp.status & STA_PLL) != 0;
    if (x->offset != 0 && (once || phase)) {
        int64_t most = nano && !once ? 500000000 : 500000;
        int64_t offset = once ? x->offset : bounded(x->offset, -most, most);
        node_jump(w, node, nano && !once ? offset : offset * 1000);
    }
    node->changed = true;
    return 0;
}

static int64_t adjust(struct world *w, struct node *node, const struct timex *x)
{
    struct ntp *ntp = &node->ntp;
    if ((x->modes & ADJ_TICK) != 0 && (x->tick < TICK_LEAST || x->tick > TICK_MOST)) {
        return -EINVAL;
    }
    if ((x->modes & ADJ_STATUS) != 0) {
        ntp->status = (ntp->status & STA_RONLY) | (x->status & ~STA_RONLY);
    }
    ntp->status |= (x->modes & ADJ_NANO) != 0 ? STA_NANO : 0;
    ntp->status &= (x->modes & ADJ_MICRO) != 0 ? ~STA_NANO : ~0;
    ntp->freq =
        (x->modes & ADJ_FREQUENCY) != 0 ? bounded(x->freq, -FREQ_MOST, FREQ_MOST) : ntp->freq;
    ntp->maxerror = (x->modes & ADJ_MAXERROR) != 0 ? x->maxerror : ntp->maxerror;
    ntp->esterror = (x->modes & ADJ_ESTERROR) != 0 ? x->esterror : ntp->esterror;
    ntp->constant = (x->modes & ADJ_TIMECONST) != 0 ? x->constant : ntp->constant;
    ntp->tai = (x->modes & ADJ_TAI) != 0 ? (int)x->constant : ntp->tai;
    ntp->tick = (x->modes & ADJ_TICK) != 0 ? x->tick : ntp->tick;
    if ((x->modes & (ADJ_FREQUENCY | ADJ_TICK)) != 0) {
        set_rate(w, node);
    }
    return move_clock(w, node, x);
}

static int64_t do_adjtimex(struct world *w, struct thread *t, uint64_t at)
{
    struct timex x;
    struct node *node = t->proc->node;
    if (!mem_read(t, at, &x, sizeof x)) {
        return -EFAULT;
    }
    bool reads = x.modes == 0 || x.modes == ADJ_OFFSET_SS_READ;
    if (!reads && !may_set(t)) {
        return -EPERM;
    }
    /* A single shot is the whole of what is asked for. */
    bool once = (x.modes & 0x8000) != 0;
    if (once && (x.modes & ADJ_OFFSET) == 0) {
        return -EINVAL;
    }
    int64_t status = reads ? 0 : once ? move_clock(w, node, &x) : adjust(w, node, &x);
    if (status != 0) {
        return status;
    }
    const struct ntp *ntp = &node->ntp;
    uint64_t now = node_real(node, w->now_ns);
    bool nano = (ntp->status & STA_NANO) != 0;
    x.offset = 0;
    x.freq = ntp->freq;
    x.maxerror = ntp->maxerror;
    x.esterror = ntp->esterror;
    x.status = ntp->status;
    x.constant = ntp->constant;
    x.precision = 1;
    x.tolerance = FREQ_MOST;
    x.time.tv_sec = (time_t)(now / 1000000000);
    x.time.tv_usec = (suseconds_t)(now % 1000000000 / (nano ? 1 : 1000));
    x.tick = ntp->tick;
    x.tai = ntp->tai;
    if (!mem_write(t, at, &x, sizeof x)) {
        return -EFAULT;
    }
    return (ntp->status & (STA_UNSYNC | STA_CLOCKERR)) != 0 ? TIME_ERROR : TIME_OK;
}

int64_t call_adjtimex(struct world *w, struct thread *t)
{
    return do_adjtimex(w, t, t->a[0]);
}

int64_t call_clock_adjtime(struct world *w, struct thread *t)
{
    return (int)t->a[0] != CLOCK_REALTIME ? -EOPNOTSUPP : do_adjtimex(w, t, t->a[1]);
}

void ntp_power_off(const struct world *w, struct node *node)
{
    node->ntp.freq = 0;
    node->ntp.tick = TICK_US;
    node->ntp.status = STA_UNSYNC;
    if (node->rate_ppb != node->drift_ppm * 1000) {
        set_rate(w, node);
    }
}

void ntp_init(struct node *node)
{
    node->rate_at_ns = node->rate_mono_ns = START_NS;
    node->rate_ppb = node->drift_ppm * 1000;
    node->ntp = (struct ntp){.tick = TICK_US,
                             .status = STA_UNSYNC,
                             .maxerror = 16000000,
                             .esterror = 16000000,
                             .constant = 2};
}
