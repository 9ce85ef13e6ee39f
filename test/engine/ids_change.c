/* calls: setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups getgroups capset */
#include "t.h"
#include <grp.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>

static void show(const char *what)
{
    uid_t u[3];
    gid_t g[3], list[8] = {0};
    char text[256];
    getresuid(&u[0], &u[1], &u[2]);
    getresgid(&g[0], &g[1], &g[2]);
    int n = getgroups(8, list);
    printf("%s: %d %d %d, %d %d %d, fs %d %d, %d groups:", what, u[0], u[1], u[2], g[0], g[1], g[2],
           setfsuid(-1), setfsgid(-1), n);
    for (int i = 0; i < n; i++) {
        printf(" %d", list[i]);
    }
    puts("");
    FILE *f = fopen("/proc/self/status", "r");
    while (fgets(text, sizeof text, f) != NULL) {
        if (strncmp(text, "Uid:", 4) == 0 || strncmp(text, "Gid:", 4) == 0) {
            fputs(text, stdout);
        }
    }
    fclose(f);
}

static void as_user(void)
{
    show("begin");
    R(setgroups(3, (gid_t[]){300, 100, 200}));
    R(setgroups(70000, (gid_t[]){1}));
    R(syscall(SYS_setgroups, 1, 1));
    R(getgroups(1, (gid_t[]){0}));
    R(getgroups(-1, (gid_t[]){0}));
    show("groups");
    R(setresgid(4000, 4001, 4002));
    R(setregid(-1, 4002));
    show("group");
    R(setregid(4003, -1));
    R(setgid(-1));
    R(setfsgid(77) >= 0);
    show("fs group");
    R(setresuid(-1, 65534, 0));
    show("other");
    R(setresuid(1, -1, -1));
    R(setgroups(0, NULL));
    R(seteuid(0));
    R(setreuid(5000, 5001));
    show("another");
    R(setuid(0));
    R(setuid(5000));
    show("real");
    R(setuid(5001));
    R(setreuid(5001, -1));
    R(setfsuid(0) >= 0);
    show("end");
    R(setresuid(5001, 5001, 5001));
    R(setresuid(-1, -1, 0));
    R(setgid(0));
}

static void once(void)
{
    R(setgid(4000));
    R(setuid(-1));
    R(setuid(3000));
    show("set");
    R(setuid(0));
    execl("/proc/self/exe", "ids_change", "again", NULL);
}

static void caps(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    R(syscall(SYS_capset, &head, none));
    R(syscall(SYS_capset, NULL, none));
    R(syscall(SYS_capset, &head, 1));
    head.version = 77;
    R(syscall(SYS_capset, &head, none));
}

int main(int argc, char **argv)
{
    void (*parts[])(void) = {as_user, once, caps};
    if (argc > 1) {
        show(argv[1]);
        R((long)getauxval(AT_UID) == getuid() && (long)getauxval(AT_EUID) == geteuid() && (long)getauxval(AT_GID) == getgid());
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            parts[i]();
            fflush(stdout);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return 0;
}
