/* calls: mmap munmap mremap mprotect madvise msync brk pread64 pwrite64 ftruncate fallocate memfd_create */
/* Memory and files of which it is a mapping, changed and read in a random order, through the mapping and through the descriptor; what is not there faults.
 * Each mapping has a place of its own in one reserved range. */
#include "random_calls.h"
#include <setjmp.h>

enum { STEPS = 1500, SLOTS = 6, PAGES = 8, PAGE = 4096, FILES = 4 };

static char *base;
static int files[FILES];
static const char *kinds[FILES] = {"file", "other", "memfd", "shm"};
static sigjmp_buf back;
static volatile int fault_sig, fault_code;
static volatile long fault_at;

static void on(int sig, siginfo_t *info, void *context)
{
    fault_sig = sig;
    fault_code = info->si_code;
    fault_at = (char *)info->si_addr - base;
    siglongjmp(back, 1);
}

static char *slot(int i)
{
    return base + (size_t)i * PAGES * PAGE;
}

static void result(const char *call, long r)
{
    printf("%s %ld%s%s\n", call, r < 0 ? -1 : r, r < 0 ? " " : "", r < 0 ? strerrorname_np(errno) : "");
}
#define DID(call, e) result(call, (errno = 0, (long)(e)))

static long placed(const void *p)
{
    return p == MAP_FAILED ? -1 : (const char *)p - base;
}

static uint64_t sum(const char *p, size_t n)
{
    uint64_t s = 0;
    for (size_t k = 0; k < n; k++) {
        s = s * 31 + (unsigned char)p[k];
    }
    return s;
}

static int random_prot(void)
{
    static const int list[] = {PROT_READ, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_NONE};
    return list[pick(5)];
}

static void map(int i)
{
    int flags = (pick(2) ? MAP_SHARED : MAP_PRIVATE) | MAP_FIXED, k = (int)pick(FILES + 1);
    size_t pages = 1 + pick(PAGES);
    off_t at = (off_t)pick(4) * PAGE;
    if (k == FILES) {
        printf("map %d anonymous %x pages %zu ", i, flags, pages);
        DID("mmap", placed(mmap(slot(i), pages * PAGE, random_prot(), flags | MAP_ANONYMOUS, -1, 0)));
    } else {
        printf("map %d %s %x pages %zu at %ld ", i, kinds[k], flags, pages, (long)at);
        DID("mmap", placed(mmap(slot(i), pages * PAGE, random_prot(), flags, files[k], at + (pick(20) == 0 ? 7 : 0))));
    }
}

static void touch(int i)
{
    size_t at = pick(PAGES * PAGE - 64), n = 1 + pick(64);
    bool writes = pick(2);
    if (pick(3) == 0) {
        at = at / PAGE * PAGE + PAGE - n / 2;
        at = at + n > PAGES * PAGE ? 0 : at;
    }
    printf("%s %d at %zu: ", writes ? "store" : "load", i, at);
    if (sigsetjmp(back, 1) != 0) {
        printf("signal %d code %d in page %ld\n", fault_sig, fault_code, fault_at / PAGE);
        return;
    }
    volatile char *p = slot(i) + at;
    if (writes) {
        for (size_t k = 0; k < n; k++) {
            p[k] = (char)(at + k);
        }
        printf("done\n");
    } else {
        printf("%llx\n", (unsigned long long)sum((const char *)p, n));
    }
}

/* Files end where a page does: what is stored behind the end, and comes to light when the file grows, differs between file systems. */
static off_t size_of(int k)
{
    struct stat st;
    fstat(files[k], &st);
    return st.st_size;
}

/* Calls that are given the mapping as their buffer. */
static void lend(int i)
{
    char *p = slot(i) + pick(PAGES * PAGE - 5000);
    size_t n = pick(2) ? pick(5000) : pick(20);
    int k = (int)pick(FILES);
    off_t at = (off_t)pick((unsigned)size_of(k) + 1);
    if (pick(2)) {
        DID("pread into it", pread(files[k], p, n, at));
    } else if (at + (off_t)n <= size_of(k)) {
        DID("pwrite from it", pwrite(files[k], p, n, at));
    }
}

