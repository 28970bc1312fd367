/* SPDX-License-Identifier: MIT */
/* Which word was meant. */
#include <ctype.h>
#include <string.h>

#include "options/options.h"

enum { WORD_BYTES_MAX = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to add, leave out, change or swap with their neighbour (Damerau); capitals are
 * no change. */
static size_t distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t rows[3][WORD_BYTES_MAX + 1], *before = rows[0], *above = rows[1],
                                        *here = rows[2], *next;

    for (size_t j = 0; j <= b_bytes; j++)
        above[j] = j;
    for (size_t i = 1; i <= a_bytes; i++) {
        here[0] = i;
        for (size_t j = 1; j <= b_bytes; j++) {
            int x = tolower((unsigned char)a[i - 1]),
                y = tolower((unsigned char)b[j - 1]);

            here[j] =
                smaller(smaller(above[j], here[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                here[j] = smaller(here[j], before[j - 2] + 1);
        }
        next = before;
        before = above;
        above = here;
        here = next;
    }
    return above[b_bytes];
}

size_t dl_word_distance(const char *word, size_t word_bytes, const char *other)
{
    size_t other_bytes = strlen(other), apart;

    if (word_bytes == 0 || word_bytes > WORD_BYTES_MAX || other_bytes > WORD_BYTES_MAX)
        return SIZE_MAX;
    apart = distance(word, word_bytes, other, other_bytes);
    return apart <= smaller(3, 1 + smaller(word_bytes, other_bytes) / 4) ? apart
                                                                         : SIZE_MAX;
}

enum dl_option dl_option_nearest(const char *flag, size_t flag_bytes)
{
    enum dl_option best = DL_OPTION_COUNT;
    size_t best_apart = SIZE_MAX;

    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        size_t apart =
            dl_word_distance(flag, flag_bytes, dl_option_row((enum dl_option)i)->flag);

        if (apart < best_apart) {
            best = (enum dl_option)i;
            best_apart = apart;
        }
    }
    return best;
}

/* Others' variables may begin like DL's (DL_DATA), so that one or two letters are all
 * that a slip is. */
static bool is_slip(size_t apart, size_t bytes)
{
    return apart < 2 || (apart == 2 && bytes >= 11);
}

const char *dl_variable_nearest(const char *variable, size_t bytes)
{
    const char *best = NULL;
    size_t best_apart = SIZE_MAX;

    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        const char *name = dl_option_row((enum dl_option)i)->environment;
        size_t apart = name ? dl_word_distance(variable, bytes, name) : SIZE_MAX;

        if (name && strlen(name) == bytes && memcmp(name, variable, bytes) == 0)
            return NULL;
        if (apart < best_apart && is_slip(apart, bytes)) {
            best = name;
            best_apart = apart;
        }
    }
    return best;
}
