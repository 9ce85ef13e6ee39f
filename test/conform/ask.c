/* ask HOST WORD...: sends the words as a line to port 7000 and prints the answer. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

int main(int argc, char **argv)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    char text[256] = "";
    for (int i = 2; i < argc; i++) {
        strcat(strcat(text, argv[i]), i + 1 < argc ? " " : "\n");
    }
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (getaddrinfo(argv[1], "7000", &hints, &found) != 0 ||
        connect(fd, found->ai_addr, found->ai_addrlen) != 0 ||
        write(fd, text, strlen(text)) < 0) {
        return 2;
    }
    ssize_t n = read(fd, text, sizeof text);
    return n > 0 && fwrite(text, 1, (size_t)n, stdout) == (size_t)n ? 0 : 3;
}
