/* What is written from the tables of commands and options at build time: the manual page and the
 * completions of three shells. */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "option/option.h"

static bool is_option(const struct option *o)
{
    return o->name[0] != '\0' && o->help != NULL && o->kind != OPTION_HEADING;
}

/* TLC's have their dash in the name. */
static bool is_tlc(const struct option *o)
{
    return o->name[0] == '-';
}

static bool value_optional(const struct option *o)
{
    return o->value != NULL && o->value[0] == '[';
}

/* The arguments of a command that are no options; NULL: there are none. */
static const struct option *argument_of(const struct command *command)
{
    for (const struct option *o = command->options; o->name != NULL; o++) {
        if (o->name[0] == '\0') {
            return o;
        }
    }
    return NULL;
}

/* Adds a text with a backslash before every one of some characters; in single quotes of a shell,
 * ' becomes '\''. */
static void add_escaped(struct strbuf *out, struct str text, const char *special, bool quoted)
{
    for (size_t i = 0; i < text.n; i++) {
        if (quoted && text.p[i] == '\'') {
            strbuf_adds(out, "'\\''");
            continue;
        }
        if (strchr(special, text.p[i]) != NULL) {
            strbuf_addc(out, '\\');
        }
        strbuf_addc(out, text.p[i]);
    }
}

/* What a menu of a shell has room for: the help without what is in parentheses, after a semicolon,
 * or after a colon. */
static struct str brief(const char *help)
{
    static const char *const ends[] = {"; ", " (", ": "};
    struct str text = str_of(help);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const char *end = strstr(help, ends[i]);
        if (end != NULL && (size_t)(end - help) < text.n) {
            text.n = (size_t)(end - help);
        }
    }
    return text;
}

/* Takes the next word off a text. */
static bool next_word(const char **text, struct str *ret)
{
    *text += strspn(*text, " ");
    *ret = (struct str){*text, strcspn(*text, " ")};
    *text += ret->n;
    return ret->n != 0;
}

static void add_commands(const struct command *commands, struct strbuf *out)
{
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary != NULL) {
            strbuf_printf(out, "%s%s", c == commands ? "" : " ", c->name);
        }
    }
}

/* ---- the manual page ---- */

static void man_text(struct strbuf *out, struct str text)
{
    add_escaped(out, text, "*_\\", false);
}

/* "[options] SPEC.tla": words in capitals are names of values. */
static void man_synopsis(struct strbuf *out, const struct command *command)
{
    for (const char *at = command->arguments;;) {
        size_t n = strcspn(at, "\n");
        strbuf_printf(out, "*assay %s* ", command->name);
        man_text(out, (struct str){at, n});
        at += n;
        if (*at == '\0') {
            break;
        }
        strbuf_adds(out, "++\n");
        at++;
    }
}

static void man_about(struct strbuf *out, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        struct str line = {text, n};
        if (line.p[0] == ' ') {
            strbuf_printf(out, "```\n%.*s\n```\n\n", STR_ARG(line));
        } else {
            man_text(out, line);
            strbuf_adds(out, "\n\n");
        }
        text += n + (text[n] == '\n');
    }
}

static void man_option(struct strbuf *out, const struct option *o)
{
    strbuf_printf(out, "*%s%s*", is_tlc(o) ? "" : "--", o->name);
    if (o->value != NULL) {
        strbuf_adds(out, value_optional(o) ? (is_tlc(o) ? " " : "") : " _");
        man_text(out, str_of(o->value));
        strbuf_adds(out, value_optional(o) ? "" : "_");
    }
    if (o->letter != 0) {
        strbuf_printf(out, ", *-%c*", o->letter);
    }
    strbuf_adds(out, "\n\t");
    if (o->manual != NULL) {
        strbuf_adds(out, o->manual);
    } else {
        SCOPED_STRBUF text = {0};
        strbuf_adds(&text, o->help);
        text.p[0] = (char)toupper((unsigned char)text.p[0]);
        man_text(out, strbuf_str(&text));
        strbuf_adds(out, ".");
    }
    strbuf_adds(out, "\n\n");
}

