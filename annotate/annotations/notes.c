/* SPDX-License-Identifier: MIT */
/* The notes of a rewritten text: read, found and freed. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/annotation.h"
#include "annotate/annotations/dimension.h"

static const char *const forms[] = {[DL_ACCESS_UNKNOWN] = "unknown",
                                    [DL_ACCESS_LINEAR] = "linear",
                                    [DL_ACCESS_UNIFORM] = "uniform",
                                    [DL_ACCESS_GATHER] = "gather"};
enum { FORMS = sizeof forms / sizeof *forms };

void dl__access_print(struct dl__buf *out, const struct dl_access_fact *fact)
{
    dl__buf_puts(out, forms[fact->form]);
    if (fact->form == DL_ACCESS_LINEAR)
        dl__buf_printf(out, " %d", fact->step);
    if (fact->bytes == UINT32_MAX)
        dl__buf_printf(out, " %u+*", fact->offset);
    else
        dl__buf_printf(out, " %u+%u", fact->offset, fact->bytes);
    dl__buf_puts(out, fact->reads ? " read" : "");
    dl__buf_puts(out, fact->writes ? " write" : "");
    dl__buf_puts(out, fact->atomic ? " atomic" : "");
    dl__buf_puts(out, fact->walks ? " walks" : "");
    dl__buf_puts(out, fact->conditional ? " conditional" : "");
    if (fact->loops)
        dl__buf_printf(out, " loops %u", fact->loops);
}

/* Grids in the tables of a rewritten text: extents, the layout by hand, and the
 * matrix of the accesses. */

static enum dl_status parse_strips(const char *text, size_t bytes,
                                   struct dl_buffer_note *b)
{
    char reason[DL_GRID_TEXT_BYTES];
    struct dl_grid_layout layout;

    b->strips = strndup(text, bytes);
    if (!b->strips)
        return DL_ENOMEM;
    return b->extent_count && !dl_grid_layout_parse(b->strips, &b->extent_names,
                                                    b->extent_count, &layout, reason)
               ? DL_OK
               : DL_EPARSE;
}

/* `x arg(2, i4, 0)` */
static enum dl_status parse_extent(const char *text, size_t bytes,
                                   struct dl_buffer_note *b)
{
    const char *space = memchr(text, ' ', bytes);
    size_t name_bytes = space ? (size_t)(space - text) : 0;
    enum dl_status st;

    if (b->extent_count == DL_GRID_DIMS_MAX || !name_bytes ||
        name_bytes >= DL_GRID_NAME_BYTES)
        return DL_EPARSE;
    memcpy(b->extent_names.names[b->extent_count], text, name_bytes);
    st = dl__dimension_parse(space + 1, bytes - name_bytes - 1,
                             &b->extents[b->extent_count], NULL);
    b->extent_count += st == DL_OK;
    return st;
}

/* A row of as many numbers as there are ids. */
static enum dl_status parse_row(const char *text, size_t bytes, struct dl_buffer_note *b)
{
    char row[256], *at = row, *end;

    if (b->pattern_rows == b->extent_count || bytes >= sizeof row)
        return DL_EPARSE;
    snprintf(row, sizeof row, "%.*s", (int)bytes, text);
    for (int c = 0; c < DL_GRID_COLUMNS; c++, at = end) {
        long long number = strtoll(at, &end, 10);

        if (end == at || number > INT32_MAX || number < -INT32_MAX)
            return DL_EPARSE;
        b->pattern.coefficients[b->pattern_rows][c] = number;
    }
    b->pattern_rows++;
    return *at ? DL_EPARSE : DL_OK;
}

/* "extent", "strips", "matrix" */
static bool is_grid_line(const char *key)
{
    return !strcmp(key, "extent") || !strcmp(key, "strips") || !strcmp(key, "matrix");
}

