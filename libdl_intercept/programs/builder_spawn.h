/* SPDX-License-Identifier: MIT */
/* Starting the builder's process. */
#ifndef DL_INTERCEPT_BUILDER_SPAWN_H
#define DL_INTERCEPT_BUILDER_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts it with these two descriptors as its 3 and 4 (-1: none). NULL: done; else why it
 * can't be started. The program is not its parent, so no wait of the program's sees it
 * and no signal tells of it. */
const char *dl__builder_spawn(int board, int self, pid_t *builder);
/* True when it is known to have ended: whoever has become its parent may not have asked
 * for that. */
bool dl__builder_has_ended(pid_t builder);

#endif
