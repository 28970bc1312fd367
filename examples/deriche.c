/* SPDX-License-Identifier: MIT */
/* Deriche's recursive Gaussian on a picture (PGM or PPM, binary, 8 bits):
 *
 *     deriche [--device NAME] SIGMA IN.pnm OUT.pnm [ALGORITHM...]
 *
 * A recursion runs down every column, all columns at once, and neighbouring work-items
 * read neighbouring pixels. For the rows the picture is transposed, filtered the same way
 * and transposed back, as Khan et al. do it; without that, work-items run along rows and
 * read pixels far apart. All three ways give the same bytes, and so does each algorithm
 * of the library that is named to be compared, as out-parallel.
 *
 *   R. Deriche, Recursively implementing the Gaussian and its derivatives, 1993 */
#include "opencl.h"

#include <dl_transpose.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { REPS = 5 };

struct picture {
    int width, height, channels; /* 1 or 3; each pixel is 1 or 4 floats */
    float *pixels;
};

/* ---- pictures ---- */

static int number_read(FILE *file)
{
    int c, number = 0, digits = 0;

    while ((c = getc(file)) == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n')
        if (c == '#')
            while ((c = getc(file)) != '\n' && c != EOF)
                ;
    for (; c >= '0' && c <= '9' && number < 100000000; c = getc(file), digits++)
        number = 10 * number + c - '0';
    return digits > 0 ? number : -1;
}

static int floats_of(const struct picture *p)
{
    return p->channels == 1 ? 1 : 4;
}

static struct picture picture_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct picture p = {0};
    size_t pixels;
    int kind;

    check(file != NULL, path);
    kind = getc(file) == 'P' ? getc(file) : 0;
    check(kind == '5' || kind == '6', "reading a binary PGM or PPM");
    p.channels = kind == '5' ? 1 : 3;
    p.width = number_read(file);
    p.height = number_read(file);
    check(p.width > 0 && p.height > 0 && number_read(file) == 255,
          "reading its size, with 255 levels");
    pixels = (size_t)p.width * (size_t)p.height;
    p.pixels = calloc(pixels, (size_t)floats_of(&p) * sizeof *p.pixels);
    check(p.pixels != NULL, "calloc");
    for (size_t i = 0; i < pixels; i++)
        for (int c = 0; c < p.channels; c++) {
            int level = getc(file);
            check(level != EOF, "reading all pixels");
            p.pixels[i * (size_t)floats_of(&p) + (size_t)c] = (float)level;
        }
    fclose(file);
    return p;
}

static void picture_write(const struct picture *p, const char *path)
{
    FILE *file = fopen(path, "wb");

    check(file != NULL, path);
    fprintf(file, "P%d\n%d %d\n255\n", p->channels == 1 ? 5 : 6, p->width, p->height);
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++)
        for (int c = 0; c < p->channels; c++) {
            float level = p->pixels[i * (size_t)floats_of(p) + (size_t)c];
            putc(level < 0 ? 0 : level > 255 ? 255 : (int)(level + 0.5f), file);
        }
    check(fclose(file) == 0, path);
}

/* ---- the filter ---- */

/* A recursion multiplies by these: the pixel and the one before, going down; the two
 * after, going up; the two results before; and what a constant picture's results are at
 * its borders. */
struct coefficients {
    cl_float down0, down1, up1, up2, back1, back2, border_down, border_up;
};

static struct coefficients coefficients_make(double sigma)
{
    double alpha = 1.695 / sigma, e = exp(-alpha), e2 = exp(-2 * alpha);
    double k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e2);
    double gain = 1 - 2 * e + e2;
    double down1 = k * (alpha - 1) * e, up1 = k * (alpha + 1) * e, up2 = -k * e2;

    return (struct coefficients){(float)k,
                                 (float)down1,
                                 (float)up1,
                                 (float)up2,
                                 (float)(2 * e),
                                 (float)-e2,
                                 (float)((k + down1) / gain),
                                 (float)((up1 + up2) / gain)};
}

static const char *const text =
    "typedef struct { float down0, down1, up1, up2, back1, back2, border_down, "
    "border_up; } coefficients;\n"
    "__kernel void filter(__global const pixel *from, __global pixel *to, coefficients "
    "k,\n"
    "                     int lines, int length, int line, int step)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i >= lines) return;\n"
    "    from += (long)i * line; to += (long)i * line;\n"
    "    pixel x1 = from[0], y1 = x1 * k.border_down, y2 = y1, x2;\n"
    "    for (long p = 0; p < (long)length * step; p += step) {\n"
    "        pixel x = from[p], y = k.down0 * x + k.down1 * x1 + k.back1 * y1 + k.back2 "
    "* y2;\n"
    "        to[p] = y; x1 = x; y2 = y1; y1 = y;\n"
    "    }\n"
    "    x1 = x2 = from[(length - 1) * (long)step];\n"
    "    y1 = y2 = x1 * k.border_up;\n"
    "    for (long p = (length - 1) * (long)step; p >= 0; p -= step) {\n"
    "        pixel y = k.up1 * x1 + k.up2 * x2 + k.back1 * y1 + k.back2 * y2;\n"
    "        x2 = x1; x1 = from[p]; y2 = y1; y1 = y;\n"
    "        to[p] += y;\n"
    "    }\n"
    "}\n";

