/* expect: ok held */
/* Calls that lead out of any sandbox, one after the other: all are refused. */
#include "escape.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>

#define DOOR(nr, ...) {#nr, SYS_##nr, {__VA_ARGS__}}
struct door {
    const char *name;
    long nr;
    long a[6];
};

int main(int argc, char **argv)
{
    begin(argc, argv);
    static char buf[4096];
    struct sock_filter deny = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EIO};
    struct sock_fprog filter = {1, &deny};
    long v = (long)victim, b = (long)buf, self = getpid();
    const struct door doors[] = {
        DOOR(ptrace, PTRACE_ATTACH, 1),
        DOOR(ptrace, PTRACE_TRACEME),
        DOOR(process_vm_readv, self, b, 1, b, 1),
        DOOR(process_vm_writev, self, b, 1, b, 1),
        DOOR(process_madvise, 0, b, 1, MADV_COLD),
        DOOR(pidfd_open, 1),
        DOOR(pidfd_getfd, 0, 0),
        DOOR(pidfd_send_signal, 0, SIGKILL),
        DOOR(kcmp, self, self, 0, 0, 0),
        DOOR(userfaultfd, 0),
        DOOR(io_uring_setup, 8, b),
        DOOR(io_uring_enter, 0, 1),
        DOOR(io_uring_register, 0, 0),
        DOOR(prctl, PR_SET_MM, PR_SET_MM_EXE_FILE, 1000),
        DOOR(prctl, PR_SET_TSC, PR_TSC_ENABLE),
        DOOR(prctl, 59, 1, b, 4096, b), /* PR_SET_SYSCALL_USER_DISPATCH */
        DOOR(arch_prctl, 0x1012, 1),    /* ARCH_SET_CPUID */
        DOOR(arch_prctl, 0x2003, 0x70000000), /* ARCH_MAP_VDSO_64 */
        DOOR(bpf, 0, b, 128),
        DOOR(perf_event_open, b, 0, -1, -1),
        DOOR(kexec_load, 0, 0, 0, 0),
        DOOR(kexec_file_load, 0, 0, 0, 0, 0),
        DOOR(init_module, b, 10, b),
        DOOR(finit_module, 0, b, 0),
        DOOR(delete_module, b, 0),
        DOOR(mount, (long)"/", (long)"/data", 0, MS_BIND, 0),
        DOOR(umount2, (long)"/", MNT_DETACH),
        DOOR(pivot_root, (long)"/", (long)"/data"),
        DOOR(open_tree, AT_FDCWD, (long)"/", 1),
        DOOR(move_mount, 0, b, 0, b),
        DOOR(fsopen, (long)"tmpfs", 0),
        DOOR(mount_setattr, AT_FDCWD, (long)"/", 0, b, 32),
        DOOR(unshare, CLONE_NEWUSER),
        DOOR(unshare, CLONE_NEWNS),
        DOOR(setns, 0, 0),
        DOOR(clone, CLONE_NEWUSER | SIGCHLD),
        DOOR(clone, CLONE_NEWNET | SIGCHLD),
        DOOR(clone, CLONE_NEWPID | SIGCHLD),
        DOOR(clone3, b, 88),
        DOOR(name_to_handle_at, AT_FDCWD, v, b, b),
        DOOR(open_by_handle_at, AT_FDCWD, b, O_RDWR),
        DOOR(openat2, AT_FDCWD, v, b, 24),
        DOOR(keyctl, 0, -3, 0),
        DOOR(add_key, (long)"user", (long)"a", b, 4, -3),
        DOOR(request_key, (long)"user", (long)"a", 0, -3),
        DOOR(modify_ldt, 1, b, 16),
        DOOR(set_thread_area, b),
        DOOR(personality, 0x40000),
        DOOR(iopl, 3),
        DOOR(ioperm, 0, 8, 1),
        DOOR(swapon, v, 0),
        DOOR(swapoff, v),
        DOOR(reboot, 0xfee1dead, 672274793, 0x01234567),
        DOOR(quotactl, 0, v, 0, b),
        DOOR(acct, v),
        DOOR(syslog, 3, b, 4096),
        DOOR(vhangup),
        DOOR(sethostname, b, 4),
        DOOR(fanotify_init, 0, 0),
        DOOR(rseq, b, 32, 0, 0),
        DOOR(memfd_secret, 0),
        DOOR(remap_file_pages, PAGE_DATA, 4096, 0, 0, 0),
        DOOR(pkey_mprotect, PAGE_CODE, 4096, 7, 0),
        DOOR(splice, 0, 0, 1, 0, 16, 0),
        DOOR(vmsplice, 1, b, 1, 0),
        DOOR(tee, 0, 1, 16, 0),
        DOOR(move_pages, self, 1, b, 0, b, 0),
        DOOR(migrate_pages, self, 1, b, b),
        DOOR(lookup_dcookie, 0, b, 10),
        DOOR(landlock_create_ruleset, 0, 0, 1),
        /* the engine's real descriptors of its pages */
        DOOR(write, 1000, b, 16),
        DOOR(pwrite64, 1000, b, 16, 0),
        DOOR(ftruncate, 1000, 0),
        DOOR(mmap, 0, 4096, 3, MAP_SHARED, 1000, 0),
        DOOR(mmap, 0, 4096, 3, MAP_SHARED, 1002, 0),
        DOOR(dup, 1000),
        DOOR(sendfile, 1, 1000, 0, 16),
        /* its code, written to by the kernel on our behalf */
        DOOR(getcwd, PAGE_CODE, 4096),
        DOOR(uname, PAGE_CODE),
        DOOR(getrandom, PAGE_CODE, 64, 0),
    };
    int out = 0;
    for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++) {
        const struct door *d = &doors[i];
        long r = raw(d->nr, d->a[0], d->a[1], d->a[2], d->a[3], d->a[4], d->a[5]);
        if (r >= 0 || r < -4095) {
            printf("%s(%#lx) = %ld\n", d->name, d->a[0], r);
            out++;
        }
    }
    /* A filter of our own is accepted: the real kernel must not have it, or nothing would work any more. */
    raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter, 0, 0, 0);
    raw(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&filter, 0, 0, 0);
    if (raw(SYS_getpid, 0, 0, 0, 0, 0, 0) != self || raw(SYS_brk, 0, 0, 0, 0, 0, 0) < 0) {
        puts("the real kernel has our filter");
        out++;
    }
    return verdict(out);
}
