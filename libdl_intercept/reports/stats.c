/* Collecting and printing statistics. Device times come from the events' profiling
 * information, read when the events have completed, in batches. */
#include "stats.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "write_file.h"

enum { PENDING_FIRST = 256 };

struct buffer_row {
    unsigned arg_index;
    char *name;
    struct dl_layout layout;
    uint64_t structs;
};

struct kernel_row {
    char *name;
    uint64_t launches, native_launches, time_ns;
    struct buffer_row *buffers;
    size_t buffer_count;
};

struct conversion_row {
    unsigned buffer;
    uint64_t structs;
    uint32_t struct_bytes;
    struct dl_layout from, to;
    uint64_t count, bytes, time_ns;
};

/* Events whose times are still to be read; `row` is an index, rows move. */
struct pending {
    cl_event first, last;
    bool conversion;
    size_t row;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kernel_row *kernels;
static size_t kernel_count;
static struct conversion_row *conversions;
static size_t conversion_count;
static struct pending *pending;
static size_t pending_count, pending_room;
static uint64_t copies_bytes, part_count, part_bytes, area_count;
static struct {
    uint64_t texts_rewritten, texts_kept, shadows_built, shadows_kept;
    struct dl__text_times times;
} own; /* work on the host */
static char device_name[128];
static pid_t owner;

static bool wanted(void)
{
    return dl__options_get()->stats;
}

/* ---- times ---- */

static bool read_times(const struct pending *item)
{
    cl_int status = CL_QUEUED;
    cl_ulong start = 0, end = 0;

    dl__next.clGetEventInfo(item->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL);
    if (status > CL_COMPLETE)
        return false;
    if (status == CL_COMPLETE &&
        dl__next.clGetEventProfilingInfo(item->first, CL_PROFILING_COMMAND_START,
                                         sizeof start, &start, NULL) == CL_SUCCESS &&
        dl__next.clGetEventProfilingInfo(item->last, CL_PROFILING_COMMAND_END, sizeof end,
                                         &end, NULL) == CL_SUCCESS &&
        end > start) {
        if (item->conversion)
            conversions[item->row].time_ns += end - start;
        else
            kernels[item->row].time_ns += end - start;
    }
    dl__next.clReleaseEvent(item->first);
    dl__next.clReleaseEvent(item->last);
    return true;
}

static void settle(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < pending_count; i++) {
        if (!read_times(&pending[i]))
            pending[kept++] = pending[i];
    }
    pending_count = kept;
}

static void add_pending(cl_event first, cl_event last, bool conversion, size_t row)
{
    if (!first || !last)
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
    if (!dl__event_share(first))
        return;
    if (!dl__event_share(last)) {
        dl__next.clReleaseEvent(first);
        return;
    }
    pending[pending_count++] = (struct pending){first, last, conversion, row};
}

/* ---- counting ---- */

static struct kernel_row *kernel_row(const char *name)
{
    struct kernel_row *more;

