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
