/* A document that changes while somebody looks: served by a thread of its own, which asks for it
 * anew whenever the page does. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "view/view.h"

/* A page asks every second; one that has not for three is no longer there. */
#define LOOKING_NS UINT64_C(3000000000)

struct view_live {
    struct view_http *http;
    pthread_t thread;
    volatile sig_atomic_t stop;
    _Atomic uint64_t asked_ns; /* when a page has asked last; 0: none ever did */
    _Atomic bool over;         /* nothing will change any more */
    _Atomic bool told;         /* and a page knows that */
    const char *title;
    void (*document)(void *arg, struct strbuf *out);
    void *arg;
    char nonce[VIEW_TOKEN + 1];
};

static void handle(void *arg, struct str method, struct str path, struct str body,
                   struct view_answer *answer)
{
    struct view_live *live = arg;
    bool over = live->over; /* before the document is made */
    (void)body;
    bool page = str_is(method, "GET") && path.n == 0;
    if (!page && !(str_is(method, "POST") && str_is(path, "api"))) {
        strbuf_adds(&answer->body, "There is nothing here.\n");
        return;
    }
    SCOPED_STRBUF document = {0};
    live->document(live->arg, &document);
    answer->status = 200;
    answer->type = page ? "text/html; charset=utf-8" : "application/json";
    if (page) {
        struct view_page made = {.documents = strbuf_str(&document),
                                 .title = live->title,
                                 .nonce = live->nonce,
                                 .server = true};
        answer->nonce = live->nonce;
        view_page(&made, &answer->body);
    } else {
        strbuf_addstr(&answer->body, strbuf_str(&document));
    }
    live->asked_ns = clock_mono_ns();
    live->told = live->told || over;
}

static void *serve(void *arg)
{
    struct view_live *live = arg;
    struct err err = {0};
    if (view_http_run(live->http, handle, live, &live->stop, &err) != 0) {
        live->told = true; /* nobody can be told */
    }
    return NULL;
}

int view_live_open(uint16_t port, const char *title,
                   void (*document)(void *arg, struct strbuf *out), void *arg,
                   struct view_live **ret, struct err *err)
{
    size_t cap = 0;
    struct view_live *live = vec_grow(NULL, &cap, 1, sizeof *live);
    memset(live, 0, sizeof *live);
    live->title = title;
    live->document = document;
    live->arg = arg;
    int status = view_token(live->nonce, err);
    status = status == 0 ? view_http_open(port, &live->http, err) : status;
    if (status == 0) {
        sigset_t all, before; /* signals are for whoever does the work */
        (void)sigfillset(&all);
        (void)pthread_sigmask(SIG_SETMASK, &all, &before);
        int rc = pthread_create(&live->thread, NULL, serve, live);
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
        status = rc != 0 ? err_set(err, ERR_IO, rc, "a thread for the page") : 0;
    }
    if (status != 0) {
        view_http_close(live->http);
        vec_release(live);
        return status;
    }
    *ret = live;
    return 0;
}

const char *view_live_url(const struct view_live *live)
{
    return view_http_url(live->http);
}

void view_live_close(struct view_live *live)
{
    if (live == NULL) {
        return;
    }
    live->over = true;
    uint64_t begin = clock_mono_ns();
    while (!live->told && live->asked_ns != 0 && begin - live->asked_ns < LOOKING_NS &&
           clock_mono_ns() - begin < LOOKING_NS) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    live->stop = 1;
    (void)pthread_join(live->thread, NULL);
    view_http_close(live->http);
    vec_release(live);
}
