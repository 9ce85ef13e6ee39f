/* calls: ioctl read write */
/* needs: /dev/ptmx */
#include "t.h"

#include <pty.h>
#include <termios.h>

static int master, slave;

static void show(const char *what, int fd)
{
    char b[256];
    errno = 0;
    long n = read(fd, b, sizeof b);
    printf("%s %ld%s%s:", what, n, n < 0 ? " " : "", n < 0 ? strerrorname_np(errno) : "");
    for (long i = 0; i < n; i++) {
        printf(b[i] < ' ' || b[i] > '~' ? " %02x" : " %c", b[i]);
    }
    printf("\n");
    fflush(stdout);
}

static void type(const char *text)
{
    printf("-- %d characters\n", (int)write(master, text, strlen(text)));
    usleep(30000); /* the driver hands it on by itself */
    show("master", master);
    show("slave", slave);
    show("slave", slave);
}

int main(void)
{
    struct termios t;
    char name[64];
    alarm(20);
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    grantpt(master);
    unlockpt(master);
    ptsname_r(master, name, sizeof name);
    slave = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    R(tcgetattr(slave, &t));
    R(t.c_cc[VWERASE] == 'W' - 64 && t.c_cc[VLNEXT] == 'V' - 64 && t.c_cc[VREPRINT] == 'R' - 64);
    for (int round = 0; round < 4; round++) {
        printf("== %d\n", round);
        t.c_lflag = (t.c_lflag | ECHO | ECHOE | ECHOCTL | IEXTEN) & ~(round == 1 ? IEXTEN : round == 2 ? ECHO : round == 3 ? ECHOE : 0);
        tcsetattr(slave, TCSANOW, &t);
        type("one two  \027three\n");
        type("a_b,c.. \027\027x\027\027\027y\n");
        type("\027z\001\002 \027!\n");
        type("a\026\027b\026\177c\026\004d\026\026e\n");
        type("x\026\ny\026\003z\026\r\n");
        type("again\001\022 more\n");
        type("\026");
        type("\003\n");
    }
    return 0;
}
