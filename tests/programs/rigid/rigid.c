/* SPDX-License-Identifier: MIT */
/* Throws --size circles and boxes at each other for --steps steps. --check wants what
 * physics wants: momentum stays, energy does not grow, and who touches is touched. */
#include "app.h"
#include "body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 4 };

struct totals {
    double momentum_x, momentum_y, energy, speed;
};

static void make_bodies(body_t *bodies, int count)
{
    int side = (int)ceil(sqrt(count));
    uint32_t seed = 5;
    memset(bodies, 0, (size_t)count * sizeof(*bodies));
    for (int i = 0; i < count; i++) {
        body_t *b = &bodies[i];
        float angle = 6.2831853f * app_random(&seed);
        b->position.x = (float)(i % side - side / 2) + 0.2f * app_random(&seed);
        b->position.y = (float)(i / side - side / 2) + 0.2f * app_random(&seed);
        b->rotation = (vec2_t){{cosf(angle), sinf(angle)}};
        b->velocity.x = 4 * app_random(&seed) - 2 - 0.1f * b->position.x;
        b->velocity.y = 4 * app_random(&seed) - 2 - 0.1f * b->position.y;
        b->spin = 4 * app_random(&seed) - 2;
        if (i % 3) {
            float radius = 0.2f + 0.2f * app_random(&seed);
            float mass = 3.14159265f * radius * radius;
            b->shape.kind = SHAPE_CIRCLE;
            b->shape.as.circle.radius = radius;
            b->inv_mass = 1 / mass;
            b->inv_inertia = 2 / (mass * radius * radius);
        } else {
            float x = 0.2f + 0.15f * app_random(&seed),
                  y = 0.2f + 0.15f * app_random(&seed);
            float mass = 4 * x * y;
            b->shape.kind = SHAPE_BOX;
            b->shape.as.box.half_x = x;
            b->shape.as.box.half_y = y;
            b->inv_mass = 1 / mass;
            b->inv_inertia = 3 / (mass * (x * x + y * y));
        }
    }
}

static struct totals add_up(const body_t *bodies, int count)
{
    struct totals sum = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        const body_t *b = &bodies[i];
        double mass = 1 / (double)b->inv_mass, vx = b->velocity.x, vy = b->velocity.y;
        sum.momentum_x += mass * vx;
        sum.momentum_y += mass * vy;
        sum.speed += mass * sqrt(vx * vx + vy * vy);
        sum.energy += mass * (vx * vx + vy * vy) / 2;
        sum.energy += (double)b->spin * b->spin / (double)b->inv_inertia / 2;
    }
    return sum;
}

static int touches(const body_t *bodies, const contact_t *contacts, int from, int to)
{
    const contact_t *c = &contacts[from * MAX_CONTACTS];
    for (int k = 0; k < bodies[from].contact_count; k++)
        if (c[k].other == to)
            return 1;
    return 0;
}

/* How far two bodies, of which the first is a circle, are in each other; negative: apart.
 */
static double overlap(const body_t *circle, const body_t *other)
{
    double dx = circle->position.x - other->position.x;
    double dy = circle->position.y - other->position.y,
           radius = circle->shape.as.circle.radius;
    if (other->shape.kind == SHAPE_CIRCLE)
        return radius + other->shape.as.circle.radius - hypot(dx, dy);
    double along = fabs(dx * other->rotation.x + dy * other->rotation.y);
    double across = fabs(dy * other->rotation.x - dx * other->rotation.y);
    double out_x = along - other->shape.as.box.half_x;
    double out_y = across - other->shape.as.box.half_y;
    return radius - hypot(fmax(out_x, 0), fmax(out_y, 0));
}

static void check_circles(struct app *app, const body_t *bodies,
                          const contact_t *contacts, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            if (i == j || bodies[i].shape.kind != SHAPE_CIRCLE)
                continue;
            double depth = overlap(&bodies[i], &bodies[j]);
            app_expect(
                app, fabs(depth) < 1e-4 || touches(bodies, contacts, i, j) == (depth > 0),
                "circle %d and body %d overlap by %g, and %s a contact", i, j, depth,
                depth > 0 ? "have not" : "have");
        }
}

