/* Statistics as JSON and as a table. */
#include "stats_print.h"

#include <inttypes.h>

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

static void print_json_kernel(FILE *out, const struct dl__kernel_row *row)
{
    fputs("{\"kernel\":", out);
    print_json_string(out, row->name);
    fprintf(out,
            ",\"launches\":%" PRIu64 ",\"native_launches\":%" PRIu64
            ",\"time_ms\":%.6f,\"buffers\":[",
            row->launches, row->native_launches, (double)row->time_ns * 1e-6);
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

static void count_conversions(const struct dl__counted *counted, uint64_t *there,
                              uint64_t *back)
{
    *there = *back = 0;
    for (size_t i = 0; i < counted->conversion_count; i++)
        *(counted->conversions[i].to.kind == DL_LAYOUT_AOS ? back : there) +=
            counted->conversions[i].count;
}

void dl__stats_print_json(const struct dl__counted *counted, FILE *out)
{
    uint64_t there, back;

    count_conversions(counted, &there, &back);
    fputs("{\"dl\":\"" DL_VERSION "\",\"device\":", out);
    print_json_string(out, counted->device_name);
    fputs(",\"kernels\":[", out);
    for (size_t i = 0; i < counted->kernel_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        print_json_kernel(out, &counted->kernels[i]);
    }
    fputs("],\"marshals\":[", out);
    for (size_t i = 0; i < counted->conversion_count; i++) {
        const struct dl__conversion_row *row = &counted->conversions[i];

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
            there, back, counted->copies_bytes, counted->part_count, counted->part_bytes,
            counted->area_count);
    fprintf(out, "\"decisions\":[");
    for (size_t d = 0; d < counted->decision_count; d++) {
        fputs(d ? ",\n" : "\n", out);
        print_json_string(out, counted->decisions[d]);
    }
    fprintf(out, "],\n");
    fprintf(out,
            "\"own\":{\"texts_rewritten\":%" PRIu64 ",\"texts_kept\":%" PRIu64
            ",\"shadows_built\":%" PRIu64 ",\"shadows_kept\":%" PRIu64
            ",\"load_ms\":%.3f,\"total_ms\":%.3f,\"expand_ms\":%.3f,"
            "\"parse_ms\":%.3f,\"rewrite_ms\":%.3f}}\n",
            counted->own.texts_rewritten, counted->own.texts_kept,
            counted->own.shadows_built, counted->own.shadows_kept, counted->own.load_ms,
            counted->own.total_ms, counted->own.expand_ms, counted->own.parse_ms,
            counted->own.rewrite_ms);
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

void dl__stats_print_table(const struct dl__counted *counted, FILE *out)
{
    char from[24], to[24];

    fprintf(out, "dl: statistics (%s)\n",
            counted->device_name[0] ? counted->device_name : "no device");
    fprintf(out, "  %-24s %10s %10s %12s  %s\n", "kernel", "launches", "as written",
            "device ms", "buffers");
    for (size_t i = 0; i < counted->kernel_count; i++) {
        const struct dl__kernel_row *row = &counted->kernels[i];

        fprintf(out, "  %-24s %10" PRIu64 " %10" PRIu64 " %12.3f ", row->name,
                row->launches, row->native_launches, (double)row->time_ns * 1e-6);
        for (size_t b = 0; b < row->buffer_count; b++) {
            dl__stats_print_layout(to, sizeof to, row->buffers[b].layout);
            fprintf(out, " %s:%s", row->buffers[b].name, to);
        }
        fputc('\n', out);
    }
    fprintf(out, "  %-8s %12s %8s  %-16s %8s %14s %12s\n", "buffer", "structs", "bytes",
            "marshal", "count", "bytes moved", "device ms");
    for (size_t i = 0; i < counted->conversion_count; i++) {
        const struct dl__conversion_row *row = &counted->conversions[i];
        char arrow[56];

        dl__stats_print_layout(from, sizeof from, row->from);
        dl__stats_print_layout(to, sizeof to, row->to);
        snprintf(arrow, sizeof arrow, "%s->%s", from, to);
        fprintf(out,
                "  %-8u %12" PRIu64 " %8" PRIu32 "  %-16s %8" PRIu64 " %14" PRIu64
                " %12.3f\n",
                row->buffer, row->structs, row->struct_bytes, arrow, row->count,
                row->bytes, (double)row->time_ns * 1e-6);
    }
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
    if (counted->own.shadows_built || counted->own.shadows_kept)
        fprintf(out, "  rewritten programs built: %" PRIu64 ", kept: %" PRIu64 "\n",
                counted->own.shadows_built, counted->own.shadows_kept);
}
