/* Prints the option table as the rows of the README's list. */
#include <stdio.h>

#include "options/options.h"

/* A bare '|' would end the cell. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\%c" : "%c", *text);
}

int main(void)
{
    char usage[DL_OPTION_TEXT_BYTES];

    puts("| option | environment | value | default | meaning |\n|---|---|---|---|---|");
    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)i);
        const char *code = row->environment ? "`" : "";

        dl_option_usage((enum dl_option)i, usage);
        printf("| `--%s` | %s%s%s | %s", row->flag, code,
               row->environment ? row->environment : "", code, code);
        printf("%s", row->left_out ? "[=" : "");
        print_cell(usage);
        printf("%s%s | %s | %s |\n", row->left_out ? "]" : "", code,
               row->initial ? row->initial : "", row->help);
    }
    return 0;
}
