/* SPDX-License-Identifier: MIT */
/* changed_include WAY HOW: a program whose kernel is made of an included file, step.h in
 * the working folder, which it writes there.
 *
 *   WAY  built: the kernel's text includes it; linked: that of a helper, which is linked
 *        with the kernel; macro: as built, by a name that a macro gives; plain: as built,
 *        not annotated
 *   HOW  what becomes of it between the program's build and its kernel's first launch.
 *        stays; changed: another text; gone: it is removed; moved: the program goes to a
 *        folder with another text under this name
 *
 * Prints a sum of what the kernel wrote. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/common/host.h"

enum { ITEMS = 1000, LAUNCHES = 4 };

#define RECORD "typedef struct { int a, b, c, d; } record;\n"
#define COUNT                                                                            \
    "__kernel void count(__global record *f, int n)\n"                                   \
    "{ int i = get_global_id(0); if (i < n) f[i].a += STEP(i); }\n"
static const char kernel_text[] = RECORD "//DL: AoS: f[n]\n" COUNT;
static const char plain_text[] = RECORD COUNT;
static const char helper_text[] =
    "#include \"step.h\"\nint step_of(int i) { return STEP(i); }\n";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
}

static cl_program from_text(cl_context context, const char *head, const char *text)
{
    const char *texts[] = {head, text};
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 2, texts, NULL, &err);

    must(err);
    return program;
}

static cl_program make_program(cl_context context, const char *way)
{
    cl_program parts[2], program;
    cl_int err;

    if (strcmp(way, "linked") == 0) {
        parts[0] = from_text(context, "int step_of(int i);\n#define STEP(i) step_of(i)\n",
                             kernel_text);
        parts[1] = from_text(context, "", helper_text);
        for (size_t i = 0; i < 2; i++)
            must(clCompileProgram(parts[i], 0, NULL, "-I.", 0, NULL, NULL, NULL, NULL));
        program = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &err);
        must(err);
    } else if (strcmp(way, "macro") == 0) {
        program = from_text(context, "#define HEADER \"step.h\"\n#include HEADER\n",
                            kernel_text);
        must(clBuildProgram(program, 0, NULL, "-I.", NULL, NULL));
    } else {
        program = from_text(context, "#include \"step.h\"\n",
                            strcmp(way, "plain") == 0 ? plain_text : kernel_text);
        must(clBuildProgram(program, 0, NULL, "-I.", NULL, NULL));
    }
    return program;
}

static void change(const char *how)
{
    static const char other[] = "#define STEP(i) ((i) % 7)\n";

    if (strcmp(how, "changed") == 0)
        write_file("step.h", other);
    if (strcmp(how, "gone") == 0)
        unlink("step.h");
    if (strcmp(how, "moved") == 0) {
        mkdir("other", 0700);
        write_file("other/step.h", other);
        if (chdir("other") != 0)
            exit(1);
    }
}

int main(int argc, char **argv)
{
    static cl_int records[ITEMS][4];
    const cl_int n = ITEMS;
    struct host host;
    cl_kernel kernel;
    cl_mem buffer;
    long sum = 0;

    if (argc != 3)
        return 2;
    write_file("step.h", "#define STEP(i) ((i) % 5)\n");
    host = host_open();
    host.program = make_program(host.context, argv[1]);
    change(argv[2]);
    kernel = host_kernel(&host, "count");
    buffer = host_buffer(&host, records, sizeof records);
    must(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    for (int i = 0; i < LAUNCHES; i++)
        host_launch(host.queue, kernel, ITEMS);
    must(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, sizeof records, records, 0,
                             NULL, NULL));
    for (size_t i = 0; i < ITEMS; i++)
        sum += (long)(i + 1) * records[i][0] + records[i][1];
    printf("%ld\n", sum);
    return 0;
}
