/* Sends messages in odd pieces, or receives them. `talk serve` prints what it reads; `talk length` sends with a length of
 * two bytes in front of each message, `talk lines` sends lines. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

static int serve(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
    if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 8) != 0) {
        return 1;
    }
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        char text[256];
        ssize_t n;
        while ((n = read(fd, text, sizeof text)) > 0) {
            printf("read %zd bytes\n", n);
            fflush(stdout);
        }
        close(fd);
    }
}

static int say(const char *text, size_t n, const size_t *cuts)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
    inet_pton(AF_INET, "10.0.0.1", &to.sin_addr);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        return 1;
    }
    size_t at = 0;
    for (; *cuts != 0; cuts++) {
        if (write(fd, text + at, *cuts) != (ssize_t)*cuts) {
            return 1;
        }
        at += *cuts;
        if (at == n) {
            break;
        }
        if (cuts[1] == 0) { /* the rest comes later */
            usleep(100000);
            return write(fd, text + at, n - at) == (ssize_t)(n - at) ? 0 : 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        return serve();
    }
    if (argc > 1 && strcmp(argv[1], "length") == 0) {
        static const char text[] = "\0\003one\0\003two\0\005three\0\004four";
        return say(text, sizeof text - 1, (const size_t[]){1, 2, 9, 7, 0});
    }
    static const char text[] = "SET a 1\r\nGET a\r\nQUIT\r\n";
    return say(text, sizeof text - 1, (const size_t[]){3, 15, sizeof text - 19, 0});
}
