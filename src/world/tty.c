/* Pseudo-terminals: /dev/ptmx, /dev/pts/N and /dev/tty. What is written to the master goes through
 * the line discipline (lines, echo, signals) to the slave; what is written to the slave goes to the
 * master. A terminal belongs to at most one session; processes in the background are not stopped
 * when they read or write. */
#include "world/tty.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <asm/termios.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "world/heap.h"
#include "world/world_int.h"

enum { LINE_MOST = 4095, OUT_MOST = 65536, DELETE = 0x7f };

/* What a read gives at once: a line, or what came without waiting for one. */
struct typed {
    struct typed *next;
    size_t n, used;
    uint8_t bytes[];
};
struct tty {
    struct tty *next; /* of the node */
    struct node *node;
    int index;
    bool locked, opened; /* the slave: not yet; ever */
    bool literal;        /* the next character means itself (VLNEXT) */
    struct termios termios;
    struct winsize size;
    int sid, pgrp; /* session that it controls, group in the foreground; 0: none */
    struct attrs attrs;
    struct tty_file *master, *slaves;
    struct typed *in, *in_tail; /* for the slave */
    struct bytes line;          /* not yet ended */
    struct bytes out;           /* for the master */
};
struct tty_file {
    struct file f;
    struct tty_file *next; /* of the slaves */
    struct tty *tty;
};

static const struct file_ops master_ops, slave_ops;

static void tty_changed(struct world *w, struct tty *tty, bool in, bool out)
{
    if (tty->master != NULL) {
        file_changed(w, &tty->master->f, out, in);
    }
    for (struct tty_file *f = tty->slaves; f != NULL; f = f->next) {
        file_changed(w, &f->f, in, out);
    }
}

static void signal_group(struct world *w, const struct tty *tty, int pgrp, int sig)
{
    int last = 0;
    for (struct proc *p = tty->node->procs; pgrp != 0 && p != NULL;) {
        if (p->pgid != pgrp || p->state != PROC_LIVE || p->pid <= last) {
            p = p->next;
            continue;
        }
        last = p->pid;
        signal_send_simple(w, p, sig, SI_KERNEL, 0);
        p = tty->node->procs; /* the list may have changed: from its beginning */
    }
}

/* ---- output: to the master ---- */

static void put_out(struct world *w, struct tty *tty, uint8_t c)
{
    uint32_t flags = tty->termios.c_oflag;
    if ((flags & OPOST) != 0 && c == '\n' && (flags & ONLCR) != 0) {
        bytes_put(w, &tty->out, "\r\n", 2);
        return;
    }
    c = (flags & OPOST) != 0 && c == '\r' && (flags & OCRNL) != 0 ? '\n' : c;
    bytes_put(w, &tty->out, &c, 1);
}

static void echo(struct world *w, struct tty *tty, uint8_t c)
{
    uint32_t flags = tty->termios.c_lflag;
    if ((flags & ECHO) == 0 && !(c == '\n' && (flags & ECHONL) != 0 && (flags & ICANON) != 0)) {
        return;
    }
    if ((flags & ECHOCTL) != 0 && (c < ' ' || c == DELETE) && c != '\n' && c != '\t') {
        put_out(w, tty, '^');
        c ^= 0x40;
    }
    put_out(w, tty, c);
}

/* Also the end of a line is shown as what it is. */
static void echo_literally(struct world *w, struct tty *tty, uint8_t c)
{
    bool shown = (tty->termios.c_lflag & ECHO) != 0;
    if (c == '\n' && shown && (tty->termios.c_lflag & ECHOCTL) != 0) {
        bytes_put(w, &tty->out, "^J", 2);
    } else if (c != '\n' || shown) {
        echo(w, tty, c);
    }
}

/* ---- input: from the master to the slave ---- */

static void push(struct world *w, struct tty *tty, const uint8_t *from, size_t n)
{
    struct typed *typed = heap_alloc(w->heap, sizeof *typed + n);
    typed->next = NULL;
    typed->used = 0;
    typed->n = n;
    if (n != 0) {
        memcpy(typed->bytes, from, n);
    }
    *(tty->in_tail != NULL ? &tty->in_tail->next : &tty->in) = typed;
    tty->in_tail = typed;
}

