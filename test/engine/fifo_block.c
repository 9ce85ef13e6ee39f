/* calls: open */
#include "t.h"

int main(void)
{
    mkfifo("p", 0644);
    pid_t c = fork();
    if (c == 0) {
        int w = open("p", O_WRONLY);
        write(w, "hello", 5);
        _exit(0);
    }
    int r = open("p", O_RDONLY);
    char b[16] = {0};
    R(read(r, b, 16));
    S(b);
    R(read(r, b, 16));
    R(waitpid(c, NULL, 0) == c);
    return 0;
}
