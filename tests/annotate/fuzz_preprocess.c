/* libFuzzer: the text layer of the rewriter on arbitrary text. The expanded text must be
 * tiled by its segments, with the line breaks of the source. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/preprocess.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void no_compiler_macros(void *user, const char *const *names, size_t count,
                               const char **values)
{
    (void)user;
    for (size_t i = 0; i < count; i++)
        values[i] = names[i][0] == '_' ? "1" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct dl__arena arena = {0};
    struct dl__file file = {"fuzz.cl", (const char *)data, bytes, true, NULL};
    struct dl__build_options options = {0};
    struct dl__expanded expanded = {0};
    static const struct dl_header header = {"h", "#define H(x) x\nint h;\n"};
    struct dl__preprocess_input input = {.main = &file,
                                         .directory = "/nonexistent",
                                         .options = &options,
                                         .headers = &header,
                                         .header_count = 1,
                                         .compiler_macros = no_compiler_macros};
    size_t at = 0;

    if (!setjmp(arena.fail)) {
        dl__preprocess(&arena, &input, &expanded);
        for (size_t i = 0; i < expanded.segments.count; i++) {
            if (expanded.segments.items[i].at != at)
                abort();
            at = expanded.segments.items[i].end;
        }
        if (at != expanded.bytes)
            abort();
        for (size_t i = 0; i <= expanded.bytes; i += 7)
            dl__expanded_place(&expanded, i);
    }
    dl__arena_free(&arena);
    return 0;
}