static void push_line(struct world *w, struct tty *tty)
{
    push(w, tty, tty->line.p + tty->line.head, tty->line.n);
    bytes_done(w, &tty->line);
}

static void flush_input(struct world *w, struct tty *tty)
{
    while (tty->in != NULL) {
        struct typed *typed = tty->in;
        tty->in = typed->next;
        heap_free(w->heap, typed);
    }
    tty->in_tail = NULL;
    bytes_done(w, &tty->line);
}

enum erase { ERASE_ONE, ERASE_WORD, ERASE_LINE };

/* Takes the last character of the line back, or the last word with what is behind it, or all. */
static void erase(struct world *w, struct tty *tty, enum erase what)
{
    uint32_t flags = tty->termios.c_lflag;
    bool visible = (flags & ECHO) != 0 && ((flags & ECHOE) != 0 || what == ERASE_WORD);
    bool in_word = false;
    while (tty->line.n > 0) {
        uint8_t c = tty->line.p[tty->line.head + tty->line.n - 1];
        bool of_word = isalnum(c) != 0 || c == '_';
        if (what == ERASE_WORD && in_word && !of_word) {
            return;
        }
        in_word = in_word || of_word;
        tty->line.n--;
        bool two = (flags & ECHOCTL) != 0 && (c < ' ' || c == DELETE) && c != '\t';
        for (int i = 0; visible && i < (two ? 2 : 1); i++) {
            bytes_put(w, &tty->out, "\b \b", 3);
        }
        if (what == ERASE_ONE) {
            return;
        }
    }
}

static bool is_key(const struct tty *tty, int which, uint8_t c)
{
    return tty->termios.c_cc[which] == c && c != 0;
}

/* A character that sends a signal; true when it was one. */
static bool signal_key(struct world *w, struct tty *tty, uint8_t c)
{
    int sig = is_key(tty, VINTR, c)   ? SIGINT
              : is_key(tty, VQUIT, c) ? SIGQUIT
              : is_key(tty, VSUSP, c) ? SIGTSTP
                                      : 0;
    if (sig == 0 || (tty->termios.c_lflag & ISIG) == 0) {
        return false;
    }
    if ((tty->termios.c_lflag & NOFLSH) == 0) {
        flush_input(w, tty);
        bytes_done(w, &tty->out);
    }
    echo(w, tty, c);
    signal_group(w, tty, tty->pgrp, sig);
    return true;
}

/* The line is shown once more, below. */
static void reprint(struct world *w, struct tty *tty, uint8_t c)
{
    echo(w, tty, c);
    put_out(w, tty, '\n');
    for (size_t i = 0; i < tty->line.n; i++) {
        echo(w, tty, tty->line.p[tty->line.head + i]);
    }
}

static void input_line(struct world *w, struct tty *tty, uint8_t c)
{
    uint32_t flags = tty->termios.c_lflag;
    bool extended = (flags & IEXTEN) != 0;
    if (is_key(tty, VERASE, c)) {
        erase(w, tty, ERASE_ONE);
    } else if (is_key(tty, VKILL, c)) {
        erase(w, tty, ERASE_LINE);
    } else if (extended && is_key(tty, VWERASE, c)) {
        erase(w, tty, ERASE_WORD);
    } else if (extended && is_key(tty, VLNEXT, c)) {
        tty->literal = true;
        if ((flags & ECHO) != 0 && (flags & ECHOCTL) != 0) {
            bytes_put(w, &tty->out, "^\b", 2);
        }
    } else if (extended && (flags & ECHO) != 0 && is_key(tty, VREPRINT, c)) {
        reprint(w, tty, c);
    } else if (is_key(tty, VEOF, c)) {
        push_line(w, tty);
    } else {
        bool ends = c == '\n' || is_key(tty, VEOL, c);
        if (tty->line.n >= LINE_MOST && !ends) {
            return;
        }
        echo(w, tty, c);
        bytes_put(w, &tty->line, &c, 1);
        if (ends) {
            push_line(w, tty);
        }
    }
}

