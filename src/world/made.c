/* Files that the engine makes up: /proc, /sys, /dev and a few of /etc. What they say is the same in
 * every run and on every machine, where possible; what is not in the tables does not exist. A
 * program that needs more gets a row here. */
#include "world/made.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "world/calls.h"
#include "world/heap.h"
#include "world/maps.h"
#include "world/tty.h"
#include "world/world_int.h"

/* ---- devices ---- */

enum device { DEV_NULL, DEV_ZERO, DEV_FULL, DEV_RANDOM };
struct dev_file {
    struct file f;
    enum device kind;
};

static int64_t dev_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    enum device kind = ((struct dev_file *)f)->kind;
    int64_t total = 0;
    if (kind == DEV_NULL) {
        return 0;
    }
    while (uio_left(u) > 0) {
        size_t n = uio_left(u) < 4096 ? uio_left(u) : 4096;
        memset(w->engine->buf, 0, n);
        for (size_t i = 0; kind == DEV_RANDOM && i < n; i += 8) {
            uint64_t word = rng_next(&f->node->rng);
            memcpy(w->engine->buf + i, &word, 8);
        }
        size_t put = uio_put(u, w->engine->buf, n);
        total += (int64_t)put;
        if (put < n) {
            return total != 0 ? total : -EFAULT;
        }
    }
    return total;
}

static int64_t dev_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)w;
    (void)off;
    size_t n = uio_left(u);
    u->done = u->total;
    return ((struct dev_file *)f)->kind == DEV_FULL ? -ENOSPC : (int64_t)n;
}

static const struct dev_row {
    const char *path;
    enum device kind;
    unsigned minor;
} devices[] = {
    {"/dev/null",    DEV_NULL,   3},
    {"/dev/zero",    DEV_ZERO,   5},
    {"/dev/full",    DEV_FULL,   7},
    {"/dev/random",  DEV_RANDOM, 8},
    {"/dev/urandom", DEV_RANDOM, 9},
};

static void dev_stat_row(const struct dev_row *row, struct stat *st)
{
    *st = (struct stat){.st_mode = S_IFCHR | 0666,
                        .st_ino = row->minor,
                        .st_nlink = 1,
                        .st_blksize = 4096,
                        .st_rdev = makedev(1, row->minor)};
}

static void dev_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (devices[i].kind == ((struct dev_file *)f)->kind) {
            dev_stat_row(&devices[i], st);
        }
    }
}

const struct file_ops dev_ops = {
    .name = "null",
    .no_seek = true,
    .read = dev_read,
    .write = dev_write,
    .stat = dev_stat,
};

bool dev_is_zero(const struct file *f)
{
    return f->ops == &dev_ops && ((const struct dev_file *)f)->kind == DEV_ZERO;
}

static const struct dev_row *dev_find(const char *path)
{
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (strcmp(path, devices[i].path) == 0) {
            return &devices[i];
        }
    }
    return NULL;
}

/* ---- text ---- */

typedef void (*text_fn)(const struct asked *a, struct strbuf *out);

