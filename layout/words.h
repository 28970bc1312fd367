/* SPDX-License-Identifier: MIT */
/* Words of docs/glossary.md that a reader can't guess. The first message that has one
 * adds DL_WORDS_POINTER.
 *
 * Threads: safe. */
#ifndef DL_LAYOUT_WORDS_H
#define DL_LAYOUT_WORDS_H

#include <stdbool.h>

#define DL_WORDS_POINTER "dl-run --words explains the words"

/* Whether `text` has the name of a layout, or of its parts, as a word: "ASTA/32",
 * "in tiles". */
bool dl_words_are_in(const char *text);

/* The plural of a counted noun. */
static inline const char *dl_plural(unsigned long long count)
{
    return count == 1 ? "" : "s";
}

#endif
