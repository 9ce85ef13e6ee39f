/* What can be asked for, and what is told: the system, limits, prctl, options of sockets, interfaces, timers. */
#include <linux/capability.h>
#include <net/if.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>

#include "../t.h"

static void system_values(void)
{
    struct utsname u;
    struct sysinfo i;
    struct timespec ts = {0};
    uname(&u);
    printf("%s %s %s %s %s %s\n", u.sysname, u.nodename, u.release, u.version, u.machine, u.domainname);
    usleep(1600000);
    sysinfo(&i);
    printf("uptime %ld loads %lu %lu %lu ram %lu %lu %lu %lu swap %lu %lu procs %u high %lu %lu unit %u\n", i.uptime, i.loads[0], i.loads[1], i.loads[2],
           i.totalram, i.freeram, i.sharedram, i.bufferram, i.totalswap, i.freeswap, i.procs, i.totalhigh, i.freehigh, i.mem_unit);
    for (int c = -1; c < 13; c++) {
        R(clock_getres(c, &ts));
        printf(" %ld.%09ld\n", (long)ts.tv_sec, ts.tv_nsec);
    }
    for (int c = 0; c < 12; c++) {
        if (c == CLOCK_PROCESS_CPUTIME_ID || c == CLOCK_THREAD_CPUTIME_ID) {
            continue;
        }
        ts = (struct timespec){0};
        int r = clock_gettime(c, &ts);
        printf("clock %d: %d %ld.%02ld\n", c, r, (long)ts.tv_sec, ts.tv_nsec / 10000000);
    }
    struct timespec before = {0}, after = {0};
    clockid_t own = 0;
    R(clock_getcpuclockid(getpid(), &own));
    R(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before));
    R(clock_gettime(own, &ts));
    R(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after));
    int64_t times[] = {before.tv_sec * 1000000000 + before.tv_nsec, ts.tv_sec * 1000000000 + ts.tv_nsec, after.tv_sec * 1000000000 + after.tv_nsec};
    printf("processor time: %d %d %d\n", times[0] > 0, times[0] <= times[1], times[1] <= times[2]);
    R(sysconf(_SC_NPROCESSORS_ONLN));
    R(sysconf(_SC_NPROCESSORS_CONF));
    R(sysconf(_SC_PHYS_PAGES));
    R(sysconf(_SC_AVPHYS_PAGES));
    R(getpagesize());
    R(getpid());
    R(getppid());
    R(gettid());
    R(getpgrp());
    R(getsid(0));
    for (int r = 0; r < 18; r++) {
        struct rlimit l = {0, 0};
        long s = getrlimit(r, &l);
        printf("limit %d: %ld %ld %ld\n", r, s, r == RLIMIT_STACK ? 0 : (long)l.rlim_cur, r == RLIMIT_STACK ? 0 : (long)l.rlim_max);
    }
}

static void prctl_values(void)
{
    for (int option = 0; option < 70; option++) {
        static const unsigned long values[] = {0, 1, 2, 40, 41, 64, 65};
        printf("prctl %d:", option);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            long word = 0x5555;
            bool out = option == PR_GET_PDEATHSIG || option == PR_GET_CHILD_SUBREAPER;
            errno = 0;
            long r = option == PR_SET_NAME || option == PR_GET_NAME ? 0 : prctl(option, out ? (unsigned long)&word : values[i], 0, 0, 0);
            printf(" %ld/%s/%lx", r, r < 0 ? strerrorname_np(errno) : "", word);
        }
        printf("\n");
    }
    char name[32];
    memset(name, 'x', sizeof name);
    prctl(PR_SET_NAME, "a name that is too long");
    prctl(PR_GET_NAME, name);
    printf("<%.17s>\n", name);
    prctl(PR_SET_NAME, "");
    memset(name, 'x', sizeof name);
    prctl(PR_GET_NAME, name);
    printf("<%.1s%c%c>\n", name, name[15] ? 'y' : '0', name[16]);
    struct __user_cap_header_struct head = {.version = 1};
    struct __user_cap_data_struct data[3];
    memset(data, 0x55, sizeof data);
    R(syscall(SYS_capget, &head, NULL));
    printf("%x\n", head.version);
    head.version = 7;
    R(syscall(SYS_capget, &head, data));
    R(syscall(SYS_capget, &head, data));
    printf("%x %x %x %x %x\n", data[0].effective, data[0].permitted, data[0].inheritable, data[1].effective, data[2].effective);
}

