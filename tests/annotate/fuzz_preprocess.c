/* SPDX-License-Identifier: MIT */
/* libFuzzer: the text layer of the rewriter on arbitrary text. The expanded text must be
 * tiled by its segments, with the line breaks of the main file; edits of it must print
 * without harm. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/text/edit.h"
#include "annotate/text/preprocess.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void no_compiler_macros(void *user, const char *const *names, size_t count,
                               const char **values)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        values[i] = names[i][0] == '_' ? "1" : NULL;
}

static size_t count_newlines(const char *text, size_t bytes)
{
    size_t count = 0;

    for (size_t i = 0; i < bytes; i++)
        count += text[i] == '\n';
    return count;
}

/* Segments lie end to end; those of the main file have its line breaks. */
static void check_segments(const struct dl__expanded *expanded)
{
    size_t at = 0, lines = 0;

    for (size_t i = 0; i < expanded->segments.count; i++) {
        const struct dl__segment *s = &expanded->segments.items[i];

        if (s->at != at || s->end < s->at || s->origin_end > s->file->bytes)
            abort();
        at = s->end;
        if (s->file->is_main)
            lines += count_newlines(expanded->text + s->at, s->end - s->at);
    }
    if (at != expanded->bytes ||
        lines != count_newlines(expanded->main->text, expanded->main->bytes))
        abort();
}

/* Some edits and a range, taken from the data. */
static void print_edits(struct dl__arena *arena, const struct dl__expanded *expanded,
                        const uint8_t *data, size_t bytes)
{
    static const char *const texts[] = {"", "x", "f(a, b)", " ", "1\n2"};
    struct dl__buf out = {.arena = arena};
    struct dl__edits edits = {0};
    size_t at = 0, end, fail_at;

    dl__buf_puts(&out, "");
    for (size_t i = 0; i + 3 < bytes && at < expanded->bytes; i += 3) {
        at += data[i];
        end = at + data[i + 1] % 16;
        if (end > expanded->bytes)
            break;
        dl__edit_replace(&edits, expanded, at, end, texts[data[i + 2] % 5]);
        at = end;
    }
    if (!dl__edits_finish(&edits))
        abort();
    at = bytes ? data[0] * expanded->bytes / 512 : 0;
    end = expanded->bytes - at / 2;
    for (enum dl__printed as = DL__IN_PLACE; as <= DL__EXPRESSION; as++)
        dl__edits_print(&edits, expanded, at, end, as, &out, &fail_at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct dl__arena arena = {0};
    struct dl__lines lines = {.arena = &arena};
    struct dl__file file = {"fuzz.cl", (const char *)data, bytes, true, &lines};
    struct dl__build_options options = {0};
    struct dl__expanded expanded = {0};
    static const struct dl_header headers[] = {
        {"h", "#define H(x) x\nint h;\n"},
        {"once", "#pragma once\n//DL: AoS: f[H(n)]\n#include \"h\"\n__kernel"}};
    static const struct dl__guess answers[] = {{"defined __D", true, true},
                                               {"__D > 1", false, true}};
    struct dl__preprocess_input input = {.main = &file,
                                         .directory = "/nonexistent",
                                         .options = &options,
                                         .headers = headers,
                                         .header_count = 2,
                                         .answers = answers,
                                         .answer_count = 2,
                                         .can_ask = bytes % 2,
                                         .compiler_macros = no_compiler_macros};

    if (!setjmp(arena.fail)) {
        dl__preprocess(&arena, &input, &expanded);
        check_segments(&expanded);
        for (size_t i = 0; i <= expanded.bytes; i += 7)
            dl__expanded_place(&expanded, i);
        print_edits(&arena, &expanded, data, bytes);
    }
    dl__arena_free(&arena);
    return 0;
}
