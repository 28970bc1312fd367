/* SPDX-License-Identifier: MIT */
/* One rewrite from its beginning to its end: its state, remarks and times. */
#include "annotate/program/rewriter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "annotate/annotations/annotation.h"
#include "annotate/text/lex.h"

/* ---- remarks ---- */

static void count_remark(void *user, const struct dl_remark *remark)
{
    struct dl__rewriter *w = user;
    struct dl_remark said = *remark;

    /* Nobody has asked for what DL found by itself: no reason to warn. */
    if (said.severity == DL_WARNING && (w->detecting || !w->hand_made))
        said.severity = DL_REMARK;
    w->remark_count += said.severity != DL_REMARK;
    if (w->caller_remark)
        w->caller_remark(w->caller_user, &said);
}

void dl__say(struct dl__rewriter *w, enum dl_severity severity, const char *file,
             unsigned line, unsigned column, const char *format, ...)
{
    struct dl_remark remark = {severity, file, line, column, NULL};
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    remark.text = text;
    w->remark(w->user, &remark);
}

void dl__say_at(struct dl__rewriter *w, size_t at, const char *prefix, const char *text)
{
    struct dl__place place = dl__expanded_place(&w->expanded, at);

    dl__say(w, DL_WARNING, place.file->name, place.line, place.column, "%s%s", prefix,
            text);
}

/* ---- times ---- */

void dl__rewriter_lap(struct dl__rewriter *w, double *part_ms)
{
    struct timespec now;
    double ms;

    clock_gettime(CLOCK_MONOTONIC, &now);
    ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    *part_ms += ms - w->lap_ms;
    w->lap_ms = ms;
}

/* ---- beginning and end ---- */

struct dl__rewriter *dl__rewriter_open(const char *text, size_t text_bytes,
                                       const struct dl_annotate_options *options,
                                       dl_remark_fn remark, void *user)
{
    static const struct dl_annotate_options none;
    struct dl__rewriter *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->options = options ? options : &none;
    w->arena.ms_max = w->options->ms_max;
    w->remark = count_remark;
    w->user = w;
    w->caller_remark = remark;
    w->caller_user = user;
    w->main.name = w->options->file_name ? w->options->file_name : "<program source>";
    /* Drivers read no further. */
    w->main.bytes = strnlen(text, text_bytes);
    w->main.text = text + dl__mark_bytes(text, w->main.bytes);
    w->main.bytes -= dl__mark_bytes(text, w->main.bytes);
    w->main.is_main = true;
    w->main.lines = &w->main_lines;
    w->main_lines.arena = &w->arena;
    w->hand_made =
        !w->options->detect || dl__is_annotated_with(text, text_bytes, w->options);
    dl__rewriter_lap(w, &w->times.load);
    w->times.load = 0;
    return w;
}

void dl__rewriter_close(struct dl__rewriter *w)
{
    struct dl_annotate_times *times = w->options->times;

    dl__ast_free(&w->ast);
    dl__arena_free(&w->arena);
    dl__rewriter_lap(w, &w->times.rewrite);
    if (times) {
        times->load += w->times.load;
        times->expand += w->times.expand;
        times->parse += w->times.parse;
        times->rewrite += w->times.rewrite;
    }
    free(w);
}
