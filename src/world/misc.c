/* The rest: names of the system, limits, processors, randomness, process attributes, asynchronous
 * input and output done at once. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <asm/prctl.h>
#include <linux/aio_abi.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "base/rng.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/world_int.h"

int64_t call_uname(struct world *w, struct thread *t)
{
    (void)w;
    struct utsname name;
    memset(&name, 0, sizeof name);
    (void)memcpy(name.sysname, "Linux", 6);
    (void)strncpy(name.nodename, t->proc->node->name, sizeof name.nodename - 1);
    (void)memcpy(name.release, "6.1.0", 6);
    (void)memcpy(name.version, "#1 SMP", 7);
    (void)memcpy(name.machine, "x86_64", 7);
    (void)memcpy(name.domainname, "(none)", 7);
    return mem_write(t, t->a[0], &name, sizeof name) ? 0 : -EFAULT;
}

int64_t call_sysinfo(struct world *w, struct thread *t)
{
    struct sysinfo info;
    memset(&info, 0, sizeof info);
    info.uptime = (long)(node_mono(t->proc->node, w->now_ns) / 1000000000);
    info.totalram = UINT64_C(4) << 30;
    info.freeram = UINT64_C(2) << 30;
    info.procs = (unsigned short)t->proc->node->n_threads;
    info.mem_unit = 1;
    return mem_write(t, t->a[0], &info, sizeof info) ? 0 : -EFAULT;
}

int64_t call_getrandom(struct world *w, struct thread *t)
{
    uint64_t n = t->a[1], done = 0;
    if ((t->a[2] & ~UINT64_C(7)) != 0) {
        return -EINVAL;
    }
    n = n < 0x7ffff000 ? n : 0x7ffff000;
    while (done < n) {
        uint64_t part = n - done < ENGINE_BUF ? n - done : ENGINE_BUF;
        for (uint64_t i = 0; i < part; i += 8) {
            uint64_t word = rng_next(&t->proc->node->rng);
            memcpy(w->engine->buf + i, &word, part - i < 8 ? part - i : 8);
        }
        if (!mem_write(t, t->a[0] + done, w->engine->buf, part)) {
            return done != 0 ? (int64_t)done : -EFAULT;
        }
        done += part;
    }
    return (int64_t)done;
}

/* ---- processors: there is one ---- */

int64_t call_sched_yield(struct world *w, struct thread *t)
{
    (void)w;
    t->yielded = true;
    return 0;
}

int64_t call_getcpu(struct world *w, struct thread *t)
{
    (void)w;
    uint32_t zero = 0;
    if ((t->a[0] != 0 && !mem_write(t, t->a[0], &zero, 4)) ||
        (t->a[1] != 0 && !mem_write(t, t->a[1], &zero, 4))) {
        return -EFAULT;
    }
    return 0;
}

int64_t call_sched_getaffinity(struct world *w, struct thread *t)
{
    uint64_t mask = 1;
    if ((uint32_t)t->a[1] < 8 || (t->a[1] & 7) != 0) {
        return -EINVAL;
    }
    if (t->a[0] != 0 && thread_find(w, t->proc->node, (int)t->a[0]) == NULL) {
        return -ESRCH;
    }
    return mem_write(t, t->a[2], &mask, 8) ? 8 : -EFAULT;
}

int64_t call_sched_setaffinity(struct world *w, struct thread *t)
{
    uint64_t mask = 0;
    uint64_t n = t->a[1] < 8 ? t->a[1] : 8;
    if (t->a[0] != 0 && thread_find(w, t->proc->node, (int)t->a[0]) == NULL) {
        return -ESRCH;
    }
    if (!mem_read(t, t->a[2], &mask, n)) {
        return -EFAULT;
    }
    return (mask & 1) != 0 ? 0 : -EINVAL;
}

int64_t call_sched_getscheduler(struct world *w, struct thread *t)
{
    bool known = t->a[0] == 0 || thread_find(w, t->proc->node, (int)t->a[0]) != NULL;
    return known ? SCHED_OTHER : -ESRCH;
}

