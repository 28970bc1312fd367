/* SPDX-License-Identifier: MIT */
/* The time that looks by parts (host/looks.h) take, beside the program's own commands on
 * a buffer as written. Prices are asked for when they are needed, so that what was
 * counted before a price was known counts at that price, too. */
#include <stdlib.h>

#include "core.h"

static unsigned class_of(uint64_t bytes)
{
    return bytes ? 63u - (unsigned)__builtin_clzll(bytes) : 0;
}

struct dl__look *dl__look_get(struct dl__policy *policy, uint64_t bytes)
{
    struct dl__look *look = policy->looks;

    while (look && look->bytes_class != class_of(bytes))
        look = look->next;
    if (!look && (look = calloc(1, sizeof *look))) {
        *look = (struct dl__look){
            .next = policy->looks, .policy = policy, .bytes_class = class_of(bytes)};
        policy->looks = look;
    }
    return look;
}

/* One gather or scatter, which is not faster than the slowest conversion, and compares
 * with its estimate as conversions do. */
static double expected_cost(const struct dl__look *look, enum dl__candidate_id c,
                            double bytes)
{
    const struct dl__policy *policy = look->policy;
    double slowest = 0;

    for (enum dl__candidate_id to = DL__NATIVE + 1; to < DL__CANDIDATES; to++)
        slowest =
            dl__max(slowest, dl__estimate_move(&policy->rates, to, (uint64_t)bytes));
    return slowest * dl__ratio_of(&policy->moves[c], &policy->moves_before[c]);
}

double dl__look_cost(const struct dl__look *look, enum dl__candidate_id c, double bytes)
{
    const double native = dl__look_seconds(look, DL__NATIVE, bytes);
    double seconds = c == DL__NATIVE ? 0 : dl__look_seconds(look, c, bytes);

    /* Another layout is the best guess. */
    for (enum dl__candidate_id other = DL__NATIVE + 1;
         seconds <= 0 && other < DL__CANDIDATES; other++)
        seconds = dl__look_seconds(look, other, bytes);
    return seconds > 0 ? dl__max(0, seconds - native) : expected_cost(look, c, bytes);
}

/* The first few, and then fewer and fewer. */
bool dl__policy_times_look(struct dl__policy *policy,
                           const struct dl__policy_buffer *buffer, uint64_t bytes)
{
    enum { SELDOM = 64 };
    struct dl__look *look = buffer->group ? dl__look_get(policy, bytes) : NULL;
    const unsigned long made = look ? look->count[buffer->lies]++ : 0;

    return look && ((made & (made - 1)) == 0 || made % SELDOM == 0);
}
