/* The processors of this machine as a device: threads that call the same kernels. For tests, and to
 * see with ordinary tools what a kernel does: the program's own sanitizers look at it, too. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/store.h"
#include "gpu/device.h"
#include "gpu/launch.h"

enum { THREADS_MAX = 256, STATES_A_THREAD = 64 };

typedef void (*kernel_fn)(const struct gpu_go *go, uint64_t thread, uint64_t threads);

struct block {
    uint64_t at;
    uint64_t bytes;
};

struct host {
    struct device d; /* first */
    unsigned threads;
    void *code;
    int fd;
    kernel_fn kernels[KERNELS];
    struct gpu_go go; /* what a launch is told */
    VEC(struct block) blocks;
};

static struct host *host_of(struct device *d)
{
    return (struct host *)d;
}

/* Memory of the device is ours. */
static void *pointer(uint64_t at)
{
    return (void *)(uintptr_t)at; /* NOLINT(performance-no-int-to-ptr): an address, see device.h */
}

static void host_unload(struct device *d)
{
    struct host *h = host_of(d);
    if (h->code) {
        (void)dlclose(h->code);
        (void)close(h->fd);
    }
    h->code = NULL;
    d->has_code = false;
}

static void host_close(struct device *d)
{
    struct host *h = host_of(d);
    host_unload(d);
    for (size_t i = 0; i < h->blocks.n; i++) {
        memory_unmap(pointer(h->blocks.v[i].at), h->blocks.v[i].bytes);
    }
    VEC_DONE(&h->blocks);
    vec_release(h);
}

static int write_all(int fd, struct str bytes)
{
    for (size_t at = 0; at < bytes.n;) {
        ssize_t n = write(fd, bytes.p + at, bytes.n - at);
        if (n < 0 && errno != EINTR) {
            return -1;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int host_load(struct device *d, struct str code, struct err *err)
{
    struct host *h = host_of(d);
    host_unload(d);
    h->fd = memfd_create("assay-gpu", MFD_CLOEXEC);
    if (h->fd < 0 || write_all(h->fd, code) != 0) {
        return err_set(err, ERR_IO, errno, "no place for code");
    }
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", h->fd);
    h->code = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!h->code) {
        (void)close(h->fd);
        return err_set(err, ERR_CORRUPT, 0, "the code cannot be loaded: %s", dlerror());
    }
    for (int i = 0; i < KERNELS; i++) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a symbol */
        h->kernels[i] = (kernel_fn)(uintptr_t)dlsym(h->code, device_kernels[i]);
        if (!h->kernels[i]) {
            return err_set(err, ERR_CORRUPT, 0, "the code has no %s", device_kernels[i]);
        }
    }
    d->has_code = true;
    return 0;
}

static uint64_t host_available(struct device *d)
{
    (void)d;
    uint64_t bytes = memory_available() / 4;
    return bytes < (uint64_t)1 << 30 ? bytes : (uint64_t)1 << 30;
}

static uint64_t host_alloc(struct device *d, uint64_t bytes)
{
    struct host *h = host_of(d);
    void *at = memory_map(bytes);
    if (!at) {
        return 0;
    }
    VEC_PUSH(&h->blocks, (struct block){(uint64_t)(uintptr_t)at, bytes});
    return (uint64_t)(uintptr_t)at;
}

static void host_free(struct device *d, uint64_t at)
{
    struct host *h = host_of(d);
    for (size_t i = 0; i < h->blocks.n; i++) {
        if (h->blocks.v[i].at == at) {
            memory_unmap(pointer(at), h->blocks.v[i].bytes);
            h->blocks.v[i] = VEC_LAST(&h->blocks);
            h->blocks.n--;
            return;
        }
    }
}

static int host_upload(struct device *d, uint64_t to, const void *from, size_t n, struct err *err)
{
    (void)d;
    (void)err;
    memcpy(pointer(to), from, n);
    return 0;
}

static int host_download(struct device *d, void *to, uint64_t from, size_t n, struct err *err)
{
    (void)d;
    (void)err;
    memcpy(to, pointer(from), n);
    return 0;
}

static int host_copy(struct device *d, uint64_t to, uint64_t from, size_t n, struct err *err)
{
    (void)d;
    (void)err;
    memcpy(pointer(to), pointer(from), n);
    return 0;
}

static int host_clear(struct device *d, uint64_t at, uint64_t n, struct err *err)
{
    (void)d;
    (void)err;
    memset(pointer(at), 0, n);
    return 0;
}

struct part {
    pthread_t thread;
    kernel_fn kernel;
    const struct gpu_go *go;
    uint64_t number, threads;
};

static void *part_main(void *arg)
{
    const struct part *p = arg;
    if (p->kernel) {
        p->kernel(p->go, p->number, p->threads);
    }
    return NULL;
}

static int host_tell(struct device *d, const struct gpu_go *go, struct err *err)
{
    (void)err;
    host_of(d)->go = *go;
    return 0;
}

static int host_launch(struct device *d, enum kernel kernel, uint64_t width, struct err *err)
{
    struct host *h = host_of(d);
    struct part parts[THREADS_MAX] = {0};
    uint64_t most = width / STATES_A_THREAD + 1;
    uint64_t n = h->threads < most ? h->threads : most;
    uint64_t started = 1;
    for (uint64_t i = 0; i < n; i++) {
        parts[i] =
            (struct part){.kernel = h->kernels[kernel], .go = &h->go, .number = i, .threads = n};
    }
    int rc = 0;
    for (; started < n && rc == 0; started += rc == 0) {
        rc = pthread_create(&parts[started].thread, NULL, part_main, &parts[started]);
    }
    for (uint64_t i = started; i < n; i++) { /* those for which there is no thread */
        (void)part_main(&parts[i]);
    }
    (void)part_main(&parts[0]);
    for (uint64_t i = 1; i < started; i++) {
        (void)pthread_join(parts[i].thread, NULL);
    }
    (void)err;
    return 0;
}

static const struct device_ops host_ops = {
    .close = host_close,
    .load = host_load,
    .unload = host_unload,
    .available = host_available,
    .alloc = host_alloc,
    .free = host_free,
    .upload = host_upload,
    .download = host_download,
    .copy = host_copy,
    .clear = host_clear,
    .tell = host_tell,
    .launch = host_launch,
};

void device_open_host(unsigned threads, struct device **ret)
{
    struct host *h = vec_grow(NULL, &(size_t){0}, 1, sizeof *h);
    memset(h, 0, sizeof *h);
    h->d.ops = &host_ops;
    h->threads = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
    (void)snprintf(h->d.name, sizeof h->d.name, "%u threads of this machine", h->threads);
    *ret = &h->d;
}
