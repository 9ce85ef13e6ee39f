/* A transport over stream sockets, one to each other rank. */
#pragma once

#include "base/err.h"
#include "dist/transport.h"

/* fds[i] is connected to rank i (fds[rank] is not looked at); they are the transport's from now on.
 */
struct transport *transport_of_sockets(unsigned rank, unsigned size, const int *fds);
/* Meets the other ranks in a directory: sockets with names in it, which are gone afterwards. */
MUST_USE int transport_meet(const char *dir, unsigned rank, unsigned size, struct transport **ret,
                            struct err *err);
