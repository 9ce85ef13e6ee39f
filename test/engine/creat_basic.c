/* calls: creat */
#include "t.h"

int main(void)
{
    int f = creat("f", 0640);
    R(f >= 0);
    R(write(f, "abc", 3));
    char b[4];
    R(read(f, b, 3));
    R(creat("f", 0600) >= 0);
    struct stat st;
    R(stat("f", &st));
    R(st.st_size);
    R(creat("no/such", 0600));
    R(creat(".", 0600));
    return 0;
}