static const struct {
    const char *path;
    const char *text;
} fixed[] = {
    {"/etc/nsswitch.conf",
     "passwd: files\ngroup: files\nshadow: files\nhosts: files\nnetworks: files\nprotocols: "
     "files\nservices: files\n"                                                                                },
    {"/etc/resolv.conf",                                   "# names come from /etc/hosts\n"                    },
    {"/proc/sys/kernel/pid_max",                           "32768\n"                                           },
    {"/proc/sys/kernel/threads-max",                       "65536\n"                                           },
    {"/proc/sys/kernel/osrelease",                         "6.1.0\n"                                           },
    {"/proc/sys/kernel/ostype",                            "Linux\n"                                           },
    {"/proc/sys/kernel/version",                           "#1 SMP\n"                                          },
    {"/proc/sys/kernel/cap_last_cap",                      "40\n"                                              },
    {"/proc/sys/kernel/ngroups_max",                       "65536\n"                                           },
    {"/proc/sys/kernel/core_pattern",                      "core\n"                                            },
    {"/proc/sys/kernel/random/entropy_avail",              "256\n"                                             },
    {"/proc/sys/kernel/sched_autogroup_enabled",           "0\n"                                               },
    {"/proc/sys/kernel/numa_balancing",                    "0\n"                                               },
    {"/proc/sys/kernel/shmmax",                            "18446744073692774399\n"                            },
    {"/proc/sys/kernel/sem",                               "32000\t1024000000\t500\t32000\n"                   },
    {"/proc/sys/vm/overcommit_memory",                     "1\n"                                               },
    {"/proc/sys/vm/max_map_count",                         "262144\n"                                          },
    {"/proc/sys/vm/swappiness",                            "60\n"                                              },
    {"/proc/sys/vm/nr_hugepages",                          "0\n"                                               },
    {"/proc/sys/net/core/somaxconn",                       "4096\n"                                            },
    {"/proc/sys/net/core/rmem_max",                        "212992\n"                                          },
    {"/proc/sys/net/core/wmem_max",                        "212992\n"                                          },
    {"/proc/sys/net/ipv4/ip_local_port_range",             "32768\t60999\n"                                    },
    {"/proc/sys/net/ipv4/tcp_keepalive_time",              "7200\n"                                            },
    {"/proc/sys/net/ipv4/tcp_max_syn_backlog",             "4096\n"                                            },
    {"/proc/sys/net/ipv4/tcp_rmem",                        "4096\t131072\t6291456\n"                           },
    {"/proc/sys/net/ipv4/tcp_wmem",                        "4096\t16384\t4194304\n"                            },
    {"/proc/sys/net/ipv6/conf/all/disable_ipv6",           "0\n"                                               },
    {"/proc/sys/fs/file-max",                              "1048576\n"                                         },
    {"/proc/sys/fs/nr_open",                               "1048576\n"                                         },
    {"/proc/sys/fs/pipe-max-size",                         "1048576\n"                                         },
    {"/proc/sys/fs/aio-max-nr",                            "65536\n"                                           },
    {"/proc/sys/fs/inotify/max_user_watches",              "8192\n"                                            },
    {"/proc/sys/fs/inotify/max_user_instances",            "128\n"                                             },
    {"/proc/sys/fs/inotify/max_queued_events",             "16384\n"                                           },
    {"/proc/cpuinfo",
     "processor\t: 0\nvendor_id\t: Assay\ncpu family\t: 6\nmodel\t\t: 1\nmodel name\t: one "
     "processor\nstepping\t: 1\ncpu MHz\t\t: 1000.000\ncache size\t: 4096 KB\nphysical id\t: "
     "0\nsiblings\t: 1\ncore id\t\t: 0\ncpu cores\t: 1\nflags\t\t: fpu tsc cx8 cmov mmx sse "
     "sse2 constant_tsc nonstop_tsc\nbogomips\t: 2000.00\n\n"                                                  },
    {"/proc/loadavg",                                      "0.00 0.00 0.00 1/10 100\n"                         },
    {"/proc/version",                                      "Linux version 6.1.0 (assay)\n"                     },
    {"/proc/filesystems",                                  "nodev\tproc\nnodev\ttmpfs\n\text4\n"               },
    {"/proc/swaps",                                        "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"},
    {"/proc/diskstats",                                    ""                                                  },
    {"/proc/partitions",                                   "major minor  #blocks  name\n\n"                    },
    {"/proc/vmstat",                                       "pgpgin 0\npgpgout 0\nthp_fault_alloc 0\n"          },
    {"/proc/cgroups",                                      "#subsys_name\thierarchy\tnum_cgroups\tenabled\n"   },
    {"/proc/cmdline",                                      "\n"                                                },
    {"/proc/devices",                                      "Character devices:\n  1 mem\n\nBlock devices:\n"   },
    {"/sys/devices/system/cpu/online",                     "0\n"                                               },
    {"/sys/devices/system/cpu/possible",                   "0\n"                                               },
    {"/sys/devices/system/cpu/present",                    "0\n"                                               },
    {"/sys/devices/system/node/online",                    "0\n"                                               },
    {"/sys/kernel/mm/transparent_hugepage/enabled",        "always madvise [never]\n"                          },
    {"/sys/kernel/mm/transparent_hugepage/shmem_enabled",
     "always within_size advise [never] deny force\n"                                                          },
    {"/sys/kernel/mm/transparent_hugepage/defrag",         "always defer defer+madvise madvise [never]\n"      },
    {"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"                                         },
};

static void text_hosts(const struct asked *a, struct strbuf *out)
{
    strbuf_adds(out, "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n");
    for (uint32_t i = 0; i < a->w->n_nodes; i++) {
        uint32_t ip = a->w->nodes[i]->ip;
        strbuf_printf(out, "%u.%u.%u.%u %s\n", ip >> 24, ip >> 16 & 255, ip >> 8 & 255, ip & 255,
                      a->w->nodes[i]->name);
    }
}

static void text_hostname(const struct asked *a, struct strbuf *out)
{
    strbuf_printf(out, "%s\n", a->node->name);
}

static void hex_id(const struct asked *a, struct strbuf *out, bool dashes)
{
    uint64_t x = hash_mix(a->w->seed + a->node->index + 1), y = hash_mix(x);
    strbuf_printf(out, dashes ? "%08x-%04x-4%03x-8%03x-%012llx\n" : "%08x%04x4%03x8%03x%012llx\n",
                  (unsigned)(x >> 32), (unsigned)(x >> 16 & 0xffff), (unsigned)(x & 0xfff),
                  (unsigned)(y >> 52), (unsigned long long)(y & 0xffffffffffff));
}

