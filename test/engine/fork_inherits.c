/* calls: fork prctl getpriority getrlimit umask rt_sigprocmask */
/* What a child has of its parent, and what it has not. */
#include "t.h"

static void show(const char *who)
{
    char name[17] = "", text[64] = "", path[256] = "";
    struct rlimit files = {0}, core = {0};
    struct sigaction usr1, usr2;
    sigset_t blocked, pending;
    struct itimerval timer;
    int dead = -1;
    S(who);
    prctl(PR_GET_NAME, name);
    S(name);
    int f = open("/proc/self/comm", O_RDONLY);
    R(read(f, text, sizeof text - 1));
    printf("%s", text);
    close(f);
    memset(text, 0, sizeof text);
    f = open("/proc/self/cmdline", O_RDONLY);
    R(read(f, text, sizeof text - 1) > 0);
    S(strrchr(text, '/') != NULL ? strrchr(text, '/') : text);
    close(f);
    R(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
    S(strrchr(path, '/') != NULL ? strrchr(path, '/') : path);
    R(getpriority(PRIO_PROCESS, 0));
    getrlimit(RLIMIT_NOFILE, &files);
    R(files.rlim_cur);
    getrlimit(RLIMIT_CORE, &core);
    R(core.rlim_cur);
    mode_t mask = umask(0);
    umask(mask);
    R(mask);
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    R(sigismember(&blocked, SIGHUP));
    sigpending(&pending);
    R(sigismember(&pending, SIGHUP));
    sigaction(SIGUSR1, NULL, &usr1);
    R(usr1.sa_handler == SIG_IGN);
    sigaction(SIGUSR2, NULL, &usr2);
    R(usr2.sa_handler == (void (*)(int))show);
    getitimer(ITIMER_REAL, &timer);
    R(timer.it_value.tv_sec > 0);
    prctl(PR_GET_PDEATHSIG, &dead);
    R(dead);
    R(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
    R(prctl(PR_GET_CHILD_SUBREAPER, &dead));
    R(dead);
    if (strcmp(who, "parent") != 0) {
        R(getsid(0) == getsid(getppid()));
        R(getpgid(0) == getpgid(getppid()));
    }
    R(getcwd(path, sizeof path) != NULL);
    S(strrchr(path, '/'));
    R(lseek(3, 0, SEEK_CUR));
    R(fcntl(3, F_GETFD));
}

int main(void)
{
    sigset_t hup;
    int status;
    open("file", O_RDWR | O_CREAT, 0600);
    write(3, "abc", 3);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    mkdir("place", 0755);
    chdir("place");
    prctl(PR_SET_NAME, "another name");
    setpriority(PRIO_PROCESS, 0, 3);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){100, 200});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    umask(027);
    sigemptyset(&hup);
    sigaddset(&hup, SIGHUP);
    sigprocmask(SIG_BLOCK, &hup, NULL);
    raise(SIGHUP);
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, (void (*)(int))show);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {100, 0}}, NULL);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    prctl(PR_SET_TIMERSLACK, 70000);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int i = 0; i < 2; i++) {
        if (fork() == 0) {
            show(i == 0 ? "child" : "child of a child");
            if (i == 0 && fork() == 0) {
                prctl(PR_SET_NAME, "grandchild");
                show("grandchild");
                _exit(0);
            }
            wait(&status);
            _exit(0);
        }
        wait(&status);
    }
    show("parent");
    return 0;
}
