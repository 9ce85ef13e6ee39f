/* The program: finds the command and runs it. Called as `tlc` or `java` it is that. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/reports.h"

/* Standard output may be a full disk or a closed pipe: that is a failure of the run too. Whoever
 * closed the other end of a pipe wants to hear no more. */
static int finish(int status)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        if (errno != EPIPE) {
            (void)fprintf(stderr, "assay: cannot write to standard output%s%s\n",
                          errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
        }
        return status == EXIT_OK ? EXIT_OTHER : status;
    }
    return status;
}

/* Descriptors that are closed at the start would become those of other files, and what is printed
 * would go into them. Output to a closed descriptor fails, as it should. */
static void open_standard(void)
{
    int fd = 0;
    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO) {
        (void)close(fd);
    }
}

/* TLC's command line has a -h of its own, and Java's hands it on. */
static bool own_help(const char *name)
{
    return strcmp(name, "tlc") == 0 || strcmp(name, "java") == 0 || strcmp(name, "sany") == 0;
}

int main(int argc, char **argv)
{
    open_standard();
    signals_install();
    (void)setlocale(LC_CTYPE, "");
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *self = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "assay";
    if (strcmp(self, "tlc") == 0 || strcmp(self, "java") == 0) {
        int status = command_find(self)->run(argc, argv);
        argv[0] = argv[0] + strlen(argv[0]) - strlen(self);
        return finish(reports_finish(argc, argv, status));
    }
    if (argc < 2) {
        (void)cmd_help(1, argv);
        return finish(EXIT_USAGE);
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        return finish(cmd_help(1, argv));
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        return finish(cmd_version(1, argv));
    }
    const struct command *command = command_need(name);
    if (command == NULL) {
        return EXIT_USAGE;
    }
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || (!own_help(name) && strcmp(argv[i], "-h") == 0)) {
            SCOPED_STRBUF text = {0};
            command_help(command, &text);
            (void)put_text(stdout, strbuf_str(&text));
            return finish(EXIT_OK);
        }
    }
    return finish(reports_finish(argc - 1, argv + 1, command->run(argc - 1, argv + 1)));
}
