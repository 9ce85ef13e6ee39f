/* What of the machine can be seen: opens, lists and executes what it is told, as the user that it is told. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <grp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *result(int good)
{
    return good ? "yes" : strerror(errno);
}

static void look(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        printf("%s: stat: %s\n", path, strerror(errno));
        return;
    }
    if (S_ISDIR(st.st_mode)) {
        DIR *dir = opendir(path);
        printf("%s: list: %s\n", path, result(dir != NULL));
        printf("%s: enter: %s\n", path, result(chdir(path) == 0));
        return;
    }
    int fd = open(path, O_RDONLY);
    printf("%s: read: %s\n", path, result(fd >= 0));
    if (fd >= 0 && st.st_size > 0) {
        printf("%s: map: %s\n", path, result(mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0) != MAP_FAILED));
    }
    printf("%s: access: %s\n", path, result(access(path, R_OK) == 0));
    if ((st.st_mode & 0111) != 0) {
        int status = 0;
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            execl(path, path, NULL);
            _exit(errno);
        }
        waitpid(pid, &status, 0);
        errno = WEXITSTATUS(status);
        printf("%s: execute: %s\n", path, result(status == 0));
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '/') {
            look(argv[i]);
            continue;
        }
        int id = atoi(argv[i]);
        if (setgroups(0, NULL) != 0 || setgid(id) != 0 || setuid(id) != 0) {
            perror("set user");
        }
        printf("user %d\n", getuid());
    }
    return 0;
}
