/* SPDX-License-Identifier: MIT */
/* Annotations as the user writes them. */
#include "annotate/annotations/annotation.h"

#include <string.h>
#include <strings.h>

#include "annotate/text/lex.h"

static struct dl__token next(struct dl__lexer *lexer)
{
    struct dl__token t;

    do
        t = dl__lex_next(lexer);
    while (t.kind == DL__NEWLINE);
    return t;
}

/* Reads `[...]` whose `[` is at `open`; false when it is not closed. */
static bool read_brackets(struct dl__lexer *lexer, struct dl__token open,
                          const char **inside, size_t *bytes)
{
    unsigned depth = 1;
    struct dl__token t;

    *inside = open.text + 1;
    do {
        t = next(lexer);
        depth += dl__token_is(&t, "[");
        depth -= dl__token_is(&t, "]");
    } while (depth && t.kind != DL__END);
    *bytes = (size_t)(t.text - *inside);
    while (*bytes && strchr(" \t", **inside)) {
        ++*inside;
        --*bytes;
    }
    while (*bytes && strchr(" \t", (*inside)[*bytes - 1]))
        --*bytes;
    return t.kind != DL__END;
}

/* `aos`, `Soa`, `ASTA`: a layout was meant. */
static bool is_like_layout(const struct dl__token *t)
{
    static const char *const words[] = {"aos", "soa", "asta", "da", "grid", "grids"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (t->bytes == strlen(words[i]) && !strncasecmp(t->text, words[i], t->bytes))
            return true;
    return false;
}

static bool is_last(struct dl__lexer lexer)
{
    return next(&lexer).kind == DL__END;
}

/* Reads `to ASTA`, for all buffers of the annotation: each must have its second brackets.
 */
static bool read_target(struct dl__arena *arena, struct dl__lexer *lexer,
                        struct dl__wishes *out, const char **reason)
{
    struct dl__token t = next(lexer);

    if (!dl__token_is(&t, "ASTA")) {
        *reason = "discrete arrays are offered `to ASTA`, to nothing else";
        return false;
    }
    for (size_t i = 0; i < out->count; i++) {
        struct dl__wish *wish = &out->items[i];

        if (!wish->soa) {
            *reason = "`to ASTA` is for `SoA` alone: `AoS` is always to tiles";
            return false;
        }
        if (!wish->width || !*wish->dimension) {
            *reason =
                dl__arena_format(arena, "'%s' to ASTA is written `%s[length][arrays]`",
                                 wish->buffer, wish->buffer);
            return false;
        }
        wish->soa = false;
        wish->arrays = true;
    }
    return true;
}

/* Reads `as y[*] x[*] k`, up to a comma, a semicolon or the end: for the grids before it
 * that have no layout. */
static bool read_strips(struct dl__arena *arena, struct dl__lexer *lexer,
                        struct dl__token *t, struct dl__wishes *out, const char **reason)
{
    const char *begin = NULL, *end = NULL;

    for (*t = next(lexer);
         t->kind != DL__END && !dl__token_is(t, ",") && !dl__token_is(t, ";");
         *t = next(lexer)) {
        begin = begin ? begin : t->text;
        end = t->text + t->bytes;
    }
    if (!begin) {
        *reason = "behind `as` a grid's layout is expected: `as y[*] x[*] k x[4:0]`";
        return false;
    }
    for (size_t i = 0; i < out->count; i++)
        if (!out->items[i].strips)
            out->items[i].strips = dl__arena_text(arena, begin, (size_t)(end - begin));
    return true;
}

/* What may stand behind the last `]`, from *t on; then *t is what follows. */
static bool read_end(struct dl__arena *arena, struct dl__lexer *lexer,
                     struct dl__token *t, struct dl__wishes *out, const char **reason)
{
    if (!out->items[0].extent_count && dl__token_is(t, "to")) {
        if (!read_target(arena, lexer, out, reason))
            return false;
        *t = next(lexer);
    }
    /* As if it were a statement, or one of a list. */
    if (dl__token_is(t, ",") || dl__token_is(t, ";"))
        *t = next(lexer);
    return true;
}

/* Reads what stands in the brackets of one buffer, from its `[` on; *t is what follows.
 */
static bool read_shape(struct dl__arena *arena, struct dl__lexer *lexer,
                       struct dl__token *t, bool grid, struct dl__wish *wish,
                       const char **reason)
{
    for (size_t brackets = 0; dl__token_is(t, "[") && (grid || brackets < 2);
         brackets++) {
        const char *inside, *text;
        size_t bytes;

        if (grid && brackets == DL_GRID_DIMS_MAX) {
            *reason = "a grid has at most 8 dimensions";
            return false;
        }
        if (!read_brackets(lexer, *t, &inside, &bytes)) {
            *reason = "a `]` is missing";
            return false;
        }
        text = dl__arena_text(arena, inside, bytes);
        if (grid && !*text) {
            *reason = "each dimension of a grid is written: `grid: f[ny][nx]`";
            return false;
        }
        if (grid)
            wish->extents[wish->extent_count++] = text;
        else if (brackets == 0)
            wish->dimension = text;
        else
            wish->width = text;
        *t = next(lexer);
    }
    return true;
}

/* Reads one `f[...]`. */
static bool read_wish(struct dl__arena *arena, struct dl__lexer *lexer,
                      struct dl__token *t, bool grid, struct dl__wish wish,
                      struct dl__wishes *out, const char **reason)
{
    struct dl__token name = next(lexer);

    *t = next(lexer);
    if (name.kind != DL__NAME || !dl__token_is(t, "[")) {
        *reason = dl__arena_format(arena, "a buffer's name and `[` are expected%s%.*s%s",
                                   name.bytes ? " from '" : "", (int)name.bytes,
                                   name.text, name.bytes ? "' on" : "");
        return false;
    }
    wish.buffer = dl__arena_text(arena, name.text, name.bytes);
    wish.dimension = "";
    if (!read_shape(arena, lexer, t, grid, &wish, reason))
        return false;
    for (size_t i = 0; i < out->count; i++) {
        if (!strcmp(out->items[i].buffer, wish.buffer)) {
            *reason = "a buffer is annotated twice";
            return false;
        }
    }
    DL__PUSH(arena, out, wish);
    /* The name that a rewritten annotation carries. */
    if (t->kind == DL__NAME && t->bytes > 9 && !memcmp(t->text, "AOS2ASTA_", 9))
        *t = next(lexer);
    return true;
}

bool dl__annotation_parse(struct dl__arena *arena, const char *body,
                          struct dl__wishes *out, const char **reason)
{
    struct dl__lexer lexer = {.text = body, .bytes = strlen(body)};
    struct dl__token layout = next(&lexer), t = next(&lexer);
    bool grid = dl__token_is(&layout, "grid");
    struct dl__wish wish = {.soa = dl__token_is(&layout, "SoA")};

    if (!dl__token_is(&t, ":") || !(wish.soa || grid || dl__token_is(&layout, "AoS"))) {
        *reason = dl__token_is(&t, ":") && is_like_layout(&layout)
                      ? "a layout is written `AoS`, `SoA` or `grid`"
                      : "an annotation has the form `//DL: AoS: buffer[structs]`";
        return false;
    }
    do {
        if (!read_wish(arena, &lexer, &t, grid, wish, out, reason))
            return false;
        if (grid && dl__token_is(&t, "as") &&
            !read_strips(arena, &lexer, &t, out, reason))
            return false;
    } while (dl__token_is(&t, ",") && !is_last(lexer));
    if (!read_end(arena, &lexer, &t, out, reason))
        return false;
    if (t.kind != DL__END) {
        *reason = dl__arena_format(
            arena,
            "the annotation goes on after its last `]` with '%.*s': between buffers goes "
            "a comma, and another layout has a line of its own",
            (int)t.bytes, t.text);
        return false;
    }
    return true;
}

bool dl__annotation_is_soa(const char *body, size_t bytes)
{
    struct dl__lexer lexer = {.text = body, .bytes = bytes};
    struct dl__token t = next(&lexer);
    unsigned depth = 0;

    if (!dl__token_is(&t, "SoA"))
        return false;
    while ((t = next(&lexer)).kind != DL__END) {
        depth += dl__token_is(&t, "[");
        depth -= dl__token_is(&t, "]");
        if (!depth && dl__token_is(&t, "to"))
            return false;
    }
    return true;
}
