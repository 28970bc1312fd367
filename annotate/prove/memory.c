/* SPDX-License-Identifier: MIT */
/* What is read and written: the accesses of the rewritten text are looked for among the
 * program's. */
#include "annotate/prove/prove.h"

#include <string.h>

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
        dl__lose(p, n,
                 "the rewritten text does something else here, or in another order");
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
                   : dl__reach(p, &access->place, access->type->bytes, place, type->bytes,
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
    dl__lose(p, n, "%s", reason);
}

static bool is_covered(const struct dl__type *type, const unsigned char *covered)
{
    return !memchr(covered, 0, type->bytes);
}

/* A variable of an accessor, or a struct that it was given. */
static struct dl__known load_local(struct dl__prover *p, struct dl__node *n,
                                   const struct dl__known *place,
                                   const struct dl__type *type)
{
    struct dl__variable_known *v = place->variable;
    int64_t at;

    if (!dl__integer_is_constant(place->inner, &at) || v->value.kind != DL__K_OPAQUE)
        dl__lose(p, n, "an accessor's variable is not followed");
    if (v->allowed.count && type->bytes == v->type->bytes) {
        unsigned char *covered = dl__arena_alloc(p->arena, v->type->bytes);

        for (uint32_t i = 0; i < v->type->bytes; i++)
            covered[i] = v->allowed.items[i] != 0;
        if (!is_covered(v->type, covered))
            dl__lose(p, n, "not all of a struct is read");
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
        return load_local(p, n, &place, type);
    return dl__know_typed(
        dl__draw("load",
                 dl__draw("at", place.number, place.inner.exact, dl__type_number(type)),
                 p->in_accessor ? p->clock : p->clock ^ epoch_of(p, t), lanes),
        type);
}

/* ---- writing ---- */

static void store_new(struct dl__prover *p, struct dl__node *n,
                      const struct dl__known *place, const struct dl__type *type,
                      dl__number lanes, struct dl__known value)
{
    struct dl__effect *e = &p->effects.items[p->next_effect];
    struct dl__access_old *access;
    const char *reason;
    int64_t delta;

    if (p->next_effect >= p->effects.count || e->kind != DL__E_STORE)
        dl__lose(p, n, "the program writes nothing here, or in another order");
    access = &p->accesses.items[e->access];
    reason =
        !same_kind(access->type, type) || access->type->is_volatile != type->is_volatile
            ? "it is written as another type"
            : dl__reach(p, &access->place, access->type->bytes, place, type->bytes,
                        &delta);
    if (reason)
        dl__lose(p, n, "%s", reason);
    if (lanes != e->key || dl__piece(dl__key(p, &e->value), (uint32_t)delta, type->bytes,
                                     access->type->bytes) != dl__key(p, &value))
        dl__lose(p, n, "another value is written");
    access->is_reached = true;
    memset(e->covered + delta, 1, type->bytes);
    if (is_covered(access->type, e->covered))
        p->next_effect++;
}

static void store_local(struct dl__prover *p, struct dl__node *n,
                        const struct dl__known *place, const struct dl__type *type,
                        struct dl__known value)
{
    struct dl__variable_known *v = place->variable;
    dl__number key = dl__key(p, &value);
    int64_t at;

    if (!dl__integer_is_constant(place->inner, &at))
        dl__lose(p, n, "an accessor's variable is not followed");
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
    dl__lose(p, n, "a struct is not read member by member");
}

void dl__store_known(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                     struct dl__known place, const struct dl__type *type,
                     dl__number lanes, struct dl__known value)
{
    struct dl__effect e = {.kind = DL__E_STORE, .node = n, .key = lanes, .value = value};

    if (place.buffer && t->is_new) {
        store_new(p, n, &place, type, lanes, value);
    } else if (place.buffer) {
        e.access = add_access(p, n, place, type, true);
        e.covered = dl__arena_alloc(p->arena, type->bytes + 1);
        e.value = dl__know_opaque(dl__key(p, &value));
        DL__PUSH(p->arena, &p->effects, e);
    } else if (place.variable && place.variable->relation == DL__R_VALUE && t->is_new) {
        store_local(p, n, &place, type, value);
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
        reason = dl__reach(p, &access->place, access->type->bytes, &place, bytes, &delta);
        if (reason || delta)
            continue;
        mark_reached(p, access);
        return access->key;
    }
    dl__lose(p, n, "%s", reason ? reason : "another address is taken");
}
