/* Datagrams that may come in another order:
 *
 *     order server        says whether b came before a
 *     order send HOST a   sends x for a while, then a; b a millisecond later than that */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    int s = socket(AF_INET, SOCK_DGRAM, 0), a = 0;
    char c;
    if (argc < 4) {
        bind(s, (struct sockaddr *)&to, sizeof to);
        while (recv(s, &c, 1, 0) == 1) {
            a += c == 'a';
            if (c == 'b') {
                printf("b came %s a\n", a != 0 ? "after" : "before");
                fflush(stdout);
            }
        }
        return 1;
    }
    memcpy(&to.sin_addr, gethostbyname(argv[2])->h_addr, 4);
    usleep(argv[3][0] == 'b' ? 1000 : 0);
    for (int i = 0; i < 50; i++) {
        sendto(s, "x", 1, 0, (struct sockaddr *)&to, sizeof to);
        usleep(10000);
    }
    sendto(s, argv[3], 1, 0, (struct sockaddr *)&to, sizeof to);
    return 0;
}
