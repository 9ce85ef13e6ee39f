/* A transport over MPI. A library of its own, so that the program runs where there is no MPI: of
 * the program it knows transport.h only.
 *
 * Messages are sent without waiting (MPI_Isend) from copies, which are given back when they are
 * gone, and taken as they come (MPI_Improbe). MPI keeps the order between two ranks. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../transport.h"

struct sending {
    struct sending *next;
    MPI_Request request;
    size_t len;
    char bytes[];
};

struct mpi {
    struct transport head;
    MPI_Comm comm; /* our own, so that nobody else's messages are met */
    struct sending *first, **last;
    size_t unsent;
    char *got; /* the message that was handed out */
    size_t got_cap;
    char why[256];
};

static struct mpi *mpi_of(struct transport *t)
{
    void *whole = t; /* the first member of it */
    return whole;
}

static int failed(struct mpi *m, const char *what, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len = 0;
    (void)MPI_Error_string(code, text, &len);
    (void)snprintf(m->why, sizeof m->why, "%s: %.200s", what, text);
    return -1;
}

/* Gives back what has gone, the oldest first. */
static int sweep(struct mpi *m)
{
    while (m->first) {
        struct sending *s = m->first;
        int done = 0;
        int code = MPI_Test(&s->request, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) {
            return failed(m, "sending", code);
        }
        if (!done) {
            return 0;
        }
        m->unsent -= s->len;
        m->first = s->next;
        if (!m->first) {
            m->last = &m->first;
        }
        free(s);
    }
    return 0;
}

static int mpi_send(struct transport *t, unsigned to, const void *bytes, size_t len)
{
    struct mpi *m = mpi_of(t);
    struct sending *s = malloc(sizeof *s + len);
    if (!s) {
        (void)snprintf(m->why, sizeof m->why, "no memory for a message of %zu bytes", len);
        return -1;
    }
    s->next = NULL;
    s->len = len;
    memcpy(s->bytes, bytes, len);
    int code = MPI_Isend(s->bytes, (int)len, MPI_BYTE, (int)to, 0, m->comm, &s->request);
    if (code != MPI_SUCCESS) {
        free(s);
        return failed(m, "sending", code);
    }
    *m->last = s;
    m->last = &s->next;
    m->unsent += len;
    return sweep(m);
}

static int mpi_receive(struct transport *t, unsigned *ret_from, const void **ret_bytes,
                       size_t *ret_len)
{
    struct mpi *m = mpi_of(t);
    MPI_Message message;
    MPI_Status status;
    int there = 0;
    int len = 0;
    if (sweep(m) < 0) {
        return -1;
    }
    int code = MPI_Improbe(MPI_ANY_SOURCE, 0, m->comm, &there, &message, &status);
    if (code != MPI_SUCCESS) {
        return failed(m, "receiving", code);
    }
    if (!there) {
        return 0;
    }
    (void)MPI_Get_count(&status, MPI_BYTE, &len);
    if ((size_t)len > m->got_cap) {
        free(m->got);
        m->got_cap = (size_t)len * 2;
        m->got = malloc(m->got_cap);
        if (!m->got) {
            (void)snprintf(m->why, sizeof m->why, "no memory for a message of %d bytes", len);
            return -1;
        }
    }
    code = MPI_Mrecv(m->got, len, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) {
        return failed(m, "receiving", code);
    }
    *ret_from = (unsigned)status.MPI_SOURCE;
    *ret_bytes = m->got;
    *ret_len = (size_t)len;
    return 1;
}

static size_t mpi_unsent(struct transport *t)
{
    return mpi_of(t)->unsent;
}

static const char *mpi_why(struct transport *t)
{
    return mpi_of(t)->why;
}

static void mpi_abort(struct transport *t, int status)
{
    (void)MPI_Abort(mpi_of(t)->comm, status);
}

static void mpi_close(struct transport *t)
{
    struct mpi *m = mpi_of(t);
    while (m->first && sweep(m) == 0) {
        if (m->first) {
            (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        }
    }
    (void)MPI_Comm_free(&m->comm);
    (void)MPI_Finalize();
    free(m->got);
    free(m);
}

static const struct transport_ops ops = {
    .send = mpi_send,
    .receive = mpi_receive,
    .unsent = mpi_unsent,
    .why = mpi_why,
    .abort = mpi_abort,
    .close = mpi_close,
};

static unsigned ranks_here(MPI_Comm comm)
{
    MPI_Comm here;
    int n = 1;
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) == MPI_SUCCESS) {
        (void)MPI_Comm_size(here, &n);
        (void)MPI_Comm_free(&here);
    }
    return (unsigned)n;
}

struct transport *assay_transport(int version, char *why, size_t why_bytes);
struct transport *assay_transport(int version, char *why, size_t why_bytes)
{
    int level = 0;
    int rank = 0;
    int size = 1;
    struct mpi *m = version == TRANSPORT_VERSION ? calloc(1, sizeof *m) : NULL;
    if (!m) {
        (void)snprintf(why, why_bytes, "the plug-in is of another version of assay");
        return NULL;
    }
    /* One thread at a time, but not always the same. */
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_SERIALIZED) {
        (void)snprintf(why, why_bytes, "this MPI does not allow threads");
        free(m);
        return NULL;
    }
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &m->comm);
    (void)MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(m->comm, &rank);
    (void)MPI_Comm_size(m->comm, &size);
    m->head = (struct transport){
        .ops = &ops, .rank = (unsigned)rank, .size = (unsigned)size, .local = ranks_here(m->comm)};
    m->last = &m->first;
    return &m->head;
}
