/* SPDX-License-Identifier: MIT */
/* Long tests take every other of their shapes in `make test`. DL_TURN=1 takes the others (CI's run
 * under sanitizers does), DL_TEST_FULL=1 all. */
#ifndef DL_TESTS_TURN_H
#define DL_TESTS_TURN_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_its_turn(unsigned shape)
{
    const char *turn = getenv("DL_TURN");

    return getenv("DL_TEST_FULL") || shape % 2 == (turn && *turn == '1');
}

#endif
