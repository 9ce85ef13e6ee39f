/* calls: kill setpgid */
/* kill with 0: everyone of the own group, oneself included, and nobody else. */
#include "t.h"

static volatile int got;

static void handler(int sig)
{
    got++;
}

static pid_t child(int out, char name, bool apart)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (apart) {
            setpgid(0, 0);
        }
        write(out, &name, 1);
        for (int i = 0; i < 50 && got == 0; i++) {
            usleep(10000);
        }
        _exit(got == 1 ? 1 : 2);
    }
    return pid;
}

int main(void)
{
    int p[2], status;
    char c;
    struct sigaction sa = {.sa_handler = handler};
    sigaction(SIGUSR1, &sa, NULL);
    setpgid(0, 0);
    pipe(p);
    pid_t with = child(p[1], 'w', false), apart = child(p[1], 'a', true);
    read(p[0], &c, 1);
    read(p[0], &c, 1);
    R(kill(0, SIGUSR1));
    R(got);
    R(waitpid(with, &status, 0) == with);
    R(WEXITSTATUS(status));
    R(waitpid(apart, &status, 0) == apart);
    R(WEXITSTATUS(status));
    R(kill(0, 0));
    R(kill(-with, SIGUSR1));
    R(kill(0, 65));
    return 0;
}
