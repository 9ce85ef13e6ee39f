/* A terminal: what of the same bytes reaches the reader and the screen, under every flag. */
#include <termios.h>

#include "../t.h"

static int master, slave;

static void show(const char *what, int fd)
{
    unsigned char buf[512];
    ssize_t n = read(fd, buf, sizeof buf);
    printf(" %s %zd%s:", what, n, n < 0 ? strerrorname_np(errno) : "");
    for (ssize_t i = 0; i < n; i++) {
        printf(buf[i] > ' ' && buf[i] < 127 && buf[i] != '\\' ? "%c" : "\\%02x", buf[i]);
    }
}

static void open_pair(void)
{
    char name[64];
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK);
    int off = 0, number = -1;
    ioctl(master, TIOCSPTLCK, &off);
    ioctl(master, TIOCGPTN, &number);
    snprintf(name, sizeof name, "/dev/pts/%d", number);
    slave = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
}

static void one(const char *title, const struct termios *t, const char *bytes, size_t n)
{
    open_pair();
    tcsetattr(slave, TCSANOW, t);
    printf("%s", title);
    ssize_t put = write(master, bytes, n);
    int in = -1, out = -1;
    ioctl(slave, FIONREAD, &in);
    printf(" put %zd waiting %d", put, in);
    show("screen", master);
    for (int i = 0; i < 4; i++) {
        show("read", slave);
    }
    put = write(slave, "a\tb\nc\rd\r\n", 9);
    ioctl(master, FIONREAD, &out);
    printf(" wrote %zd waiting %d", put, out);
    show("screen", master);
    printf("\n");
    fflush(stdout);
    close(slave);
    close(master);
}

static const char keys[] = "ab\x7f" "c\n" "de fg\r" "hi\x15j\n" "kl\n" "m\x04no\n\x1b[A\xe9\n" "\x08p\n\x00q\n";

int main(void)
{
    struct termios plain, t;
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    open_pair();
    tcgetattr(slave, &plain);
    printf("i %x o %x c %x l %x line %d speed %d %d\n", plain.c_iflag, plain.c_oflag, plain.c_cflag, plain.c_lflag, plain.c_line, cfgetispeed(&plain), cfgetospeed(&plain));
    for (int i = 0; i < NCCS; i++) {
        printf(" %x", plain.c_cc[i]);
    }
    struct winsize size = {1, 2, 3, 4};
    R(ioctl(slave, TIOCGWINSZ, &size));
    printf("%d %d %d %d\n", size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel);
    size = (struct winsize){24, 80, 5, 6};
    R(ioctl(master, TIOCSWINSZ, &size));
    memset(&size, 0, sizeof size);
    R(ioctl(slave, TIOCGWINSZ, &size));
    printf("%d %d %d %d\n", size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel);
    for (unsigned long c = 0x5400; c < 0x5480; c++) {
        int word[16] = {0};
        static const unsigned long skip[] = {TIOCSTI, TIOCSCTTY, TIOCNOTTY, TIOCSPGRP, TIOCVHANGUP, TCSBRK, TCSBRKP, TIOCEXCL, TCXONC};
        bool out = false;
        for (size_t i = 0; i < sizeof skip / sizeof skip[0]; i++) {
            out = out || c == skip[i];
        }
        if (!out && (c == TIOCGPGRP || c == TIOCGSID || c == TIOCOUTQ || c == TIOCGETD || c == FIONREAD || c == TIOCMGET || c == TIOCGEXCL || c == TCGETS)) {
            errno = 0;
            long r = ioctl(slave, c, word);
            printf("ioctl %lx: %s %x %x %x\n", c, r < 0 ? strerrorname_np(errno) : "ok", word[0], word[1], word[2]);
        }
    }
    close(slave);
    close(master);
    one("plain", &plain, keys, sizeof keys - 1);
    for (int group = 0; group < 3; group++) {
        for (int bit = 0; bit < 18; bit++) {
            char title[32];
            t = plain;
            tcflag_t *word = group == 0 ? &t.c_iflag : group == 1 ? &t.c_oflag : &t.c_lflag;
            *word ^= 1U << bit;
            snprintf(title, sizeof title, "%c %x:", "iol"[group], 1U << bit);
            one(title, &t, keys, sizeof keys - 1);
        }
    }
    t = plain;
    one("interrupt", &t, "ab\x03" "cd\n", 6);
    t.c_lflag |= NOFLSH;
    one("interrupt without a flush", &t, "ab\x1c" "cd\n", 6);
    cfmakeraw(&t);
    one("raw", &t, keys, sizeof keys - 1);
    static const cc_t least[] = {0, 1, 5, 200};
    for (size_t i = 0; i < 4; i++) {
        t.c_cc[VMIN] = least[i];
        t.c_cc[VTIME] = i == 2;
        one("min", &t, "abcdefgh", 8);
    }
    for (int i = 0; i < NCCS; i++) {
        t = plain;
        t.c_cc[i] = 'c';
        char title[32];
        snprintf(title, sizeof title, "key %d:", i);
        one(title, &t, "ab cd\nefc\n", 10);
    }
    static char many[5000];
    memset(many, 'y', sizeof many);
    for (size_t n = 4093; n < 4099; n++) {
        open_pair();
        ssize_t put = write(master, many, n), more = write(master, "z\n", 2);
        printf("%zu: %zd %zd", n, put, more);
        ssize_t got = read(slave, many, sizeof many);
        printf(" %zd %c\n", got, got > 1 ? many[got - 2] : '-');
        memset(many, 'y', sizeof many);
        close(slave);
        close(master);
    }
    return 0;
}
