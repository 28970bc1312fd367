/* SPDX-License-Identifier: MIT */
/* Collecting statistics. Device times come from the events' profiling
 * information, read when the events have completed, in batches. */
#include "stats.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "stats_print.h"

enum { PENDING_FIRST = 256, NAMES_MAX = 1024 };

/* Events whose times are still to be read; `row` is an index, rows move. */
struct pending {
    cl_event first, last;
    bool conversion, transformed, native_earlier;
    size_t row;
    uint64_t bytes, native_ns; /* as struct dl__launch_said */
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct dl__counted counted DL__GUARDED_BY(lock);
static struct pending *pending DL__GUARDED_BY(lock);
static size_t pending_count DL__GUARDED_BY(lock);
static size_t pending_room DL__GUARDED_BY(lock);
static char *names[NAMES_MAX] DL__GUARDED_BY(lock); /* of buffers, by number */
static pid_t owner;
static void (*say_first)(void); /* set before the first context is made */

static bool wanted(void)
{
    return dl__options_get()->counts;
}

/* ---- times ---- */

static DL__REQUIRES(lock) void add_launch_time(const struct pending *item, uint64_t ns)
{
    struct dl__kernel_row *row = &counted.kernels[item->row];
    struct dl__ran_row *ran = item->transformed ? &row->rewritten : &row->native;

    ran->timed++;
    ran->time_ns += ns;
    if (item->bytes) {
        ran->bytes += item->bytes;
        ran->bytes_time_ns += ns;
    }
    if (item->transformed && item->native_ns) {
        row->judged++;
        row->judged_earlier += item->native_earlier;
        row->judged_time_ns += ns;
        row->judged_native_ns += item->native_ns;
    }
}

static DL__REQUIRES(lock) bool read_times(const struct pending *item)
{
    cl_int status = dl__event_status(item->last);
    uint64_t ns;

    if (status > CL_COMPLETE)
        return false;
    ns = status == CL_COMPLETE ? dl__event_ns(item->first, item->last) : 0;
    if (ns && item->conversion)
        counted.conversions[item->row].time_ns += ns;
    else if (ns)
        add_launch_time(item, ns);
    dl__next.clReleaseEvent(item->first);
    dl__next.clReleaseEvent(item->last);
    return true;
}

static DL__REQUIRES(lock) void settle(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < pending_count; i++) {
        if (!read_times(&pending[i]))
            pending[kept++] = pending[i];
    }
    pending_count = kept;
}

/* `item` has all but references of its own. */
static DL__REQUIRES(lock) void add_pending(const struct pending *item)
{
    if (!item->first || !item->last)
        return;
    if (pending_count == pending_room) {
        settle();
        if (pending_room == 0 || pending_count > pending_room / 2) {
            struct pending *more =
                realloc(pending, (pending_room * 2 + PENDING_FIRST) * sizeof *more);

            if (!more)
                return; /* its time is missing */
            pending = more;
            pending_room = pending_room * 2 + PENDING_FIRST;
        }
    }
    if (!dl__event_share(item->first))
        return;
    if (!dl__event_share(item->last)) {
        dl__next.clReleaseEvent(item->first);
        return;
    }
    pending[pending_count++] = *item;
}

/* ---- counting ---- */

