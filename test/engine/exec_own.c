/* calls: execve execveat */
#include "t.h"
#include <sys/stat.h>
#include <sys/wait.h>

static void put(const char *path, const char *text, int mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    write(fd, text, strlen(text));
    fchmod(fd, mode);
    close(fd);
}

static void copy(const char *from, const char *to)
{
    static char buf[1 << 16];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t n;
    while ((n = read(in, buf, sizeof buf)) > 0) {
        write(out, buf, n);
    }
    close(in);
    close(out);
}

static void *exec_in_thread(void *arg)
{
    char *av[] = {"./prog", "child", "from a thread", NULL};
    execv("./prog", av);
    _exit(99);
}

static void run(const char *path, char *const av[])
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        execv(path, av);
        printf("%s: %s\n", path, strerror(errno));
        fflush(stdout);
        _exit(98);
    }
    int status;
    waitpid(pid, &status, 0);
    printf("%s: status %d\n", path, WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    char text[4096];
    if (argc > 1 && strcmp(argv[1], "child") == 0) {
        ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
        text[n > 0 ? n : 0] = 0;
        printf("child %s of %s:", argv[0], strrchr(text, '/') + 1);
        for (int i = 2; i < argc; i++) {
            printf(" '%s'", argv[i]);
        }
        puts("");
        fflush(stdout);
        return 7;
    }
    ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
    text[n] = 0;
    copy(text, "prog");
    char *av[] = {"first", "child", "a", "b c", NULL};
    run("./prog", av);
    getcwd(text, sizeof text);
    strcat(text, "/prog");
    run("prog", av);
    put("s1", "#!/bin/sh\necho script $# \"$1\" \"$2\"; basename \"$0\"; exit 3\n", 0755);
    put("s2", "#!./prog child  \nwhatever\n", 0755);
    put("s3", "#! ./s1 x y \n", 0755);
    put("s4", "echo no line\n", 0755);
    put("s5", "#!/bin/sh\n", 0644);
    put("s6", "#!/nope/x\n", 0755);
    char *one[] = {"s1", "p", "q r", NULL};
    run("./s1", one);
    run("./s2", one);
    run("./s3", one);
    run("./s4", one);
    run("./s5", one);
    run("./s6", one);
    run("./missing", one);
    mkdir("d", 0755);
    run("./d", one);
    symlink("prog", "link");
    run("./link", av);
    if (fork() == 0) {
        pthread_t t;
        pthread_create(&t, NULL, exec_in_thread, NULL);
        pause();
    }
    int status;
    wait(&status);
    R(WEXITSTATUS(status));
    fflush(stdout);
    if (fork() == 0) {
        int fd = open("prog", O_RDONLY);
        syscall(SYS_execveat, fd, "", av, NULL, AT_EMPTY_PATH);
        printf("%s\n", strerror(errno));
        _exit(97);
    }
    wait(&status);
    R(WEXITSTATUS(status));
    return 0;
}
