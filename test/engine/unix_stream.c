/* calls: bind connect accept getsockname getpeername */
#include "t.h"

int main(void)
{
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "sock"}, q;
    socklen_t n;
    R(connect(c, (void *)&a, sizeof a));
    R(bind(l, (void *)&a, sizeof a));
    R(connect(c, (void *)&a, sizeof a));
    R(listen(l, 3));
    R(connect(c, (void *)&a, sizeof a));
    n = sizeof q;
    int s = accept(l, (void *)&q, &n);
    R(s);
    R(n);
    n = sizeof q;
    R(getpeername(c, (void *)&q, &n));
    S(q.sun_path);
    R(n);
    n = sizeof q;
    R(getsockname(c, (void *)&q, &n));
    R(n);
    R(write(c, "hi", 2));
    char b[8] = {0};
    R(read(s, b, 8));
    struct stat st;
    R(stat("sock", &st));
    R(S_ISSOCK(st.st_mode));
    R(open("sock", O_RDONLY));
    int d = socket(AF_UNIX, SOCK_STREAM, 0);
    R(bind(d, (void *)&a, sizeof a));
    R(unlink("sock"));
    R(connect(d, (void *)&a, sizeof a));
    R(bind(d, (void *)&a, sizeof a));
    int e = socket(AF_UNIX, SOCK_DGRAM, 0);
    R(connect(e, (void *)&a, sizeof a));
    struct ucred u;
    n = sizeof u;
    R(getsockopt(c, SOL_SOCKET, SO_PEERCRED, &u, &n));
    R(u.pid == getpid());
    return 0;
}