int64_t call_sched_setscheduler(struct world *w, struct thread *t)
{
    bool known = t->a[0] == 0 || thread_find(w, t->proc->node, (int)t->a[0]) != NULL;
    return !known ? -ESRCH : t->a[1] == SCHED_OTHER || t->a[1] == SCHED_BATCH ? 0 : -EPERM;
}

int64_t call_sched_getparam(struct world *w, struct thread *t)
{
    (void)w;
    struct sched_param param = {0};
    return mem_write(t, t->a[1], &param, sizeof param) ? 0 : -EFAULT;
}

int64_t call_sched_setparam(struct world *w, struct thread *t)
{
    (void)w;
    struct sched_param param = {0};
    if (!mem_read(t, t->a[1], &param, sizeof param)) {
        return -EFAULT;
    }
    return param.sched_priority == 0 ? 0 : -EINVAL;
}

int64_t call_getpriority(struct world *w, struct thread *t)
{
    (void)w;
    return t->a[0] > PRIO_USER ? -EINVAL : 20 - t->proc->nice;
}

int64_t call_setpriority(struct world *w, struct thread *t)
{
    (void)w;
    int nice = (int)t->a[2];
    if (t->a[0] > PRIO_USER) {
        return -EINVAL;
    }
    if (nice < t->proc->nice && t->cred->uid[CRED_EFFECTIVE] != 0) {
        return -EACCES;
    }
    t->proc->nice = nice < PRIO_MIN ? PRIO_MIN : nice > 19 ? 19 : nice;
    return 0;
}

int64_t call_ioprio_get(struct world *w, struct thread *t)
{
    (void)w;
    (void)t;
    return 0;
}

int64_t call_ioprio_set(struct world *w, struct thread *t)
{
    (void)w;
    (void)t;
    return 0;
}

/* ---- limits ---- */

