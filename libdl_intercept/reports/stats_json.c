/* SPDX-License-Identifier: MIT */
/* Statistics as JSON: docs/reference/stats.schema.json says what each member is, and must
 * follow. */
#include <inttypes.h>
#include <stdlib.h>

#include "stats_print.h"
#include "summary.h"

/* Of the schema; it rises when a member goes or gets another meaning, not when one comes.
 */
enum { SCHEMA = 1 };

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

/* ,"time_ms":...,"gb_per_s":...,"why":...} */
static void print_ran(FILE *out, const char *name, const struct dl__ran_row *ran)
{
    if (!ran->launches)
        return;
    fprintf(out, ",\"%s\":{\"launches\":%" PRIu64 ",\"time_ms\":%.6f", name,
            ran->launches, (double)ran->time_ns * 1e-6);
    if (ran->bytes_time_ns && dl__ran_is_timed(ran))
        fprintf(out, ",\"bytes\":%" PRIu64 ",\"gb_per_s\":%.3f", ran->bytes,
                (double)ran->bytes / (double)ran->bytes_time_ns);
    if (ran->why) {
        fputs(",\"why\":", out);
        print_json_string(out, ran->why);
    }
    fputc('}', out);
}

static void print_gain(FILE *out, uint64_t launches, uint64_t time_ns, uint64_t native_ns)
{
    fprintf(out,
            ",\"gain\":{\"launches\":%" PRIu64
            ",\"time_ms\":%.6f,\"as_written_ms\":%.6f,\"factor\":%.3f}",
            launches, (double)time_ns * 1e-6, (double)native_ns * 1e-6,
            (double)native_ns / (double)time_ns);
}

static void print_buffers(FILE *out, const struct dl__kernel_row *row)
{
    fputs(",\"buffers\":[", out);
    for (size_t b = 0; b < row->buffer_count; b++) {
        const struct dl__buffer_row *buffer = &row->buffers[b];

        fprintf(out, "%s{\"arg\":%u,\"name\":", b ? "," : "", buffer->arg_index);
        print_json_string(out, buffer->name ? buffer->name : "");
        fprintf(out, ",\"layout\":\"%s\",\"tile\":%" PRIu32 ",\"structs\":%" PRIu64 "}",
                dl_layout_name(buffer->layout.kind), buffer->layout.tile_structs,
                buffer->structs);
    }
    fputs("]}", out);
}

static void print_kernel(FILE *out, const struct dl__kernel_row *row)
{
    fputs("{\"kernel\":", out);
    print_json_string(out, row->name);
    fprintf(out,
            ",\"launches\":%" PRIu64 ",\"native_launches\":%" PRIu64 ",\"time_ms\":%.6f",
            row->rewritten.launches, row->native.launches,
            (double)(row->rewritten.time_ns + row->native.time_ns) * 1e-6);
    print_ran(out, "rewritten", &row->rewritten);
    print_ran(out, "as_written", &row->native);
    if (row->judged_time_ns)
        print_gain(out, row->judged, row->judged_time_ns, row->judged_native_ns);
    print_buffers(out, row);
}

static void print_conversion(FILE *out, const struct dl__conversion_row *row)
{
    fprintf(out, "{\"buffer\":%u", row->buffer);
    if (row->name) {
        fputs(",\"name\":", out);
        print_json_string(out, row->name);
    }
    fprintf(out,
            ",\"structs\":%" PRIu64 ",\"struct_bytes\":%" PRIu32
            ",\"from\":\"%s\",\"to\":\"%s\",\"count\":%" PRIu64 ",\"bytes\":%" PRIu64
            ",\"time_ms\":%.6f",
            row->structs, row->struct_bytes, dl_layout_name(row->from.kind),
            dl_layout_name(row->to.kind), row->count, row->bytes,
            (double)row->time_ns * 1e-6);
    if (dl__is_timed(row->count, row->time_ns))
        fprintf(out, ",\"gb_per_s\":%.3f", (double)row->bytes / (double)row->time_ns);
    fputc('}', out);
}

static void print_total(FILE *out, const struct dl__total *total)
{
    fprintf(out, ",\"total\":{\"kernels_ms\":%.6f,\"conversions_ms\":%.6f",
            (double)total->kernels_ns * 1e-6, (double)total->conversions_ns * 1e-6);
    if (total->judged_time_ns)
        print_gain(out, total->judged, total->judged_time_ns, total->judged_native_ns);
    fputs("},\n", out);
}

static void print_own(FILE *out, const struct dl__counted *counted)
{
    fprintf(out,
            "\"own\":{\"texts_rewritten\":%" PRIu64 ",\"texts_kept\":%" PRIu64
            ",\"shadows_built\":%" PRIu64 ",\"shadows_kept\":%" PRIu64
            ",\"load_ms\":%.3f,\"total_ms\":%.3f,\"expand_ms\":%.3f,"
            "\"parse_ms\":%.3f,\"rewrite_ms\":%.3f,\"explored\":%" PRIu64
            ",\"explored_ms\":%.3f,\"compared\":%" PRIu64
            ",\"compared_ms\":%.3f,\"held_ms\":%.3f,\"built_ms\":%.3f}",
            counted->own.texts_rewritten, counted->own.texts_kept,
            counted->own.shadows_built, counted->own.shadows_kept, counted->own.load_ms,
            counted->own.total_ms, counted->own.expand_ms, counted->own.parse_ms,
            counted->own.rewrite_ms, counted->own.explored, counted->own.explored_ms,
            counted->own.compared, counted->own.compared_ms, counted->own.held_ms,
            counted->own.built_ms);
}

void dl__stats_print_json(const struct dl__counted *counted, FILE *out)
{
    char *summary = dl__summary(counted);
    struct dl__total total;

    dl__stats_total(counted, &total);
    fprintf(out, "{\"dl\":\"" DL_VERSION "\",\"schema\":%d,\"device\":", SCHEMA);
    print_json_string(out, counted->device_name);
    fputs(",\"kernels\":[", out);
    for (size_t i = 0; i < counted->kernel_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_kernel(out, &counted->kernels[i]);
    }
    fputs("],\"marshals\":[", out);
    for (size_t i = 0; i < counted->conversion_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_conversion(out, &counted->conversions[i]);
    }
    fprintf(out,
            "],\"marshal_count\":%" PRIu64 ",\"bring_back_count\":%" PRIu64
            ",\"copies_bytes\":%" PRIu64 ",\"part_count\":%" PRIu64
            ",\"part_bytes\":%" PRIu64 ",\"area_count\":%" PRIu64,
            total.there, total.back, counted->copies_bytes, counted->part_count,
            counted->part_bytes, counted->area_count);
    print_total(out, &total);
    fputs("\"decisions\":[", out);
    for (size_t d = 0; d < counted->decision_count; d++) {
        fputs(d ? ",\n" : "\n", out);
        print_json_string(out, counted->decisions[d]);
    }
    fputs("],\n", out);
    print_own(out, counted);
    if (summary) {
        fputs(",\n\"summary\":", out);
        print_json_string(out, summary);
    }
    fputs("}\n", out);
    free(summary);
}
