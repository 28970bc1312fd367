/* SPDX-License-Identifier: MIT */
/* The plans of Catanzaro's C2R and R2C: their operations, and where each takes place. */
#include "algorithm.h"

#include <stdio.h>

extern const char dl_c2r_index_cl[], dl_c2r_cl[], dl_c2r_groups_cl[];
static const struct dl__kernel_source held_source = {
    {dl_shape_cl, dl_units_cl, dl_c2r_index_cl, dl_c2r_cl}};
static const struct dl__kernel_source group_source = {
    {dl_shape_cl, dl_units_cl, dl_c2r_index_cl, dl_c2r_groups_cl}};

/* The array and how its operations are built. */
struct builder {
    const struct dl__tuning *tuning;
    const struct dl__task *task;
    struct dl_transpose_plan *plan; /* NULL: only asking */
    struct c2r_shape shape;
    uint32_t units; /* in an element */
    size_t group;
    bool is_wide;        /* 64-bit indices */
    uint64_t work_bytes; /* so far */
};

/* The inverse of x modulo `modulus`, coprime to it. */
static uint64_t inverse_of(uint64_t x, uint64_t modulus)
{
    __int128 r = (__int128)modulus, s = (__int128)(x % modulus), p = 0, q = 1;

    while (s != 0) {
        __int128 quotient = r / s, next = r - quotient * s, factor = p - quotient * q;
        r = s;
        s = next;
        p = q;
        q = factor;
    }
    return modulus == 1 ? 0 : (uint64_t)(p < 0 ? p + (__int128)modulus : p);
}

static struct c2r_shape shape_make(uint64_t m, uint64_t n)
{
    struct c2r_shape s = {.m = m, .n = n, .c = dl__gcd(m, n)};

    s.a = m / s.c;
    s.b = n / s.c;
    s.a_inverse = inverse_of(s.a, s.b);
    s.b_inverse = inverse_of(s.b, s.a);
    if (m < UINT32_MAX && n < UINT32_MAX) {
        s.by_m = dl__divisor_make((uint32_t)m);
        s.by_n = dl__divisor_make((uint32_t)n);
        s.by_a = dl__divisor_make((uint32_t)s.a);
        s.by_b = dl__divisor_make((uint32_t)s.b);
        s.by_c = dl__divisor_make((uint32_t)s.c);
    }
    return s;
}

/* The columns of a group that is not held in registers. */
static uint32_t group_width(const struct builder *builder)
{
    uint32_t width = 1;

    while (width * 2 * builder->task->element_bytes <= builder->tuning->c2r_group_bytes)
        width *= 2;
    while (width > 1 &&
           (width > builder->tuning->c2r_block_rows ||
            (uint32_t)dl__power_of_two_up(width * builder->units) > builder->group))
        width /= 2;
    return width;
}

static enum dl_status launch_add(struct builder *builder,
                                 const struct dl__kernel_source *source, const char *name,
                                 const char *more, size_t across, size_t down,
                                 bool reads_only)
{
    return dl__launch_add(
        builder->plan,
        DL__LAUNCH_AS(reads_only, source, name, builder->shape, builder->group, across,
                      down),
        "#define UNIT_BYTES %u\n#define UNITS %uu\n#define GROUP %zuu\n%s%s",
        (unsigned)builder->task->unit_bytes, builder->units, builder->group,
        builder->is_wide ? "#define INDEX_64\n" : "", more);
}

/* A kernel of c2r.cl, whose work-items hold all of the units of some columns, or rows. */
static enum dl_status add_held(struct builder *builder, const char *name, uint64_t units,
                               uint32_t columns, size_t across)
{
    char knobs[200];

    snprintf(knobs, sizeof knobs,
             "#define PER_ITEM %uu\n#define HELD_COLS %uu\n#define UNROLL %u\n",
             (uint32_t)dl__power_of_two_up(dl__divide_up(units, builder->group)), columns,
             builder->tuning->unroll);
    builder->plan->info.passes++;
    return launch_add(builder, &held_source, name, knobs, across, 1, false);
}

/* How many work-groups have a lane for each unit of so many rows of a group. */
static size_t groups_of_rows(const struct builder *builder, uint32_t rows)
{
    uint64_t lanes = dl__power_of_two_up(group_width(builder) * builder->units);

    return dl__divide_up(rows * lanes, builder->group);
}

/* A kernel of c2r_groups.cl. */
static enum dl_status add_group(struct builder *builder, const char *name, size_t across,
                                size_t down, bool reads_only)
{
    uint32_t width = group_width(builder);
    char knobs[200];

    snprintf(knobs, sizeof knobs,
             "#define WIDTH %uu\n#define LANES %uu\n#define BLOCK_ROWS %uu\n", width,
             (uint32_t)dl__power_of_two_up(width * builder->units),
             builder->tuning->c2r_block_rows);
    return launch_add(builder, &group_source, name, knobs, across, down, reads_only);
}

