/* Options of sockets: kept for whoever asks; some of them change what a socket does. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/socket.h>
#include <sys/time.h>

#include "world/calls.h"
#include "world/heap.h"
#include "world/socket.h"
#include "world/world_int.h"

static struct sockopt *option_find(const struct sock *s, int level, int name)
{
    for (struct sockopt *o = s->options; o != NULL; o = o->next) {
        if (o->level == level && o->name == name) {
            return o;
        }
    }
    return NULL;
}

bool sock_option_on(const struct sock *s, int level, int name)
{
    const struct sockopt *o = option_find(s, level, name);
    return o != NULL && o->value[0] != 0;
}

static uint64_t timeval_to_ns(const uint8_t *bytes)
{
    struct timeval tv;
    memcpy(&tv, bytes, sizeof tv);
    return (uint64_t)tv.tv_sec * 1000000000 + (uint64_t)tv.tv_usec * 1000;
}

static void option_effect(struct sock *s, int level, int name, const uint8_t *value, uint32_t n)
{
    int number = 0;
    memcpy(&number, value, n < sizeof number ? n : sizeof number);
    if (level == IPPROTO_IPV6 && name == IPV6_V6ONLY) {
        s->v6only = number != 0;
    }
    if (level != SOL_SOCKET) {
        return;
    }
    switch (name) {
    case SO_REUSEADDR: s->reuse = number != 0; break;
    case SO_REUSEPORT: s->share_port = number != 0; break;
    case SO_PASSCRED: s->passcred = number != 0; break;
    case SO_RCVTIMEO: s->f.rcv_timeout_ns = timeval_to_ns(value); break;
    case SO_SNDTIMEO: s->f.snd_timeout_ns = timeval_to_ns(value); break;
    case SO_LINGER: {
        struct linger l = {0};
        memcpy(&l, value, n < sizeof l ? n : sizeof l);
        s->abort_on_close = l.l_onoff != 0 && l.l_linger == 0;
        break;
    }
    default: break;
    }
}

static bool level_fits(const struct sock *s, int level)
{
    switch (level) {
    case SOL_SOCKET: return true;
    case IPPROTO_TCP: return s->domain != AF_UNIX && s->type == SOCK_STREAM;
    case SOL_NETLINK: return s->domain == AF_NETLINK;
    case IPPROTO_IP:
    case IPPROTO_UDP: return s->domain == AF_INET || s->domain == AF_INET6;
    case IPPROTO_IPV6: return s->domain == AF_INET6;
    default: return false;
    }
}

/* Linux has numbered its options of SOL_SOCKET up to about here. */
static bool option_exists(int level, int name)
{
    enum { LAST = 100 };
    return level != SOL_SOCKET || (name > 0 && name < LAST);
}

int64_t call_setsockopt(struct world *w, struct thread *t)
{
    int64_t status = 0;
    int level = (int)t->a[1], name = (int)t->a[2];
    uint32_t n = (uint32_t)t->a[4];
    uint8_t value[128] = {0};
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (!level_fits(s, level)) {
        return s->domain == AF_UNIX ? -EOPNOTSUPP : -ENOPROTOOPT;
    }
    if (!option_exists(level, name)) {
        return -ENOPROTOOPT;
    }
    if (n > sizeof value || n == 0 || (n < 4 && level != IPPROTO_IP)) {
        return -EINVAL;
    }
    if (!mem_read(t, t->a[3], value, n)) {
        return -EFAULT;
    }
    if (level == SOL_SOCKET && (name == SO_ERROR || name == SO_TYPE || name == SO_DOMAIN ||
                                name == SO_PROTOCOL || name == SO_ACCEPTCONN)) {
        return -ENOPROTOOPT;
    }
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO) && n < 16) {
        return -EINVAL;
    }
    struct sockopt given = {.level = level, .name = name, .n = n};
    memcpy(given.value, value, n);
    if (multicast_set(w, s, level, &given, &status)) {
        return status;
    }
    struct sockopt *o = option_find(s, level, name);
    if (o == NULL) {
        o = HEAP_NEW(w->heap, struct sockopt);
        o->next = s->options;
        s->options = o;
    }
    o->level = level;
    o->name = name;
    o->n = n;
    memcpy(o->value, value, n);
    if (level == SOL_SOCKET && (name == SO_RCVBUF || name == SO_SNDBUF)) {
        int bytes = 0;
        memcpy(&bytes, value, sizeof bytes);
        bytes = bytes < 1152 ? 2304 : bytes > 212992 ? 425984 : bytes * 2; /* as Linux doubles it */
        memcpy(o->value, &bytes, sizeof bytes);
    }
    option_effect(s, level, name, value, n);
    return 0;
}

