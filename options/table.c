/* SPDX-License-Identifier: MIT */
/* The table of options, and finding a row of it. */
#include <string.h>

#include "options/options.h"

static const struct dl_option_row rows[DL_OPTION_COUNT] = {
#define DL_OPTION(identifier, ...) [DL_OPTION_##identifier] = {__VA_ARGS__},
#include "options/options.def"
#undef DL_OPTION
};

const struct dl_option_row *dl_option_row(enum dl_option option)
{
    return &rows[option];
}

enum dl_option dl_option_find(const char *flag, size_t flag_bytes)
{
    int i = 0;

    while (i < DL_OPTION_COUNT && (strlen(rows[i].flag) != flag_bytes ||
                                   memcmp(rows[i].flag, flag, flag_bytes) != 0))
        i++;
    return (enum dl_option)i;
}

enum dl_option dl_option_find_letter(char letter)
{
    int i = 0;

    while (i < DL_OPTION_COUNT && (!letter || rows[i].letter != letter))
        i++;
    return (enum dl_option)i;
}

enum dl_option dl_option_complete(const char *flag, size_t flag_bytes,
                                  enum dl_option out[2])
{
    enum dl_option whole = dl_option_find(flag, flag_bytes);
    int found = 0;

    out[0] = out[1] = DL_OPTION_COUNT;
    if (whole != DL_OPTION_COUNT || flag_bytes == 0)
        return whole;
    for (int i = 0; i < DL_OPTION_COUNT && found < 2; i++)
        if (strncmp(rows[i].flag, flag, flag_bytes) == 0)
            out[found++] = (enum dl_option)i;
    if (found == 2)
        return DL_OPTION_COUNT;
    whole = out[0];
    out[0] = DL_OPTION_COUNT;
    return whole;
}
