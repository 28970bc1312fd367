/* Prints the option table as the rows of the README's list. */
#include <stdio.h>

#include "dl_options.h"

int main(void)
{
    static const struct {
        const char *flag, *environment, *value, *initial, *help;
    } options[] = {
#define X(identifier, flag, environment, value, initial, help)                           \
    {flag, environment, value, initial, help},
        DL_OPTION_MAP(X)
#undef X
    };
    puts("| option | environment | value | default | meaning |\n|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        printf("| `--%s` | `%s` | `", options[i].flag, options[i].environment);
        for (const char *at = options[i].value; *at; at++)
            printf(*at == '|' ? "\\%c" : "%c", *at); /* a bare one would end the cell */
        printf("` | %s | %s |\n", options[i].initial, options[i].help);
    }
    return 0;
}
