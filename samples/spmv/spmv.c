/* SPDX-License-Identifier: MIT */
/* spmv: a sparse matrix times a vector, on an OpenCL device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"
#include "spmv/market.h"
#include "spmv/matrix.h"

extern const char spmv_kernel_text[]; /* spmv.cl */

struct settings {
    const char *device, *kernel_file, *timeline, *matrix_file, *shape;
    int row_count, width, step_count;
    bool check, profile;
};

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--matrix", SAMPLE_TEXT, &settings->matrix_file,
         "a Matrix Market file, plain or compressed by gzip"},
        {"--shape", SAMPLE_TEXT, &settings->shape,
         "instead: a made-up matrix with the rows and longest row of bcsstk18, e40r000,\n"
         "        bcsstk31, bcsstk32, s3dkq4m2 or conf6.0 (default bcsstk18)"},
        {"--rows", SAMPLE_COUNT, &settings->row_count,
         "instead of --shape: a made-up matrix of so many rows"},
        {"--width", SAMPLE_COUNT, &settings->width,
         "with --rows: entries in the longest row (default 32)"},
        {"--steps", SAMPLE_COUNT, &settings->step_count,
         "how often to multiply (default 100)"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
        {"--check", SAMPLE_FLAG, &settings->check,
         "compare with a scalar product by rows on the host"},
        {"--profile", SAMPLE_FLAG, &settings->profile,
         "also print device_s, the kernels' own time on the device"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended; none goes ahead of them"},
    };
    if (!sample_options_parse(argc, argv, "A sparse matrix in ELL form times a vector.",
                              options, sizeof options / sizeof *options, help))
        return false;
    if ((settings->matrix_file != NULL) + (settings->shape != NULL) +
            (settings->row_count > 0) >
        1) {
        fprintf(stderr, "%s: only one of --matrix, --shape and --rows\n", argv[0]);
        return false;
    }
    if (settings->width > 0 && settings->row_count == 0) {
        fprintf(stderr, "%s: --width goes with --rows\n", argv[0]);
        return false;
    }
    if (settings->shape && !matrix_shape_is_known(settings->shape)) {
        fprintf(stderr, "%s: --shape %s: there are\n", argv[0], settings->shape);
        matrix_print_shapes();
        return false;
    }
    if (settings->width == 0)
        settings->width = 32;
    if (settings->row_count > MATRIX_SIDE_MAX || settings->width > MATRIX_SIDE_MAX ||
        (double)settings->row_count * settings->width > MATRIX_ENTRIES_MAX) {
        fprintf(stderr, "%s: --rows %d --width %d: more than %d entries\n", argv[0],
                settings->row_count, settings->width, MATRIX_ENTRIES_MAX);
        return false;
    }
    return true;
}

static bool load(const struct settings *settings, struct matrix *matrix)
{
    const char *shape = settings->shape;
    if (settings->matrix_file)
        return market_read(settings->matrix_file, matrix);
    if (!shape && settings->row_count == 0)
        shape = "bcsstk18";
    return matrix_generate(shape, (uint32_t)settings->row_count,
                           (uint32_t)settings->width, matrix);
}

enum { COLUMNS, VALUES, X, Y, BUFFERS };

static bool set_arguments(cl_kernel kernel, const cl_mem *buffers, cl_int row_count,
                          cl_int width)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < BUFFERS && error == CL_SUCCESS; i++)
        error = clSetKernelArg(kernel, i, sizeof *buffers, &buffers[i]);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, BUFFERS, sizeof row_count, &row_count);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, BUFFERS + 1, sizeof width, &width);
    return sample_cl_ok(error, "clSetKernelArg");
}

/* CPUs have few loads to wait for, and their compilers complain where they can't unroll.
 */
static const char *options_for(const struct sample_cl *cl)
{
    cl_device_type type = CL_DEVICE_TYPE_CPU;

    clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type & CL_DEVICE_TYPE_CPU ? "" : "-DLOADS_AHEAD";
}

