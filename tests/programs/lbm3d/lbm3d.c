/* SPDX-License-Identifier: MIT */
/* A box of --size cells a side whose lid is drawn along, for --steps steps. --check does
 * the same steps in C, in double precision and with a cell's neighbours looked up one by
 * one. */
#include "app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Q = 19, ENTRIES = 20 };

static const int e_x[Q] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1};
static const int e_y[Q] = {0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1, 0, 0, 0, 0};
static const int e_z[Q] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1};

static double weight(int e)
{
    return e == 0 ? 1.0 / 3 : e <= 6 ? 1.0 / 18 : 1.0 / 36;
}

static int opposite(int e)
{
    for (int o = 0; o < Q; o++)
        if (e_x[o] == -e_x[e] && e_y[o] == -e_y[e] && e_z[o] == -e_z[e])
            return o;
    return -1;
}

static int is_wall(int n, int x, int y, int z)
{
    return x == 0 || x == n - 1 || y == 0 || y == n - 1 || z == 0 || z == n - 1;
}

static void collide(double *f, int lid)
{
    double rho = 0, u[3] = {0, 0, 0};
    for (int e = 0; e < Q; e++) {
        rho += f[e];
        u[0] += e_x[e] * f[e];
        u[1] += e_y[e] * f[e];
        u[2] += e_z[e] * f[e];
    }
    for (int k = 0; k < 3; k++)
        u[k] /= rho;
    if (lid) {
        u[0] = 0.05;
        u[1] = 0.02;
        u[2] = 0;
    }
    for (int e = 0; e < Q; e++) {
        double eu = e_x[e] * u[0] + e_y[e] * u[1] + e_z[e] * u[2];
        double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        double eq = weight(e) * rho * (1 + 3 * eu + 4.5 * eu * eu - 1.5 * square);
        f[e] += 1.85 * (eq - f[e]);
    }
}

/* Fluid cells collide and send; walls send back. What leaves the box is gone. */
static void step_in_c(int n, double (*from)[Q], double (*to)[Q])
{
    for (int cell = 0; cell < n * n * n; cell++) {
        int x = cell % n, y = cell / n % n, z = cell / n / n, wall = is_wall(n, x, y, z);
        double f[Q];
        for (int e = 0; e < Q; e++)
            f[e] = from[cell][wall ? opposite(e) : e];
        if (!wall)
            collide(f, z == n - 2);
        for (int e = 0; e < Q; e++) {
            int tx = x + e_x[e], ty = y + e_y[e], tz = z + e_z[e];
            if (tx >= 0 && tx < n && ty >= 0 && ty < n && tz >= 0 && tz < n)
                to[tx + ty * n + tz * n * n][e] = f[e];
        }
    }
}

static void check_grid(struct app *app, int n, const float *cells, const float *mass)
{
    size_t count = (size_t)n * (size_t)n * (size_t)n;
    double(*from)[Q] = app_alloc(app, count * sizeof(*from));
    double(*to)[Q] = app_alloc(app, count * sizeof(*to)), total = 0, expected = 0;
    for (size_t cell = 0; cell < count; cell++)
        for (int e = 0; e < Q; e++)
            from[cell][e] = to[cell][e] = weight(e);
    for (long step = 0; step < app->steps; step++) {
        double(*swap)[Q] = from;
        step_in_c(n, from, to);
        from = to;
        to = swap;
    }
    for (int cell = 0; cell < n * n * n; cell++) {
        if (is_wall(n, cell % n, cell / n % n, cell / n / n))
            continue;
        for (int e = 0; e < Q; e++) {
            double got = cells[cell * ENTRIES + e], wanted = from[cell][e];
            expected += wanted;
            app_expect(app, fabs(got - wanted) < 1e-5 * (1 + (double)app->steps / 50),
                       "cell %d, direction %d is %g, not %g", cell, e, got, wanted);
        }
    }
    for (int row = 0; row < n * n; row++)
        total += mass[row];
    app_expect(app, fabs(total - expected) < 1e-4 * expected, "the mass is %g, not %g",
               total, expected);
    free(from);
    free(to);
}

static void run_3d(struct app *app, cl_kernel kernel, size_t n)
{
    size_t global[3] = {n, n, n};
    app_must(
        app,
        clEnqueueNDRangeKernel(app->queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}

int main(int argc, char **argv)
{
    struct app app;
    char options[128];
    app_open(&app, argc, argv, 16, 8);
    app_expect(&app, app.size >= 4 && app.size <= 256, "--size must be from 4 to 256");

    size_t n = (size_t)app.size, count = n * n * n, margin = 2 * n * n;
    size_t cell_bytes = ENTRIES * sizeof(float),
           grid_bytes = (count + 2 * margin) * cell_bytes;
    float *grid = app_alloc(&app, grid_bytes),
          *mass = app_alloc(&app, n * n * sizeof(float));
    float *flow = app_alloc(&app, count * 4 * sizeof(float));
    snprintf(options, sizeof(options), "-D SIZE_X=%zu -D SIZE_Y=%zu -D SIZE_Z=%zu", n, n,
             n);
    app_build(&app, "lbm3d.cl", options);

    memset(grid, 0, grid_bytes);
    cl_mem src = app_buffer(&app, grid_bytes, grid),
           dst = app_buffer(&app, grid_bytes, grid);
    cl_mem d_mass = app_buffer(&app, n * n * sizeof(float), NULL);
    cl_mem d_flow = app_buffer(&app, count * 4 * sizeof(float), NULL);
    cl_kernel init = app_kernel(&app, "init_grid"),
              step = app_kernel(&app, "stream_collide");
    cl_kernel macroscopic = app_kernel(&app, "macroscopic");
    cl_kernel row_mass = app_kernel(&app, "row_mass");
    ARG(&app, init, 0, src);
    run_3d(&app, init, n);
    ARG(&app, init, 0, dst);
    run_3d(&app, init, n);
    for (long i = 0; i < app.steps; i++) {
        cl_mem swap = src;
        ARG(&app, step, 0, src), ARG(&app, step, 1, dst);
        run_3d(&app, step, n);
        src = dst;
        dst = swap;
    }
    ARG(&app, macroscopic, 0, src), ARG(&app, macroscopic, 1, d_flow);
    run_3d(&app, macroscopic, n);
    ARG(&app, row_mass, 0, src), ARG(&app, row_mass, 1, d_mass);
    app_run_2d(&app, row_mass, n, n);

    app_read(&app, src, grid_bytes, grid);
    app_read(&app, d_mass, n * n * sizeof(float), mass);
    app_read(&app, d_flow, count * 4 * sizeof(float), flow);
    app_sum(&app, grid, grid_bytes);
    app_sum(&app, mass, n * n * sizeof(float));
    app_sum(&app, flow, count * 4 * sizeof(float));
    if (app.check)
        check_grid(&app, (int)n, grid + margin * ENTRIES, mass);
    free(grid);
    free(mass);
    free(flow);
    return app_close(&app);
}
