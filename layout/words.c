/* SPDX-License-Identifier: MIT */
/* Finds words of the glossary. */
#include "layout/words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || strchr("_'-", c);
}

/* Not a quoted name of the program, an option with a dash, or a file in a folder. */
static bool is_word(const char *text, const char *at, size_t bytes)
{
    return (at == text || (!is_part_of_word(at[-1]) && at[-1] != '/')) &&
           (at[bytes] == '\0' || !is_part_of_word(at[bytes]));
}

bool dl_words_are_in(const char *text)
{
    static const char *const words[] = {"AoS",       "ASTA",      "SoA",
                                        "DA",        "tile",      "tiles",
                                        "tiled",     "in arrays", "discrete arrays",
                                        "coalesced", "grid",      "grids"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i])); at++)
            if (is_word(text, at, strlen(words[i])))
                return true;
    return false;
}
