/* SPDX-License-Identifier: MIT */
/* Prints good and bad values of every option that the environment can give, a line each:
 * VERDICT TAB FLAG TAB ENVIRONMENT TAB VALUE. Made from the rows of the table alone.
 * $1: a folder with an empty file `plain`, a file `taken` of somebody else's, a folder
 * `folder` and no `missing`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "options/options.h"

static const char *folder;

static void print(bool good, const struct dl_option_row *row, const char *value)
{
    printf("%s\t%s\t%s\t%s\n", good ? "good" : "bad", row->flag, row->environment, value);
}

static void print_number(bool good, const struct dl_option_row *row, uint64_t number,
                         const char *behind)
{
    char text[64];

    snprintf(text, sizeof text, "%" PRIu64 "%s", number, behind);
    print(good, row, text);
}

static void print_name(bool good, const struct dl_option_row *row, const char *name)
{
    char text[4096];

    snprintf(text, sizeof text, "%s/%s", folder, name);
    print(good, row, text);
}

static void print_words(const struct dl_option_row *row)
{
    char text[64];

    for (const char *at = row->words ? row->words : ""; *at;) {
        size_t bytes = strcspn(at, "|");
        snprintf(text, sizeof text, "%.*s", (int)bytes, at);
        print(true, row, text);
        at += bytes + (at[bytes] == '|');
    }
}

/* Neither numbers nor words. */
static void print_no_numbers(const struct dl_option_row *row)
{
    static const char *const texts[] = {"-1",   "+1", " 1",  "1 ",  "0x1", "1.5", "1e3",
                                        "lots", "M",  "1kk", "1kB", "5T",  "%",   "10%%"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        print(false, row, texts[i]);
    print(false, row, "18446744073709551616");
    print(false, row, "99999999999999999999999");
}

static void print_numbers(const struct dl_option_row *row)
{
    print_no_numbers(row);
    print_number(true, row, row->smallest, "");
    print_number(true, row, row->largest, "");
    print_number(true, row, row->smallest + 1, "");
    if (row->smallest > 0)
        print_number(false, row, row->smallest - 1, "");
    print_number(false, row, row->largest + 1, "");
    print_number(false, row, UINT64_MAX, "");
}

static void print_units(const struct dl_option_row *row)
{
    static const char units[] = "kKmMgG";

    for (int i = 0; units[i]; i++) {
        const char unit[] = {units[i], '\0'};
        uint64_t most = row->largest >> 10 * (i / 2 + 1);
        print_number(true, row, most, unit);
        print_number(false, row, most + 1, unit);
        print_number(row->smallest == 0, row, 0, unit);
    }
}

static void print_values(const struct dl_option_row *row)
{
    bool input = row->type == DL_VALUE_INPUT || row->type == DL_VALUE_LIBRARY;

    print_words(row);
    switch (row->type) {
    case DL_VALUE_WORD:
        print(false, row, row->words);
        print(false, row, "A");
        print(false, row, "|");
        print(row->left_out != NULL, row, "1"); /* as of --stats=1 */
        break;
    case DL_VALUE_BYTES:
    case DL_VALUE_SHARE:
        print_units(row);
        for (unsigned i = 0; i <= 101; i = i < 100 ? i + 50 : i + 1)
            print_number(row->type == DL_VALUE_SHARE && i <= 100, row, i, "%");
        /* fall through */
    case DL_VALUE_NUMBER:
        print_numbers(row);
        break;
    case DL_VALUE_FLAG:
        break;
    default:
        print_name(true, row, "plain");
        print_name(row->type == DL_VALUE_FOLDER, row, "folder");
        print_name(row->type == DL_VALUE_FOLDER, row, "missing/file");
        print_name(row->type == DL_VALUE_FOLDER, row, "folder/");
        print_name(!input, row, input ? "folder/not here" : "folder/new file");
        print(row->type != DL_VALUE_INPUT, row, "not-here");
        if (row->type == DL_VALUE_OUTPUT)
            print_name(false, row, "taken");
        break;
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    folder = argv[1];
    for (int i = 0; i < DL_OPTION_COUNT; i++)
        if (dl_option_row((enum dl_option)i)->environment)
            print_values(dl_option_row((enum dl_option)i));
    return 0;
}