/* y = A x, as often as there are steps. */
static bool multiply(const struct settings *settings, const struct matrix *matrix,
                     uint32_t width, const float *x, float *y, double *wall_s,
                     double *device_s)
{
    bool done = false;
    size_t rows = matrix->row_count, group = sample_group_length(rows);
    int32_t *columns = NULL;
    float *values = NULL;
    cl_mem buffers[BUFFERS] = {NULL};
    cl_int error;
    struct sample_cl cl = {0};
    struct sample_run run = {
        .work_dim = 1,
        .global_size = {sample_round_up(rows, group)},
        .local_size = {group},
        .step_count = settings->step_count,
        .profile = settings->profile,
    };
    if (!matrix_to_ell(matrix, width, &columns, &values) ||
        !sample_cl_open(settings->device, settings->profile, &cl) ||
        !sample_cl_build(&cl, settings->kernel_file, spmv_kernel_text, options_for(&cl)))
        goto out;
    run.kernel = clCreateKernel(cl.program, "spmv", &error);
    if (!sample_cl_ok(error, "clCreateKernel"))
        goto out;
    const struct {
        size_t bytes;
        const void *data;
    } contents[BUFFERS] = {
        [COLUMNS] = {rows * width * sizeof *columns, columns},
        [VALUES] = {rows * width * sizeof *values, values},
        [X] = {matrix->column_count * sizeof *x, x},
        [Y] = {rows * sizeof *y, y},
    };
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i] = sample_cl_buffer(&cl, contents[i].bytes, contents[i].data);
        if (!buffers[i])
            goto out;
    }
    if (!set_arguments(run.kernel, buffers, (cl_int)rows, (cl_int)width) ||
        !sample_run_steps(&cl, &run, wall_s, device_s))
        goto out;
    done = sample_cl_ok(clEnqueueReadBuffer(cl.queue, buffers[Y], CL_TRUE, 0,
                                            rows * sizeof *y, y, 0, NULL, NULL),
                        "clEnqueueReadBuffer");
out:
    for (int i = 0; i < BUFFERS; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    if (run.kernel)
        clReleaseKernel(run.kernel);
    sample_cl_close(&cl);
    free(columns);
    free(values);
    return done;
}

int main(int argc, char **argv)
{
    int exit_code = EXIT_FAILURE;
    bool help;
    double wall_s, device_s, error_max;
    float *x = NULL, *y = NULL;
    uint32_t width;
    struct matrix matrix = {0};
    struct settings settings = {.step_count = 100};
    if (!parse_settings(argc, argv, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    if (settings.timeline && !sample_timeline_open(settings.timeline))
        return SAMPLE_USAGE;

    if (!load(&settings, &matrix))
        goto out;
    width = matrix_row_entries_max(&matrix);
    if (width == 0)
        width = 1; /* a matrix without entries */
    printf("matrix: %u x %u, %u entries, rows of up to %u\n", (unsigned)matrix.row_count,
           (unsigned)matrix.column_count, (unsigned)matrix.entry_count, (unsigned)width);
    if ((uint64_t)matrix.row_count * width > MATRIX_ENTRIES_MAX) {
        fprintf(stderr, "%s: the longest row makes its ELL form too large\n",
                settings.matrix_file ? settings.matrix_file : argv[0]);
        goto out;
    }
    x = matrix_vector(&matrix);
    y = calloc(matrix.row_count, sizeof *y);
    if (!x || !y) {
        fputs("out of memory\n", stderr);
        goto out;
    }
    if (!multiply(&settings, &matrix, width, x, y, &wall_s, &device_s))
        goto out;
    exit_code = EXIT_SUCCESS;
    if (settings.check) {
        if (matrix_check(&matrix, x, y, &error_max))
            printf("check: passed, largest relative error %.2g\n", error_max);
        else
            exit_code = EXIT_FAILURE;
    }
    if (settings.profile)
        printf("device_s: %.6f\n", device_s);
    printf("checksum: %016llx\ntime_s: %.6f\ngflops: %.4g\n",
           (unsigned long long)sample_checksum(y, matrix.row_count * sizeof *y), wall_s,
           2e-9 * matrix.entry_count * settings.step_count / wall_s);
out:
    free(x);
    free(y);
    matrix_free(&matrix);
    return exit_code;
}
