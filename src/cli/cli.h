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
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/term.h"
#include "option/option.h"

extern const struct command commands[]; /* ends with a row whose name is NULL */
const struct command *command_find(const char *name);
/* That, or a message with the command that may have been meant. */
const struct command *command_need(const char *name);

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
int cmd_ci(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_conform(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_confirm(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_http_get(int argc, char **argv);

/* ---- signals (signals.c) ---- */
/* SIGINT, SIGTERM, SIGQUIT and SIGHUP (unless it is ignored: nohup) raise the flag; a second SIGINT
 * ends the process with status 130 at once. SIGPIPE and SIGXFSZ are ignored: a write then fails. */
void signals_install(void);
const volatile sig_atomic_t *
signals_flag(void); /* 0 or the number of the signal: evaluation stops at once */
const volatile sig_atomic_t *signals_stop_flag(void); /* that, or JOB_STOPPED: the search ends */
struct stop_flags;
struct stop_flags *signals_flags(void); /* both, for jobs */
/* While files are read and taken apart there is nothing to save: a signal ends the process at once,
 * with status 130, or as Java does. Not in a command that has something to tell nevertheless. */
void signals_loading(bool begins);
void signals_as_java(void);
void signals_never_at_once(void);
/* From now on the first signal only sets signals_stop_flag: what is evaluated is evaluated to its
 * end. The second one stops that, too. */
void signals_gently(void);
void signals_reset(void); /* a session goes on after an interrupted input */

/* ---- options (usage.c, see option/option.h) ---- */
int usage_error(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Does what the command line says to the structure `to`; argv[0] is the name of a command.
 * EXIT_OK, or EXIT_USAGE after a message. */
int options_parse(const struct option *options, int argc, char **argv, void *to);

/* The options of the commands, each in the command's file. */
extern const struct option options_of_check[], options_of_eval[], options_of_repl[],
    options_of_parse[], options_of_rank[], options_of_run[], options_of_replay[],
    options_of_shrink[], options_of_conform[], options_of_confirm[], options_of_test[],
    options_of_init[], options_of_history[], options_of_explore[], options_of_client[],
    options_of_help[], options_of_pluscal[], options_of_watch[], options_of_view[],
    options_of_show[], options_of_ci[];