/* Reads what follows the key and its colon. */
static enum dl_status grid_line_parse(const char *key, const char *text, size_t bytes,
                                      struct dl_buffer_note *out)
{
    if (out->facts || out->arrays || out->width || out->native != DL_LAYOUT_AOS)
        return DL_EPARSE;
    if (!strcmp(key, "matrix"))
        return parse_row(text, bytes, out);
    if (out->strips || out->pattern_rows)
        return DL_EPARSE;
    return !strcmp(key, "strips") ? parse_strips(text, bytes, out)
                                  : parse_extent(text, bytes, out);
}

/* ---- The leaves of buffers of which the tables don't say all. ---- */

enum dl_status dl_flat_leaves_make(const struct dl_buffer_note *note, int64_t width,
                                   struct dl_leaf_table *out)
{
    uint32_t bytes = note->leaves.struct_bytes;
    struct dl_leaf_table table = {0};

    if (width < 1 || width > DL_FLAT_WIDTH_MAX)
        return DL_EOVERFLOW;
    table.leaves = calloc((size_t)width, sizeof *table.leaves);
    if (!table.leaves)
        return DL_ENOMEM;
    table.struct_bytes = bytes * (uint32_t)width;
    table.leaf_count = (uint32_t)width;
    table.arrays = note->arrays;
    for (uint32_t i = 0; i < table.leaf_count; i++)
        table.leaves[i] = (struct dl_leaf){i * bytes, bytes};
    *out = table;
    return DL_OK;
}

bool dl_annotate_needs_index_64(const struct dl_leaf_table *leaves, uint64_t buffer_bytes)
{
    uint32_t step_bytes = leaves->leaves[0].width_bytes;

    for (uint32_t i = 1; i < leaves->leaf_count; i++)
        if (leaves->leaves[i].width_bytes != step_bytes)
            step_bytes = leaves->struct_bytes;
    return buffer_bytes > UINT32_MAX || buffer_bytes / step_bytes > INT32_MAX;
}

/* ---- Tables that were read: who frees them, and finds a kernel in them. ---- */

static void free_kernel(struct dl_kernel_note *kernel)
{
    for (size_t i = 0; i < kernel->buffer_count; i++) {
        struct dl_buffer_note *b = &kernel->buffers[i];

        free(b->name);
        free(b->element_type);
        dl_leaf_table_free(&b->leaves);
        free(b->structs);
        for (uint32_t d = 0; d < b->extent_count; d++)
            free(b->extents[d]);
        free(b->strips);
        free(b->width);
        for (size_t n = 0; n < b->whole_count; n++)
            free(b->wholes[n].number);
        free(b->wholes);
        free(b->facts);
        free(b->found);
    }
    free(kernel->buffers);
    free(kernel->name);
    free(kernel->memory_args);
    free(kernel->image_args);
}

void dl_notes_free(struct dl_notes *notes)
{
    if (!notes)
        return;
    for (size_t i = 0; i < notes->kernel_count; i++)
        free_kernel(&notes->kernels[i]);
    free(notes->kernels);
    free(notes);
}

const struct dl_kernel_note *dl_notes_find(const struct dl_notes *notes,
                                           const char *kernel)
{
    for (size_t i = 0; i < notes->kernel_count; i++)
        if (!strcmp(notes->kernels[i].name, kernel))
            return &notes->kernels[i];
    return NULL;
}

