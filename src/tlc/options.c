/* Parsing TLC's command line. A row of a table for each option, and one small function for each
 * that has an argument; the texts of errors are those that scripts know from TLC. */
#include "tlc/options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "check/check.h"
#include "job/job.h"
#include "option/option.h"
#include "tlc/message.h"

struct tlc_parse {
    struct tlc_options *options;
    struct tlc_out *out;
    int argc;
    char **argv;
    int at; /* the argument being looked at */
};

void tlc_welcome(struct tlc_out *out)
{
    tlc_print(out, 2262, TLC_NONE, "TLC2 Version 2.20 (assay " ASSAY_VERSION ")");
}

__attribute__((format(printf, 2, 3))) static bool fail(struct tlc_parse *parse, const char *fmt,
                                                       ...)
{
    SCOPED_STRBUF text = {0};
    va_list ap;
    va_start(ap, fmt);
    strbuf_vprintf(&text, fmt, ap);
    va_end(ap);
    tlc_welcome(parse->out);
    tlc_print(parse->out, 1102, TLC_ERROR, "%s\nUsage: java tlc2.TLC [-help] [-option] inputfile",
              strbuf_cstr(&text));
    return false;
}

/* The next argument, or NULL after the message `missing`. */
static const char *take(struct tlc_parse *parse, const char *missing)
{
    if (parse->at + 1 >= parse->argc) {
        (void)fail(parse, "%s", missing);
        return NULL;
    }
    return parse->argv[++parse->at];
}

/* An integer in a range. `wrong` is followed by the argument itself; `range` is the message for one
 * outside. */
static bool take_int(struct tlc_parse *parse, const char *missing, const char *wrong, int64_t min,
                     const char *range, int64_t *ret)
{
    const char *text = take(parse, missing);
    int64_t value;
    if (text == NULL) {
        return false;
    }
    if (!read_i64(text, &value) || value > INT_MAX || value < INT_MIN) {
        return fail(parse, "%s%s", wrong, text);
    }
    if (value < min) {
        return fail(parse, "%s", range);
    }
    *ret = value;
    return true;
}

/* ---- options with arguments ---- */
static bool simulate_item(struct tlc_parse *parse, const char *item)
{
    struct tlc_options *o = parse->options;
    if (strncmp(item, "num=", 4) == 0) {
        if (!read_u64(item + 4, &o->simulate_num)) {
            return fail(parse,
                        "Error: An integer for the number of traces required. But encountered %s",
                        item + 4);
        }
    } else if (strncmp(item, "file=", 5) == 0) {
        o->simulate_file = item + 5;
    } else if (strcmp(item, "stats=basic") == 0 || strcmp(item, "stats=full") == 0) {
        o->simulate_stats = item + 6;
    }
    return true;
}

static bool opt_simulate(struct tlc_parse *parse)
{
    struct tlc_options *o = parse->options;
    o->simulate = true;
    o->generate = o->generate || strcmp(parse->argv[parse->at], "-generate") == 0;
    const char *next = parse->at + 1 < parse->argc ? parse->argv[parse->at + 1] : "";
    if (strstr(next, "stats=") == NULL && strstr(next, "file=") == NULL &&
        strstr(next, "num=") == NULL && strstr(next, "sched") == NULL) {
        return true;
    }
    char *save = NULL;
    for (char *item = strtok_r(parse->argv[++parse->at], ",", &save); item != NULL;
         item = strtok_r(NULL, ",", &save)) {
        if (!simulate_item(parse, item)) {
            return false;
        }
    }
    if (o->simulate_file != NULL && o->simulate_num == 0) {
        return fail(parse, "Error: You need to specify a 'num' argument when using the 'file' "
                           "argument, for example: "
                           "'\"num=5,file=test.txt\"'.");
    }
    return true;
}