static void text_machine_id(const struct asked *a, struct strbuf *out)
{
    hex_id(a, out, false);
}

static void text_boot_id(const struct asked *a, struct strbuf *out)
{
    hex_id(a, out, true);
}

static void text_uuid(const struct asked *a, struct strbuf *out)
{
    uint64_t x = rng_next(&a->node->rng), y = rng_next(&a->node->rng);
    strbuf_printf(out, "%08x-%04x-4%03x-8%03x-%012llx\n", (unsigned)(x >> 32),
                  (unsigned)(x >> 16 & 0xffff), (unsigned)(x & 0xfff), (unsigned)(y >> 52),
                  (unsigned long long)(y & 0xffffffffffff));
}

static void text_uptime(const struct asked *a, struct strbuf *out)
{
    uint64_t cs = node_mono(a->node, a->w->now_ns) / 10000000;
    strbuf_printf(out, "%llu.%02llu 0.00\n", (unsigned long long)(cs / 100),
                  (unsigned long long)(cs % 100));
}

static void text_stat(const struct asked *a, struct strbuf *out)
{
    uint64_t ticks = node_mono(a->node, a->w->now_ns) / 10000000;
    strbuf_printf(out,
                  "cpu  %llu 0 0 0 0 0 0 0 0 0\ncpu0 %llu 0 0 0 0 0 0 0 0 0\nintr 0\nctxt 0\n"
                  "btime %llu\nprocesses %d\nprocs_running 1\nprocs_blocked 0\n",
                  (unsigned long long)ticks, (unsigned long long)ticks,
                  (unsigned long long)((EPOCH_NS + (uint64_t)a->node->skew_ns) / 1000000000),
                  a->node->next_pid);
}

static void text_meminfo(const struct asked *a, struct strbuf *out)
{
    (void)a;
    strbuf_adds(out, "MemTotal:        4194304 kB\nMemFree:         2097152 kB\nMemAvailable:    "
                     "3145728 kB\nBuffers:               0 kB\nCached:          1048576 kB\n"
                     "SwapCached:            0 kB\nSwapTotal:             0 kB\nSwapFree:         "
                     "     0 kB\nDirty:                 0 kB\nCommitLimit:     4194304 kB\n"
                     "Committed_AS:          0 kB\nAnonHugePages:         0 kB\n"
                     "HugePages_Total:       0\nHugePages_Free:        0\nHugepagesize:       "
                     "2048 kB\n");
}

static void text_mounts(const struct asked *a, struct strbuf *out)
{
    strbuf_adds(out, "/dev/root / ext4 ro,relatime 0 0\nproc /proc proc rw 0 0\n");
    for (uint32_t i = 0; i < a->node->n_mounts; i++) {
        const struct mount *m = &a->node->mounts[i];
        strbuf_printf(out, "%s %s %s rw,relatime 0 0\n", m->root->tmp ? "tmpfs" : "/dev/data",
                      m->path, m->root->tmp ? "tmpfs" : "ext4");
    }
}

static void text_mountinfo(const struct asked *a, struct strbuf *out)
{
    strbuf_adds(out, "1 0 0:31 / / ro,relatime - ext4 /dev/root ro\n2 1 0:34 / /proc rw - proc "
                     "proc rw\n");
    for (uint32_t i = 0; i < a->node->n_mounts; i++) {
        const struct mount *m = &a->node->mounts[i];
        strbuf_printf(out, "%u 1 0:%d / %s rw,relatime - %s %s rw\n", i + 3, m->root->tmp ? 33 : 32,
                      m->path, m->root->tmp ? "tmpfs" : "ext4",
                      m->root->tmp ? "tmpfs" : "/dev/data");
    }
}

static void text_net_dev(const struct asked *a, struct strbuf *out)
{
    (void)a;
    strbuf_adds(out,
                "Inter-|   Receive                                                |  Transmit\n"
                " face |bytes    packets errs drop fifo frame compressed multicast|bytes    "
                "packets errs drop fifo colls carrier compressed\n"
                "    lo:       0       0    0    0    0     0          0         0        0 "
                "      0    0    0    0     0       0          0\n"
                "  eth0:       0       0    0    0    0     0          0         0        0 "
                "      0    0    0    0     0       0          0\n");
}

static void text_if_inet6(const struct asked *a, struct strbuf *out)
{
    strbuf_adds(out, "00000000000000000000000000000001 01 80 10 80       lo\n");
    strbuf_printf(out, "fd0000000000000000000000%08x 02 40 00 80     eth0\n", a->node->ip);
}