static void input(struct world *w, struct tty *tty, uint8_t c)
{
    uint32_t flags = tty->termios.c_iflag;
    c = (flags & ISTRIP) != 0 ? c & 0x7f : c;
    if (tty->literal) {
        tty->literal = false;
        if (tty->line.n < LINE_MOST) {
            echo_literally(w, tty, c);
            bytes_put(w, &tty->line, &c, 1);
        }
        return;
    }
    if (signal_key(w, tty, c)) {
        return;
    }
    if ((flags & IXON) != 0 && (is_key(tty, VSTART, c) || is_key(tty, VSTOP, c))) {
        return;
    }
    if (c == '\r') {
        if ((flags & IGNCR) != 0) {
            return;
        }
        c = (flags & ICRNL) != 0 ? '\n' : c;
    } else if (c == '\n') {
        c = (flags & INLCR) != 0 ? '\r' : c;
    }
    if ((tty->termios.c_lflag & ICANON) != 0) {
        input_line(w, tty, c);
    } else {
        echo(w, tty, c);
        push(w, tty, &c, 1);
    }
}

/* ---- reading and writing ---- */

static int64_t master_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct tty *tty = ((struct tty_file *)f)->tty;
    if (tty->out.n == 0) {
        return tty->opened && tty->slaves == NULL ? -EIO : -EAGAIN;
    }
    size_t n = tty->out.n < uio_left(u) ? tty->out.n : uio_left(u);
    size_t put = uio_put(u, tty->out.p + tty->out.head, n);
    if (put == 0 && n != 0) {
        return -EFAULT;
    }
    hash_data(w, tty->out.p + tty->out.head, put);
    bytes_drop(w, &tty->out, put);
    tty_changed(w, tty, false, true);
    return (int64_t)put;
}

static int64_t master_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct tty *tty = ((struct tty_file *)f)->tty;
    uint8_t bytes[4096];
    size_t n = uio_get(u, bytes, uio_left(u) < sizeof bytes ? uio_left(u) : sizeof bytes);
    if (n == 0) {
        return uio_left(u) == 0 ? 0 : -EFAULT;
    }
    for (size_t i = 0; i < n; i++) {
        input(w, tty, bytes[i]);
    }
    tty_changed(w, tty, true, true);
    return (int64_t)n;
}

static size_t readable(const struct tty *tty)
{
    size_t n = 0;
    for (const struct typed *typed = tty->in; typed != NULL; typed = typed->next) {
        n += typed->n - typed->used;
    }
    return n;
}

static int64_t slave_read(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct tty *tty = ((struct tty_file *)f)->tty;
    bool lines = (tty->termios.c_lflag & ICANON) != 0;
    size_t least = lines ? 1 : tty->termios.c_cc[VMIN];
    least = least < uio_left(u) ? least : uio_left(u);
    f->rcv_timeout_ns =
        lines || tty->termios.c_cc[VMIN] != 0 ? 0 : tty->termios.c_cc[VTIME] * UINT64_C(100000000);
    bool some = (f->flags & O_NONBLOCK) != 0; /* then it takes what there is */
    if (tty->in == NULL || (!lines && !some && readable(tty) < least)) {
        bool none = tty->master == NULL || (!lines && least == 0 && f->rcv_timeout_ns == 0);
        return none || (u->t->timed_out && f->rcv_timeout_ns != 0) ? 0 : -EAGAIN;
    }
    int64_t total = 0;
    do {
        struct typed *typed = tty->in;
        size_t n = typed->n - typed->used < uio_left(u) ? typed->n - typed->used : uio_left(u);
        if (uio_put(u, typed->bytes + typed->used, n) != n) {
            return total != 0 ? total : -EFAULT;
        }
        hash_data(w, typed->bytes + typed->used, n);
        typed->used += n;
        total += (int64_t)n;
        if (typed->used == typed->n) {
            tty->in = typed->next;
            tty->in_tail = tty->in == NULL ? NULL : tty->in_tail;
            heap_free(w->heap, typed);
        }
    } while (!lines && tty->in != NULL && uio_left(u) > 0);
    tty_changed(w, tty, false, true);
    return total;
}

