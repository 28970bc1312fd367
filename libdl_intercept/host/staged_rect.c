/* SPDX-License-Identifier: MIT */
/* Rectangular transfers and copies of tiled buffers, through staging areas where their
 * rows lie one after the other. */
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/residence.h"
#include "staged.h"

static const unsigned char nothing;
static const size_t dense[3] = {0, 0, 0}, one_byte[3] = {1, 1, 1};

enum { TOKEN_HALF = DL__TOKEN_BYTES / 2 };

/* One command on one rectangle, on its way through an area. */
struct pass {
    struct dl__area *area;
    struct dl__token token;
    struct dl__chain chain;
    const size_t *region;
    size_t slice_bytes; /* of the dense rows */
};

static cl_command_queue pass_queue(const struct pass *pass)
{
    return pass->chain.queue->object.handle;
}

static bool box_of(const size_t *region, struct dl__rect rect, size_t buffer_bytes,
                   struct dl_part_box *box)
{
    size_t row = rect.row_bytes, slice = rect.slice_bytes, rows, first, z;

    if (!rect.origin || !region[0] || !region[1] || !region[2])
        return false;
    if (row == 0)
        row = region[0];
    if (row < region[0] || __builtin_mul_overflow(row, region[1], &rows))
        return false;
    if (slice == 0)
        slice = rows;
    if (slice < rows || slice % row != 0 ||
        __builtin_mul_overflow(rect.origin[2], slice, &z) ||
        __builtin_mul_overflow(rect.origin[1], row, &first) ||
        __builtin_add_overflow(first, z, &first) ||
        __builtin_add_overflow(first, rect.origin[0], &first) || first >= buffer_bytes)
        return false;
    *box = (struct dl_part_box){.first_byte = first,
                                .width_bytes = region[0],
                                .height = region[1],
                                .row_bytes = row,
                                .depth = region[2],
                                .slice_bytes = slice};
    return true;
}

static DL__WITH_LOCK bool pass_begin(struct pass *pass, struct dl__queue *queue,
                                     const struct dl__wait *program, const size_t *region)
{
    struct dl__context *context = queue->object.context;
    size_t bytes;

    pass->region = region;
    if (__builtin_mul_overflow(region[0], region[1], &pass->slice_bytes) ||
        __builtin_mul_overflow(pass->slice_bytes, region[2], &bytes) ||
        !dl__token_take(queue, &pass->token))
        return false;
    pass->area = dl__area_take(context, queue, bytes);
    if (!pass->area || pass->area->bytes < bytes)
        return false;
    dl__chain_begin(&pass->chain, queue, program);
    return true;
}

static DL__WITH_LOCK bool pass_is_done(struct pass *pass, cl_event *done)
{
    dl__area_give(pass->area, &pass->chain);
    return dl__chain_is_done(&pass->chain, done);
}

bool dl__staged_read_rect(struct dl__mem *mem, struct dl__queue *queue,
                          const struct dl__wait *program, const size_t *region,
                          struct dl__rect rect, struct dl__rect host_rect, void *host,
                          cl_event *done)
{
    struct dl__access access;
    struct dl_part_box box;
    struct dl__step step;
    struct pass pass;

    if (!host || !region || !host_rect.origin || !dl__mem_lies_in_tiles(mem) ||
        !box_of(region, rect, mem->bytes, &box) ||
        !dl__access_begin(&access, mem, queue, &box) ||
        !pass_begin(&pass, queue, program, region))
        return false;
    pass.chain.host = true;
    dl__chain_use(&pass.chain, mem);
    dl__access_copy(&access, &pass.chain, DL_PART_GATHER, &box, pass.area);
    DL__STEP(&step, &pass.chain, done,
             dl__next.clEnqueueReadBufferRect(
                 pass_queue(&pass), pass.area->mem, CL_FALSE, dense, host_rect.origin,
                 region, region[0], pass.slice_bytes, host_rect.row_bytes,
                 host_rect.slice_bytes, host, step.wait.count, step.wait.list, step.out));
    return pass_is_done(&pass, done);
}