static void options_of(const char *title, int fd)
{
    static const int levels[] = {SOL_SOCKET, IPPROTO_IP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_IPV6, 270, 99};
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
        printf("%s level %d:", title, levels[k]);
        for (int name = -1; name < 102; name++) {
            unsigned char value[200];
            socklen_t n = sizeof value;
            memset(value, 0x55, sizeof value);
            errno = 0;
            long r = getsockopt(fd, levels[k], name, value, &n);
            bool zero = r == 0 && n == 4 && value[0] == 0 && value[1] == 0 && value[4] == 0x55;
            if (r < 0 && errno != ENOPROTOOPT && errno != EOPNOTSUPP) {
                printf(" %d=%s", name, strerrorname_np(errno));
            } else if (r == 0 && !zero) {
                printf(" %d=%u:", name, n);
                for (socklen_t i = 0; i < n && i < (name == SO_PEERCRED ? 4 : 24); i++) {
                    printf("%02x", value[i]);
                }
            } else {
                printf("%s", r < 0 ? errno == EOPNOTSUPP ? "o" : "." : "0");
            }
        }
        printf("\n");
    }
}

static void set_options(const char *title, int fd)
{
    static const struct {
        int level, name;
    } rows[] = {
        {SOL_SOCKET, SO_REUSEADDR}, {SOL_SOCKET, SO_RCVBUF}, {SOL_SOCKET, SO_SNDBUF}, {SOL_SOCKET, SO_LINGER}, {SOL_SOCKET, SO_RCVTIMEO}, {SOL_SOCKET, SO_TYPE},
        {SOL_SOCKET, SO_ERROR}, {SOL_SOCKET, SO_DOMAIN}, {SOL_SOCKET, SO_PROTOCOL}, {SOL_SOCKET, SO_ACCEPTCONN}, {SOL_SOCKET, 0}, {SOL_SOCKET, 99}, {SOL_SOCKET, 100},
        {SOL_SOCKET, SO_KEEPALIVE}, {SOL_SOCKET, SO_PASSCRED}, {IPPROTO_TCP, TCP_NODELAY}, {IPPROTO_TCP, TCP_KEEPIDLE}, {IPPROTO_IP, IP_TTL}, {IPPROTO_IP, IP_TOS},
        {IPPROTO_IPV6, IPV6_V6ONLY}, {77, 1}};
    static const unsigned lengths[] = {0, 1, 3, 4, 8, 15, 16, 128, 129};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        printf("%s set %d %d:", title, rows[k].level, rows[k].name);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            unsigned char value[200] = {1}, back[200] = {0};
            socklen_t n = sizeof back;
            errno = 0;
            long r = setsockopt(fd, rows[k].level, rows[k].name, value, lengths[i]);
            printf(" %s", r < 0 ? strerrorname_np(errno) : "ok");
            if (r == 0 && getsockopt(fd, rows[k].level, rows[k].name, back, &n) == 0) {
                printf(":%u:%02x%02x%02x%02x", n, back[0], back[1], back[2], back[3]);
            }
        }
        printf("\n");
    }
    static const int sizes[] = {-1, 0, 1151, 1152, 1153, 4096, 212991, 212992, 212993, 9999999};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int in = 0, out = 0;
        socklen_t n = sizeof in;
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &sizes[i], 4);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &sizes[i], 4);
        getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &in, &n);
        getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &out, &n);
        printf("buffers %d: %d %d\n", sizes[i], in, out);
    }
    int room = -1;
    char one[4] = "abc";
    R(getsockopt(fd, SOL_SOCKET, SO_TYPE, one, (void *)&room));
    room = 1;
    R(getsockopt(fd, SOL_SOCKET, SO_TYPE, one, (void *)&room));
    printf("%d %d%c%c\n", room, one[0], one[1], one[2]);
    R(getsockopt(fd, SOL_SOCKET, SO_TYPE, one, NULL));
    R(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, NULL, 4));
}

