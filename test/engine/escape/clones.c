/* expect: ok held */
/* limits: threads = 1000 */
/* ways: untraced parent vfork vm memfd threads */
/* Children that the engine should lose sight of, and programs that come from nowhere. */
#include "escape.h"

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>

static int tried(void *arg)
{
    (void)arg;
    _exit(try_all(raw) == 0 ? 0 : 1);
}

static void *sleeper(void *arg)
{
    pause();
    return arg;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    static char stack[1 << 16] __attribute__((aligned(16)));
    int status = 0;
    if (is("child")) {
        return verdict(try_all(raw));
    }
    if (is("untraced")) {
        clone(tried, stack + sizeof stack, CLONE_UNTRACED | SIGCHLD, NULL);
        wait(&status);
    } else if (is("parent")) { /* a brother: we cannot wait for it */
        clone(tried, stack + sizeof stack, CLONE_PARENT | CLONE_UNTRACED | SIGCHLD, NULL);
        sleep(1);
    } else if (is("vfork")) {
        clone(tried, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_UNTRACED | SIGCHLD, NULL);
        wait(&status);
    } else if (is("vm")) {
        clone(tried, stack + sizeof stack, CLONE_VM | CLONE_FILES | CLONE_FS | SIGCHLD, NULL);
        wait(&status);
    } else if (is("memfd")) { /* our own program, from a file without a name */
        char buf[65536], *args[] = {argv[0], argv[1], argv[2], argv[3], "child", NULL}, *env[] = {NULL};
        int fd = memfd_create("x", 0), from = open("/proc/self/exe", O_RDONLY);
        for (ssize_t n; (n = read(from, buf, sizeof buf)) > 0;) {
            write(fd, buf, (size_t)n);
        }
        if (fork() == 0) {
            syscall(SYS_execveat, fd, "", args, env, AT_EMPTY_PATH);
            _exit(9);
        }
        wait(&status);
    } else if (is("threads")) { /* exec with very many others */
        char *args[] = {argv[0], argv[1], argv[2], argv[3], "child", NULL};
        for (int i = 0; i < 600; i++) {
            pthread_attr_t attr;
            pthread_t t;
            pthread_attr_init(&attr);
            pthread_attr_setstacksize(&attr, 65536);
            if (pthread_create(&t, &attr, sleeper, NULL) != 0) {
                printf("only %d threads\n", i);
                break;
            }
        }
        execv(argv[0], args);
    }
    return verdict(status);
}
