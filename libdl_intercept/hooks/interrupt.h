/* SPDX-License-Identifier: MIT */
/* What is to be told at the program's end is told, too, when SIGINT or SIGTERM end it.
 *
 * Only where something is to be told (--stats, --trace, --advise, --verify) and a thread
 * may be started for it, and only of a signal whose handling the program has left to the
 * system; LLVM's, which a driver brings, cleans up and hands the signal on. The program
 * ends by that signal, as natively; a second one ends it at once.
 */
#ifndef DL_INTERCEPT_INTERRUPT_H
#define DL_INTERCEPT_INTERRUPT_H

/* The process uses OpenCL; once. */
void dl__interrupt_begin(void);

#endif
