/* SPDX-License-Identifier: MIT */
/* A fountain of --size particles plays for --steps steps. --check lets the same fountain
 * play in C: all but a few particles must be where they are there. */
#include "app.h"
#include "particle.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOZZLES = 3 };

static const float dt = 0.02f;
static const cl_uint seed = 4711;

static const Nozzle nozzles[NOZZLES] = {
    {{0, 0.2f, 0}, 5, 0.2f, {0, 0}, {120, 160, 255, 255}, 0, 1000000},
    {{1, 0.1f, 0}, 4, 0.3f, {-0.2f, 0.1f}, {200, 200, 255, 255}, 3, 20},
    {{-1, 0.1f, 0.5f}, 1.2f, 0.5f, {0.3f, -0.1f}, {255, 220, 180, 255}, 0, 12},
};

static float next_random(cl_uint *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

static void fall(Particle *p, float time)
{
    p->velocity[1] -= GRAVITY * time;
    for (int k = 0; k < 3; k++)
        p->position[k] += p->velocity[k] * time;
}

static void spawn(Particle *p, const Nozzle *from)
{
    float late = dt * next_random(&p->random);
    float a = from->spread * (next_random(&p->random) - 0.5f);
    float b = from->spread * (next_random(&p->random) - 0.5f);
    memcpy(p->position, from->origin, sizeof(p->position));
    memcpy(p->color, from->color, sizeof(p->color));
    p->velocity[0] = from->speed * (from->tilt[0] + a);
    p->velocity[1] = from->speed;
    p->velocity[2] = from->speed * (from->tilt[1] + b);
    p->age = 0;
    p->life = 0.5f + next_random(&p->random);
    p->state = STATE_FLYING;
    fall(p, late);
}

static void step_in_c(Particle *p, uint step)
{
    const Nozzle *from = &nozzles[p->nozzle];
    int moving = p->state == STATE_FLYING || p->state == STATE_ROLLING;
    if (!moving && step >= from->start && step < from->stop &&
        next_random(&p->random) < 0.2f) {
        spawn(p, from);
        moving = 1;
    }
    if (!moving)
        return;
    if (p->state == STATE_FLYING) {
        fall(p, dt);
        if (p->position[1] <= FLOOR) {
            p->position[1] = FLOOR;
            p->velocity[1] *= -BOUNCE;
            p->velocity[0] *= GRIP;
            p->velocity[2] *= GRIP;
        }
        if (p->position[1] == FLOOR && p->velocity[1] < 0.3f)
            p->state = STATE_ROLLING;
    } else {
        p->velocity[1] = 0;
        p->position[0] += p->velocity[0] * dt;
        p->position[2] += p->velocity[2] * dt;
        p->velocity[0] *= GRIP;
        p->velocity[2] *= GRIP;
    }
    p->age += dt;
    if (p->age > p->life)
        p->state = STATE_GONE;
}

static int agrees(const Particle *a, const Particle *b)
{
    float off = 0;
    for (int k = 0; k < 3; k++)
        off += fabsf(a->position[k] - b->position[k]) +
               fabsf(a->velocity[k] - b->velocity[k]);
    return a->state == b->state && a->random == b->random && off < 1e-3f &&
           !memcmp(a->color, b->color, 3);
}

static void check_fountain(struct app *app, const Particle *particles,
                           const Census *census)
{
    size_t count = (size_t)app->size, wrong = 0;
    int in_state[STATES] = {0}, total = 0;
    for (size_t i = 0; i < count; i++) {
        Particle p;
        memset(&p, 0, sizeof(p));
        p.random = (seed + (uint)i) * 2654435761u | 1u;
        p.nozzle = (ushort)(i % NOZZLES);
        for (long step = 0; step < app->steps; step++)
            step_in_c(&p, (uint)step);
        wrong += !agrees(&p, &particles[i]);
        in_state[particles[i].state]++;
    }
    app_expect(app, wrong <= count / 100, "%zu of %zu particles are somewhere else in C",
               wrong, count);
    for (int s = 0; s < STATES; s++) {
        app_expect(app, in_state[s] == census->in_state[s],
                   "the census has %d particles in state %d, not %d", census->in_state[s],
                   s, in_state[s]);
        total += in_state[s];
    }
    app_expect(app, total == (int)count, "%d particles were counted", total);
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 4000, 40);
    app_build(&app, "fountain.cl", "");

    size_t count = (size_t)app.size;
    cl_uint nozzle_count = NOZZLES;
    Particle *particles = app_alloc(&app, count * sizeof(*particles));
    cl_uint *bounces = app_alloc(&app, count * sizeof(*bounces));
    Census census = {{0}, 0, INT_MIN, {{INT_MAX, INT_MAX}, {INT_MIN, INT_MIN}}};
    memset(bounces, 0, count * sizeof(*bounces));

    cl_mem d_particles = app_buffer(&app, count * sizeof(*particles), NULL);
    cl_mem d_nozzles = app_buffer(&app, sizeof(nozzles), nozzles);
    cl_mem d_bounces = app_buffer(&app, count * sizeof(*bounces), bounces);
    cl_mem d_census = app_buffer(&app, sizeof(census), &census);
    cl_kernel plant = app_kernel(&app, "plant"), emit = app_kernel(&app, "emit");
    cl_kernel advance = app_kernel(&app, "advance");
    cl_kernel take_census = app_kernel(&app, "take_census");
    ARG(&app, plant, 0, d_particles), ARG(&app, plant, 1, seed);
    ARG(&app, plant, 2, nozzle_count);
    ARG(&app, emit, 0, d_particles), ARG(&app, emit, 1, d_nozzles),
        ARG(&app, emit, 3, dt);
    ARG(&app, advance, 0, d_particles), ARG(&app, advance, 1, d_bounces);
    ARG(&app, advance, 2, dt);
    ARG(&app, take_census, 0, d_particles), ARG(&app, take_census, 1, d_bounces);
    ARG(&app, take_census, 2, d_census);

    app_run(&app, plant, count, 0);
    for (cl_uint step = 0; step < (cl_uint)app.steps; step++) {
        ARG(&app, emit, 2, step);
        app_run(&app, emit, count, 0);
        app_run(&app, advance, count, 0);
    }
    app_run(&app, take_census, count, 0);
    app_read(&app, d_particles, count * sizeof(*particles), particles);
    app_read(&app, d_bounces, count * sizeof(*bounces), bounces);
    app_read(&app, d_census, sizeof(census), &census);
    app_sum(&app, particles, count * sizeof(*particles));
    app_sum(&app, bounces, count * sizeof(*bounces));
    app_sum(&app, &census, sizeof(census));
    if (app.check)
        check_fountain(&app, particles, &census);
    free(particles);
    free(bounces);
    return app_close(&app);
}