/* The tables of a rewritten text: comment lines, read without libclang.
 *
 *     //DL-table: 2
 *     //DL-kernel: NAME ARGS
 *     //DL-sums: exact, or contractable; not said: they may be
 *     //DL-once: prints; only of a kernel that prints or starts others; "tells": it only
 *         prints, and has a text that tells whether it does (DL_PRINTING)
 *     //DL-draws: slots; only of a kernel that uses what atomic functions return
 *     //DL-images: ARGUMENT ...; only of a kernel that may write images: those
 *     //DL-coalesced: LOADS STORES [LOADED STORED]; only of a kernel with a second text
 *         (DL_COALESCED): places in the text, and buffers, by bits
 *     //DL-detected: ARGUMENT ...; only of a kernel without annotation: all that are
 *         memory
 *     //DL-buffer: NAME arg K read|const|write aos|soa|arr bytes S line L type T; const:
 *         in constant memory
 *     //DL-leaves: OFFSET+WIDTH[*COUNT] ...
 *     //DL-width: DIMENSION; only of a flat buffer whose rows have so many of these
 *         leaves
 *     //DL-structs: DIMENSION, or * for as many as fit
 *     //DL-whole: MODULUS DIMENSION; bytes by which a pointer is moved: the kernel runs
 * as written where they are no multiple
 *     //DL-extent: NAME DIMENSION; of a grid, a line for each of its dimensions
 *     //DL-strips: the layout that a grid was given by hand; only of such
 *     //DL-matrix: of a grid, a line for each dimension, where all accesses have these
 *         coefficients
 *     //DL-found: what an annotation would say; only where there is none
 *     //DL-access: a line for each; `none` alone: the kernel has none; no
 *         line: the text does not say
 *     //DL-end: NAME
 *
 * `//DL-refused: soa` in the place of buffers: it wants discrete arrays that it can't be
 * given.
 *
 * A kernel's lines stand together; one `//DL-table: 2` comes before the first of them. */

enum { LEAVES_MAX = 1 << 20, ARGS_MAX = 1 << 16 };

struct line {
    const char *text; /* after the key and its colon */
    size_t bytes;
    unsigned number;
};

struct reader {
    const char *text;
    size_t bytes;
    size_t offset;
    unsigned number;
};

/* The next line that starts with `//DL-`; its key without the colon. */
static bool next_line(struct reader *r, struct line *out, char key[16])
{
    while (r->offset < r->bytes) {
        const char *start = r->text + r->offset;
        const char *newline = memchr(start, '\n', r->bytes - r->offset);
        size_t bytes = newline ? (size_t)(newline - start) : r->bytes - r->offset;
        const char *colon;

        r->offset += bytes + (newline != NULL);
        r->number++;
        if (bytes && start[bytes - 1] == '\r')
            bytes--;
        if (bytes < 5 || memcmp(start, "//DL-", 5))
            continue;
        colon = memchr(start, ':', bytes);
        if (!colon || colon - start - 5 >= 16)
            continue;
        memcpy(key, start + 5, (size_t)(colon - start - 5));
        key[colon - start - 5] = '\0';
        out->text = colon + 1;
        out->bytes = (size_t)(start + bytes - colon - 1);
        while (out->bytes && out->text[0] == ' ') {
            out->text++;
            out->bytes--;
        }
        out->number = r->number;
        return true;
    }
    return false;
}

bool dl_annotate_is_rewritten(const char *text, size_t text_bytes)
{
    struct reader r = {.text = text, .bytes = text_bytes};
    struct line line;
    char key[16];

    if (!memmem(text, text_bytes, "//DL-table:", 11))
        return false;
    while (next_line(&r, &line, key))
        if (!strcmp(key, "table"))
            return true;
    return false;
}

/* ---- words ---- */

static bool take_word(struct line *line, const char **word, size_t *bytes)
{
    while (line->bytes && *line->text == ' ') {
        line->text++;
        line->bytes--;
    }
    *word = line->text;
    *bytes = 0;
    while (line->bytes && *line->text != ' ') {
        line->text++;
        line->bytes--;
        ++*bytes;
    }
    return *bytes != 0;
}

static char *take_copy(struct line *line)
{
    const char *word;
    size_t bytes;

    return take_word(line, &word, &bytes) ? strndup(word, bytes) : NULL;
}

static bool take_exact(struct line *line, const char *text)
{
    const char *word;
    size_t bytes;

    return take_word(line, &word, &bytes) && bytes == strlen(text) &&
           !memcmp(word, text, bytes);
}