static bool add_codes(struct tlc_parse *parse, const char *missing, int *codes, size_t *ncode)
{
    const char *list = take(parse, missing);
    if (list == NULL) {
        return false;
    }
    while (*list != '\0') {
        char number[16];
        size_t len = strcspn(list, ",");
        int64_t code;
        if (len >= sizeof number) {
            return fail(parse, "Error: For input string: \"%.*s\"", (int)len, list);
        }
        memcpy(number, list, len);
        number[len] = '\0';
        char *text = number + strspn(number, " ");
        text[strcspn(text, " ")] = '\0';
        if (!read_i64(text, &code)) {
            return fail(parse, "Error: For input string: \"%s\"", text);
        }
        if (!tlc_known_code((int)code) && (code < 4000 || code > 5000)) {
            return fail(parse, "Error: unknown message code: %s", text);
        }
        if (*ncode < TLC_CODES_MAX) {
            codes[(*ncode)++] = (int)code;
        }
        list += len + (list[len] == ',');
    }
    return true;
}

static bool opt_suppress(struct tlc_parse *parse)
{
    return add_codes(parse,
                     "Error: -suppressMessages requires a comma-separated list of message codes.",
                     parse->out->suppressed, &parse->out->nsuppressed);
}

static bool opt_as_errors(struct tlc_parse *parse)
{
    return add_codes(parse,
                     "Error: -messagesAsErrors requires a comma-separated list of message codes.",
                     parse->out->as_errors, &parse->out->nas_error);
}

static bool opt_inv(struct tlc_parse *parse)
{
    const char *text = take(parse, "Error: expect an expression for -inv option.");
    if (text != NULL) {
        VEC_PUSH(&parse->options->invariants, text);
    }
    return text != NULL;
}

static bool opt_invlevel(struct tlc_parse *parse)
{
    return take_int(parse, "Error: An integer for -invlevel required.",
                    "Error: An integer for -invlevel required. But encountered ", INT_MIN, "",
                    &parse->options->level_max);
}

static bool opt_debugger(struct tlc_parse *parse)
{
    return fail(parse,
                "Error: -debugger is not supported by assay yet; run TLC itself to debug a spec.");
}

static bool opt_generate_te(struct tlc_parse *parse)
{
    parse->options->te_forced = true;
    if (parse->at + 1 < parse->argc && strcmp(parse->argv[parse->at + 1], "nomonolith") == 0) {
        parse->at++;
    }
    return true;
}

static bool opt_te_dir(struct tlc_parse *parse)
{
    return (parse->options->te_dir =
                take(parse, "Error: expected a path for -teSpecOutDir option.")) != NULL;
}

static bool opt_lncheck(struct tlc_parse *parse)
{
    static const struct {
        const char *name;
        enum live_when when;
    } rows[] = {
        {"default",  LIVE_DEFAULT },
        {"final",    LIVE_FINAL   },
        {"seqfinal", LIVE_SEQFINAL},
        {"off",      LIVE_OFF     }
    };
    const char *text = take(parse, "Error: expect a strategy such as final for -lncheck option.");
    for (size_t i = 0; text != NULL && i < sizeof rows / sizeof rows[0]; i++) {
        if (strcasecmp(text, rows[i].name) == 0) {
            parse->options->live_when = rows[i].when;
        }
    }
    return text != NULL;
}

static bool opt_config(struct tlc_parse *parse)
{
    return (parse->options->config =
                take(parse, "Error: expect a file name for -config option.")) != NULL;
}

static const char *with_suffix(struct strbuf *to, const char *path, const char *suffix)
{
    size_t len = strlen(path);
    size_t n = strlen(suffix);
    bool has = len >= n && strcmp(path + len - n, suffix) == 0;
    strbuf_reset(to);
    strbuf_printf(to, "%s%s", path, has ? "" : suffix);
    return strbuf_cstr(to);
}

static bool opt_dump(struct tlc_parse *parse)
{
    struct dump_options *dump = &parse->options->dump;
    const char *word = take(parse, "Error: A file name for dumping states required.");
    if (word == NULL) {
        return false;
    }
    if (strncmp(word, "class,", 6) == 0) {
        return fail(parse, "Trying to instantiate a custom IStateWriter implementation %s.",
                    word + 6);
    }
    if (strncmp(word, "dot", 3) != 0 || parse->at + 1 >= parse->argc) {
        dump->path = with_suffix(&parse->options->dump_path, word, ".dump");
        return true;
    }
    dump->dot = true;
    dump->colorize = strcasestr(word, "colorize") != NULL;
    dump->actionlabels = strcasestr(word, "actionlabels") != NULL;
    dump->snapshot = strcasestr(word, "snapshot") != NULL;
    dump->constrained = strcasestr(word, "constrained") != NULL;
    dump->stuttering = strcasestr(word, "stuttering") != NULL;
    dump->strict = strcasestr(word, "strict") != NULL;
    dump->path = with_suffix(&parse->options->dump_path, parse->argv[++parse->at], ".dot");
    return true;
}