static DL__REQUIRES(lock) struct dl__kernel_row *kernel_row(const char *name)
{
    struct dl__kernel_row *more, *row;

    for (size_t i = 0; i < counted.kernel_count; i++) {
        if (strcmp(counted.kernels[i].name, name) == 0)
            return &counted.kernels[i];
    }
    more = realloc(counted.kernels, (counted.kernel_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    counted.kernels = more;
    row = &more[counted.kernel_count];
    *row = (struct dl__kernel_row){.name = strdup(name)};
    if (!row->name)
        return NULL;
    counted.kernel_count++;
    return row;
}

static void set_text(char **at, const char *text)
{
    if (*at && strcmp(*at, text) == 0)
        return;
    free(*at);
    *at = strdup(text);
}

void dl__stats_launch(const char *kernel, bool transformed,
                      const struct dl__launch_said *said, cl_event event)
{
    struct pending item = {.first = event, .last = event, .transformed = transformed};
    struct dl__kernel_row *row;
    struct dl__ran_row *ran;

    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    row = kernel_row(kernel ? kernel : "(unnamed)");
    if (row) {
        ran = transformed ? &row->rewritten : &row->native;
        ran->launches++;
        if (said && *said->why)
            set_text(&ran->why, said->why);
        item.row = (size_t)(row - counted.kernels);
        item.bytes = said ? said->bytes : 0;
        item.native_earlier = said && said->native_earlier;
        item.native_ns = said ? (uint64_t)(said->native_seconds * 1e9) : 0;
        add_pending(&item);
    }
    dl__mutex_unlock(&lock);
}

void dl__stats_binding(const char *kernel, unsigned arg_index, const char *buffer,
                       struct dl_layout layout, uint64_t structs)
{
    struct dl__buffer_row *more;
    struct dl__kernel_row *row;

    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    row = kernel_row(kernel);
    for (size_t i = 0; row && i < row->buffer_count; i++) {
        if (row->buffers[i].arg_index == arg_index) {
            row->buffers[i].layout = layout;
            row->buffers[i].structs = structs;
            goto out;
        }
    }
    more = row ? realloc(row->buffers, (row->buffer_count + 1) * sizeof *more) : NULL;
    if (!more)
        goto out;
    row->buffers = more;
    row->buffers[row->buffer_count++] =
        (struct dl__buffer_row){arg_index, strdup(buffer), layout, structs};
out:
    dl__mutex_unlock(&lock);
}

void dl__stats_between(const char *kernel, unsigned buffer, bool returned)
{
    struct dl__returned_row *more;
    struct dl__kernel_row *row;
    size_t i = 0;

    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    row = kernel_row(kernel);
    if (!row)
        goto out;
    row->between = true;
    while (i < row->returned_count && row->returned[i].buffer != buffer)
        i++;
    if (returned && i == row->returned_count) {
        more = realloc(row->returned, (i + 1) * sizeof *more);
        if (!more)
            goto out;
        row->returned = more;
        more[row->returned_count++] = (struct dl__returned_row){.buffer = buffer};
    }
    if (returned)
        row->returned[i].count++;
out:
    dl__mutex_unlock(&lock);
}

void dl__stats_conversion(unsigned buffer, uint64_t structs, uint32_t struct_bytes,
                          struct dl_layout from, struct dl_layout to, uint64_t bytes,
                          cl_event first, cl_event done)
{
    struct dl__conversion_row key = {.buffer = buffer,
                                     .structs = structs,
                                     .struct_bytes = struct_bytes,
                                     .from = from,
                                     .to = to};
    struct dl__conversion_row *more;
    size_t i;

    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    for (i = 0; i < counted.conversion_count; i++) {
        const struct dl__conversion_row *row = &counted.conversions[i];

        if (row->buffer == key.buffer && row->struct_bytes == key.struct_bytes &&
            row->from.kind == key.from.kind && row->to.kind == key.to.kind)
            break;
    }
    if (i == counted.conversion_count) {
        more =
            realloc(counted.conversions, (counted.conversion_count + 1) * sizeof *more);
        if (!more)
            goto out;
        counted.conversions = more;
        counted.conversions[counted.conversion_count++] = key;
    }
    counted.conversions[i].count++;
    counted.conversions[i].bytes += bytes;
    if (!counted.conversions[i].name && buffer < NAMES_MAX && names[buffer])
        counted.conversions[i].name = strdup(names[buffer]);
    add_pending(
        &(struct pending){.first = first, .last = done, .conversion = true, .row = i});
out:
    dl__mutex_unlock(&lock);
}

void dl__stats_buffer(unsigned buffer, const char *name)
{
    if (!wanted() || buffer >= NAMES_MAX || !name)
        return;
    dl__mutex_lock(&lock);
    if (!names[buffer])
        names[buffer] = strdup(name);
    dl__mutex_unlock(&lock);
}

void dl__stats_add(enum dl__stats_sum sum, uint64_t number)
{
    static uint64_t *const sums[] = {
        [DL__STATS_PARTS] = &counted.part_count,
        [DL__STATS_PART_BYTES] = &counted.part_bytes,
        [DL__STATS_AREAS] = &counted.area_count,
        [DL__STATS_COPIED_BYTES] = &counted.copies_bytes,
        [DL__STATS_SHADOWS_KEPT] = &counted.own.shadows_kept,
        [DL__STATS_SHADOWS_BUILT] = &counted.own.shadows_built,
    };

    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    *sums[sum] += number;
    dl__mutex_unlock(&lock);
}

void dl__stats_text(bool kept, const struct dl__text_times *times)
{
    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    if (kept)
        counted.own.texts_kept++;
    else
        counted.own.texts_rewritten++;
    counted.own.total_ms += times->total_ms;
    counted.own.load_ms += times->load_ms;
    counted.own.expand_ms += times->expand_ms;
    counted.own.parse_ms += times->parse_ms;
    counted.own.rewrite_ms += times->rewrite_ms;
    dl__mutex_unlock(&lock);
}

void dl__stats_waited(enum dl__stats_wait wait, double seconds)
{
    static const struct {
        double *sum_ms;
        uint64_t *count; /* NULL: it is not told how often */
    } waits[] = {
        [DL__STATS_EXPLORED] = {&counted.own.explored_ms, &counted.own.explored},
        [DL__STATS_COMPARED] = {&counted.own.compared_ms, &counted.own.compared},
        [DL__STATS_HELD] = {&counted.own.held_ms, NULL},
        [DL__STATS_BUILT] = {&counted.own.built_ms, NULL},
    };

    if (!wanted() || seconds <= 0)
        return;
    dl__mutex_lock(&lock);
    *waits[wait].sum_ms += 1e3 * seconds;
    if (waits[wait].count)
        ++*waits[wait].count;
    dl__mutex_unlock(&lock);
}

void dl__stats_decision(const char *why)
{
    enum { DECISIONS_MAX = 1000 };
    char **more;

    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    more = counted.decision_count < DECISIONS_MAX
               ? realloc(counted.decisions,
                         (counted.decision_count + 1) * sizeof *counted.decisions)
               : NULL;
    if (more) {
        counted.decisions = more;
        more[counted.decision_count] = strdup(why);
        counted.decision_count += more[counted.decision_count] != NULL;
    }
    dl__mutex_unlock(&lock);
}

void dl__stats_settle(void)
{
    if (!wanted())
        return;
    dl__mutex_lock(&lock);
    settle();
    dl__mutex_unlock(&lock);
}

unsigned dl__stats_references(cl_event event)
{
    unsigned count = 0;

    if (!wanted())
        return 0;
    dl__mutex_lock(&lock);
    for (size_t i = 0; i < pending_count; i++)
        count += (pending[i].first == event) + (pending[i].last == event);
    dl__mutex_unlock(&lock);
    return count;
}

/* ---- the end ---- */

void dl__stats_say_first(void (*say)(void))
{
    say_first = say;
}

static DL__REQUIRES(lock) void print(FILE *out)
{
    (dl__options_get()->stats_path ? dl__stats_print_json
                                   : dl__stats_print_table)(&counted, out);
}

void dl__stats_end(void)
{
    static atomic_bool ended;

    /* A forked child that ends has counted nothing, and must not touch the driver. */
    if (!wanted() || getpid() != owner || atomic_exchange(&ended, true))
        return;
    dl__stats_settle();
    if (!dl__options_get()->stats)
        return; /* for the report alone */
    if (say_first)
        say_first();
    dl__mutex_lock(&lock);
    dl__print_to(dl__options_get()->stats_path, print, "the statistics",
                 "--stats (DL_STATS)");
    dl__mutex_unlock(&lock);
}

/* Registered when the driver is loaded, so that it runs before the driver's own end. */
static void print_at_exit(void)
{
    owner = getpid();
    atexit(dl__stats_end);
}

void dl__stats_device(cl_device_id device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    cl_device_type type = 0;

    if (!wanted())
        return;
    pthread_once(&once, print_at_exit);
    dl__mutex_lock(&lock);
    if (!counted.device_name[0]) {
        dl__next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof counted.device_name,
                                 counted.device_name, NULL);
        dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
        counted.is_cpu = type & CL_DEVICE_TYPE_CPU;
    }
    dl__mutex_unlock(&lock);
}

void dl__stats_visit(void (*visit)(const struct dl__counted *counted, void *user),
                     void *user)
{
    dl__mutex_lock(&lock);
    visit(&counted, user);
    dl__mutex_unlock(&lock);
}
