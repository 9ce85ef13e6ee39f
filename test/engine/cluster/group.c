/* One node sends datagrams to a group, others are in it or not.
 * usage: group member | stranger | send */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int s = socket(AF_INET, SOCK_DGRAM, 0), ttl = 2;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(5000)};
    struct ip_mreq r = {0};
    inet_aton("239.1.2.3", &r.imr_multiaddr);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(argv[1], "send") == 0) {
        a.sin_addr = r.imr_multiaddr;
        setsockopt(s, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, sizeof ttl);
        sendto(s, "one", 3, 0, (void *)&a, sizeof a);
        sleep(1);
        sendto(s, "two", 3, 0, (void *)&a, sizeof a);
        sleep(1);
        return 0;
    }
    bind(s, (void *)&a, sizeof a);
    if (strcmp(argv[1], "member") == 0 && setsockopt(s, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r) != 0) {
        perror("join");
        return 1;
    }
    struct pollfd p = {.fd = s, .events = POLLIN};
    int any = 0;
    while (poll(&p, 1, 3500) > 0) {
        char buf[16] = "";
        recv(s, buf, sizeof buf - 1, 0);
        printf("%s\n", buf);
        any = 1;
    }
    if (!any) {
        puts("nothing");
    }
    return 0;
}
