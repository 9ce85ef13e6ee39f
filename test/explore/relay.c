/* A node that tells one digit and prints what comes; others that hand on the
 * first of two, print what comes, answer the same. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
static volatile char got, first;
static volatile int left;
int main(int argc, char **argv)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(7)}, to = own;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    bind(fd, (struct sockaddr *)&own, sizeof own);
    if (argc > 2) {
        memcpy(&to.sin_addr, gethostbyname(argv[2])->h_addr, 4);
    }
    if (argv[1][0] == 's') { /* sends a digit */
        usleep(100000);
        sendto(fd, argv[3], 1, 0, (struct sockaddr *)&to, sizeof to);
        while (recv(fd, (void *)&got, 1, 0) == 1) {
            printf("got %c\n", got);
            fflush(stdout);
        }
    }
    if (argv[1][0] == 'e') { /* says the same to whoever tells it something */
        socklen_t n = sizeof to;
        while (recvfrom(fd, (void *)&got, 1, 0, (struct sockaddr *)&to, &n) == 1) {
            sendto(fd, (void *)&got, 1, 0, (struct sockaddr *)&to, n);
        }
    }
    if (argv[1][0] == 'p') { /* prints what comes */
        recv(fd, (void *)&got, 1, 0);
        printf("saw %c\n", got);
        fflush(stdout);
        pause();
    }
    /* Hands on the first of two, and forgets it. */
    recv(fd, (void *)&got, 1, 0);
    first = got;
    got = 0;
    if (argv[1][0] == 'w') { /* or has more to do after one than after the other */
        for (left = first == '1' ? 100 : 1; left > 0; left--) {
            getppid();
        }
        first = '0';
    }
    recv(fd, (void *)&got, 1, 0);
    sendto(fd, (void *)&first, 1, 0, (struct sockaddr *)&to, sizeof to);
    first = got = 0;
    pause();
}