static void text_empty(const struct asked *a, struct strbuf *out)
{
    (void)a;
    (void)out;
}

static const struct {
    const char *path;
    text_fn fn;
} computed[] = {
    {"/etc/hosts",                      text_hosts     },
    {"/etc/hostname",                   text_hostname  },
    {"/etc/machine-id",                 text_machine_id},
    {"/proc/sys/kernel/hostname",       text_hostname  },
    {"/proc/sys/kernel/random/boot_id", text_boot_id   },
    {"/proc/sys/kernel/random/uuid",    text_uuid      },
    {"/proc/uptime",                    text_uptime    },
    {"/proc/stat",                      text_stat      },
    {"/proc/meminfo",                   text_meminfo   },
};

/* ---- /proc/PID ---- */

static int parent_pid(const struct proc *p)
{
    return p->parent != NULL ? p->parent->pid : p->pid == INIT_PID ? 0 : INIT_PID;
}

/* As ps shows it. Who waits while something has changed may be about to go on. */
static const char *run_state(const struct asked *a)
{
    const struct proc *p = a->proc;
    const struct thread *first = thread_find(a->w, a->node, p->pid);
    if (p->state == PROC_ZOMBIE) {
        return "Z (zombie)";
    }
    if (p->stopped) {
        return "T (stopped)";
    }
    bool waits = first == NULL || (first->state == THREAD_BLOCKED && !a->node->changed);
    return waits ? "S (sleeping)" : "R (running)";
}

static void pid_stat(const struct asked *a, struct strbuf *out)
{
    const struct proc *p = a->proc;
    strbuf_printf(out,
                  "%d (%s) %c %d %d %d 0 -1 4194304 0 0 0 0 %llu 0 0 0 20 0 %u 0 100 104857600 "
                  "16384 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 "
                  "0 0\n",
                  p->pid, p->comm, run_state(a)[0], parent_pid(p), p->pgid, p->sid,
                  (unsigned long long)(p->utime_ns / 10000000), p->n_threads);
}

static void pid_status(const struct asked *a, struct strbuf *out)
{
    const struct proc *p = a->proc;
    static const struct cred root;
    const struct thread *first = thread_find(a->w, a->node, p->pid);
    const struct cred *c = first != NULL ? first->cred : p->pid == INIT_PID ? &root : a->t->cred;
    SCOPED_STRBUF groups = {0};
    for (uint32_t i = 0; i < c->n_groups; i++) {
        strbuf_printf(&groups, "%u ", c->groups[i]);
    }
    strbuf_printf(
        out,
        "Name:\t%s\nUmask:\t%04o\nState:\t%s\nTgid:\t%d\nNgid:\t0\nPid:\t%d\n"
        "PPid:\t%d\nTracerPid:\t0\nUid:\t%u\t%u\t%u\t%u\nGid:\t%u\t%u\t%u\t%u\n"
        "FDSize:\t64\nGroups:\t%s\nVmPeak:\t  102400 kB\nVmSize:\t  102400 kB\nVmLck:\t   "
        "    0 kB\nVmHWM:\t   65536 kB\nVmRSS:\t   65536 kB\nRssAnon:\t   32768 kB\n"
        "VmData:\t   65536 kB\nVmStk:\t     132 kB\nVmSwap:\t       0 kB\nThreads:\t%u\n"
        "CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t"
        "0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t0\n"
        "Cpus_allowed:\t1\nCpus_allowed_list:\t0\nMems_allowed:\t1\n"
        "Mems_allowed_list:\t0\nvoluntary_ctxt_switches:\t0\n"
        "nonvoluntary_ctxt_switches:\t0\n",
        p->comm, p->cwd != NULL ? p->cwd->umask : 0, run_state(a), p->pid, p->pid, parent_pid(p),
        c->uid[CRED_REAL], c->uid[CRED_EFFECTIVE], c->uid[CRED_SAVED], c->uid[CRED_FS],
        c->gid[CRED_REAL], c->gid[CRED_EFFECTIVE], c->gid[CRED_SAVED], c->gid[CRED_FS],
        strbuf_cstr(&groups), p->n_threads);
}

static void pid_statm(const struct asked *a, struct strbuf *out)
{
    (void)a;
    strbuf_adds(out, "25600 16384 4096 256 0 16384 0\n");
}

static void pid_cmdline(const struct asked *a, struct strbuf *out)
{
    strbuf_add(out, a->proc->cmdline != NULL ? a->proc->cmdline : "", a->proc->cmdline_n);
}

static void pid_comm(const struct asked *a, struct strbuf *out)
{
    strbuf_printf(out, "%s\n", a->proc->comm);
}