static struct rlimit limit_of(const struct world *w, const struct proc *proc, uint64_t what)
{
    switch (what) {
    case RLIMIT_NOFILE: return (struct rlimit){proc->fds->limit, 1048576};
    case RLIMIT_FSIZE: return (struct rlimit){proc->file_limit[0], proc->file_limit[1]};
    case RLIMIT_STACK: return (struct rlimit){8 << 20, 8 << 20};
    case RLIMIT_CORE: return (struct rlimit){0, 0};
    case RLIMIT_NPROC: return (struct rlimit){w->limits.threads, w->limits.threads};
    case RLIMIT_MEMLOCK: return (struct rlimit){8 << 20, 8 << 20};
    case RLIMIT_MSGQUEUE: return (struct rlimit){819200, 819200};
    case RLIMIT_SIGPENDING: return (struct rlimit){SIGNALS_WAITING, SIGNALS_WAITING};
    case RLIMIT_NICE:
    case RLIMIT_RTPRIO: return (struct rlimit){0, 0};
    default: return (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    }
}

static int64_t set_limit(const struct world *w, struct proc *proc, uint64_t what,
                         const struct rlimit *new)
{
    struct rlimit old = limit_of(w, proc, what);
    if (new->rlim_cur > new->rlim_max) {
        return -EINVAL;
    }
    if (new->rlim_max > old.rlim_max) {
        return -EPERM;
    }
    if (what == RLIMIT_NOFILE) {
        proc->fds->limit = (uint32_t)new->rlim_cur;
    } else if (what == RLIMIT_FSIZE) {
        proc->file_limit[0] = new->rlim_cur;
        proc->file_limit[1] = new->rlim_max;
    }
    return 0;
}

int64_t call_prlimit64(struct world *w, struct thread *t)
{
    struct proc *proc = t->a[0] == 0 ? t->proc : proc_find(t->proc->node, (int)t->a[0]);
    struct rlimit new;
    if (proc == NULL || t->a[1] >= RLIM_NLIMITS) {
        return proc == NULL ? -ESRCH : -EINVAL;
    }
    struct rlimit old = limit_of(w, proc, t->a[1]);
    if (t->a[2] != 0) {
        if (!mem_read(t, t->a[2], &new, sizeof new)) {
            return -EFAULT;
        }
        int64_t status = set_limit(w, proc, t->a[1], &new);
        if (status != 0) {
            return status;
        }
    }
    return t->a[3] == 0 || mem_write(t, t->a[3], &old, sizeof old) ? 0 : -EFAULT;
}

int64_t call_getrlimit(struct world *w, struct thread *t)
{
    if (t->a[0] >= RLIM_NLIMITS) {
        return -EINVAL;
    }
    struct rlimit old = limit_of(w, t->proc, t->a[0]);
    return mem_write(t, t->a[1], &old, sizeof old) ? 0 : -EFAULT;
}

int64_t call_setrlimit(struct world *w, struct thread *t)
{
    struct rlimit new;
    if (t->a[0] >= RLIM_NLIMITS) {
        return -EINVAL;
    }
    return mem_read(t, t->a[1], &new, sizeof new) ? set_limit(w, t->proc, t->a[0], &new) : -EFAULT;
}

/* ---- attributes ---- */

static int64_t set_name(struct thread *t)
{
    char name[16] = {0};
    if (tracee_read_string(t->real, TADDR(t->a[1]), name, sizeof name) == -EFAULT) {
        return -EFAULT;
    }
    memcpy(t->comm, name, sizeof name);
    if (t->tid == t->proc->pid) {
        memcpy(t->proc->comm, name, sizeof name);
    }
    return 0;
}

/* A filter that a program puts on itself is accepted, and not applied: it is there for a program
 * that was taken over, and would meet calls that the engine makes inside. */
static int64_t set_filter(struct thread *t, uint64_t at)
{
    struct sock_fprog program;
    if (!mem_read(t, at, &program, sizeof program)) {
        return -EFAULT;
    }
    return program.len == 0 || program.len > BPF_MAXINSNS ? -EINVAL : 0;
}

int64_t call_prctl(struct world *w, struct thread *t)
{
    (void)w;
    switch (t->a[0]) {
    case PR_SET_NAME: return set_name(t);
    case PR_GET_NAME: return mem_write(t, t->a[1], t->comm, 16) ? 0 : -EFAULT;
    case PR_GET_DUMPABLE: return t->proc->dumpable ? 1 : 0;
    case PR_SET_DUMPABLE:
        if (t->a[1] > 1) {
            return -EINVAL;
        }
        t->proc->dumpable = t->a[1] != 0;
        return 0;
    case PR_SET_PDEATHSIG:
        if (t->a[1] > 64) {
            return -EINVAL;
        }
        t->proc->death_signal = (int)t->a[1];
        return 0;
    case PR_GET_PDEATHSIG:
        return mem_write(t, t->a[1], &t->proc->death_signal, sizeof(int)) ? 0 : -EFAULT;
    case PR_SET_CHILD_SUBREAPER: t->proc->subreaper = t->a[1] != 0; return 0;
    case PR_GET_CHILD_SUBREAPER:
        return mem_write(t, t->a[1], &t->proc->subreaper, sizeof(int)) ? 0 : -EFAULT;
    case PR_SET_TIMERSLACK: t->slack_ns = t->a[1]; return 0;
    case PR_GET_TIMERSLACK: return t->slack_ns != 0 ? (int64_t)t->slack_ns : 50000;
    case PR_SET_THP_DISABLE:
    case PR_SET_KEEPCAPS:
    case PR_SET_PTRACER:
    case PR_SET_NO_NEW_PRIVS: return 0;
    case PR_SET_SECCOMP: return t->a[1] == SECCOMP_MODE_FILTER ? set_filter(t, t->a[2]) : -EINVAL;
    case PR_GET_NO_NEW_PRIVS: return 1;
    case PR_GET_SECCOMP:
    case PR_GET_KEEPCAPS:
    case PR_GET_THP_DISABLE: return 0;
    case PR_CAPBSET_READ: return t->a[1] > 40 ? -EINVAL : 0;
    default: return -EINVAL;
    }
}

int64_t call_arch_prctl(struct world *w, struct thread *t)
{
    (void)w;
    bool known = t->a[0] == ARCH_SET_FS || t->a[0] == ARCH_GET_FS || t->a[0] == ARCH_SET_GS ||
                 t->a[0] == ARCH_GET_GS;
    return known ? (int64_t)CALL_NATIVE : -EINVAL;
}

int64_t call_capget(struct world *w, struct thread *t)
{
    (void)w;
    struct __user_cap_header_struct head;
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    if (!mem_read(t, t->a[0], &head, sizeof head)) {
        return -EFAULT;
    }
    if (head.version != _LINUX_CAPABILITY_VERSION_3) {
        head.version = _LINUX_CAPABILITY_VERSION_3;
        (void)mem_write(t, t->a[0], &head, sizeof head);
        return t->a[1] == 0 ? 0 : -EINVAL;
    }
    return t->a[1] == 0 || mem_write(t, t->a[1], data, sizeof data) ? 0 : -EFAULT;
}

int64_t call_seccomp(struct world *w, struct thread *t)
{
    (void)w;
    uint32_t action = 0;
    const uint64_t flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_LOG |
                           SECCOMP_FILTER_FLAG_SPEC_ALLOW | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
    switch (t->a[0]) {
    case SECCOMP_SET_MODE_FILTER: return (t->a[1] & ~flags) != 0 ? -EINVAL : set_filter(t, t->a[2]);
    case SECCOMP_GET_ACTION_AVAIL:
        if (t->a[1] != 0 || !mem_read(t, t->a[2], &action, sizeof action)) {
            return t->a[1] != 0 ? -EINVAL : -EFAULT;
        }
        return action == SECCOMP_RET_KILL_PROCESS || action == SECCOMP_RET_KILL_THREAD ||
                       action == SECCOMP_RET_TRAP || action == SECCOMP_RET_ERRNO ||
                       action == SECCOMP_RET_LOG || action == SECCOMP_RET_ALLOW
                   ? 0
                   : -EOPNOTSUPP;
    default: return -EINVAL;
    }
}

int64_t call_membarrier(struct world *w, struct thread *t)
{
    (void)w;
    return t->a[0] == 0 ? 0x19 : 0; /* one thread at a time: memory is always in order */
}

/* ---- Linux AIO: done when submitted ---- */

struct aio_context {
    uint64_t id;
    uint32_t n, cap;
    struct io_event *events;
    struct aio_context *next;
};

static struct aio_context *aio_find(struct thread *t, uint64_t id)
{
    for (struct aio_context *c = t->proc->node->aio; c != NULL; c = c->next) {
        if (c->id == id) {
            return c;
        }
    }
    return NULL;
}

int64_t call_io_setup(struct world *w, struct thread *t)
{
    uint64_t old = 0;
    if (!mem_read(t, t->a[1], &old, 8)) {
        return -EFAULT;
    }
    if (old != 0 || (uint32_t)t->a[0] == 0) {
        return -EINVAL;
    }
    /* libaio reads a ring at the address that is the id: give it memory without the ring's magic.
     */
    struct tracee_call call = {t->real, &t->regs, false, 0};
    int64_t at = tracee_call(&call, SYS_mmap, (const uint64_t[6]){0, 4096, 3, 0x22, UINT64_MAX, 0});
    if (at < 0) {
        return at;
    }
    struct aio_context *c = HEAP_NEW(w->heap, struct aio_context);
    c->id = (uint64_t)at;
    c->next = t->proc->node->aio;
    t->proc->node->aio = c;
    return mem_write(t, t->a[1], &c->id, 8) ? 0 : -EFAULT;
}

int64_t call_io_destroy(struct world *w, struct thread *t)
{
    for (struct aio_context **at = &t->proc->node->aio; *at != NULL; at = &(*at)->next) {
        struct aio_context *c = *at;
        if (c->id == t->a[0]) {
            *at = c->next;
            heap_free(w->heap, c->events);
            heap_free(w->heap, c);
            return 0;
        }
    }
    return -EINVAL;
}

static int64_t aio_do(struct world *w, struct thread *t, const struct iocb *cb)
{
    struct file *f = fd_get(t, cb->aio_fildes);
    struct uio u;
    int64_t off = cb->aio_offset, status = 0;
    if (f == NULL) {
        return -EBADF;
    }
    switch (cb->aio_lio_opcode) {
    case IOCB_CMD_PREAD: status = uio_init(&u, t, cb->aio_buf, cb->aio_nbytes); break;
    case IOCB_CMD_PREADV: status = uio_init_vec(&u, t, cb->aio_buf, cb->aio_nbytes); break;
    case IOCB_CMD_PWRITE: status = uio_init(&u, t, cb->aio_buf, cb->aio_nbytes); break;
    case IOCB_CMD_PWRITEV: status = uio_init_vec(&u, t, cb->aio_buf, cb->aio_nbytes); break;
    case IOCB_CMD_FSYNC:
    case IOCB_CMD_FDSYNC:
        if (f->ops == &vfile_ops) {
            disk_sync(w, ((struct vfile *)f)->inode);
        }
        return 0;
    default: return -EINVAL;
    }
    if (status != 0) {
        return status;
    }
    bool read = cb->aio_lio_opcode == IOCB_CMD_PREAD || cb->aio_lio_opcode == IOCB_CMD_PREADV;
    if (read) {
        return f->ops->read != NULL ? f->ops->read(w, f, &u, &off) : -EINVAL;
    }
    int64_t n = f->ops->write != NULL ? f->ops->write(w, f, &u, &off) : -EINVAL;
    if (n > 0 && (cb->aio_rw_flags & 2) != 0 && f->ops == &vfile_ops) { /* RWF_DSYNC */
        disk_sync(w, ((struct vfile *)f)->inode);
    }
    return n;
}

int64_t call_io_submit(struct world *w, struct thread *t)
{
    struct aio_context *c = aio_find(t, t->a[0]);
    int64_t n = (int64_t)t->a[1];
    if (c == NULL || n < 0) {
        return -EINVAL;
    }
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = 0;
        struct iocb cb;
        if (!mem_read(t, t->a[2] + (uint64_t)i * 8, &at, 8) || !mem_read(t, at, &cb, sizeof cb)) {
            return i != 0 ? i : -EFAULT;
        }
        int64_t result = aio_do(w, t, &cb);
        if (result == CALL_STOP) {
            return result;
        }
        if (result == -EBADF || result == -EINVAL) {
            return i != 0 ? i : result;
        }
        if (c->n == c->cap) {
            c->cap = c->cap * 2 + 8;
            c->events = heap_realloc(w->heap, c->events, c->cap * sizeof c->events[0]);
        }
        c->events[c->n++] = (struct io_event){.data = cb.aio_data, .obj = at, .res = result};
        if ((cb.aio_flags & IOCB_FLAG_RESFD) != 0) {
            struct file *f = fd_get(t, cb.aio_resfd);
            if (f != NULL) {
                event_add(w, f, 1);
            }
        }
        t->proc->node->changed = true;
    }
    return n;
}

int64_t call_io_getevents(struct world *w, struct thread *t)
{
    struct aio_context *c = aio_find(t, t->a[0]);
    int64_t least = (int64_t)t->a[1], most = (int64_t)t->a[2];
    uint64_t ns = 0, deadline = NEVER_NS;
    if (c == NULL || least > most || least < 0) {
        return -EINVAL;
    }
    if (t->a[4] != 0) {
        int64_t status = mem_timespec(t, t->a[4], &ns);
        if (status != 0) {
            return status;
        }
        deadline = ns == 0 ? w->now_ns : deadline_after(w, t->proc->node, ns);
    }
    if (c->n < least && !t->timed_out && (t->retry || deadline > w->now_ns)) {
        return block_until(t, deadline);
    }
    uint32_t n = c->n < most ? c->n : (uint32_t)most;
    if (n != 0 && !mem_write(t, t->a[3], c->events, n * sizeof c->events[0])) {
        return -EFAULT;
    }
    c->n -= n;
    if (c->n != 0) {
        memmove(c->events, c->events + n, c->n * sizeof c->events[0]);
    }
    return n;
}

int64_t call_io_cancel(struct world *w, struct thread *t)
{
    (void)w;
    (void)t;
    return -EINVAL; /* everything submitted is done already */
}
