/* SPDX-License-Identifier: MIT */
/* Statistics as a table, for people. */
#include "stats_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "libdl_intercept/base/log.h"
#include "summary.h"

void dl__stats_total(const struct dl__counted *counted, struct dl__total *total)
{
    *total = (struct dl__total){0};
    for (size_t i = 0; i < counted->kernel_count; i++) {
        const struct dl__kernel_row *row = &counted->kernels[i];

        total->kernels_ns += row->native.time_ns + row->rewritten.time_ns;
        total->judged += row->judged;
        total->judged_time_ns += row->judged_time_ns;
        total->judged_native_ns += row->judged_native_ns;
    }
    for (size_t i = 0; i < counted->conversion_count; i++) {
        const struct dl__conversion_row *row = &counted->conversions[i];

        total->conversions_ns += row->time_ns;
        *(row->to.kind == DL_LAYOUT_AOS ? &total->back : &total->there) += row->count;
    }
}

void dl__stats_print_layout(char *text, size_t bytes, struct dl_layout layout)
{
    const char *name = dl_layout_name(layout.kind);

    /* Discrete arrays have a tile, too, but it says little of them. */
    if (dl_layout_has_tile(layout.kind) && layout.kind != DL_LAYOUT_DA)
        snprintf(text, bytes, "%s/%" PRIu32, name, layout.tile_structs);
    else
        snprintf(text, bytes, "%s", name);
}

/* "3981.2", or "-" where it is not known. */
static const char *print_number(char *text, size_t bytes, const char *format, double over,
                                double under)
{
    if (under > 0)
        snprintf(text, bytes, format, over / under);
    else
        snprintf(text, bytes, "-");
    return text;
}

static void print_ran(FILE *out, const struct dl__kernel_row *row, bool rewritten)
{
    const struct dl__ran_row *ran = rewritten ? &row->rewritten : &row->native;
    const bool timed = dl__ran_is_timed(ran);
    char time[24], speed[24], gain[24], layout[24];

    if (!ran->launches)
        return;
    print_number(time, sizeof time, "%.3f", (double)ran->time_ns * 1e-6, timed);
    print_number(speed, sizeof speed, "%.2f", (double)ran->bytes,
                 timed ? (double)ran->bytes_time_ns : 0);
    print_number(gain, sizeof gain, "%.2f x",
                 rewritten ? (double)row->judged_native_ns : 0,
                 rewritten && timed ? (double)row->judged_time_ns : 0);
    fprintf(out, "  %-24s %-10s %10" PRIu64 " %12s %9s %9s ", row->name,
            rewritten ? "rewritten" : "as written", ran->launches, time, speed, gain);
    for (size_t b = 0; rewritten && b < row->buffer_count; b++) {
        dl__stats_print_layout(layout, sizeof layout, row->buffers[b].layout);
        fprintf(out, " %s:%s", row->buffers[b].name, layout);
    }
    fputc('\n', out);
    if (ran->why)
        fprintf(out, "      why: %s\n", ran->why);
}

static void print_conversions(const struct dl__counted *counted, FILE *out)
{
    char from[24], to[24], arrow[56], name[40], time[24], speed[24];

    if (counted->conversion_count)
        fprintf(out, "  %-24s %12s %8s  %-16s %8s %12s %9s\n", "buffer", "structs",
                "bytes", "marshal", "count", "device ms", "GB/s");
    for (size_t i = 0; i < counted->conversion_count; i++) {
        const struct dl__conversion_row *row = &counted->conversions[i];
        const bool timed = dl__is_timed(row->count, row->time_ns);

        dl__stats_print_layout(from, sizeof from, row->from);
        dl__stats_print_layout(to, sizeof to, row->to);
        snprintf(arrow, sizeof arrow, "%s->%s", from, to);
        snprintf(name, sizeof name, "%u%s%s", row->buffer, row->name ? " " : "",
                 row->name ? row->name : "");
        print_number(time, sizeof time, "%.3f", (double)row->time_ns * 1e-6, timed);
        print_number(speed, sizeof speed, "%.2f", (double)row->bytes,
                     timed ? (double)row->time_ns : 0);
        fprintf(out, "  %-24s %12" PRIu64 " %8" PRIu32 "  %-16s %8" PRIu64 " %12s %9s\n",
                name, row->structs, row->struct_bytes, arrow, row->count, time, speed);
    }
}

static void print_rows(const struct dl__counted *counted, FILE *out)
{
    fprintf(out, "dl: statistics of %s, process %ld (%s)\n",
            program_invocation_short_name, (long)getpid(),
            counted->device_name[0] ? counted->device_name : "no device");
    fprintf(out, "  %-24s %-10s %10s %12s %9s %9s  %s\n", "kernel", "runs", "launches",
            "device ms", "GB/s", "gain", "buffers");
    for (size_t i = 0; i < counted->kernel_count; i++) {
        print_ran(out, &counted->kernels[i], true);
        print_ran(out, &counted->kernels[i], false);
    }
    print_conversions(counted, out);
    if (counted->part_count)
        fprintf(out, "  parts looked at in place: %" PRIu64 ", %" PRIu64 " bytes\n",
                counted->part_count, counted->part_bytes);
    if (counted->copies_bytes)
        fprintf(out, "  device memory in tiled copies: %" PRIu64 " bytes\n",
                counted->copies_bytes);
    if (counted->own.texts_rewritten || counted->own.texts_kept)
        fprintf(out,
                "  texts rewritten: %" PRIu64 ", kept: %" PRIu64 ", in %.3f ms; libclang "
                "loaded in %.3f ms\n",
                counted->own.texts_rewritten, counted->own.texts_kept,
                counted->own.total_ms, counted->own.load_ms);
    for (size_t d = 0; d < counted->decision_count; d++)
        fprintf(out, "  policy: %s\n", counted->decisions[d]);
    if (counted->own.explored || counted->own.compared || counted->own.held_ms > 0)
        fprintf(out,
                "  the program waited for DL: %.3f ms while %" PRIu64
                " launches were explored, %.3f while %" PRIu64
                " were compared again, %.3f held back\n",
                counted->own.explored_ms, counted->own.explored, counted->own.compared_ms,
                counted->own.compared, counted->own.held_ms);
    if (counted->own.shadows_built || counted->own.shadows_kept)
        fprintf(out, "  rewritten programs built: %" PRIu64 ", kept: %" PRIu64 "\n",
                counted->own.shadows_built, counted->own.shadows_kept);
}

void dl__stats_print_table(const struct dl__counted *counted, FILE *out)
{
    char *summary = dl__summary(counted), *rows = NULL;
    size_t bytes;
    FILE *to = open_memstream(&rows, &bytes);

    if (to) {
        print_rows(counted, to);
        fclose(to);
    }
    fputs(rows ? rows : "", out);
    if ((rows && dl__log_words_are_new(rows)) ||
        (summary && dl__log_words_are_new(summary)))
        fputs("  " DL_WORDS_POINTER "\n", out);
    if (summary)
        fprintf(out, "  in short: %s\n", summary);
    free(rows);
    free(summary);
}
