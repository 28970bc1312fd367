/* SPDX-License-Identifier: MIT */
/* Cases run with some members of their structs in a second buffer. */
#include "case_beside.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layout/members.h"

enum { LEAST_BYTES = 64, STALE = 0xa5 };

/* Structs of one size have one choice of members: none where their leaves differ. */
static bool clashes(const struct dl_kernel_note *note, size_t b)
{
    const struct dl_leaf_table *own = &note->buffers[b].leaves;

    for (size_t other = 0; other < note->buffer_count; other++) {
        const struct dl_leaf_table *leaves = &note->buffers[other].leaves;

        if (note->buffers[other].width || (leaves->struct_bytes == own->struct_bytes &&
                                           !dl_leaf_table_equal(leaves, own)))
            return true;
    }
    return note->buffers[b].arrays || note->buffers[b].native != DL_LAYOUT_AOS;
}

bool members_of_case(const struct dl_kernel_note *note, const char *text,
                     struct dl_layout *layout)
{
    const size_t count = note->buffer_count;
    const uint32_t runs_max = count > 4 ? 2 : count > 1 ? 4 : DL_MEMBER_RUNS_MAX;

    *layout = (struct dl_layout){.kind = DL_LAYOUT_MEMBERS};
    for (size_t b = 0; b < count; b++) {
        const struct dl_leaf_table *leaves = &note->buffers[b].leaves;
        bool *picked = calloc((size_t)leaves->leaf_count + 1, sizeof *picked);

        for (uint32_t l = 0; l < leaves->leaf_count; l++)
            picked[l] = l % 2 == 0;
        /* As many as there is room for. */
        if (!clashes(note, b))
            dl_members_add(&layout->members, leaves, picked, runs_max);
        free(picked);
    }
    return !strstr(text, "_AT_IN(__constant, ") && !strstr(text, "_AT(__constant, ");
}

bool has_beside(const struct arg *a, const struct dl_layout *layout)
{
    return a->kind == STRUCTS && a->note->native == DL_LAYOUT_AOS && !a->note->arrays &&
           layout && layout->kind == DL_LAYOUT_MEMBERS;
}

static size_t beside_bytes(const struct arg *a, const struct dl_members *members)
{
    uint64_t bytes;

    ck_assert_int_eq(
        dl_members_buffer_bytes(members, a->leaves.struct_bytes, a->structs, &bytes),
        DL_OK);
    return (size_t)bytes + LEAST_BYTES;
}

/* Between structs and what is beside them, by the formula alone; what they are taken from becomes stale. */
static void move(const struct arg *a, const struct dl_members *members,
                 unsigned char *structs, unsigned char *beside, bool back)
{
    for (uint32_t l = 0; l < a->leaves.leaf_count; l++) {
        const struct dl_leaf leaf = a->leaves.leaves[l];
        uint32_t before;

        if (!dl_members_find(members, a->leaves.struct_bytes, leaf, &before))
            continue;
        for (uint64_t i = 0; i < a->structs; i++) {
            unsigned char *in = structs + i * a->leaves.struct_bytes + leaf.offset_bytes;
            unsigned char *at = beside + dl_members_byte(a->structs, before, leaf, i);

            memcpy(back ? in : at, back ? at : in, leaf.width_bytes);
            if (!back)
                memset(in, STALE, leaf.width_bytes);
        }
    }
}

cl_mem beside_make(cl_context context, cl_command_queue queue, const struct arg *a,
                   const struct dl_members *members, cl_mem mem)
{
    size_t bytes = beside_bytes(a, members);
    unsigned char *structs = malloc(a->bytes + 1), *data = calloc(1, bytes);
    cl_mem beside;
    cl_int err;

    memcpy(structs, a->initial, a->bytes);
    move(a, members, structs, data, false);
    err = clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, a->bytes, structs, 0, NULL, NULL);
    ck_assert_int_eq(err, CL_SUCCESS);
    beside = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                            data, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    free(structs);
    free(data);
    return beside;
}

void beside_args_set(cl_kernel kernel, cl_uint index, const struct dl_kernel_note *note,
                     const struct arg *args, const cl_mem *beside)
{
    for (size_t b = 0; b < note->buffer_count; b++) {
        const struct arg *a = &args[note->buffers[b].arg_index];
        const bool structs = a->kind == STRUCTS && !a->note->arrays;
        const cl_mem mem = a->kind == STRUCTS ? beside[a->same] : NULL;
        const cl_uint values[] = {structs ? (cl_uint)a->structs : 0,
                                  structs ? 0 : a->leaves.leaf_count};

        if (note->buffers[b].native != DL_LAYOUT_AOS)
            continue;
        for (int v = 0; v < 2; v++)
            ck_assert_int_eq(clSetKernelArg(kernel, index++, sizeof *values, &values[v]),
                             CL_SUCCESS);
        ck_assert_int_eq(clSetKernelArg(kernel, index++, sizeof mem, &mem), CL_SUCCESS);
    }
}

void beside_read(cl_command_queue queue, const struct arg *a,
                 const struct dl_members *members, cl_mem beside, unsigned char *bytes)
{
    size_t beside_size = beside_bytes(a, members);
    unsigned char *data = malloc(beside_size);

    ck_assert_int_eq(
        clEnqueueReadBuffer(queue, beside, CL_TRUE, 0, beside_size, data, 0, NULL, NULL),
        CL_SUCCESS);
    move(a, members, bytes, data, true);
    free(data);
    clReleaseMemObject(beside);
}