static bool opt_load_trace(struct tlc_parse *parse)
{
    const char *format =
        take(parse, "Error: A format and a file name for loading traces required.");
    if (format == NULL) {
        return false;
    }
    if (strcasecmp(format, "tlc") != 0 && strcasecmp(format, "json") != 0) {
        return fail(parse, "Error: Unknown format %s given to -loadTrace.", format);
    }
    const char *path = take(parse, "Error: A format and a file name for loading traces required.");
    parse->options->load = (struct tlc_trace_file){format, path};
    return path != NULL;
}

static bool opt_dump_trace(struct tlc_parse *parse)
{
    static const char *const formats[] = {"json",      "tla",       "tlc", "tlcplain",
                                          "tlcTESpec", "tlcaction", "dot"};
    const char *format =
        take(parse, "Error: A format and a file name for dumping traces required.");
    if (format == NULL) {
        return false;
    }
    const char *known = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        known = strcasecmp(format, formats[i]) == 0 ? formats[i] : known;
    }
    if (known == NULL) {
        return fail(parse, "Error: Unknown format %s given to -dumpTrace.", format);
    }
    const char *path = take(parse, "Error: A format and a file name for dumping traces required.");
    if (path == NULL) {
        return false;
    }
    struct tlc_trace_file file = {known, path};
    VEC_PUSH(&parse->options->traces, file);
    return true;
}

static bool opt_postcondition(struct tlc_parse *parse)
{
    const char *text = take(parse, "Error: Module!Operator for postCondition required.");
    if (text == NULL) {
        return false;
    }
    const char *bang = strchr(text, '!');
    if (bang == NULL) {
        return fail(parse, "Module!Operator for postCondition required. Encountered: %s", text);
    }
    if (strchr(bang + 1, '!') != NULL) {
        return fail(parse,
                    "Module!Operator for postCondition must be of the form module!operator. "
                    "Encountered: %s",
                    text);
    }
    if (bang == text) {
        return fail(parse, "Module name for postCondition required. Encountered: %s", text);
    }
    if (bang[1] == '\0') {
        return fail(parse, "Operator name for postCondition required. Encountered: %s", text);
    }
    if (strchr(text, '.') != NULL) {
        return fail(parse, "%s name for postCondition must not contain a dot. Encountered: %s",
                    strchr(text, '.') < bang ? "Module" : "Operator", text);
    }
    VEC_PUSH(&parse->options->postconditions, text);
    return true;
}

static bool opt_coverage(struct tlc_parse *parse)
{
    return take_int(parse, "Error: coverage report interval required.",
                    "Error: An integer for coverage report interval required. But encountered ", 0,
                    "Error: expect a nonnegative integer for -coverage option.",
                    &parse->options->coverage_min);
}

static bool opt_checkpoint(struct tlc_parse *parse)
{
    parse->options->checkpoint_given = true;
    return take_int(parse, "Error: checkpoint interval required.",
                    "Error: An integer for checkpoint interval is required. But encountered ", 0,
                    "Error: expect a nonnegative integer for -checkpoint option.",
                    &parse->options->checkpoint_min);
}

static bool opt_depth(struct tlc_parse *parse)
{
    int64_t depth = 0;
    if (!take_int(parse, "Error: trace length required.",
                  "Error: An integer for trace length required. But encountered ", INT_MIN, "",
                  &depth)) {
        return false;
    }
    parse->options->depth = depth > 0 ? (uint64_t)depth : 1;
    return true;
}

static bool take_long(struct tlc_parse *parse, const char *missing, const char *wrong, int64_t *ret)
{
    const char *text = take(parse, missing);
    if (text == NULL) {
        return false;
    }
    return read_i64(text, ret) || fail(parse, "%s%s", wrong, text);
}

static bool opt_seed(struct tlc_parse *parse)
{
    parse->options->has_seed = true;
    return take_long(parse, "Error: seed required.",
                     "Error: An integer for seed required. But encountered ",
                     &parse->options->seed);
}

