/* Vector registers that hold zeros count as in use or not, as it happens: what must be the same in
 * each run does not see that. */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <linux/elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "test.h"
#include "tracee/tracee.h"

enum { USED_AT = 512, MASK_AT = 464, AVX_AT = 576, AVX_BYTES = 256 };

static const uint64_t avx = 1 << 2;

/* A stopped child; 0 where processes cannot be traced. */
static pid_t stopped_child(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) {
            (void)raise(SIGSTOP);
        }
        _exit(0);
    }
    int status = 0;
    bool stopped = waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
    return stopped ? pid : 0;
}

/* Upper halves of AVX that are zero, noted as in use, or not; false: this processor has none. */
static bool set_zeros(pid_t pid, bool in_use)
{
    uint8_t bytes[TRACEE_XSTATE_BYTES];
    struct iovec all = {bytes, tracee_xstate(pid, bytes)};
    uint64_t mask = 0, used = 0;
    memcpy(&mask, bytes + MASK_AT, sizeof mask);
    memcpy(&used, bytes + USED_AT, sizeof used);
    if (all.iov_len < AVX_AT + AVX_BYTES || (mask & avx) == 0) {
        return false;
    }
    memset(bytes + AVX_AT, 0, AVX_BYTES);
    used = in_use ? used | avx : used & ~avx;
    memcpy(bytes + USED_AT, &used, sizeof used);
    return ptrace(PTRACE_SETREGSET, pid, (void *)NT_X86_XSTATE, &all) == 0;
}

TEST(parts_of_zeros)
{
    uint8_t raw[2][TRACEE_XSTATE_BYTES], plain[2][TRACEE_XSTATE_BYTES];
    size_t n = 0;
    pid_t pid = stopped_child();
    if (pid == 0 || !set_zeros(pid, false)) {
        return; /* no tracing, or no AVX */
    }
    for (int i = 0; i < 2; i++) {
        CHECK(set_zeros(pid, i == 1));
        n = tracee_xstate(pid, raw[i]);
        CHECK_EQ(tracee_xstate_plain(pid, plain[i]), n);
    }
    CHECK(memcmp(raw[0], raw[1], n) != 0);
    CHECK(memcmp(plain[0], plain[1], n) == 0);
    CHECK(memcmp(plain[0], raw[0], USED_AT) == 0);
    CHECK(memcmp(plain[0] + USED_AT + 8, raw[0] + USED_AT + 8, n - USED_AT - 8) == 0);
    /* Noting it down changes no value. */
    tracee_xstate_use_all(pid);
    (void)tracee_xstate(pid, raw[1]);
    CHECK(memcmp(raw[1], plain[0], n) == 0);
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}
