/* expect: ok held */
/* Writes to the page that a call came through it; the next ordinary call is another one. */
#include "escape.h"

static long forged(long nr, long a, long b, long c, long d, long e, long f)
{
    for (int i = 0; i < 6; i++) {
        WORD(CALL_A + i) = 0;
    }
    WORD(CALL_AFTER) = 1;
    WORD(CALL_NR) = SYS_getpid;
    return raw(nr, a, b, c, d, e, f);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    return verdict(try_all(forged));
}
