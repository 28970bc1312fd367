/* SPDX-License-Identifier: MIT */
/* One access: its form, its bytes, and what stands around it, as a fact of the kernel's
 * root. */
#include "annotate/facts/collect.h"
#include "annotate/forms/width.h"

#include "annotate/track/node.h"
#include "annotate/track/part.h"

uint32_t dl__levels_of(const struct dl__collector *c, dl__variation v, bool rest)
{
    size_t parameters = c->frame->outline->unit->function->parameter_count;
    uint32_t levels = 0;

    for (unsigned i = 0; i < DL__LOOPS_MAX; i++)
        if (v >> i & 1)
            levels |= c->loop_level[i];
    for (size_t i = 0; i < parameters && dl__variation_bit(i); i++)
        if (v & dl__variation_bit(i))
            levels |= rest ? c->rest_levels[i] : c->rows_levels[i];
    return levels;
}

static enum dl_access_form form_of(struct dl__value v, int32_t *step)
{
    *step = 0;
    switch (v.kind) {
    case DL__V_UNIFORM:
        return DL_ACCESS_UNIFORM;
    case DL__V_GATHER:
        return DL_ACCESS_GATHER;
    case DL__V_LINEAR:
        if (v.step > INT32_MAX || v.step < -INT32_MAX)
            return DL_ACCESS_UNKNOWN;
        *step = (int32_t)v.step;
        return DL_ACCESS_LINEAR;
    default:
        return DL_ACCESS_UNKNOWN;
    }
}

static bool same_place(const struct dl_access_fact *a, const struct dl_access_fact *b)
{
    return a->form == b->form && a->step == b->step && a->offset == b->offset &&
           a->bytes == b->bytes && a->atomic == b->atomic && a->walks == b->walks &&
           a->loops == b->loops && a->conditional == b->conditional;
}

static void add_to(struct dl__collector *c, struct dl__facts *facts,
                   const struct dl__seen *seen)
{
    struct dl__analysis *a = c->frame->analysis;

    for (size_t i = 0; i < facts->count; i++) {
        if (!same_place(&facts->items[i].fact, &seen->fact))
            continue;
        facts->items[i].fact.reads |= seen->fact.reads;
        facts->items[i].fact.writes |= seen->fact.writes;
        return;
    }
    if (facts->count == DL__FACTS_MAX)
        a->failed = true;
    else
        DL__PUSH(a->arena, facts, *seen);
}

/* Adds a fact of a helper's or kernel's root to the kernel's, or to all those that it may
 * be. */
static void add_fact(struct dl__collector *c, const struct dl__node *at,
                     const struct dl__root *root, struct dl__value index, uint32_t offset,
                     uint32_t bytes, unsigned how, bool walks)
{
    struct dl__analysis *a = c->frame->analysis;
    struct dl__root *whole = c->frame->roots[root->parameter];
    struct dl__facts *facts = (struct dl__facts *)(whole ? whole->facts : NULL);
    struct dl__seen seen = {.at = at->begin};
    struct dl_access_fact *fact = &seen.fact;

    if (!facts) {
        a->failed = true;
        return;
    }
    fact->form = form_of(index, &fact->step);
    fact->offset = offset;
    fact->bytes = bytes;
    fact->reads = how & DL__READS;
    fact->writes = how & DL__WRITES;
    fact->atomic = how & DL__ATOMIC;
    fact->walks = walks;
    fact->loops = (uint8_t)(c->loops < UINT8_MAX ? c->loops : UINT8_MAX);
    fact->conditional = dl__is_conditional(c);
    if (!whole->is_joined) {
        add_to(c, facts, &seen);
        return;
    }
    for (size_t i = 0; i < a->kernel->root_count; i++)
        if (a->kernel->roots[i].is_joined && a->kernel->roots[i].element == root->element)
            add_to(c, (struct dl__facts *)a->kernel->roots[i].facts, &seen);
}

