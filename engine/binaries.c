/* SPDX-License-Identifier: MIT */
/* Binaries of built programs. */
#include "binaries.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT_KNOWN_FROM = 6,
    FORMAT_KNOWN_TO = 9,
    HEADER_BYTES_MAX = 256,
    BITCODE_MODULE = 8, /* the number of the block that holds the functions */
    FILE_LENGTHS = 2    /* of its name and of its content */
};

/* The bytes that are left to read. */
struct rest {
    const unsigned char *at;
    size_t bytes;
};

static const char magic[8] = "poclbin";
/* The length of the name, and the name. */
static const char program_file[] = "\x0b\0\0\0/program.bc";

static bool skip(struct rest *rest, uint64_t bytes, struct rest *part)
{
    if (bytes > rest->bytes)
        return false;
    if (part)
        *part = (struct rest){rest->at, bytes};
    rest->at += bytes;
    rest->bytes -= bytes;
    return true;
}

/* Little-endian, as all of it. */
static bool read_number(struct rest *rest, unsigned bytes, uint64_t *number)
{
    struct rest part;

    if (!skip(rest, bytes, &part))
        return false;
    *number = 0;
    for (unsigned i = 0; i < bytes; i++)
        *number |= (uint64_t)part.at[i] << 8 * i;
    return true;
}

/* Blocks of bitcode, one behind the other: a word with the block's number, a word with
 * the count of those that follow. */
static bool is_whole_bitcode(struct rest file)
{
    bool has_module = false;
    uint64_t word, words;

    if (file.bytes < 4 || memcmp(file.at, "BC\xC0\xDE", 4) != 0)
        return false;
    skip(&file, 4, NULL);
    while (file.bytes) {
        if (!read_number(&file, 4, &word) || !read_number(&file, 4, &words) ||
            (word & 3) != 1 || !skip(&file, words * 4, NULL))
            return false;
        has_module |= (word >> 2 & 0xff) == BITCODE_MODULE;
    }
    return has_module;
}

