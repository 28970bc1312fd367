/* SPDX-License-Identifier: MIT */
/* Tiles of SIDE x SIDE elements that are moved unit by unit, out of place. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef SIDE
#define SIDE 32u
#endif
#ifndef GROUP
#define GROUP 256u
#endif
#ifndef UNITS
#define UNITS 3ul /* of an element: a division by it is a multiplication */
#endif

#if SIDE == 1
typedef ulong index_t; /* an element may be a gigabyte */
#else
typedef uint index_t;
#endif
