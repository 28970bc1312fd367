/* SPDX-License-Identifier: MIT */
/* Prints the option table as the rows of docs/options.md; with `man`, as the options of
 * dl-run(1). */
#include <stdio.h>
#include <string.h>

#include "options/options.h"

/* A bare '|' would end the cell. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\%c" : "%c", *text);
}

/* Text of a manual page, in which a dash is a minus that can be copied. */
static void print_man(const char *text)
{
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

/* dl-run's default; "": none. */
static const char *initial(const struct dl_option_row *row)
{
    const char *text = row->run_initial ? row->run_initial : row->initial;

    return text ? text : "";
}

static void print_man_option(enum dl_option option)
{
    const struct dl_option_row *row = dl_option_row(option);
    char usage[DL_OPTION_TEXT_BYTES];

    dl_option_usage(option, usage);
    fputs(".TP\n.B ", stdout);
    if (row->letter)
        printf("\\-%c, ", row->letter);
    fputs("\\-\\-", stdout);
    print_man(row->flag);
    if (*usage) {
        printf("%s", row->left_out ? "[=" : " ");
        print_man(usage);
        printf("%s", row->left_out ? "]" : "");
    }
    putchar('\n');
    print_man(row->help);
    if (row->environment)
        printf(" (%s%s%s)", row->environment, *initial(row) ? ", default " : "",
               initial(row));
    putchar('\n');
}

static void print_readme(void)
{
    char usage[DL_OPTION_TEXT_BYTES];

    puts("| option, environment variable | value | default | meaning "
         "|\n|---|---|---|---|");
    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)i);
        const char *code = row->environment ? "`" : "";

        dl_option_usage((enum dl_option)i, usage);
        printf("| `--%s`%s%s%s%s | %s", row->flag, row->environment ? "<br>" : "", code,
               row->environment ? row->environment : "", code, code);
        printf("%s", row->left_out ? "[=" : "");
        print_cell(usage);
        printf("%s%s | %s | %s |\n", row->left_out ? "]" : "", code, initial(row),
               row->help);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "man") != 0)
        print_readme();
    for (int i = 0; argc > 1 && i < DL_OPTION_COUNT; i++)
        print_man_option((enum dl_option)i);
    return 0;
}