static int64_t slave_write(struct world *w, struct file *f, struct uio *u, const int64_t *off)
{
    (void)off;
    struct tty *tty = ((struct tty_file *)f)->tty;
    uint8_t bytes[4096];
    if (tty->master == NULL) {
        return -EIO;
    }
    if (tty->out.n >= OUT_MOST) {
        return -EAGAIN;
    }
    size_t n = uio_get(u, bytes, uio_left(u) < sizeof bytes ? uio_left(u) : sizeof bytes);
    if (n == 0) {
        return uio_left(u) == 0 ? 0 : -EFAULT;
    }
    hash_data(w, bytes, n);
    for (size_t i = 0; i < n; i++) {
        put_out(w, tty, bytes[i]);
    }
    tty_changed(w, tty, false, true);
    return (int64_t)n;
}

static uint32_t master_poll(struct world *w, struct file *f)
{
    (void)w;
    const struct tty *tty = ((struct tty_file *)f)->tty;
    return EPOLLOUT | EPOLLWRNORM | (tty->out.n != 0 ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0) |
           (tty->opened && tty->slaves == NULL ? (uint32_t)EPOLLHUP : 0);
}

static uint32_t slave_poll(struct world *w, struct file *f)
{
    (void)w;
    const struct tty *tty = ((struct tty_file *)f)->tty;
    if (tty->master == NULL) {
        return EPOLLIN | EPOLLRDNORM | EPOLLOUT | EPOLLWRNORM | EPOLLERR | EPOLLHUP;
    }
    return (tty->in != NULL ? (uint32_t)(EPOLLIN | EPOLLRDNORM) : 0) |
           (tty->out.n < OUT_MOST ? (uint32_t)(EPOLLOUT | EPOLLWRNORM) : 0);
}

/* ---- life ---- */

static void tty_collect(struct world *w, struct tty *tty)
{
    if (tty->master != NULL || tty->slaves != NULL) {
        return;
    }
    for (struct tty **at = &tty->node->ttys; *at != NULL; at = &(*at)->next) {
        if (*at == tty) {
            *at = tty->next;
            break;
        }
    }
    flush_input(w, tty);
    bytes_done(w, &tty->out);
    heap_free(w->heap, tty);
}

static void master_release(struct world *w, struct file *f)
{
    struct tty *tty = ((struct tty_file *)f)->tty;
    tty->master = NULL;
    struct proc *leader = tty->sid != 0 ? proc_find(tty->node, tty->sid) : NULL;
    tty->sid = tty->pgrp = 0;
    tty_changed(w, tty, true, true);
    if (leader != NULL && leader->state == PROC_LIVE) {
        signal_send_simple(w, leader, SIGHUP, SI_KERNEL, 0);
        signal_send_simple(w, leader, SIGCONT, SI_KERNEL, 0);
    }
    tty_collect(w, tty);
}

static void slave_release(struct world *w, struct file *f)
{
    struct tty *tty = ((struct tty_file *)f)->tty;
    for (struct tty_file **at = &tty->slaves; *at != NULL; at = &(*at)->next) {
        if (&(*at)->f == f) {
            *at = (*at)->next;
            break;
        }
    }
    tty_changed(w, tty, true, true);
    tty_collect(w, tty);
}

static void slave_stat_of(const struct tty *tty, struct stat *st)
{
    *st = (struct stat){.st_mode = S_IFCHR | tty->attrs.mode,
                        .st_uid = tty->attrs.uid,
                        .st_gid = tty->attrs.gid,
                        .st_ino = (ino_t)tty->index + 3,
                        .st_nlink = 1,
                        .st_blksize = 1024,
                        .st_dev = 0x24,
                        .st_rdev = makedev(136, (unsigned)tty->index)};
}

static void slave_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    slave_stat_of(((struct tty_file *)f)->tty, st);
}

