/* A GPU of NVIDIA's through its driver, libcuda, which is opened when it is wanted: the program
 * needs neither it nor a toolkit to be built. The driver assembles PTX for the device that is
 * there. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "gpu/device.h"
#include "gpu/gpu.h"
#include "gpu/launch.h"
#include "gpu/source.h"

/* What is used of the driver's interface, by the names under which it is found. */
typedef int cu_result;
typedef uint64_t cu_address;
#define DRIVER_CALLS(X)                                                                            \
    X(init, "cuInit", (unsigned flags))                                                            \
    X(version, "cuDriverGetVersion", (int *ret))                                                   \
    X(count, "cuDeviceGetCount", (int *ret))                                                       \
    X(get, "cuDeviceGet", (int *ret, int number))                                                  \
    X(get_name, "cuDeviceGetName", (char *ret, int size, int device))                              \
    X(attribute, "cuDeviceGetAttribute", (int *ret, int which, int device))                        \
    X(retain, "cuDevicePrimaryCtxRetain", (void **ret, int device))                                \
    X(release, "cuDevicePrimaryCtxRelease_v2", (int device))                                       \
    X(set_current, "cuCtxSetCurrent", (void *context))                                             \
    X(set_limit, "cuCtxSetLimit", (int which, size_t value))                                       \
    X(mem_info, "cuMemGetInfo_v2", (size_t *ret_free, size_t *ret_total))                          \
    X(mem_alloc, "cuMemAlloc_v2", (cu_address * ret, size_t bytes))                                \
    X(mem_free, "cuMemFree_v2", (cu_address at))                                                   \
    X(upload, "cuMemcpyHtoD_v2", (cu_address to, const void *from, size_t n))                      \
    X(download, "cuMemcpyDtoH_v2", (void *to, cu_address from, size_t n))                          \
    X(copy, "cuMemcpyDtoD_v2", (cu_address to, cu_address from, size_t n))                         \
    X(clear, "cuMemsetD8_v2", (cu_address at, unsigned char byte, size_t n))                       \
    X(load, "cuModuleLoadDataEx",                                                                  \
      (void **ret, const void *image, unsigned n, int *options, void **values))                    \
    X(unload, "cuModuleUnload", (void *module))                                                    \
    X(function, "cuModuleGetFunction", (void **ret, void *module, const char *name))               \
    X(launch, "cuLaunchKernel",                                                                    \
      (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,            \
       unsigned bz, unsigned shared, void *stream, void **args, void **extra))                     \
    X(error_name, "cuGetErrorName", (cu_result code, const char **ret))

struct driver {
    void *library;
/* NOLINTBEGIN(bugprone-macro-parentheses): declarations */
#define X(name, symbol, params) cu_result(*name) params;
    DRIVER_CALLS(X)
#undef X
    /* NOLINTEND(bugprone-macro-parentheses) */
};

enum { LIMIT_STACK = 0 };
enum { OPTION_REGISTERS = 0, OPTION_LOG = 5, OPTION_LOG_SIZE = 6, OPTION_LEVEL = 7, OPTIONS = 4 };
enum { ATTRIBUTE_PROCESSORS = 16, ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };
enum { BLOCK = 128, BLOCKS_A_PROCESSOR = 16 };

struct nvidia {
    struct device d; /* first */
    struct driver cu;
    int device;
    unsigned processors;
    void *context, *module;
    void *kernels[KERNELS];
    cu_address go; /* what a launch is told */
};

static struct nvidia *nvidia_of(struct device *d)
{
    return (struct nvidia *)d;
}

/* Bytes of code. What is larger takes the driver ten seconds and more to assemble at its usual
 * level (4), and two at level 1; such searches then take up to a third longer. */
enum { LARGE = 300000 };
/* Registers of a thread. With more of them fewer threads run at a time, and who waits for memory
 * needs others that do not: 64 was best, or as good as any, for each of eleven models. */
enum { REGISTERS = 64 };

/* ---- the driver ---- */

