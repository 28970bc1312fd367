/* SPDX-License-Identifier: MIT */
/* The table of candidates, and static estimates: an access costs a work-item bytes,
 * natively and on separate arrays; ratios of their sums are speeds. The numbers behind it
 * were measured (docs/policy.md). */
#include "estimate.h"

#include <string.h>

#include "core.h"

static const struct dl__candidate candidates[] = {
#define DL__CANDIDATE(identifier, ...) {__VA_ARGS__},
#include "candidates.def"
#undef DL__CANDIDATE
};

const struct dl__candidate *dl__candidate_get(enum dl__candidate_id id)
{
    return &candidates[id];
}

enum dl__candidate_id dl__candidate_of(enum dl_layout_kind kind)
{
    int c = 0;

    /* Discrete arrays, in one piece or two (dl__device_arrays). */
    if (kind == DL_LAYOUT_SOA)
        kind = DL_LAYOUT_DA;
    while (c < DL__CANDIDATES && candidates[c].kind != kind)
        c++;
    return c;
}

/* ---- estimates ---- */

/* A loop of which the text does not tell the rounds counts as this number, and one of
 * which it does as no more: what is read over and over lies in caches. */
static const double loop_rounds = 16;

/* Less than that a kernel that computes much may not gain: exploring tells, before
 * hundreds of launches are enqueued. */
static const double little_gain = 1.5;

enum { MASK_WORDS = 16, WORD_BITS = 64, GRAIN = 4 };

/* Traffic of one work-item, in bytes. */
struct traffic {
    double native, apart; /* as written; on an array a leaf */
    double unsure;        /* of the native: what nothing is known of */
    double against;       /* of the apart: where structs are better */
    double gathered;      /* of the apart: a small part of structs, by indices that come
                             from memory */
    double walks;         /* of the native: loops within one struct */
    double shared; /* of those apart: loops over structs that all work-items share */
    double least;  /* bytes that are used */
};

/* Tables in texts may be anything: what a fact says of bytes beyond the struct is left
 * out. */
static struct dl_access_fact fact_of(const struct dl__estimated_buffer *buffer, size_t f)
{
    struct dl_access_fact fact = buffer->facts[f];

    if (fact.offset >= buffer->struct_bytes)
        fact.offset = 0;
    if (fact.bytes > buffer->struct_bytes - fact.offset)
        fact.bytes = buffer->struct_bytes - fact.offset;
    if (fact.bytes == 0)
        fact.bytes = 1;
    return fact;
}

/* True where neighbours' structs lie side by side. */
static bool is_beside(const struct dl_access_fact *fact)
{
    return fact->form == DL_ACCESS_LINEAR && !fact->walks &&
           (fact->step == 1 || fact->step == -1);
}

static double power(double of, unsigned exponent)
{
    return exponent ? of * power(of, exponent - 1) : 1;
}

/* How often a work-item comes to it.
 *   all_rounds  also of loops that have more rounds than are worth anything to the policy
 */
static double rounds_of(const struct dl_access_fact *fact, bool all_rounds)
{
    const unsigned counted = fact->counted < fact->loops ? fact->counted : fact->loops,
                   others = fact->loops - counted;
    double rounds = counted ? fact->rounds : 1;

    if (!all_rounds)
        rounds = dl__min(rounds, power(loop_rounds, counted < 3 ? counted : 3));
    rounds *= power(loop_rounds, others < 3 ? others : 3);
    return all_rounds ? rounds : dl__min(rounds, power(loop_rounds, 3));
}

/* The part that each time counts: half where only some come, twice where it is read and
 * written. */
static double factor_of(const struct dl_access_fact *fact)
{
    return (fact->conditional ? 0.5 : 1) * (fact->reads && fact->writes ? 2 : 1);
}

static double weight_of(const struct dl_access_fact *fact, bool all_rounds)
{
    return factor_of(fact) * rounds_of(fact, all_rounds);
}

/* Bytes of one element of the members that the access is to. */
static double element_bytes(const struct dl__estimated_buffer *buffer,
                            const struct dl_access_fact *fact)
{
    const struct dl_leaf_table *leaves = buffer->leaves;
    double bytes = buffer->leaf_bytes ? buffer->leaf_bytes : 1;

    for (uint32_t l = 0; leaves && l < leaves->leaf_count; l++)
        if (leaves->leaves[l].offset_bytes == fact->offset)
            bytes = leaves->leaves[l].width_bytes;
    return dl__min(bytes, fact->bytes);
}

