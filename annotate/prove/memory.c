/* SPDX-License-Identifier: MIT */
/* Accesses of one text looked for in the other. */
#include <string.h>

#include "annotate/prove/prove.h"

static struct dl__integer product(struct dl__integer a, struct dl__integer b)
{
    a.is_signed = b.is_signed = true;
    a.bits = b.bits = 64;
    return dl__integer_combine('*', a, b);
}

/* The division whose quotient this is. */
static const struct dl__division *division_of(const struct dl__reached *s, dl__number q)
{
    for (size_t i = s->division_count; i > 0; i--)
        if (s->divisions[i - 1].quotient.exact == q)
            return &s->divisions[i - 1];
    return NULL;
}

/* True when the row is known to be one of the buffer's. */
static bool is_row(const struct dl__reached *s, dl__number structs)
{
    for (size_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].is_less && s->facts[i].left.ring == s->index.ring &&
            !s->facts[i].left.is_signed && s->facts[i].right.exact == structs)
            return true;
    return false;
}

/* The leaf that holds a byte. */
static const struct dl_leaf *leaf_at(const struct dl__proved_buffer *b, uint32_t at)
{
    for (size_t i = 0; i < b->note->leaves.leaf_count; i++) {
        const struct dl_leaf *leaf = &b->note->leaves.leaves[i];

        if (at >= leaf->offset_bytes && at - leaf->offset_bytes < leaf->width_bytes)
            return leaf;
    }
    return NULL;
}

/* In a struct: for every place that the program may mean, the same bytes of one leaf. */
static const char *check_struct(const struct dl__known *old_place,
                                const struct dl__reached *s, uint32_t new_bytes,
                                int64_t delta)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    int64_t width, extra, offset;
    bool has_extra = dl__integer_is_constant(s->extra, &extra);
    bool has_offset = dl__integer_is_constant(s->offset, &offset);

    if (!dl__integer_is_constant(s->width, &width))
        return "the leaf's width is not a constant";
    if (!old_place->offsets.count)
        return "which members it may reach is not known";
    for (size_t i = 0; i < old_place->offsets.count; i++) {
        int64_t at = old_place->offsets.items[i] + delta;
        const struct dl_leaf *leaf = at < 0 || at >= b->note->leaves.struct_bytes
                                         ? NULL
                                         : leaf_at(b, (uint32_t)at);

        if (!leaf)
            return "it may lie outside the struct's leaves";
        if (leaf->width_bytes != width)
            return "the leaf there has another width";
        if (at + new_bytes > leaf->offset_bytes + leaf->width_bytes)
            return "it may go over the end of a leaf";
        if (has_extra ? at - extra != leaf->offset_bytes
                      : !has_offset || offset != leaf->offset_bytes)
            return "it may not begin where the leaf does";
    }
    return NULL;
}

/* True when a part of an index that was compared as 32 bits is what was compared: a
 * longer one may lie in the row only by its remainder. */
static bool is_whole(struct dl__integer offset, uint32_t unit_bytes)
{
    dl__bound past = (dl__bound)1 << (offset.bits == 64 ? 62 : 32);

    return offset.low >= (DL_FLAT_WIDTH_MAX - past) * unit_bytes &&
           offset.high < past * unit_bytes;
}

/* In a row: an element of it. */
static const char *check_row(const struct dl__prover *p,
                             const struct dl__known *old_place,
                             const struct dl__reached *s)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    struct dl__integer offset = s->offset;
    int64_t width, extra, row;
    dl__number unit = dl__number_of(b->unit_bytes);

    if (!dl__integer_is_constant(s->width, &width) || width != b->unit_bytes)
        return "the leaf there has another width";
    if (!dl__integer_is_constant(s->extra, &extra) || extra)
        return "it is not the whole element";
    /* Its row and element are those of the whole numbers only where nothing wraps. */
    if (old_place->steps.is_vast && !is_row(s, b->structs))
        return "the row may lie outside the buffer";
    if (dl__integer_is_constant(b->row, &row) && offset.low >= 0 &&
        offset.high <= row - b->unit_bytes)
        return NULL;
    for (size_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].is_less && s->facts[i].right.exact == b->width.exact &&
            !s->facts[i].left.is_signed &&
            dl__number_multiply(s->facts[i].left.ring, unit) == offset.ring &&
            (is_whole(offset, b->unit_bytes) || is_row(s, b->structs) ||
             dl__split_is_near(p, &s->index)))
            return NULL;
    for (size_t i = 0; i < s->division_count; i++) {
        const struct dl__division *d = &s->divisions[i];

        if (d->divisor.exact == b->width.exact && d->dividend.low >= 0 &&
            dl__number_multiply(d->rest.ring, unit) == offset.ring)
            return NULL;
    }
    return "the element may lie outside its row";
}