/* The real map, without what is ours and without numbers that differ between runs. */
bool made_map_line(const struct map *map, struct strbuf *out)
{
    if (map->begin >= TRACEE_PAGE_ADDR && map->begin < TRACEE_PAGE_ADDR + TRACEE_PAGE_BYTES) {
        return false;
    }
    const char *name = map->name;
    if (strncmp(name, "/memfd:assay", 12) == 0) {
        name = "/dev/data\n";
    }
    bool file = name[0] == '/';
    strbuf_printf(out, "%llx-%llx %s %08llx %s %s%s", (unsigned long long)map->begin,
                  (unsigned long long)map->end, map->perms, (unsigned long long)map->offset,
                  file ? "00:1f 1" : "00:00 0", name[0] != '\n' ? "                  " : "", name);
    return true;
}

static void pid_maps(const struct asked *a, struct strbuf *out)
{
    struct maps *maps = maps_open(a->proc->real);
    struct map map;
    while (maps_next(maps, &map)) {
        (void)made_map_line(&map, out);
    }
    maps_close(maps);
}

static void pid_limits(const struct asked *a, struct strbuf *out)
{
    strbuf_printf(out,
                  "Limit                     Soft Limit           Hard Limit           Units     \n"
                  "Max open files            %-20u %-20u files     \n",
                  a->proc->fds != NULL ? a->proc->fds->limit : 0, 1048576U);
}

static void pid_cgroup(const struct asked *a, struct strbuf *out)
{
    (void)a;
    strbuf_adds(out, "0::/\n");
}

static void pid_zero(const struct asked *a, struct strbuf *out)
{
    (void)a;
    strbuf_adds(out, "0\n");
}

/* A file of the real process that says the same in every run. */
static void pid_real(const struct asked *a, const char *name, struct strbuf *out)
{
    char path[64], bytes[4096];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)a->proc->real, name);
    int fd = a->proc->state == PROC_LIVE ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = 0;
    while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0) {
        strbuf_add(out, bytes, (size_t)n);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

static void pid_auxv(const struct asked *a, struct strbuf *out)
{
    pid_real(a, "auxv", out);
}

static void pid_environ(const struct asked *a, struct strbuf *out)
{
    pid_real(a, "environ", out);
}

static void pid_io(const struct asked *a, struct strbuf *out)
{
    (void)a;
    strbuf_adds(out, "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: 0\n"
                     "cancelled_write_bytes: 0\n");
}

static const struct {
    const char *name;
    text_fn fn;
} pid_files[] = {
    {"stat",          pid_stat         },
    {"status",        pid_status       },
    {"statm",         pid_statm        },
    {"cmdline",       pid_cmdline      },
    {"comm",          pid_comm         },
    {"maps",          pid_maps         },
    {"smaps",         made_smaps       },
    {"smaps_rollup",  made_smaps_rollup},
    {"limits",        pid_limits       },
    {"cgroup",        pid_cgroup       },
    {"oom_score",     pid_zero         },
    {"oom_score_adj", pid_zero         },
    {"loginuid",      pid_zero         },
    {"auxv",          pid_auxv         },
    {"environ",       pid_environ      },
    {"io",            pid_io           },
    {"mounts",        text_mounts      },
    {"mountinfo",     text_mountinfo   },
    {"net/dev",       text_net_dev     },
    {"net/if_inet6",  text_if_inet6    },
    {"net/tcp",       text_empty       },
    {"net/tcp6",      text_empty       },
    {"net/udp",       text_empty       },
    {"net/unix",      text_empty       },
    {"net/route",     text_empty       },
};

/* Where a descriptor leads, as a link of /proc/PID/fd says it. */
static void fd_target(const struct file *f, struct strbuf *out)
{
    if (f->path != NULL) {
        strbuf_adds(out, f->path);
    } else if (f->ops == &dev_ops) {
        for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
            if (devices[i].kind == ((const struct dev_file *)f)->kind) {
                strbuf_adds(out, devices[i].path);
                break;
            }
        }
    } else if (f->ops->name[0] == '[') {
        strbuf_printf(out, "anon_inode:%s", f->ops->name);
    } else {
        strbuf_printf(out, "%s:[%llu]", f->ops->name, (unsigned long long)f->id);
    }
}

static const struct fd_slot *proc_fd(const struct asked *a, const char *text)
{
    char *end = NULL;
    unsigned long fd = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || a->proc->fds == NULL || fd >= a->proc->fds->n) {
        return NULL;
    }
    const struct fd_slot *slot = &a->proc->fds->slots[fd];
    return slot->file != NULL ? slot : NULL;
}

