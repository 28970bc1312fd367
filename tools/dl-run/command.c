/* SPDX-License-Identifier: MIT */
/* Parses dl-run's command line. */
#include "command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2))) static bool complain(const char *format, ...);

/* Always false, so that a check can end in `return complain(...)`. */
static bool complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("dl-run: ", stderr);
    vfprintf(stderr, format, args);
    fputs(" (see dl-run --help)\n", stderr);
    va_end(args);
    return false;
}

static bool set_flag(struct dl_option_value *value)
{
    if (!value->text)
        value->text = strdup("");
    return value->text || complain("out of memory");
}

static bool set_value(struct dl_option_value *value, enum dl_option option,
                      const char *text)
{
    char wrong[DL_OPTION_TEXT_BYTES];
    struct dl_option_value read;
    if (dl_option_parse(option, text, &read, wrong) != DL_OK)
        return complain("--%s=%s", dl_option_row(option)->flag, wrong);
    dl_option_value_free(value);
    *value = read;
    return true;
}

/* Always DL_OPTION_COUNT, after a line that says what may have been meant. */
static enum dl_option complain_of_option(const char *word, size_t flag_bytes,
                                         const enum dl_option alike[2])
{
    enum dl_option near =
        flag_bytes ? dl_option_nearest(word + 2, flag_bytes) : DL_OPTION_COUNT;
    int word_bytes = (int)(flag_bytes ? flag_bytes + 2 : strlen(word));

    if (alike[0] != DL_OPTION_COUNT)
        complain("%.*s may be --%s or --%s", word_bytes, word,
                 dl_option_row(alike[0])->flag, dl_option_row(alike[1])->flag);
    else if (near != DL_OPTION_COUNT)
        complain("unknown option %.*s; did you mean --%s?", word_bytes, word,
                 dl_option_row(near)->flag);
    else
        complain("unknown option %.*s", word_bytes, word);
    return DL_OPTION_COUNT;
}

/* "--tile", "--til", "-h"; DL_OPTION_COUNT: it is none, which was said. */
static enum dl_option find_option(const char *word)
{
    size_t flag_bytes = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    enum dl_option alike[2] = {DL_OPTION_COUNT, DL_OPTION_COUNT};
    enum dl_option option = flag_bytes ? dl_option_complete(word + 2, flag_bytes, alike)
                            : strlen(word) == 2 ? dl_option_find_letter(word[1])
                                                : DL_OPTION_COUNT;

    return option == DL_OPTION_COUNT ? complain_of_option(word, flag_bytes, alike)
                                     : option;
}

/* An option and its value: "--tile=8", "--tile" "8". `at` is left at the last word of it.
 */
static bool parse_option(struct run_command *command, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *text;
    enum dl_option option = find_option(word);

    if (option == DL_OPTION_COUNT)
        return false;
    const struct dl_option_row *row = dl_option_row(option);
    char allowed[DL_OPTION_TEXT_BYTES];
    text = strchr(word, '=');
    if (text)
        return set_value(&command->values[option], option, text + 1);
    if (row->type == DL_VALUE_FLAG)
        return set_flag(&command->values[option]);
    if (row->left_out) {
        command->before_program = option;
        return set_value(&command->values[option], option, row->left_out);
    }
    if (*at + 1 == argc || strcmp(argv[*at + 1], "--") == 0)
        return complain("--%s needs a value; allowed: %s", row->flag,
                        dl_option_allowed(option, allowed));
    return set_value(&command->values[option], option, argv[++*at]);
}

bool run_command_parse(int argc, char **argv, struct run_command *out)
{
    int at = 1;
    memset(out, 0, sizeof *out);
    out->before_program = DL_OPTION_COUNT;
    for (; at < argc && argv[at][0] == '-'; at++) {
        out->before_program = DL_OPTION_COUNT;
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        if (!parse_option(out, argc, argv, &at))
            return false;
    }
    if (at < argc)
        out->program = argv + at;
    else if (!run_command_has(out, DL_OPTION_help) &&
             !run_command_has(out, DL_OPTION_words) &&
             !run_command_has(out, DL_OPTION_version) &&
             !run_command_has(out, DL_OPTION_doctor) &&
             !run_command_has(out, DL_OPTION_bundle))
        return complain("no program given");
    return true;
}

void run_command_free(struct run_command *command)
{
    for (int i = 0; i < DL_OPTION_COUNT; i++)
        dl_option_value_free(&command->values[i]);
}

enum { HELP_COLUMNS = 80, HELP_INDENT = 8 };

/* The words of `text` in indented lines, from column `column` on; returns where it ends.
 */
static size_t print_wrapped(const char *text, size_t column, FILE *to)
{
    while (*text) {
        size_t bytes = strcspn(text, " ");
        if (column == 0 || column + 1 + bytes > HELP_COLUMNS) {
            fprintf(to, "\n%*s", HELP_INDENT - 1, "");
            column = HELP_INDENT - 1;
        }
        fprintf(to, " %.*s", (int)bytes, text);
        column += 1 + bytes;
        text += bytes + strspn(text + bytes, " ");
    }
    return column;
}

/* The help, then "(DL_TILE, default auto)". */
static void print_meaning(const struct dl_option_row *row, FILE *to)
{
    size_t column = print_wrapped(row->help, 0, to);
    const char *initial = row->run_initial ? row->run_initial : row->initial;
    char text[256];
    if (row->environment) {
        snprintf(text, sizeof text, "(%s%s%s)", row->environment,
                 initial ? ", default " : "", initial ? initial : "");
        print_wrapped(text, column, to);
    }
    fputc('\n', to);
}

void run_help_print(FILE *to)
{
    char usage[DL_OPTION_TEXT_BYTES];
    fputs(
        "usage: dl-run [OPTION]... [--] PROGRAM [ARGUMENT]...\n\n"
        "Runs an OpenCL program with its buffers of structs on another data layout. The\n"
        "program's exit code is its own; 2: a bad option, 125: DL itself is not found,\n"
        "126: PROGRAM can't be run, 127: PROGRAM is not found.\n\n"
        "A value is the next word, or comes after '='. One in brackets may be left out,\n"
        "and comes after '=' only.\n\n",
        to);
    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)i);
        const char *before = row->left_out ? "[=" : " ";
        dl_option_usage((enum dl_option)i, usage);
        fputs("  ", to);
        if (row->letter)
            fprintf(to, "-%c, ", row->letter);
        fprintf(to, "--%s%s%s%s", row->flag, *usage ? before : "", usage,
                row->left_out ? "]" : "");
        print_meaning(row, to);
    }
}
