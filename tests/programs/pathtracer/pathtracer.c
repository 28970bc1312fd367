/* SPDX-License-Identifier: MIT */
/* Renders --steps samples of --size by --size pixels. --check renders a white furnace,
 * too: a path that leaves it brings exactly the sky's 1, so each pixel's sum is the
 * number of such paths. */
#include "app.h"
#include "path.h"

#include <math.h>
#include <stdlib.h>

enum { INIT, GENERATE, EXTEND, SURFACE, LIGHT, SHADOW, BOUNCE, FINISH, FILM, KERNELS };

static const char *const names[KERNELS] = {"path_init",    "path_generate", "path_extend",
                                           "path_surface", "path_light",    "path_shadow",
                                           "path_bounce",  "path_finish",   "film"};

struct picture {
    Path *paths;
    cl_float4 *film; /* color and variance, normal and albedo */
};

static void trace_samples(struct app *app, cl_kernel *kernels, size_t count)
{
    app_run(app, kernels[INIT], count, 0);
    for (long sample = 0; sample < app->steps; sample++) {
        app_run(app, kernels[GENERATE], count, 0);
        for (int depth = 0; depth < MAX_DEPTH; depth++)
            for (int stage = EXTEND; stage <= BOUNCE; stage++)
                app_run(app, kernels[stage], count, 0);
        app_run(app, kernels[FINISH], count, 0);
    }
    app_run(app, kernels[FILM], count, 0);
}

static void render(struct app *app, const char *options, struct picture *picture)
{
    cl_int width = (cl_int)app->size;
    cl_uint seed = 2024;
    size_t count = (size_t)width * (size_t)width;
    cl_mem paths = app_buffer(app, count * sizeof(Path), NULL);
    cl_mem image = app_buffer(app, 2 * count * sizeof(cl_float4), NULL);
    cl_kernel kernels[KERNELS];

    app_build(app, "pathtracer.cl", options);
    for (int k = 0; k < KERNELS; k++) {
        kernels[k] = app_kernel(app, names[k]);
        ARG(app, kernels[k], 0, paths);
    }
    ARG(app, kernels[INIT], 1, seed);
    ARG(app, kernels[GENERATE], 1, width);
    ARG(app, kernels[GENERATE], 2, width);
    ARG(app, kernels[FILM], 1, image);
    trace_samples(app, kernels, count);
    app_read(app, paths, count * sizeof(Path), picture->paths);
    app_read(app, image, 2 * count * sizeof(cl_float4), picture->film);
}

static int far_from(double a, double b)
{
    return !(fabs(a - b) <= 1e-4 * (1 + fabs(b)));
}

static void check_film(struct app *app, const struct picture *picture, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        const Path *path = &picture->paths[i];
        cl_float4 color = picture->film[2 * i];
        double sum = 0;
        total += color.y;
        for (int depth = 0; depth < 8; depth++)
            sum += path->at_depth[depth];
        sum /= (double)app->steps;
        app_expect(app, path->samples == (cl_uint)app->steps, "pixel %zu has %u samples",
                   i, path->samples);
        app_expect(app, color.x >= 0 && color.y >= 0 && color.z >= 0,
                   "pixel %zu has negative light", i);
        app_expect(app,
                   !far_from(sum, 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z),
                   "pixel %zu: the bounces bring %g", i, sum);
    }
    total /= (double)count;
    app_expect(app, total > 0.1 && total < 2, "the mean green is %g", total);
}

static void check_furnace(struct app *app, const struct picture *picture, size_t count)
{
    double escaped = 0;
    for (size_t i = 0; i < count; i++) {
        const Path *path = &picture->paths[i];
        escaped += path->escaped;
        app_expect(app,
                   !far_from(path->sum.x, path->escaped) &&
                       !far_from(path->sum.y, path->escaped) &&
                       !far_from(path->sum.z, path->escaped),
                   "in the furnace pixel %zu has %g %g %g, not %u", i, path->sum.x,
                   path->sum.y, path->sum.z, path->escaped);
    }
    escaped /= (double)count * (double)app->steps;
    app_expect(app, escaped > 0.85 && escaped <= 1, "%g of the paths leave the furnace",
               escaped);
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 48, 4);

    size_t count = (size_t)app.size * (size_t)app.size;
    struct picture picture = {app_alloc(&app, count * sizeof(Path)),
                              app_alloc(&app, 2 * count * sizeof(cl_float4))};
    render(&app, "", &picture);
    app_sum(&app, picture.film, 2 * count * sizeof(cl_float4));
    for (size_t i = 0; i < count; i++) {
        const Path *path = &picture.paths[i];
        app_sum(&app, &path->rng, sizeof(path->rng));
        app_sum(&app, &path->samples, 4 * sizeof(path->samples));
        app_sum(&app, path->history, sizeof(path->history) + sizeof(path->at_depth));
    }
    if (app.check) {
        check_film(&app, &picture, count);
        render(&app, "-D FURNACE", &picture);
        check_furnace(&app, &picture, count);
    }
    free(picture.paths);
    free(picture.film);
    return app_close(&app);
}
