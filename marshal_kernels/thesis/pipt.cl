/* SPDX-License-Identifier: MIT */
/* 010! and 100! by P-IPT (Sung 2013, 4.3): each cycle to one work-item, or for a
 * super-element to as many as it has vectors. Every work-item walks the cycle of its
 * place, and the least place's moves it. No flags, no races; but cycles are few and of
 * very different lengths. For comparison: the chooser takes it only when told to. */
#ifndef DL_STEP
#include "../step.cl"
#endif

#ifndef VECTORS
#define VECTORS 1u /* element_t in an element */
#endif

/* `groups` work-groups share an instance. */
__kernel void dl_pipt(__global uchar *mem, ulong base, ulong rows, ulong groups)
{
    index_t places = (index_t)rows * COLUMNS;
    rows_t r = rows_make((index_t)rows);
    size_t instance = get_group_id(0) / groups;
    size_t first =
        (get_group_id(0) - instance * groups) * get_local_size(0) + get_local_id(0);
    __global element_t *array =
        (__global element_t *)(mem + base) + instance * (size_t)places * VECTORS;

#define NEXT(p) (INVERSE ? step_source(r, p) : step_target(r.rows, p))
    for (size_t t = first; t < (size_t)places * VECTORS;
         t += groups * get_local_size(0)) {
        index_t home = (index_t)(t / VECTORS), at = NEXT(home);
        size_t v = t % VECTORS;
        element_t carried, old;
        if (at == home)
            continue;
        while (at > home)
            at = NEXT(at);
        if (at != home) /* a lesser place moves it */
            continue;
        carried = array[(size_t)home * VECTORS + v];
        do {
            at = NEXT(at);
            old = array[(size_t)at * VECTORS + v];
            array[(size_t)at * VECTORS + v] = carried;
            carried = old;
        } while (at != home);
    }
}
