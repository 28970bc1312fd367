/* SPDX-License-Identifier: MIT */
/* Texts that are too large to be read. */
#ifndef DL_ANNOTATE_LIMITS_H
#define DL_ANNOTATE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "annotate/base/arena.h"
#include "annotate/text/lex.h"

enum {
    DL__TEXT_BYTES_MAX =
        64 << 20, /* of the main file, of an included one, of the expanded text */
    /* Of the expanded text: libclang takes about a second for these. */
    DL__TOKENS_MAX = 1200 * 1000,
    DL__REWRITTEN_TOKENS_MAX = 8 * DL__TOKENS_MAX, /* with the copies of helpers */
    DL__CLONE_DEPTH_MAX = 64,                      /* of helpers that call each other */
    DL__TYPE_DEPTH_MAX = 64
};

/* NULL when the text can be read, with its tokens; else why not, and where. */
const char *dl__limits_check(struct dl__arena *arena, const char *text, size_t bytes,
                             size_t tokens_max, struct dl__tokens *tokens, size_t *at);

#endif
