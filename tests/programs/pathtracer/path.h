/* SPDX-License-Identifier: MIT */
/* One path's state between kernels. Each kernel touches the few members that it is about.
 */
#ifndef PATH_H
#define PATH_H
#ifdef __OPENCL_VERSION__
typedef float3 vec3;
typedef uint4 rng_t;
#else
#include <CL/cl.h>
typedef cl_float3 vec3;
typedef cl_uint4 rng_t;
typedef cl_uint uint;
#endif

#define MAX_DEPTH 6
#define HISTORY 16

enum path_flags {
    PATH_ALIVE = 1,  /* goes on after this bounce */
    PATH_HIT = 2,    /* met a surface in this bounce */
    PATH_SHADOW = 4, /* has a shadow ray to trace */
    PATH_SEEN = 8    /* its first surface is in the first_ members */
};

typedef struct Path {
    vec3 origin, direction;
    vec3 throughput, radiance;
    vec3 position, normal;
    vec3 albedo, emission;
    vec3 light_direction, light_contribution;
    vec3 first_albedo, first_normal, first_position;
    vec3 sum, sum_squares;
    rng_t rng;
    float hit_t, light_distance, roughness, survival;
    int pixel, depth, object;
    uint flags;
    uint samples, escaped, shadow_rays, bounces;
    float history[HISTORY]; /* luminance of the last samples */
    float at_depth[8];      /* what each bounce added */
} Path;
#endif
