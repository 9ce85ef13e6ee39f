/* The text for a device: the code of the specification, then the search. */
#include "gpu/source.h"

#include <stdbool.h>
#include <stdio.h>
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
    return rc;
}
