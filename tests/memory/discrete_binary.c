/* SPDX-License-Identifier: MIT */
/* discrete_binary save FILE | load FILE WAY: a program that keeps its binaries. `save`
 * builds DISCRETE_CL, an environment variable, from source and writes its binary; `load`
 * makes the program from that and launches a kernel that reads discrete arrays.
 *
 *   WAY  made: by clCreateKernel; all: by clCreateKernelsInProgram; cloned; task: as a
 *        task; again: from the binary that the loaded program gives; linked: the binary
 *        of an unlinked program (`save` with COMPILED in the environment), linked;
 *        beside: linked from the source and a binary of another unlinked program;
 *        relaxed: built with an option that the binary was not built with
 *
 * Prints "arrays" when the kernel ran as it reads, "structs" when it took the structs for
 * arrays, or "refused" when its launch gave CL_OUT_OF_RESOURCES, the buffer is as it was,
 * and a kernel that reads structs runs as ever. */
#include "world.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"

enum { N = 77, WORDS = 5 * N };

static struct world w;

/* In no test of libcheck's, whose assertions want one. */
static void require_at(bool good, const char *what, int line)
{
    if (good)
        return;
    fprintf(stderr, "discrete_binary.c:%d: %s\n", line, what);
    exit(1);
}
#define require(good) require_at(good, #good, __LINE__)
#undef must
#define must(call) require((call) == CL_SUCCESS)

static void write_binary(cl_program program, const char *path)
{
    size_t bytes = 0;
    unsigned char *binary;
    FILE *file = fopen(path, "w");

    require(file != NULL);
    must(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    binary = malloc(bytes);
    must(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    require(fwrite(binary, 1, bytes, file) == bytes);
    fclose(file);
    free(binary);
}

static cl_program from_source(const char *path)
{
    size_t bytes;
    const char *text = read_file(path, &bytes);
    cl_int err;
    cl_program program = clCreateProgramWithSource(w.context, 1, &text, NULL, &err);

    must(err);
    return program;
}

static cl_program from_binary(const char *path)
{
    size_t bytes;
    const unsigned char *binary = (unsigned char *)read_file(path, &bytes);
    cl_int err;
    cl_program program =
        clCreateProgramWithBinary(w.context, 1, &w.device, &bytes, &binary, NULL, &err);

    must(err);
    return program;
}

static cl_program link_of(cl_uint count, const cl_program *inputs)
{
    cl_int err;
    cl_program program =
        clLinkProgram(w.context, 1, &w.device, "", count, inputs, NULL, NULL, &err);

    must(err);
    return program;
}

/* The program that has the kernel, built, in this way. */
static cl_program program_of(const char *path, const char *way)
{
    cl_program inputs[2];

    if (strcmp(way, "beside") == 0) {
        inputs[0] = from_source(getenv("DISCRETE_CL"));
        must(clCompileProgram(inputs[0], 1, &w.device, "", 0, NULL, NULL, NULL, NULL));
        inputs[1] = from_binary(path);
        return link_of(2, inputs);
    }
    inputs[0] = from_binary(path);
    if (strcmp(way, "linked") == 0)
        return link_of(1, inputs);
    must(clBuildProgram(inputs[0], 1, &w.device,
                        strcmp(way, "relaxed") == 0 ? "-cl-fast-relaxed-math" : "", NULL,
                        NULL));
    if (strcmp(way, "again") == 0) {
        write_binary(inputs[0], path);
        inputs[0] = from_binary(path);
        must(clBuildProgram(inputs[0], 1, &w.device, "", NULL, NULL));
    }
    return inputs[0];
}

static cl_kernel kernel_of(cl_program program, const char *wanted, const char *way)
{
    cl_kernel kernels[32], kernel = NULL;
    cl_uint count = 0;
    char name[64];
    cl_int err;

    if (strcmp(way, "all") == 0) {
        must(clCreateKernelsInProgram(program, 32, kernels, &count));
        for (cl_uint k = 0; k < count; k++) {
            must(clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof name, name,
                                 NULL));
            kernel = strcmp(name, wanted) == 0 ? kernels[k] : kernel;
        }
        require(kernel != NULL);
        return kernel;
    }
    kernel = clCreateKernel(program, wanted, &err);
    must(err);
    if (strcmp(way, "cloned") == 0) {
        kernel = clCloneKernel(kernel, &err);
        must(err);
    }
    return kernel;
}

static cl_int launch(cl_kernel kernel, cl_mem buffer, const char *way)
{
    const size_t global = N, local = 1;
    const cl_int n = N;

    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    return strcmp(way, "task") == 0
               ? clEnqueueTask(w.queue, kernel, 0, NULL, NULL)
               : clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, &local, 0,
                                        NULL, NULL);
}

/* What the kernel leaves of structs, or of arrays, in this word. */
static int *place(int *words, int item, int field, bool structs)
{
    return structs ? &words[item * 5 + field] : &words[field * N + item];
}

static void model(int *words, bool structs, int items)
{
    for (int i = 0; i < items; i++)
        for (int j = 0; j < 5; j++)
            *place(words, i, j, structs) =
                *place(words, i, j, structs) * 5 + *place(words, i, 4 - j, structs) + j;
}

static void say_how_it_ran(cl_mem buffer, const int *before, int items)
{
    int words[WORDS], seen[WORDS];

    must(clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL,
                             NULL));
    for (int structs = 0; structs < 2; structs++) {
        memcpy(words, before, sizeof words);
        model(words, structs, items);
        if (memcmp(words, seen, sizeof words) == 0)
            puts(structs ? "arrays" : "structs");
    }
}

static void load(const char *path, const char *way)
{
    cl_program program = program_of(path, way);
    int words[WORDS], seen[WORDS];
    cl_int err;
    cl_mem buffer;

    for (int i = 0; i < WORDS; i++)
        words[i] = i * 7;
    buffer = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof words, words, &err);
    must(err);
    err = launch(kernel_of(program, "arrays", way), buffer, way);
    if (err == CL_SUCCESS) {
        say_how_it_ran(buffer, words, strcmp(way, "task") == 0 ? 1 : N);
        return;
    }
    require(err == CL_OUT_OF_RESOURCES);
    must(clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL,
                             NULL));
    require(memcmp(seen, words, sizeof words) == 0);
    must(launch(kernel_of(program, "fives", way), buffer, way));
    must(clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL,
                             NULL));
    require(seen[0] == words[0] + words[1] * 3);
    puts("refused");
}

int main(int argc, char **argv)
{
    cl_program program;

    if (argc < 3)
        return 2;
    world_begin(&w);
    if (strcmp(argv[1], "save") == 0) {
        program = from_source(getenv("DISCRETE_CL"));
        if (getenv("COMPILED"))
            must(clCompileProgram(program, 1, &w.device, "", 0, NULL, NULL, NULL, NULL));
        else
            must(clBuildProgram(program, 1, &w.device, "", NULL, NULL));
        write_binary(program, argv[2]);
    } else {
        load(argv[2], argv[3]);
    }
    return 0;
}
