/* expect: failed which the engine needs */
/* cc: -static -no-pie -Wl,-Ttext-segment=0x6ffff000 */
/* A program that lies where the engine keeps its page. */
#include "escape.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    return verdict(try_all(raw));
}
