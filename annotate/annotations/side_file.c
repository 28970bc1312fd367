/* SPDX-License-Identifier: MIT */
/* Annotations beside the program: a file of `KERNEL: AoS: f[...]` lines with #
 * comments. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/annotation.h"
#include "annotate/base/file.h"
#include "annotate/text/lex.h"

/* So much is for thousands of kernels; every build looks through the entries. */
enum {
    FILE_BYTES_MAX = 1 << 20,
    ENTRIES_MAX = 10000,
    LINE_REMARKS_MAX = 10,
    NONE_IN = 3 /* bad lines, and the file is another kind of file */
};

struct reading {
    struct dl_side_file *side;
    dl_remark_fn remark;
    void *user;
    unsigned line;
    size_t room;
    unsigned bad_lines;
};

static void say(const struct reading *r, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(const struct reading *r, unsigned line, const char *format, ...)
{
    char text[256];
    struct dl_remark remark = {DL_WARNING, r->side->path, line, line ? 1 : 0, text};
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dl_remark_point(&remark, NULL);
    if (r->remark)
        r->remark(r->user, &remark);
}

/* Of many bad lines only the first are said. */
static void say_bad_line(struct reading *r, const char *reason)
{
    if (r->bad_lines++ < LINE_REMARKS_MAX)
        say(r, r->line, "%s", reason);
}

static bool is_name(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        char c = text[i];

        if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (i && c >= '0' && c <= '9')))
            return false;
    }
    return bytes != 0;
}

/* Checks the form only; what it means is known when the kernel is. The reason is said
 * while it lives. */
static bool body_is_sound(struct reading *r, const char *body)
{
    struct dl__arena arena = {0};
    struct dl__wishes wishes = {0};
    const char *reason = "out of memory";
    volatile bool ok = false;

    if (!setjmp(arena.fail))
        ok = dl__annotation_parse(&arena, body, &wishes, &reason);
    if (!ok)
        say_bad_line(r, reason);
    dl__arena_free(&arena);
    return ok;
}

static enum dl_status add_entry(struct reading *r, const char *kernel,
                                size_t kernel_bytes, const char *body)
{
    struct dl__side_entry entry = {strndup(kernel, kernel_bytes), strdup(body), r->line,
                                   dl__annotation_is_soa(body, strlen(body))};
    struct dl_side_file *side = r->side;
    struct dl__side_entry *more = side->entries;

    if (side->entry_count == r->room) {
        r->room = r->room ? 2 * r->room : 16;
        more = realloc(side->entries, r->room * sizeof *more);
    }
    if (more)
        side->entries = more;
    if (!more || !entry.kernel || !entry.body) {
        free(entry.kernel);
        free(entry.body);
        return DL_ENOMEM;
    }
    side->entries[side->entry_count++] = entry;
    return DL_OK;
}

static enum dl_status read_line(struct reading *r, char *text)
{
    char *hash = strchr(text, '#'), *colon;
    size_t bytes;

    if (hash)
        *hash = '\0';
    bytes = strlen(text);
    while (bytes && strchr(" \t\r", text[bytes - 1]))
        text[--bytes] = '\0';
    while (*text == ' ' || *text == '\t')
        text++;
    if (!*text)
        return DL_OK;
    colon = strchr(text, ':');
    bytes = colon ? (size_t)(colon - text) : 0;
    while (bytes && strchr(" \t", text[bytes - 1]))
        bytes--;
    if (!colon || !is_name(text, bytes)) {
        say_bad_line(r, "a line has the form `KERNEL: AoS: buffer[structs]`");
        return DL_OK;
    }
    return body_is_sound(r, colon + 1) ? add_entry(r, text, bytes, colon + 1) : DL_OK;
}

static enum dl_status read_lines(struct reading *r, char *text, size_t bytes)
{
    char *end = text + bytes, *next;
    enum dl_status st = DL_OK;