static void interfaces(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    static const char *const names[] = {"lo", "eth0", "eth1", ""};
    static const unsigned long calls[] = {SIOCGIFNAME, SIOCGIFFLAGS, SIOCGIFADDR, SIOCGIFDSTADDR, SIOCGIFBRDADDR, SIOCGIFNETMASK, SIOCGIFMETRIC, SIOCGIFMTU, SIOCGIFHWADDR, SIOCGIFINDEX, SIOCGIFTXQLEN, SIOCGIFMAP};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
            struct ifreq r = {0};
            strcpy(r.ifr_name, names[k]);
            if (calls[i] == SIOCGIFNAME) {
                r.ifr_ifindex = (int)k;
            }
            errno = 0;
            long s = ioctl(fd, calls[i], &r);
            printf("%s %lx: %s <%s>", names[k], calls[i], s < 0 ? strerrorname_np(errno) : "ok", r.ifr_name);
            for (int b = 0; b < 16; b++) {
                printf(" %02x", ((unsigned char *)&r.ifr_ifru)[b]);
            }
            printf("\n");
        }
    }
    for (int room = 0; room <= 100; room += 20) {
        struct ifreq list[5];
        struct ifconf conf = {.ifc_len = room, .ifc_req = list};
        memset(list, 0, sizeof list);
        long s = ioctl(fd, SIOCGIFCONF, &conf);
        printf("conf %d: %ld %d %s %s\n", room, s, conf.ifc_len, list[0].ifr_name, list[1].ifr_name);
    }
    struct ifconf conf = {.ifc_len = 77, .ifc_req = NULL};
    R(ioctl(fd, SIOCGIFCONF, &conf));
    printf("%d\n", conf.ifc_len);
    close(fd);
}

static void timers(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int ids[4];
    for (int i = 0; i < 4; i++) {
        struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 100 + i};
        R(syscall(SYS_timer_create, CLOCK_MONOTONIC, i == 3 ? NULL : &e, &ids[i]));
        printf("id %d\n", ids[i]);
    }
    R(syscall(SYS_timer_delete, ids[1]));
    R(syscall(SYS_timer_delete, ids[1]));
    for (int i = 2; i >= 0; i -= 2) {
        struct itimerspec t = {{0, 3000000}, {0, 10000000}}, old;
        siginfo_t info;
        memset(&info, 0, sizeof info);
        R(syscall(SYS_timer_settime, ids[i], 0, &t, NULL));
        usleep(17500);
        R(sigwaitinfo(&set, &info));
        printf("signo %d code %d id %d overrun %d value %d\n", info.si_signo, info.si_code, info.si_timerid, info.si_overrun, info.si_int);
        R(syscall(SYS_timer_getoverrun, ids[i]));
        syscall(SYS_timer_gettime, ids[i], &old);
        printf("%ld.%04ld %ld.%09ld\n", (long)old.it_value.tv_sec, (old.it_value.tv_nsec + 50000) / 100000, (long)old.it_interval.tv_sec, old.it_interval.tv_nsec);
        memset(&t, 0, sizeof t);
        R(syscall(SYS_timer_settime, ids[i], 0, &t, &old));
        printf("%ld.%04ld\n", (long)old.it_value.tv_sec, (old.it_value.tv_nsec + 50000) / 100000);
    }
    signal(SIGALRM, SIG_IGN);
    for (int which = 0; which < 4; which++) {
        struct itimerval v = {{0, 5000}, {1, 500000}}, back = {0};
        R(setitimer(which, &v, NULL));
        usleep(100000);
        R(getitimer(which, &back));
        if (which == ITIMER_REAL) {
            printf("%ld.%03ld %ld.%06ld\n", (long)back.it_value.tv_sec, ((long)back.it_value.tv_usec + 500) / 1000, (long)back.it_interval.tv_sec, (long)back.it_interval.tv_usec);
        }
        memset(&v, 0, sizeof v);
        setitimer(which, &v, NULL);
    }
    R(alarm(7));
    usleep(300000);
    R(alarm(0));
}

int main(void)
{
    int fd[2];
    setvbuf(stdout, NULL, _IOLBF, 0);
    system_values();
    prctl_values();
    static const struct {
        const char *title;
        int domain, type;
    } kinds[] = {{"tcp", AF_INET, SOCK_STREAM}, {"udp", AF_INET, SOCK_DGRAM}, {"tcp6", AF_INET6, SOCK_STREAM}, {"udp6", AF_INET6, SOCK_DGRAM},
                 {"unix", AF_UNIX, SOCK_STREAM}, {"unixd", AF_UNIX, SOCK_DGRAM}, {"packets", AF_UNIX, SOCK_SEQPACKET}, {"netlink", AF_NETLINK, SOCK_RAW}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int s = socket(kinds[i].domain, kinds[i].type, 0);
        options_of(kinds[i].title, s);
        set_options(kinds[i].title, s);
        close(s);
    }
    tcp_pair(fd);
    options_of("connected", fd[0]);
    socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
    options_of("pair", fd[0]);
    int l = socket(AF_INET, SOCK_STREAM, 0);
    listen(l, 1);
    options_of("listens", l);
    interfaces();
    timers();
    return 0;
}
