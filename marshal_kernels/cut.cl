/* 100! on super-elements by cut cycles: no flags, no atomics on the way, no races.
 *
 * The permutation's cycles are cut at known places. Of every CUT consecutive super-elements one is
 * a cut, at an offset hashed from the block's number; dl_cut_save copies the cuts aside. Then each
 * stretch of a cycle from one cut to the next can move by itself: nobody else reads or writes its
 * places, its first (or last) value is the saved copy, and where it ends is arithmetic. Since
 * the places ahead depend on no data, AHEAD loads are in flight at once, which a flag taken at
 * every place forbids. Stretches average CUT places and there are very many, so long cycles are
 * shared evenly.
 *
 * Cycles without a cut are mostly short. Searchers, work-groups among the movers, find the least
 * place of each (by a scrambled order, to spread them evenly) and move it whole: arithmetic that
 * hides behind the movers' memory accesses, on places that no mover touches.
 *
 * Work-items move the same vectors of every super-element they come to and never need one
 * another, so a super-element may have any number of vectors. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef VECTORS
#define VECTORS 8u /* element_t in a super-element */
#endif
#ifndef PER_ITEM
#define PER_ITEM 1u /* vectors that a work-item moves of each super-element */
#endif
#ifndef CUT
#define CUT 34u
#endif
#ifndef AHEAD
#define AHEAD 4
#endif
#ifndef SPAN
#define SPAN 2048u /* places that a searching work-group looks at, at most 65536 */
#endif

#ifndef GROUP
#define GROUP 32u /* work-items of dl_cut_shift, which move one stretch together */
#endif

#define LANES ((VECTORS + PER_ITEM - 1u) / PER_ITEM)
/* Does this lane have a p-th vector? Constant for all but the last. */
#define HAS(p) (((p) + 1u) * LANES <= VECTORS || (p)*LANES + lane < VECTORS)

/* The block's cut, among its CUT places. */
uint cut_offset(index_t block)
{
    return mul_hi((uint)block * 0x9E3779B1u, CUT);
}

bool is_cut(index_t place)
{
    index_t block = place / CUT;

    return (uint)(place - block * CUT) == cut_offset(block);
}

/* A bijection, so that the least key of a cycle is one place. */
index_t place_key(index_t place)
{
    return place * (index_t)0x85EBCA77u;
}

/* The instance's places and its cuts' copies. */
#define ARRAY(mem, base, places)                                                              \
    ((__global element_t *)((mem) + (base)) + (size_t)get_global_id(1) * (places)*VECTORS)
#define SAVED(saved, places)                                                                  \
    ((saved) + (size_t)get_global_id(1) * (((places) + CUT - 1) / CUT) * VECTORS)

__kernel void dl_cut_save(__global uchar *mem, ulong base, ulong rows, __global element_t *saved)
{
    index_t places = (index_t)rows * COLUMNS;
    size_t block = get_global_id(0) / VECTORS, v = get_global_id(0) % VECTORS;
    size_t place = block * CUT + cut_offset((index_t)block);

    if (place < places)
        SAVED(saved, places)[block * VECTORS + v] =
            ARRAY(mem, base, places)[place * VECTORS + v];
}

/* ---- movers ---- */

