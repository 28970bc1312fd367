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
    dl__buf_printf(out, "//DL-access: %s", forms[fact->form]);
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
    if (fact->counted)
        dl__buf_printf(out, " counted %u rounds %u", fact->counted, fact->rounds);
    if (fact->line)
        dl__buf_printf(out, " line %u", fact->line);
    dl__buf_puts(out, "\n");
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

/* All of them but their leaves live in an arena of their own. */
struct kept {
    struct dl_notes notes;
    struct dl__arena arena;
};

struct dl_notes *dl__notes_make(struct dl__arena **arena)
{
    struct kept *kept = calloc(1, sizeof *kept);

    *arena = kept ? &kept->arena : NULL;
    return kept ? &kept->notes : NULL;
}

void dl_notes_free(struct dl_notes *notes)
{
    struct kept *kept = (struct kept *)notes;

    if (!notes)
        return;
    for (size_t k = 0; k < notes->kernel_count; k++)
        for (size_t b = 0; b < notes->kernels[k].buffer_count; b++)
            dl_leaf_table_free(&notes->kernels[k].buffers[b].leaves);
    dl__arena_free(&kept->arena);
    free(kept);
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
 *     //DL-unused: ARGUMENT ...; memory that its text does not name
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
 *     //DL-members: NAME OFFSET+WIDTH*COUNT ...; only of structs in such a kernel
 *     //DL-gaps: OFFSET+WIDTH ...; only of structs that are written: bytes that no
 *         member has
 *     //DL-access: a line for each; `none` alone: the kernel has none; no
 *         line: the text does not say
 *     //DL-end: NAME
 *
 * `//DL-refused: aos` in the place of buffers: its annotation takes its structs for
 * discrete arrays, so it runs as written.
 * `//DL-refused: soa` in the place of buffers: it wants discrete arrays that it can't be
 * given.
 *
 * A kernel's lines stand together; one `//DL-table: 2` comes before the first of them. */

enum { LEAVES_MAX = 1 << 20, ARGS_MAX = 1 << 16 };

struct reader {
    struct dl__arena *arena;
    const char *text;
    size_t bytes, offset;
    unsigned number;
    struct line {
        char key[16];     /* without its colon */
        const char *text; /* after it */
        size_t bytes;
        unsigned number;
    } line;
};

static void pass_spaces(struct line *line)
{
    while (line->bytes && *line->text == ' ') {
        line->text++;
        line->bytes--;
    }
}

/* Goes to the next line that starts with `//DL-`. */
static bool next_line(struct reader *r)
{
    while (r->offset < r->bytes) {
        const char *start = r->text + r->offset, *colon;
        const char *newline = memchr(start, '\n', r->bytes - r->offset);
        size_t bytes = newline ? (size_t)(newline - start) : r->bytes - r->offset;

        r->offset += bytes + (newline != NULL);
        r->number++;
        if (bytes && start[bytes - 1] == '\r')
            bytes--;
        if (bytes < 5 || memcmp(start, "//DL-", 5))
            continue;
        colon = memchr(start, ':', bytes);
        if (!colon || colon - start - 5 >= 16)
            continue;
        r->line = (struct line){.text = colon + 1,
                                .bytes = (size_t)(start + bytes - colon - 1),
                                .number = r->number};
        memcpy(r->line.key, start + 5, (size_t)(colon - start - 5));
        pass_spaces(&r->line);
        return true;
    }
    return false;
}

bool dl_annotate_is_rewritten(const char *text, size_t text_bytes)
{
    struct reader r = {.text = text, .bytes = text_bytes};

    if (!memmem(text, text_bytes, "//DL-table:", 11))
        return false;
    while (next_line(&r))
        if (!strcmp(r.line.key, "table"))
            return true;
    return false;
}

/* ---- words ---- */

static bool take_word(struct line *line, const char **word, size_t *bytes)
{
    pass_spaces(line);
    *word = line->text;
    while (line->bytes && *line->text != ' ') {
        line->text++;
        line->bytes--;
    }
    *bytes = (size_t)(line->text - *word);
    return *bytes != 0;
}

/* Takes the next word, if it is this one. */
static bool take(struct line *line, const char *text)
{
    struct line ahead = *line;
    const char *word;
    size_t bytes;
    bool is = take_word(&ahead, &word, &bytes) && bytes == strlen(text) &&
              !memcmp(word, text, bytes);

    if (is)
        *line = ahead;
    return is;
}

/* The same of several; returns which it is, `count`: none of them. */
static size_t take_one(struct line *line, const char *const *texts, size_t count)
{
    size_t i = 0;

    while (i < count && !take(line, texts[i]))
        i++;
    return i;
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

static bool take_name(struct reader *r, char **out)
{
    const char *word;
    size_t bytes;

    if (!take_word(&r->line, &word, &bytes))
        return false;
    *out = dl__arena_text(r->arena, word, bytes);
    return true;
}

/* The rest of the line. */
static char *rest(struct reader *r)
{
    pass_spaces(&r->line);
    return dl__arena_text(r->arena, r->line.text, r->line.bytes);
}

static bool read_dimension(struct reader *r, struct dl_dimension **out)
{
    *out = dl__dimension_parse(r->arena, r->line.text, r->line.bytes, NULL);
    return *out != NULL;
}

/* ---- an access ---- */

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
    size_t form = take_one(&line, forms, FORMS);
    uint32_t loops = 0, counted = 0;

    *out = (struct dl_access_fact){.form = (enum dl_access_form)form};
    if (form == FORMS || memmem(line.text, line.bytes, "  ", 2) ||
        (out->form == DL_ACCESS_LINEAR && !take_step(&line, &out->step)) ||
        !take_bytes(&line, struct_bytes, out))
        return false;
    out->reads = take(&line, "read");
    out->writes = take(&line, "write");
    out->atomic = take(&line, "atomic");
    out->walks = take(&line, "walks");
    out->conditional = take(&line, "conditional");
    if (take(&line, "loops") &&
        (!take_number(&line, &loops) || !loops || loops > UINT8_MAX))
        return false;
    out->loops = (uint8_t)loops;
    if (take(&line, "counted") &&
        (!take_number(&line, &counted) || !counted || counted > loops ||
         !take(&line, "rounds") || !take_number(&line, &out->rounds) || !out->rounds))
        return false;
    out->counted = (uint8_t)counted;
    if (take(&line, "line") && (!take_number(&line, &out->line) || !out->line))
        return false;
    return !line.bytes && (out->reads || out->writes);
}

/* ---- a buffer's lines: false where they are damaged ---- */

/* True when only a launch knows how wide a struct is. */
static bool has_any_width(const struct dl_buffer_note *b)
{
    return b->width || (b->arrays && b->leaves.leaf_count == 1);
}

static bool read_access(struct reader *r, struct dl_buffer_note *b)
{
    bool none = take(&r->line, "none");

    if ((none && (b->facts || r->line.bytes)) || (b->facts && !b->fact_count))
        return false;
    b->facts = dl__arena_grown(r->arena, b->facts, b->fact_count, sizeof *b->facts);
    return none ||
           access_parse(r->line, has_any_width(b) ? UINT32_MAX : b->leaves.struct_bytes,
                        &b->facts[b->fact_count++]);
}

static bool read_whole(struct reader *r, struct dl_buffer_note *b)
{
    struct dl_whole_note whole;

    if (b->facts || b->arrays || b->width || b->extent_count ||
        !take_number(&r->line, &whole.modulus) || !whole.modulus ||
        !read_dimension(r, &whole.number))
        return false;
    b->wholes = dl__arena_grown(r->arena, b->wholes, b->whole_count, sizeof *b->wholes);
    b->wholes[b->whole_count++] = whole;
    return true;
}

/* Grids: extents, the layout by hand, and the matrix of the accesses. */
static bool may_be_grid(const struct dl_buffer_note *b)
{
    return !b->facts && !b->arrays && !b->width && b->native == DL_LAYOUT_AOS;
}

static bool read_strips(struct reader *r, struct dl_buffer_note *b)
{
    char reason[DL_GRID_TEXT_BYTES];
    struct dl_grid_layout layout;

    if (!may_be_grid(b) || b->strips || b->pattern_rows)
        return false;
    b->strips = rest(r);
    return b->extent_count && !dl_grid_layout_parse(b->strips, &b->extent_names,
                                                    b->extent_count, &layout, reason);
}

/* `x arg(2, i4, 0)` */
static bool read_extent(struct reader *r, struct dl_buffer_note *b)
{
    const char *name;
    size_t bytes;

    if (!may_be_grid(b) || b->strips || b->pattern_rows ||
        b->extent_count == DL_GRID_DIMS_MAX || !take_word(&r->line, &name, &bytes) ||
        bytes >= DL_GRID_NAME_BYTES || !read_dimension(r, &b->extents[b->extent_count]))
        return false;
    memcpy(b->extent_names.names[b->extent_count++], name, bytes);
    return true;
}

/* A row of as many numbers as there are ids. */
static bool read_matrix(struct reader *r, struct dl_buffer_note *b)
{
    char *at, *end;

    if (!may_be_grid(b) || b->pattern_rows == b->extent_count)
        return false;
    at = rest(r);
    for (int c = 0; c < DL_GRID_COLUMNS; c++, at = end) {
        long long number = strtoll(at, &end, 10);

        if (end == at || number > INT32_MAX || number < -INT32_MAX)
            return false;
        b->pattern.coefficients[b->pattern_rows][c] = number;
    }
    b->pattern_rows++;
    return !*at;
}

static bool read_found(struct reader *r, struct dl_buffer_note *b)
{
    bool is_first = !b->found;

    b->found = rest(r);
    return is_first;
}

static bool read_members(struct reader *r, struct dl_buffer_note *b)
{
    bool is_first = !b->members;

    b->members = rest(r);
    return is_first;
}

struct leaves {
    struct dl_leaf *items;
    size_t count, room;
};

static bool take_leaves(struct line *line, struct dl__arena *arena, uint32_t struct_bytes,
                        struct leaves *out)
{
    const char *word;
    size_t bytes;

    while (take_word(line, &word, &bytes)) {
        const char *end = word + bytes;
        uint32_t offset, width, times = 1;

        if (!digits(&word, end, &offset) || word == end || *word++ != '+' ||
            !digits(&word, end, &width) ||
            (word != end && (*word++ != '*' || !digits(&word, end, &times))) ||
            word != end || !times || !width || width > DL_LEAF_BYTES_MAX ||
            times > LEAVES_MAX - out->count ||
            (uint64_t)offset + (uint64_t)width * times > struct_bytes)
            return false;
        for (uint32_t i = 0; i < times; i++)
            DL__PUSH(arena, out, ((struct dl_leaf){offset + i * width, width}));
    }
    return out->count > 0;
}

static bool read_gaps(struct reader *r, struct dl_buffer_note *b)
{
    struct leaves gaps = {0};
    bool good = !b->gaps && !b->facts &&
                take_leaves(&r->line, r->arena, b->leaves.struct_bytes, &gaps) &&
                gaps.count <= DL_GAPS_MAX;

    b->gaps = gaps.items;
    b->gap_count = gaps.count;
    return good;
}

static bool read_leaves(struct line *line, struct dl__arena *arena, uint32_t struct_bytes,
                        struct dl_leaf_table *out)
{
    struct leaves leaves = {0};
    enum dl_status st;

    if (!take_leaves(line, arena, struct_bytes, &leaves))
        return false;
    st = dl_leaf_table_make(struct_bytes, leaves.items, leaves.count, out);
    if (st == DL_ENOMEM)
        dl__arena_fail(arena, st);
    return st == DL_OK;
}

static bool read_head(struct reader *r, struct dl_buffer_note *out,
                      uint32_t *struct_bytes)
{
    static const char *const uses[] = {"read", "write", "const"};
    static const char *const layouts[] = {"aos", "soa", "arr"};
    struct line *line = &r->line;
    size_t use, layout;

    if (!take_name(r, &out->name) || !take(line, "arg") ||
        !take_number(line, &out->arg_index) || (use = take_one(line, uses, 3)) == 3 ||
        (layout = take_one(line, layouts, 3)) == 3 || !take(line, "bytes") ||
        !take_number(line, struct_bytes) || !*struct_bytes || !take(line, "line") ||
        !take_number(line, &out->line) || !take(line, "type"))
        return false;
    out->written = use == 1;
    out->constant = use == 2;
    out->native = layout == 1 ? DL_LAYOUT_SOA : DL_LAYOUT_AOS;
    out->arrays = layout == 2;
    out->element_type = rest(r);
    return true;
}

static bool are_equal(const struct dl_leaf_table *leaves)
{
    for (uint32_t i = 1; i < leaves->leaf_count; i++)
        if (leaves->leaves[i].width_bytes != leaves->leaves[0].width_bytes)
            return false;
    return true;
}

/* Reads a buffer's first lines, up to the number of its structs. */
static bool read_buffer(struct reader *r, struct dl_kernel_note *out)
{
    struct dl_buffer_note *b;
    uint32_t struct_bytes;

    out->buffers =
        dl__arena_grown(r->arena, out->buffers, out->buffer_count, sizeof *out->buffers);
    b = &out->buffers[out->buffer_count++];
    if (!read_head(r, b, &struct_bytes) || b->arg_index >= out->arg_count ||
        !next_line(r) || strcmp(r->line.key, "leaves") ||
        !read_leaves(&r->line, r->arena, struct_bytes, &b->leaves))
        return false;
    b->leaves.arrays = b->arrays;
    if ((b->arrays && !are_equal(&b->leaves)) || !next_line(r))
        return false;
    if (!strcmp(r->line.key, "width") && !b->arrays &&
        (!read_dimension(r, &b->width) || b->leaves.leaf_count != 1 || !next_line(r)))
        return false;
    if (strcmp(r->line.key, "structs"))
        return false;
    if (r->line.bytes == 1 && *r->line.text == '*')
        return !b->arrays;
    return read_dimension(r, &b->structs);
}

/* ---- a kernel's lines ---- */

static bool read_sums(struct reader *r, struct dl_kernel_note *k)
{
    k->contractable = !take(&r->line, "exact");
    return !k->contractable || take(&r->line, "contractable");
}

static bool read_once(struct reader *r, struct dl_kernel_note *k)
{
    k->once = true;
    k->tells = take(&r->line, "tells");
    return (k->tells || take(&r->line, "prints")) && !r->line.bytes;
}

static bool read_draws(struct reader *r, struct dl_kernel_note *k)
{
    return k->draws = take(&r->line, "slots");
}

static bool read_refused(struct reader *r, struct dl_kernel_note *k)
{
    k->stays = take(&r->line, "aos");
    return k->stays || (k->refused = take(&r->line, "soa"));
}

static bool read_coalesced(struct reader *r, struct dl_kernel_note *k)
{
    uint32_t places;

    k->coalesced = true;
    return take_number(&r->line, &places) && take_number(&r->line, &places) &&
           (!r->line.bytes ||
            (take_number(&r->line, &k->coalesced_loads) &&
             take_number(&r->line, &k->coalesced_stores) && !r->line.bytes));
}

/* Reads numbers of arguments, at least one. */
static bool read_args(struct reader *r, const struct dl_kernel_note *k, bool **out)
{
    bool any = false;
    uint32_t number;

    if (*out || k->arg_count > ARGS_MAX)
        return false;
    *out = dl__arena_alloc(r->arena, (k->arg_count + 1) * sizeof **out);
    for (; take_number(&r->line, &number); any = true) {
        if (number >= k->arg_count)
            return false;
        (*out)[number] = true;
    }
    return any && !r->line.bytes;
}

static bool read_detected(struct reader *r, struct dl_kernel_note *k)
{
    k->detected = true;
    return read_args(r, k, &k->memory_args);
}

static bool read_images(struct reader *r, struct dl_kernel_note *k)
{
    return read_args(r, k, &k->image_args);
}

static bool read_unused(struct reader *r, struct dl_kernel_note *k)
{
    return read_args(r, k, &k->unused_args);
}

/* Lines in front of a kernel's buffers, and lines behind each of them. */
static const struct {
    const char *key;
    bool (*read)(struct reader *r, struct dl_kernel_note *k);
} kernel_lines[] = {{"sums", read_sums},           {"once", read_once},
                    {"draws", read_draws},         {"refused", read_refused},
                    {"coalesced", read_coalesced}, {"detected", read_detected},
                    {"images", read_images},       {"unused", read_unused}};

static const struct {
    const char *key;
    bool (*read)(struct reader *r, struct dl_buffer_note *b);
} buffer_lines[] = {{"access", read_access},   {"whole", read_whole},
                    {"extent", read_extent},   {"strips", read_strips},
                    {"matrix", read_matrix},   {"found", read_found},
                    {"members", read_members}, {"gaps", read_gaps}};

enum {
    KERNEL_LINES = sizeof kernel_lines / sizeof *kernel_lines,
    BUFFER_LINES = sizeof buffer_lines / sizeof *buffer_lines
};

static bool read_line(struct reader *r, struct dl_kernel_note *k)
{
    size_t i = 0;

    if (!strcmp(r->line.key, "buffer"))
        return read_buffer(r, k);
    if (!k->buffer_count) {
        while (i < KERNEL_LINES && strcmp(r->line.key, kernel_lines[i].key))
            i++;
        return i < KERNEL_LINES && kernel_lines[i].read(r, k);
    }
    while (i < BUFFER_LINES && strcmp(r->line.key, buffer_lines[i].key))
        i++;
    return i < BUFFER_LINES && buffer_lines[i].read(r, &k->buffers[k->buffer_count - 1]);
}

/* Reads what follows `//DL-kernel:`, up to its `//DL-end:`. */
static bool read_kernel(struct reader *r, struct dl_kernel_note *k)
{
    k->contractable = true;
    if (!take_name(r, &k->name) || !take_number(&r->line, &k->arg_count))
        return false;
    while (next_line(r)) {
        if (!strcmp(r->line.key, "end"))
            return take(&r->line, k->name) && (k->buffer_count || k->refused || k->stays);
        if (k->refused || k->stays || !read_line(r, k))
            return false;
    }
    return false;
}

static bool read_all(struct reader *r, struct dl_notes *notes)
{
    bool known = false;

    while (next_line(r)) {
        if (!strcmp(r->line.key, "table"))
            known = take(&r->line, "2");
        else
            known = known && !strcmp(r->line.key, "kernel") &&
                    read_kernel(r, dl__notes_add(r->arena, notes));
        if (!known)
            return false;
    }
    notes->apart = memmem(r->text, r->bytes, "\n#if !defined DL_ONLY", 21) != NULL;
    return true;
}

enum dl_status dl_annotate_scan(const char *text, size_t text_bytes, dl_remark_fn remark,
                                void *user, struct dl_notes **out)
{
    struct reader r = {.text = text, .bytes = text_bytes};
    struct dl_notes *notes = dl__notes_make(&r.arena);
    struct dl_remark damaged = {DL_WARNING, NULL, 0, 1,
                                "the layout table in this text is damaged"};
    volatile enum dl_status st = DL_ENOMEM;

    if (!notes)
        return DL_ENOMEM;
    if (!setjmp(r.arena->fail))
        st = read_all(&r, notes) ? DL_OK : DL_EPARSE;
    damaged.line = r.line.number;
    if (st == DL_EPARSE && remark)
        remark(user, &damaged);
    if (st == DL_OK)
        *out = notes;
    else
        dl_notes_free(notes);
    return st;
}
