/* Runs a program that prints lines "PATH => VALUE" and "PATH ~> TEXT" until it says "ready", reads
 * the paths through its memory and compares; ~> expects an error, or a value that cannot be shown,
 * with that text. With DAMAGE it then reads all paths again and again with bytes of memory changed
 * at random: whatever comes out, it must end.
 *
 * usage: peek NAME python|java DAMAGE PROGRAM ARGUMENTS... */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"
#include "dwarf/dwarf.h"
#include "lang/lang.h"

struct row {
    struct str path, want;
    int fails;
};
struct peek {
    const char *name;
    enum lang lang;
    int fd;
    struct rng rng;
    unsigned damage; /* one byte of so many reads; 0: none */
    VEC(struct row) rows;
    struct arena arena;
};

static int read_mem(void *arg, uint64_t addr, void *buf, size_t n)
{
    struct peek *p = arg;
    if (pread(p->fd, buf, n, (off_t)addr) != (ssize_t)n) {
        return -1;
    }
    if (p->damage != 0 && rng_below(&p->rng, p->damage) == 0) {
        ((uint8_t *)buf)[rng_below(&p->rng, n)] = (uint8_t)rng_next(&p->rng);
    }
    return 0;
}

static _Noreturn void die(const char *name, const char *why)
{
    printf("not ok %s: %s\n", name, why);
    exit(1);
}

/* The program's lines, until it is ready. */
static pid_t start(struct peek *p, char **argv)
{
    int out[2], in[2];
    char line[4096];
    if (pipe(out) != 0 || pipe(in) != 0) {
        die(p->name, "no pipe");
    }
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(out[1], 1);
        (void)dup2(in[0], 0);
        (void)close(in[1]);
        alarm(300);
        (void)execvp(argv[0], argv);
        _exit(127);
    }
    (void)close(out[1]);
    (void)close(in[0]);
    FILE *from = fdopen(out[0], "r");
    while (fgets(line, sizeof line, from) != NULL) {
        struct str text = str_dup(&p->arena, str_trim(str_of(line)));
        const char *arrow = memmem(text.p, text.n, " => ", 4);
        const char *fails = memmem(text.p, text.n, " ~> ", 4);
        const char *at = arrow != NULL ? arrow : fails;
        if (str_is(text, "ready")) {
            return pid;
        }
        if (at != NULL) {
            struct row row = {
                {text.p, (size_t)(at - text.p)             },
                {at + 4, text.n - (size_t)(at + 4 - text.p)},
                arrow == NULL
            };
            VEC_PUSH(&p->rows, row);
        }
    }
    die(p->name, "the program ended before it was ready");
}

/* 1: as it should be. */
static int look(struct peek *p, struct lang_runtime *runtime, const struct lang_memory *memory,
                const struct row *row, struct strbuf *got)
{
    struct err err = {0};
    struct lang_path *path = NULL;
    struct dwarf_value *value = NULL;
    struct arena arena;
    arena_init(&arena, 0);
    int status = lang_path_new(p->lang, &arena, row->path, &path, &err);
    status = status != 0 ? status : lang_read(runtime, path, memory, &arena, &value, &err);
    if (status == 0) {
        dwarf_value_print(got, value);
    } else {
        strbuf_printf(got, "%s%s", status == -ERR_NOT_FOUND ? "nothing there: " : "", err.text);
    }
    arena_done(&arena);
    if (row->fails) {
        return memmem(got->p, got->n, row->want.p, row->want.n) != NULL;
    }
    return status == 0 && str_eq(strbuf_str(got), row->want);
}

static void damage(struct peek *p, struct lang_runtime *runtime, const struct lang_memory *memory,
                   unsigned rounds)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < rounds; i++) {
        p->damage = i % 2 == 0 ? 20 : 400;
        for (size_t k = 0; k < p->rows.n; k++) {
            SCOPED_STRBUF got = {0};
            rng_seed(&p->rng, i * 1000 + k + 1);
            wrong += look(p, runtime, memory, &p->rows.v[k], &got) ? 0 : 1;
        }
    }
    printf("%s %s-damage: %u other results\n", wrong > 0 ? "ok" : "not ok", p->name, wrong);
}

int main(int argc, char **argv)
{
    struct peek p = {.name = argc > 1 ? argv[1] : ""};
    struct err err = {0};
    struct str maps;
    struct lang_runtime *runtime = NULL;
    char path[64];
    if (argc < 5) {
        (void)fprintf(stderr, "usage: peek NAME python|java DAMAGE PROGRAM ARGUMENTS...\n");
        return 2;
    }
    p.lang = strcmp(argv[2], "java") == 0 ? LANG_JAVA : LANG_PYTHON;
    arena_init(&p.arena, 0);
    pid_t pid = start(&p, argv + 4);
    (void)usleep(200000); /* its other threads come to rest */
    snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    p.fd = open(path, O_RDONLY);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    if (p.fd < 0 || file_read(&p.arena, path, 1 << 24, &maps, &err) != 0) {
        die(p.name, "its memory cannot be read");
    }
    struct lang_memory memory = {.read = read_mem, .arg = &p, .maps = maps};
    if (lang_open(p.lang, &memory, &p.arena, &runtime, &err) != 0) {
        die(p.name, err.text);
    }
    int good = p.rows.n != 0;
    for (size_t i = 0; i < p.rows.n; i++) {
        SCOPED_STRBUF got = {0};
        int same = look(&p, runtime, &memory, &p.rows.v[i], &got);
        printf("%s %s %.*s\n", same ? "ok" : "not ok", p.name, STR_ARG(p.rows.v[i].path));
        if (!same) {
            printf("#   got  %s\n#   want %.*s\n", strbuf_cstr(&got), STR_ARG(p.rows.v[i].want));
        }
        good &= same;
    }
    damage(&p, runtime, &memory, (unsigned)strtoul(argv[3], NULL, 10));
    (void)kill(pid, 9);
    (void)waitpid(pid, NULL, 0);
    VEC_DONE(&p.rows);
    arena_done(&p.arena);
    return good ? 0 : 1;
}