/* Of an index that wraps at 2^32: true when the row and element that it is split into are
 * known not to wrap, since row <= (2^32 - 1 - element) / width; *sum is the element's
 * index modulo 2^32. */
static bool is_split_whole(const struct dl__proved_buffer *b, const struct dl__reached *s,
                           dl__number *sum)
{
    dl__number unit = dl__number_of(b->unit_bytes), wraps = dl__number_of(UINT32_MAX);

    for (size_t i = 0; i < s->fact_count; i++) {
        const struct dl__fact *f = &s->facts[i];
        const struct dl__division *d = f->is_less || f->right.exact != s->index.exact
                                           ? NULL
                                           : division_of(s, f->left.exact);
        dl__number element;

        if (!d || d->divisor.exact != b->width.exact)
            continue;
        element = dl__number_subtract(wraps, d->dividend.exact);
        if (dl__number_multiply(element, unit) != s->offset.exact)
            continue;
        *sum = dl__number_add(dl__number_multiply(s->index.word, b->width.word),
                              dl__number_subtract(wraps, d->dividend.word));
        return true;
    }
    return false;
}

/* The same of an index of 32 bits among longer ones. The program's lies in the buffer, so
 * it is not negative either. */
static bool distance_of_short(const struct dl__known *old_place,
                              const struct dl__reached *s, int64_t *delta)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    const struct dl__division *d = division_of(s, s->index.exact);
    dl__number unit = dl__number_of(b->unit_bytes), from, to;

    if (old_place->steps.high > UINT32_MAX)
        return false;
    if (!b->is_flat)
        return old_place->steps.word == s->index.word && s->index.low >= 0 &&
               s->index.high <= UINT32_MAX &&
               dl__number_is_small(
                   dl__number_subtract(dl__number_add(s->offset.exact, s->extra.exact),
                                       old_place->inner.exact),
                   delta);
    if (!d || d->divisor.exact != b->width.exact || d->dividend.low < 0 ||
        d->dividend.high > UINT32_MAX ||
        (s->offset.exact != dl__number_multiply(d->rest.exact, unit) &&
         s->offset.exact != dl__number_multiply(d->raw_rest, unit)))
        return false;
    to = dl__number_add(dl__number_multiply(d->dividend.word, unit), s->extra.exact);
    from = dl__number_add(dl__number_multiply(old_place->steps.word, unit),
                          old_place->inner.exact);
    return dl__number_is_small(dl__number_subtract(to, from), delta);
}

/* True where the element's index, counted in 64 bits, was compared with 2^32; *sum is it
 * modulo 2^32. */
static bool is_sum_short(const struct dl__proved_buffer *b, const struct dl__reached *s,
                         dl__number *sum)
{
    dl__number unit = dl__number_of(b->unit_bytes), width = b->width.exact;
    int64_t most;

    for (size_t i = 0; i < s->fact_count; i++) {
        const struct dl__fact *f = &s->facts[i];

        if (f->is_less || f->right.is_signed || f->right.bits != 64 ||
            !dl__integer_is_constant(f->left, &most) || most > UINT32_MAX ||
            dl__number_multiply(f->right.exact, unit) !=
                dl__number_add(
                    dl__number_multiply(dl__number_multiply(s->index.exact, width), unit),
                    s->offset.exact))
            continue;
        *sum = f->right.word;
        return is_row(s, b->structs);
    }
    return false;
}

/* Sets how far the program's place is before that of the rewritten text; false: not a
 * constant. */
