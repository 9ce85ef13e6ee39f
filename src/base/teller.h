/* Whoever is told: where the words of a use case go, and what stops it. A process has one of its
 * own; what is done for somebody else gets another. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* How what runs is stopped, by a signal handler or another thread: both are 0 at first. */
struct stop_flags {
    volatile sig_atomic_t interrupt; /* evaluation stops at once; above zero: the signal */
    volatile sig_atomic_t stop;      /* the search ends, and tells what it has found */
};

struct report;

struct teller {
    FILE *out, *err; /* what was asked for; what else there is to say */
    struct stop_flags *flags;
    void (*loading)(bool begins); /* files are read: there is nothing to save; may be NULL */
    int (*ask)(void *arg);        /* the first letter of an answer, -1: there is none; or NULL */
    struct report *report;        /* for others, or NULL: nobody wants one */
};
