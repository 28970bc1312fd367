/* SPDX-License-Identifier: MIT */
/* Transfers, copies and fills of tiled buffers, through staging areas. */
#include "staged.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/residence.h"

/* For a command that only stands for what came before it. */
static const unsigned char nothing;

enum { TOKEN_HALF = DL__TOKEN_BYTES / 2 };

static cl_command_queue chain_queue(const struct dl__chain *chain)
{
    return chain->queue->object.handle;
}

static bool is_inside(const struct dl__mem *mem, size_t offset, size_t bytes)
{
    return bytes > 0 && offset <= mem->bytes && bytes <= mem->bytes - offset;
}

/* ---- bytes ---- */

static size_t piece(const struct dl__area *area, size_t rest)
{
    return rest < area->bytes ? rest : area->bytes;
}

/* Between a buffer as it lies and the host; `host` is only read when it `writes`. */
static DL__WITH_LOCK void host_transfer(struct dl__chain *chain, bool writes, cl_mem mem,
                                        size_t offset, size_t bytes, void *host,
                                        cl_event *done)
{
    struct dl__step step;

    DL__STEP(&step, chain, done,
             writes ? dl__next.clEnqueueWriteBuffer(chain_queue(chain), mem, CL_FALSE,
                                                    offset, bytes, host, step.wait.count,
                                                    step.wait.list, step.out)
                    : dl__next.clEnqueueReadBuffer(chain_queue(chain), mem, CL_FALSE,
                                                   offset, bytes, host, step.wait.count,
                                                   step.wait.list, step.out));
}

/* What both begin with where the buffer lies in tiles; NULL: it can't be staged. */
static DL__WITH_LOCK struct dl__area *area_begin(struct dl__access *access,
                                                 const struct dl__chain *chain,
                                                 struct dl__mem *mem, size_t offset,
                                                 size_t bytes)
{
    const struct dl_part_box all = dl__range(offset, bytes);

    if (!dl__access_begin(access, mem, chain->queue, &all))
        return NULL;
    return dl__area_take(mem->object.context, chain->queue, bytes);
}

bool dl__chain_read(struct dl__chain *chain, struct dl__mem *mem, size_t offset,
                    size_t bytes, void *host, cl_event *done)
{
    struct dl__access access;
    struct dl__area *area;

    if (!dl__mem_lies_in_tiles(mem)) {
        host_transfer(chain, false, mem->object.handle, offset, bytes, host, done);
        return true;
    }
    area = area_begin(&access, chain, mem, offset, bytes);
    if (!area)
        return false;
    for (size_t at = 0, now; at < bytes && chain->err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        chain->host = at > 0;
        dl__access_copy(&access, chain, DL_PART_GATHER, &box, area);
        host_transfer(chain, false, area->mem, 0, now, (char *)host + at,
                      at + now == bytes ? done : NULL);
    }
    dl__area_give(area, chain);
    return true;
}

bool dl__chain_write(struct dl__chain *chain, struct dl__mem *mem, size_t offset,
                     size_t bytes, const void *host)
{
    struct dl__access access;
    struct dl__area *area;

    if (!dl__mem_lies_in_tiles(mem)) {
        host_transfer(chain, true, mem->object.handle, offset, bytes, (void *)host, NULL);
        return true;
    }
    area = area_begin(&access, chain, mem, offset, bytes);
    if (!area)
        return false;
    for (size_t at = 0, now; at < bytes && chain->err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        chain->host = true;
        host_transfer(chain, true, area->mem, 0, now, (char *)host + at, NULL);
        dl__access_copy(&access, chain, DL_PART_SCATTER, &box, area);
    }
    dl__area_give(area, chain);
    return true;
}

/* Nothing has been enqueued yet, and nothing will be. */
static DL__WITH_LOCK bool leave(struct dl__chain *chain)
{
    dl__chain_end(chain);
    return false;
}

bool dl__staged_read(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, size_t offset, size_t bytes,
                     void *host, cl_event *done)
{
    struct dl__chain chain;

    if (!host || !dl__mem_lies_in_tiles(mem) || !is_inside(mem, offset, bytes))
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, mem);
    if (!dl__chain_read(&chain, mem, offset, bytes, host, done))
        return leave(&chain);
    return dl__chain_is_done(&chain, done);
}