static enum made_kind pid_lists(const struct asked *a, const char *rest, struct strbuf *out)
{
    if (strcmp(rest, "fd") == 0 || strcmp(rest, "fdinfo") == 0) {
        for (uint32_t i = 0; a->proc->fds != NULL && i < a->proc->fds->n; i++) {
            if (a->proc->fds->slots[i].file != NULL) {
                strbuf_printf(out, "%u", i);
                strbuf_addc(out, '\0');
            }
        }
        return MADE_DIR;
    }
    if (strcmp(rest, "task") == 0) {
        for (const struct thread *t = a->w->threads; t != NULL; t = t->next) {
            if (t->state != THREAD_DEAD && t->proc == a->proc) {
                strbuf_printf(out, "%d", t->tid);
                strbuf_addc(out, '\0');
            }
        }
        return MADE_DIR;
    }
    return MADE_NONE;
}

static enum made_kind made_pid(struct asked *a, const char *rest, struct strbuf *out)
{
    if (*rest == '\0') {
        for (size_t i = 0; i < sizeof pid_files / sizeof pid_files[0]; i++) {
            if (strchr(pid_files[i].name, '/') == NULL) {
                strbuf_add(out, pid_files[i].name, strlen(pid_files[i].name) + 1);
            }
        }
        return MADE_DIR;
    }
    if (strncmp(rest, "task/", 5) == 0) { /* a thread looks like its process */
        rest = strchrnul(rest + 5, '/');
        return *rest == '\0' ? MADE_DIR : made_pid(a, rest + 1, out);
    }
    if (strcmp(rest, "exe") == 0 || strcmp(rest, "cwd") == 0 || strcmp(rest, "root") == 0) {
        strbuf_adds(out, rest[0] == 'e'         ? a->proc->exe
                         : a->proc->cwd == NULL ? "/"
                         : rest[0] == 'c'       ? a->proc->cwd->path
                         : *a->proc->cwd->root  ? a->proc->cwd->root
                                                : "/");
        return MADE_LINK;
    }
    if (strncmp(rest, "fd/", 3) == 0) {
        const struct fd_slot *slot = proc_fd(a, rest + 3);
        if (slot == NULL) {
            return MADE_NONE;
        }
        fd_target(slot->file, out);
        return MADE_LINK;
    }
    if (strncmp(rest, "fdinfo/", 7) == 0) {
        const struct fd_slot *slot = proc_fd(a, rest + 7);
        if (slot == NULL) {
            return MADE_NONE;
        }
        const struct file *f = slot->file;
        strbuf_printf(out, "pos:\t%lld\nflags:\t0%o\nmnt_id:\t1\n", (long long)f->offset,
                      (unsigned)f->flags | (slot->cloexec ? (unsigned)O_CLOEXEC : 0));
        if (pidfd_pid(f) != 0) {
            int pid = proc_find(a->node, pidfd_pid(f)) != NULL ? pidfd_pid(f) : -1;
            strbuf_printf(out, "Pid:\t%d\nNSpid:\t%d\n", pid, pid);
        }
        return MADE_FILE;
    }
    for (size_t i = 0; i < sizeof pid_files / sizeof pid_files[0]; i++) {
        if (strcmp(rest, pid_files[i].name) == 0) {
            pid_files[i].fn(a, out);
            return MADE_FILE;
        }
    }
    return pid_lists(a, rest, out);
}

/* ---- process 1, which does nothing ---- */

static enum made_kind made_init(struct asked *a, const char *rest, struct strbuf *out)
{
    static const char *const files[] = {"stat",   "status", "statm",     "cmdline", "comm",
                                        "limits", "cgroup", "oom_score", "mounts",  "mountinfo"};
    char cmdline[] = "/sbin/init", exe[] = "/usr/sbin/init";
    struct proc init = {.node = a->node,
                        .pid = INIT_PID,
                        .pgid = INIT_PID,
                        .sid = INIT_PID,
                        .n_threads = 1,
                        .comm = "init",
                        .exe = exe,
                        .cmdline = cmdline,
                        .cmdline_n = sizeof cmdline};
    enum made_kind kind = *rest == '\0' ? MADE_DIR : MADE_NONE;
    a->proc = &init;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(rest, files[i]) == 0) {
            kind = made_pid(a, rest, out);
        } else if (*rest == '\0') {
            strbuf_add(out, files[i], strlen(files[i]) + 1);
        }
    }
    a->proc = NULL;
    return kind;
}

/* ---- all of it ---- */

