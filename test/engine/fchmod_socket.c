/* calls: fchmod fchown bind */
#include "t.h"

static void mode_of(const char *what, int fd)
{
    struct stat st;
    fstat(fd, &st);
    printf("%s %o, mine %d\n", what, st.st_mode, st.st_uid == getuid() && st.st_gid == getgid());
    fflush(stdout);
}

int main(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "socket"};
    struct stat st;
    int s = socket(AF_UNIX, SOCK_STREAM, 0), p[2];
    mode_of("socket", s);
    R(fchmod(s, 0700));
    mode_of("changed", s);
    umask(027);
    R(bind(s, (void *)&a, sizeof a)); /* the file gets what is left of it */
    stat("socket", &st);
    printf("%o\n", st.st_mode);
    R(fchmod(s, 0777));
    mode_of("changed", s);
    stat("socket", &st);
    printf("%o\n", st.st_mode);
    R(fchown(s, getuid(), getgid()));
    int i = socket(AF_INET, SOCK_DGRAM, 0);
    R(fchmod(i, 0600));
    mode_of("socket", i);
    pipe(p);
    R(fchmod(p[0], 0640));
    mode_of("pipe", p[1]); /* both ends are one */
    R(fchown(p[1], -1, -1));
    R(fchmod(99, 0600));
    return 0;
}
