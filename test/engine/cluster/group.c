/* One node sends datagrams to a group, others are in it or not.
 * usage: group member | own | stranger | send; own: a member by the address of its interface */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct in_addr address(const char *host)
{
    struct hostent *h = gethostbyname(host);
    struct in_addr none = {0};
    return h != NULL ? *(struct in_addr *)h->h_addr_list[0] : none;
}

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
    if (strcmp(argv[1], "own") == 0) {
        char host[64];
        gethostname(host, sizeof host);
        r.imr_interface = address(host);
    }
    if (strcmp(argv[1], "stranger") != 0 && setsockopt(s, IPPROTO_IP, IP_ADD_MEMBERSHIP, &r, sizeof r) != 0) {
        perror("join");
        return 1;
    }
    struct pollfd p = {.fd = s, .events = POLLIN};
    int any = 0;
    while (poll(&p, 1, 3500) > 0) {
        char buf[16] = "";
        struct sockaddr_in from = {0};
        socklen_t n = sizeof from;
        recvfrom(s, buf, sizeof buf - 1, 0, (void *)&from, &n);
        printf("%s%s\n", buf, from.sin_addr.s_addr == address("c").s_addr && from.sin_port != 0 ? "" : " from somebody");
        any = 1;
    }
    if (!any) {
        puts("nothing");
    }
    return 0;
}
