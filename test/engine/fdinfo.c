/* calls: openat read */
/* What /proc/self/fdinfo tells of each kind of descriptor: place and flags. */
#include "t.h"

static void show(const char *what, int fd)
{
    char path[64], line[256];
    (void)snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    struct stat st = {0};
    R(stat(path, &st));
    printf("%s: %o\n", what, st.st_mode & S_IFMT);
    FILE *f = fopen(path, "re");
    R(f != NULL);
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "pos:", 4) == 0 || strncmp(line, "flags:", 6) == 0) {
            printf("%s", line);
        }
    }
    fflush(stdout);
    if (f != NULL) {
        fclose(f);
    }
}

int main(void)
{
    int p[2], f = open("file", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    write(f, "abcdefg", 7);
    show("file", f);
    lseek(f, 3, SEEK_SET);
    fcntl(f, F_SETFL, O_NONBLOCK);
    fcntl(f, F_SETFD, 0);
    show("file", f);
    show("path", open("file", O_PATH));
    show("directory", open(".", O_RDONLY | O_DIRECTORY));
    pipe2(p, O_NONBLOCK);
    show("pipe", p[0]);
    show("pipe", p[1]);
    show("socket", socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    show("eventfd", eventfd(5, EFD_NONBLOCK));
    show("epoll", epoll_create1(EPOLL_CLOEXEC));
    show("memfd", memfd_create("m", 0));
    show("null", open("/dev/null", O_WRONLY));
    R(open("/proc/self/fdinfo/99", O_RDONLY));
    R(open("/proc/self/fdinfo/x", O_RDONLY));
    return 0;
}
