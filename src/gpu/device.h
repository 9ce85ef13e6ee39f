/* Private to gpu: a device. Addresses of its memory are numbers; those of GPU_HOST are addresses of
 * this process. All calls from one thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "gpu/gpu.h"
#include "gpu/launch.h"

enum kernel {
    KERNEL_MAKE,
    KERNEL_LOOK,
    KERNEL_PUT,
    KERNEL_JUDGE,
    KERNEL_KEEP,
    KERNEL_REHASH,
    KERNEL_COLLECT,
    KERNELS
};
extern const char *const device_kernels[KERNELS];

struct device;
struct device_ops {
    void (*close)(struct device *d);
    /* Makes code of what the compiler made the code to run. */
    MUST_USE int (*load)(struct device *d, struct str code, struct err *err);
    void (*unload)(struct device *d);
    uint64_t (*available)(struct device *d);             /* bytes */
    uint64_t (*alloc)(struct device *d, uint64_t bytes); /* 0: there is no memory */
    void (*free)(struct device *d, uint64_t at);
    MUST_USE int (*upload)(struct device *d, uint64_t to, const void *from, size_t n,
                           struct err *err);
    MUST_USE int (*download)(struct device *d, void *to, uint64_t from, size_t n, struct err *err);
    /* From one place of the device to another. */
    MUST_USE int (*copy)(struct device *d, uint64_t to, uint64_t from, size_t n, struct err *err);
    MUST_USE int (*clear)(struct device *d, uint64_t at, uint64_t n, struct err *err);
    /* What the launches after it are told. */
    MUST_USE int (*tell)(struct device *d, const struct gpu_go *go, struct err *err);
    /* About so many threads have something to do. It starts when what was asked for before has
     * ended; a download waits for it, and reports what went wrong. */
    MUST_USE int (*launch)(struct device *d, enum kernel kernel, uint64_t width, struct err *err);
};

struct device {
    const struct device_ops *ops;
    char name[128];
    bool has_code;
};

MUST_USE int device_open_nvidia(unsigned number, struct device **ret, char *why, size_t why_size);
void device_open_host(unsigned threads, struct device **ret);
void device_look_nvidia(struct gpu_found *ret);