static bool is_whole_elf(struct rest file)
{
    Elf64_Ehdr header;

    if (file.bytes < sizeof header || memcmp(file.at, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&header, file.at, sizeof header);
    return file.at[EI_CLASS] != ELFCLASS64 || file.at[EI_DATA] != ELFDATA2LSB ||
           (header.e_shoff <= file.bytes &&
            (uint64_t)header.e_shnum * header.e_shentsize <= file.bytes - header.e_shoff);
}

static bool ends_with(struct rest name, const char *end)
{
    const size_t bytes = strlen(end);

    return name.bytes >= bytes && memcmp(name.at + name.bytes - bytes, end, bytes) == 0;
}

static bool read_whole_file(struct rest *rest)
{
    struct rest parts[FILE_LENGTHS];
    uint64_t bytes;

    for (unsigned i = 0; i < FILE_LENGTHS; i++) {
        if (!read_number(rest, 4, &bytes) || !bytes || !skip(rest, bytes, &parts[i]))
            return false;
    }
    return ends_with(parts[0], ".bc")   ? is_whole_bitcode(parts[1])
           : ends_with(parts[0], ".so") ? is_whole_elf(parts[1])
                                        : true;
}

/* A kernel's lengths, all of it and its files; its description; its files. */
static bool read_whole_kernel(struct rest *rest)
{
    const struct rest start = *rest;
    struct rest kernel;
    uint64_t bytes, file_bytes;

    if (!read_number(rest, 8, &bytes) || !read_number(rest, 8, &file_bytes))
        return false;
    *rest = start;
    if (file_bytes > bytes || !skip(rest, bytes, &kernel))
        return false;
    skip(&kernel, bytes - file_bytes, NULL);
    while (kernel.bytes) {
        if (!read_whole_file(&kernel))
            return false;
    }
    return true;
}

/* The header differs from version to version: the program's file is found by its name. */
static bool find_program(struct rest *rest)
{
    const size_t bytes = sizeof program_file - 1;

    for (size_t i = 0; i < HEADER_BYTES_MAX && i + bytes <= rest->bytes; i++) {
        if (memcmp(rest->at + i, program_file, bytes) == 0)
            return skip(rest, i, NULL);
    }
    return false;
}

bool dl__poclbin_is_broken(const void *binary, size_t bytes)
{
    struct rest rest = {binary, bytes}, content;
    uint64_t device, version, kernels, count;

    if (bytes < sizeof magic || memcmp(binary, magic, sizeof magic) != 0)
        return false;
    skip(&rest, sizeof magic, NULL);
    if (!read_number(&rest, 8, &device) || !read_number(&rest, 4, &version) ||
        !read_number(&rest, 4, &kernels))
        return true;
    if (!find_program(&rest))
        return version >= FORMAT_KNOWN_FROM && version <= FORMAT_KNOWN_TO;
    if (version < FORMAT_KNOWN_FROM || version > FORMAT_KNOWN_TO) {
        content = rest;
        return skip(&content, sizeof program_file - 1, NULL) &&
               (!read_number(&content, 4, &count) || count == 0);
    }
    if (!read_whole_file(&rest))
        return true;
    for (uint64_t k = 0; k < kernels; k++) {
        if (!read_whole_kernel(&rest))
            return true;
    }
    return rest.bytes > 0;
}

enum { BINARY_BYTES_MAX = 64 << 20 };

/* Makes each kernel once. A driver that crashes on one of them then does so before the
 * binary is kept. Otherwise the next program would take the binary from the cache and
 * crash itself. */
static void make_kernels_once(const cl_icd_dispatch *cl, cl_program program)
{
    cl_kernel *kernels;
    cl_uint count = 0;

    if (cl->clCreateKernelsInProgram(program, 0, NULL, &count) != CL_SUCCESS || !count ||
        !(kernels = calloc(count, sizeof *kernels)))
        return;
    if (cl->clCreateKernelsInProgram(program, count, kernels, NULL) == CL_SUCCESS)
        for (cl_uint k = 0; k < count; k++)
            cl->clReleaseKernel(kernels[k]);
    free(kernels);
}

void *dl__binary_of(const cl_icd_dispatch *cl, cl_program program, cl_device_id device,
                    size_t *bytes)
{
    cl_device_id *devices = NULL;
    unsigned char **binaries = NULL, *binary = NULL;
    size_t *sizes = NULL, at = 0;
    cl_uint count = 0;

    if (cl->clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count,
                             NULL) != CL_SUCCESS ||
        !count)
        return NULL;
    make_kernels_once(cl, program);
    devices = calloc(count, sizeof *devices);
    sizes = calloc(count, sizeof *sizes);
    binaries = calloc(count, sizeof *binaries);
    if (!devices || !sizes || !binaries ||
        cl->clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices,
                             devices, NULL) != CL_SUCCESS ||
        cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes,
                             sizes, NULL) != CL_SUCCESS)
        goto out;
    while (at < count && devices[at] != device)
        at++;
    if (at == count || !sizes[at] || sizes[at] > BINARY_BYTES_MAX)
        goto out;
    /* The others stay NULL: they are not wanted. */
    binary = binaries[at] = calloc(1, sizes[at]);
    *bytes = sizes[at];
    if (binary &&
        (cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries,
                              binaries, NULL) != CL_SUCCESS ||
         dl__poclbin_is_broken(binary, *bytes))) {
        free(binary);
        binary = NULL;
    }
out:
    free(devices);
    free(sizes);
    free(binaries);
    return binary;
}

cl_program dl__binary_build(const cl_icd_dispatch *cl, cl_context context,
                            cl_device_id device, const void *binary, size_t bytes,
                            const char *options)
{
    const unsigned char *from = binary;
    cl_int err, status = CL_SUCCESS;
    cl_program program;

    if (dl__poclbin_is_broken(binary, bytes))
        return NULL;
    program =
        cl->clCreateProgramWithBinary(context, 1, &device, &bytes, &from, &status, &err);
    if (program &&
        (err != CL_SUCCESS || status != CL_SUCCESS ||
         cl->clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)) {
        cl->clReleaseProgram(program);
        program = NULL;
    }
    return program;
}
