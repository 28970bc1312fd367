/* SPDX-License-Identifier: MIT */
/* Two expressions side by side, and what is said of them. */
#include "annotate/prove/prove.h"

/* ---- verdicts ---- */

void dl__judge(struct dl__prover *p, const struct dl__pair *pair,
               const struct dl__node *n, const char *reason)
{
    struct dl__verdict v = {n, pair->old_function, reason, n->begin};

    for (size_t i = 0; i < p->verdicts.count; i++) {
        struct dl__verdict *old = &p->verdicts.items[i];

        if (old->node == n) {
            old->reason = old->reason ? old->reason : reason;
            return;
        }
    }
    DL__PUSH(p->arena, &p->verdicts, v);
}

/* ---- expressions ---- */

void dl__begin_expression(struct dl__prover *p)
{
    p->accesses.count = p->effects.count = p->next_effect = 0;
    p->divisions.count = p->facts.count = 0;
    p->in_accessor = p->in_branch = false;
    p->depth = 0;
    p->clock = dl__draw("clock", p->clock, 0, 0);
}

void dl__end_expression(struct dl__prover *p)
{
    if (p->next_effect != p->effects.count)
        dl__lose(p, NULL, "the program does more here");
    dl__relations_check(p);
    for (size_t i = 0; i < p->accesses.count; i++)
        if (!p->accesses.items[i].is_reached)
            dl__lose(p, NULL, "the rewritten text lacks it");
}

/* What was not shown may have left anything behind. */
void dl__forget_all(struct dl__prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];

        v->version = 0;
        if (v->index && v->buffer)
            dl__relation_forget(p, v);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        p->new_text.variables.items[i]->version = 0;
        p->new_text.variables.items[i]->is_set = false;
    }
}

void dl__judge_expression(struct dl__prover *p, const struct dl__node *n,
                          const char *reason)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];

    for (size_t i = 0; i < p->accesses.count; i++)
        dl__judge(p, pair, p->accesses.items[i].node,
                  p->accesses.items[i].is_reached && reason ? reason : reason);
    if (reason && !p->accesses.count)
        dl__judge(p, pair, n, reason);
}

/* A pointer that is given back, and what became of it. */
static void compare_returned(struct dl__prover *p, const struct dl__known *a,
                             const struct dl__known *b)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__offsets allowed = {0};
    const char *fault;

    if (a->buffer && a->buffer != pair->result)
        dl__lose(p, NULL, "a pointer into another buffer is returned");
    dl__offsets_of_type(p, pair->result->element, 0, pair->old_function->result->element,
                        &allowed);
    fault = dl__relation_fault(p, a, b, NULL, &allowed);
    if (fault)
        dl__lose(p, NULL, "%s", fault);
}

void dl__compare_expressions(struct dl__prover *p, struct dl__node *a, struct dl__node *b,
                             enum dl__wanted use)
{
    dl__begin_expression(p);
    if (setjmp(p->lost)) {
        dl__judge_expression(p, a, p->lost_reason);
        dl__forget_all(p);
        return;
    }
    {
        struct dl__known x = dl__prove_value(p, &p->old_text, a);
        struct dl__known y = dl__prove_value(p, &p->new_text, b);

        if (use == DL__U_CONDITION) {
            x = dl__truth(p, x);
            y = dl__truth(p, y);
        }
        if (use == DL__U_RETURNED)
            compare_returned(p, &x, &y);
        else if (use != DL__U_NONE && dl__key(p, &x) != dl__key(p, &y))
            dl__lose(p, a, "it has another value in the rewritten text");
    }
    dl__end_expression(p);
    dl__judge_expression(p, a, NULL);
}