/* Moves the stretches from the cuts of `block`, block + stride, ... */
void stretches_move(__global element_t *array, __global const element_t *saved, index_t rows,
                    index_t places, uint lane, index_t block, index_t stride)
{
    index_t blocks = (places + CUT - 1) / CUT;
    index_t at = block * CUT + cut_offset(block);
    bool more = block < blocks && at < places; /* the last, short block may have no cut */
#if INVERSE
    /* Pull: the place takes the value of the place after it, up to the next cut's copy. */
    while (more) {
        element_t value[AHEAD][PER_ITEM];
        index_t to[AHEAD];
        bool valid[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            valid[k] = more;
            to[k] = at;
            if (more) {
                index_t from = step_target(rows, at);
                bool end = is_cut(from);
                __global const element_t *source =
                    end ? saved + (size_t)(from / CUT) * VECTORS : array + (size_t)from * VECTORS;
#pragma unroll
                for (uint p = 0; p < PER_ITEM; p++)
                    if (HAS(p))
                        value[k][p] = source[lane + p * LANES];
                at = from;
                if (end) {
                    block += stride;
                    at = block * CUT + cut_offset(block);
                    more = block < blocks && at < places;
                }
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (valid[k])
#pragma unroll
                for (uint p = 0; p < PER_ITEM; p++)
                    if (HAS(p))
                        array[(size_t)to[k] * VECTORS + lane + p * LANES] = value[k][p];
    }
#else
    /* Push: the place after takes the value; a stretch begins with a cut's copy. The load of
     * what the last store of a round overwrites belongs to the round too. */
    element_t carried[PER_ITEM];
    if (more) {
#pragma unroll
        for (uint p = 0; p < PER_ITEM; p++)
            if (HAS(p))
                carried[p] = saved[(size_t)block * VECTORS + lane + p * LANES];
    }
    while (more) {
        element_t value[AHEAD][PER_ITEM];
        index_t to[AHEAD];
        bool valid[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            valid[k] = more;
            if (more) {
                bool end;
                __global const element_t *source;
                to[k] = at = step_target(rows, at);
                end = is_cut(at);
                source = array + (size_t)at * VECTORS;
                if (end) {
                    block += stride;
                    at = block * CUT + cut_offset(block);
                    more = block < blocks && at < places;
                    source = saved + (size_t)block * VECTORS;
                }
                if (more) {
#pragma unroll
                    for (uint p = 0; p < PER_ITEM; p++)
                        if (HAS(p))
                            value[k][p] = source[lane + p * LANES];
                }
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
#pragma unroll
            for (uint p = 0; p < PER_ITEM; p++) {
                if (HAS(p)) {
                    if (valid[k])
                        array[(size_t)to[k] * VECTORS + lane + p * LANES] = carried[p];
                    carried[p] = value[k][p];
                }
            }
        }
    }
#endif
}

/* ---- searchers ---- */

/* Notes the places of [first, first + SPAN) that are the least of a cycle without a cut. */
void cycles_find(index_t rows, index_t places, index_t first, __local ushort *found,
                 __local uint *count)
{
    uint s = get_local_id(0);
    index_t place = 0, at = 0;
    bool walking = false;

    /* One loop for all of a work-item's walks: neighbours' lengths differ much. */
    for (;;) {
        if (!walking) {
            if (s >= SPAN || first + s >= places)
                break;
            at = place = first + s;
            walking = !is_cut(place);
            s += get_local_size(0);
        }
        if (walking) {
            index_t next = step_target(rows, at);
            /* Least means least up to the way back; a place that stays is no cycle. */
            if (next == place && at != place)
                found[atomic_inc(count)] = (ushort)(place - first);
            walking = next != place && !is_cut(next) && place_key(next) > place_key(place);
            at = next;
        }
    }
}

/* Moves this lane's share of a whole cycle. */
void cycle_move(__global element_t *array, index_t rows, index_t place, uint lane)
{
#pragma unroll
    for (uint p = 0; p < PER_ITEM; p++) {
        if (HAS(p)) {
            __global element_t *mine = array + lane + p * LANES;
            element_t value = mine[(size_t)place * VECTORS];
            index_t at = place, next = step_target(rows, at);
#if INVERSE
            for (; next != place; next = step_target(rows, at)) {
                mine[(size_t)at * VECTORS] = mine[(size_t)next * VECTORS];
                at = next;
            }
            mine[(size_t)at * VECTORS] = value;
#else
            for (;; next = step_target(rows, next)) {
                element_t old = mine[(size_t)next * VECTORS];
                mine[(size_t)next * VECTORS] = value;
                value = old;
                if (next == place)
                    break;
            }
#endif
        }
    }
}

/* The search and the moves of one searching work-group. */
void cycles_search(__global element_t *array, index_t rows, index_t places, index_t first,
                   __local ushort *found, __local uint *count)
{
    if (get_local_id(0) == 0)
        *count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    cycles_find(rows, places, first, found, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = get_local_id(0); t < *count * LANES; t += get_local_size(0))
        cycle_move(array, rows, first + found[t / LANES], t % LANES);
}

/* ---- kernels ---- */

/* In both, `searchers` of the work-groups search, evenly among the others, which move. */
#define IS_SEARCHER(group, groups, searchers)                                                 \
    ((group) * (searchers) / (groups) != ((group) + 1) * (searchers) / (groups))

__kernel void dl_cut_move(__global uchar *mem, ulong base, ulong rows_wide,
                          __global const element_t *saved_all, ulong searchers)
{
    __local ushort found[SPAN];
    __local uint count;
    index_t rows = (index_t)rows_wide, places = rows * COLUMNS;
    __global element_t *array = ARRAY(mem, base, places);
    ulong group = get_group_id(0), groups = get_num_groups(0);
    ulong before = group * searchers / groups; /* searchers among the work-groups before */

    if (IS_SEARCHER(group, groups, searchers)) {
        cycles_search(array, rows, places, (index_t)before * SPAN, found, &count);
    } else {
        size_t item = (size_t)(group - before) * get_local_size(0) + get_local_id(0);
        size_t items = (size_t)(groups - searchers) * get_local_size(0);
        index_t block = (index_t)(item / LANES), stride = (index_t)(items / LANES);
        if (block < stride) /* the rest of the last work-group has too few lanes */
            stretches_move(array, SAVED(saved_all, places), rows, places, (uint)(item % LANES),
                           block, stride);
    }
}

/* ---- super-elements that are not whole 16-byte vectors ---- */

/* Stores of less than a vector are slow, but where a vector begins in a super-element differs from
 * place to place. So a work-group moves a stretch together: it loads the aligned vectors within
 * the source and the few elements before and after them, shifts in local memory, and stores the
 * aligned vectors within the target. Always pulling keeps a super-element's way in one round. */
#define PARTS (16u / ELEMENT_BYTES)
#define SHIFT_ITEMS ((VECTORS / PARTS + GROUP - 1u) / GROUP)
#define STAGE ((VECTORS + 2u * PARTS - 1u) / PARTS) /* vectors, with room for the misalignment */

#if INVERSE
#define pull_source step_target
#else
#define pull_source step_source
#endif

/* How a super-element that starts `offset` elements into aligned memory splits: `head` elements,
 * `body` vectors, `tail` elements. */
typedef struct {
    uint head, body, tail;
} split_t;

split_t super_split(size_t offset)
{
    split_t split;
    split.head = min((uint)(-offset % PARTS), (uint)VECTORS);
    split.body = (VECTORS - split.head) / PARTS;
    split.tail = VECTORS - split.head - split.body * PARTS;
    return split;
}

/* The element of the head or the tail that this work-item carries, or VECTORS for none. */
uint edge_element(split_t split, uint id)
{
    return id < split.head                               ? id
           : id >= PARTS && id - PARTS < split.tail ? VECTORS - split.tail + id - PARTS
                                                         : VECTORS;
}

/* `base` is a multiple of 16 and the work-group is GROUP >= 2 * PARTS. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_cut_shift(__global uchar *mem, ulong base, ulong rows_wide,
             __global const element_t *saved_all, ulong searchers)
{
    __local ushort found[SPAN];
    __local uint count;
    __local uint4 stage[AHEAD][STAGE];
    index_t rows = (index_t)rows_wide, places = rows * COLUMNS;
    size_t instance = get_global_id(1);
    index_t blocks = (places + CUT - 1) / CUT;
    __global element_t *all = (__global element_t *)(mem + base);
    ulong group = get_group_id(0), groups = get_num_groups(0);
    ulong before = group * searchers / groups;
    uint id = get_local_id(0);
    index_t block = (index_t)(group - before), stride = (index_t)(groups - searchers), at;
    bool more;

    if (IS_SEARCHER(group, groups, searchers)) {
        cycles_search(ARRAY(mem, base, places), rows, places, (index_t)before * SPAN, found,
                      &count);
        return;
    }
    at = block * CUT + cut_offset(block);
    more = block < blocks && at < places;
    while (more) {
        uint4 body[AHEAD][SHIFT_ITEMS];
        element_t edge[AHEAD];
        uint edge_at[AHEAD], from_head[AHEAD], from_body[AHEAD];
        index_t to[AHEAD];
        bool valid[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            valid[k] = more;
            to[k] = at;
            if (more) {
                index_t from = pull_source(rows, at);
                bool end = is_cut(from);
                size_t offset = end ? (instance * blocks + from / CUT) * VECTORS
                                    : (instance * places + from) * VECTORS;
                __global const element_t *source =
                    (end ? saved_all : (__global const element_t *)all) + offset;
                split_t split = super_split(offset);
                __global const uint4 *vectors = (__global const uint4 *)(source + split.head);
#pragma unroll
                for (uint p = 0; p < SHIFT_ITEMS; p++)
                    if (id + p * GROUP < split.body)
                        body[k][p] = vectors[id + p * GROUP];
                edge_at[k] = edge_element(split, id);
                if (edge_at[k] < VECTORS)
                    edge[k] = source[edge_at[k]];
                from_head[k] = split.head;
                from_body[k] = split.body;
                at = from;
                if (end) {
                    block += stride;
                    at = block * CUT + cut_offset(block);
                    more = block < blocks && at < places;
                }
            }
        }
        /* In local memory a super-element begins so that its body is aligned there too. */
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (valid[k]) {
                uint begin = (PARTS - from_head[k]) % PARTS;
#pragma unroll
                for (uint p = 0; p < SHIFT_ITEMS; p++)
                    if (id + p * GROUP < from_body[k])
                        stage[k][(begin + from_head[k]) / PARTS + id + p * GROUP] = body[k][p];
                if (edge_at[k] < VECTORS)
                    ((__local element_t *)stage[k])[begin + edge_at[k]] = edge[k];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (valid[k]) {
                size_t offset = (instance * places + to[k]) * VECTORS;
                split_t split = super_split(offset);
                __local const element_t *staged =
                    (__local const element_t *)stage[k] + (PARTS - from_head[k]) % PARTS;
                __global uint4 *vectors = (__global uint4 *)(all + offset + split.head);
                uint e = edge_element(split, id);
#pragma unroll
                for (uint p = 0; p < SHIFT_ITEMS; p++) {
                    uint v = id + p * GROUP;
                    if (v < split.body) {
                        union {
                            uint4 vector;
                            element_t elements[PARTS];
                        } out;
#pragma unroll
                        for (uint c = 0; c < PARTS; c++)
                            out.elements[c] = staged[split.head + v * PARTS + c];
                        vectors[v] = out.vector;
                    }
                }
                if (e < VECTORS)
                    all[offset + e] = staged[e];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