#define BIT(n)     (UINT64_C(1) << (n))
#define BITS(a, b) ((BIT((b) - (a) + 1) - 1) << (a))

/* Options that cannot be asked for, by number: there are none such, or they can only be set. */
static bool option_unknown(const struct sock *s, int level, int name)
{
    static const uint64_t ip = BITS(16, 17) | BITS(27, 31) | BITS(35, 40) | BITS(42, 47),
                          tcp = BITS(14, 15) | BIT(22) | BIT(32),
                          ip6 = BIT(7) | BITS(9, 10) | BITS(12, 15) | BITS(20, 21) | BITS(27, 28) |
                                BITS(34, 47) | BIT(50) | BIT(52) | BIT(63);
    enum { IP_LAST = 52, TCP_LAST = 37, IP6_LAST = 78 };
    uint64_t unknown = level == IPPROTO_IP ? ip : level == IPPROTO_TCP ? tcp : ip6;
    int last = level == IPPROTO_IP ? IP_LAST : level == IPPROTO_TCP ? TCP_LAST : IP6_LAST;
    if (level != IPPROTO_IP && level != IPPROTO_TCP && level != IPPROTO_IPV6) {
        return false;
    }
    bool stream = (level == IPPROTO_IP && name == IP_PKTOPTIONS) ||
                  (level == IPPROTO_IPV6 && name == IPV6_2292PKTOPTIONS);
    return name <= 0 || name > last || (name < 64 && (unknown >> name & 1) != 0) ||
           (stream && s->type != SOCK_STREAM);
}

/* Options of IP that are lists, and empty. */
static bool option_empty(int level, int name)
{
    switch (level) {
    case IPPROTO_IP: return name == IP_OPTIONS || name == IP_PKTOPTIONS;
    case IPPROTO_TCP: return name == TCP_ULP || name == TCP_FASTOPEN_KEY;
    case IPPROTO_IPV6:
        return name == IPV6_2292PKTOPTIONS || name == IPV6_HOPOPTS || name == IPV6_RTHDRDSTOPTS ||
               name == IPV6_RTHDR || name == IPV6_DSTOPTS;
    default: return false;
    }
}

/* Those that only a connected socket has an answer to. */
static bool option_of_path(int level, int name)
{
    return (level == IPPROTO_IP && name == IP_MTU) ||
           (level == IPPROTO_IPV6 && (name == IPV6_MTU || name == IPV6_PATHMTU));
}

static int ip_default(int level, int name)
{
    if (level == IPPROTO_IP) {
        return name == IP_TTL ? 64 : name == IP_MTU ? 1500 : name == IP_MTU_DISCOVER ? 1 : 0;
    }
    if (level != IPPROTO_IPV6) {
        return 0;
    }
    switch (name) {
    case IPV6_UNICAST_HOPS: return 64;
    case IPV6_MTU: return 1500;
    case IPV6_MTU_DISCOVER:
    case IPV6_MULTICAST_ALL:
    case IPV6_AUTOFLOWLABEL: return 1;
    default: return 0;
    }
}