/* Bytes of a struct that a work-item uses, each once. An index into a struct takes one
 * element of it in each round; loops whose rounds the text does not tell go through
 * all. */
static double used_bytes(const struct dl__estimated_buffer *buffer,
                         const struct dl_access_fact *fact)
{
    if (!fact->walks || fact->counted < fact->loops)
        return fact->bytes;
    return dl__min(fact->bytes, element_bytes(buffer, fact) *
                                    (fact->counted ? (double)fact->rounds : 1));
}

/* Whole blocks of `block` bytes that bytes [offset, offset + bytes) touch, in bytes. */
static double blocks(uint32_t offset, uint32_t bytes, uint32_t block)
{
    return (double)((offset + bytes - 1) / block - offset / block + 1) * block;
}

/* How far structs of this size, read member by member, reach a copy's speed. */
static double plain_part(const struct dl_rates *rates, uint32_t struct_bytes)
{
    double part = 1000;

    for (size_t s = 0; s < rates->struct_count && rates->structs[s].bytes <= struct_bytes;
         s++)
        part = rates->structs[s].plain_part;
    return part / 1000;
}

/* Accesses of a struct by how much each time counts (factor_of): the largest weight of a
 * kind, and the GRAINs of the struct that the kind touches. */
struct kind {
    double weight;
    uint64_t used[MASK_WORDS];
};

enum { KINDS = 4 };

static void mark(struct kind *kind, const struct dl_access_fact *fact, double weight)
{
    const uint32_t room = MASK_WORDS * WORD_BITS * GRAIN;

    kind->weight = dl__max(kind->weight, weight);
    for (uint32_t b = fact->offset / GRAIN * GRAIN;
         b < fact->offset + fact->bytes && b < room; b += GRAIN)
        kind->used[b / GRAIN / WORD_BITS] |= UINT64_C(1) << b / GRAIN % WORD_BITS;
}

/* Returns how much the GRAIN at this offset counts; 0: nobody uses it. */
static double weight_at(const struct kind *kinds, uint32_t offset)
{
    double weight = 0;

    for (int k = 0; k < KINDS; k++)
        if (kinds[k].used[offset / GRAIN / WORD_BITS] >> offset / GRAIN % WORD_BITS & 1)
            weight = dl__max(weight, kinds[k].weight);
    return weight;
}

/* Neighbours' structs lie side by side: what one uses of a struct is fetched with what it
 * does not use, natively; apart only what is used. All such accesses of a buffer meet in
 * the cache. */
static void add_side_by_side(const struct dl_rates *rates,
                             const struct dl__estimated_buffer *buffer,
                             struct traffic *sum)
{
    struct kind kinds[KINDS] = {0};
    const uint32_t room = MASK_WORDS * WORD_BITS * GRAIN, block = rates->sector_bytes;
    uint32_t end = 0, count = 0, used = 0;
    double most = 0, bytes = 0, sectors = 0, sector = 0, own;

    for (size_t f = 0; f < buffer->fact_count; f++) {
        const struct dl_access_fact fact = fact_of(buffer, f);

        if (!is_beside(&fact))
            continue;
        own = weight_of(&fact, buffer->for_people);
        most = dl__max(most, own);
        mark(&kinds[2 * fact.conditional + (fact.reads && fact.writes)], &fact, own);
        if (fact.offset + fact.bytes > end)
            end = fact.offset + fact.bytes;
    }
    if (most == 0)
        return;
    for (uint32_t b = 0, last = UINT32_MAX; b < room; b += GRAIN) {
        own = weight_at(kinds, b);
        if (own == 0)
            continue;
        if (b / block != last)
            sector = 0, count++;
        last = b / block;
        used += GRAIN;
        bytes += own * GRAIN;
        sectors += dl__max(0, own - sector) * block;
        sector = dl__max(sector, own);
    }
    if (end > room) /* wider than the masks: as if all of the rest were used */
        used += end - room, bytes += most * (end - room), sectors += most * (end - room);
    else
        sectors *= dl__min(1, (double)buffer->struct_bytes / ((double)count * block));
    bytes = dl__min(bytes, most * buffer->struct_bytes);
    sum->apart += bytes;
    sum->least += dl__min(used, buffer->struct_bytes);
    sum->native += dl__max(bytes / plain_part(rates, buffer->struct_bytes),
                           dl__min(most * buffer->struct_bytes, sectors));
}