struct job {
    struct opencl cl;
    cl_kernel filter;
    struct coefficients k;
    int width, height;
    cl_mem a, b; /* the picture, and room for as much again */
    struct dl_transpose_plan *in_there, *in_back, *out_there, *out_back;
};

static cl_kernel filter_build(const struct opencl *cl, int floats)
{
    char options[64];
    cl_int err;
    cl_program program = clCreateProgramWithSource(
        cl->context, 1, (const char **)(size_t)&text, NULL, &err);
    cl_kernel kernel;

    check(err == CL_SUCCESS, "clCreateProgramWithSource");
    snprintf(options, sizeof options, "-D pixel=float%s", floats == 1 ? "" : "4");
    check(clBuildProgram(program, 1, &cl->device, options, NULL, NULL) == CL_SUCCESS,
          "clBuildProgram");
    kernel = clCreateKernel(program, "filter", &err);
    check(err == CL_SUCCESS, "clCreateKernel");
    clReleaseProgram(program);
    return kernel;
}

/* Lines of `length` pixels: where one begins after the other, and from pixel to pixel. */
static void filter(const struct job *job, cl_mem from, cl_mem to, cl_int lines,
                   cl_int length, cl_int line, cl_int step)
{
    size_t items = ((size_t)lines + 31) / 32 * 32, group = 32;

    clSetKernelArg(job->filter, 0, sizeof from, &from);
    clSetKernelArg(job->filter, 1, sizeof to, &to);
    clSetKernelArg(job->filter, 2, sizeof job->k, &job->k);
    clSetKernelArg(job->filter, 3, sizeof lines, &lines);
    clSetKernelArg(job->filter, 4, sizeof length, &length);
    clSetKernelArg(job->filter, 5, sizeof line, &line);
    clSetKernelArg(job->filter, 6, sizeof step, &step);
    check(clEnqueueNDRangeKernel(job->cl.queue, job->filter, 1, NULL, &items, &group, 0,
                                 NULL, NULL) == CL_SUCCESS,
          "clEnqueueNDRangeKernel");
}

static struct dl_transpose_plan *plan_make(struct dl_transpose *library, int rows,
                                           int cols, int floats,
                                           enum dl_transpose_place place,
                                           enum dl_transpose_algorithm algorithm)
{
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .rows = (uint64_t)rows,
                                           .cols = (uint64_t)cols,
                                           .element_bytes = 4 * (uint32_t)floats,
                                           .cap = DL_TRANSPOSE_CAP_6,
                                           .algorithm = algorithm,
                                           .place = place};
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;

    /* A small picture has no room for a workspace of 1/16. */
    if (dl_transpose_plan_make(library, &problem, &plan, &error) != DL_OK) {
        problem.cap = DL_TRANSPOSE_CAP_DEFAULT;
        check(dl_transpose_plan_make(library, &problem, &plan, &error) == DL_OK,
              error.text);
    }
    check(dl_transpose_plan_allocate(plan, &error) == DL_OK, error.text);
    return plan;
}

/* There and back. */
static void plans_make(struct job *job, struct dl_transpose *library, int floats)
{
    int w = job->width, h = job->height;

    job->in_there =
        plan_make(library, h, w, floats, DL_TRANSPOSE_IN_PLACE, DL_TRANSPOSE_AUTO);
    job->in_back =
        plan_make(library, w, h, floats, DL_TRANSPOSE_IN_PLACE, DL_TRANSPOSE_AUTO);
}

static void out_plans_make(struct job *job, struct dl_transpose *library, int floats,
                           enum dl_transpose_algorithm algorithm)
{
    int w = job->width, h = job->height;

    dl_transpose_plan_free(job->out_there);
    dl_transpose_plan_free(job->out_back);
    job->out_there =
        plan_make(library, h, w, floats, DL_TRANSPOSE_OUT_OF_PLACE, algorithm);
    job->out_back =
        plan_make(library, w, h, floats, DL_TRANSPOSE_OUT_OF_PLACE, algorithm);
}

static void job_close(struct job *job)
{
    dl_transpose_plan_free(job->in_there);
    dl_transpose_plan_free(job->in_back);
    dl_transpose_plan_free(job->out_there);
    dl_transpose_plan_free(job->out_back);
    clReleaseMemObject(job->a);
    clReleaseMemObject(job->b);
    clReleaseKernel(job->filter);
}

/* ---- the three ways ---- */

