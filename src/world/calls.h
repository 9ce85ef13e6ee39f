/* Private to the world room: every system call of Linux on x86-64, by number, and how it is
 * treated. A new one is a row here, a handler call_NAME in the file of its family, and a test
 * program in test/engine. */
#pragma once

#include <stdint.h>

#include "world/world_int.h"

/* SIM: simulated by call_NAME; the filter's rule; flags (enum call_flags).
 * REAL: done by the real kernel, without a stop, because it concerns the process's own memory or
 * numbers that are the same in every run.
 * REFUSE: fails with this error, on which programs fall back to something simulated.
 * UNKNOWN: stops the run. */
#define CALLS(SIM, REAL, REFUSE, UNKNOWN)                                                          \
    SIM(read, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                              \
    SIM(write, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                             \
    SIM(open, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                              \
    SIM(close, TRACEE_STOP, 0)                                                                     \
    SIM(stat, TRACEE_STOP, 0)                                                                      \
    SIM(fstat, TRACEE_STOP, 0)                                                                     \
    SIM(lstat, TRACEE_STOP, 0)                                                                     \
    SIM(poll, TRACEE_STOP, CALL_POLLS)                                                             \
    SIM(lseek, TRACEE_STOP, 0)                                                                     \
    SIM(mmap, TRACEE_PASS_PRIVATE, CALL_MOVES)                                                     \
    SIM(mprotect, TRACEE_PASS_ELSEWHERE, 0)                                                        \
    SIM(munmap, TRACEE_PASS_ELSEWHERE, 0)                                                          \
    SIM(brk, TRACEE_PASS_PAGES, 0)                                                                 \
    SIM(rt_sigaction, TRACEE_STOP, 0)                                                              \
    SIM(rt_sigprocmask, TRACEE_STOP, 0)                                                            \
    SIM(rt_sigreturn, TRACEE_STOP, 0)                                                              \
    SIM(ioctl, TRACEE_STOP, CALL_RESTART)                                                          \
    SIM(pread64, TRACEE_STOP, CALL_MOVES)                                                          \
    SIM(pwrite64, TRACEE_STOP, CALL_MOVES)                                                         \
    SIM(readv, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                             \
    SIM(writev, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                            \
    SIM(access, TRACEE_STOP, 0)                                                                    \
    SIM(pipe, TRACEE_STOP, 0)                                                                      \
    SIM(select, TRACEE_STOP, CALL_POLLS)                                                           \
    SIM(sched_yield, TRACEE_STOP, CALL_POLLS)                                                      \
    SIM(mremap, TRACEE_PASS_MOVE, 0)                                                               \
    SIM(msync, TRACEE_STOP, 0)                                                                     \
    SIM(mincore, TRACEE_STOP, 0)                                                                   \
    SIM(madvise, TRACEE_PASS_NOT_FREE, 0)                                                          \
    SIM(shmget, TRACEE_STOP, 0)                                                                    \
    SIM(shmat, TRACEE_STOP, 0)                                                                     \
    SIM(shmctl, TRACEE_STOP, 0)                                                                    \
    SIM(dup, TRACEE_STOP, 0)                                                                       \
    SIM(dup2, TRACEE_STOP, 0)                                                                      \
    SIM(pause, TRACEE_STOP, 0)                                                                     \
    SIM(nanosleep, TRACEE_STOP, CALL_POLLS)                                                        \
    SIM(getitimer, TRACEE_STOP, CALL_POLLS)                                                        \
    SIM(alarm, TRACEE_STOP, 0)                                                                     \
    SIM(setitimer, TRACEE_STOP, 0)                                                                 \
    SIM(getpid, TRACEE_STOP, 0)                                                                    \
    SIM(sendfile, TRACEE_STOP, CALL_MOVES)                                                         \
    SIM(socket, TRACEE_STOP, CALL_OPENS)                                                           \
    SIM(connect, TRACEE_STOP, CALL_RESTART | CALL_OPENS)                                           \
    SIM(accept, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                            \
    SIM(sendto, TRACEE_STOP, CALL_RESTART | CALL_OPENS | CALL_MOVES)                               \
    SIM(recvfrom, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                          \
    SIM(sendmsg, TRACEE_STOP, CALL_RESTART | CALL_OPENS | CALL_MOVES)                              \
    SIM(recvmsg, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                           \
    SIM(shutdown, TRACEE_STOP, 0)                                                                  \
    SIM(bind, TRACEE_STOP, CALL_OPENS)                                                             \
    SIM(listen, TRACEE_STOP, CALL_OPENS)                                                           \
    SIM(getsockname, TRACEE_STOP, 0)                                                               \
    SIM(getpeername, TRACEE_STOP, 0)                                                               \
    SIM(socketpair, TRACEE_STOP, 0)                                                                \
    SIM(setsockopt, TRACEE_STOP, 0)                                                                \
    SIM(getsockopt, TRACEE_STOP, 0)                                                                \
    SIM(clone, TRACEE_STOP, CALL_MOVES)                                                            \
    SIM(fork, TRACEE_STOP, CALL_MOVES)                                                             \
    SIM(vfork, TRACEE_STOP, CALL_MOVES)                                                            \
    SIM(execve, TRACEE_STOP, 0)                                                                    \
    SIM(exit, TRACEE_STOP, 0)                                                                      \
    SIM(wait4, TRACEE_STOP, CALL_RESTART | CALL_POLLS)                                             \
    SIM(kill, TRACEE_STOP, 0)                                                                      \
    SIM(uname, TRACEE_STOP, 0)                                                                     \
    SIM(semget, TRACEE_STOP, 0)                                                                    \
    SIM(semop, TRACEE_STOP, 0)                                                                     \
    SIM(semctl, TRACEE_STOP, 0)                                                                    \
    SIM(shmdt, TRACEE_STOP, 0)                                                                     \
    SIM(msgget, TRACEE_STOP, 0)                                                                    \
    SIM(msgsnd, TRACEE_STOP, 0)                                                                    \
    SIM(msgrcv, TRACEE_STOP, CALL_MOVES)                                                           \
    SIM(msgctl, TRACEE_STOP, 0)                                                                    \
    SIM(fcntl, TRACEE_STOP, CALL_RESTART)                                                          \
    SIM(flock, TRACEE_STOP, CALL_RESTART)                                                          \
    SIM(fsync, TRACEE_STOP, 0)                                                                     \
    SIM(fdatasync, TRACEE_STOP, 0)                                                                 \
    SIM(truncate, TRACEE_STOP, 0)                                                                  \
    SIM(ftruncate, TRACEE_STOP, 0)                                                                 \
    SIM(getdents, TRACEE_STOP, 0)                                                                  \
    SIM(getcwd, TRACEE_STOP, 0)                                                                    \
    SIM(chdir, TRACEE_STOP, 0)                                                                     \
    SIM(fchdir, TRACEE_STOP, 0)                                                                    \
    SIM(rename, TRACEE_STOP, 0)                                                                    \
    SIM(mkdir, TRACEE_STOP, 0)                                                                     \
    SIM(rmdir, TRACEE_STOP, 0)                                                                     \
    SIM(creat, TRACEE_STOP, CALL_MOVES)                                                            \
    SIM(link, TRACEE_STOP, 0)                                                                      \
    SIM(unlink, TRACEE_STOP, 0)                                                                    \
    SIM(symlink, TRACEE_STOP, 0)                                                                   \
    SIM(readlink, TRACEE_STOP, 0)                                                                  \
    SIM(chmod, TRACEE_STOP, 0)                                                                     \
    SIM(fchmod, TRACEE_STOP, 0)                                                                    \
    SIM(chown, TRACEE_STOP, 0)                                                                     \
    SIM(fchown, TRACEE_STOP, 0)                                                                    \
    SIM(lchown, TRACEE_STOP, 0)                                                                    \
    SIM(umask, TRACEE_STOP, 0)                                                                     \
    SIM(gettimeofday, TRACEE_STOP, CALL_POLLS)                                                     \
    SIM(getrlimit, TRACEE_STOP, 0)                                                                 \
    SIM(getrusage, TRACEE_STOP, CALL_POLLS)                                                        \
    SIM(sysinfo, TRACEE_STOP, 0)                                                                   \
    SIM(times, TRACEE_STOP, CALL_POLLS)                                                            \
    SIM(ptrace, TRACEE_STOP, 0)                                                                    \
    SIM(getuid, TRACEE_STOP, CALL_QUIET)                                                           \
    REFUSE(syslog, EPERM)                                                                          \
    SIM(getgid, TRACEE_STOP, CALL_QUIET)                                                           \
    SIM(setuid, TRACEE_STOP, 0)                                                                    \
    SIM(setgid, TRACEE_STOP, 0)                                                                    \
    SIM(geteuid, TRACEE_STOP, CALL_QUIET)                                                          \
    SIM(getegid, TRACEE_STOP, CALL_QUIET)                                                          \
    SIM(setpgid, TRACEE_STOP, 0)                                                                   \
    SIM(getppid, TRACEE_STOP, 0)                                                                   \
    SIM(getpgrp, TRACEE_STOP, 0)                                                                   \
    SIM(setsid, TRACEE_STOP, 0)                                                                    \
    SIM(setreuid, TRACEE_STOP, 0)                                                                  \
    SIM(setregid, TRACEE_STOP, 0)                                                                  \
    SIM(getgroups, TRACEE_STOP, CALL_QUIET)                                                        \
    SIM(setgroups, TRACEE_STOP, 0)                                                                 \
    SIM(setresuid, TRACEE_STOP, 0)                                                                 \
    SIM(getresuid, TRACEE_STOP, 0)                                                                 \
    SIM(setresgid, TRACEE_STOP, 0)                                                                 \
    SIM(getresgid, TRACEE_STOP, 0)                                                                 \
    SIM(getpgid, TRACEE_STOP, 0)                                                                   \
    SIM(setfsuid, TRACEE_STOP, 0)                                                                  \
    SIM(setfsgid, TRACEE_STOP, 0)                                                                  \
    SIM(getsid, TRACEE_STOP, 0)                                                                    \
    SIM(capget, TRACEE_STOP, 0)                                                                    \
    SIM(capset, TRACEE_STOP, 0)                                                                    \
    SIM(rt_sigpending, TRACEE_STOP, CALL_POLLS)                                                    \
    SIM(rt_sigtimedwait, TRACEE_STOP, CALL_POLLS)                                                  \
    SIM(rt_sigqueueinfo, TRACEE_STOP, 0)                                                           \
    SIM(rt_sigsuspend, TRACEE_STOP, 0)                                                             \
    SIM(sigaltstack, TRACEE_STOP, 0)                                                               \
    SIM(utime, TRACEE_STOP, 0)                                                                     \
    SIM(mknod, TRACEE_STOP, 0)                                                                     \
    REFUSE(uselib, ENOSYS)                                                                         \
    REFUSE(personality, ENOSYS)                                                                    \
    REFUSE(ustat, ENOSYS)                                                                          \
    SIM(statfs, TRACEE_STOP, 0)                                                                    \
    SIM(fstatfs, TRACEE_STOP, 0)                                                                   \
    REFUSE(sysfs, ENOSYS)                                                                          \
    SIM(getpriority, TRACEE_STOP, 0)                                                               \
    SIM(setpriority, TRACEE_STOP, 0)                                                               \
    SIM(sched_setparam, TRACEE_STOP, 0)                                                            \
    SIM(sched_getparam, TRACEE_STOP, 0)                                                            \
    SIM(sched_setscheduler, TRACEE_STOP, 0)                                                        \
    SIM(sched_getscheduler, TRACEE_STOP, 0)                                                        \
    REAL(sched_get_priority_max)                                                                   \
    REAL(sched_get_priority_min)                                                                   \
    REAL(sched_rr_get_interval)                                                                    \
    REAL(mlock)                                                                                    \
    REAL(munlock)                                                                                  \
    REAL(mlockall)                                                                                 \
    REAL(munlockall)                                                                               \
    REFUSE(vhangup, EPERM)                                                                         \
    REFUSE(modify_ldt, ENOSYS)                                                                     \
    REFUSE(pivot_root, EPERM)                                                                      \
    REFUSE(_sysctl, ENOSYS)                                                                        \
    SIM(prctl, TRACEE_STOP, 0)                                                                     \
    SIM(arch_prctl, TRACEE_STOP, 0)                                                                \
    SIM(adjtimex, TRACEE_STOP, 0)                                                                  \
    SIM(setrlimit, TRACEE_STOP, 0)                                                                 \
    SIM(chroot, TRACEE_STOP, 0)                                                                    \
    SIM(sync, TRACEE_STOP, 0)                                                                      \
    REFUSE(acct, EPERM)                                                                            \
    SIM(settimeofday, TRACEE_STOP, 0)                                                              \
    REFUSE(mount, EPERM)                                                                           \
    REFUSE(umount2, EPERM)                                                                         \
    REFUSE(swapon, EPERM)                                                                          \
    REFUSE(swapoff, EPERM)                                                                         \
    REFUSE(reboot, EPERM)                                                                          \
    REFUSE(sethostname, EPERM)                                                                     \
    REFUSE(setdomainname, EPERM)                                                                   \
    REFUSE(iopl, EPERM)                                                                            \
    REFUSE(ioperm, EPERM)                                                                          \
    REFUSE(create_module, ENOSYS)                                                                  \
    REFUSE(init_module, EPERM)                                                                     \
    REFUSE(delete_module, EPERM)                                                                   \
    REFUSE(get_kernel_syms, ENOSYS)                                                                \
    REFUSE(query_module, ENOSYS)                                                                   \
    REFUSE(quotactl, EPERM)                                                                        \
    REFUSE(nfsservctl, ENOSYS)                                                                     \
    REFUSE(getpmsg, ENOSYS)                                                                        \
    REFUSE(putpmsg, ENOSYS)                                                                        \
    REFUSE(afs_syscall, ENOSYS)                                                                    \
    REFUSE(tuxcall, ENOSYS)                                                                        \
    REFUSE(security, ENOSYS)                                                                       \
    SIM(gettid, TRACEE_STOP, 0)                                                                    \
    SIM(readahead, TRACEE_STOP, 0)                                                                 \
    REFUSE(setxattr, EOPNOTSUPP)                                                                   \
    REFUSE(lsetxattr, EOPNOTSUPP)                                                                  \
    REFUSE(fsetxattr, EOPNOTSUPP)                                                                  \
    REFUSE(getxattr, EOPNOTSUPP)                                                                   \
    REFUSE(lgetxattr, EOPNOTSUPP)                                                                  \
    REFUSE(fgetxattr, EOPNOTSUPP)                                                                  \
    REFUSE(listxattr, EOPNOTSUPP)                                                                  \
    REFUSE(llistxattr, EOPNOTSUPP)                                                                 \
    REFUSE(flistxattr, EOPNOTSUPP)                                                                 \
    REFUSE(removexattr, EOPNOTSUPP)                                                                \
    REFUSE(lremovexattr, EOPNOTSUPP)                                                               \
    REFUSE(fremovexattr, EOPNOTSUPP)                                                               \
    SIM(tkill, TRACEE_STOP, 0)                                                                     \
    SIM(time, TRACEE_STOP, CALL_POLLS)                                                             \
    SIM(futex, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                             \
    SIM(sched_setaffinity, TRACEE_STOP, 0)                                                         \
    SIM(sched_getaffinity, TRACEE_STOP, 0)                                                         \
    REFUSE(set_thread_area, ENOSYS)                                                                \
    SIM(io_setup, TRACEE_STOP, 0)                                                                  \
    SIM(io_destroy, TRACEE_STOP, 0)                                                                \
    SIM(io_getevents, TRACEE_STOP, CALL_MOVES)                                                     \
    SIM(io_submit, TRACEE_STOP, 0)                                                                 \
    SIM(io_cancel, TRACEE_STOP, 0)                                                                 \
    REFUSE(get_thread_area, ENOSYS)                                                                \
    REFUSE(lookup_dcookie, ENOSYS)                                                                 \
    SIM(epoll_create, TRACEE_STOP, 0)                                                              \
    REFUSE(epoll_ctl_old, ENOSYS)                                                                  \
    REFUSE(epoll_wait_old, ENOSYS)                                                                 \
    REFUSE(remap_file_pages, ENOSYS)                                                               \
    SIM(getdents64, TRACEE_STOP, 0)                                                                \
    SIM(set_tid_address, TRACEE_STOP, 0)                                                           \
    REAL(restart_syscall)                                                                          \
    SIM(semtimedop, TRACEE_STOP, 0)                                                                \
    SIM(fadvise64, TRACEE_STOP, 0)                                                                 \
    SIM(timer_create, TRACEE_STOP, 0)                                                              \
    SIM(timer_settime, TRACEE_STOP, 0)                                                             \
    SIM(timer_gettime, TRACEE_STOP, CALL_POLLS)                                                    \
    SIM(timer_getoverrun, TRACEE_STOP, 0)                                                          \
    SIM(timer_delete, TRACEE_STOP, 0)                                                              \
    SIM(clock_settime, TRACEE_STOP, 0)                                                             \
    SIM(clock_gettime, TRACEE_STOP, CALL_POLLS)                                                    \
    SIM(clock_getres, TRACEE_STOP, 0)                                                              \
    SIM(clock_nanosleep, TRACEE_STOP, CALL_POLLS)                                                  \
    SIM(exit_group, TRACEE_STOP, 0)                                                                \
    SIM(epoll_wait, TRACEE_STOP, CALL_POLLS)                                                       \
    SIM(epoll_ctl, TRACEE_STOP, 0)                                                                 \
    SIM(tgkill, TRACEE_STOP, 0)                                                                    \
    SIM(utimes, TRACEE_STOP, 0)                                                                    \
    REFUSE(vserver, ENOSYS)                                                                        \
    REAL(mbind)                                                                                    \
    REAL(set_mempolicy)                                                                            \
    REAL(get_mempolicy)                                                                            \
    SIM(mq_open, TRACEE_STOP, 0)                                                                   \
    SIM(mq_unlink, TRACEE_STOP, 0)                                                                 \
    SIM(mq_timedsend, TRACEE_STOP, CALL_RESTART)                                                   \
    SIM(mq_timedreceive, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                   \
    SIM(mq_notify, TRACEE_STOP, 0)                                                                 \
    SIM(mq_getsetattr, TRACEE_STOP, 0)                                                             \
    REFUSE(kexec_load, EPERM)                                                                      \
    SIM(waitid, TRACEE_STOP, CALL_RESTART | CALL_POLLS)                                            \
    REFUSE(add_key, EPERM)                                                                         \
    REFUSE(request_key, EPERM)                                                                     \
    REFUSE(keyctl, EPERM)                                                                          \
    SIM(ioprio_set, TRACEE_STOP, 0)                                                                \
    SIM(ioprio_get, TRACEE_STOP, 0)                                                                \
    SIM(inotify_init, TRACEE_STOP, 0)                                                              \
    SIM(inotify_add_watch, TRACEE_STOP, 0)                                                         \
    SIM(inotify_rm_watch, TRACEE_STOP, 0)                                                          \
    REFUSE(migrate_pages, EPERM)                                                                   \
    SIM(openat, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                            \
    SIM(mkdirat, TRACEE_STOP, 0)                                                                   \
    SIM(mknodat, TRACEE_STOP, 0)                                                                   \
    SIM(fchownat, TRACEE_STOP, 0)                                                                  \
    SIM(futimesat, TRACEE_STOP, 0)                                                                 \
    SIM(newfstatat, TRACEE_STOP, 0)                                                                \
    SIM(unlinkat, TRACEE_STOP, 0)                                                                  \
    SIM(renameat, TRACEE_STOP, 0)                                                                  \
    SIM(linkat, TRACEE_STOP, 0)                                                                    \
    SIM(symlinkat, TRACEE_STOP, 0)                                                                 \
    SIM(readlinkat, TRACEE_STOP, 0)                                                                \
    SIM(fchmodat, TRACEE_STOP, 0)                                                                  \
    SIM(faccessat, TRACEE_STOP, 0)                                                                 \
    SIM(pselect6, TRACEE_STOP, CALL_POLLS)                                                         \
    SIM(ppoll, TRACEE_STOP, CALL_POLLS)                                                            \
    REFUSE(unshare, EPERM)                                                                         \
    SIM(set_robust_list, TRACEE_STOP, 0)                                                           \
    SIM(get_robust_list, TRACEE_STOP, 0)                                                           \
    SIM(splice, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                            \
    SIM(tee, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                               \
    SIM(sync_file_range, TRACEE_STOP, 0)                                                           \
    SIM(vmsplice, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                          \
    REFUSE(move_pages, EPERM)                                                                      \
    SIM(utimensat, TRACEE_STOP, 0)                                                                 \
    SIM(epoll_pwait, TRACEE_STOP, CALL_POLLS)                                                      \
    SIM(signalfd, TRACEE_STOP, 0)                                                                  \
    SIM(timerfd_create, TRACEE_STOP, 0)                                                            \
    SIM(eventfd, TRACEE_STOP, 0)                                                                   \
    SIM(fallocate, TRACEE_STOP, 0)                                                                 \
    SIM(timerfd_settime, TRACEE_STOP, 0)                                                           \
    SIM(timerfd_gettime, TRACEE_STOP, CALL_POLLS)                                                  \
    SIM(accept4, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                           \
    SIM(signalfd4, TRACEE_STOP, 0)                                                                 \
    SIM(eventfd2, TRACEE_STOP, 0)                                                                  \
    SIM(epoll_create1, TRACEE_STOP, 0)                                                             \
    SIM(dup3, TRACEE_STOP, 0)                                                                      \
    SIM(pipe2, TRACEE_STOP, 0)                                                                     \
    SIM(inotify_init1, TRACEE_STOP, 0)                                                             \
    SIM(preadv, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                            \
    SIM(pwritev, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                           \
    SIM(rt_tgsigqueueinfo, TRACEE_STOP, 0)                                                         \
    REFUSE(perf_event_open, EPERM)                                                                 \
    SIM(recvmmsg, TRACEE_STOP, CALL_RESTART | CALL_MOVES)                                          \
    REFUSE(fanotify_init, ENOSYS)                                                                  \
    REFUSE(fanotify_mark, ENOSYS)                                                                  \
    SIM(prlimit64, TRACEE_STOP, 0)                                                                 \
    REFUSE(name_to_handle_at, EPERM)                                                               \
    REFUSE(open_by_handle_at, EPERM)                                                               \
    SIM(clock_adjtime, TRACEE_STOP, 0)                                                             \
    SIM(syncfs, TRACEE_STOP, 0)                                                                    \
    SIM(sendmmsg, TRACEE_STOP, CALL_RESTART | CALL_OPENS | CALL_MOVES)                             \
    REFUSE(setns, EPERM)                                                                           \
    SIM(getcpu, TRACEE_STOP, 0)                                                                    \
    REFUSE(process_vm_readv, EPERM)                                                                \
    REFUSE(process_vm_writev, EPERM)                                                               \
    REFUSE(kcmp, ENOSYS)                                                                           \
    REFUSE(finit_module, EPERM)                                                                    \
    REFUSE(sched_setattr, ENOSYS)                                                                  \
    REFUSE(sched_getattr, ENOSYS)                                                                  \
    SIM(renameat2, TRACEE_STOP, 0)                                                                 \
    SIM(seccomp, TRACEE_STOP, 0)                                                                   \
    SIM(getrandom, TRACEE_STOP, 0)                                                                 \
    SIM(memfd_create, TRACEE_STOP, 0)                                                              \
    REFUSE(kexec_file_load, EPERM)                                                                 \
    REFUSE(bpf, EPERM)                                                                             \
    SIM(execveat, TRACEE_STOP, 0)                                                                  \
    REFUSE(userfaultfd, ENOSYS)                                                                    \
    SIM(membarrier, TRACEE_STOP, 0)                                                                \
    REAL(mlock2)                                                                                   \
    SIM(copy_file_range, TRACEE_STOP, CALL_MOVES)                                                  \
    SIM(preadv2, TRACEE_STOP, CALL_MOVES)                                                          \
    SIM(pwritev2, TRACEE_STOP, CALL_MOVES)                                                         \
    REFUSE(pkey_mprotect, ENOSYS)                                                                  \
    REAL(pkey_alloc)                                                                               \
    REAL(pkey_free)                                                                                \
    SIM(statx, TRACEE_STOP, 0)                                                                     \
    REFUSE(io_pgetevents, ENOSYS)                                                                  \
    REFUSE(rseq, ENOSYS)                                                                           \
    SIM(pidfd_send_signal, TRACEE_STOP, 0)                                                         \
    REFUSE(io_uring_setup, ENOSYS)                                                                 \
    REFUSE(io_uring_enter, ENOSYS)                                                                 \
    REFUSE(io_uring_register, ENOSYS)                                                              \
    REFUSE(open_tree, EPERM)                                                                       \
    REFUSE(move_mount, EPERM)                                                                      \
    REFUSE(fsopen, EPERM)                                                                          \
    REFUSE(fsconfig, EPERM)                                                                        \
    REFUSE(fsmount, EPERM)                                                                         \
    REFUSE(fspick, EPERM)                                                                          \
    SIM(pidfd_open, TRACEE_STOP, 0)                                                                \
    REFUSE(clone3, ENOSYS)                                                                         \
    SIM(close_range, TRACEE_STOP, 0)                                                               \
    REFUSE(openat2, ENOSYS)                                                                        \
    SIM(pidfd_getfd, TRACEE_STOP, 0)                                                               \
    SIM(faccessat2, TRACEE_STOP, 0)                                                                \
    REFUSE(process_madvise, ENOSYS)                                                                \
    SIM(epoll_pwait2, TRACEE_STOP, CALL_POLLS)                                                     \
    REFUSE(mount_setattr, EPERM)                                                                   \
    REFUSE(quotactl_fd, EPERM)                                                                     \
    REFUSE(landlock_create_ruleset, ENOSYS)                                                        \
    REFUSE(landlock_add_rule, ENOSYS)                                                              \
    REFUSE(landlock_restrict_self, ENOSYS)                                                         \
    REFUSE(memfd_secret, ENOSYS)                                                                   \
    REFUSE(process_mrelease, ENOSYS)                                                               \
    REFUSE(futex_waitv, ENOSYS)                                                                    \
    REFUSE(set_mempolicy_home_node, ENOSYS)

#define DECLARE(name, rule, flags) int64_t call_##name(struct world *w, struct thread *t);
#define NOTHING1(name)
#define NOTHING2(name, error)
CALLS(DECLARE, NOTHING1, NOTHING2, NOTHING1)
#undef DECLARE
#undef NOTHING1
#undef NOTHING2
