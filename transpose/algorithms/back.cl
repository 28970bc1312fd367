/* SPDX-License-Identifier: MIT */
/* Brings what was transposed into the workspace back to the matrix's memory. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef RUN
#define RUN 1u /* units that a work-item copies one after the other; more on CPUs */
#endif

__kernel void dl_back(__global uchar *mem, ulong base, struct back_shape shape,
                      __global uchar *work)
{
    __global const unit_t *from = (__global const unit_t *)(work + shape.from_bytes);
    __global unit_t *to = (__global unit_t *)(mem + base);
    ulong units = shape.rows * shape.width;

    if (shape.rows == 1) {
#if RUN == 1
        ulong step = get_global_size(0), i = get_global_id(0);
        for (; i + 3 * step < units; i += 4 * step) {
            unit_t a = from[i], b = from[i + step], c = from[i + 2 * step],
                   d = from[i + 3 * step];
            to[i] = a;
            to[i + step] = b;
            to[i + 2 * step] = c;
            to[i + 3 * step] = d;
        }
        for (; i < units; i += step)
            to[i] = from[i];
#else
        for (ulong begin = get_global_id(0) * RUN; begin < units;
             begin += get_global_size(0) * RUN) {
            ulong past = min(begin + RUN, units);
            for (ulong i = begin; i < past; i++)
                to[i] = from[i];
        }
#endif
        if (get_global_id(0) < shape.tail_bytes)
            mem[base + units * UNIT_BYTES + get_global_id(0)] =
                work[shape.from_bytes + units * UNIT_BYTES + get_global_id(0)];
    } else {
        for (ulong i = get_global_id(0); i < units; i += get_global_size(0)) {
            ulong row = i / shape.width;
            to[row * shape.leading + (i - row * shape.width)] = from[i];
        }
    }
}
