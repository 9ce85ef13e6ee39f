/* calls: bind connect */
#include "t.h"

int main(void)
{
    int l = socket(AF_UNIX, SOCK_STREAM, 0), c = socket(AF_UNIX, SOCK_STREAM, 0), d = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    memcpy(a.sun_path, "\0abstract-assay", 15);
    socklen_t n = 2 + 15;
    R(connect(c, (void *)&a, n));
    R(bind(l, (void *)&a, n));
    R(bind(d, (void *)&a, n));
    R(listen(l, 3));
    R(connect(c, (void *)&a, n));
    close(l);
    R(bind(d, (void *)&a, n));
    return 0;
}