static void check_world(struct app *app, struct totals before, const body_t *bodies,
                        const contact_t *contacts, int count)
{
    struct totals now = add_up(bodies, count);
    double drift = fabs(now.momentum_x - before.momentum_x) +
                   fabs(now.momentum_y - before.momentum_y);
    app_expect(app, drift <= 1e-4 * before.speed, "momentum drifts by %g of %g", drift,
               before.speed);
    app_expect(app, now.energy <= before.energy * 1.001, "energy grows from %g to %g",
               before.energy, now.energy);
    for (int i = 0; i < count; i++) {
        const body_t *b = &bodies[i];
        double length = hypot(b->rotation.x, b->rotation.y);
        app_expect(app, fabs(length - 1) < 1e-5, "body %d has a rotation of length %g", i,
                   length);
        app_expect(app, b->contact_count < MAX_CONTACTS, "body %d has too many contacts",
                   i);
        for (int k = 0; k < b->contact_count; k++) {
            int other = contacts[i * MAX_CONTACTS + k].other;
            app_expect(app, touches(bodies, contacts, other, i),
                       "body %d touches %d, which does not touch it", i, other);
        }
    }
}

static void sum_contacts(struct app *app, const body_t *bodies, const contact_t *contacts,
                         int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < bodies[i].contact_count; k++) {
            const contact_t *c = &contacts[i * MAX_CONTACTS + k];
            app_sum(app, &c->other, sizeof(c->other));
            app_sum(app, &c->normal, 2 * sizeof(c->normal) + sizeof(c->depth));
        }
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 300, 24);
    app_build(&app, "rigid.cl", "");

    cl_int count = (cl_int)app.size;
    cl_float dt = 1.0f / 60;
    size_t n = (size_t)count, body_bytes = n * sizeof(body_t);
    size_t contact_bytes = n * MAX_CONTACTS * sizeof(contact_t);
    body_t *bodies = app_alloc(&app, body_bytes);
    contact_t *contacts = app_alloc(&app, contact_bytes);
    make_bodies(bodies, count);
    struct totals before = add_up(bodies, count);

    cl_mem d_bodies = app_buffer(&app, body_bytes, bodies);
    cl_mem d_contacts = app_buffer(&app, contact_bytes, NULL);
    cl_kernel integrate = app_kernel(&app, "integrate");
    cl_kernel find = app_kernel(&app, "find_contacts");
    cl_kernel solve = app_kernel(&app, "solve"), apply = app_kernel(&app, "apply");
    ARG(&app, integrate, 0, d_bodies), ARG(&app, integrate, 1, dt);
    ARG(&app, find, 0, d_bodies), ARG(&app, find, 1, d_contacts),
        ARG(&app, find, 2, count);
    ARG(&app, solve, 0, d_bodies), ARG(&app, solve, 1, d_contacts);
    ARG(&app, apply, 0, d_bodies);

    for (long step = 0; step < app.steps; step++) {
        app_run(&app, integrate, n, 0);
        app_run(&app, find, n, 0);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            cl_int last = iteration == ITERATIONS - 1;
            app_run(&app, solve, n, 0);
            ARG(&app, apply, 1, last);
            app_run(&app, apply, n, 0);
        }
    }
    app_run(&app, find, n, 0);
    app_read(&app, d_bodies, body_bytes, bodies);
    app_read(&app, d_contacts, contact_bytes, contacts);
    app_sum(&app, bodies, body_bytes);
    sum_contacts(&app, bodies, contacts, count);
    if (app.check) {
        check_circles(&app, bodies, contacts, count);
        check_world(&app, before, bodies, contacts, count);
    }
    free(bodies);
    free(contacts);
    return app_close(&app);
}
