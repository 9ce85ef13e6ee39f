/* A thread that does what an object is asked for. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "api/api_int.h"
#include "base/err.h"
#include "check/check.h"

static void serve(void *arg)
{
    struct desk *desk = arg;
    (void)pthread_mutex_lock(&desk->lock);
    desk->open = true;
    (void)pthread_cond_broadcast(&desk->news);
    while (!desk->ending) {
        if (desk->fn == NULL) {
            (void)pthread_cond_wait(&desk->news, &desk->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&desk->lock);
        desk->fn(desk->arg);
        (void)pthread_mutex_lock(&desk->lock);
        desk->fn = NULL;
        (void)pthread_cond_broadcast(&desk->news);
    }
    (void)pthread_mutex_unlock(&desk->lock);
}

static void *desk_main(void *arg)
{
    struct desk *desk = arg;
    struct err err = {0};
    if (check_on_big_stack(serve, desk, &err) != 0) {
        (void)pthread_mutex_lock(&desk->lock);
        desk->failed = true;
        (void)pthread_cond_broadcast(&desk->news);
        (void)pthread_mutex_unlock(&desk->lock);
    }
    return NULL;
}

int api_desk_open(struct desk *desk, char **error)
{
    sigset_t all;
    sigset_t before;
    *desk = (struct desk){.fn = NULL};
    (void)pthread_mutex_init(&desk->lock, NULL);
    (void)pthread_mutex_init(&desk->call, NULL);
    (void)pthread_cond_init(&desk->news, NULL);
    /* signals of the process are for its own threads */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&desk->thread, NULL, desk_main, desk) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_mutex_lock(&desk->lock);
    while (started && !desk->open && !desk->failed) {
        (void)pthread_cond_wait(&desk->news, &desk->lock);
    }
    bool good = started && !desk->failed;
    (void)pthread_mutex_unlock(&desk->lock);
    if (started && !good) {
        (void)pthread_join(desk->thread, NULL);
    }
    if (!good) {
        (void)pthread_mutex_destroy(&desk->lock);
        (void)pthread_mutex_destroy(&desk->call);
        (void)pthread_cond_destroy(&desk->news);
    }
    return good ? 0 : api_fail(error, "cannot start a thread");
}

void api_desk_do(struct desk *desk, void (*fn)(void *arg), void *arg)
{
    (void)pthread_mutex_lock(&desk->call);
    (void)pthread_mutex_lock(&desk->lock);
    desk->arg = arg;
    desk->fn = fn;
    (void)pthread_cond_broadcast(&desk->news);
    while (desk->fn != NULL) {
        (void)pthread_cond_wait(&desk->news, &desk->lock);
    }
    (void)pthread_mutex_unlock(&desk->lock);
    (void)pthread_mutex_unlock(&desk->call);
}

void api_desk_close(struct desk *desk)
{
    if (!desk->open) {
        return;
    }
    (void)pthread_mutex_lock(&desk->lock);
    desk->ending = true;
    (void)pthread_cond_broadcast(&desk->news);
    (void)pthread_mutex_unlock(&desk->lock);
    (void)pthread_join(desk->thread, NULL);
    (void)pthread_mutex_destroy(&desk->lock);
    (void)pthread_mutex_destroy(&desk->call);
    (void)pthread_cond_destroy(&desk->news);
    desk->open = false;
}