/* Returns the bytes that a work-item fetches for the access, by itself, where the structs
 * lie: once, of an array that it goes through element by element. */
static double fetched_alone(const struct dl_rates *rates,
                            const struct dl__estimated_buffer *buffer,
                            const struct dl_access_fact *fact)
{
    const double weight = weight_of(fact, buffer->for_people),
                 whole = blocks(fact->offset, fact->bytes, rates->sector_bytes),
                 apart = fact->step < 0 ? -(double)fact->step : fact->step;

    if (fact->walks)
        return factor_of(fact) *
               dl__min(rounds_of(fact, buffer->for_people) * rates->sector_bytes, whole);
    /* Neighbours share what lies between them. */
    if (fact->form == DL_ACCESS_LINEAR)
        return weight * dl__min(whole, apart * buffer->struct_bytes);
    return weight * whole;
}

/* One fetch of a struct that all work-items use serves as many. */
static const double shared_by = 4;

/* Any other access, by itself. */
static void add_alone(const struct dl_rates *rates,
                      const struct dl__estimated_buffer *buffer,
                      const struct dl_access_fact *fact, struct traffic *sum)
{
    uint32_t block = rates->sector_bytes;
    double weight = weight_of(fact, buffer->for_people);
    double leaf = dl__max(1, dl__min(buffer->leaf_bytes, fact->bytes));
    double leaves = dl__max(1, fact->bytes / leaf);
    double native = buffer->for_people
                        ? fetched_alone(rates, buffer, fact)
                        : weight * blocks(fact->offset, fact->bytes, block);
    double apart = weight * leaves * block;

    switch (fact->form) {
    case DL_ACCESS_LINEAR:
        if (fact->walks) { /* whether its cache holds the struct meanwhile, the text can't
                              say */
            sum->walks += native;
            apart = native;
        } else {
            apart = weight * leaves *
                    dl__min(block,
                            leaf * (fact->step < 0 ? -(double)fact->step : fact->step));
        }
        break;
    case DL_ACCESS_UNIFORM:
        /* Little either way, and several fetches where it is apart. */
        native /= shared_by;
        apart = dl__max(apart / shared_by, native * 1.1);
        sum->against += apart;
        sum->shared += fact->loops ? apart : 0;
        break;
    case DL_ACCESS_GATHER:
        sum->against += leaves > 1 || fact->walks || fact->loops ? apart : 0;
        break;
    case DL_ACCESS_UNKNOWN:
        apart = native;
        sum->unsure += native;
        break;
    }
    sum->native += native;
    sum->apart += apart;
    if (fact->form != DL_ACCESS_UNIFORM || !buffer->for_people)
        sum->least += used_bytes(buffer, fact);
}

/* A gather's members lie in one sector or two natively, and in one each apart: they are
 * counted together. */
static void add_gathered(const struct dl_rates *rates,
                         const struct dl__estimated_buffer *buffer, struct traffic *sum)
{
    struct dl_access_fact whole = {.form = DL_ACCESS_GATHER};
    double native = 0;
    uint32_t begin = UINT32_MAX, end = 0;
    struct traffic alone = {0};

    for (size_t f = 0; f < buffer->fact_count; f++) {
        const struct dl_access_fact own = fact_of(buffer, f), *fact = &own;

        if (fact->form != DL_ACCESS_GATHER)
            continue;
        add_alone(rates, buffer, fact, &alone);
        native = dl__max(native, weight_of(fact, buffer->for_people));
        whole.loops |= fact->loops;
        begin = fact->offset < begin ? fact->offset : begin;
        end = fact->offset + fact->bytes > end ? fact->offset + fact->bytes : end;
    }
    if (end == 0)
        return;
    native *= blocks(begin, end - begin, rates->sector_bytes);
    alone.native = dl__min(alone.native, native);
    sum->native += alone.native;
    sum->apart += alone.apart;
    sum->against += alone.apart > alone.native * 1.05 ? alone.apart : alone.against;
    if (2 * dl__min(alone.least, end - begin) <= buffer->struct_bytes)
        sum->gathered += alone.apart;
    sum->least += alone.least;
}

