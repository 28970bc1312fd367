/* SPDX-License-Identifier: MIT */
/* libFuzzer: the readers of annotations, dimensions and tables on arbitrary text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/annotation.h"
#include "annotate/annotations/dimension.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const int64_t words[4] = {3, -1, INT64_MAX, 0};
    struct dl_arg_value args[4];
    struct dl_launch launch = {.work_dim = 3,
                               .global_size = {64, 1, SIZE_MAX},
                               .local_size = {8, 0, 1},
                               .args = args,
                               .arg_count = 4};
    const char *text = (const char *)data, *reason;
    struct dl_dimension *dimension = NULL;
    struct dl_notes *notes = NULL;
    struct dl__wishes wishes = {0};
    struct dl__arena arena = {0};
    int64_t value;
    char *copy;

    for (size_t i = 0; i < 4; i++)
        args[i] = (struct dl_arg_value){&words[i], sizeof words[i]};
    if (dl_annotate_scan(text, bytes, NULL, NULL, &notes) == DL_OK)
        dl_notes_free(notes);
    dl_annotate_wanted(text, bytes, NULL);
    copy = strndup(text, bytes);
    if (!setjmp(arena.fail)) {
        dimension = dl__dimension_parse(&arena, text, bytes, &reason);
        if (dimension)
            dl_dimension_eval(dimension, &launch, &value, &reason);
        if (copy)
            dl__annotation_parse(&arena, copy, &wishes, &reason);
    }
    dl__arena_free(&arena);
    free(copy);
    return 0;
}
