/* calls: execve */
#include "t.h"

int main(void)
{
    int st = system("for i in 1 2 3; do echo $i | sed s/^/n/; done; ls /proc/self/fd | wc -l >/dev/null; x=$(printf abc | tr a-z A-Z); echo $x; (exit 7)");
    R(WEXITSTATUS(st));
    return 0;
}
