/* Parsing TLC's command line. One small function for each option that has an argument, one row of a
 * table for each that has none; the texts of errors are those that scripts know from TLC. */
#include "cli/tlc_options.h"

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
#include "cli/cli.h"
#include "cli/run.h"
#include "cli/tlc_out.h"

struct parse {
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

__attribute__((format(printf, 2, 3))) static bool fail(struct parse *parse, const char *fmt, ...)
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
static const char *take(struct parse *parse, const char *missing)
{
    if (parse->at + 1 >= parse->argc) {
        (void)fail(parse, "%s", missing);
        return NULL;
    }
    return parse->argv[++parse->at];
}

/* An integer in a range. `wrong` is followed by the argument itself; `range` is the message for one
 * outside. */
static bool take_int(struct parse *parse, const char *missing, const char *wrong, int64_t min,
                     const char *range, int64_t *ret)
{
    const char *text = take(parse, missing);
    int64_t value;
    if (text == NULL) {
        return false;
    }
    if (!parse_i64(text, &value) || value > INT_MAX || value < INT_MIN) {
        return fail(parse, "%s%s", wrong, text);
    }
    if (value < min) {
        return fail(parse, "%s", range);
    }
    *ret = value;
    return true;
}

/* ---- options with arguments ---- */
static bool simulate_item(struct parse *parse, const char *item)
{
    struct tlc_options *o = parse->options;
    if (strncmp(item, "num=", 4) == 0) {
        if (!parse_u64(item + 4, &o->simulate_num)) {
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

static bool opt_simulate(struct parse *parse)
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

static bool add_codes(struct parse *parse, const char *missing, int *codes, size_t *ncode)
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
        if (!parse_i64(text, &code)) {
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

static bool opt_suppress(struct parse *parse)
{
    return add_codes(parse,
                     "Error: -suppressMessages requires a comma-separated list of message codes.",
                     parse->out->suppressed, &parse->out->nsuppressed);
}

static bool opt_as_errors(struct parse *parse)
{
    return add_codes(parse,
                     "Error: -messagesAsErrors requires a comma-separated list of message codes.",
                     parse->out->as_errors, &parse->out->nas_error);
}

static bool opt_inv(struct parse *parse)
{
    const char *text = take(parse, "Error: expect an expression for -inv option.");
    if (text != NULL) {
        VEC_PUSH(&parse->options->invariants, text);
    }
    return text != NULL;
}

static bool opt_invlevel(struct parse *parse)
{
    return take_int(parse, "Error: An integer for -invlevel required.",
                    "Error: An integer for -invlevel required. But encountered ", INT_MIN, "",
                    &parse->options->level_max);
}

static bool opt_debugger(struct parse *parse)
{
    return fail(parse,
                "Error: -debugger is not supported by assay yet; run TLC itself to debug a spec.");
}

static bool opt_generate_te(struct parse *parse)
{
    parse->options->te_forced = true;
    if (parse->at + 1 < parse->argc && strcmp(parse->argv[parse->at + 1], "nomonolith") == 0) {
        parse->at++;
    }
    return true;
}

static bool opt_te_dir(struct parse *parse)
{
    return (parse->options->te_dir =
                take(parse, "Error: expected a path for -teSpecOutDir option.")) != NULL;
}

static bool opt_lncheck(struct parse *parse)
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

static bool opt_config(struct parse *parse)
{
    return (parse->options->config =
                take(parse, "Error: expect a file name for -config option.")) != NULL;
}

static char *with_suffix(const char *path, const char *suffix)
{
    size_t len = strlen(path);
    size_t n = strlen(suffix);
    bool has = len >= n && strcmp(path + len - n, suffix) == 0;
    char *text = NULL;
    return asprintf(&text, "%s%s", path, has ? "" : suffix) < 0 ? NULL : text;
}

static bool opt_dump(struct parse *parse)
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
    free(parse->options->dump_path);
    if (strncmp(word, "dot", 3) != 0 || parse->at + 1 >= parse->argc) {
        parse->options->dump_path = with_suffix(word, ".dump");
        dump->path = parse->options->dump_path;
        return true;
    }
    dump->dot = true;
    dump->colorize = strcasestr(word, "colorize") != NULL;
    dump->actionlabels = strcasestr(word, "actionlabels") != NULL;
    dump->snapshot = strcasestr(word, "snapshot") != NULL;
    dump->constrained = strcasestr(word, "constrained") != NULL;
    dump->stuttering = strcasestr(word, "stuttering") != NULL;
    dump->strict = strcasestr(word, "strict") != NULL;
    parse->options->dump_path = with_suffix(parse->argv[++parse->at], ".dot");
    dump->path = parse->options->dump_path;
    return true;
}

static bool opt_load_trace(struct parse *parse)
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

static bool opt_dump_trace(struct parse *parse)
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

static bool opt_postcondition(struct parse *parse)
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

static bool opt_coverage(struct parse *parse)
{
    return take_int(parse, "Error: coverage report interval required.",
                    "Error: An integer for coverage report interval required. But encountered ", 0,
                    "Error: expect a nonnegative integer for -coverage option.",
                    &parse->options->coverage_min);
}

static bool opt_checkpoint(struct parse *parse)
{
    parse->options->checkpoint_given = true;
    return take_int(parse, "Error: checkpoint interval required.",
                    "Error: An integer for checkpoint interval is required. But encountered ", 0,
                    "Error: expect a nonnegative integer for -checkpoint option.",
                    &parse->options->checkpoint_min);
}

static bool opt_depth(struct parse *parse)
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

static bool take_long(struct parse *parse, const char *missing, const char *wrong, int64_t *ret)
{
    const char *text = take(parse, missing);
    if (text == NULL) {
        return false;
    }
    return parse_i64(text, ret) || fail(parse, "%s%s", wrong, text);
}

static bool opt_seed(struct parse *parse)
{
    parse->options->has_seed = true;
    return take_long(parse, "Error: seed required.",
                     "Error: An integer for seed required. But encountered ",
                     &parse->options->seed);
}

static bool opt_aril(struct parse *parse)
{
    return take_long(parse, "Error: aril required.",
                     "Error: An integer for aril required. But encountered ",
                     &parse->options->aril);
}

static bool opt_max_set_size(struct parse *parse)
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

static bool opt_recover(struct parse *parse)
{
    return (parse->options->recover =
                take(parse, "Error: need to specify the metadata directory for recovery.")) != NULL;
}

static bool opt_metadir(struct parse *parse)
{
    return (parse->options->metadir =
                take(parse, "Error: need to specify the metadata directory.")) != NULL;
}

static bool opt_user_file(struct parse *parse)
{
    return (parse->options->user_file =
                take(parse, "Error: need to specify the full qualified file.")) != NULL;
}

static bool opt_workers(struct parse *parse)
{
    const char *text = take(parse, "Error: expect an integer or 'auto' for -workers option.");
    if (text == NULL) {
        return false;
    }
    int64_t number;
    if (parse_i64(text, &number) && number < 1) {
        return fail(parse, "Error: at least one worker required.");
    }
    return parse_workers(text, &parse->options->workers) ||
           fail(parse, "Error: worker number or 'auto' required. But encountered %s", text);
}

static bool opt_dfid(struct parse *parse)
{
    return take_int(parse, "Error: expect a nonnegative integer for -dfid option.",
                    "Error: expect a nonnegative integer for -dfid option. But encountered ", 0,
                    "Error: expect a nonnegative integer for -dfid option.", &parse->options->dfid);
}

static bool opt_fp(struct parse *parse)
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

static bool opt_fpmem(struct parse *parse)
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

static bool opt_fpbits(struct parse *parse)
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

static bool opt_help(struct parse *parse)
{
    tlc_raw(parse->out, str_of(command_find("tlc")->usage));
    return false;
}

/* ---- tables ---- */
static const struct {
    const char *name;
    bool (*fn)(struct parse *parse);
    bool any_case;
} with_argument[] = {
    {"-simulate",         opt_simulate,      false},
    {"-generate",         opt_simulate,      false},
    {"-suppressMessages", opt_suppress,      false},
    {"-messagesAsErrors", opt_as_errors,     false},
    {"-inv",              opt_inv,           false},
    {"-invlevel",         opt_invlevel,      false},
    {"-debugger",         opt_debugger,      false},
    {"-generateSpecTE",   opt_generate_te,   false},
    {"-teSpecOutDir",     opt_te_dir,        false},
    {"-lncheck",          opt_lncheck,       false},
    {"-config",           opt_config,        false},
    {"-dump",             opt_dump,          false},
    {"-loadTrace",        opt_load_trace,    true },
    {"-dumpTrace",        opt_dump_trace,    true },
    {"-postCondition",    opt_postcondition, true },
    {"-coverage",         opt_coverage,      false},
    {"-checkpoint",       opt_checkpoint,    false},
    {"-depth",            opt_depth,         false},
    {"-seed",             opt_seed,          false},
    {"-aril",             opt_aril,          false},
    {"-maxSetSize",       opt_max_set_size,  false},
    {"-recover",          opt_recover,       false},
    {"-metadir",          opt_metadir,       false},
    {"-userFile",         opt_user_file,     false},
    {"-workers",          opt_workers,       false},
    {"-dfid",             opt_dfid,          false},
    {"-fp",               opt_fp,            false},
    {"-fpmem",            opt_fpmem,         false},
    {"-fpbits",           opt_fpbits,        false},
    {"-help",             opt_help,          false},
    {"-h",                opt_help,          false},
};

/* Options without an argument. Returns false when the word is none of them. */
static bool flag_option(struct parse *parse, const char *word)
{
    struct tlc_options *o = parse->options;
    bool nothing = false; /* for options that change nothing here */
    bool nowarning = false;
    const struct {
        const char *name;
        bool *flag;
        bool any_case;
    } rows[] = {
        {"-modelcheck",          &nothing,          false},
        {"-difftrace",           &o->difftrace,     false},
        {"-deadlock",            &o->no_deadlock,   false},
        {"-cleanup",             &o->cleanup,       false},
        {"-nowarning",           &nowarning,        false},
        {"-gzip",                &nothing,          false},
        {"-terse",               &o->terse,         false},
        {"-continue",            &o->keep_going,    false},
        {"-view",                &o->view,          false},
        {"-debug",               &o->debug,         false},
        {"-tool",                &parse->out->tool, false},
        {"-noGenerateSpecTE",    &o->te_off,        false},
        {"-noTE",                &o->te_off,        true },
        {"-noGenerateSpecTEBin", &o->te_no_bin,     false},
        {"-noTEBin",             &o->te_no_bin,     true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].any_case ? strcasecmp(word, rows[i].name) == 0
                             : strcmp(word, rows[i].name) == 0) {
            *rows[i].flag = true;
            parse->out->warn = parse->out->warn && !nowarning;
            return true;
        }
    }
    return false;
}

/* ---- properties ---- */
static bool is_true(const char *value)
{
    return strcasecmp(value, "true") == 0;
}

static void set_property(struct parse *parse, const char *name, const char *value)
{
    struct tlc_options *o = parse->options;
    int64_t number;
    if (strcmp(name, "TLA-Library") == 0) {
        o->library = value;
    } else if (strcmp(name, "tlc2.TLC.stopAfter") == 0 && parse_i64(value, &number) && number > 0) {
        o->stop_after_s = (double)number;
    } else if (strcmp(name, "tlc2.TLC.progressInterval") == 0 && parse_i64(value, &number) &&
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

static void property(struct parse *parse, char *word)
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
static bool positional(struct parse *parse, char *word)
{
    if (word[0] == '-') {
        return fail(parse, "Error: unrecognized option: %s", word);
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

static bool one_word(struct parse *parse)
{
    char *word = parse->argv[parse->at];
    if (strncmp(word, "-D", 2) == 0) {
        property(parse, word + 2);
        return true;
    }
    if (flag_option(parse, word)) {
        return true;
    }
    for (size_t i = 0; i < sizeof with_argument / sizeof with_argument[0]; i++) {
        const char *name = with_argument[i].name;
        if (with_argument[i].any_case ? strcasecmp(word, name) == 0 : strcmp(word, name) == 0) {
            return with_argument[i].fn(parse);
        }
    }
    return positional(parse, word);
}

static bool overlap(struct parse *parse)
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
    struct parse parse = {.options = options, .out = out, .argc = argc, .argv = argv};
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
    free(options->dump_path);
    options->dump_path = NULL;
}
