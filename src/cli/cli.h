/* The command line: one file for each command, and what they share. Only this room prints and ends
 * the process. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/human.h"
#include "base/str.h"
#include "job/status.h"

/* A command: argv[0] is its name. Returns the exit status. */
typedef int (*command_fn)(int argc, char **argv);
struct command {
    const char *name;
    command_fn run;
    const char *summary;   /* one line; NULL = not shown in the overview */
    const char *arguments; /* after the name; another way to call it after a newline */
    const char *about;     /* what it does, and its exit statuses; paragraphs; "    " begins a line
                              that stays as it is */
    const struct option *options;
};
extern const struct command commands[]; /* ends with a row whose name is NULL */
const struct command *command_find(const char *name);
/* That, or a message with the command that may have been meant. */
const struct command *command_need(const char *name);
/* `assay help NAME` (help.c). */
void command_help(const struct command *command, struct strbuf *out);
/* The manual page from its template, or the completion of a shell (generate.c): man, bash, zsh,
 * fish. False when there is no such thing. */
bool generate(const char *what, struct str template, struct strbuf *out);

int cmd_check(int argc, char **argv);
int cmd_tlc(int argc, char **argv);
int cmd_java(int argc, char **argv);
int cmd_sany(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_repl(int argc, char **argv);
int cmd_parse(int argc, char **argv);
int cmd_pluscal(int argc, char **argv);
int cmd_pcal_trans(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_rank(int argc, char **argv);
int cmd_history(int argc, char **argv);
int cmd_client(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_conform(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_confirm(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_http_get(int argc, char **argv);

/* ---- signals (signals.c) ---- */
/* SIGINT, SIGTERM, SIGQUIT and SIGHUP (unless it is ignored: nohup) raise the flag; a second SIGINT
 * ends the process with status 130 at once. SIGPIPE and SIGXFSZ are ignored: a write then fails. */
void signals_install(void);
const volatile sig_atomic_t *
signals_flag(void); /* 0 or the number of the signal: evaluation stops at once */
const volatile sig_atomic_t *signals_stop_flag(void); /* that, or JOB_STOPPED: the search ends */
struct job_flags;
struct job_flags *signals_flags(void); /* both, for jobs */
/* While files are read and taken apart there is nothing to save: a signal ends the process at once,
 * with status 130, or as Java does. Not in a command that has something to tell nevertheless. */
void signals_loading(bool begins);
void signals_as_java(void);
void signals_never_at_once(void);
void signals_reset(void); /* a session goes on after an interrupted input */

/* ---- options (options.c, see options.h) ---- */
int usage_error(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool parse_u64(const char *text, uint64_t *ret);   /* decimal, whole text */
bool parse_count(const char *text, uint64_t *ret); /* not 0 */
bool parse_i64(const char *text, int64_t *ret);
bool parse_size(const char *text, uint64_t *ret);     /* 200M, 4G, 65536, 10GiB */
bool parse_duration(const char *text, double *ret_s); /* 30, 30s, 5m, 2h */
bool parse_workers(const char *text, unsigned *ret);  /* a number up to WORKERS_MOST, or auto */
enum { WORKERS_MOST = 1024 };
#define WORKERS_WANTED "auto or a number from 1 to 1024"
unsigned cpu_count(void);
uint64_t memory_total(void);

/* ---- terminal (term.c) ---- */
enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
bool parse_color(const char *text, enum color_when *ret);
bool color_wanted(enum color_when when,
                  int fd);                /* NO_COLOR, TERM=dumb and not-a-terminal mean no */
int put_text(FILE *out, struct str text); /* fwrite; 0 or -1 */
