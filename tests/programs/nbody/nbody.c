/* SPDX-License-Identifier: MIT */
/* A cluster of --size bodies for --steps steps. --check wants the places and
 * accelerations that double precision gives, and the energy and momentum of the
 * beginning. */
#include "app.h"
#include "body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float softening = 0.01f, time_step = 0.004f, radius = 2;

struct run {
    cl_mem bodies, totals;
    cl_kernel forces, kick, drift, add_up;
    size_t count; /* with the fill */
};

/* A ball of bodies that turns slowly; what fills the last work-group has no mass. */
static void make_cluster(body_t *bodies, size_t used, size_t count)
{
    uint32_t seed = 77;
    memset(bodies, 0, count * sizeof(*bodies));
    for (size_t i = 0; i < used; i++) {
        body_t *b = &bodies[i];
        float square;
        do {
            square = 0;
            for (int k = 0; k < 3; k++) {
                b->pos.e[k] = 2 * app_random(&seed) - 1;
                square += b->pos.e[k] * b->pos.e[k];
            }
        } while (square > 1);
        b->pos.c.w = (0.5f + app_random(&seed)) / (float)used;
        b->vel.c.x = -0.6f * b->pos.c.y + 0.1f * (app_random(&seed) - 0.5f);
        b->vel.c.y = 0.6f * b->pos.c.x + 0.1f * (app_random(&seed) - 0.5f);
        b->vel.c.z = 0.1f * (app_random(&seed) - 0.5f);
    }
}

static void set_arguments(struct app *app, struct run *run)
{
    cl_uint n = (cl_uint)run->count;
    ARG(app, run->forces, 0, run->bodies);
    app_arg(app, run->forces, 1, GROUP * sizeof(cl_float4), NULL);
    ARG(app, run->forces, 2, n), ARG(app, run->forces, 3, softening);
    ARG(app, run->kick, 0, run->bodies), ARG(app, run->drift, 0, run->bodies);
    ARG(app, run->add_up, 0, run->bodies), ARG(app, run->add_up, 1, n);
    ARG(app, run->add_up, 2, run->totals);
}

static void launch(struct app *app, struct run *run, cl_kernel kernel, float h)
{
    ARG(app, kernel, 1, h);
    app_run(app, kernel, run->count, 0);
}

static totals_t measure(struct app *app, struct run *run)
{
    totals_t totals;
    app_run(app, run->add_up, 1, 0);
    app_read(app, run->totals, sizeof(totals), &totals);
    return totals;
}

struct reference {
    double pos[3], vel[3], acc[3], mass;
};

static void forces_in_c(struct reference *bodies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct reference *me = &bodies[i];
        memset(me->acc, 0, sizeof(me->acc));
        for (size_t j = 0; j < count; j++) {
            double d[3], r2 = softening;
            for (int k = 0; k < 3; k++) {
                d[k] = bodies[j].pos[k] - me->pos[k];
                r2 += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++)
                me->acc[k] += bodies[j].mass * d[k] / (r2 * sqrt(r2));
        }
    }
}

static void step_in_c(struct reference *bodies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            bodies[i].vel[k] += bodies[i].acc[k] * time_step / 2;
            bodies[i].pos[k] += bodies[i].vel[k] * time_step;
        }
    forces_in_c(bodies, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            bodies[i].vel[k] += bodies[i].acc[k] * time_step / 2;
}

/* From where the bodies are at first; double precision shows how good single is. */
static struct reference *start_in_c(struct app *app, const body_t *bodies, size_t count)
{
    struct reference *copy = app_alloc(app, count * sizeof(*copy));
    for (size_t i = 0; i < count; i++) {
        copy[i].mass = bodies[i].pos.c.w;
        for (int k = 0; k < 3; k++) {
            copy[i].pos[k] = bodies[i].pos.e[k];
            copy[i].vel[k] = bodies[i].vel.e[k];
        }
    }
    forces_in_c(copy, count);
    return copy;
}

