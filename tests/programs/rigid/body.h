/* SPDX-License-Identifier: MIT */
/* Rigid bodies in the plane, circles and boxes, and where they touch. */
#ifndef BODY_H
#define BODY_H
#ifdef __OPENCL_VERSION__
typedef float2 vec2_t;
typedef float4 vec4_t;
#else
#include <CL/cl.h>
typedef cl_float2 vec2_t;
typedef cl_float4 vec4_t;
#endif

#define MAX_CONTACTS 12
#define RESTITUTION 0.3f
#define FRICTION 0.4f
#define SLOP 0.005f

typedef enum { SHAPE_CIRCLE, SHAPE_BOX } shape_kind_t;

typedef struct {
    shape_kind_t kind;
    union {
        struct {
            float radius;
        } circle;
        struct {
            float half_x, half_y;
        } box;
        float extent[2];
    } as;
} shape_t;

typedef struct {
    vec2_t position;
    vec2_t rotation; /* cosine and sine */
    vec2_t velocity;
    float spin;
    float inv_mass, inv_inertia;
    int contact_count;
    shape_t shape;
    union {
        struct {
            vec2_t impulse;
            float turn;
            float largest; /* normal impulse of this iteration */
        } part;
        vec4_t all;
    } push;
    vec2_t shift; /* moves overlapping bodies apart */
} body_t;

typedef struct {
    int other;
    vec2_t normal; /* from the body with the smaller number to the other */
    vec2_t point;
    float depth;
} contact_t;
#endif