static void add_structs(const struct dl_rates *rates,
                        const struct dl__estimated_buffer *buffer, struct traffic *sum)
{
    double bytes = buffer->struct_bytes * (buffer->written ? 2.0 : 1.0);

    if (!buffer->facts) {
        sum->native += bytes;
        sum->apart += bytes;
        sum->unsure += bytes;
        sum->least += buffer->leaf_bytes;
        return;
    }
    add_side_by_side(rates, buffer, sum);
    add_gathered(rates, buffer, sum);
    for (size_t f = 0; f < buffer->fact_count; f++) {
        const struct dl_access_fact fact = fact_of(buffer, f);

        if (!is_beside(&fact) && fact.form != DL_ACCESS_GATHER)
            add_alone(rates, buffer, &fact, sum);
    }
}

/* Of an element of a grid, whose neighbours in its layout are those of the work-item's
 * neighbours. */
static double grid_bytes(const struct dl__estimated_buffer *buffer)
{
    double bytes = 0;

    for (size_t f = 0; f < buffer->fact_count; f++) {
        const struct dl_access_fact fact = fact_of(buffer, f);

        bytes += weight_of(&fact, buffer->for_people) * fact.bytes;
    }
    return bytes;
}

/* Apart is what the buffer goes into: a grid's layout, or one of structs. */
static void add_buffer(const struct dl_rates *rates,
                       const struct dl__estimated_buffer *buffer, struct traffic *sum)
{
    struct traffic own = {0};

    add_structs(rates, buffer, &own);
    if (buffer->arrays) {
        own.native = own.apart;
        own.walks = own.against = own.gathered = own.shared = 0;
    }
    if (buffer->grid)
        own.apart = dl__min(own.native, buffer->facts ? grid_bytes(buffer) : own.apart);
    sum->native += own.native;
    sum->apart += own.apart;
    sum->unsure += own.unsure;
    sum->against += own.against;
    sum->gathered += own.gathered;
    sum->walks += own.walks;
    sum->shared += own.shared;
    sum->least += own.least;
}

void dl__estimate_traffic(const struct dl_rates *rates,
                          const struct dl__estimated_buffer *buffer,
                          struct dl__traffic *out)
{
    struct traffic sum = {0};

    add_buffer(rates, buffer, &sum);
    *out = (struct dl__traffic){sum.native, sum.apart};
}

double dl__estimate_access(const struct dl_rates *rates,
                           const struct dl__estimated_buffer *buffer, size_t number,
                           double *used)
{
    const struct dl_access_fact fact = fact_of(buffer, number);

    *used = weight_of(&fact, buffer->for_people) *
            (fact.walks ? element_bytes(buffer, &fact) : fact.bytes);
    return dl__max(*used, fetched_alone(rates, buffer, &fact) /
                              (fact.form == DL_ACCESS_UNIFORM ? shared_by : 1));
}

/* Expected where the text does not say how much is lost. */
static const double little_loss = 0.9;

/* Judges by the sums a candidate that keeps a leaf's values side by side. */
static void judge(const struct dl_rates *rates, const struct traffic *sum,
                  struct dl__estimate *out, int c)
{
    double gain = sum->apart > 0 ? sum->native / sum->apart : 1;

    /* A CPU's cores have as much other work to do as before; a GPU's caches gain more
     * from tiles. */
    if (rates->is_cpu && gain > 1)
        gain = 1 + (gain - 1) * (c == DL__DA ? 0.4 : 0.2);
    else if (gain > 1)
        gain = 1 + (gain - 1) * (c == DL__DA ? 0.95 : 1);
    gain = dl__min(DL__FACTOR_MAX, dl__max(1.0 / DL__FACTOR_MAX, gain));
    out->of[c].speedup = gain;
    if (sum->native == 0 || sum->unsure > 0.2 * sum->native) {
        out->of[c].verdict = DL__UNSURE;
        out->of[c].speedup = 1;
    } else if (sum->against > 0.5 * sum->apart && gain < 1.3) {
        out->of[c].verdict = DL__NEVER;
    } else if (gain < (rates->is_cpu ? 1.2 : 0.95)) {
        out->of[c].verdict = sum->walks > 0 && !rates->is_cpu ? DL__NEUTRAL : DL__NEVER;
    } else if (sum->walks > 0.2 * sum->native || sum->against > 0.2 * sum->apart ||
               sum->unsure > 0 || gain < (rates->is_cpu ? 2 : little_gain)) {
        out->of[c].verdict = DL__NEUTRAL;
    } else {
        out->of[c].verdict = DL__CLEAR;
    }
    /* Indices that come from memory may come in order, a loop within a struct may touch
     * little of it, and one over structs that all share may be made of vectors. */
    if (rates->is_cpu && c == DL__DA && out->of[c].verdict == DL__NEVER &&
        (sum->gathered > 0.5 * sum->apart || sum->walks > 0.5 * sum->native ||
         sum->shared > 0.5 * sum->apart)) {
        out->of[c].verdict = DL__UNSURE;
        out->of[c].speedup = dl__min(gain, little_loss);
    }
}

