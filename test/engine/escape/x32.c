/* expect: failed x32 system call */
/* System calls of the x32 kind: the same instruction, the same architecture, other numbers. */
#include "escape.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    long r = raw(0x40000000 | SYS_open, (long)fresh, O_CREAT | O_WRONLY, 0644, 0, 0, 0);
    return verdict(r >= 0);
}
