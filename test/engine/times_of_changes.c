/* calls: chmod utimensat link rename unlink write ftruncate mkdir rmdir symlink */
/* Which times of a file and of its directory each call sets to the present. */
#include "t.h"

static const char *const watched[] = {"f", "d", "d/g"};
enum { WATCHED = 3 };

/* Files have the time of one clock or of the other: that which is behind before, the other after.
 */
static int64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t ns_of(struct timespec t)
{
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Times are far apart, so that a time between them is one that was set in between. */
static int64_t before;
static void begin(void)
{
    usleep(20000);
    before = now_ns(CLOCK_REALTIME_COARSE);
}

static void changed(const char *what)
{
    int64_t after = now_ns(CLOCK_REALTIME);
    printf("%s:", what);
    for (int i = 0; i < WATCHED; i++) {
        struct stat st;
        if (stat(watched[i], &st) != 0) {
            printf(" %s -", watched[i]);
            continue;
        }
        int64_t c = ns_of(st.st_ctim), m = ns_of(st.st_mtim);
        printf(" %s%s%s", watched[i],
               c >= before && c <= after ? " c"
               : c > after               ? " later"
                                         : "",
               m >= before && m <= after ? " m"
               : m > after               ? " later"
                                         : "");
    }
    puts("");
}

#define DO(e)                                                                                      \
    do {                                                                                           \
        begin();                                                                                   \
        long r_ = (long)(e);                                                                       \
        changed(r_ < 0 ? "failed " #e : #e);                                                       \
    } while (0)

int main(void)
{
    struct timespec old[2] =
        {
            {100, 5},
            {200, 6}
    },
                    omit[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    int f = -1;
    DO(f = open("f", O_CREAT | O_RDWR, 0600));
    DO(mkdir("d", 0700));
    DO(close(open("d/g", O_CREAT | O_RDWR, 0600)));
    DO(write(f, "abc", 3));
    DO(pwrite(f, "", 0, 0));
    DO(ftruncate(f, 100));
    DO(ftruncate(f, 100));
    DO(chmod("f", 0644));
    DO(chmod("f", 0644));
    DO(chown("f", (uid_t)-1, (gid_t)-1));
    DO(utimensat(AT_FDCWD, "f", old, 0));
    DO(utimensat(AT_FDCWD, "f", omit, 0));
    DO(link("f", "d/h"));
    DO(rename("d/h", "d/i"));
    DO(unlink("d/i"));
    DO(symlink("f", "d/s"));
    DO(unlink("d/s"));
    DO(rename("d/g", "g"));
    DO(rename("g", "d/g"));
    DO(chmod("d", 0755));
    DO(mkdir("d/e", 0700));
    DO(rmdir("d/e"));
    DO(open("f", O_RDWR | O_TRUNC));
    DO(access("f", R_OK));
    return 0;
}
