/* SPDX-License-Identifier: MIT */
/* What a program does with programs: from source, binaries, parts and other kinds, right
 * and wrong. */
#include <stdio.h>

#include "calls_inside.h"

static const char source[] =
    "// fake_nothing(int) is not one\n"
    "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)] += 1; }\n"
    "__kernel void fake_fill(__global int *a, int v) { a[get_global_id(0)] = v; }\n"
    "__kernel void fake_local(__global int *a, __local int *l) { a[0] = l[0]; }\n";

static void CL_CALLBACK on_built(cl_program built, void *user)
{
    /* Callbacks come on this thread, inside the call, and may call OpenCL. */
    cl_uint count = 0;

    CALL(clGetProgramInfo)(built, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL);
    printf("built %s %u\n", (const char *)user, count);
}

static const char *strings[2] = {
    source, "\n__kernel void fake_more(__global float *b, float c) {}\n"};

static void from_source(void)
{
    size_t lengths[2] = {sizeof source - 1, 0}, bytes = 0;
    cl_int err;
    char text[256] = "";

    calls.program =
        CALL(clCreateProgramWithSource)(calls.context, 2, strings, lengths, &err);
    SAY(err);
    SAY(CALL(clBuildProgram)(calls.program, 1, &calls.device, "-cl-kernel-arg-info",
                             on_built, "one"));
    SAY(CALL(clGetProgramInfo)(calls.program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text,
                               NULL));
    puts(text);
    SAY(CALL(clGetProgramBuildInfo)(calls.program, calls.device, CL_PROGRAM_BUILD_OPTIONS,
                                    sizeof text, text, NULL));
    puts(text);
    SAY(CALL(clGetProgramInfo)(calls.program, CL_PROGRAM_SOURCE, 0, NULL, &bytes));
    SAY(bytes);
}

static void that_do_not_build(void)
{
    const char *broken = "FAKE_BUILD_FAIL";
    cl_program other;
    cl_int err;
    char text[256] = "";

    other = CALL(clCreateProgramWithSource)(calls.context, 1, &broken, NULL, &err);
    SAY(CALL(clBuildProgram)(other, 0, NULL, NULL, NULL, NULL));
    SAY(CALL(clBuildProgram)(other, 0, NULL, "-bogus", NULL, NULL));
    SAY(CALL(clGetProgramBuildInfo)(other, calls.device, CL_PROGRAM_BUILD_LOG,
                                    sizeof text, text, NULL));
    puts(text);
    SAY(CALL(clRetainProgram)(other));
    SAY(CALL(clReleaseProgram)(other));
    SAY(CALL(clReleaseProgram)(other));
}

static void from_a_binary(void)
{
    const unsigned char *binaries[1];
    size_t bytes = 0;
    cl_program other;
    unsigned char binary[1024] = "";
    unsigned char *binary_place = binary;
    cl_int err, binary_status = 0;

    SAY(CALL(clGetProgramInfo)(calls.program, CL_PROGRAM_BINARY_SIZES, sizeof bytes,
                               &bytes, NULL));
    SAY(bytes <= sizeof binary);
    SAY(CALL(clGetProgramInfo)(calls.program, CL_PROGRAM_BINARIES, sizeof binary_place,
                               &binary_place, NULL));
    binaries[0] = binary;
    other = CALL(clCreateProgramWithBinary)(calls.context, 1, &calls.device, &bytes,
                                            binaries, &binary_status, &err);
    SAY(err);
    SAY(binary_status);
    SAY(CALL(clBuildProgram)(other, 1, &calls.device, "", NULL, NULL));
    SAY(CALL(clReleaseProgram)(other));
    SAY(CALL(clCreateProgramWithBinary)(calls.context, 1, &calls.device, NULL, NULL, NULL,
                                        NULL) == NULL);
}

static void compiled_and_linked(void)
{
    cl_program compiled, linked;
    cl_uint count = 0;
    cl_int err;

    compiled = CALL(clCreateProgramWithSource)(calls.context, 1, strings, NULL, &err);
    SAY(CALL(clCompileProgram)(compiled, 1, &calls.device, "-DX=1", 0, NULL, NULL, NULL,
                               NULL));
    linked = CALL(clLinkProgram)(calls.context, 1, &calls.device, NULL, 1, &compiled,
                                 on_built, "two", &err);
    SAY(err);
    SAY(CALL(clCreateKernelsInProgram)(linked, 0, NULL, &count));
    SAY(count);
    SAY(CALL(clReleaseProgram)(linked));
    SAY(CALL(clLinkProgram)(calls.context, 0, NULL, NULL, 1, &calls.program, NULL, NULL,
                            &err) == NULL);
    SAY(CALL(clReleaseProgram)(compiled));
}

static void of_other_kinds(void)
{
    cl_program other;
    cl_int err;

    other = CALL(clCreateProgramWithBuiltInKernels)(calls.context, 1, &calls.device,
                                                    "fake_add_one", &err);
    SAY(err);
    SAY(CALL(clReleaseProgram)(other));
    other = CALL(clCreateProgramWithIL)(calls.context, "FAKEIL __kernel void k(int a) {}",
                                        32, &err);
    SAY(err);
    SAY(CALL(clReleaseProgram)(other));
    SAY(CALL(clCreateProgramWithSource)(calls.context, 0, NULL, NULL, &err) == NULL);
    SAY(err);
    SAY(CALL(clCreateProgramWithSource)(NULL, 1, strings, NULL, NULL) == NULL);
    SAY(CALL(clBuildProgram)(NULL, 0, NULL, NULL, NULL, NULL));
    SAY(CALL(clRetainProgram)((cl_program)calls.context));
}

void calls_programs(void)
{
    from_source();
    that_do_not_build();
    from_a_binary();
    compiled_and_linked();
    of_other_kinds();
}
