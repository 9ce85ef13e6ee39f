/* calls: bind listen accept setsockopt */
#include "t.h"

enum { CLIENTS = 40 };

/* How many of the datagrams or connections a socket got. */
static int got(int s, int type)
{
    int n = 0;
    char c;
    while (type == SOCK_DGRAM ? recv(s, &c, 1, MSG_DONTWAIT) == 1 : accept4(s, NULL, NULL, SOCK_NONBLOCK) >= 0) {
        n++;
    }
    return n;
}

static void share(int type)
{
    struct sockaddr_in a = loop(0);
    socklen_t n = sizeof a;
    int s[3], on = 1, clients[CLIENTS];
    for (int i = 0; i < 3; i++) {
        s[i] = socket(AF_INET, type | SOCK_NONBLOCK, 0);
        R(setsockopt(s[i], SOL_SOCKET, i < 2 ? SO_REUSEPORT : SO_REUSEADDR, &on, sizeof on));
        R(bind(s[i], (void *)&a, sizeof a));
        if (i < 2 && type == SOCK_STREAM) {
            R(listen(s[i], CLIENTS));
        }
        getsockname(s[0], (void *)&a, &n);
    }
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = socket(AF_INET, type, 0);
        if (connect(clients[i], (void *)&a, sizeof a) != 0 || send(clients[i], "x", 1, 0) != 1) {
            puts("not sent");
        }
    }
    usleep(100000);
    int first = got(s[0], type), second = got(s[1], type);
    printf("all %d, both %d\n", first + second, first > 0 && second > 0);
    close(s[0]);
    int late = socket(AF_INET, type, 0);
    R(connect(late, (void *)&a, sizeof a));
    R(send(late, "x", 1, 0));
    usleep(100000);
    R(got(s[1], type));
}

int main(void)
{
    share(SOCK_STREAM);
    share(SOCK_DGRAM);
    return 0;
}