void dl__note_elements(struct dl__collector *c, const struct dl__node *at,
                       const struct dl__root *root, struct dl__pair pair,
                       uint32_t rows_levels, uint32_t rest_levels, unsigned how,
                       unsigned elements)
{
    bool arrays = dl__is_of_arrays(root);
    bool known = arrays ? root->element->fields->type->count > 1 : dl__row_elements(root);
    uint32_t element_bytes = root->element_type->bytes;
    uint32_t row_bytes = known ? root->element->bytes : UINT32_MAX;
    uint32_t decides = arrays ? rows_levels & ~rest_levels : rest_levels & ~rows_levels;
    struct dl__value inside, rows = dl__pair_struct(root, pair, &inside);
    uint64_t offset = 0, bytes = row_bytes;

    if (inside.kind == DL__V_UNIFORM && inside.rest >= 0 &&
        (uint64_t)inside.rest * element_bytes < row_bytes) {
        offset = (uint64_t)inside.rest * element_bytes;
        bytes = (uint64_t)elements * element_bytes;
        if (offset + bytes > row_bytes)
            bytes = row_bytes - offset;
    }
    add_fact(c, at, root, rows, (uint32_t)offset, (uint32_t)bytes, how,
             inside.kind == DL__V_NOTHING && decides);
}

/* The bytes of a place in its struct; `*levels`: what decides which of them. `rest`:
 * where the part is that its pointer points to. */
static void find_bytes(struct dl__collector *c, const struct dl__access *p,
                       struct dl__value rest, uint32_t *offset, uint32_t *bytes,
                       uint32_t *levels)
{
    const struct dl__type *type = p->root->element_type;
    uint32_t whole = p->root->element->bytes;
    bool known = dl__value_is_constant(rest) && rest.rest >= 0 &&
                 (uint64_t)rest.rest + type->bytes <= whole;

    known |= !p->root->is_part;
    *offset = p->root->is_part && known ? (uint32_t)rest.rest : 0;
    *bytes = known ? type->bytes : whole;
    *levels = 0;
    for (size_t i = 0; i < p->step_count; i++) {
        struct dl__value index = dl__value_constant(0);

        type = p->steps[i].type;
        if (p->step_index[i]) {
            index = dl__evaluate(c->frame, p->step_index[i]);
            *levels |= dl__levels_of(
                c, dl__variation_of(c->frame->outline, p->step_index[i]), false);
        }
        if (!known)
            continue; /* the whole array */
        if (p->steps[i].field) {
            *offset += p->steps[i].field->offset_bytes;
        } else if (dl__value_is_constant(index) && index.rest >= 0 &&
                   (uint64_t)(index.rest + 1) * type->bytes <= *bytes) {
            *offset += (uint32_t)index.rest * type->bytes;
        } else {
            known = false;
            continue;
        }
        *bytes = type->bytes;
    }
}

void dl__note_place(struct dl__collector *c, const struct dl__node *at,
                    const struct dl__access *p, unsigned how, uint32_t bytes_wanted)
{
    struct dl__outline *o = c->frame->outline;
    struct dl__pair pair = dl__evaluate_place(c->frame, p);
    dl__variation rest = 0, rows = p->array_count
                                       ? 0
                                       : dl__variation_of_pointer(o, p->pointer, &rest);
    uint32_t offset, bytes, levels, row_levels;

    for (size_t i = 0; i < p->array_count; i++)
        rows |= dl__variation_of(o, p->array_index[i]);
    if (p->index)
        rows |= dl__variation_of_offset(o, p->root, p->index, &rest);
    row_levels = dl__levels_of(c, rows, false);
    if (!dl__is_of_structs(p->root)) {
        dl__note_elements(c, at, p->root, pair, row_levels, dl__levels_of(c, rest, true),
                          how, 1);
        return;
    }
    find_bytes(c, p, pair.rest, &offset, &bytes, &levels);
    if (p->root->is_part)
        levels |= dl__levels_of(c, rest, true);
    else if (bytes_wanted && (uint64_t)offset + bytes_wanted <= p->root->element->bytes)
        bytes = bytes_wanted;
    add_fact(c, at, p->root, pair.rows, offset, bytes, how, levels & ~row_levels);
}
