/* `stream server` reads slowly what `stream client SERVER` sends: more than a connection holds, and nothing is answered until the end. */
#include "../takes_time/peer.h"

enum { BYTES = 3 << 20 };

int main(int argc, char **argv)
{
    static char piece[40000];
    long sum = 0, n = 0, got;
    if (strcmp(argv[1], "server") == 0) {
        int fd = peer_accept();
        while (n < BYTES && (got = recv(fd, piece, sizeof piece, 0)) > 0) {
            for (long i = 0; i < got; i++) {
                sum += piece[i] == (char)((n + i) % 251);
            }
            n += got;
            usleep(1000);
        }
        printf("%ld bytes are right\n", sum);
        send(fd, "done", 4, 0);
        return 0;
    }
    int fd = peer_connect(argv[2]), waited = 0;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (n < BYTES) {
        long want = BYTES - n < (long)sizeof piece ? BYTES - n : (long)sizeof piece;
        for (long i = 0; i < want; i++) {
            piece[i] = (char)((n + i) % 251);
        }
        got = send(fd, piece, want, 0);
        n += got > 0 ? got : 0;
        if (got < 0) {
            waited = 1;
            poll(&(struct pollfd){fd, POLLOUT}, 1, -1);
        }
    }
    poll(&(struct pollfd){fd, POLLIN}, 1, -1);
    recv(fd, piece, sizeof piece, 0);
    printf("%.4s, %s\n", piece, waited ? "it had to wait" : "it never waited");
    return 0;
}
