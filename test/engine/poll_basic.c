/* calls: poll ppoll */
#include "t.h"

int main(void)
{
    int p[2], f = open("f", O_CREAT | O_RDWR, 0644);
    pipe(p);
    struct pollfd q[5] = {{p[0], POLLIN}, {p[1], POLLOUT}, {f, POLLIN | POLLOUT}, {99, POLLIN}, {-1, POLLIN}};
    R(poll(q, 5, 0));
    for (int i = 0; i < 5; i++) {
        R(q[i].revents);
    }
    R(poll(q, 1, 10));
    write(p[1], "x", 1);
    R(poll(q, 1, 1000));
    R(q[0].revents);
    close(p[1]);
    R(poll(q, 1, -1));
    R(q[0].revents);
    R(poll(NULL, 0, 5));
    R(ppoll(q, 1, &(struct timespec){0, 1000}, NULL));
    R(ppoll(q, 1, &(struct timespec){0, -1}, NULL));
    int s[2];
    pipe(s);
    close(s[0]);
    q[0] = (struct pollfd){s[1], POLLOUT};
    R(poll(q, 1, 0));
    R(q[0].revents);
    return 0;
}