    for (char *at = text; st == DL_OK && at < end; at = next) {
        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        if (next[-1] == '\n')
            next[-1] = '\0';
        r->line++;
        st = read_line(r, at);
        if (r->side->entry_count > ENTRIES_MAX) {
            say(r, r->line, "the annotation file has more than %d entries", ENTRIES_MAX);
            st = DL_EIO;
        }
        if (!r->side->entry_count && r->bad_lines == NONE_IN) {
            say(r, 0,
                "this is not a file of annotations, so it is not used: a line has the "
                "form `KERNEL: AoS: buffer[structs]` (dl-run --advise=FILE writes one)");
            return DL_EIO;
        }
    }
    if (r->bad_lines > LINE_REMARKS_MAX)
        say(r, 0, "%u more lines are not understood", r->bad_lines - LINE_REMARKS_MAX);
    return st;
}

static int by_name(const void *left, const void *right)
{
    const struct dl__side_entry *const *a = left, *const *b = right;

    return strcmp((*a)->kernel, (*b)->kernel);
}

static enum dl_status sort_entries(struct dl_side_file *side)
{
    side->by_name = calloc(side->entry_count + 1, sizeof *side->by_name);
    if (!side->by_name)
        return DL_ENOMEM;
    for (size_t i = 0; i < side->entry_count; i++)
        side->by_name[i] = &side->entries[i];
    qsort(side->by_name, side->entry_count, sizeof *side->by_name, by_name);
    return DL_OK;
}

enum dl_status dl_side_file_load(const char *path, dl_remark_fn remark, void *user,
                                 struct dl_side_file **out)
{
    struct dl_side_file *side = calloc(1, sizeof *side);
    struct reading r = {.side = side, .remark = remark, .user = user};
    enum dl_status st = DL_ENOMEM;
    const char *reason;
    char *text = NULL;
    size_t bytes;

    if (!side || !(side->path = strdup(path)))
        goto out;
    text = dl__file_read(path, FILE_BYTES_MAX, &bytes, &reason);
    if (!text) {
        say(&r, 0, "the annotation file can't be read: %s", reason);
        st = DL_EIO;
        goto out;
    }
    st = read_lines(&r, text, bytes);
    if (st == DL_OK)
        st = sort_entries(side);
out:
    free(text);
    if (st == DL_OK)
        *out = side;
    else
        dl_side_file_free(side);
    return st;
}

bool dl__side_file_has(const struct dl_side_file *side, const char *kernel, size_t bytes,
                       bool soa)
{
    size_t low = 0, high = side ? side->entry_count : 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *name = side->by_name[middle]->kernel;
        int order = strncmp(name, kernel, bytes);

        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    /* From here on, names that begin so: the shortest first. */
    for (; side && low < side->entry_count; low++) {
        const struct dl__side_entry *entry = side->by_name[low];

        if (strncmp(entry->kernel, kernel, bytes) != 0 || entry->kernel[bytes])
            return false;
        if (!soa || entry->soa)
            return true;
    }
    return false;
}

bool dl__side_file_names(const struct dl_side_file *side, const char *text, size_t bytes,
                         bool soa)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__token t;

    while (side && side->entry_count && (t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind == DL__NAME && dl__side_file_has(side, t.text, t.bytes, soa))
            return true;
    return false;
}

const char *dl_side_file_find(const struct dl_side_file *side, const char *kernel)
{
    return dl__side_file_has(side, kernel, strlen(kernel), false) ? side->path : NULL;
}

char *dl_side_file_text(const struct dl_side_file *side)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    if (side)
        fprintf(out, "%s\n", side->path);
    for (size_t i = 0; side && i < side->entry_count; i++)
        fprintf(out, "%u %s:%s\n", side->entries[i].line, side->entries[i].kernel,
                side->entries[i].body);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void dl_side_file_free(struct dl_side_file *side)
{
    if (!side)
        return;
    for (size_t i = 0; i < side->entry_count; i++) {
        free(side->entries[i].kernel);
        free(side->entries[i].body);
    }
    free(side->entries);
    free(side->by_name);
    free(side->path);
    free(side);
}