static void check_bodies(struct app *app, struct reference *in_c, const body_t *bodies,
                         size_t count)
{
    for (long step = 0; step < app->steps; step++)
        step_in_c(in_c, count);
    for (size_t i = 0; i < count; i++) {
        double off_pos = 0, off_acc = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            square += in_c[i].acc[k] * in_c[i].acc[k];
            off_pos += fabs(in_c[i].pos[k] - bodies[i].pos.e[k]);
            off_acc += fabs(in_c[i].acc[k] - bodies[i].acc.e[k]);
        }
        app_expect(app, off_pos <= 1e-5 * (1 + (double)app->steps / 10),
                   "body %zu is %g away from where double precision has it", i, off_pos);
        app_expect(app, off_acc <= 1e-3 * (sqrt(square) + 0.01),
                   "body %zu: the acceleration is off by %g", i, off_acc);
    }
}

static void check_totals(struct app *app, totals_t first, totals_t last, size_t used)
{
    double before = first.kinetic + first.potential,
           after = last.kinetic + last.potential;
    app_expect(app, last.bodies == used, "%u bodies are left of %zu", last.bodies, used);
    app_expect(app, fabs(after - before) <= 0.01 * fabs(before),
               "energy goes from %g to %g", before, after);
    for (int k = 0; k < 3; k++)
        app_expect(app, fabs(last.momentum.e[k] - first.momentum.e[k]) < 1e-4,
                   "momentum %d goes from %g to %g", k, first.momentum.e[k],
                   last.momentum.e[k]);
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 600, 4);
    app_build(&app, "nbody.cl", "");

    size_t used = (size_t)app.size, count = (used + GROUP - 1) / GROUP * GROUP;
    body_t *bodies = app_alloc(&app, count * sizeof(*bodies));
    cl_int *escapes = app_alloc(&app, count * sizeof(*escapes));
    make_cluster(bodies, used, count);

    struct run run = {app_buffer(&app, count * sizeof(*bodies), bodies),
                      app_buffer(&app, sizeof(totals_t), NULL),
                      app_kernel(&app, "forces"),
                      app_kernel(&app, "kick"),
                      app_kernel(&app, "drift"),
                      app_kernel(&app, "add_up"),
                      count};
    cl_mem d_escapes = app_buffer(&app, count * sizeof(*escapes), NULL);
    cl_kernel recentre = app_kernel(&app, "recentre"),
              find = app_kernel(&app, "find_escapers");
    set_arguments(&app, &run);
    ARG(&app, recentre, 0, run.bodies), ARG(&app, recentre, 1, run.totals);
    ARG(&app, find, 0, run.bodies), ARG(&app, find, 1, d_escapes);
    ARG(&app, find, 2, radius);

    measure(&app, &run);
    app_run(&app, recentre, count, 0);
    app_run(&app, run.forces, count, GROUP);
    launch(&app, &run, run.kick, 0);
    totals_t first = measure(&app, &run);
    app_read(&app, run.bodies, count * sizeof(*bodies), bodies);
    struct reference *in_c = app.check ? start_in_c(&app, bodies, used) : NULL;
    for (long step = 0; step < app.steps; step++) {
        launch(&app, &run, run.kick, time_step / 2);
        launch(&app, &run, run.drift, time_step);
        app_run(&app, run.forces, count, GROUP);
        launch(&app, &run, run.kick, time_step / 2);
    }
    totals_t last = measure(&app, &run);
    app_run(&app, find, count, 0);
    app_read(&app, run.bodies, count * sizeof(*bodies), bodies);
    app_read(&app, d_escapes, count * sizeof(*escapes), escapes);
    app_sum(&app, bodies, count * sizeof(*bodies));
    app_sum(&app, escapes, count * sizeof(*escapes));
    app_sum(&app, &last, offsetof(totals_t, bodies) + sizeof(last.bodies));
    if (app.check) {
        check_bodies(&app, in_c, bodies, used);
        check_totals(&app, first, last, used);
    }
    free(in_c);
    free(bodies);
    free(escapes);
    return app_close(&app);
}
