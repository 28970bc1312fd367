/* SPDX-License-Identifier: MIT */
/* The ledger. */
#include "ledger.h"

/* Of what is promised, so much is spent. */
static const double spent_part = 0.8;

double dl__ledger_left(const struct dl__ledger *ledger, double now, bool decided)
{
    double own = now - ledger->begun - ledger->spent;
    double part = decided ? DL__PROMISED_PART_DECIDED : DL__PROMISED_PART;
    double seconds = decided ? DL__PROMISED_SECONDS_DECIDED : DL__PROMISED_SECONDS;

    return spent_part * (part * (own > 0 ? own : 0) + seconds) -
           (decided ? ledger->spent_decided : ledger->spent);
}

void dl__ledger_spend(struct dl__ledger *ledger, double seconds, bool decided)
{
    ledger->spent += seconds;
    if (decided)
        ledger->spent_decided += seconds;
}