static bool distance(const struct dl__known *old_place, const struct dl__reached *s,
                     int64_t *delta)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    dl__number unit = dl__number_of(b->unit_bytes);
    struct dl__integer at = product(s->index, s->row);
    const struct dl__division *d = division_of(s, s->index.exact);
    dl__number exact, ring, begin, begin_ring, sum;

    exact = dl__number_add(dl__number_add(at.exact, s->offset.exact), s->extra.exact);
    ring = dl__number_add(dl__number_add(at.ring, s->offset.ring), s->extra.ring);
    begin = dl__number_add(dl__number_multiply(old_place->steps.exact, unit),
                           old_place->inner.exact);
    begin_ring = dl__number_add(dl__number_multiply(old_place->steps.ring, unit),
                                old_place->inner.ring);
    if (dl__number_is_small(dl__number_subtract(exact, begin), delta))
        return true;
    /* Structs: the index counts modulo 2^R, for it is a struct of the buffer. */
    if (!b->is_flat && old_place->steps.ring == s->index.ring &&
        dl__number_is_small(
            dl__number_subtract(dl__number_add(s->offset.exact, s->extra.exact),
                                old_place->inner.exact),
            delta))
        return true;
    if (distance_of_short(old_place, s, delta))
        return true;
    /* An array's index, which is in the array: neither does it wrap. */
    if (!b->is_flat && old_place->steps.ring == s->index.ring &&
        dl__number_is_small(
            dl__number_subtract(dl__number_add(s->offset.ring, s->extra.ring),
                                old_place->inner.ring),
            delta))
        return true;
    if (b->is_flat && (is_split_whole(b, s, &sum) || is_sum_short(b, s, &sum)) &&
        !old_place->inner.exact && old_place->steps.word == sum &&
        old_place->steps.low >= 0 && old_place->steps.high <= UINT32_MAX) {
        *delta = 0;
        return true;
    }
    /* Rows: the element's index counts modulo 2^R where it is split as a whole, or where
     * the row is known to be one of the buffer's. */
    return b->is_flat &&
           dl__number_is_small(dl__number_subtract(ring, begin_ring), delta) &&
           ((d && d->divisor.exact == b->width.exact) || is_row(s, b->structs));
}

static const char *reach_spot(const struct dl__prover *p,
                              const struct dl__known *old_place, uint32_t old_bytes,
                              const struct dl__proved_buffer *b,
                              const struct dl__reached *s, uint32_t new_bytes,
                              int64_t *delta)
{
    if (old_place->buffer != b)
        return "it is another buffer";
    if (!b->is_tiled) { /* addresses count modulo 2^64 */
        dl__number unit = dl__number_of(b->unit_bytes);
        dl__number to =
            dl__number_add(dl__number_multiply(s->index.ring, unit), s->extra.ring);
        dl__number from = dl__number_add(dl__number_multiply(old_place->steps.ring, unit),
                                         old_place->inner.ring);

        return dl__number_is_small(dl__number_subtract(to, from), delta) && *delta >= 0 &&
                       *delta + new_bytes <= old_bytes
                   ? NULL
                   : "it is another place in the program's own layout";
    }
    if (!s->is_tiled) {
        const struct dl__division *d = NULL;

        for (size_t i = 0; i < s->fact_count && !d; i++)
            if (!s->facts[i].is_less && s->facts[i].right.exact == b->structs)
                d = division_of(s, s->facts[i].left.exact);
        if (!b->is_flat || !d || d->divisor.exact != b->width.exact ||
            d->dividend.ring != s->index.ring)
            return "it is reached as if the buffer were not tiled";
        return dl__number_is_small(
                   dl__number_add(
                       dl__number_multiply(
                           dl__number_subtract(s->index.ring, old_place->steps.ring),
                           dl__number_of(b->unit_bytes)),
                       dl__number_subtract(s->extra.exact, old_place->inner.exact)),
                   delta) &&
                       *delta >= 0 && *delta + new_bytes <= old_bytes
                   ? NULL
                   : "it is another place behind the rows";
    }
    if (s->row.exact != b->row.exact)
        return "the rows have another size";
    if (!distance(old_place, s, delta))
        return "it is not shown to be the same place";
    if (*delta < 0 || *delta + new_bytes > old_bytes)
        return "it is another place";
    return b->is_flat ? check_row(p, old_place, s)
                      : check_struct(old_place, s, new_bytes, *delta);
}

