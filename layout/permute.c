/* SPDX-License-Identifier: MIT */
/* The search for the cheapest sequence of moves. */
#include "permute.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Axes [first, middle) change places with [middle, past); a swap: of axes first and past
 * - 1 alone. */
struct step {
    uint8_t first, middle, past;
    bool is_swap;
};

/* How the search reached an order of the axes; nodes have the orders' numbers. */
struct node {
    double cost;
    uint32_t before;
    struct step step;
    bool is_settled;
};

struct entry {
    double cost;
    uint32_t number;
};

struct search {
    const uint64_t *extents;
    unsigned axes;
    uint64_t instances, element_bytes;
    dl_move_cost *cost;
    const void *state;
    struct node *nodes; /* one for each order */
    struct entry *heap; /* the cheapest first; an order may be in it more than once */
    size_t heap_count, heap_capacity;
};

/* ---- orders by number ---- */

/* The factorial number: for each place, which of the axes that are left stands there. */
static uint32_t number_of(const uint8_t *now, unsigned axes)
{
    uint32_t number = 0;

    for (unsigned p = 0; p < axes; p++) {
        unsigned smaller = 0;
        for (unsigned q = p + 1; q < axes; q++)
            smaller += now[q] < now[p];
        number = number * (axes - p) + smaller;
    }
    return number;
}

static void order_of(uint32_t number, unsigned axes, uint8_t *now)
{
    uint8_t digits[DL_PERMUTE_AXES_MAX], left[DL_PERMUTE_AXES_MAX];

    for (unsigned p = axes; p-- > 0; number /= axes - p)
        digits[p] = (uint8_t)(number % (axes - p));
    for (unsigned a = 0; a < axes; a++)
        left[a] = (uint8_t)a;
    for (unsigned p = 0; p < axes; p++) {
        now[p] = left[digits[p]];
        memmove(left + digits[p], left + digits[p] + 1, axes - digits[p] - 1u);
    }
}

/* ---- the heap ---- */

static bool heap_push(struct search *search, struct entry entry)
{
    size_t at;

    if (search->heap_count == search->heap_capacity) {
        size_t capacity = search->heap_capacity * 2 + 64;
        struct entry *heap = realloc(search->heap, capacity * sizeof *heap);
        if (!heap)
            return false;
        search->heap = heap;
        search->heap_capacity = capacity;
    }
    for (at = search->heap_count++; at > 0; at = (at - 1) / 2) {
        if (search->heap[(at - 1) / 2].cost <= entry.cost)
            break;
        search->heap[at] = search->heap[(at - 1) / 2];
    }
    search->heap[at] = entry;
    return true;
}

static struct entry heap_pop(struct search *search)
{
    struct entry top = search->heap[0], last = search->heap[--search->heap_count];
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= search->heap_count)
            break;
        if (child + 1 < search->heap_count &&
            search->heap[child + 1].cost < search->heap[child].cost)
            child++;
        if (search->heap[child].cost >= last.cost)
            break;
        search->heap[at] = search->heap[child];
        at = child;
    }
    search->heap[at] = last;
    return top;
}

/* ---- the search ---- */

static uint64_t product(const struct search *search, const uint8_t *now, unsigned first,
                        unsigned past)
{
    uint64_t elements = 1;

    for (unsigned p = first; p < past; p++)
        elements *= search->extents[now[p]];
    return elements;
}

static struct dl_move move_of(const struct search *search, const uint8_t *now,
                              struct step step)
{
    struct dl_move move = {
        .instances = search->instances * product(search, now, 0, step.first),
        .middle = 1,
        .element_bytes =
            search->element_bytes * product(search, now, step.past, search->axes)};

    if (step.is_swap) {
        move.rows = search->extents[now[step.first]];
        move.columns = search->extents[now[step.past - 1]];
        move.middle = product(search, now, step.first + 1u, step.past - 1u);
    } else {
        move.rows = product(search, now, step.first, step.middle);
        move.columns = product(search, now, step.middle, step.past);
    }
    return move;
}

