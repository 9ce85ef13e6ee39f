/* calls: sendfile copy_file_range */
#include "t.h"

int main(void)
{
    char b[32] = {0};
    int f = open("f", O_RDWR | O_CREAT, 0644), p[2], s[2];
    write(f, "0123456789", 10);
    pipe(p);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    off_t off = 2;
    R(sendfile(s[0], f, &off, 4));
    R(off);
    R(read(s[1], b, 32));
    S(b);
    lseek(f, 5, SEEK_SET);
    R(sendfile(s[0], f, NULL, 100));
    R(sendfile(s[0], f, NULL, 100));
    R(sendfile(s[0], p[0], NULL, 100));
    R(sendfile(s[0], 99, NULL, 100));
    int g = open("g", O_RDWR | O_CREAT, 0644);
    loff_t o = 1;
    R(copy_file_range(f, &o, g, NULL, 5, 0));
    memset(b, 0, sizeof b);
    R(pread(g, b, 32, 0));
    S(b);
    R(copy_file_range(f, NULL, p[1], NULL, 5, 0));
    loff_t to = 2;
    o = 0;
    R(copy_file_range(f, &o, g, &to, 3, 0));
    R(o);
    R(to);
    R(lseek(g, 0, SEEK_CUR));
    memset(b, 0, sizeof b);
    R(pread(g, b, 32, 0));
    S(b);
    lseek(f, 4, SEEK_SET);
    R(copy_file_range(f, NULL, g, &to, 2, 0));
    R(to);
    R(lseek(f, 0, SEEK_CUR));
    R(copy_file_range(f, (void *)8, g, NULL, 2, 0));
    R(copy_file_range(f, NULL, g, (void *)8, 2, 0));
    R(sendfile(s[0], f, (void *)8, 2));
    return 0;
}
