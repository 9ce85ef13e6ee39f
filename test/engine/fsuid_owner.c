/* calls: setfsuid setfsgid mq_open openat mkdir mknod symlink pipe2 memfd_create bind shm_open */
/* What is made belongs to the ids for files, which differ from all others here. Needs root. */
#include <mqueue.h>

#include <sys/fsuid.h>

#include "t.h"

static void owner(const char *what, int fd)
{
    struct stat st;
    memset(&st, 0, sizeof st);
    int status = fstat(fd, &st);
    printf("%s: %d, %d %d\n", what, status, (int)st.st_uid, (int)st.st_gid);
    close(fd);
}

static void owner_of(const char *path)
{
    struct stat st;
    memset(&st, 0, sizeof st);
    int status = lstat(path, &st);
    printf("%s: %d, %d %d %o\n", path, status, (int)st.st_uid, (int)st.st_gid,
           (unsigned)st.st_mode);
}

int main(void)
{
    if (geteuid() != 0) {
        puts("not root");
        return 0;
    }
    umask(0);
    R(chmod(".", 0777));
    R(setresgid(101, 0, 103));
    R(setresuid(201, 0, 203));
    R(setfsgid(104));
    R(setfsuid(204));
    R(setfsuid(-1));
    R(setfsgid(-1));
    owner("file", open("file", O_CREAT | O_RDWR, 0640));
    R(mkdir("dir", 0750));
    owner_of("dir");
    R(mkfifo("fifo", 0604));
    owner_of("fifo");
    R(symlink("file", "link"));
    owner_of("link");
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "socket"};
    R(bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&at, sizeof at));
    owner_of("socket");
    int fd[2];
    R(pipe(fd));
    owner("pipe", fd[0]);
    owner("pipe", fd[1]);
    owner("memfd", memfd_create("m", 0));
    owner("shm", shm_open("/fsuid_owner", O_CREAT | O_RDWR, 0600));
    R(shm_unlink("/fsuid_owner"));
    mqd_t queue = mq_open("/fsuid_owner", O_CREAT | O_RDWR, 0600, NULL);
    owner("mq", queue);
    R(mq_unlink("/fsuid_owner"));
    return 0;
}
