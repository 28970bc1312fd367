/* SPDX-License-Identifier: MIT */
/* Bodies whose vectors are read whole or by component. */
#ifndef NBODY_BODY_H
#define NBODY_BODY_H
#ifdef __OPENCL_VERSION__
typedef float4 f4;
#else
#include <CL/cl.h>
typedef cl_float4 f4;
typedef cl_uint uint;
#endif

#define GROUP 64

typedef union {
    f4 v;
    float e[4];
    struct {
        float x, y, z, w;
    } c;
} vec_t;

typedef struct body {
    vec_t pos; /* w: mass */
    vec_t vel; /* w: kinetic energy */
    vec_t acc; /* w: potential per mass */
} body_t;

typedef struct {
    vec_t centre;   /* of mass; w: all mass */
    vec_t momentum; /* w: not used */
    float kinetic, potential;
    uint bodies;
} totals_t;
#endif
