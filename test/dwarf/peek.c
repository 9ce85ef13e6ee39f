/* Runs a program until it says "ready", reads its variables as the lines "//= PATH => VALUE" of a
 * file say, and compares. "//~ PATH => TEXT" expects an error with that text. Prints one line for
 * each. usage: peek NAME PROGRAM FILE [LIBRARY]      LIBRARY: look for the variables in this file
 * of the program instead */
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
#include "base/str.h"
#include "dwarf/dwarf.h"

static int read_mem(void *arg, uint64_t addr, void *buf, size_t n)
{
    return pread(*(int *)arg, buf, n, (off_t)addr) == (ssize_t)n ? 0 : -1;
}

static _Noreturn void die(const char *name, const char *why)
{
    printf("not ok %s: %s\n", name, why);
    exit(1);
}

static pid_t start(const char *name, char *program)
{
    int out[2];
    char byte = 0;
    if (pipe(out) != 0) {
        die(name, "no pipe");
    }
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], 1);
        alarm(60);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    while (read(out[0], &byte, 1) == 1 && byte != '\n') {
    }
    if (byte != '\n') {
        die(name, "the program ended before it was ready");
    }
    return pid;
}

struct peek {
    const char *name;
    struct arena arena;
    struct dwarf *bin;
    struct dwarf_memory memory;
};

static int check_line(struct peek *p, char mode, struct str path_text, struct str want)
{
    struct err err = {0};
    struct dwarf_path *path = NULL;
    struct dwarf_value *value = NULL;
    SCOPED_STRBUF got = {0};
    int status = dwarf_path_new(p->bin, &p->arena, path_text, &path, &err);
    status = status ? status : dwarf_read(path, &p->memory, NULL, &p->arena, &value, &err);
    if (status == 0) {
        dwarf_value_print(&got, value);
    } else {
        strbuf_adds(&got, err.text);
    }
    /* Nothing that the system says is part of these messages. */
    int good = mode == '~' ? status != 0 && memmem(got.p, got.n, want.p, want.n) &&
                                 !strstr(strbuf_cstr(&got), strerror(1))
                           : status == 0 && str_eq(strbuf_str(&got), want);
    printf("%s %s %.*s\n", good ? "ok" : "not ok", p->name, STR_ARG(path_text));
    if (!good) {
        printf("  got  %s\n  want %.*s\n", strbuf_cstr(&got), STR_ARG(want));
    }
    return good;
}

static int check_file(struct peek *p, struct str text)
{
    int good = 1;
    while (text.n) {
        const char *newline = memchr(text.p, '\n', text.n);
        size_t n = newline ? (size_t)(newline - text.p) : text.n;
        const char *arrow = memmem(text.p, n, " => ", 4);
        if (n > 4 && memcmp(text.p, "//", 2) == 0 && (text.p[2] == '=' || text.p[2] == '~') &&
            arrow) {
            struct str path = {text.p + 4, (size_t)(arrow - text.p) - 4};
            struct str want = {arrow + 4, n - (size_t)(arrow - text.p) - 4};
            good &= check_line(p, text.p[2], path, want);
        }
        text.p += n + (newline != NULL);
        text.n -= n + (newline != NULL);
    }
    return good;
}

int main(int argc, char **argv)
{
    struct peek p = {.name = argc > 1 ? argv[1] : ""};
    struct err err = {0};
    struct str maps, lines;
    char path[64];
    if (argc < 4) {
        fprintf(stderr, "usage: peek NAME PROGRAM FILE [LIBRARY]\n");
        return 2;
    }
    arena_init(&p.arena, 0);
    pid_t pid = start(p.name, argv[2]);
    snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    int fd = open(path, O_RDONLY);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    p.memory = (struct dwarf_memory){.read = read_mem, .arg = &fd};
    int good = 0;
    if (fd < 0 || dwarf_open(argc > 4 ? argv[4] : argv[2], &p.bin, &err) != 0 ||
        file_read(&p.arena, path, 1 << 22, &maps, &err) != 0 ||
        dwarf_load_bias(p.bin, maps, NULL, &p.memory.bias, &err) != 0 ||
        file_read(&p.arena, argv[3], 1 << 22, &lines, &err) != 0) {
        printf("not ok %s: %s\n", p.name, err.text);
    } else {
        good = check_file(&p, lines);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    dwarf_close(p.bin);
    arena_done(&p.arena);
    return !good;
}
