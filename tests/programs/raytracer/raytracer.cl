/* SPDX-License-Identifier: MIT */
/* A Whitted ray tracer: rays are made, then for each bounce the candidates are found and
 * the nearest of them is shaded. */
#include "scene.h"

__kernel void make_rays(__global Ray *rays, __global Pixel *pixels, const Camera camera,
                        const int width, const int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height)
        return;

    __global Ray *ray = rays + y * width + x;
    const float u = (2.0f * (x + 0.5f) - width) / height;
    const float v = (height - 2.0f * (y + 0.5f)) / height;
    ray->origin = camera.eye;
    ray->direction = normalize(camera.forward + u * camera.right + v * camera.up);
    ray->weight = (float3)(1.0f, 1.0f, 1.0f);
    ray->alive = 1;

    pixels[y * width + x].color = (float3)(0.0f);
    pixels[y * width + x].bounces = 0;
}

static bool intersect(const __global Sphere *sphere, float3 origin, float3 direction,
                      float *t)
{
    const float3 oc = origin - sphere->centre;
    const float b = dot(oc, direction);
    const float c = dot(oc, oc) - sphere->radius * sphere->radius;
    const float disc = b * b - c;
    if (disc < 0.0f)
        return false;
    const float root = sqrt(disc);
    *t = -b - root;
    if (*t < EPSILON)
        *t = -b + root;
    return *t >= EPSILON;
}

static void record_hit(__global Hit *hit, const __global Ray *ray,
                       const __global Sphere *sphere, int index, float t)
{
    hit->t = t;
    hit->sphere = index;
    hit->point = ray->origin + t * ray->direction;
    hit->normal = (hit->point - sphere->centre) / sphere->radius;
}

/* One work-item a ray and group: the nearest of spheres group, group + GROUPS, ... */
__kernel void find_hits(__global const Ray *restrict rays,
                        __global const Sphere *restrict spheres,
                        __global Hit *restrict hits, const int ray_count,
                        const int sphere_count)
{
    const int group = get_global_id(0);
    const int r = get_global_id(1);
    if (r >= ray_count)
        return;

    __global Hit *hit = &hits[r * GROUPS + group];
    const __global Ray *ray = &rays[r];
    hit->t = -1.0f;
    if (!ray->alive)
        return;

    const __global Sphere *nearest = 0;
    float best = INFINITY;
    for (int i = group; i < sphere_count; i += GROUPS) {
        float t;
        if (intersect(&spheres[i], ray->origin, ray->direction, &t) && t < best) {
            best = t;
            nearest = &spheres[i];
        }
    }
    if (nearest)
        record_hit(hit, ray, nearest, (int)(nearest - spheres), best);
}

static bool in_shadow(const __global Sphere *spheres, int count, float3 point,
                      float3 to_light)
{
    float t;
    for (const __global Sphere *s = spheres; s < spheres + count; s++)
        if (intersect(s, point, to_light, &t))
            return true;
    return false;
}

static float3 lit(const Material material, float3 normal, float3 to_light, bool shadowed)
{
    float light = 0.15f;
    if (!shadowed)
        light += material.diffuse * fmax(dot(normal, to_light), 0.0f);
    return material.color * light;
}

__kernel void shade(__global Ray *rays, __global const Hit *hits,
                    __global const Sphere *spheres, __global Pixel *pixels,
                    const int ray_count, const int sphere_count, const float4 light)
{
    const int r = get_global_id(0);
    if (r >= ray_count || !rays[r].alive)
        return;

    __global Ray *ray = rays + r;
    __global Pixel *pixel = pixels + r;
    __global const Hit *best = 0;
    for (int g = 0; g < GROUPS; g++) {
        __global const Hit *candidate = &hits[r * GROUPS + g];
        if (candidate->t >= 0.0f && (!best || candidate->t < best->t))
            best = candidate;
    }
    if (!best) {
        pixel->color += ray->weight * (float3)(SKY_R, SKY_G, SKY_B);
        ray->alive = 0;
        return;
    }

    const Material material = spheres[best->sphere].material;
    const bool shadowed = in_shadow(spheres, sphere_count, best->point, light.xyz);
    pixel->color += ray->weight * (1.0f - material.mirror) *
                    lit(material, best->normal, light.xyz, shadowed);
    pixel->bounces++;

    ray->weight *= material.mirror;
    ray->origin = best->point;
    ray->direction -= 2.0f * dot(ray->direction, best->normal) * best->normal;
    ray->alive = material.mirror > 0.0f;
}

__kernel void to_bytes(__global const Pixel *pixels, __global uchar4 *image)
{
    const size_t i = get_global_id(0);
    const float3 c = clamp(pixels[i].color, 0.0f, 1.0f);
    image[i].xyz = convert_uchar3_sat_rte(c * 255.0f);
    image[i].w = (uchar)pixels[i].bounces;
}

/* Spheres go round the y axis; the first is the ground. */
__kernel void animate(__global Sphere *spheres)
{
    __global Sphere *sphere = &spheres[get_global_id(0) + 1];
    const float3 from = sphere->centre;
    const float s = sphere->orbit;
    const float c = 1.0f - 0.5f * s * s;
    sphere->centre.x = c * from.x - s * from.z;
    sphere->centre.z = s * from.x + c * from.z;
}