static bool opt_aril(struct tlc_parse *parse)
{
    return take_long(parse, "Error: aril required.",
                     "Error: An integer for aril required. But encountered ",
                     &parse->options->aril);
}

static bool opt_max_set_size(struct tlc_parse *parse)
{
    int64_t size = 0;
    if (!take_int(parse, "Error: maxSetSize required.",
                  "Error: An integer for maxSetSize required. But encountered ", INT_MIN, "",
                  &size)) {
        return false;
    }
    if (size < 1) {
        return fail(
            parse,
            "Error: Value in interval [0, 2147483647] for maxSetSize required. But encountered %s",
            parse->argv[parse->at]);
    }
    parse->options->max_set_size = (uint64_t)size;
    return true;
}

static bool opt_recover(struct tlc_parse *parse)
{
    return (parse->options->recover =
                take(parse, "Error: need to specify the metadata directory for recovery.")) != NULL;
}

static bool opt_metadir(struct tlc_parse *parse)
{
    return (parse->options->metadir =
                take(parse, "Error: need to specify the metadata directory.")) != NULL;
}

static bool opt_user_file(struct tlc_parse *parse)
{
    return (parse->options->user_file =
                take(parse, "Error: need to specify the full qualified file.")) != NULL;
}

static bool opt_workers(struct tlc_parse *parse)
{
    const char *text = take(parse, "Error: expect an integer or 'auto' for -workers option.");
    if (text == NULL) {
        return false;
    }
    int64_t number;
    if (read_i64(text, &number) && number < 1) {
        return fail(parse, "Error: at least one worker required.");
    }
    return read_workers(text, &parse->options->workers) ||
           fail(parse, "Error: worker number or 'auto' required. But encountered %s", text);
}

static bool opt_dfid(struct tlc_parse *parse)
{
    return take_int(parse, "Error: expect a nonnegative integer for -dfid option.",
                    "Error: expect a nonnegative integer for -dfid option. But encountered ", 0,
                    "Error: expect a nonnegative integer for -dfid option.", &parse->options->dfid);
}

static bool opt_fp(struct tlc_parse *parse)
{
    if (!take_int(parse, "Error: expect an integer for -fp option.",
                  "Error: A number for -fp is required. But encountered ", 0,
                  "Error: The number for -fp must be between 0 and 130 (inclusive).",
                  &parse->options->fp)) {
        return false;
    }
    return parse->options->fp <= 130 ||
           fail(parse, "Error: The number for -fp must be between 0 and 130 (inclusive).");
}

static bool opt_fpmem(struct tlc_parse *parse)
{
    static const char wrong[] = "Error: An positive integer or a fraction for fpset memory "
                                "size/percentage required. But encountered ";
    const char *text = take(parse, "Error: fpset memory size required.");
    if (text == NULL) {
        return false;
    }
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0)) {
        return fail(parse, "%s%s", wrong, text);
    }
    if (value > 1) {
        tlc_raw(parse->out,
                STR("Using -fpmem with an abolute memory value has been deprecated. "
                    "Please allocate memory for the TLC process via the JVM mechanisms "
                    "and use -fpmem to set the fraction to be used for fingerprint storage.\n"));
    }
    return true;
}

static bool opt_fpbits(struct tlc_parse *parse)
{
    int64_t bits = 0;
    if (!take_int(parse, "Error: fpbits required.",
                  "Error: An integer for fpbits required. But encountered ", INT_MIN, "", &bits)) {
        return false;
    }
    return (bits >= 0 && bits <= 30) ||
           fail(parse, "Error: Value in interval [0, 30] for fpbits required. But encountered %s",
                parse->argv[parse->at]);
}

static bool opt_help(struct tlc_parse *parse)
{
    SCOPED_STRBUF text = {0};
    const struct command tlc = {.name = "tlc", .about = TLC_ABOUT, .options = options_of_tlc};
    command_help(&tlc, &text);
    tlc_raw(parse->out, strbuf_str(&text));
    return false;
}

static bool opt_tool(struct tlc_parse *parse)
{
    return parse->out->tool = true;
}

static bool opt_nowarning(struct tlc_parse *parse)
{
    parse->out->warn = false;
    return true;
}

