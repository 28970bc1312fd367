/* SPDX-License-Identifier: MIT */
/* Units: an element is moved by its largest power of two, at most 16 bytes. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef UNIT_BYTES
#define UNIT_BYTES 4 /* 1, 2, 4, 8 or 16 */
#endif

#if UNIT_BYTES == 1
typedef uchar unit_t;
#elif UNIT_BYTES == 2
typedef ushort unit_t;
#elif UNIT_BYTES == 4
typedef uint unit_t;
#elif UNIT_BYTES == 8
typedef uint2 unit_t;
#else
typedef uint4 unit_t;
#endif
