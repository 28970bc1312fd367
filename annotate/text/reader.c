/* SPDX-License-Identifier: MIT */
/* What all that preprocess share: giving up, and what goes from a file to the expanded
 * text. */
#include "annotate/text/reader.h"

#include <stdarg.h>
#include <stdio.h>

void dl__pp_give_up(struct dl__pp *pp, const struct dl__file *file, size_t offset,
                    const char *format, ...)
{
    struct dl__place place = dl__file_place(file, offset);
    struct dl_remark remark = {DL_WARNING, file->name, place.line, place.column, NULL};
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    remark.text = text;
    if (pp->input->remark)
        pp->input->remark(pp->input->remark_user, &remark);
    dl__arena_fail(pp->arena, DL_EPARSE);
}

bool dl__pp_is_active(const struct dl__reader *r)
{
    return !r->group_count || r->groups[r->group_count - 1].active;
}

void dl__pp_add_segment(struct dl__reader *r, enum dl__segment_kind kind, size_t at,
                        size_t origin, size_t origin_end)
{
    struct dl__segment segment = {kind,   r->file,   at, r->pp->text.count,
                                  origin, origin_end};

    if (segment.at != segment.end || kind == DL__DEFINE || kind == DL__LINE ||
        kind == DL__EXPANSION)
        DL__PUSH(r->pp->arena, &r->pp->out->segments, segment);
    r->copied = origin_end;
}

void dl__pp_copy_until(struct dl__reader *r, size_t origin)
{
    size_t at = r->pp->text.count;

    if (origin <= r->copied)
        return;
    dl__buf_add(&r->pp->text, r->file->text + r->copied, origin - r->copied);
    dl__pp_add_segment(r, DL__VERBATIM, at, r->copied, origin);
}

void dl__pp_add_newlines(struct dl__reader *r, size_t origin, size_t origin_end)
{
    for (size_t i = origin; i < origin_end; i++)
        if (r->file->text[i] == '\n')
            dl__buf_puts(&r->pp->text, "\n");
}

void dl__pp_blank(struct dl__reader *r, enum dl__segment_kind kind, size_t origin,
                  size_t end)
{
    size_t at;

    dl__pp_copy_until(r, origin);
    at = r->pp->text.count;
    dl__pp_add_newlines(r, origin, end);
    dl__pp_add_segment(r, kind, at, origin, end);
}
