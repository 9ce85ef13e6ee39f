/* calls: flock */
#include "t.h"

int main(void)
{
    int a = open("f", O_RDWR | O_CREAT, 0644), b = open("f", O_RDWR);
    R(flock(a, LOCK_EX));
    R(flock(b, LOCK_EX | LOCK_NB));
    R(flock(b, LOCK_SH | LOCK_NB));
    R(flock(a, LOCK_UN));
    R(flock(b, LOCK_SH | LOCK_NB));
    R(flock(a, LOCK_SH | LOCK_NB));
    R(flock(a, LOCK_EX | LOCK_NB));
    R(close(b));
    R(flock(a, LOCK_EX | LOCK_NB));
    R(flock(99, LOCK_EX));
    R(flock(a, 3));
    return 0;
}
