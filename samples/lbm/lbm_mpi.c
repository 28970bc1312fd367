/* SPDX-License-Identifier: MIT */
/* lbm_mpi: the fluid of lbm on the devices of many processes, a slab a rank. Ranks take
 * the devices of their machine in turns. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lbm/post.h"

enum { DEVICES_MAX = 16, TAG_UP, TAG_DOWN, TAG_SUM };

struct settings {
    const char *device, *halo_word, *kernel_file;
    bool flat, overlaps;
    int step_count;
    enum lbm_halo halo; /* unless it overlaps */
    struct lbm_grid grid;
};

struct rank {
    int number, count;
    cl_context context;
    cl_program program;
    struct lbm_slab slab;
    struct lbm_post post; /* where planes travel while inner ones are made */
    char *planes[2];      /* else: to send, and received */
};

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the devices' or platform's name"},
        {"--size", SAMPLE_SIZE, settings->grid.size, "cells (default 64x64x64)"},
        {"--steps", SAMPLE_COUNT, &settings->step_count, "time steps (default 100)"},
        {"--halo", SAMPLE_TEXT, &settings->halo_word,
         "how planes come from the device and back: overlap (default), while inner ones "
         "are made, or read, rect or map"},
        {"--flat", SAMPLE_FLAG, &settings->flat,
         "a float buffer addressed through macros"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
    };
    const int *size = settings->grid.size;
    if (!sample_options_parse(argc, argv,
                              "Lattice-Boltzmann fluid (D3Q19) in a lidded box, a part "
                              "of it in each process of an MPI job.",
                              options, sizeof options / sizeof *options, help))
        return false;
    settings->overlaps = strcmp(settings->halo_word, "overlap") == 0;
    if (!settings->overlaps && !lbm_halo_find(settings->halo_word, &settings->halo)) {
        fprintf(stderr, "%s: --halo %s: neither overlap, read, rect nor map\n", argv[0],
                settings->halo_word);
        return false;
    }
    if ((double)size[0] * size[1] * LBM_CELL_FLOATS * sizeof(float) > (double)INT_MAX) {
        fprintf(stderr, "%s: --size %dx%dx%d: too many cells in a plane\n", argv[0],
                size[0], size[1], size[2]);
        return false;
    }
    return true;
}

/* Which of the machine's ranks this is. */
static int local_number(void)
{
    MPI_Comm local;
    int number = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &number);
    MPI_Comm_free(&local);
    return number;
}

static bool open_rank(const struct settings *settings, struct rank *rank)
{
    cl_device_id devices[DEVICES_MAX], *own;
    cl_uint device_count = DEVICES_MAX;
    cl_int error;
    if (rank->count > settings->grid.size[2]) {
        fprintf(stderr, "%d ranks are more than %d planes\n", rank->count,
                settings->grid.size[2]);
        return false;
    }
    /* One rank speaks for all. */
    if (rank->number > 0 && !freopen("/dev/null", "w", stdout))
        return false;
    if (!sample_cl_devices(settings->device, devices, &device_count))
        return false;
    own = &devices[(cl_uint)local_number() % device_count];
    rank->context = clCreateContext(NULL, 1, own, NULL, NULL, &error);
    if (!sample_cl_ok(error, "clCreateContext"))
        return false;
    rank->program =
        lbm_slab_program(rank->context, own, 1, settings->kernel_file, settings->flat);
    if (!rank->program ||
        !lbm_slab_make(rank->context, *own, rank->program, &settings->grid, rank->count,
                       rank->number, &rank->slab))
        return false;
    if (settings->overlaps)
        return lbm_post_make(rank->context, *own, &rank->slab, &rank->post);
    for (int p = 0; p < 2; p++) {
        rank->planes[p] = malloc(rank->slab.plane_bytes);
        if (!rank->planes[p]) {
            fputs("out of memory\n", stderr);
            return false;
        }
    }
    return true;
}

static void close_rank(struct rank *rank)
{
    lbm_post_end(&rank->post);
    lbm_slab_end(&rank->slab);
    if (rank->program)
        clReleaseProgram(rank->program);
    if (rank->context)
        clReleaseContext(rank->context);
    free(rank->planes[0]);
    free(rank->planes[1]);
}

/* ---- steps ---- */

