/* calls: connect accept listen */
/* Connections to a Unix socket: one more than the backlog wait there, a blocking connect waits for room. */
#include "t.h"

int main(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "s"};
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c[12], s[12], status;
    char b[4];
    bind(l, (void *)&a, sizeof a);
    R(listen(l, 4));
    for (int i = 0; i < 5; i++) {
        c[i] = socket(AF_UNIX, SOCK_STREAM, 0);
        R(connect(c[i], (void *)&a, sizeof a));
        b[0] = (char)('a' + i);
        write(c[i], b, 1);
    }
    int n = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    R(connect(n, (void *)&a, sizeof a));
    pid_t pid = fork();
    if (pid == 0) {
        int w = socket(AF_UNIX, SOCK_STREAM, 0);
        int r = connect(w, (void *)&a, sizeof a);
        write(w, "z", 1);
        _exit(r == 0 ? 7 : 8);
    }
    usleep(100000);
    R(waitpid(pid, &status, WNOHANG));
    for (int i = 0; i < 6; i++) {
        s[i] = accept(l, NULL, NULL);
        read(s[i], b, 1);
        printf("%c\n", b[0]);
        fflush(stdout);
    }
    R(waitpid(pid, &status, 0) == pid);
    R(WEXITSTATUS(status));
    close(c[0]);
    R(read(s[0], b, 1));
    R(send(s[0], b, 1, MSG_NOSIGNAL));
    return 0;
}