static void file(int k)
{
    static char b[6000];
    off_t at = (off_t)pick(6 * PAGE);
    size_t n = pick(3) ? pick(100) : pick(sizeof b);
    printf("%s ", kinds[k]);
    switch (pick(6)) {
    case 0: DID("ftruncate", ftruncate(files[k], (off_t)pick(6) * PAGE)); break;
    case 1: DID("punch", fallocate(files[k], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, (off_t)n + 1)); break;
    case 2:
    case 3: {
        memset(b, (int)pick(256), n);
        n = at > size_of(k) ? 0 : at + (off_t)n > size_of(k) ? (size_t)(size_of(k) - at) : n;
        DID("pwrite", pwrite(files[k], b, n, at));
        break;
    }
    default: {
        long got = (errno = 0, pread(files[k], b, n, at));
        result("pread", got);
        printf("  %llx\n", (unsigned long long)(got > 0 ? sum(b, (size_t)got) : 0));
    }
    }
}

static void change(int i)
{
    size_t first = pick(PAGES), n = 1 + pick(PAGES - (unsigned)first);
    char *p = slot(i) + first * PAGE;
    int j = (int)pick(SLOTS);
    printf("pages %zu+%zu of %d: ", first, n, i);
    switch (pick(9)) {
    case 0: DID("munmap", munmap(p, n * PAGE)); break;
    case 1: DID("mprotect", mprotect(p, n * PAGE, random_prot())); break;
    case 2: DID("dontneed", madvise(p, n * PAGE, MADV_DONTNEED)); break;
    case 3: DID("remove", madvise(p, n * PAGE, MADV_REMOVE)); break;
    case 4: DID("msync", msync(p, n * PAGE, pick(2) ? MS_SYNC : pick(2) ? MS_ASYNC : MS_SYNC | MS_ASYNC)); break;
    case 5:
        if (i != j) {
            DID("move", placed(mremap(p, n * PAGE, n * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, slot(j))));
        } else {
            DID("shrink", placed(mremap(slot(i), PAGES * PAGE, n * PAGE, 0)));
        }
        break;
    case 6: DID("willneed", madvise(p, n * PAGE, pick(2) ? MADV_WILLNEED : MADV_RANDOM)); break;
    case 7: DID("dontfork", madvise(p, n * PAGE, pick(2) ? MADV_DOFORK : MADV_WIPEONFORK)); break;
    default: DID("grow", placed(mremap(p, PAGE, 2 * PAGE, 0))); break;
    }
}

/* What a child sees and what it leaves. */
static void child(int i)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        for (int k = 0; k < 6; k++) {
            touch((int)pick(SLOTS));
        }
        fflush(stdout);
        _exit((int)pick(100));
    }
    int status = 0;
    waitpid(pid, &status, 0);
    printf("child %x\n", status);
}

static void run(uint64_t seed)
{
    state = seed;
    for (int i = 0; i < FILES; i++) {
        ftruncate(files[i], 0);
        ftruncate(files[i], (i + 1) * PAGE);
    }
    mmap(base, SLOTS * PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    for (int step = 0; step < STEPS; step++) {
        int i = (int)pick(SLOTS);
        printf("%llu:%d ", (unsigned long long)seed, step);
        switch (pick(12)) {
        case 0: map(i); break;
        case 1:
        case 2: file((int)pick(FILES)); break;
        case 3: change(i); break;
        case 4: lend(i); break;
        case 5: pick(8) ? touch(i) : child(i); break;
        default: touch(i); break;
        }
    }
}

int main(void)
{
    static char all[1 << 16];
    setvbuf(stdout, all, _IOFBF, sizeof all);
    struct sigaction a = {.sa_sigaction = on, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &a, NULL);
    sigaction(SIGBUS, &a, NULL);
    base = mmap(NULL, (SLOTS + 1) * PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    files[0] = open("a", O_RDWR | O_CREAT, 0600);
    files[1] = open("b", O_RDWR | O_CREAT, 0600);
    files[2] = memfd_create("m", 0);
    files[3] = open("/dev/shm/random-memory", O_RDWR | O_CREAT | O_EXCL, 0600);
    unlink("/dev/shm/random-memory");
    for (uint64_t seed = 1; seed <= 6; seed++) {
        run(seed * 104729);
    }
    return 0;
}
