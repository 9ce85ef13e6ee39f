/* expect: failed its root /data/jail has another /lib64/ld-linux-x86-64.so.2 than the machine */
/* limits: memory_mb = 4096 */
/* user: root */
#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

static void copy(const char *from, const char *to)
{
    char bytes[65536];
    int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_WRONLY, 0755);
    for (ssize_t n; (n = read(in, bytes, sizeof bytes)) > 0;) {
        (void)!write(out, bytes, (size_t)n);
    }
    (void)!write(out, to, 1);
    close(in);
    close(out);
}

int main(void)
{
    mkdir("/data/jail", 0755);
    mkdir("/data/jail/lib64", 0755);
    copy("/proc/self/exe", "/data/jail/t");
    copy("/lib64/ld-linux-x86-64.so.2", "/data/jail/lib64/ld-linux-x86-64.so.2");
    return chroot("/data/jail") == 0 ? execl("/t", "t", NULL) : 3;
}