static bool starts(const char *path, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(path, prefix, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

bool made_owns(const struct node *node, const char *path)
{
    (void)node;
    if (starts(path, "/proc") || starts(path, "/sys") || starts(path, "/dev")) {
        return true;
    }
    if (!starts(path, "/etc")) {
        return false;
    }
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
        if (strcmp(path, computed[i].path) == 0) {
            return true;
        }
    }
    return strcmp(path, fixed[0].path) == 0 || strcmp(path, fixed[1].path) == 0;
}

static enum made_kind made_link(const struct asked *a, const char *path, struct strbuf *out)
{
    static const char *const links[][2] = {
        {"/dev/fd",      "/proc/self/fd"  },
        {"/dev/stdin",   "/proc/self/fd/0"},
        {"/dev/stdout",  "/proc/self/fd/1"},
        {"/dev/stderr",  "/proc/self/fd/2"},
        {"/proc/mounts", "self/mounts"    },
        {"/proc/net",    "self/net"       },
    };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (strcmp(path, links[i][0]) == 0) {
            strbuf_adds(out, links[i][1]);
            return MADE_LINK;
        }
    }
    if (strcmp(path, "/proc/self") == 0) {
        strbuf_printf(out, "%d", a->t->proc->pid);
        return MADE_LINK;
    }
    if (strcmp(path, "/proc/thread-self") == 0) {
        strbuf_printf(out, "%d/task/%d", a->t->proc->pid, a->t->tid);
        return MADE_LINK;
    }
    return MADE_NONE;
}

static void add_name(struct strbuf *out, const char *name)
{
    strbuf_add(out, name, strlen(name) + 1);
}

/* A directory because something lies below it. */
static enum made_kind made_dir(const struct asked *a, const char *path, struct strbuf *out)
{
    size_t n = strlen(path);
    bool found = strcmp(path, "/proc") == 0 || strcmp(path, "/sys") == 0 ||
                 strcmp(path, "/dev") == 0 || strcmp(path, "/sys/fs/cgroup") == 0;
    static const char *const above[][2] = {
        {"/sys",                 "class"  },
        {"/sys/class",           "net"    },
        {"/sys/devices",         "virtual"},
        {"/sys/devices/virtual", "net"    },
    };
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++) {
        if (strcmp(path, above[i][0]) == 0) {
            add_name(out, above[i][1]);
            found = true;
        }
    }
    char last[NAME_MAX + 1] = "";
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        if (strncmp(fixed[i].path, path, n) == 0 && fixed[i].path[n] == '/') {
            char name[NAME_MAX + 1];
            const char *rest = fixed[i].path + n + 1;
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(rest, "/"), rest);
            if (strcmp(name, last) != 0) {
                strbuf_add(out, name, strlen(name) + 1);
                memcpy(last, name, sizeof last);
            }
            found = true;
        }
    }
    if (strcmp(path, "/proc") == 0) {
        add_name(out, "1");
        for (const struct proc *p = a->node->procs; p != NULL; p = p->next) {
            strbuf_printf(out, "%d", p->pid);
            strbuf_addc(out, '\0');
        }
    }
    if (strcmp(path, "/dev") == 0) {
        add_name(out, "pts");
        add_name(out, "ptmx");
        add_name(out, "tty");
    }
    if (strcmp(path, "/dev/pts") == 0) {
        int numbers[64];
        size_t count = tty_list(a->node, numbers, sizeof numbers / sizeof numbers[0]);
        for (size_t i = 0; i < count; i++) {
            strbuf_printf(out, "%d", numbers[i]);
            strbuf_addc(out, '\0');
        }
        add_name(out, "ptmx");
        found = true;
    }
    for (size_t i = 0; strcmp(path, "/dev") == 0 && i < sizeof devices / sizeof devices[0]; i++) {
        strbuf_add(out, devices[i].path + 5, strlen(devices[i].path + 5) + 1);
    }
    return found ? MADE_DIR : MADE_NONE;
}

static enum made_kind made_make(struct world *w, struct thread *t, const char *path,
                                struct strbuf *out)
{
    struct asked a = {w, t->proc->node, NULL, t};
    enum made_kind kind = made_link(&a, path, out);
    if (kind != MADE_NONE) {
        return kind;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        if (strcmp(path, fixed[i].path) == 0) {
            strbuf_adds(out, fixed[i].text);
            return MADE_FILE;
        }
    }
    for (size_t i = 0; i < sizeof computed / sizeof computed[0]; i++) {
        if (strcmp(path, computed[i].path) == 0) {
            computed[i].fn(&a, out);
            return MADE_FILE;
        }
    }
    kind = made_net(&a, path, out);
    if (kind != MADE_NONE) {
        return kind;
    }
    if (strncmp(path, "/proc/", 6) == 0) {
        char *end = NULL;
        unsigned long pid = strtoul(path + 6, &end, 10);
        if (end != path + 6 && (*end == '/' || *end == '\0')) {
            a.proc = proc_find(a.node, (int)pid);
            if (a.proc == NULL && pid == INIT_PID) {
                return made_init(&a, *end == '/' ? end + 1 : end, out);
            }
            return a.proc == NULL ? MADE_NONE : made_pid(&a, *end == '/' ? end + 1 : end, out);
        }
    }
    return made_dir(&a, path, out);
}