static void device_stat(struct stat *st, unsigned minor)
{
    *st = (struct stat){.st_mode = S_IFCHR | 0666,
                        .st_ino = minor,
                        .st_nlink = 1,
                        .st_blksize = 4096,
                        .st_rdev = makedev(5, minor)};
}

static void master_stat(struct world *w, struct file *f, struct stat *st)
{
    (void)w;
    (void)f;
    device_stat(st, 2);
}

static struct attrs *slave_attrs(struct file *f)
{
    return &((struct tty_file *)f)->tty->attrs;
}

/* ---- ioctl ---- */

static struct tty *tty_of_session(const struct node *node, int sid)
{
    struct tty *tty = node->ttys;
    while (tty != NULL && tty->sid != sid) {
        tty = tty->next;
    }
    return tty;
}

static int64_t take_session(struct thread *t, struct tty *tty)
{
    const struct proc *p = t->proc;
    if (tty->sid == p->sid && tty->sid == p->pid) {
        return 0;
    }
    if (p->sid != p->pid || tty_of_session(p->node, p->sid) != NULL || tty->sid != 0) {
        return -EPERM;
    }
    tty->sid = p->sid;
    tty->pgrp = p->pgid;
    return 0;
}

static int64_t set_group(struct thread *t, struct tty *tty, uint64_t arg)
{
    int pgrp = 0;
    if (tty->sid != t->proc->sid) {
        return -ENOTTY;
    }
    if (!mem_read(t, arg, &pgrp, sizeof pgrp)) {
        return -EFAULT;
    }
    if (pgrp < 0) {
        return -EINVAL;
    }
    for (const struct proc *p = tty->node->procs; p != NULL; p = p->next) {
        if (p->pgid == pgrp) {
            if (p->sid != tty->sid) {
                return -EPERM;
            }
            tty->pgrp = pgrp;
            return 0;
        }
    }
    return -ESRCH;
}

static int64_t job_ioctl(struct world *w, struct thread *t, struct tty_file *f, uint64_t cmd,
                         uint64_t arg)
{
    struct tty *tty = f->tty;
    bool own = f == tty->master || tty->sid == t->proc->sid;
    switch (cmd) {
    case TIOCSCTTY: return f == tty->master ? -EPERM : take_session(t, tty);
    case TIOCNOTTY:
        if (tty->sid != t->proc->sid) {
            return -ENOTTY;
        }
        if (t->proc->pid == t->proc->sid) {
            tty_session_exit(w, t->proc);
        }
        return 0;
    case TIOCGPGRP:
        return !own || tty->sid == 0                             ? -ENOTTY
               : mem_write(t, arg, &tty->pgrp, sizeof tty->pgrp) ? 0
                                                                 : -EFAULT;
    case TIOCSPGRP: return set_group(t, tty, arg);
    default:
        return !own || tty->sid == 0                           ? -ENOTTY
               : mem_write(t, arg, &tty->sid, sizeof tty->sid) ? 0
                                                               : -EFAULT;
    }
}

static int64_t size_ioctl(struct world *w, struct thread *t, struct tty *tty, uint64_t cmd,
                          uint64_t arg)
{
    struct winsize size;
    if (cmd == TIOCGWINSZ) {
        return mem_write(t, arg, &tty->size, sizeof size) ? 0 : -EFAULT;
    }
    if (!mem_read(t, arg, &size, sizeof size)) {
        return -EFAULT;
    }
    if (memcmp(&size, &tty->size, sizeof size) != 0) {
        tty->size = size;
        signal_group(w, tty, tty->pgrp, SIGWINCH);
    }
    return 0;
}

static int64_t set_termios(struct world *w, struct thread *t, struct tty *tty, uint64_t cmd,
                           uint64_t arg)
{
    struct termios new;
    if (!mem_read(t, arg, &new, sizeof new)) {
        return -EFAULT;
    }
    if (cmd == TCSETSF) {
        flush_input(w, tty);
    }
    bool lines = (new.c_lflag &ICANON) != 0;
    if (!lines && tty->line.n != 0) {
        push_line(w, tty); /* what was typed can be read now */
    }
    tty->termios = new;
    tty_changed(w, tty, true, true);
    return 0;
}

