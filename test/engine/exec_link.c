/* calls: execve execveat */
#include "t.h"

/* Scripts are told the path that was given, also through symbolic links, on disks and of the machine (`which` is one, through
 * two links). The name of the process comes from there, too. */
static void run(const char *path, char *const argv[])
{
    int st = 0;
    if (fork() == 0) {
        execv(path, argv);
        R(-1);
        _exit(99);
    }
    wait(&st);
    printf("%s: %d\n", path, WEXITSTATUS(st));
    fflush(stdout);
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0755);
    write(fd, text, strlen(text));
    close(fd);
}

int main(void)
{
    write_file("script", "#!/bin/sh -e\necho \"$0 $1 $#\"; read c </proc/$$/comm; echo $c\n");
    mkdir("d", 0755);
    symlink("../script", "d/link");
    symlink("d/link", "again");
    symlink("/usr/bin/which", "mine");
    symlink("/bin/sleep", "longer-than-15-characters");
    run("./script", (char *[]){"other", "a", "b", NULL});
    run("d/link", (char *[]){"other", "a", NULL});
    run("./again", (char *[]){"other", NULL});
    run("/usr/bin/which", (char *[]){"other", "-x", NULL});
    run("./mine", (char *[]){"other", "-x", NULL});
    write_file("deep", "#!./d/link word\n");
    run("./deep", (char *[]){"deep", "last", NULL});
    write_file("loop", "#!./loop\n");
    run("./loop", (char *[]){"loop", NULL});
    write_file("none", "#!/no/such/interpreter\n");
    run("./none", (char *[]){"none", NULL});
    if (fork() == 0) {
        syscall(SYS_execveat, AT_FDCWD, "./again", (char *[]){"x", NULL}, environ, 0);
        _exit(98);
    }
    wait(NULL);
    int ready[2];
    pipe2(ready, O_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        execl("./longer-than-15-characters", "sleep", "1000", NULL);
        _exit(97);
    }
    char c, path[64], comm[64] = "";
    close(ready[1]);
    read(ready[0], &c, 1); /* until it is executed */
    snprintf(path, sizeof path, "/proc/%d/comm", child);
    read(open(path, O_RDONLY), comm, sizeof comm - 1);
    printf("%s", comm);
    kill(child, SIGKILL);
    return 0;
}
