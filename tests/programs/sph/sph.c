/* SPDX-License-Identifier: MIT */
/* A dam of --size particles breaks for --steps steps. --check wants the densities that
 * the plain sum over all pairs gives, every particle once and in the box, and cells in
 * order. */
#include "app.h"
#include "sph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct buffers {
    cl_mem particles, sorted, entries, cells, params;
};

struct kernels {
    cl_kernel hash, pass, clear, reorder, density, forces, move;
};

static Params make_params(uint count)
{
    const float h = 0.1f, pi = 3.14159265f;
    Params p;
    memset(&p, 0, sizeof(p));
    p.gravity.y = -9.81f;
    p.box = (real3){{CELLS_X * h - 1e-4f, CELLS_Y * h - 1e-4f, CELLS_Z * h - 1e-4f, 0}};
    p.h = h;
    p.rest_rho = 1000;
    p.mass = p.rest_rho * 0.05f * 0.05f * 0.05f;
    p.stiffness = 3;
    p.viscosity = 2;
    p.dt = 0.002f;
    p.poly6 = 315 / (64 * pi * powf(h, 9));
    p.spiky_grad = -45 / (pi * powf(h, 6));
    p.visc_lap = 45 / (pi * powf(h, 6));
    p.count = count;
    return p;
}

static void make_dam(Particle *particles, uint count)
{
    const uint deep = 12, wide = 12;
    uint32_t seed = 3;
    memset(particles, 0, count * sizeof(*particles));
    for (uint i = 0; i < count; i++) {
        uint layer = i / (deep * wide);
        particles[i].pos.x =
            0.05f * (float)(i % wide) + 0.004f * app_random(&seed) + 0.01f;
        particles[i].pos.z =
            0.05f * (float)(i / wide % deep) + 0.004f * app_random(&seed);
        particles[i].pos.y =
            fmodf(0.05f * (float)layer, 1.5f) + 0.004f * app_random(&seed);
        particles[i].id = i;
    }
}

static struct kernels make_kernels(struct app *app, const struct buffers *b)
{
    struct kernels k = {app_kernel(app, "hash"),        app_kernel(app, "bitonic_pass"),
                        app_kernel(app, "clear_cells"), app_kernel(app, "reorder"),
                        app_kernel(app, "density"),     app_kernel(app, "forces"),
                        app_kernel(app, "move")};
    ARG(app, k.hash, 1, b->entries), ARG(app, k.hash, 2, b->params);
    ARG(app, k.pass, 0, b->entries), ARG(app, k.clear, 0, b->cells);
    ARG(app, k.reorder, 2, b->entries), ARG(app, k.reorder, 3, b->cells);
    ARG(app, k.reorder, 4, b->params);
    ARG(app, k.density, 1, b->cells), ARG(app, k.density, 2, b->params);
    ARG(app, k.forces, 1, b->cells), ARG(app, k.forces, 2, b->params);
    ARG(app, k.move, 1, b->params);
    return k;
}

/* Sorts the particles into the other buffer and gives them their densities. */
static void sort_and_weigh(struct app *app, struct buffers *b, struct kernels *k,
                           uint padded)
{
    cl_mem unsorted = b->particles;
    ARG(app, k->hash, 0, unsorted);
    app_run(app, k->hash, padded, 0);
    for (cl_uint block = 2; block <= padded; block *= 2)
        for (cl_uint stride = block / 2; stride > 0; stride /= 2) {
            ARG(app, k->pass, 1, stride), ARG(app, k->pass, 2, block);
            app_run(app, k->pass, padded, 0);
        }
    app_run(app, k->clear, CELLS, 0);
    ARG(app, k->reorder, 0, unsorted), ARG(app, k->reorder, 1, b->sorted);
    app_run(app, k->reorder, padded, 0);
    b->particles = b->sorted;
    b->sorted = unsorted;
    ARG(app, k->density, 0, b->particles);
    app_run(app, k->density, padded, 0);
}

static void check_particles(struct app *app, const Particle *p, const Params *params)
{
    uint count = params->count;
    char *seen = app_alloc(app, count);
    memset(seen, 0, count);
    for (uint i = 0; i < count; i++) {
        double rho = 0, h2 = (double)params->h * params->h;
        for (uint j = 0; j < count; j++) {
            double x = p[i].pos.x - p[j].pos.x, y = p[i].pos.y - p[j].pos.y;
            double z = p[i].pos.z - p[j].pos.z, q = h2 - (x * x + y * y + z * z);
            rho += q > 0 ? q * q * q : 0;
        }
        rho *= params->mass * params->poly6;
        app_expect(app, fabs(rho - p[i].rho) <= 1e-4 * rho,
                   "particle %u has the density %g, not %g", p[i].id, p[i].rho, rho);
        app_expect(app, p[i].id < count && !seen[p[i].id], "particle %u is there twice",
                   p[i].id);
        seen[p[i].id] = 1;
        app_expect(app, i == 0 || p[i - 1].cell <= p[i].cell,
                   "particle %u is not in order", i);
        app_expect(app,
                   p[i].pos.x >= 0 && p[i].pos.x <= params->box.x && p[i].pos.y >= 0 &&
                       p[i].pos.y <= params->box.y && p[i].pos.z >= 0 &&
                       p[i].pos.z <= params->box.z,
                   "particle %u is out of the box", p[i].id);
    }
    free(seen);
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 1500, 4);
    app_build(&app, "sph.cl", "");

    uint count = (uint)app.size, padded = 2;
    while (padded < count)
        padded *= 2;
    size_t bytes = count * sizeof(Particle);
    Params params = make_params(count);
    Particle *particles = app_alloc(&app, bytes);
    make_dam(particles, count);

    struct buffers b = {app_buffer(&app, bytes, particles), app_buffer(&app, bytes, NULL),
                        app_buffer(&app, padded * sizeof(Entry), NULL),
                        app_buffer(&app, CELLS * sizeof(Cell), NULL),
                        app_buffer(&app, sizeof(params), &params)};
    struct kernels k = make_kernels(&app, &b);
    for (long step = 0; step < app.steps; step++) {
        sort_and_weigh(&app, &b, &k, padded);
        ARG(&app, k.forces, 0, b.particles), ARG(&app, k.move, 0, b.particles);
        app_run(&app, k.forces, padded, 0);
        app_run(&app, k.move, padded, 0);
    }
    sort_and_weigh(&app, &b, &k, padded);
    app_read(&app, b.particles, bytes, particles);
    for (uint i = 0; i < count; i++) {
        app_sum(&app, &particles[i].pos, 3 * sizeof(float));
        app_sum(&app, &particles[i].vel, 3 * sizeof(float));
        app_sum(&app, &particles[i].rho, 4 * sizeof(float));
    }
    if (app.check)
        check_particles(&app, particles, &params);
    free(particles);
    return app_close(&app);
}
