/* SPDX-License-Identifier: MIT */
/* Long tests take every fourth of their shapes in `make test`, from 0 on. DL_TURN=1 takes
 * as many others, from 1 on (CI's run under sanitizers does), DL_TEST_FULL=1 all. */
#ifndef DL_TESTS_TURN_H
#define DL_TESTS_TURN_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_its_turn_of(unsigned shape, unsigned turns)
{
    const char *turn = getenv("DL_TURN");

    return getenv("DL_TEST_FULL") || shape % turns == (turn && *turn == '1');
}

static inline bool is_its_turn(unsigned shape)
{
    return is_its_turn_of(shape, 4);
}

#endif