static void work_need(struct builder *builder, uint64_t bytes)
{
    if (bytes > builder->work_bytes)
        builder->work_bytes = bytes;
}

/* ---- columns ---- */

/* How many columns a work-group holds, with at least so many bytes in a row; 0: none. */
static uint32_t columns_held(const struct builder *builder, uint64_t bytes_min)
{
    uint64_t element_bytes = builder->task->element_bytes;
    uint64_t room = builder->group * builder->tuning->c2r_bytes, columns = 256;

    while (columns > 1 && columns * builder->shape.m * element_bytes > room)
        columns /= 2;
    if (columns * builder->shape.m * element_bytes > room ||
        (columns * element_bytes < bytes_min && columns < builder->shape.n))
        return 0;
    return (uint32_t)columns;
}

static size_t blocks_for(const struct builder *builder, uint64_t units)
{
    uint64_t blocks = dl__divide_up(units, builder->group);

    return blocks < builder->tuning->c2r_blocks_max ? blocks
                                                    : builder->tuning->c2r_blocks_max;
}

static enum dl_status rotate_add(struct builder *builder)
{
    struct c2r_shape *s = &builder->shape;
    uint32_t width = group_width(builder);
    uint64_t row_bytes = s->n * builder->task->element_bytes;
    uint64_t cap = builder->task->cap_bytes;
    size_t groups = dl__divide_up(s->n, width);
    enum dl_status st;

    s->ranges = builder->tuning->c2r_ranges;
    while (s->ranges > 1 &&
           (s->m / s->ranges < 4 * width || s->ranges * width * row_bytes > cap))
        s->ranges /= 2;
    s->range_rows = (uint32_t)(s->m / s->ranges);
    s->parts = builder->tuning->c2r_parts;
    while (s->parts > 1 && 2 * s->parts * row_bytes > cap)
        s->parts /= 2;
    work_need(builder, s->ranges * width * row_bytes);
    work_need(builder, s->parts > 1 ? 2 * s->parts * row_bytes : 0);
    builder->plan->info.passes += 2;
    st = add_group(builder, "dl_c2r_fine_save",
                   blocks_for(builder, s->n * width * s->ranges), 1,
                   builder->plan->run_count == 0);
    if (st == DL_OK)
        st = add_group(builder, "dl_c2r_fine", s->ranges, groups, false);
    if (st == DL_OK)
        st = add_group(builder, "dl_c2r_coarse_save", 2, groups, false);
    if (st == DL_OK)
        st =
            add_group(builder, "dl_c2r_coarse",
                      groups_of_rows(builder, builder->tuning->c2r_parts), groups, false);
    return st;
}

/* Saved rows, and a list of cycles that have none. */
static uint64_t permute_bytes(const struct c2r_shape *shape, uint64_t cuts,
                              uint64_t row_bytes)
{
    return dl__round_up(cuts * row_bytes, 16) + 4 * (shape->m / 2 + 1);
}

static enum dl_status permute_add(struct builder *builder)
{
    struct c2r_shape *s = &builder->shape;
    uint64_t row_bytes = s->n * builder->task->element_bytes;
    uint64_t cuts = builder->tuning->c2r_cuts;
    enum dl_status st;

    while (cuts > 1 && permute_bytes(s, cuts, row_bytes) > builder->task->cap_bytes)
        cuts /= 2;
    s->cut_rows = (uint32_t)dl__divide_up(s->m, cuts);
    s->cuts = (uint32_t)dl__divide_up(s->m, s->cut_rows);
    s->list_bytes = dl__round_up(s->cuts * row_bytes, 16);
    work_need(builder, permute_bytes(s, s->cuts, row_bytes));
    builder->plan->info.passes++;
    st = add_group(builder, "dl_c2r_permute_save", blocks_for(builder, s->n * s->cuts), 1,
                   builder->plan->run_count == 0);
    if (st == DL_OK)
        st = add_group(builder, "dl_c2r_permute_find", blocks_for(builder, s->m), 1,
                       builder->plan->run_count == 1);
    if (st == DL_OK)
        st = add_group(builder, "dl_c2r_permute",
                       groups_of_rows(builder, builder->tuning->c2r_cuts),
                       dl__divide_up(s->n, group_width(builder)), false);
    return st;
}

/* The smallest workspace of columns by groups. */
static uint64_t groups_need(const struct builder *builder)
{
    uint64_t row_bytes = builder->shape.n * builder->task->element_bytes;
    uint64_t rotate = group_width(builder) * row_bytes;
    uint64_t permute = permute_bytes(&builder->shape, 1, row_bytes);

    return rotate > permute ? rotate : permute;
}

