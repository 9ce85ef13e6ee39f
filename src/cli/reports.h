/* The option --report, which every command that judges has: where findings go for others. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "cli/cli.h"
#include "job/load.h"
#include "model/model.h"
#include "report/report.h"

/* A row of the tables of options. */
#define REPORT_OPTION                                                                              \
    {"report",                                                                                     \
     0,                                                                                            \
     "FORMAT[=FILE],...",                                                                          \
     "junit= sarif= json= tap= html= github",                                                      \
     TO_CALL(reports_option),                                                                      \
     "write what was judged for others: junit=F, sarif=F, json=F, tap=F, html=F, github",          \
     NULL}
const char *reports_option(void *to, const char *value);
/* One of them by itself: options that are older than --report. */
const char *reports_add(enum report_format format, const char *file);
/* The report of this process; NULL when nobody wants one, which every report_... accepts. */
struct report *reports(void);
/* The end of one of several parts of the command, which are judged one by one. */
void reports_part(const char *name, int status);
/* The end of the command: a report without a case gets one, an end that no case explains gets an
 * error with what was said on standard error. Writes the files. Returns the exit status. */
int reports_finish(int argc, char **argv, int status); /* argv[0]: the command */
