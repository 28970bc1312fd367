/* SPDX-License-Identifier: MIT */
/* Decisions in the cache: read when a program text is met, written when a context or the
 * process ends. Threads: the caller has the policy's lock. */
#ifndef DL_INTERCEPT_DECISIONS_H
#define DL_INTERCEPT_DECISIONS_H

#include <CL/cl.h>

#include "core.h"

/* What earlier runs have measured of this text on the device, at the first call for it.
 */
void dl__decisions_load(struct dl__policy *policy, cl_device_id device,
                        const unsigned char *text);
/* True when there is a cache. Then nothing is compiled in a launch (programs/builder.h).
 */
bool dl__decisions_are_kept(void);

/* What this command line has met before. */
enum dl__met {
    DL__MET_NOTHING,
    DL__MET_STRUCTS, /* kernels that DL may rewrite */
    DL__MET_SHORT /* the same, whose launches are all too short for their times to be of
                     use */
};
enum dl__met dl__decisions_met(void);
/* What it has met now. */
void dl__decisions_meet(enum dl__met met);
/* Keeps what is new. Asks the driver nothing. */
void dl__decisions_keep(struct dl__policy *policy);

#endif
