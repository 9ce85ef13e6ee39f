/* What the small systems share: one-way connections that carry lines, and threads that act when
 * their time has come.
 *
 * A program makes all its connections, waits until SEND_S and makes its first sends; from then on
 * it is driven by what arrives, and by timers that are due at TIMER_S and later. So at START_S, in
 * between, every connection is made, the first messages are on their way and nothing has arrived:
 * there an exploration begins. One event is then one step: a message is read, handled under the
 * lock and answered, or a thread takes its turn under the lock. */
#pragma once

#include <pthread.h>
#include <stddef.h>

enum { SEND_S = 5, TIMER_S = 20 };
enum { PEERS_MOST = 8, LINE_BYTES = 64 };

struct line {
    char text[LINE_BYTES];
};

struct peers {
    int in[PEERS_MOST], out[PEERS_MOST];
    size_t n_in, n_out;
};

/* Listens, calls the hosts, and waits until n_in others have called. */
struct peers peers_open(size_t n_in, char *const *hosts, size_t n_hosts);
void peers_send(const struct peers *peers, size_t to, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The next line that arrives, from whomever. */
struct line peers_receive(const struct peers *peers);

/* Sleeps until so many seconds after the program was started. */
void sleep_until(long seconds);

/* A thread of the name `what` that prints it under the lock, `times` times, whenever a timer is
 * due. */
struct turns {
    pthread_mutex_t *lock;
    const char *what;
    const int *value; /* printed with it */
    int times;
};
void turns_start(struct turns *turns);

/* Waits for ever. */
_Noreturn void rest(void);