/* Options that were never set; 0 for those that are flags. */
static uint32_t option_default(const struct sock *s, int level, int name, uint8_t value[128])
{
    int number = 0;
    if (multicast_get(s, level, name, &number)) {
        memcpy(value, &number, sizeof number);
        return sizeof number;
    }
    if (level == SOL_SOCKET) {
        switch (name) {
        case SO_TYPE: number = s->type; break;
        case SO_DOMAIN: number = s->domain; break;
        case SO_PROTOCOL: number = s->protocol; break;
        case SO_ACCEPTCONN: number = s->state == SOCK_LISTENING; break;
        case SO_RCVBUF:
            number = s->type == SOCK_STREAM && s->domain != AF_UNIX ? 131072 : 212992;
            break;
        case SO_SNDBUF:
            number = s->type == SOCK_STREAM && s->domain != AF_UNIX ? 16384 : 212992;
            break;
        case SO_RCVLOWAT: number = 1; break;
        case SO_LINGER: return 8;
        case SO_RCVTIMEO:
        case SO_SNDTIMEO: return 16;
        case SO_PEERCRED: {
            struct ucred u = {s->peer_creds.pid, s->peer_creds.uid, s->peer_creds.gid};
            memcpy(value, &u, sizeof u);
            return sizeof u;
        }
        default: break;
        }
    } else if (level == IPPROTO_TCP) {
        number = name == TCP_MAXSEG      ? 1460
                 : name == TCP_KEEPIDLE  ? 7200
                 : name == TCP_KEEPINTVL ? 75
                 : name == TCP_KEEPCNT   ? 9
                 : name == TCP_SYNCNT    ? 6
                 : name == TCP_LINGER2   ? 60
                 : name == TCP_QUICKACK  ? 1
                                         : 0;
        if (name == TCP_CONGESTION) {
            memcpy(value, "cubic", sizeof "cubic");
            return 16;
        }
        if (name == TCP_INFO) {
            value[0] = s->state == SOCK_CONNECTED    ? 1
                       : s->state == SOCK_LISTENING  ? 10
                       : s->state == SOCK_CONNECTING ? 2
                                                     : 7;
            return 104;
        }
    } else {
        number = ip_default(level, name);
    }
    memcpy(value, &number, sizeof number);
    return sizeof number;
}

int64_t call_getsockopt(struct world *w, struct thread *t)
{
    int64_t status = 0;
    int level = (int)t->a[1], name = (int)t->a[2];
    int32_t room = 0;
    uint8_t value[128] = {0};
    struct sock *s = sock_get(t, t->a[0], &status);
    if (status != 0) {
        return status;
    }
    if (!mem_read(t, t->a[4], &room, sizeof room)) {
        return -EFAULT;
    }
    if (room < 0) {
        return -EINVAL;
    }
    if (!level_fits(s, level)) {
        return s->domain == AF_UNIX ? -EOPNOTSUPP : -ENOPROTOOPT;
    }
    if (!option_exists(level, name)) {
        return -ENOPROTOOPT;
    }
    const struct sockopt *o = option_find(s, level, name);
    uint32_t n = 0;
    if (level == SOL_SOCKET && name == SO_ERROR) {
        (void)s->f.ops->poll(w, &s->f); /* a connect may just have timed out */
        memcpy(value, &s->err, sizeof s->err);
        s->err = 0;
        n = sizeof(int);
    } else if (o != NULL) {
        memcpy(value, o->value, o->n);
        n = o->n;
    } else if (option_unknown(s, level, name)) {
        return -ENOPROTOOPT;
    } else if (option_of_path(level, name) && s->state != SOCK_CONNECTED) {
        return -ENOTCONN;
    } else if (!option_empty(level, name)) {
        n = option_default(s, level, name, value);
    }
    n = n < (uint32_t)room ? n : (uint32_t)room;
    return mem_write(t, t->a[3], value, n) && mem_write(t, t->a[4], &n, sizeof n) ? 0 : -EFAULT;
}