/* NULL: the place of the rewritten text is the program's, moved by *delta bytes, and lies
 * in a leaf; else why not. */
static const char *reach(const struct dl__prover *p, const struct dl__known *old_place,
                         uint32_t old_bytes, const struct dl__known *new_place,
                         uint32_t new_bytes, int64_t *delta)
{
    const char *reason = new_place->spot_count ? NULL : "it goes around the formula";

    if (!new_place->spot_count && new_place->buffer && !new_place->buffer->is_tiled) {
        const struct dl__reached plain = {.index = new_place->steps,
                                          .extra = new_place->inner};

        return reach_spot(p, old_place, old_bytes, new_place->buffer, &plain, new_bytes,
                          delta);
    }
    for (size_t i = 0; i < new_place->spot_count && !reason; i++) {
        int64_t here = 0;

        reason = reach_spot(p, old_place, old_bytes, new_place->buffer,
                            &new_place->spots[i], new_bytes, &here);
        if (!reason && i && here != *delta)
            reason = "it is not the same place in all cases";
        *delta = here;
    }
    return reason;
}

/* What is read and written: the accesses of the rewritten text are looked for among
 * the program's. */

/* ---- effects ---- */

void dl__add_effect(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                    dl__number key)
{
    struct dl__effect effect = {.kind = DL__E_PLAIN, .key = key, .node = n};

    if (p->in_accessor)
        return;
    if (!t->is_new) {
        DL__PUSH(p->arena, &p->effects, effect);
        return;
    }
    if (p->next_effect >= p->effects.count ||
        p->effects.items[p->next_effect].kind != DL__E_PLAIN ||
        p->effects.items[p->next_effect].key != key)
        dl__lose(p, "the rewritten text does something else here, or in another order");
    p->next_effect++;
}

static size_t epoch_of(const struct dl__prover *p, const struct dl__side_text *t)
{
    return t->is_new ? p->next_effect : p->effects.count;
}

/* ---- reading ---- */

/* Of what the bytes are; 0 for a struct's. */
static dl__number kind_of(const struct dl__type *type)
{
    const struct dl__type *in = type->kind == DL__T_VECTOR ? type->element : type;

    return in->kind == DL__T_SCALAR ? dl__type_number(in) : 0;
}

/* The same for what is read at one place at one time. */
dl__number dl__access_piece(const struct dl__prover *p,
                            const struct dl__access_old *access, uint32_t offset,
                            uint32_t bytes)
{
    const struct dl__known *place = &access->place;
    dl__number unit = dl__number_of(place->buffer->unit_bytes);
    /* What it reaches lies in the buffer: it is told from others by its index modulo 2^R,
     * or modulo 2^32 where it is not larger. */
    bool is_short = place->steps.high <= UINT32_MAX;
    dl__number at = dl__number_add(
        dl__number_multiply(is_short ? place->steps.word : place->steps.ring, unit),
        is_short ? place->inner.word : place->inner.ring);

    at = dl__number_add(at, dl__number_of(offset));
    return dl__draw("access", dl__draw("at", place->buffer->number, at, p->clock),
                    dl__draw("bytes", bytes, kind_of(access->type),
                             access->type->kind == DL__T_OTHER),
                    access->number);
}

/* Several mentions of one place are one. */
static void mark_reached(struct dl__prover *p, const struct dl__access_old *access)
{
    for (size_t i = 0; i < p->accesses.count; i++)
        if (p->accesses.items[i].key == access->key &&
            (p->accesses.items[i].epoch == SIZE_MAX) == (access->epoch == SIZE_MAX))
            p->accesses.items[i].is_reached = true;
}

static size_t add_access(struct dl__prover *p, struct dl__node *n, struct dl__known place,
                         const struct dl__type *type, bool stores)
{
    struct dl__access_old access = {.node = n,
                                    .place = place,
                                    .type = type,
                                    .epoch = stores ? SIZE_MAX : p->effects.count,
                                    .number = p->effects.count};

    access.key = dl__access_piece(p, &access, 0, type->bytes);
    DL__PUSH(p->arena, &p->accesses, access);
    return p->accesses.count - 1;
}