static int64_t pty_ioctl(struct world *w, struct thread *t, struct tty_file *f, uint64_t cmd,
                         uint64_t arg)
{
    struct tty *tty = f->tty;
    int number = 0;
    switch (cmd) {
    case TIOCGPTN: return mem_write(t, arg, &tty->index, sizeof(int)) ? 0 : -EFAULT;
    case TIOCSPTLCK:
        if (!mem_read(t, arg, &number, sizeof number)) {
            return -EFAULT;
        }
        tty->locked = number != 0;
        return 0;
    case TIOCGPTLCK:
        number = tty->locked ? 1 : 0;
        return mem_write(t, arg, &number, sizeof number) ? 0 : -EFAULT;
    case TIOCGPTPEER: {
        struct file *slave = NULL;
        int64_t status = tty_open_slave(w, t, tty->index, (int)arg, &slave);
        return status != 0 ? status : fd_add(w, t->proc, slave, ((int)arg & O_CLOEXEC) != 0, 0);
    }
    default: return -ENOTTY;
    }
}

static int64_t tty_ioctl(struct world *w, struct thread *t, struct file *file, uint64_t cmd,
                         uint64_t arg)
{
    struct tty_file *f = (struct tty_file *)file;
    struct tty *tty = f->tty;
    bool master = f == tty->master;
    int n = 0;
    switch (cmd) {
    case TCGETS: return mem_write(t, arg, &tty->termios, sizeof tty->termios) ? 0 : -EFAULT;
    case TCSETS:
    case TCSETSW:
    case TCSETSF: return set_termios(w, t, tty, cmd, arg);
    case TIOCGWINSZ:
    case TIOCSWINSZ: return size_ioctl(w, t, tty, cmd, arg);
    case TIOCSCTTY:
    case TIOCNOTTY:
    case TIOCGPGRP:
    case TIOCSPGRP:
    case TIOCGSID: return job_ioctl(w, t, f, cmd, arg);
    case TCFLSH:
        if (arg > TCIOFLUSH) {
            return -EINVAL;
        }
        if (master ? arg != TCIFLUSH : arg != TCOFLUSH) {
            flush_input(w, tty);
        }
        if (master ? arg != TCOFLUSH : arg != TCIFLUSH) {
            bytes_done(w, &tty->out); /* on its way to the master */
        }
        return 0;
    case TCSBRK:
    case TCSBRKP:
    case TCXONC:
    case TIOCEXCL:
    case TIOCNXCL: return 0;
    case FIONREAD:
        n = master                                 ? (int)tty->out.n
            : (tty->termios.c_lflag & ICANON) == 0 ? (int)readable(tty)
                                                   : (int)(tty->in != NULL ? readable(tty) : 0);
        return mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
    case TIOCOUTQ: return mem_write(t, arg, &n, sizeof n) ? 0 : -EFAULT;
    default: return master ? pty_ioctl(w, t, f, cmd, arg) : -ENOTTY;
    }
}

static const struct file_ops master_ops = {
    .name = "tty",
    .read = master_read,
    .write = master_write,
    .poll = master_poll,
    .release = master_release,
    .ioctl = tty_ioctl,
    .stat = master_stat,
};
static const struct file_ops slave_ops = {
    .name = "tty",
    .read = slave_read,
    .write = slave_write,
    .poll = slave_poll,
    .release = slave_release,
    .ioctl = tty_ioctl,
    .stat = slave_stat,
    .attrs = slave_attrs,
};

/* ---- opening ---- */

static struct tty *tty_find(const struct node *node, int index)
{
    struct tty *tty = node->ttys;
    while (tty != NULL && (tty->index != index || tty->master == NULL)) {
        tty = tty->next;
    }
    return tty;
}

