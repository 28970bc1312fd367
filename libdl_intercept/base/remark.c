/* SPDX-License-Identifier: MIT */
/* Remarks of the transformer's, as messages. */
#include <stdio.h>
#include <string.h>

#include "log.h"

void dl__log_remark_in(const char *text, const struct dl_remark *remark)
{
    static const enum dl__log_level levels[] = {DL__LOG_REMARK, DL__LOG_WARNING,
                                                DL__LOG_ERROR};
    enum dl__log_level level = levels[remark->severity];
    const char *name = dl__log_level_names[level];
    const char *hint = dl_remark_hint(remark);
    char line[2048 + DL_EXCERPT_BYTES + DL__LOG_END_BYTES];
    size_t told_bytes;

    if (!dl__log_is_heard(level))
        return;
    if (!remark->file)
        snprintf(line, 2047, "dl: %s: %s", name, remark->text);
    else if (remark->line == 0)
        snprintf(line, 2047, "dl: %s: %s: %s", remark->file, name, remark->text);
    else
        snprintf(line, 2047, "dl: %s:%u:%u: %s: %s", remark->file, remark->line,
                 remark->column, name, remark->text);
    told_bytes = strlen(line);
    if (hint)
        snprintf(line + told_bytes, 2047 - told_bytes, "; to change: %s", hint);
    told_bytes = strlen(line);
    dl_remark_excerpt(remark, text, "dl: ", line + told_bytes);
    dl__log_line(level, line, told_bytes);
}

void dl__log_remark(void *user, const struct dl_remark *remark)
{
    (void)user;
    dl__log_remark_in(NULL, remark);
}
