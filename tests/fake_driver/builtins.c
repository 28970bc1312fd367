/* SPDX-License-Identifier: MIT */
/* What kernels of some names do, on the program's own layout:
 *
 *   fake_add_one(global int *a)                       a[i] += 1
 *   fake_fill(global int *a, int v)                   a[i] = v
 *   fake_copy(global const int *a, global int *b)     b[i] = a[i]
 *   fake_scale(global float *a, float s)              a[i] *= s
 *   fake_step(global struct {float x, y; int n;} *p)  p[i].x += p[i].y; p[i].n++
 *   fake_pull(global struct ... *p, global struct ... *q)  p[i].x += q[i].x, in the order
 *   of i fake_slots(global struct ... *p)                  p[i].n = a number that no
 *   launch has given before dl_compare, dl_differences                        DL's own
 *   (marshal_kernels/compare.cl)
 *
 * DL's other kernels do nothing: what is converted keeps its bytes. */
#include "fake.h"

#include <string.h>

struct particle {
    float x, y;
    int n;
};

/* The storage of buffer argument `index`, and how many elements of `bytes` it has. */
static void *buffer(const struct fake_command *command, cl_uint index, size_t bytes,
                    size_t *count)
{
    const struct fake_arg *arg = &command->args[index];
    struct fake_mem *mem;
    void *pointer;

    memcpy(&pointer, arg->value, sizeof pointer);
    mem = pointer;
    if (arg->is_svm || !mem) {
        *count = arg->is_svm ? SIZE_MAX : 0;
        return pointer;
    }
    *count = mem->bytes / bytes;
    return mem->data;
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_one(const struct fake_command *command, size_t first, size_t end)
{
    size_t count;
    int *a = buffer(command, 0, sizeof *a, &count);

    for (size_t i = first; i < min(end, count); i++)
        a[i] += 1;
}

static void fill(const struct fake_command *command, size_t first, size_t end)
{
    size_t count;
    int *a = buffer(command, 0, sizeof *a, &count), v;

    memcpy(&v, command->args[1].value, sizeof v);
    for (size_t i = first; i < min(end, count); i++)
        a[i] = v;
}

static void copy(const struct fake_command *command, size_t first, size_t end)
{
    size_t from_count, to_count;
    const int *from = buffer(command, 0, sizeof *from, &from_count);
    int *to = buffer(command, 1, sizeof *to, &to_count);

    for (size_t i = first; i < min(end, min(from_count, to_count)); i++)
        to[i] = from[i];
}

static void scale(const struct fake_command *command, size_t first, size_t end)
{
    size_t count;
    float *a = buffer(command, 0, sizeof *a, &count), s;

    memcpy(&s, command->args[1].value, sizeof s);
    for (size_t i = first; i < min(end, count); i++)
        a[i] *= s;
}

static void step(const struct fake_command *command, size_t first, size_t end)
{
    size_t count;
    struct particle *p = buffer(command, 0, sizeof *p, &count);

    for (size_t i = first; i < min(end, count); i++) {
        p[i].x += p[i].y;
        p[i].n++;
    }
}

static void pull(const struct fake_command *command, size_t first, size_t end)
{
    size_t count, from_count;
    struct particle *p = buffer(command, 0, sizeof *p, &count);
    const struct particle *q = buffer(command, 1, sizeof *q, &from_count);

    for (size_t i = first; i < min(end, min(count, from_count)); i++)
        p[i].x += q[i].x;
}

static void slots(const struct fake_command *command, size_t first, size_t end)
{
    static int given;
    size_t count;
    struct particle *p = buffer(command, 0, sizeof *p, &count);

    for (size_t i = first; i < min(end, count); i++)
        p[i].n = ++given;
}

static void compare(const struct fake_command *command, size_t first, size_t end)
{
    static const cl_uint yes = 1;
    size_t count, other_count;
    const unsigned char *mine = buffer(command, 0, 1, &count);
    unsigned char *other = buffer(command, 2, 1, &other_count);
    cl_ulong bytes;

    (void)first;
    (void)end;
    memcpy(&bytes, command->args[1].value, sizeof bytes);
    if (memcmp(mine, other, bytes) != 0)
        memcpy(other + (bytes + 3) / 4 * 4, &yes, sizeof yes);
}

static void differences(const struct fake_command *command, size_t first, size_t end)
{
    size_t count, other_count;
    const unsigned char *mine = buffer(command, 0, 1, &count);
    unsigned char *other = buffer(command, 2, 1, &other_count);
    cl_ulong bytes;
    cl_uint struct_bytes;

    (void)first;
    (void)end;
    memcpy(&bytes, command->args[1].value, sizeof bytes);
    memcpy(&struct_bytes, command->args[3].value, sizeof struct_bytes);
    for (cl_ulong i = 0; i < bytes; i++)
        if (mine[i] != other[i])
            other[(bytes + 3) / 4 * 4 + i % struct_bytes] = 1;
}

void fake_builtin_run(const struct fake_command *command)
{
    static const struct {
        const char *name;
        cl_uint arg_count;
        void (*run)(const struct fake_command *, size_t first, size_t end);
    } builtins[] = {{"fake_add_one", 1, add_one},
                    {"fake_fill", 2, fill},
                    {"fake_copy", 2, copy},
                    {"fake_scale", 2, scale},
                    {"fake_step", 1, step},
                    {"fake_pull", 2, pull},
                    {"fake_slots", 1, slots},
                    {"dl_compare", 3, compare},
                    {"dl_differences", 4, differences}};
    const struct fake_signature *signature = command->signature;

    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, signature->name) == 0 &&
            signature->arg_count >= builtins[i].arg_count)
            builtins[i].run(command, command->offset[0],
                            command->offset[0] + command->global[0]);
    if (command->rounds) {
        size_t count;
        unsigned char *bytes = buffer(command, 0, 1, &count);

        if (count > 8)
            bytes[8] ^= 1;
    }
}