static int64_t open_master(struct world *w, struct thread *t, int flags, struct file **ret_file)
{
    static const struct termios usual = {
        .c_iflag = ICRNL | IXON,
        .c_oflag = OPOST | ONLCR,
        .c_cflag = B38400 | CS8 | CREAD,
        .c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN,
        .c_cc = {3, 28, DELETE, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22},
    };
    struct node *node = t->proc->node;
    struct tty *tty = HEAP_NEW(w->heap, struct tty);
    while (tty_find(node, tty->index) != NULL) {
        tty->index++;
    }
    tty->node = node;
    tty->next = node->ttys;
    node->ttys = tty;
    tty->locked = true;
    tty->termios = usual;
    tty->attrs = (struct attrs){0620, t->cred->uid[CRED_FS], 5};
    struct tty_file *f = file_new(w, node, &master_ops, sizeof *f, flags);
    f->tty = tty;
    f->f.path = heap_strdup(w, "/dev/ptmx");
    tty->master = f;
    *ret_file = &f->f;
    return 0;
}

int64_t tty_open_slave(struct world *w, struct thread *t, int index, int flags,
                       struct file **ret_file)
{
    struct tty *tty = tty_find(t->proc->node, index);
    if (tty == NULL || tty->locked) {
        return tty == NULL ? -ENOENT : -EIO;
    }
    struct tty_file *f =
        file_new(w, tty->node, &slave_ops, sizeof *f, flags & ~(O_CLOEXEC | O_NOCTTY | O_CREAT));
    char path[32];
    (void)snprintf(path, sizeof path, "/dev/pts/%d", index);
    f->f.path = heap_strdup(w, path);
    f->tty = tty;
    f->next = tty->slaves;
    tty->slaves = f;
    tty->opened = true;
    if ((flags & O_NOCTTY) == 0) {
        (void)take_session(t, tty); /* if it can */
    }
    *ret_file = &f->f;
    return 0;
}

/* N of /dev/pts/N; -1: something else. */
static int slave_number(const char *path)
{
    static const char prefix[] = "/dev/pts/";
    if (strncmp(path, prefix, sizeof prefix - 1) != 0) {
        return -1;
    }
    char *end = NULL;
    long n = strtol(path + sizeof prefix - 1, &end, 10);
    return end != path + sizeof prefix - 1 && *end == '\0' && n >= 0 && n < 4096 ? (int)n : -1;
}

int64_t tty_open(struct world *w, struct thread *t, const char *path, int flags,
                 struct file **ret_file)
{
    if (strcmp(path, "/dev/ptmx") == 0 || strcmp(path, "/dev/pts/ptmx") == 0) {
        return open_master(w, t, flags & ~(O_CLOEXEC | O_NOCTTY | O_CREAT), ret_file);
    }
    if (strcmp(path, "/dev/tty") == 0) {
        const struct tty *tty = tty_of_session(t->proc->node, t->proc->sid);
        return tty == NULL ? -ENXIO : tty_open_slave(w, t, tty->index, flags | O_NOCTTY, ret_file);
    }
    int n = slave_number(path);
    return n < 0 ? TTY_NOT : tty_open_slave(w, t, n, flags, ret_file);
}

bool tty_stat(const struct node *node, const char *path, struct stat *st)
{
    const struct tty *tty = tty_find(node, slave_number(path));
    if (tty != NULL) {
        slave_stat_of(tty, st);
        return true;
    }
    bool master = strcmp(path, "/dev/ptmx") == 0 || strcmp(path, "/dev/pts/ptmx") == 0;
    if (master || strcmp(path, "/dev/tty") == 0) {
        device_stat(st, master ? 2 : 0);
        return true;
    }
    return false;
}

size_t tty_list(const struct node *node, int *ret, size_t cap)
{
    size_t n = 0;
    for (int i = 0; i < 4096 && n < cap; i++) {
        if (tty_find(node, i) != NULL) {
            ret[n++] = i;
        }
    }
    return n;
}

void tty_session_exit(struct world *w, const struct proc *leader)
{
    struct tty *tty = leader->pid == leader->sid ? tty_of_session(leader->node, leader->sid) : NULL;
    if (tty != NULL) {
        int pgrp = tty->pgrp;
        tty->sid = tty->pgrp = 0;
        signal_group(w, tty, pgrp, SIGHUP);
        signal_group(w, tty, pgrp, SIGCONT);
    }
}