static void man_commands(const struct command *commands, struct strbuf *out)
{
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary == NULL) {
            continue;
        }
        strbuf_printf(out, "## assay %s\n\n", c->name);
        man_synopsis(out, c);
        strbuf_adds(out, "\n\n");
        man_about(out, c->about);
        for (const struct option *o = c->options; o->name != NULL; o++) {
            if (o->kind == OPTION_HEADING) {
                strbuf_printf(out, "*%s*\n\n", o->name);
            } else if (is_option(o)) {
                man_option(out, o);
            }
        }
    }
}

static void man_synopses(const struct command *commands, struct strbuf *out)
{
    bool first = true;
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary != NULL) {
            strbuf_adds(out, first ? "" : "++\n");
            man_synopsis(out, c);
            first = false;
        }
    }
    strbuf_addc(out, '\n');
}

/* One line of the template. */
static void man_line(const struct command *commands, struct strbuf *out, struct str line)
{
    const char *at = memmem(line.p, line.n, "@VERSION@", 9);
    if (str_is(line, "@COMMANDS@\n")) {
        man_commands(commands, out);
    } else if (str_is(line, "@SYNOPSIS@\n")) {
        man_synopses(commands, out);
    } else if (at != NULL) {
        strbuf_add(out, line.p, (size_t)(at - line.p));
        strbuf_adds(out, ASSAY_VERSION);
        strbuf_add(out, at + 9, line.n - (size_t)(at - line.p) - 9);
    } else {
        strbuf_addstr(out, line);
    }
}

static void man_page(const struct command *commands, struct strbuf *out, struct str template)
{
    while (template.n > 0) {
        const char *end = memchr(template.p, '\n', template.n);
        struct str line = {template.p, end != NULL ? (size_t)(end - template.p) + 1 : template.n};
        man_line(commands, out, line);
        template.p += line.n;
        template.n -= line.n;
    }
}

/* ---- bash ---- */

static void bash_values(const struct command *commands, struct strbuf *out, const char *complete)
{
    if (complete[0] == '/') {
        strbuf_adds(out, "_assay_files");
    } else if (complete[0] == '*') {
        strbuf_adds(out, "_assay_files");
        struct str word;
        while (next_word(&complete, &word)) {
            strbuf_printf(out, " '%.*s'", STR_ARG(word));
        }
    } else {
        strbuf_adds(out, "_assay_words '");
        if (complete[0] == '@') {
            add_commands(commands, out);
        } else {
            strbuf_adds(out, complete);
        }
        strbuf_adds(out, "'");
    }
    strbuf_adds(out, " ;;\n");
}

/* Values of options. An option whose value nothing is known of gets no words. */
static void bash_options(const struct command *commands, struct strbuf *out,
                         const struct command *c)
{
    for (const struct option *o = c->options; o->name != NULL; o++) {
        if (!is_option(o) || o->value == NULL || value_optional(o)) {
            continue;
        }
        strbuf_adds(out, "    ");
        if (o->letter != 0) {
            strbuf_printf(out, "%s:-%c | ", c->name, o->letter);
        }
        strbuf_printf(out, "%s:%s%s) ", c->name, is_tlc(o) ? "" : "--", o->name);
        bash_values(commands, out, o->complete != NULL ? o->complete : "");
    }
}

static void bash_command(const struct command *commands, struct strbuf *out,
                         const struct command *c)
{
    strbuf_printf(out, "    %s:-*) _assay_words '", c->name);
    for (const struct option *o = c->options; o->name != NULL; o++) {
        if (is_option(o)) {
            strbuf_printf(out, "%s%s ", is_tlc(o) ? "" : "--", o->name);
        }
    }
    strbuf_adds(out, option_as_tlc(c->options) ? "-h' ;;\n" : "--help' ;;\n");
    const struct option *argument = argument_of(c);
    if (argument != NULL && argument->complete != NULL) {
        strbuf_printf(out, "    %s:*) ", c->name);
        bash_values(commands, out, argument->complete);
    }
}

