/* Choosing events at a prompt. What can happen by itself is listed and numbered, by time; faults
 * are typed as in cluster files. Whatever is chosen is recorded like any run. */
#include "play/interactive.h"

#include <editline/readline.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/machine.h"
#include "base/status.h"
#include "base/str.h"
#include "base/teller.h"
#include "base/term.h"
#include "base/vec.h"
#include "option/option.h"
#include "play/engine.h"
#include "run/cluster.h"
#include "run/event_text.h"
#include "world/world.h"

enum { LIST_MOST = 256, LIST_SHOWN = 20, BYTES_SHOWN = 40, LOG_LINES = 10 };

static const char help_text[] =
    "An empty line lets happen what is due next (marked *). Or type\n"
    "  NUMBER         that event of the list\n"
    "  crash n1, kill n1, restart n1, partition n1 | n2, heal, ...   any event of a cluster file\n"
    "  deliver ID, drop ID, duplicate ID     a packet, by its number\n"
    "  next N         what is due, N times;  go TIME: until then, such as 3.5s;  run: to the end\n"
    "  list           all that can happen;  nodes;  packet ID: its bytes;  log NODE: its last "
    "lines\n"
    "  threads        from now on, choose the thread wherever several of a node could run; again: "
    "not any more\n"
    "  quit           end the run here (or Ctrl-D); what was chosen is recorded\n";

/* ---- showing ---- */

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->at_ns != y->at_ns) {
        return x->at_ns < y->at_ns ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static size_t sorted_events(const struct world *world, struct event list[LIST_MOST])
{
    size_t n = world_events(world, list, LIST_MOST);
    n = n < LIST_MOST ? n : LIST_MOST;
    qsort(list, n, sizeof list[0], by_time);
    return n;
}

static bool same(const struct event *a, const struct event *b)
{
    return b != NULL && a->kind == b->kind && a->node == b->node && a->id == b->id;
}

static void describe(const struct interactive *s, const struct world *world,
                     const struct event *event, struct strbuf *out)
{
    struct packet_view p;
    event_print(s->cluster, event, out);
    if (event->kind <= EV_DUPLICATE && world_packet(world, event->id, &p)) {
        strbuf_printf(out, "  %s > %s %s %zu ", s->cluster->nodes[p.from].name,
                      s->cluster->nodes[p.to].name, p.what, p.n);
        bytes_print(p.bytes, p.n, BYTES_SHOWN, out);
    }
}

static void show_events(const struct interactive *s, const struct world *world,
                        const struct event *due, size_t most)
{
    struct event list[LIST_MOST];
    size_t n = sorted_events(world, list);
    (void)fprintf(s->teller->out, "after %" PRIu64 " events, at %.6f s\n", s->done,
                  (double)world_now_ns(world) * 1e-9);
    bool listed = false;
    for (size_t i = 0; i < n && i < most; i++) {
        SCOPED_STRBUF text = {0};
        describe(s, world, &list[i], &text);
        bool marked = !listed && same(&list[i], due);
        listed = listed || marked;
        (void)fprintf(s->teller->out, "%c%3zu  %11.6f  %s\n", marked ? '*' : ' ', i + 1,
                      (double)world_event_ns(&list[i]) * 1e-9, strbuf_cstr(&text));
    }
    if (n > most) {
        (void)fprintf(s->teller->out, "     and %zu more: list\n", n - most);
    }
    if (due != NULL && !listed) {
        SCOPED_STRBUF text = {0};
        describe(s, world, due, &text);
        (void)fprintf(s->teller->out, "*     %11.6f  %s\n", (double)world_event_ns(due) * 1e-9,
                      strbuf_cstr(&text));
    }
    if (due == NULL) {
        (void)fputs("nothing comes by itself\n", s->teller->out);
    }
}

static void show_nodes(const struct interactive *s, const struct world *world)
{
    static const char *const states[] = {"not started", "up", "down", "paused"};
    for (size_t i = 0; i < s->cluster->n_nodes; i++) {
        struct node_view view;
        world_node_view(world, i, &view);
        (void)fprintf(s->teller->out, "%-12s %-12s %u processes, %u threads, started %u times%s\n",
                      view.name, states[view.state], view.processes, view.threads, view.starts,
                      view.ended ? ", ended" : "");
    }
}

static void show_packet(const struct interactive *s, const struct world *world, const char *text)
{
    uint64_t id = 0;
    struct packet_view p;
    if (!read_u64(text, &id) || !world_packet(world, id, &p)) {
        (void)fprintf(s->teller->out, "there is no packet '%s' on its way\n", text);
        return;
    }
    for (size_t i = 0; i < p.n; i += 16) {
        (void)fprintf(s->teller->out, "%06zx ", i);
        for (size_t k = i; k < i + 16; k++) {
            if (k < p.n) {
                (void)fprintf(s->teller->out, " %02x", p.bytes[k]);
            } else {
                (void)fputs("   ", s->teller->out);
            }
        }
        (void)fputs("  ", s->teller->out);
        for (size_t k = i; k < i + 16 && k < p.n; k++) {
            (void)fputc(p.bytes[k] >= ' ' && p.bytes[k] < 127 ? p.bytes[k] : '.', s->teller->out);
        }
        (void)fputc('\n', s->teller->out);
    }
}

static void show_log(const struct interactive *s, const char *node)
{
    if (cluster_node(s->cluster, str_of(node)) < 0) {
        (void)fprintf(s->teller->out, "there is no node '%s'\n", node);
        return;
    }
    SCOPED_STRBUF text = {0};
    engine_last_lines(s->dir, node, LOG_LINES, &text);
    (void)put_text(s->teller->out, strbuf_str(&text));
}

/* ---- commands ---- */

enum answer { ANSWER_ASK, ANSWER_EVENT, ANSWER_DUE, ANSWER_END };

static const char *word_after(const char *line, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(line, word, n) != 0 || (line[n] != '\0' && line[n] != ' ')) {
        return NULL;
    }
    return line + n + strspn(line + n, " ");
}

