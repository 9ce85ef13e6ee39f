/* An event of the engine for an action: by the words of its name, by which of its parameters are
 * nodes, and by what its steps do to the network. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "run/cluster.h"
#include "sketch/sketch_int.h"

enum meaning {
    MEANS_NOTHING,
    MEANS_TIMER,
    MEANS_CRASH,
    MEANS_KILL,
    MEANS_RESTART,
    MEANS_REBOOT,
    MEANS_DELIVER,
    MEANS_ISOLATE,
    MEANS_HEAL,
    MEANS_CLIENT
};

/* The first that a word of the name begins with. */
static const struct {
    const char *word;
    enum meaning meaning;
} words[] = {
    {"time",      MEANS_TIMER  },
    {"tick",      MEANS_TIMER  },
    {"heartbeat", MEANS_TIMER  },
    {"expire",    MEANS_TIMER  },
    {"elect",     MEANS_TIMER  },
    {"retry",     MEANS_TIMER  },
    {"again",     MEANS_TIMER  },
    {"wake",      MEANS_TIMER  },
    {"reboot",    MEANS_REBOOT },
    {"restart",   MEANS_RESTART},
    {"recover",   MEANS_RESTART},
    {"crash",     MEANS_CRASH  },
    {"fail",      MEANS_CRASH  },
    {"kill",      MEANS_KILL   },
    {"receive",   MEANS_DELIVER},
    {"recv",      MEANS_DELIVER},
    {"rcv",       MEANS_DELIVER},
    {"handle",    MEANS_DELIVER},
    {"deliver",   MEANS_DELIVER},
    {"isolate",   MEANS_ISOLATE},
    {"partition", MEANS_ISOLATE},
    {"split",     MEANS_ISOLATE},
    {"heal",      MEANS_HEAL   },
    {"join",      MEANS_HEAL   },
    {"client",    MEANS_CLIENT },
    {"request",   MEANS_CLIENT },
    {"command",   MEANS_CLIENT },
    {"propose",   MEANS_CLIENT },
    {"submit",    MEANS_CLIENT },
    {"put",       MEANS_CLIENT },
    {"get",       MEANS_CLIENT },
    {"write",     MEANS_CLIENT },
    {"read",      MEANS_CLIENT },
};

static bool has_word(struct str name, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= name.n; i++) {
        bool begins = i == 0 || name.p[i - 1] == '_' || (name.p[i] >= 'A' && name.p[i] <= 'Z');
        if (begins && strncasecmp(name.p + i, word, n) == 0) {
            return true;
        }
    }
    return false;
}

static enum meaning meaning_of(struct str name)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (has_word(name, words[i].word)) {
            return words[i].meaning;
        }
    }
    return MEANS_NOTHING;
}

static void propose_client(const struct saction *action, const struct cluster *cluster,
                           struct proposal *ret)
{
    bool manual = false;
    strbuf_adds(&ret->text, "\"client {dir}/client");
    for (uint32_t i = 0; i < action->n_params; i++) {
        strbuf_printf(&ret->text, " {%s}", action->params[i]);
    }
    strbuf_adds(&ret->text, "\"");
    for (size_t i = 0; i < cluster->n_nodes; i++) {
        manual = manual || (cluster->nodes[i].client && cluster->nodes[i].manual);
    }
    ret->why = manual ? "the command of a client, or what else makes the programs do this"
                      : "the command of a client; the cluster file needs some with manual = true";
}

static void propose_known(enum meaning meaning, const char *a, const char *b, struct proposal *ret)
{
    static const char *const verbs[] = {"", "timer",   "crash",   "kill", "restart",
                                        "", "deliver", "isolate", "heal", ""};
    ret->sure = true;
    if (meaning == MEANS_HEAL) {
        strbuf_adds(&ret->text, "\"heal\"");
    } else if (meaning == MEANS_DELIVER && b != NULL) {
        strbuf_printf(&ret->text, "\"deliver {%s} {%s}\"", b, a);
        ret->sure = false;
        ret->why = "from whom to whom, and which message (where)";
    } else if (meaning == MEANS_DELIVER || a == NULL) {
        ret->sure = false;
    } else if (meaning == MEANS_REBOOT) {
        strbuf_printf(&ret->text, "[\"crash {%s}\", \"restart {%s}\"]", a, a);
    } else {
        strbuf_printf(&ret->text, "\"%s {%s}\"", verbs[meaning], a);
        ret->sure = b == NULL;
        ret->why = b == NULL ? ret->why : "which of them is the node?";
    }
}

static bool is_udp(const struct samples *samples)
{
    for (size_t i = 0; i < samples->n_vars; i++) {
        if (samples->vars[i].net == NET_UDP) {
            return true;
        }
    }
    return false;
}

void action_propose(const struct samples *samples, const struct cluster *cluster,
                    const struct saction *action, const struct sset *nodes, struct proposal *ret)
{
    enum meaning meaning = meaning_of(action->name);
    const char *at[2] = {NULL, NULL};
    size_t n = 0;
    for (uint32_t i = 0; i < action->n_params && n < 2; i++) {
        if (find_is_nodes(&action->args[i], nodes)) {
            at[n++] = action->params[i];
        }
    }
    *ret = (struct proposal){.why = "what makes the programs do this (docs/MAPPING.md, [actions])"};
    bool doubles = is_udp(samples) && has_word(action->name, "dup");
    /* Reboot loses messages, too. */
    bool taken = action->steps != 0 && action->taken == action->steps && meaning != MEANS_REBOOT;
    if (taken || doubles) {
        ret->automatic = true;
    } else if (meaning == MEANS_CLIENT) {
        propose_client(action, cluster, ret);
    } else if (meaning != MEANS_NOTHING) {
        propose_known(meaning, at[0], at[1], ret);
    }
    if (action->steps == 0 && !ret->automatic) {
        ret->why = "it was never taken in random walks of the specification; what does it do?";
        ret->sure = false;
    }
}