static bool digits(const char **at, const char *end, uint32_t *out)
{
    uint64_t value = 0;
    const char *start = *at;

    while (*at < end && **at >= '0' && **at <= '9' && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(*(*at)++ - '0');
    *out = (uint32_t)value;
    return *at != start && value <= UINT32_MAX;
}

static bool take_number(struct line *line, uint32_t *out)
{
    const char *word;
    size_t bytes;

    return take_word(line, &word, &bytes) && digits(&word, word + bytes, out) &&
           word == line->text;
}

/* ---- an access ---- */

/* The next word if it is this one. */
static bool take_if(struct line *line, const char *text)
{
    struct line ahead = *line;
    bool is = take_exact(&ahead, text);

    if (is)
        *line = ahead;
    return is;
}

static bool take_step(struct line *line, int32_t *out)
{
    const char *word;
    uint32_t value;
    size_t bytes;
    bool negative;

    if (!take_word(line, &word, &bytes))
        return false;
    negative = *word == '-';
    word += negative;
    if (!digits(&word, line->text, &value) || word != line->text || !value ||
        value > INT32_MAX)
        return false;
    *out = negative ? -(int32_t)value : (int32_t)value;
    return true;
}

static bool take_bytes(struct line *line, uint32_t struct_bytes,
                       struct dl_access_fact *out)
{
    const char *word;
    size_t bytes;

    if (!take_word(line, &word, &bytes) || !digits(&word, line->text, &out->offset) ||
        word == line->text || *word++ != '+')
        return false;
    if (struct_bytes == UINT32_MAX && word + 1 == line->text && *word == '*') {
        out->bytes = UINT32_MAX;
        return true;
    }
    return digits(&word, line->text, &out->bytes) && word == line->text && out->bytes &&
           (uint64_t)out->offset + out->bytes <= struct_bytes;
}

/* Reads what dl__access_print writes, for a struct of struct_bytes; UINT32_MAX: a row
 * whose width only a launch knows. False when it is damaged. */
static bool access_parse(struct line line, uint32_t struct_bytes,
                         struct dl_access_fact *out)
{
    uint32_t loops = 0;
    size_t form = 0;

    memset(out, 0, sizeof *out);
    while (form < FORMS && !take_if(&line, forms[form]))
        form++;
    if (form == FORMS || memmem(line.text, line.bytes, "  ", 2))
        return false;
    out->form = (enum dl_access_form)form;
    if ((out->form == DL_ACCESS_LINEAR && !take_step(&line, &out->step)) ||
        !take_bytes(&line, struct_bytes, out))
        return false;
    out->reads = take_if(&line, "read");
    out->writes = take_if(&line, "write");
    out->atomic = take_if(&line, "atomic");
    out->walks = take_if(&line, "walks");
    out->conditional = take_if(&line, "conditional");
    if (take_if(&line, "loops") &&
        (!take_number(&line, &loops) || !loops || loops > UINT8_MAX))
        return false;
    out->loops = (uint8_t)loops;
    return !line.bytes && (out->reads || out->writes);
}

/* ---- one line each ---- */

static enum dl_status read_leaves(struct line line, uint32_t struct_bytes,
                                  struct dl_leaf_table *out)
{
    struct dl_leaf *leaves = NULL;
    size_t count = 0, room = 0;
    enum dl_status st = DL_EPARSE;
    const char *word;
    size_t bytes;

    while (take_word(&line, &word, &bytes)) {
        const char *end = word + bytes;
        uint32_t offset, width, times = 1;

        if (!digits(&word, end, &offset) || word == end || *word++ != '+' ||
            !digits(&word, end, &width))
            goto out;
        if (word != end && (*word++ != '*' || !digits(&word, end, &times)))
            goto out;
        if (word != end || !times || !width || width > DL_LEAF_BYTES_MAX ||
            times > LEAVES_MAX - count ||
            (uint64_t)offset + (uint64_t)width * times > struct_bytes)
            goto out;
        if (count + times > room) {
            struct dl_leaf *more;

            room = (count + times) * 2;
            more = realloc(leaves, room * sizeof *leaves);
            if (!more) {
                st = DL_ENOMEM;
                goto out;
            }
            leaves = more;
        }
        for (uint32_t i = 0; i < times; i++)
            leaves[count++] = (struct dl_leaf){offset + i * width, width};
    }
    if (count)
        st = dl_leaf_table_make(struct_bytes, leaves, count, out);
    if (st == DL_EINVAL)
        st = DL_EPARSE;
out:
    free(leaves);
    return st;
}

static enum dl_status read_buffer(struct line line, struct dl_buffer_note *out,
                                  uint32_t *struct_bytes)
{
    const char *word;
    size_t bytes;

    out->name = take_copy(&line);
    if (!out->name || !take_exact(&line, "arg") || !take_number(&line, &out->arg_index) ||
        !take_word(&line, &word, &bytes))
        return DL_EPARSE;
    out->written = bytes == 5 && !memcmp(word, "write", 5);
    out->constant = bytes == 5 && !memcmp(word, "const", 5);
    if (!out->written && !out->constant && !(bytes == 4 && !memcmp(word, "read", 4)))
        return DL_EPARSE;
    if (!take_word(&line, &word, &bytes) || bytes != 3)
        return DL_EPARSE;
    if (!memcmp(word, "aos", 3))
        out->native = DL_LAYOUT_AOS;
    else if (!memcmp(word, "soa", 3))
        out->native = DL_LAYOUT_SOA;
    else if (!memcmp(word, "arr", 3))
        out->arrays = true;
    else
        return DL_EPARSE;
    if (!take_exact(&line, "bytes") || !take_number(&line, struct_bytes) ||
        !*struct_bytes || !take_exact(&line, "line") || !take_number(&line, &out->line) ||
        !take_exact(&line, "type"))
        return DL_EPARSE;
    while (line.bytes && *line.text == ' ') {
        line.text++;
        line.bytes--;
    }
    out->element_type = strndup(line.text, line.bytes);
    return out->element_type ? DL_OK : DL_ENOMEM;
}

static struct dl_buffer_note *add_buffer(struct dl_kernel_note *kernel)
{
    struct dl_buffer_note *more =
        realloc(kernel->buffers, (kernel->buffer_count + 1) * sizeof *more);

    if (!more)
        return NULL;
    kernel->buffers = more;
    memset(&more[kernel->buffer_count], 0, sizeof *more);
    return &more[kernel->buffer_count++];
}

/* True when only a launch knows how wide a struct is. */
static bool has_any_width(const struct dl_buffer_note *b)
{
    return b->width || (b->arrays && b->leaves.leaf_count == 1);
}

static enum dl_status read_access(struct line line, struct dl_buffer_note *b)
{
    struct dl_access_fact fact, *more;
    bool none = take_if(&line, "none");

    if ((none && (b->facts || line.bytes)) || (b->facts && !b->fact_count))
        return DL_EPARSE;
    if (!none && !access_parse(
                     line, has_any_width(b) ? UINT32_MAX : b->leaves.struct_bytes, &fact))
        return DL_EPARSE;
    more = realloc(b->facts, (b->fact_count + 1) * sizeof *more);
    if (!more)
        return DL_ENOMEM;
    b->facts = more;
    if (!none)
        more[b->fact_count++] = fact;
    return DL_OK;
}

static enum dl_status read_whole(struct line line, struct dl_buffer_note *b)
{
    struct dl_whole_note whole, *more;
    enum dl_status st;

    if (b->facts || b->arrays || b->width || b->extent_count ||
        !take_number(&line, &whole.modulus) || !whole.modulus)
        return DL_EPARSE;
    more = realloc(b->wholes, (b->whole_count + 1) * sizeof *more);
    if (!more)
        return DL_ENOMEM;
    b->wholes = more;
    st = dl__dimension_parse(line.text, line.bytes, &whole.number, NULL);
    if (st == DL_OK)
        more[b->whole_count++] = whole;
    return st;
}

static enum dl_status read_sums(struct line line, struct dl_kernel_note *out)
{
    out->contractable = !take_if(&line, "exact");
    return !out->contractable || take_exact(&line, "contractable") ? DL_OK : DL_EPARSE;
}

static enum dl_status read_coalesced(struct line line, struct dl_kernel_note *out)
{
    uint32_t loads, stores;

    out->coalesced = true;
    if (!take_number(&line, &loads) || !take_number(&line, &stores))
        return DL_EPARSE;
    return !line.bytes || (take_number(&line, &out->coalesced_loads) &&
                           take_number(&line, &out->coalesced_stores) && !line.bytes)
               ? DL_OK
               : DL_EPARSE;
}

/* Reads numbers of arguments, at least one. */
static enum dl_status read_args(struct line line, const struct dl_kernel_note *kernel,
                                bool **out)
{
    bool any = false;
    uint32_t number;

    if (*out || kernel->arg_count > ARGS_MAX)
        return DL_EPARSE;
    *out = calloc(kernel->arg_count + 1, sizeof **out);
    if (!*out)
        return DL_ENOMEM;
    for (; take_number(&line, &number); any = true) {
        if (number >= kernel->arg_count)
            return DL_EPARSE;
        (*out)[number] = true;
    }
    return any && !line.bytes ? DL_OK : DL_EPARSE;
}

static bool are_equal(const struct dl_leaf_table *leaves)
{
    for (uint32_t i = 1; i < leaves->leaf_count; i++)
        if (leaves->leaves[i].width_bytes != leaves->leaves[0].width_bytes)
            return false;
    return true;
}

/* Reads a buffer's lines, but those of its accesses. */
static enum dl_status read_buffer_lines(struct reader *r, struct line line,
                                        struct dl_kernel_note *out, unsigned *bad_line)
{
    struct dl_buffer_note *b = add_buffer(out);
    uint32_t struct_bytes;
    enum dl_status st;
    char key[16];

    if (!b)
        return DL_ENOMEM;
    st = read_buffer(line, b, &struct_bytes);
    if (st != DL_OK)
        return st;
    if (b->arg_index >= out->arg_count || !next_line(r, &line, key) ||
        strcmp(key, "leaves"))
        return DL_EPARSE;
    *bad_line = line.number;
    st = read_leaves(line, struct_bytes, &b->leaves);
    if (st != DL_OK)
        return st;
    b->leaves.arrays = b->arrays;
    if (b->arrays && !are_equal(&b->leaves))
        return DL_EPARSE;
    if (!next_line(r, &line, key))
        return DL_EPARSE;
    *bad_line = line.number;
    if (!strcmp(key, "width") && !b->arrays) {
        st = dl__dimension_parse(line.text, line.bytes, &b->width, NULL);
        if (st != DL_OK)
            return st;
        if (b->leaves.leaf_count != 1 || !next_line(r, &line, key))
            return DL_EPARSE;
        *bad_line = line.number;
    }
    if (strcmp(key, "structs"))
        return DL_EPARSE;
    if (line.bytes == 1 && *line.text == '*')
        return b->arrays ? DL_EPARSE : DL_OK;
    return dl__dimension_parse(line.text, line.bytes, &b->structs, NULL);
}

/* Reads what follows `//DL-kernel:`, up to its `//DL-end:`. */
static enum dl_status read_kernel(struct reader *r, struct line line,
                                  struct dl_kernel_note *out, unsigned *bad_line)
{
    enum dl_status st = DL_OK;
    char key[16];

    *bad_line = line.number;
    out->contractable = true;
    out->name = take_copy(&line);
    if (!out->name || !take_number(&line, &out->arg_count))
        return DL_EPARSE;
    while (st == DL_OK) {
        if (!next_line(r, &line, key))
            return DL_EPARSE;
        *bad_line = line.number;
        if (!strcmp(key, "end"))
            return take_exact(&line, out->name) && (out->buffer_count || out->refused)
                       ? DL_OK
                       : DL_EPARSE;
        if (out->refused)
            return DL_EPARSE;
        if (!strcmp(key, "buffer")) {
            st = read_buffer_lines(r, line, out, bad_line);
        } else if (!strcmp(key, "access") && out->buffer_count) {
            st = read_access(line, &out->buffers[out->buffer_count - 1]);
        } else if (!strcmp(key, "whole") && out->buffer_count) {
            st = read_whole(line, &out->buffers[out->buffer_count - 1]);
        } else if (is_grid_line(key) && out->buffer_count) {
            st = grid_line_parse(key, line.text, line.bytes,
                                 &out->buffers[out->buffer_count - 1]);
        } else if (!strcmp(key, "found") && out->buffer_count &&
                   !out->buffers[out->buffer_count - 1].found) {
            out->buffers[out->buffer_count - 1].found = strndup(line.text, line.bytes);
        } else if (!strcmp(key, "sums") && !out->buffer_count) {
            st = read_sums(line, out);
        } else if (!strcmp(key, "once") && !out->buffer_count) {
            out->once = true;
            out->tells = line.bytes == 5 && take_exact(&line, "tells");
            st = (out->tells || take_exact(&line, "prints")) && !line.bytes ? DL_OK
                                                                            : DL_EPARSE;
        } else if (!strcmp(key, "draws") && !out->buffer_count) {
            out->draws = take_exact(&line, "slots");
            st = out->draws ? DL_OK : DL_EPARSE;
        } else if (!strcmp(key, "coalesced") && !out->buffer_count) {
            st = read_coalesced(line, out);
        } else if (!strcmp(key, "detected") && !out->buffer_count) {
            out->detected = true;
            st = read_args(line, out, &out->memory_args);
        } else if (!strcmp(key, "images") && !out->buffer_count) {
            st = read_args(line, out, &out->image_args);
        } else {
            out->refused =
                !strcmp(key, "refused") && take_exact(&line, "soa") && !out->buffer_count;
            st = out->refused ? DL_OK : DL_EPARSE;
        }
    }
    return st;
}

enum dl_status dl_annotate_scan(const char *text, size_t text_bytes, dl_remark_fn remark,
                                void *user, struct dl_notes **out)
{
    struct reader r = {.text = text, .bytes = text_bytes};
    struct dl_notes *notes = calloc(1, sizeof *notes);
    enum dl_status st = DL_OK;
    bool known = false;
    unsigned bad_line = 0;
    struct line line;
    char key[16];

    if (!notes)
        return DL_ENOMEM;
    while (st == DL_OK && next_line(&r, &line, key)) {
        struct dl_kernel_note *more;

        bad_line = line.number;
        if (!strcmp(key, "table")) {
            known = take_exact(&line, "2");
            st = known ? DL_OK : DL_EPARSE;
            continue;
        }
        if (strcmp(key, "kernel") || !known) {
            st = DL_EPARSE;
            continue;
        }
        more = realloc(notes->kernels, (notes->kernel_count + 1) * sizeof *more);
        if (!more) {
            st = DL_ENOMEM;
            continue;
        }
        notes->kernels = more;
        memset(&more[notes->kernel_count], 0, sizeof *more);
        st = read_kernel(&r, line, &more[notes->kernel_count++], &bad_line);
    }
    if (st == DL_OK) {
        notes->apart = memmem(text, text_bytes, "\n#if !defined DL_ONLY", 21) != NULL;
        *out = notes;
        return DL_OK;
    }
    if (st == DL_EPARSE && remark) {
        struct dl_remark damaged = {DL_WARNING, NULL, bad_line, 1,
                                    "the layout table in this text is damaged"};

        remark(user, &damaged);
    }
    dl_notes_free(notes);
    return st;
}
