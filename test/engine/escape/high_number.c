/* expect: failed unknown system call */
/* ways: high minus */
/* The kernel looks at the low half of the register only; the engine must not take it for another call. */
#include "escape.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    raw(is("high") ? 0x700000000 | SYS_open : -1, (long)fresh, O_CREAT | O_WRONLY, 0644, 0, 0, 0);
    return 0;
}