static void bash(const struct command *commands, struct strbuf *out)
{
    strbuf_adds(out, "# Completion of assay(1) for bash, written by `assay help --generate bash`.\n"
                     "_assay_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
                     "_assay_files() { # patterns: such files, and directories\n"
                     "    local pattern\n"
                     "    compopt -o filenames 2>/dev/null\n"
                     "    mapfile -t COMPREPLY < <(for pattern; do compgen -f -X \"!$pattern\" -- "
                     "\"$cur\"; done "
                     "| sort -u; compgen -d -- \"$cur\")\n"
                     "}\n"
                     "_assay() {\n"
                     "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
                     "command=${COMP_WORDS[1]-}\n"
                     "    COMPREPLY=()\n"
                     "    if ((COMP_CWORD == 1)); then\n"
                     "        _assay_words '");
    add_commands(commands, out);
    strbuf_adds(out, "'\n"
                     "        return\n"
                     "    fi\n"
                     "    if [[ $cur == = ]]; then # --option=\n"
                     "        cur=\n"
                     "    elif [[ $prev == = ]]; then\n"
                     "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                     "    fi\n"
                     "    case $command:$prev in\n");
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary != NULL) {
            bash_options(commands, out, c);
        }
    }
    strbuf_adds(out, "    *)\n"
                     "        case $command:$cur in\n");
    for (const struct command *c = commands; c->name != NULL; c++) {
        SCOPED_STRBUF lines = {0};
        if (c->summary != NULL) {
            bash_command(commands, &lines, c);
        }
        for (const char *at = strbuf_cstr(&lines); *at != '\0';) {
            size_t n = strcspn(at, "\n") + 1;
            strbuf_printf(out, "    %.*s", (int)n, at);
            at += n;
        }
    }
    strbuf_adds(out, "        esac\n"
                     "        ;;\n"
                     "    esac\n"
                     "}\n"
                     "complete -F _assay assay\n");
}

/* ---- zsh ---- */

static void zsh_values(const struct command *commands, struct strbuf *out, const char *complete)
{
    if (complete == NULL) {
        return;
    }
    if (complete[0] == '/') {
        strbuf_adds(out, "_files -/");
    } else if (strcmp(complete, COMPLETE_FILE) == 0) {
        strbuf_adds(out, "_files");
    } else if (complete[0] == '*') {
        struct str word;
        strbuf_adds(out, "_files -g \"");
        for (bool any = false; next_word(&complete, &word); any = true) {
            strbuf_printf(out, "%s%.*s", any ? " " : "", STR_ARG(word));
        }
        strbuf_adds(out, "\"");
    } else {
        strbuf_adds(out, "(");
        if (complete[0] == '@') {
            add_commands(commands, out);
        } else {
            strbuf_adds(out, complete);
        }
        strbuf_adds(out, ")");
    }
}

static void zsh_option(const struct command *commands, struct strbuf *out, const struct option *o)
{
    bool repeats = o->kind == OPTION_LIST || o->kind == OPTION_CALL || o->kind == OPTION_TLC;
    const char *after = o->value == NULL    ? ""
                        : value_optional(o) ? (is_tlc(o) ? "" : "=-")
                        : is_tlc(o)         ? ""
                                            : "=";
    strbuf_adds(out, " \\\n        ");
    if (o->letter != 0) {
        strbuf_printf(out, "'%s'{-%c%s,--%s%s}'", repeats ? "*" : "", o->letter,
                      o->value != NULL ? "+" : "", o->name, after);
    } else {
        strbuf_printf(out, "'%s%s%s%s", repeats ? "*" : "", is_tlc(o) ? "" : "--", o->name, after);
    }
    strbuf_adds(out, "[");
    add_escaped(out, brief(o->help), "[]\\", true);
    strbuf_adds(out, "]");
    if (o->value != NULL) {
        strbuf_adds(out, value_optional(o) ? "::" : ":");
        add_escaped(out, str_of(o->value), ":\\", true);
        strbuf_adds(out, ":");
        zsh_values(commands, out, o->complete);
    }
    strbuf_adds(out, "'");
}

static void zsh(const struct command *commands, struct strbuf *out)
{
    strbuf_adds(out, "#compdef assay\n"
                     "# Completion of assay(1) for zsh, written by `assay help --generate zsh`.\n"
                     "_assay() {\n"
                     "    local -a commands=(\n");
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary != NULL) {
            strbuf_printf(out, "        '%s:", c->name);
            add_escaped(out, str_of(c->summary), ":\\", true);
            strbuf_adds(out, "'\n");
        }
    }
    strbuf_adds(out, "    )\n"
                     "    if ((CURRENT == 2)); then\n"
                     "        _describe command commands\n"
                     "        return\n"
                     "    fi\n"
                     "    local command=$words[2]\n"
                     "    shift words\n"
                     "    ((CURRENT--))\n"
                     "    case $command in\n");
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary == NULL) {
            continue;
        }
        strbuf_printf(out, "    %s)\n        _arguments", c->name);
        for (const struct option *o = c->options; o->name != NULL; o++) {
            if (is_option(o)) {
                zsh_option(commands, out, o);
            }
        }
        if (!option_as_tlc(c->options)) {
            strbuf_adds(out, " \\\n        '(- *)'{-h,--help}'[this text]'");
        }
        const struct option *argument = argument_of(c);
        if (argument != NULL) {
            strbuf_printf(out, " \\\n        '*:%s:", argument->value);
            zsh_values(commands, out, argument->complete);
            strbuf_adds(out, "'");
        }
        strbuf_adds(out, "\n        ;;\n");
    }
    strbuf_adds(out, "    esac\n"
                     "}\n"
                     "_assay \"$@\"\n");
}

