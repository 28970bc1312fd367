/* SPDX-License-Identifier: MIT */
/* Collecting advice, and writing it. */
#include "advice.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "facts.h"

struct row {
    struct row *next;
    char *kernel;
    unsigned long launches;
    double speedup; /* the least of its launches */
    const char *layout;
    size_t count;
    struct dl__advised_buffer buffers[]; /* their annotations are owned */
};

/* A list of texts, each once. */
struct text {
    struct text *next;
    char *text;
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct row *rows DL__GUARDED_BY(lock);
static struct text *obstacles DL__GUARDED_BY(lock);
static struct text *annotated DL__GUARDED_BY(lock); /* kernels that need no advice */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pid_t owner;

/* ---- what is in the way ---- */

static void begin(void)
{
    owner = getpid();
    atexit(dl__advice_end);
}

void dl__advice_begin(void)
{
    if (dl__options_get()->advise)
        pthread_once(&once, begin);
}

/* Takes over the text, which may be NULL. */
static DL__REQUIRES(lock) void add_text(struct text **list, char *text)
{
    while (text && *list && strcmp((*list)->text, text) != 0)
        list = &(*list)->next;
    if (text && !*list && (*list = calloc(1, sizeof **list)))
        (*list)->text = text;
    else
        free(text);
}

void dl__advice_remark(const struct dl_remark *remark)
{
    const char *hint = dl_remark_hint(remark);
    char place[512] = "", *text;

    dl__facts_remark(remark);
    if (!dl__options_get()->advise)
        return;
    pthread_once(&once, begin);
    if (remark->file && remark->line)
        snprintf(place, sizeof place, "%s:%u:%u: ", remark->file, remark->line,
                 remark->column);
    if (asprintf(&text, "%s%s%s%s", place, remark->text, hint ? "; to change: " : "",
                 hint ? hint : "") < 0)
        return;
    dl__mutex_lock(&lock);
    add_text(&obstacles, text);
    dl__mutex_unlock(&lock);
}

/* ---- launches ---- */

/* The kernel's row, which has these buffers. NULL: out of memory. */
static DL__REQUIRES(lock) struct row *row_of(const char *kernel,
                                             const struct dl__advised_buffer *buffers,
                                             size_t count)
{
    struct row *row, **last = &rows;
    bool same;

    for (; (row = *last); last = &row->next) {
        same = strcmp(row->kernel, kernel) == 0 && row->count == count;
        for (size_t b = 0; b < count && same; b++)
            same = strcmp(row->buffers[b].annotation, buffers[b].annotation) == 0 &&
                   row->buffers[b].member_count == buffers[b].member_count;
        if (same)
            return row;
    }
    row = calloc(1, sizeof *row + count * sizeof *row->buffers);
    if (!row || !(row->kernel = strdup(kernel))) {
        free(row);
        return NULL;
    }
    for (; row->count < count; row->count++) {
        struct dl__advised_buffer *own = &row->buffers[row->count];

        *own =
            (struct dl__advised_buffer){.struct_bytes = buffers[row->count].struct_bytes};
        own->arrays = buffers[row->count].arrays;
        own->annotation = strdup(buffers[row->count].annotation);
        if (!own->annotation)
            break;
    }
    row->speedup = -1;
    *last = row;
    return row;
}

static void add_buffer(struct dl__advised_buffer *to,
                       const struct dl__advised_buffer *from)
{
    to->native += from->native;
    to->apart += from->apart;
    to->member_count = from->member_count;
    for (size_t m = 0; m < from->member_count; m++) {
        to->members[m].offset = from->members[m].offset;
        to->members[m].bytes = from->members[m].bytes;
        to->members[m].used += from->members[m].used;
        to->members[m].fetched += from->members[m].fetched;
    }
}

void dl__advice_launch(const char *kernel, double speedup, const char *layout,
                       const struct dl__advised_buffer *buffers, size_t count)
{
    struct row *row;

    if (!dl__options_get()->advise)
        return;
    pthread_once(&once, begin);
    dl__mutex_lock(&lock);
    row = row_of(kernel, buffers, count);
    if (row) {
        row->launches++;
        if (row->speedup < 0 || speedup < row->speedup)
            row->speedup = speedup;
        row->layout = layout;
        for (size_t b = 0; b < row->count; b++)
            add_buffer(&row->buffers[b], &buffers[b]);
    }
    dl__mutex_unlock(&lock);
}

void dl__advice_annotated(const char *kernel)
{
    if (!dl__options_get()->advise)
        return;
    pthread_once(&once, begin);
    dl__mutex_lock(&lock);
    add_text(&annotated, strdup(kernel));
    dl__mutex_unlock(&lock);
}

/* ---- the end ---- */

/* "1.3 GB", into one of some places. */
static const char *bytes_text(double bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    static char texts[4][32];
    static unsigned next;
    char *text = texts[next++ % 4];
    size_t unit = 0;

    for (; bytes >= 1000 && unit < 4; unit++)
        bytes /= 1000;
    snprintf(text, sizeof texts[0], unit && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes,
             units[unit]);
    return text;
}

static void print_buffer(const struct dl__advised_buffer *buffer, FILE *out)
{
    fprintf(out, "#   %s: %s of %u bytes; %s fetched, %s with each member apart\n",
            buffer->annotation, buffer->arrays ? "arrays, in all" : "structs",
            buffer->struct_bytes, bytes_text(buffer->native), bytes_text(buffer->apart));
    for (size_t m = 0; m < buffer->member_count; m++) {
        const struct dl__advised_member *member = &buffer->members[m];

        if (member->bytes == UINT32_MAX)
            fputs("#     anywhere in it: ", out);
        else
            fprintf(out, "#     bytes %u to %u: ", member->offset,
                    member->offset + member->bytes - 1);
        fprintf(out, "%s used of %s fetched\n", bytes_text(member->used),
                bytes_text(member->fetched));
    }
}

static void print_row(const struct row *row, FILE *out)
{
    bool any = false;

    fprintf(out, "#\n# %s: %lu launch%s; ", row->kernel, row->launches,
            row->launches == 1 ? "" : "es");
    if (row->speedup > 1.1)
        fprintf(out, "expect up to %.1f times the speed in %s\n", row->speedup,
                row->layout);
    else
        fprintf(out, "little gain is expected of %s on this device\n", row->layout);
    for (size_t b = 0; b < row->count; b++)
        print_buffer(&row->buffers[b], out);
    for (size_t b = 0; b < row->count; b++) {
        if (row->buffers[b].arrays)
            continue;
        if (!any)
            fprintf(out, "%s: AoS:", row->kernel);
        fprintf(out, "%s %s", any ? "," : "", row->buffers[b].annotation);
        any = true;
    }
    fputs(any ? "\n" : "", out);
    for (size_t b = 0; b < row->count; b++)
        if (row->buffers[b].arrays)
            fprintf(out, "%s: SoA: %s\n", row->kernel, row->buffers[b].annotation);
}

static DL__REQUIRES(lock) void print_all(FILE *out)
{
    fputs(
        "# Annotations that dl-run --advise found: give this file to dl-run "
        "--annotations.\n"
        "# Bytes are those that the text's accesses touch; a loop counts as 16 rounds.\n",
        out);
    if (!rows && dl__facts_all_unread())
        fputs("# All kernels came from binaries or IL, in which DL sees no structs: have "
              "the "
              "program\n"
              "# build them from source (its cache emptied, or turned off), and run it "
              "again.\n",
              out);
    else if (!rows && dl__facts_any_not_followed())
        fputs("# No kernel that was launched has a buffer that DL can convert. Where a "
              "line below says\n"
              "# what to change, an annotation does not help.\n",
              out);
    else if (!rows && !annotated)
        fputs("# No kernel that was launched has a buffer in which DL sees structs or "
              "rows.\n"
              "# If one holds them, say so: 'kernel: AoS: buffer[][20]', rows of 20 "
              "elements "
              "(docs/annotating.md).\n",
              out);
    else if (rows && dl__log_words_are_new("tiles"))
        fputs("# " DL_WORDS_POINTER "\n", out);
    for (const struct text *own = annotated; own; own = own->next)
        fprintf(out, "# %s: annotated already\n", own->text);
    for (const struct row *row = rows; row; row = row->next)
        print_row(row, out);
    if (obstacles)
        fprintf(
            out, "#\n# Left as they are%s:\n",
            rows ? "; a buffer that a kernel above uses, too, comes back for each launch "
                   "of\n# these, so that nothing may be gained before they are changed"
                 : "");
    for (const struct text *o = obstacles; o; o = o->next)
        fprintf(out, "#   %s\n", o->text);
}

void dl__advice_end(void)
{
    static atomic_bool ended;

    /* Not for a forked child. */
    if (getpid() != owner || atomic_exchange(&ended, true))
        return;
    dl__mutex_lock(&lock);
    dl__print_to(dl__options_get()->advice_path, print_all, "the advice",
                 "--advise (DL_ADVISE)");
    dl__mutex_unlock(&lock);
}
