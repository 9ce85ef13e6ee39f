/* calls: vfork execve clone */
#include "t.h"

#include <spawn.h>

int main(void)
{
    int st = 0;
    pid_t c;
    char *av[] = {"true", NULL}, *bad[] = {"x", NULL};
    R(posix_spawn(&c, "/bin/true", NULL, NULL, av, NULL));
    R(waitpid(c, &st, 0) == c);
    R(st);
    R(posix_spawn(&c, "/nonexistent", NULL, NULL, bad, NULL));
    R(system("exit 4") >> 8);
    FILE *f = popen("echo popen", "r");
    char b[32] = {0};
    fgets(b, sizeof b, f);
    R(strcmp(b, "popen\n"));
    R(pclose(f));
    return 0;
}
