/* SPDX-License-Identifier: MIT */
/* Bytes that nothing sets. A kernel that stores a struct whole leaves in its padding, and
 * in the fourth places of vectors of three, what the compiler had there. That may be
 * something else in each build, so that a rewritten kernel need not give the program's
 * bytes.
 *
 * Such bytes do not count where they lie in gaps (annotate/notes.h) in which the
 * program's own kernel differs from itself: from run to run, or when it is built once
 * more, without optimisation. That excuses no wrong rewriting, which has no part in it:
 * bytes of members always count, and so does padding that the program's kernel copies,
 * which both its builds leave alike. What was found holds for the kernel's later
 * launches, and runs. With --exact, all bytes count. */
#ifndef DL_INTERCEPT_UNSET_H
#define DL_INTERCEPT_UNSET_H

#include "copies.h"

/* Says of which buffers gaps may differ. To be called before the copies are made.
 *   explores  the program does not see what the rewritten kernel gives */
void dl__unset_begin(struct dl__copies *copies, bool explores) DL__WITH_LOCK;
/* True when something differs in structs with gaps, at which exploring has not looked:
 * the kernel is to be explored once more when the builder has made what that takes. */
bool dl__unset_wants(struct dl__copies *copies,
                     const struct dl__copied *differs) DL__WITH_LOCK;
/* WORK and the other copy are what two runs of the program's own kernel gave, and have
 * just been compared: gaps that differ are unset, if nothing else does. False: it does.
 */
bool dl__unset_learn(struct dl__copies *copies) DL__WITH_LOCK;
/* EQUAL: all gaps that dl__unset_only has found are unset, which a line says once. Where
 * that was not known, another build of the program's own kernel has run on WORK;
 * NOT_EXPLORED: that is still being made.
 *   other  what the program's kernel gave */
enum dl__verdict_of_copies dl__unset_judge(struct dl__copies *copies,
                                           enum dl__copy other) DL__WITH_LOCK;

/* Keeps where a rewritten kernel, which has just been compared, differs. Returns the
 * first buffer of which gaps do, unset or not; NULL: none, or other bytes differ, too. */
static inline const struct dl__copied *dl__unset_only(struct dl__copies *copies)
{
    const struct dl__copied *first = NULL;
    bool beyond = false;

    for (size_t i = 0; i < copies->count; i++) {
        copies->list[i].judged = copies->list[i].differ;
        beyond |= copies->list[i].beyond;
        if (!first && copies->list[i].differ)
            first = &copies->list[i];
    }
    return beyond ? NULL : first;
}

#endif
