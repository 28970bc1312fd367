/* SPDX-License-Identifier: MIT */
/* Smoothed particles, the cells they are in, and what all of them share. */
#ifndef SPH_H
#define SPH_H
#ifdef __OPENCL_VERSION__
typedef float3 real3;
#else
#include <CL/cl.h>
typedef cl_float3 real3;
typedef cl_uint uint;
#endif

#define CELLS_X 16
#define CELLS_Y 16
#define CELLS_Z 8
#define CELLS (CELLS_X * CELLS_Y * CELLS_Z)

typedef struct Particle {
    real3 pos;
    real3 vel;
    real3 acc;
    float rho;
    float p;
    uint cell;
    uint id;
} Particle;

typedef struct Entry {
    uint cell;
    uint particle;
} Entry;

typedef struct Cell {
    uint begin, end;
} Cell;

typedef struct Params {
    real3 gravity;
    real3 box; /* from 0 to here */
    float h, mass, rest_rho, stiffness, viscosity, dt;
    float poly6, spiky_grad, visc_lap;
    uint count;
} Params;
#endif
