/* calls: bind sendto recvfrom */
#include "t.h"

int main(void)
{
    int a = socket(AF_UNIX, SOCK_DGRAM, 0), b = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un x = {.sun_family = AF_UNIX, .sun_path = "a"}, y = {.sun_family = AF_UNIX, .sun_path = "b"}, q;
    socklen_t n = sizeof q;
    char t[16] = {0};
    R(bind(a, (void *)&x, sizeof x));
    R(bind(b, (void *)&y, sizeof y));
    R(sendto(b, "hello", 5, 0, (void *)&x, sizeof x));
    R(recvfrom(a, t, 16, 0, (void *)&q, &n));
    S(q.sun_path);
    S(t);
    R(connect(b, (void *)&x, sizeof x));
    R(send(b, "again", 5, 0));
    R(recv(a, t, 3, 0));
    R(close(a));
    R(send(b, "gone", 4, 0));
    R(send(socket(AF_UNIX, SOCK_DGRAM, 0), "x", 1, 0));
    int stream = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un z = {.sun_family = AF_UNIX, .sun_path = "stream"};
    R(bind(stream, (void *)&z, sizeof z));
    R(listen(stream, 1));
    R(sendto(c, "wrong", 5, 0, (void *)&z, sizeof z));
    R(connect(c, (void *)&z, sizeof z));
    strcpy(z.sun_path, "none");
    R(sendto(c, "nobody", 6, 0, (void *)&z, sizeof z));
    return 0;
}
