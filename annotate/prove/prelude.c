/* SPDX-License-Identifier: MIT */
/* Calls of what the prelude defines: its text is the one that is tested. */
#include "annotate/prove/prove.h"

#include <string.h>

bool dl__is_equal(struct dl__prover *p, const struct dl__known *v,
                  struct dl__integer wanted)
{
    return v->kind == DL__K_INTEGER && dl__seal(p, v->integer).ring == wanted.ring;
}

static struct dl__known far_at(struct dl__prover *p, struct dl__node *n,
                               const struct dl__known *a)
{
    struct dl__known out = {.kind = DL__K_FAR};
    int64_t zero;

    if (dl__is_index_null(p, &a[1]))
        return out;
    if (a[0].kind != DL__K_PLACE || !a[0].buffer || a[0].spot_count || a[0].is_base ||
        !dl__integer_is_constant(a[0].steps, &zero) || zero ||
        !dl__integer_is_constant(a[0].inner, &zero) || zero || a[1].kind != DL__K_INTEGER)
        dl__lose(p, n, "a pointer into one of several buffers is made of something else");
    if (p->is_tiled && (!dl__is_equal(p, &a[2], a[0].buffer->head) ||
                        !dl__is_equal(p, &a[3], a[0].buffer->tail)))
        dl__lose(p, n, "it is given another buffer's tiles");
    out.buffer = a[0].buffer;
    out.integer = a[1].integer;
    return out;
}

/* A pointer that is not null as a number. */
static struct dl__known far_place(struct dl__prover *p, struct dl__node *n,
                                  const struct dl__known *a)
{
    int64_t bytes;

    if (a[0].kind != DL__K_FAR || !a[0].buffer || a[1].kind != DL__K_INTEGER ||
        !dl__integer_is_constant(a[1].integer, &bytes) ||
        bytes != (int64_t)dl__step_bytes(a[0].buffer))
        dl__lose(p, n,
                 "where a pointer into one of several buffers is, is not understood");
    return dl__know_integer(dl__place_number(a[0].buffer, a[0].integer, (uint32_t)bytes));
}

static bool run_far(struct dl__prover *p, struct dl__node *n, const struct dl__known *a,
                    struct dl__known *out)
{
    bool beyond = !strcmp(n->name, "dl_far_beyond");

    if (!strcmp(n->name, "dl_far_none")) {
        *out = (struct dl__known){.kind = DL__K_FAR};
        return true;
    }
    if (!strcmp(n->name, "dl_far_at")) {
        *out = far_at(p, n, a);
        return true;
    }
    if (!strcmp(n->name, "dl_far_place")) {
        *out = far_place(p, n, a);
        return true;
    }
    if (!strcmp(n->name, "dl_far_set")) {
        *out = a[0];
        if (out->kind != DL__K_FAR || !out->buffer || a[1].kind != DL__K_INTEGER)
            dl__lose(p, n, "a pointer into one of several buffers is not understood");
        out->integer = a[1].integer;
        return true;
    }
    if (!beyond && strcmp(n->name, "dl_far_moved"))
        return false;
    *out = a[beyond];
    if (out->kind != DL__K_FAR || !out->buffer || a[!beyond].kind != DL__K_INTEGER)
        dl__lose(p, n, "a pointer into one of several buffers is not understood");
    out->integer = dl__integer_combine('+', out->integer, a[!beyond].integer);
    return true;
}

/* Of an offset that is in the struct, as the program has it: the struct is the same, and
 * so is the offset. */
static struct dl__known owned(struct dl__prover *p, struct dl__node *n,
                              const struct dl__known *a)
{
    const struct dl__known *out = &a[n->name[3] == 'o' ? 0 : 2];
    bool is_of_one = false;
    int64_t bytes;

    if (out->kind != DL__K_INTEGER || a[1].kind != DL__K_INTEGER ||
        !dl__integer_is_constant(a[1].integer, &bytes))
        dl__lose(p, n, "an offset in a struct is not understood");
    for (size_t b = 0; b < p->buffers.count; b++)
        is_of_one |= p->buffers.items[b]->note->leaves.struct_bytes == bytes;
    if (!is_of_one)
        dl__lose(p, n, "an offset is taken for that in a struct of another size");
    return *out;
}

bool dl__prove_prelude(struct dl__prover *p, struct dl__node *n,
                       const struct dl__known *a, size_t count, struct dl__known *out)
{
    struct dl__reached *s;

    if (!strcmp(n->name, "dl_owner") || !strcmp(n->name, "dl_rest")) {
        *out = owned(p, n, a);
        return true;
    }
    if (!strcmp(n->name, "dl_byte") || !strcmp(n->name, "dl_byte_of_row")) {
        for (size_t i = 0; i < count; i++)
            if (a[i].kind != DL__K_INTEGER)
                dl__lose(p, n, "the formula's arguments are not understood");
        s = DL__NEW(p->arena, struct dl__reached);
        s->is_tiled = true;
        s->index = a[0].integer;
        s->row = a[1].integer;
        s->offset = dl__refine(p, a[2].integer);
        s->width = a[3].integer;
        s->extra = dl__zero();
        s->head = a[4].integer.exact;
        s->tail = a[5].integer.exact;
        *out = (struct dl__known){
            .kind = DL__K_TILED, .spots = s, .spot_count = 1, .inner = dl__zero()};
        return true;
    }
    if (run_far(p, n, a, out))
        return true;
    if (!strcmp(n->name, "dl_same") || !strcmp(n->name, "dl_apart")) {
        if (a[0].kind != DL__K_PART || a[1].kind != DL__K_PART)
            dl__lose(p, n, "a part is not understood");
        *out = n->name[3] == 's' ? dl__compare_parts(p, &a[0], &a[1])
                                 : dl__parts_apart(p, &a[0], &a[1]);
        return true;
    }
    if (!strcmp(n->name, "dl_part_at")) {
        if (a[0].kind != DL__K_INTEGER || a[1].kind != DL__K_INTEGER)
            dl__lose(p, n, "a part is not understood");
        *out = (struct dl__known){
            .kind = DL__K_PART, .integer = a[0].integer, .inner = a[1].integer};
        return true;
    }
    if (!strcmp(n->name, "dl_moved") || !strcmp(n->name, "dl_beyond")) {
        bool beyond = n->name[3] == 'b';

        *out = a[beyond];
        if (out->kind != DL__K_PART || a[!beyond].kind != DL__K_INTEGER)
            dl__lose(p, n, "a part is not understood");
        out->inner = dl__integer_combine('+', out->inner, a[!beyond].integer);
        return true;
    }
    return false;
}