static bool same_kind(const struct dl__type *old_type, const struct dl__type *new_type)
{
    const struct dl__type *a = old_type, *b = new_type;

    if (a->kind == DL__T_STRUCT || a->kind == DL__T_OTHER)
        return true; /* bytes are copied */
    a = a->kind == DL__T_VECTOR ? a->element : a;
    b = b->kind == DL__T_VECTOR ? b->element : b;
    return a->kind == b->kind && a->scalar == b->scalar && a->bytes == b->bytes;
}

/* Each volatile access is one of the program's, in the program's order. */
static void load_volatile(struct dl__prover *p, struct dl__side_text *t,
                          struct dl__node *n, const struct dl__access_old *access)
{
    dl__add_effect(p, t, n, dl__draw("volatile", access->key, 0, 0));
}

static struct dl__known load_new(struct dl__prover *p, struct dl__node *n,
                                 const struct dl__known *place,
                                 const struct dl__type *type, dl__number lanes)
{
    const char *reason = "the program reads nothing here", *said;

    for (size_t i = 0; i < p->accesses.count; i++) {
        struct dl__access_old *access = &p->accesses.items[i];
        int64_t delta;

        if (access->epoch != epoch_of(p, &p->new_text))
            continue;
        said = !same_kind(access->type, type) ||
                       access->type->is_volatile != type->is_volatile
                   ? "it is read as another type"
                   : reach(p, &access->place, access->type->bytes, place, type->bytes,
                           &delta);
        if (said) {
            /* That of another buffer is not meant. */
            reason = access->place.buffer == place->buffer || i == 0 ? said : reason;
            continue;
        }
        mark_reached(p, access);
        if (type->is_volatile)
            load_volatile(p, &p->new_text, n, access);
        return dl__know_typed(
            dl__access_piece(p, access, (uint32_t)delta, type->bytes) ^ lanes, type);
    }
    dl__lose(p, "%s", reason);
}

static bool is_covered(const struct dl__type *type, const unsigned char *covered)
{
    return !memchr(covered, 0, type->bytes);
}

/* A variable of an accessor, or a struct that it was given. */
static struct dl__known load_local(struct dl__prover *p, const struct dl__known *place,
                                   const struct dl__type *type)
{
    struct dl__variable_known *v = place->variable;
    int64_t at;

    if (!dl__integer_is_constant(place->inner, &at) || v->value.kind != DL__K_OPAQUE)
        dl__lose(p, "an accessor's variable is not followed");
    if (v->allowed.count && type->bytes == v->type->bytes) {
        unsigned char *covered = dl__arena_alloc(p->arena, v->type->bytes);

        for (uint32_t i = 0; i < v->type->bytes; i++)
            covered[i] = v->allowed.items[i] != 0;
        if (!is_covered(v->type, covered))
            dl__lose(p, "not all of a struct is read");
    }
    return dl__know_typed(
        dl__piece(v->value.number, (uint32_t)at, type->bytes, v->type->bytes), type);
}

struct dl__known dl__load_known(struct dl__prover *p, struct dl__side_text *t,
                                struct dl__node *n, struct dl__known place,
                                const struct dl__type *type, dl__number lanes)
{
    struct dl__known out;

    if (place.buffer && t->is_new)
        return load_new(p, n, &place, type, lanes);
    if (place.buffer) {
        size_t at = add_access(p, n, place, type, false);

        if (type->is_volatile)
            load_volatile(p, t, n, &p->accesses.items[at]);
        out = dl__know_typed(p->accesses.items[at].key ^ lanes, type);
        return out;
    }
    if (place.variable && place.variable->relation == DL__R_VALUE && t->is_new)
        return load_local(p, &place, type);
    return dl__know_typed(
        dl__draw("load",
                 dl__draw("at", place.number, place.inner.exact, dl__type_number(type)),
                 p->in_accessor ? p->clock : p->clock ^ epoch_of(p, t), lanes),
        type);
}

/* ---- writing ---- */

static void store_new(struct dl__prover *p, const struct dl__known *place,
                      const struct dl__type *type, dl__number lanes,
                      struct dl__known value)
{
    struct dl__effect *e = &p->effects.items[p->next_effect];
    struct dl__access_old *access;
    const char *reason;
    int64_t delta;