/* Whoever calls has looked at it. */
static bool opt_report(struct tlc_parse *parse)
{
    return take(parse, "Error: expect a list of formats for -report option.") != NULL;
}

/* For options that change nothing here. */
static bool opt_nothing(struct tlc_parse *parse)
{
    (void)parse;
    return true;
}

/* Some of TLC's options may be written in any case. */
static bool any_case(const char *name)
{
    static const char *const names[] = {"-loadTrace", "-dumpTrace", "-postCondition", "-noTE",
                                        "-noTEBin"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

#define CMD struct tlc_options
/* A row for each option, in the columns of struct option. */
/* clang-format off */
const struct option options_of_tlc[] = {
    {"", 0, "SPEC", "*.tla", TO_TEXT(CMD, spec), "", NULL},
    {"-config", 0, "FILE", "*.cfg *.tla", TO_TLC(opt_config), "configuration; SPEC.cfg when not given", NULL},
    {"-workers", 0, "N|auto", "auto 1 2 4 8", TO_TLC(opt_workers), "threads (1)", NULL},
    {"-deadlock", 0, NULL, NULL, TO_FLAG(CMD, no_deadlock), "do NOT check for deadlock", NULL},
    {"-continue", 0, NULL, NULL, TO_FLAG(CMD, keep_going), "go on after a violation", NULL},
    {"-inv", 0, "EXPR", NULL, TO_TLC(opt_inv), "one more invariant", NULL},
    {"-invlevel", 0, "N", NULL, TO_TLC(opt_invlevel), "stop at this level", NULL},
    {"-postCondition", 0, "M!Op", NULL, TO_TLC(opt_postcondition), "evaluated at the end", NULL},
    {"-modelcheck", 0, NULL, NULL, TO_TLC(opt_nothing), "all states, as without it", NULL},
    {"-simulate", 0, "[num=N,file=PREFIX,stats=basic|full]", NULL, TO_TLC(opt_simulate), "random behaviours", NULL},
    {"-generate", 0, "[num=N,file=PREFIX,stats=basic|full]", NULL, TO_TLC(opt_simulate),
     "random behaviours, by random choices among the disjuncts", NULL},
    {"-depth", 0, "N", NULL, TO_TLC(opt_depth), "length of a random behaviour (100)", NULL},
    {"-seed", 0, "N", NULL, TO_TLC(opt_seed), "of random behaviours", NULL},
    {"-aril", 0, "N", NULL, TO_TLC(opt_aril), "adjusts the seed (0)", NULL},
    {"-dfid", 0, "N", NULL, TO_TLC(opt_dfid), "iterative deepening", NULL},
    {"-coverage", 0, "MIN", NULL, TO_TLC(opt_coverage), "coverage, every MIN minutes and at the end", NULL},
    {"-checkpoint", 0, "MIN", NULL, TO_TLC(opt_checkpoint), "minutes between checkpoints (30)", NULL},
    {"-recover", 0, "DIR", COMPLETE_DIR, TO_TLC(opt_recover), "go on from the checkpoint in DIR", NULL},
    {"-metadir", 0, "DIR", COMPLETE_DIR, TO_TLC(opt_metadir), "where files of the run go", NULL},
    {"-cleanup", 0, NULL, NULL, TO_FLAG(CMD, cleanup), "remove files of earlier runs", NULL},
    {"-dump", 0, "[dot,colorize,actionlabels,snapshot,constrained,stuttering,strict] FILE", COMPLETE_FILE,
     TO_TLC(opt_dump), "write all states", NULL},
    {"-dumpTrace", 0, "FORMAT FILE", "json tla tlc tlcplain tlcTESpec tlcaction dot", TO_TLC(opt_dump_trace),
     "write the behaviour: json, tla, tlc, tlcplain, tlcTESpec, tlcaction or dot", NULL},
    {"-loadTrace", 0, "FORMAT FILE", "json tlc", TO_TLC(opt_load_trace), "follow a behaviour that was written", NULL},
    {"-difftrace", 0, NULL, NULL, TO_FLAG(CMD, difftrace), "of a behaviour only what changes", NULL},
    {"-view", 0, NULL, NULL, TO_FLAG(CMD, view), "print states as VIEW sees them", NULL},
    {"-terse", 0, NULL, NULL, TO_FLAG(CMD, terse), "do not expand values", NULL},
    {"-userFile", 0, "FILE", COMPLETE_FILE, TO_TLC(opt_user_file), "output of Print and PrintT goes there", NULL},
    {"-nowarning", 0, NULL, NULL, TO_TLC(opt_nowarning), "no warnings", NULL},
    {"-suppressMessages", 0, "CODES", NULL, TO_TLC(opt_suppress), "leave out messages", NULL},
    {"-messagesAsErrors", 0, "CODES", NULL, TO_TLC(opt_as_errors), "messages that are errors", NULL},
    {"-lncheck", 0, "WHEN", "default final seqfinal off", TO_TLC(opt_lncheck),
     "when to check temporal properties: default, final, seqfinal, off", NULL},
    {"-generateSpecTE", 0, NULL, NULL, TO_TLC(opt_generate_te), "write a trace exploration spec", NULL},
    {"-noGenerateSpecTE", 0, NULL, NULL, TO_FLAG(CMD, te_off), "write none", NULL},
    {"-noTE", 0, NULL, NULL, TO_FLAG(CMD, te_off), "the same", NULL},
    {"-noGenerateSpecTEBin", 0, NULL, NULL, TO_FLAG(CMD, te_no_bin), "write no file with the values of its states",
     NULL},
    {"-noTEBin", 0, NULL, NULL, TO_FLAG(CMD, te_no_bin), "the same", NULL},
    {"-teSpecOutDir", 0, "DIR", COMPLETE_DIR, TO_TLC(opt_te_dir), "where it goes", NULL},
    {"-maxSetSize", 0, "N", NULL, TO_TLC(opt_max_set_size), "largest set to enumerate (1000000)", NULL},
    {"-fp", 0, "N", NULL, TO_TLC(opt_fp), "which polynomial of TLC; changes nothing", NULL},
    {"-fpbits", 0, "N", NULL, TO_TLC(opt_fpbits), "changes nothing", NULL},
    {"-fpmem", 0, "F", NULL, TO_TLC(opt_fpmem), "changes nothing", NULL},
    {"-gzip", 0, NULL, NULL, TO_TLC(opt_nothing), "changes nothing", NULL},
    {"-debugger", 0, NULL, NULL, TO_TLC(opt_debugger), NULL, NULL},
    {"-debug", 0, NULL, NULL, TO_FLAG(CMD, debug), "say more about errors", NULL},
    {"-report", 0, "FORMAT[=FILE],...", "junit= sarif= json= tap= html= github", TO_TLC(opt_report),
     "not TLC's: write what was judged for others, as --report of check", NULL},
    {"-tool", 0, NULL, NULL, TO_TLC(opt_tool), "framed messages for front-ends", NULL},
    {"-help", 0, NULL, NULL, TO_TLC(opt_help), "this text; also -h", NULL},
    {"-h", 0, NULL, NULL, TO_TLC(opt_help), NULL, NULL},
    OPTIONS_END,
};
/* clang-format on */

/* ---- properties ---- */
static bool is_true(const char *value)
{
    return strcasecmp(value, "true") == 0;
}

static void set_property(struct tlc_parse *parse, const char *name, const char *value)
{
    struct tlc_options *o = parse->options;
    int64_t number;
    if (strcmp(name, "TLA-Library") == 0) {
        o->library = value;
    } else if (strcmp(name, "tlc2.TLC.stopAfter") == 0 && read_i64(value, &number) && number > 0) {
        o->stop_after_s = (double)number;
    } else if (strcmp(name, "tlc2.TLC.progressInterval") == 0 && read_i64(value, &number) &&
               number > 0) {
        o->progress_s = (double)number;
    } else if (strcmp(name, "tlc2.TLC.asMilliSeconds") == 0) {
        o->as_milliseconds = is_true(value);
    } else if (strcmp(name, "tlc2.output.MP.noTimestamps") == 0) {
        parse->out->no_timestamps = is_true(value);
    } else if (strcmp(name, "tlc2.output.MP.warning2error") == 0) {
        parse->out->warnings_are_errors = is_true(value);
    } else if (strcmp(name, "tlc2.tool.queue.IStateQueue") == 0) {
        o->depth_first = strcmp(value, "StateDeque") == 0;
    } else if (strcmp(name, "tlc2.tool.impl.ModelConfig.nosymmetry") == 0) {
        o->no_symmetry = is_true(value);
    } else if (strcmp(name, "tlc2.tool.impl.Tool.cdot") == 0) {
        o->action_composition = is_true(value);
    } else if (strcmp(name, "tlc2.tool.impl.Tool.probabilistic") == 0) {
        o->generate = is_true(value);
    }
}

static void property(struct tlc_parse *parse, char *word)
{
    char *equals = strchr(word, '=');
    if (equals != NULL) {
        *equals = '\0';
    }
    set_property(parse, word, equals != NULL ? equals + 1 : "");
    if (equals != NULL) {
        *equals = '=';
        VEC_PUSH(&parse->options->properties, word);
    }
}

/* ---- the whole line ---- */
static bool positional(struct tlc_parse *parse, char *word)
{
    if (word[0] == '-') {
        const struct option *near = option_near(options_of_tlc, word);
        return fail(parse, "Error: unrecognized option: %s%s%s%s", word,
                    near != NULL ? " (did you mean " : "", near != NULL ? near->name : "",
                    near != NULL ? "?)" : "");
    }
    if (parse->options->spec != NULL) {
        return fail(parse, "Error: more than one input files: %s and %s", parse->options->spec,
                    word);
    }
    size_t len = strlen(word);
    if (len > 4 && strcmp(word + len - 4, ".tla") == 0) {
        word[len - 4] = '\0';
    }
    parse->options->spec = word;
    return true;
}

static bool one_word(struct tlc_parse *parse)
{
    char *word = parse->argv[parse->at];
    if (strncmp(word, "-D", 2) == 0) {
        property(parse, word + 2);
        return true;
    }
    for (const struct option *o = options_of_tlc; o->name != NULL; o++) {
        bool other =
            any_case(o->name) ? strcasecmp(word, o->name) != 0 : strcmp(word, o->name) != 0;
        if (other || o->name[0] == '\0') {
            continue;
        }
        if (o->kind == OPTION_TLC) {
            return o->tlc(parse);
        }
        return *(bool *)((char *)parse->options + o->at) = true;
    }
    return positional(parse, word);
}

static bool overlap(struct tlc_parse *parse)
{
    const struct tlc_out *out = parse->out;
    for (size_t i = 0; i < out->nsuppressed; i++) {
        for (size_t j = 0; j < out->nas_error; j++) {
            if (out->suppressed[i] == out->as_errors[j]) {
                (void)fail(parse,
                           "Error: The following codes were set to both -suppressMessages and "
                           "-messagesAsErrors: [%d]",
                           out->suppressed[i]);
                return true;
            }
        }
    }
    return false;
}

bool tlc_options_parse(struct tlc_options *options, struct tlc_out *out, int argc, char **argv)
{
    *options = (struct tlc_options){
        .depth = 100,
        .dfid = -1,
        .workers = 1,
        .coverage_min = -1,
        .checkpoint_min = 30,
        .fp = (int64_t)(clock_mono_ns() / 1000 % 131),
        .progress_s = 60,
    };
    struct tlc_parse parse = {.options = options, .out = out, .argc = argc, .argv = argv};
    for (parse.at = 1; parse.at < argc; parse.at++) {
        if (!one_word(&parse)) {
            return false;
        }
    }
    if (!out->warn && out->nsuppressed > 0) {
        return fail(&parse,
                    "Error: -nowarning already suppresses all warnings, making"
                    " -suppressMessages redundant. Remove -nowarning to suppress only the"
                    " specified messages, or remove -suppressMessages to suppress all warnings.");
    }
    if (overlap(&parse)) {
        return false;
    }
    if (options->spec == NULL || options->spec[0] == '\0') {
        return fail(&parse, "Error: Missing input TLA+ module.");
    }
    return true;
}

void tlc_options_done(struct tlc_options *options)
{
    VEC_DONE(&options->invariants);
    VEC_DONE(&options->postconditions);
    VEC_DONE(&options->properties);
    VEC_DONE(&options->traces);
    strbuf_done(&options->dump_path);
}
