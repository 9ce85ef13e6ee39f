/* Metrics over HTTP on the loopback interface, as Prometheus reads them. */
#include <asm-generic/socket.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "follow/follow.h"
#include "follow/follow_int.h"
#include "monitor/feed.h"
#include "monitor/monitor.h"
#include "tap/tap.h"

enum { REQUEST_MOST = 4096 };

int follow_metrics_open(struct follow *cmd, struct err *err)
{
    cmd->metrics.fd = -1;
    if (cmd->metrics_port == 0) {
        return 0;
    }
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)cmd->metrics_port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (fd < 0 || cmd->metrics_port > UINT16_MAX ||
        bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 16) != 0) {
        int why = errno;
        if (fd >= 0) {
            close(fd);
        }
        return err_set(err, ERR_IO, why, "metrics on port %" PRIu64 " of 127.0.0.1",
                       cmd->metrics_port);
    }
    cmd->metrics.fd = fd;
    return 0;
}

void follow_metrics_close(struct follow *cmd)
{
    if (cmd->metrics_port != 0 && cmd->metrics.fd >= 0) {
        close(cmd->metrics.fd);
        cmd->metrics.fd = -1;
    }
}

static void put(struct follow *cmd, struct strbuf *out, const char *name, const char *kind,
                double value)
{
    strbuf_printf(out, "# TYPE assay_watch_%s %s\nassay_watch_%s{node=\"%s\"} %.15g\n", name, kind,
                  name, cmd->node, value);
}

static void put_metrics(struct follow *cmd, struct strbuf *out)
{
    struct monitor_counts n;
    struct feed_counts f = {0};
    struct tap_counts t = {0};
    size_t room = 0, waiting = cmd->tap != NULL ? tap_waiting(cmd->tap, &room) : 0;
    monitor_counts(cmd->monitor, &n);
    if (cmd->feed != NULL) {
        feed_counts(cmd->feed, &f);
    }
    if (cmd->tap != NULL) {
        tap_counts(cmd->tap, &t);
    }
    put(cmd, out, "events_total", "counter", (double)n.events);
    put(cmd, out, "messages_total", "counter", (double)f.messages);
    put(cmd, out, "bytes_total", "counter", (double)t.bytes);
    put(cmd, out, "alarms_total", "counter", (double)cmd->metrics.alarms);
    put(cmd, out, "alarms_withdrawn_total", "counter", (double)cmd->metrics.withdrawn);
    put(cmd, out, "undecided_total", "counter", (double)cmd->metrics.undecided);
    put(cmd, out, "not_understood_total", "counter", (double)cmd->metrics.refused);
    put(cmd, out, "gaps_total", "counter", (double)t.gaps);
    put(cmd, out, "lost_records_total", "counter", (double)t.missed);
    put(cmd, out, "shed_total", "counter", (double)cmd->metrics.shed);
    put(cmd, out, "blind", "gauge", monitor_blind(cmd->monitor) ? 1 : 0);
    put(cmd, out, "blind_times_total", "counter", (double)n.blind_times);
    put(cmd, out, "blind_events_total", "counter", (double)n.blind_events);
    put(cmd, out, "blind_seconds_total", "counter", (double)n.blind_ns / 1e9);
    put(cmd, out, "lag_seconds", "gauge", (double)cmd->metrics.lag_ns / 1e9);
    put(cmd, out, "buffer_bytes", "gauge", (double)waiting);
    put(cmd, out, "states_most", "gauge", (double)n.states_most);
    put(cmd, out, "state_bytes", "gauge", (double)n.bytes);
}

/* Answers whoever has connected; the answer fits into the socket's buffer, so that nobody who does
 * not read makes us wait. */
static void answer(struct follow *cmd, int fd)
{
    char request[REQUEST_MOST];
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    ssize_t n = poll(&ready, 1, 20) == 1 ? recv(fd, request, sizeof request, MSG_DONTWAIT) : -1;
    SCOPED_STRBUF body = {0};
    SCOPED_STRBUF all = {0};
    bool known = n > 4 && (memcmp(request, "GET / ", 5) == 0 ||
                           (n > 12 && memcmp(request, "GET /metrics", 12) == 0));
    if (known) {
        put_metrics(cmd, &body);
    }
    strbuf_printf(&all,
                  "HTTP/1.0 %s\r\nContent-Type: text/plain; version=0.0.4\r\n"
                  "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                  known ? "200 OK" : "404 Not Found", body.n);
    strbuf_addstr(&all, strbuf_str(&body));
    if (n > 0) {
        (void)send(fd, all.p, all.n, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    close(fd);
}

void follow_metrics_serve(struct follow *cmd, int wait_ms)
{
    struct pollfd ready = {.fd = cmd->metrics_port != 0 ? cmd->metrics.fd : -1, .events = POLLIN};
    if (poll(&ready, 1, wait_ms) == 1) {
        int fd = accept4(ready.fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            answer(cmd, fd);
        }
    }
}
