/* SPDX-License-Identifier: MIT */
/* What host and device share of a scene: spheres, the camera, rays and what they hit. */
#ifndef SCENE_H
#define SCENE_H
#ifdef __OPENCL_VERSION__
typedef float3 vec3;
#else
#include <CL/cl.h>
typedef cl_float3 vec3;
#endif

#define SKY_R 0.35f
#define SKY_G 0.50f
#define SKY_B 0.75f
#define EPSILON 1e-3f
#define GROUPS                                                                           \
    4 /* candidates for the nearest hit, each the nearest of a quarter of the spheres */
#define BOUNCES 3

typedef struct {
    vec3 color;
    float diffuse;
    float mirror;
} Material;

typedef struct {
    vec3 centre;
    float radius;
    float orbit; /* radians a frame around the y axis */
    Material material;
} Sphere;

typedef struct {
    vec3 eye, forward, right, up;
} Camera;

typedef struct {
    vec3 origin;
    vec3 direction;
    vec3 weight;
    int alive;
} Ray;

typedef struct {
    float t; /* negative: nothing was hit */
    int sphere;
    vec3 point;
    vec3 normal;
} Hit;

typedef struct {
    vec3 color;
    int bounces;
} Pixel;
#endif