/* Commands that say how far to go without asking. False: it is none of them. */
static bool go_on(struct interactive *s, const char *line, enum answer *ret)
{
    const char *rest = NULL;
    *ret = ANSWER_DUE;
    if (line[0] == '\0') {
        return true;
    }
    if ((rest = word_after(line, "next")) != NULL || (rest = word_after(line, "n")) != NULL) {
        s->steps = 1;
        if (rest[0] != '\0' && (!read_u64(rest, &s->steps) || s->steps == 0)) {
            (void)fprintf(s->teller->out, "'%s' is not a number\n", rest);
            *ret = ANSWER_ASK;
            return true;
        }
        s->steps--;
        return true;
    }
    if ((rest = word_after(line, "go")) != NULL) {
        if (!parse_time_ns(str_of(rest), &s->until_ns)) {
            (void)fputs("go needs a time, such as 3.5s\n", s->teller->out);
            *ret = ANSWER_ASK;
        }
        return true;
    }
    s->rest = strcmp(line, "run") == 0;
    return s->rest;
}

static bool look(struct interactive *s, const struct world *world, const struct event *due,
                 const char *line)
{
    const char *rest = NULL;
    if (strcmp(line, "list") == 0 || strcmp(line, "l") == 0) {
        show_events(s, world, due, LIST_MOST);
    } else if (strcmp(line, "nodes") == 0) {
        show_nodes(s, world);
    } else if ((rest = word_after(line, "packet")) != NULL) {
        show_packet(s, world, rest);
    } else if ((rest = word_after(line, "log")) != NULL) {
        show_log(s, rest);
    } else if (strcmp(line, "help") == 0 || strcmp(line, "h") == 0 || strcmp(line, "?") == 0) {
        (void)fputs(help_text, s->teller->out);
    } else {
        return false;
    }
    return true;
}

static enum answer choose_number(const struct interactive *s, const struct world *world,
                                 uint64_t number, struct event *ret)
{
    struct event list[LIST_MOST];
    size_t n = sorted_events(world, list);
    if (number < 1 || number > n) {
        (void)fprintf(s->teller->out, "there is no event %" PRIu64 "\n", number);
        return ANSWER_ASK;
    }
    *ret = list[number - 1];
    return ANSWER_EVENT;
}

static enum answer choose_text(struct interactive *s, const struct world *world, const char *line)
{
    struct err err;
    s->next = s->queued = 0;
    if (event_parse(s->cluster, str_of(line), s->queue, INTERACTIVE_QUEUE, &s->queued, &err) != 0) {
        (void)fprintf(s->teller->out, "%s (help: what can be typed)\n", err.text);
        s->queued = 0;
        return ANSWER_ASK;
    }
    if (s->queued == 0 || !world_enabled(world, &s->queue[0])) {
        (void)fputs("that is not possible now\n", s->teller->out);
        s->queued = 0;
        return ANSWER_ASK;
    }
    return ANSWER_EVENT;
}

static void choose_threads(struct interactive *s)
{
    s->threads = !s->threads && s->cluster->preemptions != 0;
    (void)fprintf(s->teller->out, "%s\n",
                  s->threads ? "you choose threads"
                  : s->cluster->preemptions == 0
                      ? "threads are no choice in this run: --preemptions 1 makes them one"
                      : "threads go by themselves");
}