bool dl__staged_write_rect(struct dl__mem *mem, struct dl__queue *queue,
                           const struct dl__wait *program, const size_t *region,
                           struct dl__rect rect, struct dl__rect host_rect,
                           const void *host, cl_event *done)
{
    struct dl__access access;
    struct dl_part_box box;
    struct dl__step step;
    struct pass pass;

    if (!host || !region || !host_rect.origin || !dl__mem_lies_in_tiles(mem) ||
        !box_of(region, rect, mem->bytes, &box) ||
        !dl__access_begin(&access, mem, queue, &box) ||
        !pass_begin(&pass, queue, program, region))
        return false;
    pass.chain.host = true;
    dl__chain_use(&pass.chain, mem);
    DL__STEP(&step, &pass.chain, NULL,
             dl__next.clEnqueueWriteBufferRect(
                 pass_queue(&pass), pass.area->mem, CL_FALSE, dense, host_rect.origin,
                 region, region[0], pass.slice_bytes, host_rect.row_bytes,
                 host_rect.slice_bytes, host, step.wait.count, step.wait.list, step.out));
    dl__access_copy(&access, &pass.chain, DL_PART_SCATTER, &box, pass.area);
    if (done) {
        const size_t at[3] = {pass.token.offset, 0, 0};

        DL__LAST_STEP(
            &step, &pass.chain, done,
            dl__next.clEnqueueWriteBufferRect(pass_queue(&pass), pass.token.mem, CL_FALSE,
                                              at, dense, one_byte, 0, 0, 0, 0, &nothing,
                                              step.wait.count, step.wait.list, step.out));
    }
    return pass_is_done(&pass, done);
}

bool dl__staged_copy_rect(struct dl__queue *queue, const struct dl__wait *program,
                          const struct dl__end *from, const struct dl__end *to,
                          const size_t *region, cl_event *done)
{
    struct dl__access read, write;
    struct dl_part_box box_from, box_to;
    struct dl__step step;
    struct pass pass;

    if (!region || !from->rect.origin || !to->rect.origin ||
        (from->tiled && (!box_of(region, from->rect, from->mem->bytes, &box_from) ||
                         !dl__access_begin(&read, from->mem, queue, &box_from))) ||
        (to->tiled && (!box_of(region, to->rect, to->mem->bytes, &box_to) ||
                       !dl__access_begin(&write, to->mem, queue, &box_to))) ||
        !pass_begin(&pass, queue, program, region))
        return false;
    dl__chain_use(&pass.chain, from->mem);
    dl__chain_use(&pass.chain, to->mem);
    if (from->tiled)
        dl__access_copy(&read, &pass.chain, DL_PART_GATHER, &box_from, pass.area);
    else
        DL__STEP(&step, &pass.chain, NULL,
                 dl__next.clEnqueueCopyBufferRect(
                     pass_queue(&pass), from->handle, pass.area->mem, from->rect.origin,
                     dense, region, from->rect.row_bytes, from->rect.slice_bytes,
                     region[0], pass.slice_bytes, step.wait.count, step.wait.list,
                     step.out));
    if (to->tiled)
        dl__access_copy(&write, &pass.chain, DL_PART_SCATTER, &box_to, pass.area);
    else
        DL__STEP(&step, &pass.chain, done,
                 dl__next.clEnqueueCopyBufferRect(
                     pass_queue(&pass), pass.area->mem, to->handle, dense,
                     to->rect.origin, region, region[0], pass.slice_bytes,
                     to->rect.row_bytes, to->rect.slice_bytes, step.wait.count,
                     step.wait.list, step.out));
    if (done && to->tiled) {
        const size_t at[3] = {pass.token.offset, 0, 0},
                     after[3] = {pass.token.offset + TOKEN_HALF, 0, 0};

        DL__LAST_STEP(&step, &pass.chain, done,
                      dl__next.clEnqueueCopyBufferRect(
                          pass_queue(&pass), pass.token.mem, pass.token.mem, at, after,
                          one_byte, 0, 0, 0, 0, step.wait.count, step.wait.list,
                          step.out));
    }
    return pass_is_done(&pass, done);
}
