/* Any bytes as a capture file, and as one of libpcap. */
#include <stdio.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/err.h"
#include "capture/capture.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct capture_node nodes[] = {
        {"n1", 0x0a000001},
        {"n2", 0x0a000002},
    };
    struct capture_reader *reader = NULL;
    struct capture_event event;
    struct err err = {0};
    char path[64];
    volatile uint64_t sum = 0;
    int fd = memfd_create("capture", MFD_CLOEXEC);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
        return 0;
    }
    if (capture_open(path, nodes, 2, &reader, &err) == 0) {
        while (capture_next(reader, &event, &err) == 1) {
            for (size_t i = 0; i < event.n; i++) {
                sum += event.bytes[i];
            }
        }
        (void)capture_cut_off(reader);
        capture_close(reader);
    }
    (void)close(fd);
    return 0;
}