    for (size_t i = 0; i < kernel_count; i++) {
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    }
    more = realloc(kernels, (kernel_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    kernels = more;
    memset(&kernels[kernel_count], 0, sizeof *kernels);
    kernels[kernel_count].name = strdup(name);
    return kernels[kernel_count].name ? &kernels[kernel_count++] : NULL;
}

void dl__stats_launch(const char *kernel, bool transformed, cl_event event)
{
    struct kernel_row *row;

    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    row = kernel_row(kernel ? kernel : "(unnamed)");
    if (row) {
        if (transformed)
            row->launches++;
        else
            row->native_launches++;
        add_pending(event, event, false, (size_t)(row - kernels));
    }
    pthread_mutex_unlock(&lock);
}

void dl__stats_binding(const char *kernel, unsigned arg_index, const char *buffer,
                       struct dl_layout layout, uint64_t structs)
{
    struct buffer_row *more;
    struct kernel_row *row;

    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
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
        (struct buffer_row){arg_index, strdup(buffer), layout, structs};
out:
    pthread_mutex_unlock(&lock);
}

void dl__stats_conversion(unsigned buffer, uint64_t structs, uint32_t struct_bytes,
                          struct dl_layout from, struct dl_layout to, uint64_t bytes,
                          cl_event first, cl_event done)
{
    struct conversion_row key = {.buffer = buffer,
                                 .structs = structs,
                                 .struct_bytes = struct_bytes,
                                 .from = from,
                                 .to = to};
    struct conversion_row *more;
    size_t i;

    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    for (i = 0; i < conversion_count; i++) {
        if (conversions[i].buffer == key.buffer &&
            conversions[i].struct_bytes == key.struct_bytes &&
            conversions[i].from.kind == key.from.kind &&
            conversions[i].to.kind == key.to.kind)
            break;
    }
    if (i == conversion_count) {
        more = realloc(conversions, (conversion_count + 1) * sizeof *more);
        if (!more)
            goto out;
        conversions = more;
        conversions[conversion_count++] = key;
    }
    conversions[i].count++;
    conversions[i].bytes += bytes;
    add_pending(first, done, true, i);
out:
    pthread_mutex_unlock(&lock);
}

void dl__stats_part(uint64_t bytes)
{
    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    part_count++;
    part_bytes += bytes;
    pthread_mutex_unlock(&lock);
}

void dl__stats_area(void)
{
    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    area_count++;
    pthread_mutex_unlock(&lock);
}

void dl__stats_copy(uint64_t bytes)
{
    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    copies_bytes += bytes;
    pthread_mutex_unlock(&lock);
}

void dl__stats_text(bool kept, const struct dl__text_times *times)
{
    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    if (kept)
        own.texts_kept++;
    else
        own.texts_rewritten++;
    own.times.total_ms += times->total_ms;
    own.times.load_ms += times->load_ms;
    own.times.expand_ms += times->expand_ms;
    own.times.parse_ms += times->parse_ms;
    own.times.rewrite_ms += times->rewrite_ms;
    pthread_mutex_unlock(&lock);
}

void dl__stats_shadow(bool kept)
{
    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    if (kept)
        own.shadows_kept++;
    else
        own.shadows_built++;
    pthread_mutex_unlock(&lock);
}

void dl__stats_settle(void)
{
    if (!wanted())
        return;
    pthread_mutex_lock(&lock);
    settle();
    pthread_mutex_unlock(&lock);
}

unsigned dl__stats_references(cl_event event)
{
    unsigned count = 0;

    if (!wanted())
        return 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < pending_count; i++)
        count += (pending[i].first == event) + (pending[i].last == event);
    pthread_mutex_unlock(&lock);
    return count;
}

/* ---- printing ---- */

static void print_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void print_json_kernel(FILE *out, const struct kernel_row *row)
{
    fputs("{\"kernel\":", out);
    print_json_string(out, row->name);
    fprintf(out,
            ",\"launches\":%" PRIu64 ",\"native_launches\":%" PRIu64
            ",\"time_ms\":%.6f,\"buffers\":[",
            row->launches, row->native_launches, (double)row->time_ns * 1e-6);
    for (size_t b = 0; b < row->buffer_count; b++) {
        const struct buffer_row *buffer = &row->buffers[b];

        fprintf(out, "%s{\"arg\":%u,\"name\":", b ? "," : "", buffer->arg_index);
        print_json_string(out, buffer->name ? buffer->name : "");
        fprintf(out, ",\"layout\":\"%s\",\"tile\":%" PRIu32 ",\"structs\":%" PRIu64 "}",
                dl_layout_name(buffer->layout.kind), buffer->layout.tile_structs,
                buffer->structs);
    }
    fputs("]}", out);
}

static void count_conversions(uint64_t *there, uint64_t *back)
{
    *there = *back = 0;
    for (size_t i = 0; i < conversion_count; i++)
        *(conversions[i].to.kind == DL_LAYOUT_AOS ? back : there) += conversions[i].count;
}

static void print_json(FILE *out)
{
    uint64_t there, back;

    count_conversions(&there, &back);
    fputs("{\"dl\":\"" DL_VERSION "\",\"device\":", out);
    print_json_string(out, device_name);
    fputs(",\"kernels\":[", out);
    for (size_t i = 0; i < kernel_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_json_kernel(out, &kernels[i]);
    }
    fputs("],\"marshals\":[", out);
    for (size_t i = 0; i < conversion_count; i++) {
        const struct conversion_row *row = &conversions[i];

        fprintf(out,
                "%s{\"buffer\":%u,\"structs\":%" PRIu64 ",\"struct_bytes\":%" PRIu32
                ",\"from\":\"%s\",\"to\":\"%s\",\"count\":%" PRIu64 ",\"bytes\":%" PRIu64
                ",\"time_ms\":%.6f}",
                i ? ",\n" : "\n", row->buffer, row->structs, row->struct_bytes,
                dl_layout_name(row->from.kind), dl_layout_name(row->to.kind), row->count,
                row->bytes, (double)row->time_ns * 1e-6);
    }
    fprintf(out,
            "],\"marshal_count\":%" PRIu64 ",\"bring_back_count\":%" PRIu64
            ",\"copies_bytes\":%" PRIu64 ",\"part_count\":%" PRIu64
            ",\"part_bytes\":%" PRIu64 ",\"area_count\":%" PRIu64 ",\n",
            there, back, copies_bytes, part_count, part_bytes, area_count);
    fprintf(out,
            "\"own\":{\"texts_rewritten\":%" PRIu64 ",\"texts_kept\":%" PRIu64
            ",\"shadows_built\":%" PRIu64 ",\"shadows_kept\":%" PRIu64
            ",\"load_ms\":%.3f,\"total_ms\":%.3f,\"expand_ms\":%.3f,"
            "\"parse_ms\":%.3f,\"rewrite_ms\":%.3f}}\n",
            own.texts_rewritten, own.texts_kept, own.shadows_built, own.shadows_kept,
            own.times.load_ms, own.times.total_ms, own.times.expand_ms,
            own.times.parse_ms, own.times.rewrite_ms);
}

static void print_layout(char *text, size_t bytes, struct dl_layout layout)
{
    if (layout.kind == DL_LAYOUT_ASTA)
        snprintf(text, bytes, "ASTA/%" PRIu32, layout.tile_structs);
    else
        snprintf(text, bytes, "%s", dl_layout_name(layout.kind));
}

static void print_table(FILE *out)
{
    char from[24], to[24];

    fprintf(out, "dl: statistics (%s)\n", device_name[0] ? device_name : "no device");
    fprintf(out, "  %-24s %10s %10s %12s  %s\n", "kernel", "launches", "as written",
            "device ms", "buffers");
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel_row *row = &kernels[i];

        fprintf(out, "  %-24s %10" PRIu64 " %10" PRIu64 " %12.3f ", row->name,
                row->launches, row->native_launches, (double)row->time_ns * 1e-6);
        for (size_t b = 0; b < row->buffer_count; b++) {
            print_layout(to, sizeof to, row->buffers[b].layout);
            fprintf(out, " %s:%s", row->buffers[b].name, to);
        }
        fputc('\n', out);
    }
    fprintf(out, "  %-8s %12s %8s  %-16s %8s %14s %12s\n", "buffer", "structs", "bytes",
            "marshal", "count", "bytes moved", "device ms");
    for (size_t i = 0; i < conversion_count; i++) {
        const struct conversion_row *row = &conversions[i];
        char arrow[56];

        print_layout(from, sizeof from, row->from);
        print_layout(to, sizeof to, row->to);
        snprintf(arrow, sizeof arrow, "%s->%s", from, to);
        fprintf(out,
                "  %-8u %12" PRIu64 " %8" PRIu32 "  %-16s %8" PRIu64 " %14" PRIu64
                " %12.3f\n",
                row->buffer, row->structs, row->struct_bytes, arrow, row->count,
                row->bytes, (double)row->time_ns * 1e-6);
    }
    if (part_count)
        fprintf(out, "  parts looked at in place: %" PRIu64 ", %" PRIu64 " bytes\n",
                part_count, part_bytes);
    if (copies_bytes)
        fprintf(out, "  device memory in tiled copies: %" PRIu64 " bytes\n",
                copies_bytes);
    if (own.texts_rewritten || own.texts_kept)
        fprintf(out,
                "  texts rewritten: %" PRIu64 ", kept: %" PRIu64 ", in %.3f ms; libclang "
                "loaded in %.3f ms\n",
                own.texts_rewritten, own.texts_kept, own.times.total_ms,
                own.times.load_ms);
    if (own.shadows_built || own.shadows_kept)
        fprintf(out, "  rewritten programs built: %" PRIu64 ", kept: %" PRIu64 "\n",
                own.shadows_built, own.shadows_kept);
}

void dl__stats_end(void)
{
    static atomic_bool ended;
    const char *path = dl__options_get()->stats_path;

    /* A forked child that ends has counted nothing, and must not touch the driver. */
    if (!wanted() || getpid() != owner || atomic_exchange(&ended, true))
        return;
    dl__stats_settle();
    pthread_mutex_lock(&lock);
    if (!path)
        print_table(stderr);
    else if (!dl__write_file(path, print_json))
        dl__log(DL__LOG_ERROR,
                "%s: the statistics can't be written: %s; give --stats (DL_STATS) "
                "another file",
                path, strerror(errno));
    pthread_mutex_unlock(&lock);
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

    if (!wanted())
        return;
    pthread_once(&once, print_at_exit);
    pthread_mutex_lock(&lock);
    if (!device_name[0])
        dl__next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof device_name, device_name,
                                 NULL);
    pthread_mutex_unlock(&lock);
}