/* ---- fish ---- */

/* `value`: they follow an option, which needs one. */
static void fish_values(const struct command *commands, struct strbuf *out, const char *complete,
                        bool value)
{
    bool files = complete != NULL && complete[0] == '*';
    if (value) {
        strbuf_adds(out, files ? " -r" : " -x");
    }
    if (complete == NULL) {
        return;
    }
    if (complete[0] == '/') {
        strbuf_adds(out, " -a '(__fish_complete_directories)'");
    } else if (files && complete[1] == '.') {
        struct str word;
        strbuf_adds(out, " -k -a '(");
        for (bool any = false; next_word(&complete, &word); any = true) {
            strbuf_printf(out, "%s__fish_complete_suffix %.*s", any ? "; " : "", (int)word.n - 1,
                          word.p + 1);
        }
        strbuf_adds(out, ")'");
    } else if (files) {
        strbuf_adds(out, " -F");
    } else {
        strbuf_adds(out, " -a '");
        if (complete[0] == '@') {
            add_commands(commands, out);
        } else {
            strbuf_adds(out, complete);
        }
        strbuf_adds(out, "'");
    }
}

static void fish_begin(struct strbuf *out, const struct command *c)
{
    strbuf_printf(out, "complete -c assay -n '__fish_seen_subcommand_from %s'", c->name);
}

static void fish_option(const struct command *commands, struct strbuf *out, const struct command *c,
                        const struct option *o)
{
    fish_begin(out, c);
    if (o->letter != 0) {
        strbuf_printf(out, " -s %c", o->letter);
    }
    strbuf_printf(out, " %s %s", is_tlc(o) ? "-o" : "-l", o->name + (is_tlc(o) ? 1 : 0));
    if (o->value != NULL && !value_optional(o)) {
        fish_values(commands, out, o->complete, true);
    }
    strbuf_adds(out, " -d '");
    add_escaped(out, brief(o->help), "\\'", false);
    strbuf_adds(out, "'\n");
}

static void fish(const struct command *commands, struct strbuf *out)
{
    strbuf_adds(out, "# Completion of assay(1) for fish, written by `assay help --generate fish`.\n"
                     "complete -c assay -f\n");
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary != NULL) {
            strbuf_printf(out, "complete -c assay -n __fish_use_subcommand -a %s -d '", c->name);
            add_escaped(out, str_of(c->summary), "\\'", false);
            strbuf_adds(out, "'\n");
        }
    }
    for (const struct command *c = commands; c->name != NULL; c++) {
        if (c->summary == NULL) {
            continue;
        }
        const struct option *argument = argument_of(c);
        if (argument != NULL && argument->complete != NULL) {
            fish_begin(out, c);
            fish_values(commands, out, argument->complete, false);
            strbuf_addc(out, '\n');
        }
        for (const struct option *o = c->options; o->name != NULL; o++) {
            if (is_option(o)) {
                fish_option(commands, out, c, o);
            }
        }
        fish_begin(out, c);
        strbuf_adds(out, " -s h -l help -d 'this text'\n");
    }
}

bool command_generate(const struct command *commands, const char *what, struct str template,
                      struct strbuf *out)
{
    if (strcmp(what, "man") == 0) {
        man_page(commands, out, template);
    } else if (strcmp(what, "bash") == 0) {
        bash(commands, out);
    } else if (strcmp(what, "zsh") == 0) {
        zsh(commands, out);
    } else if (strcmp(what, "fish") == 0) {
        fish(commands, out);
    } else {
        return false;
    }
    return true;
}