/* Sends the edge on one side, and takes what the neighbour on the other has sent. */
static void send_on(const struct rank *rank, enum lbm_side to, const void *edge,
                    void *room)
{
    const int above = (rank->number + 1) % rank->count,
              below = (rank->number + rank->count - 1) % rank->count,
              tag = to == LBM_ABOVE ? TAG_UP : TAG_DOWN,
              bytes = (int)rank->slab.plane_bytes;
    MPI_Sendrecv(edge, bytes, MPI_BYTE, to == LBM_ABOVE ? above : below, tag, room, bytes,
                 MPI_BYTE, to == LBM_ABOVE ? below : above, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static bool exchange(const struct rank *rank, int step, enum lbm_side to,
                     enum lbm_halo halo)
{
    if (!lbm_slab_get(&rank->slab, step, to, halo, rank->planes[0]))
        return false;
    send_on(rank, to, rank->planes[0], rank->planes[1]);
    return lbm_slab_put(&rank->slab, step, 1 - to, halo, rank->planes[1]);
}

/* A step, and its planes' way to the neighbours and back to the device meanwhile. */
static bool step_overlapped(struct rank *rank, int step)
{
    if (!lbm_post_step(&rank->post, &rank->slab, step))
        return false;
    for (int to = 0; to < 2; to++) {
        const void *edge = lbm_post_sent(&rank->post, to, step);
        void *room = lbm_post_room(&rank->post, 1 - to);
        if (!edge)
            return false;
        send_on(rank, to, edge, room);
        if (!lbm_post_bring(&rank->post, 1 - to, room))
            return false;
    }
    return lbm_post_take(&rank->post, &rank->slab, step);
}

/* Waits for the step, so that what the planes take is known. */
static bool step_apart(const struct rank *rank, int step, enum lbm_halo halo,
                       double *halo_s)
{
    double start_s;
    if (!lbm_slab_step(&rank->slab, step) ||
        !sample_cl_ok(clFinish(rank->slab.queue), "clFinish"))
        return false;
    start_s = sample_now_s();
    if (!exchange(rank, step, LBM_ABOVE, halo) || !exchange(rank, step, LBM_BELOW, halo))
        return false;
    *halo_s += sample_now_s() - start_s;
    return true;
}

static bool run_steps(const struct settings *settings, struct rank *rank, double *wall_s,
                      double *halo_s)
{
    double start_s;
    /* Once ahead, planes too; the first step makes the same again. */
    if (!(settings->overlaps ? step_overlapped(rank, 0)
                             : step_apart(rank, 0, settings->halo, halo_s)) ||
        !sample_cl_ok(clFinish(rank->slab.queue), "clFinish"))
        return false;
    *halo_s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    start_s = sample_now_s();
    for (int step = 0; step < settings->step_count; step++)
        if (!(settings->overlaps ? step_overlapped(rank, step)
                                 : step_apart(rank, step, settings->halo, halo_s)))
            return false;
    if (!sample_cl_ok(clFinish(rank->slab.queue), "clFinish"))
        return false;
    MPI_Barrier(MPI_COMM_WORLD);
    *wall_s = sample_now_s() - start_s;
    return true;
}

/* The checksum of the whole grid, which no rank has: each goes on where the one before
 * has ended. */
static bool sum_up(const struct settings *settings, const struct rank *rank,
                   unsigned long long *out)
{
    const size_t bytes = rank->slab.plane_bytes * (size_t)rank->slab.planes;
    unsigned long long sum = SAMPLE_CHECKSUM_FIRST;
    void *cells = malloc(bytes);
    bool read = cells && lbm_slab_read(&rank->slab, settings->step_count, cells);
    if (!cells)
        fputs("out of memory\n", stderr);
    if (read && rank->number > 0)
        MPI_Recv(&sum, 1, MPI_UNSIGNED_LONG_LONG, rank->number - 1, TAG_SUM,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (read)
        sum = sample_checksum_on(sum, cells, bytes);
    if (read && rank->number + 1 < rank->count)
        MPI_Send(&sum, 1, MPI_UNSIGNED_LONG_LONG, rank->number + 1, TAG_SUM,
                 MPI_COMM_WORLD);
    free(cells);
    if (read)
        MPI_Bcast(&sum, 1, MPI_UNSIGNED_LONG_LONG, rank->count - 1, MPI_COMM_WORLD);
    *out = sum;
    return read;
}

int main(int argc, char **argv)
{
    double wall_s = 0, halo_s = 0;
    unsigned long long sum = 0;
    bool help;
    struct rank rank = {.count = 1};
    struct settings settings = {
        .halo_word = "overlap",
        .step_count = 100,
        .grid = {.size = {64, 64, 64}, .omega = 1.2f, .lid = 0.05f},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank.number);
    MPI_Comm_size(MPI_COMM_WORLD, &rank.count);
    if (!parse_settings(argc, argv, &settings, &help) || help) {
        MPI_Finalize();
        return help ? EXIT_SUCCESS : SAMPLE_USAGE;
    }
    /* The other ranks would wait for this one's planes. */
    if (!open_rank(&settings, &rank) || !run_steps(&settings, &rank, &wall_s, &halo_s) ||
        !sum_up(&settings, &rank, &sum))
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    printf("ranks: %d\nchecksum: %016llx\ntime_s: %.6f\nhalo_s: %.6f\nmlups: %.2f\n",
           rank.count, sum, wall_s, halo_s,
           1e-6 * (double)lbm_grid_cells(&settings.grid) * settings.step_count / wall_s);
    close_rank(&rank);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
