/* The program when it is called as `java`: front-ends that start TLC through a Java machine then
 * start us.
 *
 * `-version` is answered as a Java machine would; options for the machine are skipped; the class
 * name decides. tlc2.TLC, tlc2.REPL, tla2sany.SANY and pcal.trans are ours; every other class (the
 * TeX printer) is handed to a real Java found elsewhere on the PATH. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"

static int print_version(void)
{
    (void)fputs("openjdk version \"17.0.0\" 2021-09-14\n"
                "OpenJDK Runtime Environment (assay " ASSAY_VERSION ")\n"
                "OpenJDK 64-Bit Server VM (assay " ASSAY_VERSION ", native TLC)\n",
                stderr);
    return EXIT_OK;
}

/* Options of the Java machine that take the next argument. */
static bool takes_value(const char *arg)
{
    static const char *const names[] = {"-cp",         "-classpath",    "--class-path",
                                        "-p",          "--module-path", "--add-modules",
                                        "--add-opens", "--add-exports"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(arg, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- a real Java ---- */
/* We are this file, by device and number: also under another name. */
static bool is_ourselves(const char *path)
{
    struct stat self;
    struct stat other;
    if (stat("/proc/self/exe", &self) != 0 || stat(path, &other) != 0) {
        return false;
    }
    if (self.st_dev == other.st_dev && self.st_ino == other.st_ino) {
        return true;
    }
    char text[512] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t n = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[n] = '\0';
    return strncmp(text, "#!", 2) == 0 && strstr(text, "assay") != NULL; /* our own small script */
}

static bool find_java(struct strbuf *ret)
{
    const char *path = getenv("PATH");
    if (path == NULL) {
        return false;
    }
    while (*path != '\0') {
        size_t len = strcspn(path, ":");
        strbuf_reset(ret);
        strbuf_printf(ret, "%.*s/java", (int)len, path);
        if (len > 0 && access(strbuf_cstr(ret), X_OK) == 0 && !is_ourselves(strbuf_cstr(ret))) {
            return true;
        }
        path += len + (path[len] == ':');
    }
    return false;
}

static int hand_over(char **argv, const char *class)
{
    SCOPED_STRBUF java = {0};
    if (find_java(&java)) {
        argv[0] = java.p;
        (void)execv(java.p, argv);
    }
    (void)fprintf(stderr,
                  "assay: the class %s needs a Java machine, and there is none on the PATH.\n"
                  "assay itself runs tlc2.TLC, tlc2.REPL, tla2sany.SANY and pcal.trans.\n",
                  class);
    return EXIT_USAGE;
}

/* ---- our classes ---- */
/* tlc2.REPL: with an argument its value, else a session. */
static int repl(int argc, char **argv)
{
    if (argc < 2) {
        char name[] = "repl";
        char flag[] = "--as-tlc";
        char *line[] = {name, flag, NULL};
        return cmd_repl(2, line);
    }
    char name[] = "eval";
    char dashes[] = "--";
    char *line[] = {name, dashes, argv[argc - 1], NULL};
    (void)cmd_eval(3, line);
    return EXIT_OK;
}

static int run_class(const char *class, int argc, char **argv)
{
    if (strcmp(class, "tlc2.TLC") == 0) {
        return cmd_tlc(argc, argv);
    }
    if (strcmp(class, "tla2sany.SANY") == 0) {
        return cmd_sany(argc, argv);
    }
    if (strcmp(class, "pcal.trans") == 0) {
        return cmd_pcal_trans(argc, argv);
    }
    return repl(argc, argv);
}

static bool is_ours(const char *class)
{
    return strcmp(class, "tlc2.TLC") == 0 || strcmp(class, "tla2sany.SANY") == 0 ||
           strcmp(class, "tlc2.REPL") == 0 || strcmp(class, "pcal.trans") == 0;
}

/* `-jar tla2tools.jar` starts TLC. */
static bool is_tools_jar(const char *path)
{
    const char *base = strrchr(path, '/');
    base = base != NULL ? base + 1 : path;
    return strncmp(base, "tla2tools", 9) == 0;
}

int cmd_java(int argc, char **argv)
{
    VEC(char *) line = {0};
    char name[] = "tlc";
    VEC_PUSH(&line, name);
    const char *class = NULL;
    int at = 1;
    for (; at < argc && class == NULL; at++) {
        if (strcmp(argv[at], "-version") == 0 || strcmp(argv[at], "--version") == 0) {
            VEC_DONE(&line);
            return print_version();
        }
        if (strncmp(argv[at], "-D", 2) == 0) {
            VEC_PUSH(&line, argv[at]);
        } else if (strcmp(argv[at], "-jar") == 0 && at + 1 < argc) {
            at++;
            class = is_tools_jar(argv[at]) ? "tlc2.TLC" : argv[at];
        } else if (takes_value(argv[at])) {
            at++;
        } else if (argv[at][0] != '-') {
            class = argv[at];
        }
    }
    int status;
    if (class == NULL) {
        (void)fputs("usage: java [options] CLASS [arguments]    (assay " ASSAY_VERSION
                    " in the place of a Java machine)\n",
                    stderr);
        status = EXIT_USAGE;
    } else if (!is_ours(class)) {
        status = hand_over(argv, class);
    } else {
        for (; at < argc; at++) {
            VEC_PUSH(&line, argv[at]);
        }
        int n = (int)line.n;
        VEC_PUSH(&line, NULL);
        status = run_class(class, n, line.v);
    }
    VEC_DONE(&line);
    return status;
}
