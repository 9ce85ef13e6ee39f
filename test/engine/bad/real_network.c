/* expect: ok 101 101 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

int main(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(53)};
    a.sin_addr.s_addr = inet_addr("8.8.8.8");
    int s = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0);
    int first = connect(s, (void *)&a, sizeof a) < 0 ? errno : 0;
    int second = sendto(u, "x", 1, 0, (void *)&a, sizeof a) < 0 ? errno : 0;
    printf("%d %d\n", first, second);
    return 0;
}
