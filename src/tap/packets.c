/* A packet socket gives packets without their link's head (SOCK_DGRAM), so that all interfaces look
 * alike. They go through the reader of libpcap's files, as a file that grows. What the kernel has
 * dropped, it counts: that is a gap. */
#include "tap/packets.h"

#include <asm-generic/ioctls.h>
#include <asm-generic/socket.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "capture/capture.h"
#include "tap/tap.h"

enum { PACKET_MOST = 1 << 16, LINK_RAW = 101, FILE_HEAD = 24, PACKET_HEAD = 16 };

struct packets {
    int fd;
    FILE *file;
    struct capture_reader *reader;
    struct strbuf bytes; /* of the file, not read yet: from `at` on */
    size_t at;
    uint64_t dropped, told; /* by the kernel; of these, told as gaps */
    uint64_t gaps;
    const struct capture_node *nodes;
    size_t n_nodes;
    uint8_t packet[PACKET_MOST];
};

static int open_socket(const char *interface, int *ret, struct err *err)
{
    bool any = strcmp(interface, "any") == 0;
    unsigned index = any ? 0 : if_nametoindex(interface);
    if (!any && index == 0) {
        return err_set(err, ERR_NOT_FOUND, 0, "there is no network interface %s", interface);
    }
    int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(ETH_P_ALL));
    if (fd < 0) {
        return err_set(err, ERR_UNSUPPORTED, errno == EPERM ? 0 : errno,
                       "packets may not be looked at here: it takes the capability CAP_NET_RAW");
    }
    struct sockaddr_ll to = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)index};
    if (bind(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        int why = errno;
        close(fd);
        return err_set(err, ERR_UNSUPPORTED, why, "interface %s", interface);
    }
    *ret = fd;
    return 0;
}

int packets_try(const char *interface, struct err *err)
{
    int fd = -1, status = open_socket(interface, &fd, err);
    if (status == 0) {
        close(fd);
    }
    return status;
}

static void put_file_head(struct strbuf *out)
{
    const uint32_t head[FILE_HEAD / 4] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, PACKET_MOST, LINK_RAW};
    strbuf_add(out, (const char *)head, sizeof head);
}

/* Whether it may be about one of the nodes. */
static bool wanted(const struct packets *p, const uint8_t *b, size_t n)
{
    uint32_t ip[2];
    if (n < 20 || b[0] >> 4 != 4) {
        return false;
    }
    memcpy(ip, b + 12, sizeof ip);
    for (size_t i = 0; i < p->n_nodes; i++) {
        if (p->nodes[i].ip == ntohl(ip[0]) || p->nodes[i].ip == ntohl(ip[1])) {
            return true;
        }
    }
    return false;
}

/* One packet into the file; 0: there is none. */
static int take_packet(struct packets *p)
{
    struct sockaddr_ll from = {0};
    socklen_t size = sizeof from;
    ssize_t n =
        recvfrom(p->fd, p->packet, sizeof p->packet, MSG_TRUNC, (struct sockaddr *)&from, &size);
    if (n < 0) {
        return 0;
    }
    /* Of a packet to itself (lo) only one half is taken. */
    bool again =
        from.sll_hatype == 772 /* ARPHRD_LOOPBACK */ && from.sll_pkttype == PACKET_OUTGOING;
    size_t got = (size_t)n < sizeof p->packet ? (size_t)n : sizeof p->packet;
    if (!again && wanted(p, p->packet, got)) {
        struct timespec now;
        (void)clock_gettime(CLOCK_REALTIME, &now);
        const uint32_t head[PACKET_HEAD / 4] = {(uint32_t)now.tv_sec, (uint32_t)now.tv_nsec,
                                                (uint32_t)got, (uint32_t)n};
        strbuf_add(&p->bytes, (const char *)head, sizeof head);
        strbuf_add(&p->bytes, (const char *)p->packet, got);
    }
    return 1;
}

/* The file as stdio reads it. */
static ssize_t read_file(void *arg, char *to, size_t n)
{
    struct packets *p = arg;
    if (p->at == p->bytes.n) {
        p->at = 0;
        strbuf_reset(&p->bytes);
        while (p->bytes.n == 0 && take_packet(p) != 0) {
        }
    }
    size_t left = p->bytes.n - p->at;
    n = n < left ? n : left;
    if (n != 0) {
        memcpy(to, p->bytes.p + p->at, n);
        p->at += n;
    }
    return (ssize_t)n;
}

int packets_open(const char *interface, const struct capture_node *nodes, size_t n, size_t room,
                 struct packets **ret, struct err *err)
{
    size_t cap = 0;
    int fd = -1, bytes = (int)(room / 2), status = open_socket(interface, &fd, err);
    if (status != 0) {
        return status;
    }
    struct packets *p = vec_grow(NULL, &cap, 1, sizeof *p);
    memset(p, 0, sizeof *p);
    p->fd = fd;
    p->nodes = nodes;
    p->n_nodes = n;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    put_file_head(&p->bytes);
    p->file = fopencookie(p, "r", (cookie_io_functions_t){.read = read_file});
    status = p->file == NULL ? err_set(err, ERR_IO, errno, "fopencookie")
                             : capture_open_stream(p->file, interface, nodes, n, &p->reader, err);
    if (status != 0) {
        packets_close(p);
        return status;
    }
    *ret = p;
    return 0;
}

void packets_close(struct packets *p)
{
    if (p != NULL) {
        capture_close(p->reader); /* and the file */
        close(p->fd);
        strbuf_done(&p->bytes);
        vec_release(p);
    }
}

static void look_at_dropped(struct packets *p)
{
    struct tpacket_stats s;
    socklen_t size = sizeof s;
    if (getsockopt(p->fd, SOL_PACKET, PACKET_STATISTICS, &s, &size) == 0) {
        p->dropped += s.tp_drops; /* the kernel counts from 0 again */
    }
}

int packets_next(struct packets *p, struct capture_event *ret, struct err *err)
{
    int status = capture_next(p->reader, ret, err);
    if (status != 0) {
        return status;
    }
    look_at_dropped(p);
    if (p->dropped != p->told) {
        p->told = p->dropped;
        p->gaps++;
        *ret = (struct capture_event){.kind = CAPTURE_GAP, .node = UINT16_MAX};
        return 1;
    }
    return 0;
}

size_t packets_waiting(const struct packets *p)
{
    int n = 0;
    return ioctl(p->fd, FIONREAD, &n) == 0 && n > 0 ? (size_t)n : 0;
}

void packets_skip(struct packets *p)
{
    while (recv(p->fd, p->packet, sizeof p->packet, MSG_TRUNC) >= 0) {
        p->dropped++;
    }
}

void packets_counts(const struct packets *p, struct tap_counts *ret)
{
    ret->gaps = p->gaps;
    ret->missed = p->dropped;
}
