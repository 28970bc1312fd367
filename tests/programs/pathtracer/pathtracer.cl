/* SPDX-License-Identifier: MIT */
/* A wavefront path tracer: one small kernel for each stage, the path's state between
 * them. With -D FURNACE all surfaces reflect everything and the sky is 1: every path that
 * gets out brings 1. */
#include "path.h"

typedef struct {
    float4 centre_radius;
    float4 albedo_roughness;
    float4 emission;
} Object;

/* Object 0 is the plane y = 0. */
#define OBJECTS 7
__constant Object scene[OBJECTS] = {
    {{0, 0, 0, 0}, {0.7f, 0.7f, 0.7f, 1.0f}, {0, 0, 0, 0}},
    {{0, 1, 0, 1}, {0.8f, 0.3f, 0.2f, 1.0f}, {0, 0, 0, 0}},
    {{2.1f, 0.8f, 0.4f, 0.8f}, {0.9f, 0.9f, 0.9f, 0.05f}, {0, 0, 0, 0}},
    {{-2.0f, 0.7f, -0.5f, 0.7f}, {0.2f, 0.4f, 0.8f, 1.0f}, {0, 0, 0, 0}},
    {{0.6f, 0.3f, -1.5f, 0.3f}, {0.9f, 0.8f, 0.3f, 0.3f}, {0, 0, 0, 0}},
    {{-0.9f, 0.4f, -1.7f, 0.4f}, {0.3f, 0.8f, 0.4f, 1.0f}, {0, 0, 0, 0}},
    {{1.0f, 4.0f, -1.0f, 0.7f}, {0.0f, 0.0f, 0.0f, 1.0f}, {9, 8, 7, 0}},
};
#define LAMP 6

#ifdef FURNACE
#define ALBEDO(object) (float3)(1.0f)
#define EMISSION(object) (float3)(0.0f)
#define SKY(d) (float3)(1.0f)
#else
#define ALBEDO(object) (scene[object].albedo_roughness.xyz)
#define EMISSION(object) (scene[object].emission.xyz)
#define SKY(d)                                                                           \
    mix((float3)(0.9f, 0.9f, 0.9f), (float3)(0.4f, 0.6f, 0.9f), fmax((d).y, 0.0f))
#endif

#define ALIVE(path) ((path)->flags & PATH_ALIVE)

/* xorshift128 */
static float uniform_random(__global Path *path)
{
    uint t = path->rng.x ^ (path->rng.x << 11);
    path->rng.xyz = path->rng.yzw;
    path->rng.w = path->rng.w ^ (path->rng.w >> 19) ^ t ^ (t >> 8);
    return (path->rng.w >> 8) * (1.0f / 16777216.0f);
}

static float3 unit_vector(__global Path *path)
{
    for (int tries = 0; tries < 32; tries++) {
        float3 v;
        v.x = 2.0f * uniform_random(path) - 1.0f;
        v.y = 2.0f * uniform_random(path) - 1.0f;
        v.z = 2.0f * uniform_random(path) - 1.0f;
        const float square = dot(v, v);
        if (square > 1e-4f && square <= 1.0f)
            return v / sqrt(square);
    }
    return (float3)(0.0f, 1.0f, 0.0f);
}

static float distance_to(int object, float3 origin, float3 direction)
{
    if (object == 0) {
        const float t = -origin.y / direction.y;
        return t > 1e-3f ? t : INFINITY;
    }
    const float3 oc = origin - scene[object].centre_radius.xyz;
    const float radius = scene[object].centre_radius.w;
    const float b = dot(oc, direction);
    const float disc = b * b - dot(oc, oc) + radius * radius;
    if (disc < 0.0f)
        return INFINITY;
    const float near = -b - sqrt(disc), far = -b + sqrt(disc);
    return near > 1e-3f ? near : far > 1e-3f ? far : INFINITY;
}