static enum answer command(struct interactive *s, const struct world *world,
                           const struct event *due, const char *line, struct event *ret)
{
    enum answer answer = ANSWER_ASK;
    uint64_t number = 0;
    if (strcmp(line, "quit") == 0 || strcmp(line, "q") == 0) {
        return ANSWER_END;
    }
    if (strcmp(line, "threads") == 0) {
        choose_threads(s);
        return ANSWER_ASK;
    }
    if (look(s, world, due, line)) {
        return ANSWER_ASK;
    }
    if (go_on(s, line, &answer)) {
        return answer;
    }
    if (read_u64(line, &number)) {
        return choose_number(s, world, number, ret);
    }
    return choose_text(s, world, line);
}

/* ---- the prompt ---- */

/* A line from standard input. A signal that does not mean us is no end of it. */
static char *read_plain(const struct interactive *s)
{
    char *line = NULL;
    size_t cap = 0;
    (void)fflush(s->teller->out);
    for (;;) {
        errno = 0;
        if (getline(&line, &cap, stdin) >= 0) {
            return line;
        }
        if (errno != EINTR || s->teller->flags->interrupt != 0) {
            break;
        }
        clearerr(stdin);
    }
    vec_release(line);
    return NULL;
}

/* A line from the terminal. The engine's heartbeat (SIGALRM, world.c) would end the wait for it:
 * the line editor takes an interrupted read for the end. It waits until there is a line. */
static char *read_terminal(void)
{
    sigset_t alarm, before;
    (void)sigemptyset(&alarm);
    (void)sigaddset(&alarm, SIGALRM);
    (void)pthread_sigmask(SIG_BLOCK, &alarm, &before);
    char *line = readline("assay> ");
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return line;
}

/* One line without blanks at its ends, from the heap; NULL at the end. */
static char *read_line(const struct interactive *s)
{
    char *line = s->tty ? read_terminal() : read_plain(s);
    if (line == NULL) {
        return NULL;
    }
    size_t begin = strspn(line, " \t"), n = strlen(line);
    while (n > begin && strchr(" \t\r\n", line[n - 1]) != NULL) {
        n--;
    }
    memmove(line, line + begin, n - begin);
    line[n - begin] = '\0';
    if (s->tty && line[0] != '\0') {
        (void)add_history(line);
    }
    return line;
}

/* What was asked for before needs no question. */
static bool goes_on(struct interactive *s, const struct event *due)
{
    if (due == NULL) {
        s->steps = s->until_ns = 0;
        return s->rest;
    }
    if (s->rest) {
        return true;
    }
    if (s->steps > 0) {
        s->steps--;
        return true;
    }
    if (s->until_ns != 0 && world_event_ns(due) <= s->until_ns) {
        return true;
    }
    s->until_ns = 0;
    return false;
}

static bool queue_take(struct interactive *s, const struct world *world, struct event *ret)
{
    while (s->next < s->queued) {
        *ret = s->queue[s->next++];
        if (world_enabled(world, ret)) {
            return true;
        }
    }
    s->next = s->queued = 0;
    return false;
}

static bool ask(struct interactive *s, struct world *world, const struct event *due,
                struct event *ret)
{
    show_events(s, world, due, LIST_SHOWN);
    for (;;) {
        char *line = read_line(s);
        enum answer answer = line != NULL ? command(s, world, due, line, ret) : ANSWER_END;
        vec_release(line);
        if (answer == ANSWER_DUE) {
            if (due != NULL) {
                *ret = *due;
                return true;
            }
            s->steps = s->until_ns = 0;
            (void)fputs("nothing comes by itself\n", s->teller->out);
        } else if (answer == ANSWER_EVENT) {
            return s->queued == 0 || queue_take(s, world, ret);
        } else if (answer == ANSWER_END) {
            return false;
        }
    }
}

static bool on_choice(void *session, const struct world_choice *choice)
{
    const struct interactive *s = session;
    (void)choice;
    return s->threads && !s->rest;
}

bool interactive_choose(void *session, struct world *world, const struct event *due,
                        struct event *ret)
{
    struct interactive *s = session;
    bool chosen = queue_take(s, world, ret);
    world_on_choice(world, on_choice, s);
    if (!chosen && goes_on(s, due)) {
        chosen = due != NULL;
        *ret = due != NULL ? *due : *ret;
    } else if (!chosen) {
        chosen = ask(s, world, due, ret);
    }
    s->done += chosen ? 1 : 0;
    return chosen;
}
