/* SPDX-License-Identifier: MIT */
/* The tables behind dl_marshal_rates. */
#ifndef DL_RATES_H
#define DL_RATES_H

#include "engine/numbers.h"
#include "marshal.h"

extern const struct dl__number_table dl__rate_table, dl__struct_rate_table;

#endif