static float luminance(float3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static void add_light(__global Path *path, float3 light)
{
    path->radiance += light;
    path->at_depth[path->depth] += luminance(light);
}

__kernel void path_init(__global Path *paths, uint seed)
{
    const int i = get_global_id(0);
    Path path;
    uint h = seed ^ (uint)i * 0x9e3779b9u;
    uint *word = (uint *)&path.rng;
    for (int k = 0; k < 4; k++) {
        h = (h ^ (h >> 16)) * 0x85ebca6bu;
        h = (h ^ (h >> 13)) * 0xc2b2ae35u + k;
        word[k] = h | 1u;
    }
    path.pixel = i;
    path.flags = 0;
    path.samples = path.escaped = path.shadow_rays = path.bounces = 0;
    path.sum = path.sum_squares = (float3)(0.0f);
    path.first_albedo = path.first_normal = path.first_position = (float3)(0.0f);
    for (int k = 0; k < HISTORY; k++)
        path.history[k] = 0.0f;
    for (int k = 0; k < 8; k++)
        path.at_depth[k] = 0.0f;
    paths[i] = path;
}

__kernel void path_generate(__global Path *paths, int width, int height)
{
    __global Path *path = paths + get_global_id(0);
    const float x = path->pixel % width + uniform_random(path);
    const float y = path->pixel / width + uniform_random(path);
    const float3 eye = (float3)(0.0f, 1.6f, -6.0f);

    path->origin = eye;
    path->direction =
        normalize((float3)((2.0f * x - width) / height * 0.6f,
                           (height - 2.0f * y) / height * 0.6f - 0.1f, 1.0f));
    path->throughput = (float3)(1.0f);
    path->radiance = (float3)(0.0f);
    path->depth = 0;
    path->flags = PATH_ALIVE | (path->flags & PATH_SEEN);
}

__kernel void path_extend(__global Path *paths)
{
    __global Path *const path = &paths[get_global_id(0)];
    if (!ALIVE(path))
        return;
    path->hit_t = INFINITY;
    for (int o = 0; o < OBJECTS; o++) {
        const float t = distance_to(o, path->origin, path->direction);
        if (t < path->hit_t) {
            path->hit_t = t;
            path->object = o;
        }
    }
    if (path->hit_t < INFINITY) {
        path->flags |= PATH_HIT;
        return;
    }
    add_light(path, path->throughput * SKY(path->direction));
    path->escaped++;
    path->flags &= ~(PATH_ALIVE | PATH_HIT);
}

__kernel void path_surface(__global Path *paths)
{
    __global Path *path = &paths[get_global_id(0)];
    if (!ALIVE(path))
        return;
    const int object = path->object;
    float3 n = (float3)(0.0f, 1.0f, 0.0f);
    path->position = path->origin + path->hit_t * path->direction;
    if (object > 0)
        n = (path->position - scene[object].centre_radius.xyz) /
            scene[object].centre_radius.w;
    path->normal = dot(n, path->direction) < 0.0f ? n : -n;
    path->albedo = ALBEDO(object);
    path->emission = EMISSION(object);
    path->roughness = scene[object].albedo_roughness.w;
    if (path->depth == 0 || path->roughness < 0.5f)
        add_light(path, path->throughput * path->emission);
    if (!(path->flags & PATH_SEEN)) {
        path->first_albedo = path->albedo;
        path->first_normal = path->normal;
        path->first_position = path->position;
        path->flags |= PATH_SEEN;
    }
}

/* Next event estimation: a point on the lamp, and what it would bring if nothing is
 * between. */
__kernel void path_light(__global Path *paths)
{
    __global Path *path = &paths[get_global_id(0)];
    path->flags &= ~PATH_SHADOW;
    if (!ALIVE(path) || path->object == LAMP || path->roughness < 0.5f)
        return;
    const float4 lamp = scene[LAMP].centre_radius;
    const float3 there = lamp.xyz + lamp.w * unit_vector(path);
    const float3 way = there - path->position;
    const float square = dot(way, way);
    path->light_distance = sqrt(square);
    path->light_direction = way / path->light_distance;

    const float cosine = dot(path->normal, path->light_direction);
    const float emitted = -dot((there - lamp.xyz) / lamp.w, path->light_direction);
    if (cosine <= 0.0f || emitted <= 0.0f)
        return;
    path->light_contribution = path->throughput * path->albedo * EMISSION(LAMP) *
                               (4.0f * lamp.w * lamp.w * cosine * emitted / square);
    path->flags |= PATH_SHADOW;
    path->shadow_rays++;
}

__kernel void path_shadow(__global Path *paths)
{
    __global Path *path = &paths[get_global_id(0)];
    if (!(path->flags & PATH_SHADOW))
        return;
    for (int o = 0; o < LAMP; o++)
        if (distance_to(o, path->position, path->light_direction) < path->light_distance)
            return;
    add_light(path, path->light_contribution);
}

__kernel void path_bounce(__global Path *paths)
{
    __global Path *path = &paths[get_global_id(0)];
    if (!ALIVE(path))
        return;
    path->throughput *= path->albedo;
    path->origin = path->position;
    const float3 scattered = path->normal + unit_vector(path);
    const float3 mirrored =
        path->direction - 2.0f * dot(path->direction, path->normal) * path->normal;
    if (path->roughness >= 0.5f)
        path->direction = normalize(scattered);
    else
        path->direction = normalize(mirrored + path->roughness * 0.5f * scattered);
    path->bounces++;
    path->depth++;
#ifndef FURNACE
    if (path->depth >= 3) { /* Russian roulette */
        path->survival = clamp(luminance(path->throughput), 0.05f, 0.95f);
        if (uniform_random(path) > path->survival) {
            path->flags &= ~PATH_ALIVE;
            return;
        }
        path->throughput /= path->survival;
    }
#endif
    if (path->depth >= MAX_DEPTH)
        path->flags &= ~PATH_ALIVE;
}

__kernel void path_finish(__global Path *paths)
{
    __global Path *path = &paths[get_global_id(0)];
    const float3 radiance = path->radiance;
    path->sum += radiance;
    path->sum_squares += radiance * radiance;
    path->history[path->samples % HISTORY] = luminance(radiance);
    path->samples++;
}

__kernel void film(__global const Path *paths, __global float4 *image)
{
    const int i = get_global_id(0);
    const __global Path *path = &paths[i];
    const float weight = 1.0f / max(path->samples, 1u);
    const float3 mean = path->sum * weight;
    image[2 * path->pixel] =
        (float4)(mean, luminance(path->sum_squares * weight - mean * mean));
    image[2 * path->pixel + 1] = (float4)(path->first_normal, path->first_albedo.x);
}
