/* SPDX-License-Identifier: MIT */
/* A driven channel with a block in it, --size cells wide and high, for --steps steps.
 * --check runs the same steps in C, compares every speed, and wants all mass to be there
 * still. */
#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NSPEEDS = 9, GROUP = 64 };

typedef struct {
    cl_float speeds[NSPEEDS];
} t_speed;

typedef struct {
    cl_int nx, ny;
    cl_float density, accel, omega;
} t_param;

struct grid {
    t_param params;
    size_t count;
    t_speed *cells;
    cl_int *obstacles;
};

static const int step_x[NSPEEDS] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int step_y[NSPEEDS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[NSPEEDS] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const float weight[NSPEEDS] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                      1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

static void make_grid(struct app *app, struct grid *grid)
{
    int n = (int)app->size;
    uint32_t seed = 2;
    app_expect(app, n >= 4, "--size must be at least 4");
    grid->params = (t_param){n, n, 0.1f, 0.005f, 1.7f};
    grid->count = (size_t)n * (size_t)n;
    grid->cells = app_alloc(app, grid->count * sizeof(t_speed));
    grid->obstacles = app_alloc(app, grid->count * sizeof(cl_int));
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int cell = x + y * n,
                block = abs(x - n / 3) < n / 10 && abs(y - n / 2) < n / 6;
            grid->obstacles[cell] = y == 0 || y == n - 1 || block;
            float density = grid->params.density * (0.99f + 0.02f * app_random(&seed));
            for (int k = 0; k < NSPEEDS; k++)
                grid->cells[cell].speeds[k] = density * weight[k];
        }
}

static void accelerate_in_c(struct grid *grid)
{
    const t_param *p = &grid->params;
    float w1 = p->density * p->accel / 9, w2 = p->density * p->accel / 36;
    for (int x = 0; x < p->nx; x++) {
        int cell = x + (p->ny - 2) * p->nx;
        float *f = grid->cells[cell].speeds;
        if (grid->obstacles[cell] || f[3] <= w1 || f[6] <= w2 || f[7] <= w2)
            continue;
        f[1] += w1, f[5] += w2, f[8] += w2;
        f[3] -= w1, f[6] -= w2, f[7] -= w2;
    }
}

static void collide_in_c(const float *in, float *out, float omega)
{
    double rho = 0, ux = 0, uy = 0;
    for (int k = 0; k < NSPEEDS; k++) {
        rho += in[k];
        ux += in[k] * (float)step_x[k];
        uy += in[k] * (float)step_y[k];
    }
    ux /= rho;
    uy /= rho;
    for (int k = 0; k < NSPEEDS; k++) {
        double along = ux * step_x[k] + uy * step_y[k];
        double equilibrium =
            weight[k] * rho *
            (1 + 3 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy));
        out[k] = (float)(in[k] + omega * (equilibrium - in[k]));
    }
}

static void step_in_c(struct grid *grid, t_speed *scratch)
{
    int nx = grid->params.nx, ny = grid->params.ny;
    accelerate_in_c(grid);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            for (int k = 0; k < NSPEEDS; k++) {
                int to_x = (x + step_x[k] + nx) % nx, to_y = (y + step_y[k] + ny) % ny;
                scratch[to_x + to_y * nx].speeds[k] = grid->cells[x + y * nx].speeds[k];
            }
    for (size_t cell = 0; cell < grid->count; cell++) {
        const float *in = scratch[cell].speeds;
        float *out = grid->cells[cell].speeds;
        if (grid->obstacles[cell])
            for (int k = 0; k < NSPEEDS; k++)
                out[k] = in[opposite[k]];
        else
            collide_in_c(in, out, grid->params.omega);
    }
}

static void check_cells(struct app *app, struct grid *grid, const t_speed *cells)
{
    double mass = 0, expected = 0;
    t_speed *scratch = app_alloc(app, grid->count * sizeof(*scratch));
    for (long step = 0; step < app->steps; step++)
        step_in_c(grid, scratch);
    for (size_t cell = 0; cell < grid->count; cell++)
        for (int k = 0; k < NSPEEDS; k++) {
            float got = cells[cell].speeds[k], wanted = grid->cells[cell].speeds[k];
            mass += got;
            expected += wanted;
            app_expect(app, fabsf(got - wanted) <= 1e-7f * (1 + (float)app->steps / 10),
                       "cell %zu, speed %d is %g, not %g", cell, k, got, wanted);
        }
    app_expect(app, fabs(mass - expected) <= 1e-4 * expected, "the mass is %g, not %g",
               mass, expected);
    free(scratch);
}

int main(int argc, char **argv)
{
    struct app app;
    struct grid grid;
    app_open(&app, argc, argv, 64, 20);
    app_build(&app, "d2q9.cl", "");
    make_grid(&app, &grid);

    size_t bytes = grid.count * sizeof(t_speed), nx = (size_t)grid.params.nx;
    size_t groups = (grid.count + GROUP - 1) / GROUP;
    cl_int cell_count = (cl_int)grid.count;
    float *partial = app_alloc(&app, groups * sizeof(*partial));
    t_speed *result = app_alloc(&app, bytes);
    cl_mem cells = app_buffer(&app, bytes, grid.cells);
    cl_mem tmp_cells = app_buffer(&app, bytes, NULL);
    cl_mem obstacles = app_buffer(&app, grid.count * sizeof(cl_int), grid.obstacles);
    cl_mem d_partial = app_buffer(&app, groups * sizeof(*partial), NULL);

    cl_kernel accelerate = app_kernel(&app, "accelerate_flow");
    cl_kernel propagate = app_kernel(&app, "propagate"),
              rebound = app_kernel(&app, "rebound");
    cl_kernel collision = app_kernel(&app, "collision");
    cl_kernel av_velocity = app_kernel(&app, "av_velocity");
    ARG(&app, accelerate, 0, cells), ARG(&app, accelerate, 1, obstacles);
    ARG(&app, accelerate, 2, grid.params);
    ARG(&app, propagate, 0, cells), ARG(&app, propagate, 1, tmp_cells);
    ARG(&app, propagate, 2, grid.params);
    ARG(&app, rebound, 0, cells), ARG(&app, rebound, 1, tmp_cells);
    ARG(&app, rebound, 2, obstacles), ARG(&app, rebound, 3, grid.params);
    ARG(&app, collision, 0, cells), ARG(&app, collision, 1, tmp_cells);
    ARG(&app, collision, 2, obstacles), ARG(&app, collision, 3, grid.params);
    ARG(&app, av_velocity, 0, cells), ARG(&app, av_velocity, 1, obstacles);
    app_arg(&app, av_velocity, 2, GROUP * sizeof(cl_float), NULL);
    ARG(&app, av_velocity, 3, d_partial), ARG(&app, av_velocity, 4, cell_count);

    for (long step = 0; step < app.steps; step++) {
        app_run(&app, accelerate, nx, 0);
        app_run_2d(&app, propagate, nx, nx);
        app_run_2d(&app, rebound, nx, nx);
        app_run_2d(&app, collision, nx, nx);
        app_run(&app, av_velocity, groups * GROUP, GROUP);
        app_read(&app, d_partial, groups * sizeof(*partial), partial);
        app_sum(&app, partial, groups * sizeof(*partial));
    }
    app_read(&app, cells, bytes, result);
    app_sum(&app, result, bytes);
    if (app.check)
        check_cells(&app, &grid, result);
    free(partial);
    free(result);
    free(grid.cells);
    free(grid.obstacles);
    return app_close(&app);
}
