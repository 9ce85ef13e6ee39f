/* calls: shmat shmdt */
/* Shared memory where the program wants it: at that place, twice at two, and the same bytes. */
#include "t.h"

#include <sys/shm.h>

int main(void)
{
    size_t size = 65536;
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    char *room = mmap(NULL, 4 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(room, 4 * size);
    char *a = shmat(id, room, 0), *b = shmat(id, room + 2 * size, SHM_RDONLY);
    R(a == room);
    R(b == room + 2 * size);
    strcpy(a, "same bytes");
    S(b);
    OK((long)shmat(id, room + 1, 0));
    R(shmat(id, room + 3 * size + 5, SHM_RND) == room + 3 * size);
    R(shmdt(a));
    R(shmdt(a));
    S(b);
    R(shmctl(id, IPC_RMID, NULL));
    R(shmdt(b));
    return 0;
}
