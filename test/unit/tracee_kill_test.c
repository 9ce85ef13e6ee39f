/* A process whose number we still know is ended only while it is ours: once it has been collected,
 * its number may be that of anybody. */
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

#include "test.h"
#include "tracee/tracee.h"

/* A child whose own child answers each byte that it reads, and says at first who it is. */
static pid_t family(const int ask[2], const int answer[2], pid_t *ret_other)
{
    pid_t ours = fork();
    if (ours == 0) {
        pid_t other = fork();
        if (other == 0) {
            char byte = 0;
            (void)close(ask[1]);
            while (read(ask[0], &byte, 1) == 1 && write(answer[1], &byte, 1) == 1) {
            }
            _exit(0);
        }
        (void)write(answer[1], &other, sizeof other);
        (void)close(ask[0]);
        (void)close(answer[1]); /* where it is ended all the same, nothing waits for its answer */
        for (;;) {
            (void)pause();
        }
    }
    (void)close(ask[0]);
    (void)close(answer[1]);
    return read(answer[0], ret_other, sizeof *ret_other) == sizeof *ret_other ? ours : 0;
}

TEST(only_ours)
{
    int ask[2], answer[2], status = 0;
    pid_t other = 0;
    char byte = 'a';
    (void)signal(SIGPIPE, SIG_IGN);
    CHECK(pipe(ask) == 0 && pipe(answer) == 0);
    pid_t ours = family(ask, answer, &other);
    CHECK(ours > 0 && other > 0);
    tracee_kill(other);
    CHECK_EQ(write(ask[1], &byte, 1), 1);
    CHECK_EQ(read(answer[0], &byte, 1), 1); /* it lives */
    tracee_kill(ours);
    CHECK_EQ(waitpid(ours, &status, 0), ours);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    tracee_kill(ours); /* it is nobody's now */
    CHECK_EQ(write(ask[1], &byte, 1), 1);
    CHECK_EQ(read(answer[0], &byte, 1), 1);
    (void)close(ask[1]);
    (void)close(answer[0]);
}
