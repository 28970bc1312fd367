/* SPDX-License-Identifier: MIT */
/* Sorts --size points of eight coordinates into six clusters, in --steps rounds. --check
 * wants each point at its nearest centre, each centre at the mean of its points, and no
 * round to make it worse. */
#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS = 8, CLUSTERS = 6 };

struct state {
    size_t n;
    float *data, *centres, *previous, *distances, *scores;
    cl_int *membership, counts[CLUSTERS];
    double inertia; /* of the round before */
};

/* Six clouds on top of uniform noise, the columns in different units. */
static void make_points(float *data, size_t n)
{
    float middles[CLUSTERS][DIMS];
    uint32_t seed = 31;
    for (int c = 0; c < CLUSTERS; c++)
        for (int d = 0; d < DIMS; d++)
            middles[c][d] = app_random(&seed);
    for (size_t i = 0; i < n; i++) {
        size_t cloud = (size_t)(app_random(&seed) * CLUSTERS);
        int noise = i % 10 == 0;
        for (int d = 0; d < DIMS; d++) {
            float spread = app_random(&seed) + app_random(&seed) - 1;
            float x = noise ? app_random(&seed) : middles[cloud][d] + 0.2f * spread;
            data[i * DIMS + (size_t)d] = x * (float)(1 + d * d) - (float)d;
        }
    }
}

static double square_distance(const float *a, const float *b)
{
    double sum = 0;
    for (int d = 0; d < DIMS; d++)
        sum += ((double)a[d] - b[d]) * ((double)a[d] - b[d]);
    return sum;
}

static void check_range(struct app *app, const struct state *s)
{
    for (int d = 0; d < DIMS; d++) {
        float low = 2, high = -1;
        for (size_t i = 0; i < s->n; i++) {
            low = fminf(low, s->data[i * DIMS + (size_t)d]);
            high = fmaxf(high, s->data[i * DIMS + (size_t)d]);
        }
        app_expect(app, low == 0 && fabsf(high - 1) < 1e-5f,
                   "column %d goes from %g to %g", d, low, high);
    }
}

/* The membership belongs to the centres of the round before, of which the new ones are
 * made. */
static void check_clusters(struct app *app, const struct state *s)
{
    double sums[CLUSTERS][DIMS] = {{0}};
    int counts[CLUSTERS] = {0};
    for (size_t i = 0; i < s->n; i++) {
        const float *point = s->data + i * DIMS;
        int own = s->membership[i];
        app_expect(app, own >= 0 && own < CLUSTERS, "point %zu is in cluster %d", i, own);
        double to_own = square_distance(point, s->previous + own * DIMS);
        app_expect(app, fabs(to_own - s->distances[i]) <= 1e-5 * (1 + to_own),
                   "point %zu is at %g, not %g", i, s->distances[i], to_own);
        for (int c = 0; c < CLUSTERS; c++)
            app_expect(app,
                       to_own <= square_distance(point, s->previous + c * DIMS) + 1e-5,
                       "point %zu is nearer to centre %d than to %d", i, c, own);
        counts[own]++;
        for (int d = 0; d < DIMS; d++)
            sums[own][d] += point[d];
    }
    for (int c = 0; c < CLUSTERS; c++) {
        app_expect(app, counts[c] == s->counts[c], "cluster %d has %d points, not %d", c,
                   s->counts[c], counts[c]);
        for (int d = 0; d < DIMS && counts[c] > 0; d++)
            app_expect(app,
                       fabs(sums[c][d] / counts[c] - s->centres[c * DIMS + d]) < 1e-3,
                       "centre %d is not in the middle of its points", c);
    }
}

static void check_scores(struct app *app, const struct state *s)
{
    for (size_t i = 0; i < s->n; i++)
        app_expect(app, s->scores[i] >= -1 && s->scores[i] <= 1,
                   "point %zu has the score %g", i, s->scores[i]);
}

/* The inertia, the sum of all squared distances, must not grow from round to round. */
static void run_round(struct app *app, struct state *s, cl_mem d_distances,
                      cl_kernel assign, cl_kernel update)
{
    double inertia = 0;
    app_run(app, assign, (s->n + 63) / 64 * 64, 64);
    app_run_2d(app, update, DIMS, CLUSTERS);
    app_read(app, d_distances, s->n * sizeof(float), s->distances);
    for (size_t i = 0; i < s->n; i++)
        inertia += s->distances[i];
    app_expect(app, inertia <= s->inertia * 1.0001, "a round makes %g of the inertia %g",
               inertia, s->inertia);
    s->inertia = inertia;
}

