/* SPDX-License-Identifier: MIT */
/* A pulse goes through a lens, on --size by --size cells for --steps steps. --check goes
 * the same way in C and compares every field. */
#include "app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EZ, HX, HY, CA, CB, DA, DB, PEAK, FIELDS };

static const float courant = 0.5f;

static float pulse(long step)
{
    float t = ((float)step - 12) / 5;
    return expf(-t * t);
}

static void materials_in_c(float *f, int nx)
{
    int n = nx * nx;
    for (int i = 0; i < n; i++) {
        int x = i % nx, y = i / nx, edge = x < y ? x : y;
        float dx = (float)x - 0.6f * (float)nx, dy = (float)y - 0.5f * (float)nx;
        edge = edge < nx - 1 - x ? edge : nx - 1 - x;
        edge = edge < nx - 1 - y ? edge : nx - 1 - y;
        float depth = edge < 8 ? (float)(8 - edge) / 8 : 0;
        float loss = 0.3f * depth * depth * depth;
        int glass = dx * dx + dy * dy < 0.03f * (float)nx * (float)nx;
        f[EZ * n + i] = f[HX * n + i] = f[HY * n + i] = f[PEAK * n + i] = 0;
        f[CA * n + i] = f[DA * n + i] = (1 - loss) / (1 + loss);
        f[CB * n + i] = courant / (glass ? 2.25f : 1.0f) / (1 + loss);
        f[DB * n + i] = courant / (1 + loss);
    }
}

static void step_in_c(float *f, int nx, long step)
{
    int n = nx * nx;
    float *ez = f + EZ * n, *hx = f + HX * n, *hy = f + HY * n;
    for (int y = 0; y < nx; y++)
        for (int x = 0; x < nx; x++) {
            int i = y * nx + x;
            if (y < nx - 1)
                hx[i] = f[DA * n + i] * hx[i] - f[DB * n + i] * (ez[i + nx] - ez[i]);
            if (x < nx - 1)
                hy[i] = f[DA * n + i] * hy[i] + f[DB * n + i] * (ez[i + 1] - ez[i]);
        }
    for (int y = 1; y < nx - 1; y++)
        for (int x = 1; x < nx - 1; x++) {
            int i = y * nx + x;
            float curl = hy[i] - hy[i - 1] - hx[i] + hx[i - nx];
            ez[i] = f[CA * n + i] * ez[i] + f[CB * n + i] * curl;
            f[PEAK * n + i] = fmaxf(f[PEAK * n + i], fabsf(ez[i]));
        }
    for (int y = 0; y < nx / 2; y++)
        ez[(y + nx / 4) * nx + nx / 5] += pulse(step);
}

static void check_fields(struct app *app, const float *fields, const float *trace)
{
    int nx = (int)app->size, n = nx * nx;
    float *f = app_alloc(app, (size_t)n * FIELDS * sizeof(*f)), greatest = 0;
    materials_in_c(f, nx);
    for (long step = 0; step < app->steps; step++)
        step_in_c(f, nx, step);
    for (int i = 0; i < n * FIELDS; i++)
        app_expect(app, fabsf(f[i] - fields[i]) <= 1e-5f * (1 + fabsf(f[i])),
                   "field %d of cell %d is %g, not %g", i / n, i % n, fields[i], f[i]);
    for (int i = 0; i < n; i++)
        greatest = fmaxf(greatest, f[PEAK * n + i]);
    app_expect(app, app->steps < 20 || greatest > 0.1f, "there is no wave");
    for (int x = 0; x < nx; x++) {
        double energy = 0;
        for (int k = EZ; k <= HY; k++) {
            energy += (double)trace[k * nx + x] * trace[k * nx + x] / 2;
            app_expect(app, trace[k * nx + x] == fields[k * n + nx / 2 * nx + x],
                       "the probe sees another field %d at %d", k, x);
        }
        app_expect(app, fabs(energy - trace[3 * nx + x]) <= 1e-5 * (1 + energy),
                   "the probe sees the energy %g at %d, not %g", trace[3 * nx + x], x,
                   energy);
    }
    free(f);
}

int main(int argc, char **argv)
{
    struct app app;
    char options[64];
    app_open(&app, argc, argv, 64, 160);
    app_expect(&app, app.size >= 4 && app.size <= 8192, "--size must be from 4 to 8192");
    snprintf(options, sizeof(options), "-D NX=%ld -D NY=%ld", app.size, app.size);
    app_build(&app, "fdtd.cl", options);

    size_t nx = (size_t)app.size, field_bytes = nx * nx * FIELDS * sizeof(float);
    size_t trace_bytes = 4 * nx * sizeof(float);
    cl_int n = (cl_int)(nx * nx), row = (cl_int)(nx / 2);
    float *fields = app_alloc(&app, field_bytes), *trace = app_alloc(&app, trace_bytes);
    cl_mem f = app_buffer(&app, field_bytes, NULL);
    cl_mem d_trace = app_buffer(&app, trace_bytes, NULL);

    cl_kernel materials = app_kernel(&app, "materials"),
              probe = app_kernel(&app, "probe");
    cl_kernel update_h = app_kernel(&app, "update_h");
    cl_kernel update_e = app_kernel(&app, "update_e");
    cl_kernel source = app_kernel(&app, "source");
    ARG(&app, materials, 0, f), ARG(&app, materials, 1, n),
        ARG(&app, materials, 2, courant);
    ARG(&app, update_h, 0, f), ARG(&app, update_h, 1, n);
    ARG(&app, update_e, 0, f), ARG(&app, update_e, 1, n);
    ARG(&app, source, 0, f), ARG(&app, source, 1, n);
    ARG(&app, probe, 0, f), ARG(&app, probe, 1, n), ARG(&app, probe, 2, row);
    ARG(&app, probe, 3, d_trace);

    app_run_2d(&app, materials, nx, nx);
    for (long step = 0; step < app.steps; step++) {
        cl_float current = pulse(step);
        app_run_2d(&app, update_h, nx, nx);
        app_run_2d(&app, update_e, nx, nx);
        ARG(&app, source, 2, current);
        app_run(&app, source, nx / 2, 0);
        if (step % 40 == 39) {
            app_run(&app, probe, nx, 0);
            app_read(&app, d_trace, trace_bytes, trace);
            app_sum(&app, trace, trace_bytes);
        }
    }
    app_run(&app, probe, nx, 0);
    app_read(&app, d_trace, trace_bytes, trace);
    app_read(&app, f, field_bytes, fields);
    app_sum(&app, fields, field_bytes);
    if (app.check)
        check_fields(&app, fields, trace);
    free(fields);
    free(trace);
    return app_close(&app);
}