/* How many times as fast a group accesses whole structs of a buffer as its work-items do
 * by themselves, as far as the device's file says; 0: it does not, or nobody does. */
static double speedup_together(const struct dl_rates *rates,
                               const struct dl__estimated_buffer *buffer)
{
    unsigned part = rates->group_part;

    for (size_t f = 0; f < buffer->fact_count; f++)
        if (buffer->facts[f].form != DL_ACCESS_LINEAR)
            part = rates->group_gather_part;
    return (buffer->group_loads || buffer->group_stores) && !rates->is_cpu &&
                   rates->group_part && rates->group_gather_part
               ? dl__max(1, part / 1000.0 / plain_part(rates, buffer->struct_bytes))
               : 0;
}

void dl__estimate_launch(const struct dl_rates *rates,
                         const struct dl__estimated_buffer *buffers, size_t count,
                         double work_items, struct dl__estimate *out)
{
    struct traffic sum = {0};
    double speed = rates->copy_mb * 1e6, busy = 0, together = 0;
    bool apart = true, all_grids = true, any_grid = false;

    memset(out, 0, sizeof *out);
    for (size_t b = 0; b < count; b++) {
        add_buffer(rates, &buffers[b], &sum);
        together = dl__max(together, speedup_together(rates, &buffers[b]));
        apart &= buffers[b].arrays;
        all_grids &= buffers[b].grid;
        any_grid |= buffers[b].grid;
        busy = dl__max(busy, dl__min(work_items, (double)buffers[b].structs));
    }
    /* GPUs are so different that a guess says nothing. */
    if (!rates->copy_guess || rates->is_cpu)
        out->least_seconds = busy * sum.least / speed;
    out->native_seconds = busy * sum.native / speed;
    out->of[DL__NATIVE].verdict = DL__CLEAR;
    out->of[DL__NATIVE].speedup = 1;
    judge(rates, &sum, out, DL__ASTA);
    judge(rates, &sum, out, DL__DA);
    judge(rates, &sum, out, DL__GRID);
    /* The text does not know the layout: only measurement tells. */
    if (out->of[DL__GRID].verdict == DL__CLEAR)
        out->of[DL__GRID].verdict = DL__NEUTRAL;
    out->of[DL__COALESCED].verdict = together > 0 ? DL__NEUTRAL : DL__NEVER;
    out->of[DL__COALESCED].speedup = dl__max(1, dl__min(DL__FACTOR_MAX, together));
    /* Tiles keep a CPU's compiler from making vectors: where a program gained there,
     * arrays gained more, and tiles took up to 16 times as long as written. */
    if (all_grids || rates->is_cpu)
        out->of[DL__ASTA].verdict = DL__NEVER;
    if (apart || all_grids)
        out->of[DL__DA].verdict = DL__NEVER;
    if (!any_grid)
        out->of[DL__GRID].verdict = DL__NEVER;
}

double dl__estimate_of_part(double native, double candidate, double parts, double launch,
                            double speedup)
{
    double memory = launch - parts * native, told;

    if (native <= 0 || candidate <= 0)
        return 0;
    told = launch * candidate / native;
    return memory > 0 && speedup > 0 ? dl__min(told, parts * candidate + memory / speedup)
                                     : told;
}

double dl__estimate_move(const struct dl_rates *rates, enum dl__candidate_id candidate,
                         uint64_t bytes)
{
    const struct dl__candidate *row = dl__candidate_get(candidate);
    unsigned part;

    if (row->in_place)
        return 0;
    memcpy(&part, (const char *)rates + row->move_part, sizeof part);
    return rates->step_us * 1e-6 +
           2.0 * (double)bytes / (rates->copy_mb * 1e6) * 1000 / (part ? part : 1);
}
