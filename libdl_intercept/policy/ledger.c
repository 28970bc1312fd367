/* SPDX-License-Identifier: MIT */
/* The ledger. */
#include "ledger.h"

/* Of what is promised, so much is spent. */
static const double spent_part = 0.8;

double dl__ledger_left(const struct dl__ledger *ledger, bool remembered)
{
    double part = remembered ? DL__PROMISED_PART_REMEMBERED : DL__PROMISED_PART;
    double seconds = remembered ? DL__PROMISED_SECONDS_REMEMBERED : DL__PROMISED_SECONDS;

    return spent_part * (part * ledger->native_seconds + seconds) -
           ledger->excess_seconds;
}
