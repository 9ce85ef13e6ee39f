/* Counts in a page that it may write, or even read, only while it does so: `hide 0` (PROT_NONE),
 * `hide 1` (PROT_READ). */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include <sys/mman.h>
int main(int argc, char **argv)
{
    int hidden = atoi(argv[1]);
    unsigned *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (;;) {
        printf("sent %u\n", *page);
        mprotect(page, 4096, hidden);
        poll(NULL, 0, 1000);
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
        ++*page;
    }
}
