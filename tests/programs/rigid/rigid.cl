/* SPDX-License-Identifier: MIT */
/* Rigid bodies for a lockstep simulation: each machine must see the same bits, so no
 * contraction, no sines, and a pair's impulse is the same whichever of the two bodies
 * works it out. */
#pragma OPENCL FP_CONTRACT OFF
#include "body.h"

static inline float2 perp(float2 v)
{
    return (float2)(-v.y, v.x);
}

static inline float cross2(float2 a, float2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline float2 to_world(const __global body_t *body, float2 local_point)
{
    return body->position + body->rotation.x * local_point +
           body->rotation.y * perp(local_point);
}

static inline float2 to_body(const __global body_t *body, float2 point)
{
    const float2 d = point - body->position;
    return body->rotation.x * d - body->rotation.y * perp(d);
}

static float bounding_radius(const __global shape_t *shape)
{
    switch (shape->kind) {
    case SHAPE_CIRCLE:
        return shape->as.circle.radius;
    case SHAPE_BOX:
        return shape->as.extent[0] + shape->as.extent[1];
    }
    return 0.0f;
}

static bool circle_circle(const __global body_t *a, const __global body_t *b,
                          contact_t *c)
{
    const float2 d = b->position - a->position;
    const float reach = a->shape.as.circle.radius + b->shape.as.circle.radius;
    const float square = d.x * d.x + d.y * d.y;
    if (square >= reach * reach || square == 0.0f)
        return false;
    const float distance = sqrt(square);
    c->normal = d / distance;
    c->depth = reach - distance;
    c->point = a->position + c->normal * a->shape.as.circle.radius;
    return true;
}

/* How deep a point is in a box, and the box's face towards it; negative: outside. */
static float depth_in_box(const __global body_t *box, float2 point, float2 *outward)
{
    const __global shape_t *shape = &box->shape;
    const float2 p = to_body(box, point);
    const float depth_x = shape->as.box.half_x - fabs(p.x);
    const float depth_y = shape->as.box.half_y - fabs(p.y);
    float2 face = (float2)(0.0f, 0.0f);
    if (depth_x < depth_y)
        face.x = p.x < 0.0f ? -1.0f : 1.0f;
    else
        face.y = p.y < 0.0f ? -1.0f : 1.0f;
    *outward = box->rotation.x * face + box->rotation.y * perp(face);
    return fmin(depth_x, depth_y);
}

static bool circle_box(const __global body_t *circle, const __global body_t *box,
                       contact_t *c)
{
    const float radius = circle->shape.as.circle.radius;
    const float2 p = to_body(box, circle->position);
    const float2 half_size = (float2)(box->shape.as.box.half_x, box->shape.as.box.half_y);
    const float2 closest = clamp(p, -half_size, half_size);
    const float2 d = closest - p;
    const float square = d.x * d.x + d.y * d.y;
    if (square >= radius * radius)
        return false;
    if (square > 0.0f) {
        const float distance = sqrt(square);
        c->normal = (box->rotation.x * d + box->rotation.y * perp(d)) / distance;
        c->depth = radius - distance;
    } else {
        float2 outward;
        c->depth = radius + depth_in_box(box, circle->position, &outward);
        c->normal = -outward;
    }
    c->point = to_world(box, closest);
    return true;
}

/* Keeps the deepest corner of `from` in `box`; `sign` turns the normal from a to b. */
static void corners_in(const __global body_t *from, const __global body_t *box,
                       float sign, contact_t *c)
{
    for (int corner = 0; corner < 4; corner++) {
        const float2 at =
            (float2)((corner & 1) ? from->shape.as.extent[0] : -from->shape.as.extent[0],
                     (corner & 2) ? from->shape.as.extent[1] : -from->shape.as.extent[1]);
        const float2 point = to_world(from, at);
        float2 outward;
        const float depth = depth_in_box(box, point, &outward);
        if (depth > c->depth) {
            c->depth = depth;
            c->normal = sign * outward;
            c->point = point;
        }
    }
}

static bool collide(const __global body_t *a, const __global body_t *b, contact_t *c)
{
    const float2 d = b->position - a->position;
    const float reach = bounding_radius(&a->shape) + bounding_radius(&b->shape);
    if (d.x * d.x + d.y * d.y > reach * reach)
        return false;
    if (a->shape.kind == SHAPE_CIRCLE && b->shape.kind == SHAPE_CIRCLE)
        return circle_circle(a, b, c);
    if (a->shape.kind == SHAPE_CIRCLE)
        return circle_box(a, b, c);
    if (b->shape.kind == SHAPE_CIRCLE) {
        if (!circle_box(b, a, c))
            return false;
        c->normal = -c->normal;
        return true;
    }
    c->depth = 0.0f;
    corners_in(a, b, -1.0f, c);
    corners_in(b, a, 1.0f, c);
    return c->depth > 0.0f;
}

__kernel void integrate(__global body_t *bodies, const float dt)
{
    __global body_t *body = bodies + get_global_id(0);
    float2 r = body->rotation + body->spin * dt * perp(body->rotation);
    body->position += body->velocity * dt;
    body->rotation = r / sqrt(r.x * r.x + r.y * r.y);
}

__kernel void find_contacts(__global body_t *bodies, __global contact_t *contacts,
                            const int count)
{
    const int self = get_global_id(0);
    __global contact_t *out = contacts + self * MAX_CONTACTS;
    int found = 0;
    for (int other = 0; other < count && found < MAX_CONTACTS; other++) {
        contact_t c;
        if (other == self ||
            !collide(&bodies[min(self, other)], &bodies[max(self, other)], &c))
            continue;
        c.other = other;
        *out++ = c;
        found++;
    }
    bodies[self].contact_count = found;
}

static float2 velocity_at(const __global body_t *body, float2 point)
{
    return body->velocity + body->spin * perp(point - body->position);
}

/* The impulse that body a gives body b, scaled down where many bodies push at once. */
static float2 pair_impulse(const __global body_t *a, const __global body_t *b,
                           const __global contact_t *c)
{
    const float2 n = c->normal, t = perp(n);
    const float2 v = velocity_at(b, c->point) - velocity_at(a, c->point);
    const float approach = v.x * n.x + v.y * n.y;
    if (approach >= 0.0f)
        return (float2)(0.0f, 0.0f);
    const float an = cross2(c->point - a->position, n),
                bn = cross2(c->point - b->position, n);
    const float mass =
        a->inv_mass + b->inv_mass + an * an * a->inv_inertia + bn * bn * b->inv_inertia;
    const float along = -(1.0f + RESTITUTION) * approach / mass;
    const float limit = FRICTION * along;
    const float across = clamp(-0.3f * (v.x * t.x + v.y * t.y) / mass, -limit, limit);
    return (along * n + across * t) / (float)max(a->contact_count, b->contact_count);
}

__kernel void solve(__global body_t *bodies, const __global contact_t *contacts)
{
    const int self = get_global_id(0);
    __global body_t *body = &bodies[self];
    const __global contact_t *c = contacts + self * MAX_CONTACTS;
    const __global contact_t *const end = c + body->contact_count;

    body->push.all = (float4)(0.0f);
    body->shift = (float2)(0.0f, 0.0f);
    for (; c != end; c++) {
        const __global body_t *other = bodies + c->other;
        const __global body_t *a = self < c->other ? body : other;
        const __global body_t *b = self < c->other ? other : body;
        const float sign = a == body ? -1.0f : 1.0f;
        const float2 impulse = sign * pair_impulse(a, b, c);
        const float apart =
            fmax(c->depth - SLOP, 0.0f) * 0.1f / (a->inv_mass + b->inv_mass);

        body->push.part.impulse += impulse;
        body->push.part.turn += cross2(c->point - body->position, impulse);
        body->push.part.largest =
            fmax(body->push.part.largest, fabs(impulse.x) + fabs(impulse.y));
        body->shift += sign * apart * body->inv_mass * c->normal;
    }
}

__kernel void apply(__global body_t *bodies, const int last)
{
    __global body_t *body = bodies + get_global_id(0);
    body->velocity += body->push.part.impulse * body->inv_mass;
    body->spin += body->push.part.turn * body->inv_inertia;
    if (last)
        body->position += body->shift;
}
