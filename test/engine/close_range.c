/* calls: close_range */
#include "t.h"

int main(void)
{
    R(dup2(1, 10));
    R(dup2(1, 11));
    R(dup2(1, 12));
    R(close_range(10, 11, 0));
    R(fcntl(10, F_GETFD));
    R(fcntl(12, F_GETFD));
    R(close_range(12, 12, 4));
    R(fcntl(12, F_GETFD));
    R(close_range(5, 3, 0));
    return 0;
}