static void step_apply(struct step step, uint8_t *now)
{
    uint8_t moved[DL_PERMUTE_AXES_MAX];
    size_t down = step.middle - step.first, up = step.past - step.middle;

    if (step.is_swap) {
        uint8_t axis = now[step.first];
        now[step.first] = now[step.past - 1];
        now[step.past - 1] = axis;
        return;
    }
    memcpy(moved, now + step.first, down);
    memmove(now + step.first, now + step.middle, up);
    memcpy(now + step.first + up, moved, down);
}

/* Follows a step from a settled order. */
static bool step_try(struct search *search, uint32_t number, const uint8_t *now,
                     struct step step)
{
    struct dl_move move = move_of(search, now, step);
    uint8_t next[DL_PERMUTE_AXES_MAX];
    struct node *node;
    struct entry entry;

    memcpy(next, now, search->axes);
    step_apply(step, next);
    entry.number = number_of(next, search->axes);
    node = &search->nodes[entry.number];
    if (node->is_settled)
        return true;
    entry.cost = search->nodes[number].cost + search->cost(search->state, &move);
    if (entry.cost >= node->cost)
        return true;
    node->cost = entry.cost;
    node->before = number;
    node->step = step;
    return heap_push(search, entry);
}

static bool steps_try(struct search *search, uint32_t number)
{
    uint8_t now[DL_PERMUTE_AXES_MAX];
    bool good = true;

    order_of(number, search->axes, now);
    for (unsigned first = 0; first + 1 < search->axes; first++)
        for (unsigned past = first + 2; past <= search->axes && good; past++) {
            for (unsigned middle = first + 1; middle < past && good; middle++)
                good = step_try(
                    search, number, now,
                    (struct step){(uint8_t)first, (uint8_t)middle, (uint8_t)past, false});
            if (good && past - first > 2 &&
                search->extents[now[first]] == search->extents[now[past - 1]])
                good = step_try(search, number, now,
                                (struct step){(uint8_t)first, (uint8_t)(first + 1),
                                              (uint8_t)past, true});
        }
    return good;
}

static enum dl_status search_run(struct search *search, uint32_t wanted)
{
    while (search->heap_count > 0) {
        struct entry entry = heap_pop(search);
        struct node *node = &search->nodes[entry.number];
        if (node->is_settled)
            continue;
        node->is_settled = true;
        if (entry.number == wanted)
            return DL_OK;
        if (!steps_try(search, entry.number))
            return DL_ENOMEM;
    }
    return DL_EINVAL; /* `order` is not a permutation */
}

static enum dl_status moves_read(const struct search *search, uint32_t wanted,
                                 struct dl_move *moves, size_t *count)
{
    uint8_t now[DL_PERMUTE_AXES_MAX];
    size_t length = 0;

    for (uint32_t at = wanted; at != 0; at = search->nodes[at].before)
        length++;
    if (length > DL_PERMUTE_MOVES_MAX)
        return DL_ELIMIT;
    *count = length;
    for (uint32_t at = wanted; at != 0; at = search->nodes[at].before) {
        order_of(search->nodes[at].before, search->axes, now);
        moves[--length] = move_of(search, now, search->nodes[at].step);
    }
    return DL_OK;
}

enum dl_status dl_permute_search(const uint64_t *extents, const unsigned *order,
                                 unsigned axes, uint64_t instances,
                                 uint64_t element_bytes, dl_move_cost *cost,
                                 const void *state, struct dl_move *moves, size_t *count)
{
    struct search search = {extents, axes, instances, element_bytes, cost, state, NULL,
                            NULL,    0,    0};
    uint8_t now[DL_PERMUTE_AXES_MAX];
    uint32_t orders = 1, wanted;
    enum dl_status st = DL_ENOMEM;

    if (axes > DL_PERMUTE_AXES_MAX)
        return DL_EINVAL;
    for (unsigned a = 0; a < axes; a++) {
        orders *= a + 1;
        now[a] = (uint8_t)order[a];
    }
    wanted = number_of(now, axes);
    search.nodes = malloc(orders * sizeof *search.nodes);
    if (search.nodes) {
        for (uint32_t n = 0; n < orders; n++)
            search.nodes[n] = (struct node){.cost = n ? DBL_MAX : 0};
        if (heap_push(&search, (struct entry){0, 0}))
            st = search_run(&search, wanted);
    }
    if (st == DL_OK)
        st = moves_read(&search, wanted, moves, count);
    free(search.nodes);
    free(search.heap);
    return st;
}