/* ---- through the workspace ---- */

/* How many lines go through the workspace at once; 0: none. */
struct turns {
    uint64_t places; /* a work-group each */
    uint32_t lines;  /* in each */
};

static struct turns turns_of(const struct builder *builder, uint64_t line_bytes,
                             uint64_t lines, uint64_t lines_most)
{
    uint64_t room = builder->task->cap_bytes / line_bytes;
    uint64_t busy = 2 * (uint64_t)builder->task->transpose->engine.limits.compute_units;
    struct turns turns = {.lines = 1};

    /* First every core has something to do, then whole sectors are used. */
    while (turns.lines * 2 <= lines_most && room / (turns.lines * 2) >= busy)
        turns.lines *= 2;
    turns.places = room / turns.lines;
    lines = dl__divide_up(lines, turns.lines);
    if (turns.places > lines)
        turns.places = lines;
    if (turns.places > builder->tuning->c2r_blocks_max)
        turns.places = builder->tuning->c2r_blocks_max;
    return turns;
}

static struct turns row_turns(const struct builder *builder)
{
    return turns_of(builder, builder->shape.n * builder->task->element_bytes,
                    builder->shape.m, 1);
}

static struct turns column_turns(const struct builder *builder)
{
    uint64_t element_bytes = builder->task->element_bytes;

    return turns_of(builder, builder->shape.m * element_bytes, builder->shape.n,
                    builder->tuning->sector_bytes / element_bytes);
}

static enum dl_status through_add(struct builder *builder, const char *name,
                                  const char *what, struct turns turns,
                                  uint64_t line_bytes)
{
    if (turns.places == 0)
        return dl__fail(
            builder->plan->error, DL_EREFUSED,
            "a %s of %llu bytes fits neither a work-group nor the cap of %llu: raise the "
            "cap, or leave the algorithm to auto",
            what, (unsigned long long)line_bytes,
            (unsigned long long)builder->task->cap_bytes);
    builder->shape.turn_cols = turns.lines;
    work_need(builder, turns.places * turns.lines * line_bytes);
    builder->plan->info.passes++; /* besides that of what is held */
    return add_held(builder, name, 1, 1, turns.places);
}

/* Where columns are changed; thin: in registers, by less than a sector. */
enum columns_way { COLUMNS_HELD, COLUMNS_BY_GROUPS, COLUMNS_THIN, COLUMNS_THROUGH };
static const char *const columns_words[] = {
    "in registers", "in groups", "in registers, less than a sector of each row at once",
    "through the workspace"};

static enum columns_way columns_way(const struct builder *builder)
{
    if (columns_held(builder, builder->tuning->c2r_column_bytes_min) > 0)
        return COLUMNS_HELD;
    if (group_width(builder) <= builder->shape.m &&
        groups_need(builder) <= builder->task->cap_bytes)
        return COLUMNS_BY_GROUPS;
    return columns_held(builder, 0) > 0 ? COLUMNS_THIN : COLUMNS_THROUGH;
}

static enum dl_status columns_add(struct builder *builder, enum c2r_op op)
{
    struct c2r_shape *s = &builder->shape;
    enum columns_way way = columns_way(builder);
    uint32_t width = columns_held(
        builder, way == COLUMNS_HELD ? builder->tuning->c2r_column_bytes_min : 0);
    enum dl_status st = DL_OK;

    s->op = op;
    if (way == COLUMNS_HELD || way == COLUMNS_THIN)
        return add_held(builder, "dl_c2r_columns", s->m * width * builder->units, width,
                        dl__divide_up(s->n, width));
    if (way == COLUMNS_THROUGH)
        return through_add(builder, "dl_c2r_columns_through", "column",
                           column_turns(builder), s->m * builder->task->element_bytes);
    if (op == R2C_COLUMNS)
        st = permute_add(builder);
    if (st == DL_OK)
        st = rotate_add(builder);
    if (st == DL_OK && op == C2R_COLUMNS)
        st = permute_add(builder);
    return st;
}

/* ---- rows ---- */

static enum dl_status rows_add(struct builder *builder, enum c2r_op op)
{
    struct c2r_shape *s = &builder->shape;
    uint64_t row_bytes = s->n * builder->task->element_bytes;

    s->op = op;
    if (row_bytes <= builder->group * builder->tuning->c2r_bytes)
        return add_held(builder, "dl_c2r_rows", s->n * builder->units, 1, (size_t)s->m);
    return through_add(builder, "dl_c2r_rows_through", "row", row_turns(builder),
                       row_bytes);
}