static int driver_open(struct driver *cu, char *why, size_t why_size)
{
    static const char *const paths[] = {"libcuda.so.1", "libcuda.so",
                                        "/usr/local/nvidia/lib64/libcuda.so.1",
                                        "/usr/lib/wsl/lib/libcuda.so.1"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && !cu->library; i++) {
        cu->library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (!cu->library) {
        (void)snprintf(why, why_size, "there is no NVIDIA driver (libcuda.so.1)");
        return -1;
    }
    const char *missing = NULL;
/* NOLINTBEGIN(bugprone-macro-parentheses,performance-no-int-to-ptr): types; addresses of symbols */
#define X(name, symbol, params)                                                                    \
    cu->name = (cu_result(*) params)(uintptr_t)dlsym(cu->library, symbol);                         \
    missing = cu->name ? missing : (symbol);
    DRIVER_CALLS(X)
#undef X
    /* NOLINTEND(bugprone-macro-parentheses,performance-no-int-to-ptr) */
    if (missing) {
        (void)snprintf(why, why_size, "the NVIDIA driver is too old: it has no %s", missing);
        return -1;
    }
    return 0;
}

static const char *error_of(const struct driver *cu, cu_result code)
{
    const char *name = NULL;
    return cu->error_name(code, &name) == 0 && name ? name : "unknown error";
}

static int failed(const struct nvidia *n, cu_result code, const char *what, struct err *err)
{
    return code == 0
               ? 0
               : err_set(err, ERR_IO, 0, "%s: %s: %s", n->d.name, what, error_of(&n->cu, code));
}

static int driver_start(struct driver *cu, int *ret_count, char *why, size_t why_size)
{
    if (driver_open(cu, why, why_size) != 0) {
        return -1;
    }
    cu_result rc = cu->init(0);
    rc = rc == 0 ? cu->count(ret_count) : rc;
    if (rc != 0 || *ret_count == 0) {
        (void)snprintf(why, why_size, "the NVIDIA driver finds no device: %s",
                       rc != 0 ? error_of(cu, rc) : "none is there");
        return -1;
    }
    return 0;
}

/* ---- the device ---- */

static void nvidia_unload(struct device *d)
{
    struct nvidia *n = nvidia_of(d);
    if (n->module) {
        (void)n->cu.unload(n->module);
    }
    n->module = NULL;
    d->has_code = false;
}

static void nvidia_close(struct device *d)
{
    struct nvidia *n = nvidia_of(d);
    if (n->context) {
        nvidia_unload(d);
        (void)n->cu.mem_free(n->go);
        (void)n->cu.release(n->device);
    }
    vec_release(n); /* the driver stays loaded: it has threads of its own */
}

static int nvidia_load(struct device *d, struct str code, struct err *err)
{
    struct nvidia *n = nvidia_of(d);
    static const unsigned log_size = 4000;
    char log[4000] = "";
    int options[OPTIONS] = {OPTION_LOG, OPTION_LOG_SIZE, OPTION_LEVEL, OPTION_REGISTERS};
    /* NOLINTBEGIN(performance-no-int-to-ptr): numbers where the driver wants pointers */
    void *values[OPTIONS] = {log, (void *)(uintptr_t)(log_size - 1),
                             (void *)(uintptr_t)(code.n > LARGE ? 1 : 4),
                             (void *)(uintptr_t)REGISTERS};
    /* NOLINTEND(performance-no-int-to-ptr) */
    SCOPED_STRBUF text = {0}; /* which ends with a zero */
    nvidia_unload(d);
    strbuf_addstr(&text, code);
    cu_result rc = n->cu.load(&n->module, strbuf_cstr(&text), OPTIONS, options, values);
    if (rc != 0) {
        n->module = NULL;
        return err_set(err, ERR_INVALID, 0, "%s: the driver does not take the code: %s %.200s",
                       d->name, error_of(&n->cu, rc), log);
    }
    for (int i = 0; i < KERNELS; i++) {
        rc = n->cu.function(&n->kernels[i], n->module, device_kernels[i]);
        if (rc != 0) {
            return failed(n, rc, device_kernels[i], err);
        }
    }
    d->has_code = true;
    return 0;
}

static uint64_t nvidia_available(struct device *d)
{
    struct nvidia *n = nvidia_of(d);
    size_t free_bytes = 0, total = 0;
    return n->cu.mem_info(&free_bytes, &total) == 0 ? free_bytes : 0;
}

static uint64_t nvidia_alloc(struct device *d, uint64_t bytes)
{
    cu_address at = 0;
    return nvidia_of(d)->cu.mem_alloc(&at, bytes) == 0 ? at : 0;
}

static void nvidia_free(struct device *d, uint64_t at)
{
    if (at) {
        (void)nvidia_of(d)->cu.mem_free(at);
    }
}

static int nvidia_upload(struct device *d, uint64_t to, const void *from, size_t n, struct err *err)
{
    return failed(nvidia_of(d), nvidia_of(d)->cu.upload(to, from, n), "copying to it", err);
}

static int nvidia_download(struct device *d, void *to, uint64_t from, size_t n, struct err *err)
{
    return failed(nvidia_of(d), nvidia_of(d)->cu.download(to, from, n), "copying from it", err);
}

static int nvidia_copy(struct device *d, uint64_t to, uint64_t from, size_t n, struct err *err)
{
    return failed(nvidia_of(d), nvidia_of(d)->cu.copy(to, from, n), "copying in it", err);
}

static int nvidia_clear(struct device *d, uint64_t at, uint64_t n, struct err *err)
{
    return failed(nvidia_of(d), nvidia_of(d)->cu.clear(at, 0, n), "clearing its memory", err);
}

static int nvidia_tell(struct device *d, const struct gpu_go *go, struct err *err)
{
    return nvidia_upload(d, nvidia_of(d)->go, go, sizeof *go, err);
}

static int nvidia_launch(struct device *d, enum kernel kernel, uint64_t width, struct err *err)
{
    struct nvidia *n = nvidia_of(d);
    uint64_t blocks = width / BLOCK + 1;
    uint64_t most = (uint64_t)n->processors * BLOCKS_A_PROCESSOR;
    void *args[] = {&n->go};
    return failed(n,
                  n->cu.launch(n->kernels[kernel], (unsigned)(blocks < most ? blocks : most), 1, 1,
                               BLOCK, 1, 1, 0, NULL, args, NULL),
                  device_kernels[kernel], err);
}

static const struct device_ops nvidia_ops = {
    .close = nvidia_close,
    .load = nvidia_load,
    .unload = nvidia_unload,
    .available = nvidia_available,
    .alloc = nvidia_alloc,
    .free = nvidia_free,
    .upload = nvidia_upload,
    .download = nvidia_download,
    .copy = nvidia_copy,
    .clear = nvidia_clear,
    .tell = nvidia_tell,
    .launch = nvidia_launch,
};

static int start_device(struct nvidia *n, unsigned number)
{
    int processors = 0;
    cu_result rc = n->cu.get(&n->device, (int)number);
    rc = rc == 0 ? n->cu.get_name(n->d.name, sizeof n->d.name, n->device) : rc;
    rc = rc == 0 ? n->cu.attribute(&processors, ATTRIBUTE_PROCESSORS, n->device) : rc;
    rc = rc == 0 ? n->cu.retain(&n->context, n->device) : rc;
    rc = rc == 0 ? n->cu.set_current(n->context) : rc;
    rc = rc == 0 ? n->cu.set_limit(LIMIT_STACK, GPU_STACK_BYTES) : rc;
    rc = rc == 0 ? n->cu.mem_alloc(&n->go, sizeof(struct gpu_go)) : rc;
    n->processors = (unsigned)processors;
    return rc;
}

int device_open_nvidia(unsigned number, struct device **ret, char *why, size_t why_size)
{
    int count = 0;
    struct nvidia *n = vec_grow(NULL, &(size_t){0}, 1, sizeof *n);
    memset(n, 0, sizeof *n);
    n->d.ops = &nvidia_ops;
    if (driver_start(&n->cu, &count, why, why_size) != 0) {
        vec_release(n);
        return -1;
    }
    if (number >= (unsigned)count) {
        (void)snprintf(why, why_size,
                       "there is no device %u: the NVIDIA driver finds %d, from 0 on", number,
                       count);
        vec_release(n);
        return -1;
    }
    cu_result rc = start_device(n, number);
    if (rc != 0) {
        (void)snprintf(why, why_size, "device %u does not start: %s", number, error_of(&n->cu, rc));
        vec_release(n);
        return -1;
    }
    *ret = &n->d;
    return 0;
}

void device_look_nvidia(struct gpu_found *ret)
{
    struct driver cu = {0};
    int count = 0, device = 0, version = 0, major = 0, minor = 0;
    char name[100] = "";
    if (driver_start(&cu, &count, ret->text, sizeof ret->text) != 0) {
        return;
    }
    ret->driver = true;
    ret->devices = (unsigned)count;
    (void)cu.version(&version);
    if (cu.get(&device, 0) == 0) {
        (void)cu.get_name(name, sizeof name, device);
        (void)cu.attribute(&major, ATTRIBUTE_MAJOR, device);
        (void)cu.attribute(&minor, ATTRIBUTE_MINOR, device);
    }
    (void)snprintf(ret->text, sizeof ret->text,
                   "%d: %s, compute capability %d.%d; driver for CUDA %d.%d", count, name, major,
                   minor, version / 1000, version % 1000 / 10);
}
