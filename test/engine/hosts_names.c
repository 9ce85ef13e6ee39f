/* calls: open read */
/* needs: /etc/hosts */
#include "t.h"

#include <netdb.h>

int main(void)
{
    struct addrinfo h = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *r;
    R(getaddrinfo("localhost", "80", &h, &r));
    R(((struct sockaddr_in *)r->ai_addr)->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    R(getaddrinfo("127.0.0.1", NULL, &h, &r));
    h.ai_family = AF_UNSPEC;
    R(getaddrinfo("localhost", "80", &h, &r));
    R(inet_addr("1.2.3.4") == htonl(0x01020304));
    return 0;
}