static struct builder builder_make(const struct dl__task *task, bool c2r)
{
    /* R2C transposes the row-major array when its sides are taken the other way (theorem
     * 2). */
    uint64_t m = c2r ? task->rows : task->cols, n = c2r ? task->cols : task->rows;
    struct builder builder = {
        .tuning = &task->transpose->tuning,
        .task = task,
        .shape = shape_make(m, n),
        .units = (uint32_t)(task->element_bytes / task->unit_bytes),
        .group = dl__group_items(task->transpose, task->transpose->tuning.c2r_group),
        .is_wide = m * n + m + n > UINT32_MAX || m > UINT16_MAX || n > UINT16_MAX};

    return builder;
}

/* Fits an H200: a pass over columns in registers costs three to seven copies, one over
 * rows two. */
static double cost_of(const struct dl__task *task, bool c2r)
{
    struct builder builder = builder_make(task, c2r);
    const struct dl__tuning *tuning = &task->transpose->tuning;
    double bytes = (double)task->matrix_bytes;
    double columns = tuning->c2r_columns_far, rows = tuning->c2r_rows, cost, bare;
    enum columns_way way = columns_way(&builder);
    bool is_held = way == COLUMNS_HELD || way == COLUMNS_THIN;
    uint64_t busy = 2 * (uint64_t)task->transpose->engine.limits.compute_units, places;

    if (builder.units > 64)
        return DBL_MAX;
    if (is_held) {
        columns =
            task->element_bytes > 4 ? tuning->c2r_columns : tuning->c2r_columns_short;
        if (columns_held(&builder, 0) * task->element_bytes < 32)
            columns *= tuning->c2r_columns_thin;
        if (way == COLUMNS_THIN)
            columns *= tuning->c2r_columns_thin;
    } else if (way == COLUMNS_THROUGH) {
        places = column_turns(&builder).places;
        if (places == 0)
            return DBL_MAX;
        if (places < busy)
            columns *= (double)busy / (double)places;
    }
    if (builder.shape.n * task->element_bytes > builder.group * tuning->c2r_bytes) {
        places = row_turns(&builder).places;
        if (places == 0)
            return DBL_MAX;
        rows = tuning->c2r_rows_far;
        if (places < busy)
            rows *= (double)busy / (double)places;
    }
    cost = tuning->c2r_launch_bytes * (is_held ? 1 : tuning->c2r_launches_far) +
           bytes * (rows + columns * (builder.shape.c > 1 ? tuning->c2r_rotate : 1));
    bare = dl__transpose_CYCLES_BARE.cost(task);
    /* Stays below cycles-bare, but keeps the order of two that cost more. */
    return cost < 0.99 * bare ? cost : bare * (1 - 0.01 * bare / cost);
}

static enum dl_status c2r_plan(struct dl_transpose_plan *plan)
{
    const bool c2r = plan->info.algorithm == DL_TRANSPOSE_C2R;
    const struct dl__task *task = &plan->task;
    struct builder builder = builder_make(task, c2r);
    const struct c2r_shape *s = &builder.shape;
    enum dl_status st = DL_OK;

    builder.plan = plan;
    if (s->m >= UINT32_MAX || s->n >= UINT32_MAX)
        return dl__decline(plan, "a side has 2^32 - 1 elements or more");
    if (builder.units > 64)
        return dl__decline_elements(plan);
    if (!c2r || s->c > 1)
        st = columns_add(&builder, c2r ? C2R_BEFORE : R2C_COLUMNS);
    if (st == DL_OK)
        st = rows_add(&builder, c2r ? C2R_ROWS : R2C_ROWS);
    if (st == DL_OK && (c2r || s->c > 1))
        st = columns_add(&builder, c2r ? C2R_COLUMNS : R2C_AFTER);
    if (st != DL_OK)
        return st;
    plan->info.workspace_bytes = builder.work_bytes;
    snprintf(
        plan->why, sizeof plan->why,
        "%llu rows of %llu with a common divisor of %llu, columns %s, %s-bit indices",
        (unsigned long long)s->m, (unsigned long long)s->n, (unsigned long long)s->c,
        columns_words[columns_way(&builder)], builder.is_wide ? "64" : "32");
    return DL_OK;
}

/* Where costs are not known, only cycles-bare comes after these: walking down columns is
 * slow. */
static double c2r_cost(const struct dl__task *task)
{
    return task->transpose->tuning.costs_known ? cost_of(task, true) : DBL_MAX;
}

static double r2c_cost(const struct dl__task *task)
{
    return task->transpose->tuning.costs_known ? cost_of(task, false) : DBL_MAX;
}

DL_TRANSPOSE_ROW(C2R) = {8, c2r_cost, c2r_plan};
DL_TRANSPOSE_ROW(R2C) = {7, r2c_cost, c2r_plan};
