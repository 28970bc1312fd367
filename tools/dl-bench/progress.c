/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "bench.h"

void progress_text(const struct progress *progress, double seconds, char *text,
                   size_t room)
{
    size_t left = progress->total - progress->done;
    unsigned long left_s = 0;

    if (progress->done > 0)
        left_s = (unsigned long)(seconds / (double)progress->done * (double)left + 0.5);
    if (progress->done == 0 || left == 0)
        snprintf(text, room, "%zu of %zu", progress->done, progress->total);
    else
        snprintf(text, room, "%zu of %zu, %lu:%02lu left", progress->done,
                 progress->total, left_s / 60, left_s % 60);
}

void progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static void show(const struct progress *progress)
{
    char text[96];

    if (!isatty(STDERR_FILENO))
        return;
    progress_text(progress, now_s() - progress->start_s, text, sizeof text);
    progress_clear();
    fprintf(stderr, "%s ", text);
    fflush(stderr);
    if (progress->done == progress->total)
        progress_clear();
}

struct progress progress_begin(size_t total)
{
    struct progress progress = {now_s(), 0, total};

    show(&progress);
    return progress;
}

void progress_step(struct progress *progress)
{
    progress->done++;
    show(progress);
}
