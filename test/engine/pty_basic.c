/* calls: ioctl read write */
/* needs: /dev/ptmx */
#include <pty.h>
#include <termios.h>

#include "t.h"

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
    write(master, text, strlen(text));
}

static volatile int got;

static void on_signal(int sig)
{
    got = sig;
}

int main(void)
{
    struct termios t;
    struct winsize size = {24, 80, 0, 0}, now = {0};
    struct stat st;
    int n = -1, locked = -1, status;
    alarm(20);
    master = posix_openpt(O_RDWR | O_NOCTTY);
    R(master >= 0);
    R(ioctl(master, TIOCGPTN, &n));
    R(ioctl(master, TIOCGPTLCK, &locked));
    R(locked);
    char name[64];
    R(ptsname_r(master, name, sizeof name));
    R(strncmp(name, "/dev/pts/", 9));
    R(open(name, O_RDWR | O_NOCTTY));
    R(grantpt(master));
    R(unlockpt(master));
    fcntl(master, F_SETFL, O_NONBLOCK);
    slave = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    R(slave >= 0);
    R(isatty(slave));
    R(isatty(master));
    R(strcmp(ttyname(slave), name));
    fstat(slave, &st);
    printf("%o %d\n", st.st_mode & S_IFMT, (int)(st.st_rdev >> 8));
    fstat(master, &st);
    printf("%o %d %d\n", st.st_mode, (int)(st.st_rdev >> 8), (int)(st.st_rdev & 255));
    tcgetattr(slave, &t);
    printf("%x %x %x %x\n", t.c_iflag, t.c_oflag, t.c_cflag, t.c_lflag);
    for (int i = 0; i < 17; i++) {
        printf("%d ", t.c_cc[i]);
    }
    printf("\n");
    S("lines");
    show("slave", slave);
    type("hel");
    show("slave", slave);
    type("lo\r");
    show("slave", slave);
    show("master", master);
    type("abc\177d\n");
    show("slave", slave);
    show("master", master);
    type("gone\025x\n");
    show("slave", slave);
    show("master", master);
    type("part\004");
    show("slave", slave);
    type("\004");
    show("slave", slave);
    type("one\ntwo\n");
    show("slave", slave);
    show("slave", slave);
    tcflush(master, TCIFLUSH);
    show("master", master);
    S("output");
    R(write(slave, "a\nb\r\n", 5));
    show("master", master);
    S("raw");
    cfmakeraw(&t);
    R(tcsetattr(slave, TCSANOW, &t));
    type("x\r\003\004");
    show("slave", slave);
    show("master", master);
    R(write(slave, "a\n", 2));
    show("master", master);
    t.c_cc[VMIN] = 0;
    t.c_cc[VTIME] = 0;
    tcsetattr(slave, TCSANOW, &t);
    fcntl(slave, F_SETFL, 0);
    show("slave", slave);
    t.c_cc[VTIME] = 1;
    tcsetattr(slave, TCSANOW, &t);
    show("slave", slave);
    S("size");
    R(ioctl(slave, TIOCGWINSZ, &now));
    R(now.ws_row);
    R(ioctl(master, TIOCSWINSZ, &size));
    R(ioctl(slave, TIOCGWINSZ, &now));
    R(now.ws_col);
    S("not ours");
    R(tcgetpgrp(slave));
    R(tcsetpgrp(slave, getpgrp()));
    int pipefd[2];
    pipe(pipefd);
    R(ioctl(pipefd[0], TIOCGWINSZ, &now));
    S("session");
    int go[2];
    char c;
    pipe(go);
    pid_t child = fork();
    if (child == 0) {
        close(master);
        close(slave);
        alarm(20);
        setsid();
        R(open("/dev/tty", O_RDWR));
        int own = open(name, O_RDWR); /* becomes the session's */
        R(own >= 0);
        R(tcgetpgrp(own) == getpid());
        R(tcgetsid(own) == getpid());
        R(open("/dev/tty", O_RDWR) >= 0);
        R(ioctl(own, TIOCSCTTY, 0));
        signal(SIGINT, on_signal);
        signal(SIGWINCH, on_signal);
        t.c_lflag |= ISIG | ICANON;
        tcsetattr(own, TCSANOW, &t);
        write(go[1], "r", 1);
        while (got != SIGINT) {
            usleep(1000);
        }
        S("interrupted");
        write(go[1], "i", 1);
        while (got != SIGWINCH) {
            usleep(1000);
        }
        S("resized");
        signal(SIGHUP, on_signal);
        write(go[1], "w", 1);
        while (got != SIGHUP) {
            usleep(1000);
        }
        R(read(own, &c, 1));
        R(write(own, "x", 1));
        _exit(4);
    }
    read(go[0], &c, 1);
    S("a session's, and not ours");
    pid_t group = -1, session = -1;
    R(ioctl(slave, TIOCGPGRP, &group));
    R(ioctl(slave, TIOCGSID, &session));
    R(tcsetpgrp(slave, getpgrp()));
    R(ioctl(master, TIOCGPGRP, &group));
    R(group == child);
    R(ioctl(master, TIOCGSID, &session));
    R(session == child);
    R(ioctl(slave, TIOCSCTTY, 0));
    R(ioctl(slave, TIOCNOTTY));
    type("\003");
    read(go[0], &c, 1);
    size.ws_row = 50;
    ioctl(master, TIOCSWINSZ, &size);
    read(go[0], &c, 1);
    close(slave);
    close(master); /* hangs up */
    wait(&status);
    R(WEXITSTATUS(status));
    S("ends");
    R(openpty(&master, &slave, NULL, NULL, &size));
    write(slave, "last", 4);
    close(slave);
    show("master", master);
    show("master", master);
    struct pollfd p = {.fd = master, .events = POLLIN};
    poll(&p, 1, 0);
    printf("%#x\n", p.revents);
    close(master);
    S("hung up");
    R(openpty(&master, &slave, NULL, NULL, &size));
    p = (struct pollfd){.fd = slave,
                        .events = POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLWRNORM};
    poll(&p, 1, 0);
    printf("%#x\n", p.revents);
    close(master);
    poll(&p, 1, 0);
    printf("%#x\n", p.revents);
    show("slave", slave);
    close(slave);
    S("a shell");
    struct termios quiet = t;
    cfmakeraw(&quiet);
    quiet.c_oflag = OPOST | ONLCR;
    child = forkpty(&master, NULL, &quiet, &size);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c",
              "tty >/dev/null && echo a terminal; stty size; read x; echo got $x", NULL);
        _exit(9);
    }
    type("word\n");
    char all[256] = "";
    size_t have = 0;
    long r;
    while ((r = read(master, all + have, sizeof all - 1 - have)) > 0) {
        have += (size_t)r;
    }
    printf("%s", all);
    wait(&status);
    R(WEXITSTATUS(status));
    return 0;
}