static void allocate(struct app *app, struct state *s)
{
    s->n = (size_t)app->size;
    app_expect(app, s->n >= CLUSTERS, "--size must be at least %d", CLUSTERS);
    s->data = app_alloc(app, s->n * DIMS * sizeof(float));
    s->centres = app_alloc(app, CLUSTERS * DIMS * sizeof(float));
    s->previous = app_alloc(app, CLUSTERS * DIMS * sizeof(float));
    s->distances = app_alloc(app, s->n * sizeof(float));
    s->scores = app_alloc(app, s->n * sizeof(float));
    s->membership = app_alloc(app, s->n * sizeof(cl_int));
    s->inertia = HUGE_VAL;
    make_points(s->data, s->n);
}

static void sum_and_check(struct app *app, struct state *s)
{
    app_sum(app, s->data, s->n * DIMS * sizeof(float));
    app_sum(app, s->centres, CLUSTERS * DIMS * sizeof(float));
    app_sum(app, s->membership, s->n * sizeof(cl_int));
    app_sum(app, s->scores, s->n * sizeof(float));
    app_sum(app, s->counts, sizeof(s->counts));
    if (app->check) {
        check_range(app, s);
        check_clusters(app, s);
        check_scores(app, s);
    }
    free(s->data);
    free(s->centres);
    free(s->previous);
    free(s->distances);
    free(s->scores);
    free(s->membership);
}

int main(int argc, char **argv)
{
    struct app app;
    struct state s;
    app_open(&app, argc, argv, 3000, 6);
    app_build(&app, "kmeans.cl", "");
    allocate(&app, &s);

    cl_int n = (cl_int)s.n, dims = DIMS, k = CLUSTERS;
    size_t centre_bytes = CLUSTERS * DIMS * sizeof(float);
    cl_mem data = app_buffer(&app, s.n * DIMS * sizeof(float), s.data);
    cl_mem centres = app_buffer(&app, centre_bytes, NULL);
    cl_mem membership = app_buffer(&app, s.n * sizeof(cl_int), NULL);
    cl_mem distances = app_buffer(&app, s.n * sizeof(float), NULL);
    cl_mem low = app_buffer(&app, DIMS * sizeof(float), NULL);
    cl_mem scale = app_buffer(&app, DIMS * sizeof(float), NULL);
    cl_mem counts = app_buffer(&app, sizeof(s.counts), NULL);
    cl_kernel ranges = app_kernel(&app, "column_ranges");
    cl_kernel normalise = app_kernel(&app, "normalise");
    cl_kernel seed = app_kernel(&app, "seed_centres"),
              assign = app_kernel(&app, "assign");
    cl_kernel update = app_kernel(&app, "update"),
              score = app_kernel(&app, "silhouettes");
    ARG(&app, ranges, 0, data), ARG(&app, ranges, 1, low), ARG(&app, ranges, 2, scale);
    ARG(&app, ranges, 3, n), ARG(&app, ranges, 4, dims);
    ARG(&app, normalise, 0, data), ARG(&app, normalise, 1, low);
    ARG(&app, normalise, 2, scale), ARG(&app, normalise, 3, n),
        ARG(&app, normalise, 4, dims);
    ARG(&app, seed, 0, data), ARG(&app, seed, 1, centres), ARG(&app, seed, 2, n);
    ARG(&app, seed, 3, dims), ARG(&app, seed, 4, k);
    ARG(&app, assign, 0, data), ARG(&app, assign, 1, centres),
        ARG(&app, assign, 2, membership);
    ARG(&app, assign, 3, distances), ARG(&app, assign, 4, n), ARG(&app, assign, 5, dims);
    ARG(&app, assign, 6, k);
    ARG(&app, update, 0, data), ARG(&app, update, 1, centres),
        ARG(&app, update, 2, membership);
    ARG(&app, update, 3, counts), ARG(&app, update, 4, n), ARG(&app, update, 5, dims);
    ARG(&app, score, 0, data), ARG(&app, score, 1, membership),
        ARG(&app, score, 2, centres);
    ARG(&app, score, 4, n), ARG(&app, score, 5, dims), ARG(&app, score, 6, k);

    app_run(&app, ranges, DIMS, 0);
    app_run(&app, normalise, s.n, 0);
    app_run_2d(&app, seed, DIMS, CLUSTERS);
    for (long step = 0; step < app.steps; step++) {
        app_read(&app, centres, centre_bytes, s.previous);
        run_round(&app, &s, distances, assign, update);
    }
    ARG(&app, score, 3, distances); /* not needed any more */
    app_run(&app, score, s.n, 0);
    app_read(&app, distances, s.n * sizeof(float), s.scores);
    app_read(&app, data, s.n * DIMS * sizeof(float), s.data);
    app_read(&app, centres, centre_bytes, s.centres);
    app_read(&app, membership, s.n * sizeof(cl_int), s.membership);
    app_read(&app, counts, sizeof(s.counts), s.counts);
    sum_and_check(&app, &s);
    return app_close(&app);
}
