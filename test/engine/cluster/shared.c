/* shared: a process and its child count in parts of a file that both have mapped, and in memory that they share; each says what it sees. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

int main(void)
{
    int f = open("f", O_CREAT | O_RDWR, 0644);
    (void)!ftruncate(f, 4 * PAGE);
    volatile int *second = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, f, PAGE);
    volatile int *last = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, f, 3 * PAGE);
    volatile int *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    volatile int *looks = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, f, PAGE);
    const char *name = fork() == 0 ? "child" : "parent";
    for (int i = 0; i < 25; i++) {
        usleep(80000);
        second[0]++;
        last[i]++;
        memory[PAGE / 4]++;
        int on_disk = 0;
        (void)!pread(f, &on_disk, sizeof on_disk, PAGE);
        printf("%s: %d %d %d %d %d\n", name, second[0], last[i], memory[PAGE / 4], looks[0], on_disk);
        fflush(stdout);
    }
    return 0;
}