    if (p->next_effect >= p->effects.count || e->kind != DL__E_STORE)
        dl__lose(p, "the program writes nothing here, or in another order");
    access = &p->accesses.items[e->access];
    reason =
        !same_kind(access->type, type) || access->type->is_volatile != type->is_volatile
            ? "it is written as another type"
            : reach(p, &access->place, access->type->bytes, place, type->bytes, &delta);
    if (reason)
        dl__lose(p, "%s", reason);
    if (lanes != e->key || dl__piece(dl__key(p, &e->value), (uint32_t)delta, type->bytes,
                                     access->type->bytes) != dl__key(p, &value))
        dl__lose(p, "another value is written");
    access->is_reached = true;
    memset(e->covered + delta, 1, type->bytes);
    if (is_covered(access->type, e->covered))
        p->next_effect++;
}

static void store_local(struct dl__prover *p, const struct dl__known *place,
                        const struct dl__type *type, struct dl__known value)
{
    struct dl__variable_known *v = place->variable;
    dl__number key = dl__key(p, &value);
    int64_t at;

    if (!dl__integer_is_constant(place->inner, &at))
        dl__lose(p, "an accessor's variable is not followed");
    if (!p->in_accessor && at == 0 && type->bytes == v->type->bytes) {
        v->value = dl__know_opaque(key);
        return;
    }
    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct dl__access_old *access = &p->accesses.items[i];

        if (access->type->bytes != v->type->bytes ||
            dl__access_piece(p, access, (uint32_t)at, type->bytes) != key ||
            (v->value.kind == DL__K_OPAQUE && v->value.number != access->key))
            continue;
        v->value = dl__know_opaque(access->key);
        if (!v->allowed.count)
            for (uint32_t k = 0; k < v->type->bytes; k++)
                DL__PUSH(p->arena, &v->allowed, 0);
        for (uint32_t k = 0; k < type->bytes; k++)
            v->allowed.items[(uint32_t)at + k] = 1;
        return;
    }
    dl__lose(p, "a struct is not read member by member");
}

void dl__store_known(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                     struct dl__known place, const struct dl__type *type,
                     dl__number lanes, struct dl__known value)
{
    struct dl__effect e = {.kind = DL__E_STORE, .node = n, .key = lanes, .value = value};

    if (place.buffer && t->is_new) {
        store_new(p, &place, type, lanes, value);
    } else if (place.buffer) {
        e.access = add_access(p, n, place, type, true);
        e.covered = dl__arena_alloc(p->arena, type->bytes + 1);
        e.value = dl__know_opaque(dl__key(p, &value));
        DL__PUSH(p->arena, &p->effects, e);
    } else if (place.variable && place.variable->relation == DL__R_VALUE && t->is_new) {
        store_local(p, &place, type, value);
    } else {
        dl__add_effect(p, t, n,
                       dl__draw("store",
                                dl__draw("at", place.number, place.inner.exact,
                                         dl__type_number(type)),
                                dl__key(p, &value), lanes));
    }
}

/* ---- addresses ---- */

dl__number dl__address_key(struct dl__prover *p, struct dl__side_text *t,
                           struct dl__node *n, struct dl__known place, uint32_t bytes)
{
    const char *reason = "the program takes no address here";

    if (!place.buffer) {
        struct dl__known v = place;

        return dl__key(p, &v);
    }
    if (!t->is_new) {
        struct dl__type *type = DL__NEW(p->arena, struct dl__type);
        size_t at;

        type->kind = DL__T_OTHER;
        type->bytes = bytes;
        at = add_access(p, n, place, type, false);
        return p->accesses.items[at].key;
    }
    for (size_t i = 0; i < p->accesses.count; i++) {
        struct dl__access_old *access = &p->accesses.items[i];
        int64_t delta = 0;

        if (access->epoch != epoch_of(p, t) || access->type->kind != DL__T_OTHER)
            continue;
        reason = reach(p, &access->place, access->type->bytes, &place, bytes, &delta);
        if (reason || delta)
            continue;
        mark_reached(p, access);
        return access->key;
    }
    dl__lose(p, "%s", reason ? reason : "another address is taken");
}
