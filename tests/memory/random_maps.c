/* SPDX-License-Identifier: MIT */
/* Maps of random host programs: several at a time, nested and overlapping. What the host
 * writes through one it must see through the others, and the device after the unmap. */
#include "random.h"

#include <string.h>

bool is_mapped(const struct held_buffer *buffer)
{
    return buffer->map_count > 0;
}

bool is_mapped_for_writing(const struct held_buffer *buffer)
{
    for (unsigned m = 0; m < buffer->map_count; m++) {
        if (buffer->maps[m].writes)
            return true;
    }
    return false;
}

static void write_some(struct sequence *s, struct held_buffer *buffer,
                       const struct mapping *map, bool all)
{
    size_t first = all ? 0 : pick(s, (unsigned)map->bytes);
    size_t count = all ? map->bytes : pick(s, (unsigned)(map->bytes - first) + 1);

    pick_bytes(s, map->at + first, count);
    memcpy(buffer->model + map->offset + first, map->at + first, count);
}

/* Of two maps at one address DL can't know which is undone, so it writes back what the
 * host has written by the other, at each unmap. The host may go on writing meanwhile:
 * what is read then is written again by the last unmap, so it does no harm, but the
 * thread sanitizer is right to report it. */
static void let_it_be_read(cl_event unmapped)
{
#ifdef __SANITIZE_THREAD__
    clWaitForEvents(1, &unmapped);
#else
    (void)unmapped;
#endif
}

static void unmap(struct sequence *s, struct held_buffer *buffer, unsigned which)
{
    const struct mapping map = buffer->maps[which];
    cl_event event = NULL;
    const cl_event *list;
    bool is_shared = false;
    cl_uint count;
    cl_int err;

    compare(s, map.at, buffer->model + map.offset, map.bytes, "mapped");
    if (map.writes)
        write_some(s, buffer, &map, pick(s, 2));
    /* The same address may be mapped twice, and an unmap does not say which: for reading
     * first. */
    for (unsigned m = 0; m < buffer->map_count; m++) {
        is_shared |= m != which && buffer->maps[m].at == map.at;
        if (buffer->maps[m].at == map.at && !buffer->maps[m].writes)
            which = m;
    }
    buffer->maps[which] = buffer->maps[--buffer->map_count];
    count = wait_for_last(s, &list);
    err = clEnqueueUnmapMemObject(s->queues[s->queue], buffer->mem, map.at, count, list,
                                  &event);
    if (err == CL_SUCCESS && is_shared)
        let_it_be_read(event);
    follow(s, err, event, "unmap");
}

void command_unmap_all(struct sequence *s, struct held_buffer *buffer)
{
    while (buffer->map_count > 0 && !s->failed)
        unmap(s, buffer, pick(s, buffer->map_count));
}

/* An open map of the buffer, or one that writes, has some of its bytes. */
static bool overlaps(const struct held_buffer *buffer, const struct mapping *map,
                     bool only_writing)
{
    for (unsigned m = 0; m < buffer->map_count; m++) {
        const struct mapping *other = &buffer->maps[m];

        if ((other->writes || !only_writing) &&
            map->offset < other->offset + other->bytes &&
            other->offset < map->offset + map->bytes)
            return true;
    }
    return false;
}

/* Two regions mapped for writing must not overlap. */
static bool is_written_elsewhere(const struct held_buffer *buffer,
                                 const struct mapping *map)
{
    return overlaps(buffer, map, true);
}

/* Where a driver gives each map memory of its own, none may overlap one that writes: what
 * the other then shows is not defined. And in the host's memory, where two maps could
 * have one address nevertheless, such drivers know one map by it. */
static bool is_for_every_driver(const struct held_buffer *buffer,
                                const struct mapping *map)
{
    for (unsigned m = 0; m < buffer->map_count && buffer->host; m++) {
        if (buffer->maps[m].offset == map->offset)
            return false;
    }
    return !overlaps(buffer, map, !map->writes);
}

static void map_more(struct sequence *s, struct held_buffer *buffer)
{
    static const cl_map_flags kinds[] = {CL_MAP_READ, CL_MAP_READ,
                                         CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE,
                                         CL_MAP_WRITE_INVALIDATE_REGION};
    struct mapping *map = &buffer->maps[buffer->map_count], *old;
    unsigned kind = pick(s, 5);
    bool blocking = pick(s, 2);
    cl_event event = NULL;
    const cl_event *list;
    cl_uint count;
    cl_int err;

    pick_range(s, &map->offset, &map->bytes);
    /* Often within, or from the beginning of, one that is there. */
    old = buffer->map_count ? &buffer->maps[pick(s, buffer->map_count)] : NULL;
    if (old && pick(s, 2)) {
        map->offset = old->offset + (pick(s, 2) ? 0 : pick(s, (unsigned)old->bytes));
        map->bytes = 1 + pick(s, (unsigned)(old->offset + old->bytes - map->offset));
    }
    map->writes = kind > 1;
    if (map->writes && is_written_elsewhere(buffer, map)) {
        kind = 0;
        map->writes = false;
    }
    if (!s->maps_share && !is_for_every_driver(buffer, map))
        return;
    count = wait_for_last(s, &list);
    map->at = clEnqueueMapBuffer(s->queues[s->queue], buffer->mem, blocking, kinds[kind],
                                 map->offset, map->bytes, count, list, &event, &err);
    if (err == CL_SUCCESS && !blocking)
        clWaitForEvents(1, &event);
    follow(s, err, event, "map");
    if (err != CL_SUCCESS)
        return;
    buffer->map_count++;
    if (buffer->host && map->at != buffer->host + map->offset)
        report(s, "a map of the host's memory is elsewhere", 0);
    if (kinds[kind] != CL_MAP_WRITE_INVALIDATE_REGION)
        compare(s, map->at, buffer->model + map->offset, map->bytes, "map");
    if (map->writes)
        write_some(s, buffer, map, kinds[kind] == CL_MAP_WRITE_INVALIDATE_REGION);
}

void write_open_maps(struct sequence *s, struct held_buffer *buffer)
{
    for (unsigned m = 0; m < buffer->map_count; m++) {
        if (buffer->maps[m].writes && pick(s, 2))
            write_some(s, buffer, &buffer->maps[m], false);
    }
}

void compare_open_maps(struct sequence *s, const struct held_buffer *buffer)
{
    for (unsigned m = 0; m < buffer->map_count && !s->failed; m++)
        compare(s, buffer->maps[m].at, buffer->model + buffer->maps[m].offset,
                buffer->maps[m].bytes, "an open map");
}

void command_map(struct sequence *s, struct held_buffer *buffer)
{
    if (buffer->map_count == MAPS || (buffer->map_count && pick(s, s->open ? 6 : 2) == 0))
        unmap(s, buffer, pick(s, buffer->map_count));
    else
        map_more(s, buffer);
}
