/* SPDX-License-Identifier: MIT */
/* Starting the builder's process. */
#ifndef DL_INTERCEPT_BUILDER_SPAWN_H
#define DL_INTERCEPT_BUILDER_SPAWN_H

/* Starts it with these two descriptors as its 3 and 4 (-1: none). NULL: done; else why it can't be
 * started. The program is not its parent, so no wait of the program's sees it and no signal tells of it. */
const char *dl__builder_spawn(int board, int self);

#endif