bool dl__staged_write(struct dl__mem *mem, struct dl__queue *queue,
                      const struct dl__wait *program, size_t offset, size_t bytes,
                      const void *host, cl_event *done)
{
    struct dl__token token;
    struct dl__chain chain;
    struct dl__step step;

    if (!host || !dl__mem_lies_in_tiles(mem) || !is_inside(mem, offset, bytes) ||
        !dl__token_take(queue, &token))
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, mem);
    if (!dl__chain_write(&chain, mem, offset, bytes, host))
        return leave(&chain);
    if (done)
        DL__LAST_STEP(&step, &chain, done,
                      dl__next.clEnqueueWriteBuffer(
                          chain_queue(&chain), token.mem, CL_FALSE, token.offset, 1,
                          &nothing, step.wait.count, step.wait.list, step.out));
    return dl__chain_is_done(&chain, done);
}

bool dl__staged_fill(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, const void *pattern,
                     size_t pattern_bytes, size_t offset, size_t bytes, cl_event *done)
{
    const struct dl_part_box all = dl__range(offset, bytes);
    struct dl__access access;
    struct dl__token token;
    struct dl__chain chain;
    struct dl__area *area;
    struct dl__step step;
    size_t now;

    if (!pattern || pattern_bytes == 0 || pattern_bytes > 128 ||
        (pattern_bytes & (pattern_bytes - 1)) || offset % pattern_bytes ||
        bytes % pattern_bytes || !dl__mem_lies_in_tiles(mem) ||
        !dl__access_begin(&access, mem, queue, &all) || !dl__token_take(queue, &token))
        return false;
    area = dl__area_take(mem->object.context, queue, bytes);
    if (!area || area->bytes % pattern_bytes)
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, mem);
    /* Every piece is a beginning of the first. */
    DL__STEP(&step, &chain, NULL,
             dl__next.clEnqueueFillBuffer(chain_queue(&chain), area->mem, pattern,
                                          pattern_bytes, 0, piece(area, bytes),
                                          step.wait.count, step.wait.list, step.out));
    for (size_t at = 0; at < bytes && chain.err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        dl__access_copy(&access, &chain, DL_PART_SCATTER, &box, area);
    }
    if (done)
        DL__LAST_STEP(&step, &chain, done,
                      dl__next.clEnqueueFillBuffer(
                          chain_queue(&chain), token.mem, &nothing, 1, token.offset, 1,
                          step.wait.count, step.wait.list, step.out));
    dl__area_give(area, &chain);
    return dl__chain_is_done(&chain, done);
}

/* ---- copies ---- */

bool dl__staged_copy(struct dl__queue *queue, const struct dl__wait *program,
                     const struct dl__end *from, const struct dl__end *to, size_t bytes,
                     cl_event *done)
{
    const struct dl_part_box all_from = dl__range(from->offset, bytes),
                             all_to = dl__range(to->offset, bytes);
    struct dl__access read, write;
    struct dl__token token;
    struct dl__chain chain;
    struct dl__area *area;
    struct dl__step step;
    size_t now;

    if ((from->tiled && !dl__access_begin(&read, from->mem, queue, &all_from)) ||
        (to->tiled && !dl__access_begin(&write, to->mem, queue, &all_to)) ||
        !dl__token_take(queue, &token))
        return false;
    area = dl__area_take(queue->object.context, queue, bytes);
    if (!area)
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, from->mem);
    if (to->mem != from->mem)
        dl__chain_use(&chain, to->mem);
    for (size_t at = 0; at < bytes && chain.err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box_from = dl__range(from->offset + at, now),
                                 box_to = dl__range(to->offset + at, now);

        if (from->tiled)
            dl__access_copy(&read, &chain, DL_PART_GATHER, &box_from, area);
        else
            DL__STEP(&step, &chain, NULL,
                     dl__next.clEnqueueCopyBuffer(
                         chain_queue(&chain), from->handle, area->mem, from->offset + at,
                         0, now, step.wait.count, step.wait.list, step.out));
        if (to->tiled)
            dl__access_copy(&write, &chain, DL_PART_SCATTER, &box_to, area);
        else
            DL__STEP(&step, &chain, at + now == bytes ? done : NULL,
                     dl__next.clEnqueueCopyBuffer(
                         chain_queue(&chain), area->mem, to->handle, 0, to->offset + at,
                         now, step.wait.count, step.wait.list, step.out));
    }
    if (done && to->tiled)
        DL__LAST_STEP(
            &step, &chain, done,
            dl__next.clEnqueueCopyBuffer(chain_queue(&chain), token.mem, token.mem,
                                         token.offset, token.offset + TOKEN_HALF, 1,
                                         step.wait.count, step.wait.list, step.out));
    dl__area_give(area, &chain);
    return dl__chain_is_done(&chain, done);
}
