/* Private to eval: the functions behind action nodes; see act.c. */
#pragma once

#include <stdint.h>

#include "eval/code.h"
#include "value/value.h"

struct act_case_info {
    uint32_t nguard;
    const struct ex **guards;
};

int act_test_fn(struct ev *ev, const struct act *a, struct val *fr,
                const struct cont *k); /* x: a condition */
int act_conj(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
int act_disj(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
int act_if(struct ev *ev, const struct act *a, struct val *fr,
           const struct cont *k); /* x: condition; kids: then, else */
int act_implies(struct ev *ev, const struct act *a, struct val *fr,
                const struct cont *k); /* x => kid 0 */
int act_case(struct ev *ev, const struct act *a, struct val *fr,
             const struct cont *k); /* info; kids: arms, then OTHER */
int act_lazy(struct ev *ev, const struct act *a, struct val *fr,
             const struct cont *k); /* x: a lazy slot; kid 0: the same as an action */
int act_let(struct ev *ev, const struct act *a, struct val *fr,
            const struct cont *k); /* slots to clear; kid 0 */
int act_exists(struct ev *ev, const struct act *a, struct val *fr,
               const struct cont *k); /* binder; x for messages; kid 0 */
int act_forall(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
int act_assign(struct ev *ev, const struct act *a, struct val *fr,
               const struct cont *k); /* var = x */
int act_assign_in(struct ev *ev, const struct act *a, struct val *fr,
                  const struct cont *k); /* var \in x */
int act_assign_subseteq(struct ev *ev, const struct act *a, struct val *fr, const struct cont *k);
int act_unchanged_var(struct ev *ev, const struct act *a, struct val *fr,
                      const struct cont *k); /* var */
int act_unchanged_vars(struct ev *ev, const struct act *a, struct val *fr,
                       const struct cont *k); /* slots[nslot] = variables */
int act_changed(struct ev *ev, const struct act *a, struct val *fr,
                const struct cont *k); /* x # x2 */
int act_mark(struct ev *ev, const struct act *a, struct val *fr,
             const struct cont *k); /* var = action number; kid 0 */
int act_label(struct ev *ev, const struct act *a, struct val *fr,
              const struct cont *k); /* the same inside an action: eval_options.labels */
int act_call(struct ev *ev, const struct act *a, struct val *fr,
             const struct cont *k); /* info = unit; args */
int act_fapply(struct ev *ev, const struct act *a, struct val *fr,
               const struct cont *k); /* x[x2]; info = unit of x */
int act_cdot(struct ev *ev, const struct act *a, struct val *fr,
             const struct cont *k); /* kids: A, B */
