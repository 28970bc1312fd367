/* SPDX-License-Identifier: MIT */
/* Renders --steps frames of spheres on a plane, --size pixels wide and high. --check
 * renders the last frame once more in plain C: all but a few pixels along edges must
 * agree within two levels. */
#include "app.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES = 25 };

typedef struct {
    float x, y, z;
} v3;

static v3 v3_of(vec3 v)
{
    return (v3){v.x, v.y, v.z};
}

static v3 add_scaled(v3 a, float s, v3 b)
{
    return (v3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static float dot3(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static v3 unit(v3 a)
{
    float length = sqrtf(dot3(a, a));
    return (v3){a.x / length, a.y / length, a.z / length};
}

static vec3 vec(float x, float y, float z)
{
    return (vec3){{x, y, z, 0}};
}

static void make_scene(Sphere *spheres)
{
    uint32_t seed = 11;
    memset(spheres, 0, SPHERES * sizeof(*spheres));
    spheres[0].centre = vec(0, -1000, 0);
    spheres[0].radius = 1000;
    spheres[0].material = (Material){vec(0.6f, 0.6f, 0.55f), 0.8f, 0};
    for (int i = 1; i < SPHERES; i++) {
        float angle = 6.2831853f * (float)i / (SPHERES - 1);
        float distance = 1.5f + 4 * app_random(&seed);
        Sphere *s = &spheres[i];
        s->radius = 0.3f + 0.5f * app_random(&seed);
        s->centre = vec(distance * cosf(angle), s->radius, distance * sinf(angle));
        s->orbit = 0.02f + 0.1f * app_random(&seed);
        s->material.color = vec(app_random(&seed), app_random(&seed), app_random(&seed));
        s->material.diffuse = 0.9f;
        s->material.mirror = i % 3 ? 0.4f : 0;
    }
}

static Camera make_camera(void)
{
    v3 forward = unit((v3){0, -0.35f, 1}), right = {1, 0, 0};
    v3 up = {forward.y * right.z - forward.z * right.y,
             forward.z * right.x - forward.x * right.z,
             forward.x * right.y - forward.y * right.x};
    if (up.y < 0)
        up = (v3){-up.x, -up.y, -up.z};
    return (Camera){vec(0, 3.5f, -9), vec(forward.x, forward.y, forward.z), vec(1, 0, 0),
                    vec(up.x, up.y, up.z)};
}

/* The sphere that a ray hits first and how far away, or -1. */
static int nearest(const Sphere *spheres, v3 origin, v3 direction, float *distance)
{
    int found = -1;
    for (int i = 0; i < SPHERES; i++) {
        v3 oc = add_scaled(origin, -1, v3_of(spheres[i].centre));
        float b = dot3(oc, direction);
        float disc = b * b - (dot3(oc, oc) - spheres[i].radius * spheres[i].radius);
        float t = -b - sqrtf(disc);
        if (disc < 0)
            continue;
        if (t < EPSILON)
            t = -b + sqrtf(disc);
        if (t >= EPSILON && (found < 0 || t < *distance)) {
            found = i;
            *distance = t;
        }
    }
    return found;
}

static v3 radiance(const Sphere *spheres, v3 origin, v3 direction, v3 light)
{
    static const v3 sky = {SKY_R, SKY_G, SKY_B};
    v3 color = {0, 0, 0};
    float weight = 1;
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        float t = 0, ignored = 0, brightness = 0.15f;
        int i = nearest(spheres, origin, direction, &t);
        if (i < 0)
            return add_scaled(color, weight, sky);
        const Sphere *s = &spheres[i];
        v3 point = add_scaled(origin, t, direction);
        v3 normal = add_scaled(point, -1, v3_of(s->centre));
        normal = (v3){normal.x / s->radius, normal.y / s->radius, normal.z / s->radius};
        if (nearest(spheres, point, light, &ignored) < 0)
            brightness += s->material.diffuse * fmaxf(dot3(normal, light), 0);
        color = add_scaled(color, weight * (1 - s->material.mirror) * brightness,
                           v3_of(s->material.color));
        weight *= s->material.mirror;
        origin = point;
        direction = add_scaled(direction, -2 * dot3(direction, normal), normal);
        if (weight <= 0)
            break;
    }
    return color;
}

static int differs(float expected, int level)
{
    return fabsf(fminf(fmaxf(expected, 0), 1) * 255 - (float)level) > 2;
}

static void check_frame(struct app *app, const Sphere *spheres, Camera camera, v3 light,
                        const cl_uchar4 *image)
{
    int size = (int)app->size, wrong = 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            float u = (2 * ((float)x + 0.5f) - (float)size) / (float)size;
            float v = ((float)size - 2 * ((float)y + 0.5f)) / (float)size;
            v3 way = add_scaled(v3_of(camera.forward), u, v3_of(camera.right));
            way = unit(add_scaled(way, v, v3_of(camera.up)));
            v3 color = radiance(spheres, v3_of(camera.eye), way, light);
            cl_uchar4 pixel = image[y * size + x];
            wrong += differs(color.x, pixel.x) || differs(color.y, pixel.y) ||
                     differs(color.z, pixel.z);
        }
    app_expect(app, wrong <= size * size / 100 + 2,
               "%d of %d pixels differ from the reference", wrong, size * size);
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 96, 2);
    app_build(&app, "raytracer.cl", "");

    cl_int width = (cl_int)app.size, rays = width * width, sphere_count = SPHERES;
    size_t pixels = (size_t)rays, padded = ((size_t)width + 15) / 16 * 16;
    Sphere spheres[SPHERES];
    Camera camera = make_camera();
    v3 l = unit((v3){-0.4f, 1, -0.5f});
    cl_float4 light = {{l.x, l.y, l.z, 0}};
    cl_uchar4 *image = app_alloc(&app, pixels * sizeof(*image));
    make_scene(spheres);

    cl_mem d_spheres = app_buffer(&app, sizeof(spheres), spheres);
    cl_mem d_rays = app_buffer(&app, pixels * sizeof(Ray), NULL);
    cl_mem d_hits = app_buffer(&app, pixels * GROUPS * sizeof(Hit), NULL);
    cl_mem d_pixels = app_buffer(&app, pixels * sizeof(Pixel), NULL);
    cl_mem d_image = app_buffer(&app, pixels * sizeof(*image), NULL);

    cl_kernel make_rays = app_kernel(&app, "make_rays"),
              find = app_kernel(&app, "find_hits");
    cl_kernel shade = app_kernel(&app, "shade"), to_bytes = app_kernel(&app, "to_bytes");
    cl_kernel animate = app_kernel(&app, "animate");
    ARG(&app, make_rays, 0, d_rays), ARG(&app, make_rays, 1, d_pixels);
    ARG(&app, make_rays, 2, camera), ARG(&app, make_rays, 3, width);
    ARG(&app, make_rays, 4, width);
    ARG(&app, find, 0, d_rays), ARG(&app, find, 1, d_spheres), ARG(&app, find, 2, d_hits);
    ARG(&app, find, 3, rays), ARG(&app, find, 4, sphere_count);
    ARG(&app, shade, 0, d_rays), ARG(&app, shade, 1, d_hits),
        ARG(&app, shade, 2, d_spheres);
    ARG(&app, shade, 3, d_pixels), ARG(&app, shade, 4, rays);
    ARG(&app, shade, 5, sphere_count), ARG(&app, shade, 6, light);
    ARG(&app, to_bytes, 0, d_pixels), ARG(&app, to_bytes, 1, d_image);
    ARG(&app, animate, 0, d_spheres);

    for (long frame = 0; frame < app.steps; frame++) {
        app_run(&app, animate, SPHERES - 1, 0);
        app_run_2d(&app, make_rays, padded, padded);
        for (int bounce = 0; bounce < BOUNCES; bounce++) {
            app_run_2d(&app, find, GROUPS, pixels);
            app_run(&app, shade, pixels, 0);
        }
        app_run(&app, to_bytes, pixels, 0);
        app_read(&app, d_image, pixels * sizeof(*image), image);
        app_sum(&app, image, pixels * sizeof(*image));
    }
    app_read(&app, d_spheres, sizeof(spheres), spheres);
    if (app.check)
        check_frame(&app, spheres, camera, l, image);
    free(image);
    return app_close(&app);
}