int64_t made_readlink(struct world *w, struct thread *t, const char *path, char *to, size_t size)
{
    SCOPED_STRBUF text = {0};
    enum made_kind kind = dev_find(path) != NULL ? MADE_FILE : made_make(w, t, path, &text);
    if (kind != MADE_LINK) {
        return kind == MADE_NONE ? -ENOENT : -EINVAL;
    }
    size_t n = text.n < size - 1 ? text.n : size - 1;
    memcpy(to, strbuf_cstr(&text), n);
    to[n] = '\0';
    return (int64_t)n;
}

/* The open file that a path of the form /proc/PID/fd/N means. */
static struct file *reopened(struct world *w, struct thread *t, const char *path)
{
    if (strncmp(path, "/proc/", 6) != 0) {
        return NULL;
    }
    char *end = NULL;
    struct asked a = {w, t->proc->node, NULL, t};
    a.proc = proc_find(a.node, (int)strtoul(path + 6, &end, 10));
    bool fd = a.proc != NULL && strncmp(end, "/fd/", 4) == 0;
    const struct fd_slot *slot = fd ? proc_fd(&a, end + 4) : NULL;
    return slot != NULL ? slot->file : NULL;
}

int64_t made_stat(struct world *w, struct thread *t, const char *path, struct stat *st)
{
    const struct dev_row *row = dev_find(path);
    if (row != NULL) {
        dev_stat_row(row, st);
        return 0;
    }
    if (tty_stat(t->proc->node, path, st)) {
        return 0;
    }
    struct file *f = reopened(w, t, path);
    if (f != NULL) {
        return file_stat(w, f, st);
    }
    SCOPED_STRBUF text = {0};
    enum made_kind kind = made_make(w, t, path, &text);
    if (kind == MADE_NONE) {
        return -ENOENT;
    }
    *st = (struct stat){
        .st_mode = kind == MADE_DIR    ? S_IFDIR | 0555
                   : kind == MADE_LINK ? S_IFLNK | 0777
                                       : S_IFREG | 0444,
        .st_ino = hash_bytes(path, strlen(path), 1) >> 32,
        .st_nlink = kind == MADE_DIR ? 2 : 1,
        .st_blksize = 1024,
        .st_dev = 0x22,
        .st_size = starts(path, "/etc") ? (off_t)text.n : 0,
    };
    uint64_t boot = EPOCH_NS + START_NS;
    st->st_mtim = st->st_atim = st->st_ctim = (struct timespec){(time_t)(boot / 1000000000), 0};
    return 0;
}

int64_t made_open(struct world *w, struct thread *t, const char *path, int flags,
                  struct file **ret_file)
{
    const struct dev_row *row = dev_find(path);
    struct node *node = t->proc->node;
    if (row != NULL) {
        struct dev_file *d = file_new(w, node, &dev_ops, sizeof *d, flags & ~O_CLOEXEC);
        d->kind = row->kind;
        *ret_file = &d->f;
        return (flags & O_DIRECTORY) != 0 ? -ENOTDIR : 0;
    }
    int64_t tty = tty_open(w, t, path, flags, ret_file);
    if (tty != TTY_NOT) {
        return tty == 0 && (flags & O_DIRECTORY) != 0 ? -ENOTDIR : tty;
    }
    struct file *f = reopened(w, t, path);
    if (f != NULL) {
        file_ref(f);
        *ret_file = f;
        return 0;
    }
    SCOPED_STRBUF text = {0};
    enum made_kind kind = made_make(w, t, path, &text);
    if (kind == MADE_NONE || kind == MADE_LINK) {
        return (flags & O_CREAT) != 0 ? -EACCES : kind == MADE_LINK ? -ELOOP : -ENOENT;
    }
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (kind == MADE_DIR && writes) {
        return -EISDIR;
    }
    if (kind == MADE_FILE && (flags & O_DIRECTORY) != 0) {
        return -ENOTDIR;
    }
    struct text_file *x = file_new(w, node, &text_ops, sizeof *x, flags & ~O_CLOEXEC);
    x->n = text.n;
    x->text = heap_alloc(w->heap, text.n);
    memcpy(x->text, strbuf_cstr(&text), text.n);
    x->dir = kind == MADE_DIR;
    x->mode = kind == MADE_DIR ? S_IFDIR | 0555 : S_IFREG | 0444;
    x->ino = hash_bytes(path, strlen(path), 1) >> 32;
    x->f.path = heap_strdup(w, path);
    *ret_file = &x->f;
    return 0;
}