static void in_place(const struct job *job)
{
    filter(job, job->a, job->b, job->width, job->height, 1, job->width);
    check(dl_transpose_enqueue(job->in_there, job->cl.queue, job->b, NULL, 0, NULL, NULL,
                               NULL, NULL) == DL_OK,
          "transposing in place");
    filter(job, job->b, job->a, job->height, job->width, 1, job->height);
    check(dl_transpose_enqueue(job->in_back, job->cl.queue, job->a, NULL, 0, NULL, NULL,
                               NULL, NULL) == DL_OK,
          "transposing in place");
}

static void out_of_place(const struct job *job)
{
    filter(job, job->a, job->b, job->width, job->height, 1, job->width);
    check(dl_transpose_enqueue_out(job->out_there, job->cl.queue, job->b, job->a, 0, NULL,
                                   NULL, NULL) == DL_OK,
          "transposing out of place");
    filter(job, job->a, job->b, job->height, job->width, 1, job->height);
    check(dl_transpose_enqueue_out(job->out_back, job->cl.queue, job->b, job->a, 0, NULL,
                                   NULL, NULL) == DL_OK,
          "transposing out of place");
}

static void without(const struct job *job)
{
    filter(job, job->a, job->b, job->width, job->height, 1, job->width);
    filter(job, job->b, job->a, job->height, job->width, job->width, 1);
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* The shortest time of some runs; `result` gets the picture of the last. */
static double way_time(const struct job *job, void (*way)(const struct job *),
                       const struct picture *p, float *result)
{
    size_t bytes =
        (size_t)p->width * (size_t)p->height * (size_t)floats_of(p) * sizeof(float);
    double least = 0;

    for (int r = -1; r < REPS; r++) {
        double start;
        check(clEnqueueWriteBuffer(job->cl.queue, job->a, CL_TRUE, 0, bytes, p->pixels, 0,
                                   NULL, NULL) == CL_SUCCESS,
              "clEnqueueWriteBuffer");
        start = now_ms();
        way(job);
        check(clFinish(job->cl.queue) == CL_SUCCESS, "clFinish");
        start = now_ms() - start;
        if (r == 0 || (r > 0 && start < least))
            least = start;
    }
    opencl_read(&job->cl, job->a, bytes, result);
    return least;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*way)(const struct job *);
    } ways[] = {{"transposed in place", in_place},
                {"transposed out of place", out_of_place},
                {"without transposing", without}};
    struct dl_transpose_error error = {""};
    struct dl_transpose *library;
    struct picture p;
    struct job job = {.out_there = NULL};
    size_t bytes;
    float *first, *other;
    const char *part = "";
    double sigma;

    if (argc >= 3 && strcmp(argv[1], "--device") == 0) {
        part = argv[2];
        argc -= 2;
        argv += 2;
    }
    sigma = argc >= 4 ? atof(argv[1]) : 0;
    if (argc < 4 || !(sigma >= 0.1)) {
        fprintf(stderr, "usage: deriche [--device NAME] SIGMA IN.pnm OUT.pnm "
                        "[ALGORITHM...], SIGMA at least 0.1\n");
        return 2;
    }
    p = picture_read(argv[2]);
    bytes = (size_t)p.width * (size_t)p.height * (size_t)floats_of(&p) * sizeof(float);
    first = malloc(bytes);
    other = malloc(bytes);
    check(first && other, "malloc");
    job.cl = opencl_open(part);
    job.filter = filter_build(&job.cl, floats_of(&p));
    job.k = coefficients_make(sigma);
    job.width = p.width;
    job.height = p.height;
    job.a = opencl_buffer(&job.cl, bytes, NULL);
    job.b = opencl_buffer(&job.cl, bytes, NULL);
    check(dl_transpose_make(NULL, job.cl.context, job.cl.device, &library, &error) ==
              DL_OK,
          error.text);
    plans_make(&job, library, floats_of(&p));
    out_plans_make(&job, library, floats_of(&p), DL_TRANSPOSE_AUTO);
    for (int w = 0; w < 3 + argc - 4; w++) {
        enum dl_transpose_algorithm algorithm;
        double ms;

        if (w >= 3) {
            check(dl_transpose_algorithm_find(argv[w + 1], &algorithm) == DL_OK,
                  argv[w + 1]);
            out_plans_make(&job, library, floats_of(&p), algorithm);
        }
        ms = way_time(&job, w < 3 ? ways[w].way : out_of_place, &p,
                      w == 0 ? first : other);
        printf("%-24s %8.3f ms\n", w < 3 ? ways[w].name : argv[w + 1], ms);
        check(w == 0 || memcmp(first, other, bytes) == 0, "the same picture in all ways");
    }
    memcpy(p.pixels, first, bytes);
    picture_write(&p, argv[3]);
    job_close(&job);
    dl_transpose_free(library);
    opencl_close(&job.cl);
    free(first);
    free(other);
    free(p.pixels);
    return 0;
}
