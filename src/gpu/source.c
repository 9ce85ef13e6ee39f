/* The text for a device: the code of the specification, then the search. */
#include "gpu/source.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/str.h"
#include "cgen/cgen.h"
#include "gpu/gpu.h"

/* PTX for the oldest device that has what is needed; the driver assembles it for the one at hand.
 */
static const char *const nvidia_flags[] = {"--target=nvptx64-nvidia-cuda",
                                           "-march=sm_70",
                                           "-std=gnu11",
                                           "-O2",
                                           "-w",
                                           "-nostdinc",
                                           "-nostdlib",
                                           "-fno-builtin",
                                           "-fno-strict-aliasing",
                                           "-x",
                                           "c",
                                           "-S",
                                           NULL};

/* The program's own sanitizers look at the kernels, too. */
static const char *const host_flags[] = {"-std=gnu11",
                                         "-O1",
                                         "-fPIC",
                                         "-shared",
                                         "-w",
                                         "-fno-strict-aliasing",
                                         "-march=native",
                                         "-x",
                                         "c",
#if defined(__SANITIZE_ADDRESS__)
                                         "-fsanitize=address,undefined",
                                         "-fno-sanitize=alignment",
#elif defined(__SANITIZE_THREAD__)
                                         "-fsanitize=thread",
#endif
                                         NULL};

/* Is there such a program where a shell would look for it? */
static bool is_there(const char *name)
{
    const char *path = env_get("PATH");
    SCOPED_STRBUF file = {0};
    if (strchr(name, '/')) {
        return access(name, X_OK) == 0;
    }
    for (const char *at = path ? path : ""; *at != '\0';) {
        size_t n = strcspn(at, ":");
        strbuf_reset(&file);
        strbuf_printf(&file, "%.*s/%s", (int)n, at, name);
        if (access(strbuf_cstr(&file), X_OK) == 0) {
            return true;
        }
        at += n + (at[n] == ':');
    }
    return false;
}

bool source_find_clang(const char *wanted, char *ret, size_t size)
{
    static const char *const known[] = {"clang",    "clang-22", "clang-21", "clang-20",
                                        "clang-19", "clang-18", "clang-17", "clang-16"};
    if (wanted) {
        (void)snprintf(ret, size, "%s", wanted);
        return is_there(ret);
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        (void)snprintf(ret, size, "%s", known[i]);
        if (is_there(ret)) {
            return true;
        }
    }
    ret[0] = '\0';
    return false;
}

/* Does what is called fit the stack of a thread, with recursive functions DEPTH_MAX of the prelude
 * deep? The driver knows for all others. */
static bool stack_fits(struct str text, struct str ptx)
{
    static const char recursion[] = "> DEPTH_MAX) TRAP", frame[] = "__local_depot";
    enum { DEEP = 5 };
    uint64_t sum = 0, most = 0;
    if (!memmem(text.p, text.n, recursion, sizeof recursion - 1)) {
        return true;
    }
    const char *end = ptx.p + ptx.n;
    for (const char *at = ptx.p; at && at < end;) {
        at = memmem(at, (size_t)(end - at), frame, sizeof frame - 1);
        const char *open = at ? at + strcspn(at, "[;") : NULL;
        uint64_t bytes = open && *open == '[' ? strtoull(open + 1, NULL, 10) : 0;
        sum += bytes;
        most = bytes > most ? bytes : most;
        at = open;
    }
    return sum + DEEP * most < (uint64_t)GPU_STACK_BYTES / 4 * 3;
}

int source_compile(struct cgen *cgen, enum gpu_kind kind, const char *compiler,
                   struct str *ret_code, const char **ret_why)
{
    static const char outside[] = ".extern .func";
    SCOPED_STRBUF text = {0};
    bool host = kind == GPU_HOST;
    struct cgen_tool tool = {.command = compiler,
                             .flags = host ? host_flags : nvidia_flags,
                             .suffix = host ? "kernel" : "ptx",
                             .portable = !host};
    if (cgen_kernel(cgen, &text, ret_why) != 0) {
        return -1;
    }
    strbuf_adds(&text, gpu_kernel_text);
    int rc = cgen_compile(cgen, &tool, strbuf_str(&text), ret_code, ret_why);
    if (rc == 0 && !host && memmem(ret_code->p, ret_code->n, outside, sizeof outside - 1)) {
        *ret_why = "clang left calls of a library in it, which a device does not have";
        return -1;
    }
    if (rc == 0 && !host && !stack_fits(strbuf_str(&text), *ret_code)) {
        *ret_why = "recursive operators need more stack than a thread there has";
        return -1;
    }
    return rc;
}
