/* Which company this process has, from its environment. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/err.h"
#include "base/str.h"
#include "dist/ranks.h"
#include "dist/socket.h"
#include "dist/transport.h"

#define PLUGIN "libassay-mpi.so"

/* How many processes mpirun (or another launcher) has started, 0: none has. */
static long launched(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *text = env_text(sizes[i]);
        if (text) {
            return strtol(text, NULL, 10);
        }
    }
    return 0;
}

/* Places where the plug-in may be: what ASSAY_MPI says, beside the program, where it is installed.
 */
static bool plugin_path(unsigned at, struct strbuf *path)
{
    char self[512];
    const char *given = env_text("ASSAY_MPI");
    strbuf_reset(path);
    if (given) {
        strbuf_adds(path, given);
        return at == 0;
    }
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0 || at > 1) {
        return false;
    }
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash) {
        return false;
    }
    strbuf_add(path, self, (size_t)(slash - self));
    strbuf_adds(path, at == 0 ? "/" PLUGIN : "/../lib/assay/" PLUGIN);
    return true;
}

/* NULL: there is none, and why. The library stays for as long as the process. */
static transport_begin load_plugin(struct strbuf *path, struct strbuf *why)
{
    bool there = false;
    for (unsigned i = 0; !there && plugin_path(i, path); i++) {
        there = access(strbuf_cstr(path), R_OK) == 0;
    }
    if (!there) {
        strbuf_adds(why, "the plug-in " PLUGIN " is neither beside the program nor in ../lib/assay "
                         "(`make mpi` builds it; ASSAY_MPI names another place)");
        return NULL;
    }
    /* Its parts open each other's names. */
    void *library = dlopen(strbuf_cstr(path), RTLD_NOW | RTLD_GLOBAL);
    void *symbol = library ? dlsym(library, TRANSPORT_SYMBOL) : NULL;
    if (!symbol) {
        const char *text = dlerror();
        strbuf_printf(why, "%s cannot be opened: %s", strbuf_cstr(path), text ? text : "no reason");
        return NULL;
    }
    transport_begin begin;
    memcpy((void *)&begin, (const void *)&symbol,
           sizeof begin); /* POSIX promises this, C has no cast for it */
    return begin;
}

static int open_plugin(struct transport **ret, struct err *err)
{
    SCOPED_STRBUF path = {0};
    SCOPED_STRBUF text = {0};
    char why[256] = "";
    transport_begin begin = load_plugin(&path, &text);
    if (!begin) {
        return err_set(err, ERR_NOT_FOUND, 0, "this is one of several processes of MPI, but %s",
                       strbuf_cstr(&text));
    }
    *ret = begin(TRANSPORT_VERSION, why, sizeof why);
    return *ret ? 0 : err_set(err, ERR_IO, 0, "MPI cannot begin: %s", why);
}

/* RANK/SIZE:DIRECTORY */
static int open_sockets(const char *text, struct transport **ret, struct err *err)
{
    char *end = NULL;
    unsigned long rank = strtoul(text, &end, 10);
    unsigned long size = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end != ':' || rank >= size || size > 1024) {
        return err_set(err, ERR_INVALID, 0, "ASSAY_RANKS is RANK/SIZE:DIRECTORY, and not \"%s\"",
                       text);
    }
    return size == 1 ? 0 : transport_meet(end + 1, (unsigned)rank, (unsigned)size, ret, err);
}

int ranks_open(struct ranks **ret, struct err *err)
{
    struct transport *transport = NULL;
    const char *sockets = env_text("ASSAY_RANKS");
    int status = 0;
    *ret = NULL;
    if (sockets) {
        status = open_sockets(sockets, &transport, err);
    } else if (launched() > 1) {
        status = open_plugin(&transport, err);
    }
    if (transport) {
        *ret = ranks_new(transport);
    }
    return status;
}

bool ranks_describe(struct strbuf *out)
{
    SCOPED_STRBUF path = {0};
    SCOPED_STRBUF why = {0};
    bool there = load_plugin(&path, &why) != NULL;
    strbuf_addstr(out, strbuf_str(there ? &path : &why));
    return there;
}
