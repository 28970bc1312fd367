/* SPDX-License-Identifier: MIT */
/* Whether commands may be cancelled or held back, and what that costs later. */
#include "cancel.h"

/* Periods in which bringing back costs nothing later, and the bound of what it may cost.
 */
enum { RETURNS_FREE = 2, RETURNS_MAX = 20 };

const char dl__cancel_reason[] = "a user event may hold back or cancel what uses it";

bool dl__cancel_in_period(const struct dl__context *context)
{
    return context->cancel.open_events > 0 || atomic_load(&context->cancel.falling) != 0;
}

bool dl__cancel_possible(const struct dl__context *context)
{
    return dl__cancel_in_period(context) || context->cancel.passing > 0;
}

bool dl__cancel_holds(const struct dl__mem *mem)
{
    const struct dl__context *context = mem->object.context;

    return dl__cancel_in_period(context) && mem->order.used_in == context->cancel.periods;
}

void dl__cancel_returned(struct dl__context *context)
{
    struct dl__cancel *cancel = &context->cancel;

    if (!dl__cancel_in_period(context) || cancel->returned_in == cancel->periods)
        return;
    cancel->returned_in = cancel->periods;
    cancel->returns++;
    if (cancel->returns > RETURNS_FREE)
        cancel->launches_left =
            1U << (cancel->returns < RETURNS_MAX ? cancel->returns : RETURNS_MAX);
}

bool dl__cancel_waits(struct dl__context *context)
{
    if (context->cancel.launches_left == 0)
        return false;
    context->cancel.launches_left--;
    return true;
}
