/* SPDX-License-Identifier: MIT */
/* The options of a command of dl-bench: its line, the values allowed, its help; and
 * tables, whose heads name the line. */
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

enum { TEXT_BYTES = 1024, HELP_COLUMNS = 80, HELP_INDENT = 26 };

/* ---- values ---- */

bool list_next(const char **list, char *word, size_t bytes)
{
    size_t length = strcspn(*list, ",");

    snprintf(word, bytes, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return *word != '\0';
}

bool list_has(const char *list, const char *word)
{
    char other[64];

    while (list_next(&list, other, sizeof other))
        if (strcmp(other, word) == 0)
            return true;
    return false;
}

uint64_t bytes_parse(const char *text)
{
    static const char units[] = "KMG";
    char *end;
    uint64_t bytes = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;

    if (*text < '0' || *text > '9' || (*end && (!unit || end[1])) ||
        bytes > UINT64_MAX >> shift)
        return 0;
    return bytes << shift;
}

size_t numbers_parse(const char *text, unsigned *numbers, size_t most)
{
    size_t count = 0;
    char word[64];

    while (list_next(&text, word, sizeof word)) {
        unsigned first, last;

        if (sscanf(word, "%u-%u", &first, &last) < 2)
            last = first = (unsigned)strtoul(word, NULL, 10);
        for (unsigned long n = first; n <= last && count < most; n++)
            numbers[count++] = (unsigned)n;
    }
    return count;
}

/* ---- which are allowed ---- */

/* Each returns what is wrong with a value, NULL: nothing. `allowed` is what follows the
 * mark. */

static const char *fraction_wrong(const char *text, const char *allowed)
{
    double least = 0, most = 0, number;
    char *end;

    sscanf(allowed, "%lf-%lf", &least, &most);
    number = strtod(text, &end);
    if (!*text || text[strspn(text, "0123456789.")] || *end)
        return "not a number";
    return number < least ? "too small" : number > most ? "too large" : NULL;
}

static const char *number_wrong(const char *text, const char *allowed)
{
    return text[strspn(text, "0123456789")] || !*text ? "not a whole number"
                                                      : fraction_wrong(text, allowed);
}

static const char *numbers_wrong(const char *list, const char *allowed)
{
    unsigned long most = 0, count = 0;
    char word[64];

    sscanf(allowed, "%*[0-9-]/%lu", &most);
    while (list_next(&list, word, sizeof word)) {
        char *last = strchr(word, '-');
        const char *wrong;

        if (last)
            *last++ = '\0';
        wrong = number_wrong(word, allowed);
        if (!wrong && last)
            wrong = number_wrong(last, allowed);
        if (wrong)
            return wrong;
        if (last && strtoul(last, NULL, 10) < strtoul(word, NULL, 10))
            return "a range that ends before it begins";
        count += last ? strtoul(last, NULL, 10) - strtoul(word, NULL, 10) + 1 : 1;
    }
    return count == 0 || *list ? "not a list of numbers"
           : count > most      ? "too many numbers"
                               : NULL;
}

static const char *bytes_wrong(const char *text, const char *allowed)
{
    const char *most = strchr(allowed, '-') + 1;
    char least[16];
    uint64_t bytes = bytes_parse(text);

    snprintf(least, sizeof least, "%.*s", (int)(most - 1 - allowed), allowed);
    if (bytes == 0)
        return "not a number of bytes";
    return bytes < bytes_parse(least)  ? "too small"
           : bytes > bytes_parse(most) ? "too large"
                                       : NULL;
}

static const char *power_wrong(const char *text, const char *allowed)
{
    const char *wrong = bytes_wrong(text, allowed);
    uint64_t bytes = bytes_parse(text);

    return wrong ? wrong : bytes & (bytes - 1) ? "not a power of two" : NULL;
}

static const char *word_wrong(const char *text, const char *allowed)
{
    return list_has(allowed, text) ? NULL : "unknown";
}

static const char *words_wrong(const char *list, const char *allowed)
{
    static char wrong[96];
    const bool is_one = !strchr(list, ',');
    char word[64];

    if (!*list || *list == ',')
        return "a word is missing";
    while (list_next(&list, word, sizeof word))
        if (!list_has(allowed, word)) {
            snprintf(wrong, sizeof wrong, "%s%sunknown", is_one ? "" : word,
                     is_one ? "" : " is ");
            return wrong;
        }
    return *list ? "a word is missing" : NULL;
}

static const char *triple_wrong(const char *text, const char *allowed)
{
    char word[16];

    for (int n = 0; n < 3; n++) {
        size_t bytes = strcspn(text, "x");
        const char *wrong;

        snprintf(word, sizeof word, "%.*s", (int)bytes, text);
        wrong = number_wrong(word, allowed);
        if (wrong || (text[bytes] == 'x') != (n < 2))
            return wrong ? wrong : "not three numbers";
        text += bytes + 1;
    }
    return NULL;
}

static const char *pairs_wrong(const char *list, const char *allowed)
{
    char word[64];

    (void)allowed;
    if (*list == ',')
        return "not ROWSxCOLS";
    while (list_next(&list, word, sizeof word)) {
        char *cols = strchr(word, 'x');

        if (cols)
            *cols++ = '\0';
        if (!cols || number_wrong(word, "1-4294967295") ||
            number_wrong(cols, "1-4294967295"))
            return "not ROWSxCOLS";
    }
    return *list ? "not ROWSxCOLS" : NULL;
}

static const char *part_wrong(const char *text, const char *allowed)
{
    size_t index, count;
    int end = 0;

    (void)allowed;
    if (sscanf(text, "%zu/%zu%n", &index, &count, &end) != 2 || text[end] ||
        !strchr("0123456789", *text))
        return "not a part";
    return index < count ? NULL : "no such part";
}

/* For a folder that may be made. */
static const char *place_wrong(const char *path, const char *allowed)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    (void)allowed;
    if (access(path, F_OK) == 0)
        return access(path, W_OK) == 0 ? NULL : "can't be written";
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
    return access(folder, W_OK | X_OK) == 0 ? NULL : "can't be made there";
}

static const char *file_wrong(const char *path, const char *allowed)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? "is a folder"
                                                           : place_wrong(path, allowed);
}

static const char *folder_wrong(const char *path, const char *allowed)
{
    (void)allowed;
    return access(path, R_OK | X_OK) == 0 ? NULL : "no such folder";
}

/* The meaning of the first letter of "allowed"; a digit is a whole number's. In `say`, %s
 * is what follows the letter; the number of numbers comes before. */
static const struct kind {
    char mark;
    const char *(*wrong)(const char *text, const char *allowed);
    const char *say;
} kinds[] = {
    {'\0', number_wrong, "a whole number from %s"},
    {'.', fraction_wrong, "a number from %s"},
    {'#', numbers_wrong, "up to %s numbers from %s, as 2-8,20"},
    {'@', bytes_wrong, "a number of bytes from %s, as 64M or 4K"},
    {'^', power_wrong, "a power of two from %s, as 64M"},
    {'=', word_wrong, "%s"},
    {'*', words_wrong, "one or more of %s"},
    {'x', triple_wrong, "three numbers from %s, as 128x128x128"},
    {',', pairs_wrong, "ROWSxCOLS, as 7200x1800,5x1000000"},
    {'/', part_wrong, "I/N with I below N, as 0/4 to 3/4"},
    {'w', file_wrong, "a file that can be written"},
    {'o', place_wrong, "a folder that is there or can be made"},
    {'d', folder_wrong, "a folder that is there"},
    {'s', NULL, "a part of a device's name"},
};

/* The text behind the mark. Words that the option does not list are those of its default.
 */
static const char *allowed_of(const struct bench_option *option, const struct kind *kind)
{
    const char *text = option->allowed + (kind->mark != '\0');

    return kind->mark == '*' && !*text ? option->fallback : text;
}

static const struct kind *kind_of(const struct bench_option *option)
{
    for (size_t k = 1; k < COUNT(kinds); k++)
        if (kinds[k].mark == *option->allowed)
            return &kinds[k];
    return &kinds[0];
}

/* "1-64" as "1 to 64", and "a,b,c" as "a, b, c". */
static void allowed_print(const struct bench_option *option, char *text, size_t room)
{
    const struct kind *kind = kind_of(option);
    const char *at = allowed_of(option, kind);
    const bool is_words = kind->mark == '=' || kind->mark == '*';
    char list[TEXT_BYTES];
    size_t used = 0;

    for (; *at && *at != '/' && used + 8 < sizeof list; at++) {
        const char *put = is_words || *at != '-' ? NULL : " to ";

        if (*at == ',')
            put = at[1] ? ", " : "";
        used += (size_t)snprintf(list + used, sizeof list - used, put ? "%s" : "%.1s",
                                 put ? put : at);
    }
    list[used] = '\0';
    if (kind->mark == '#')
        snprintf(text, room, kind->say, at + 1, list);
    else
        snprintf(text, room, kind->say, list);
}

static const char *value_wrong(const struct bench_option *option, const char *text)
{
    const struct kind *kind = kind_of(option);

    if (!*option->allowed || !kind->wrong || strcmp(text, option->fallback) == 0)
        return NULL;
    return kind->wrong(text, allowed_of(option, kind));
}

int bench_option_complain(const char *command, const char *name, const char *text,
                          const char *wrong, const char *allowed)
{
    fprintf(stderr, "dl-bench %s: --%s%s%s: %s; allowed: %s (see dl-bench %s --help)\n",
            command, name, text ? "=" : "", text ? text : "", wrong, allowed, command);
    return 2;
}

/* False after lines that say which names there are: none has `part` in it. */
static bool device_is_known(const char *command, const char *part)
{
    cl_device_id found = NULL;

    if (device_find(part, &found, NULL) || !found) /* without a device, that is said */
        return true;
    bench_option_complain(command, "device", part, "no such device",
                          "a part of one of these names");
    device_find(part, &found, stderr);
    return false;
}

/* ---- tables, which name the line ---- */

/* The line that was read last. */
static struct {
    int argc;
    char **argv;
} line_read;

void command_print(FILE *csv)
{
    time_t now = time(NULL);
    char date[32];

    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(csv, "%s, dl-bench", date);
    for (int a = 1; a < line_read.argc; a++) {
        const char *word = line_read.argv[a];

        if (strcmp(word, "--csv") == 0)
            a++;
        else if (strncmp(word, "--csv=", 6) != 0)
            fprintf(csv, " %s", *word ? word : "''");
    }
    fputc('\n', csv);
}

static bool csv_file_open(FILE **csv, const char *path, const char *mode)
{
    *csv = fopen(path, mode);
    if (!*csv) {
        perror(path);
        return false;
    }
    setvbuf(*csv, NULL, _IOLBF, 0);
    return true;
}

bool csv_open(FILE **csv, const char *path, const char *columns, const char *format, ...)
{
    va_list args;

    if (!*path)
        return true;
    if (!csv_file_open(csv, path, "w"))
        return false;
    fputs("# ", *csv);
    va_start(args, format);
    vfprintf(*csv, format, args);
    va_end(args);
    fputs("\n# ", *csv);
    command_print(*csv);
    fprintf(*csv, "%s\n", columns);
    return true;
}

bool csv_resume(FILE **csv, const char *path)
{
    if (!csv_file_open(csv, path, "a"))
        return false;
    fputs("# ", *csv);
    command_print(*csv);
    return true;
}

/* ---- the line ---- */

/* Prints words in lines of HELP_COLUMNS, the first of which already has `column` of them.
 */
static void wrapped_print(const char *text, size_t column)
{
    bool first = true;

    while (*text) {
        size_t bytes = strcspn(text, " ");

        if (!first && column + 1 + bytes > HELP_COLUMNS) {
            printf("\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
            first = true;
        }
        printf("%s%.*s", first ? "" : " ", (int)bytes, text);
        column += bytes + !first;
        first = false;
        text += bytes + strspn(text + bytes, " ");
    }
    putchar('\n');
}

void bench_word_print(const char *word, const char *help)
{
    int column = printf("  %-22s  ", word);

    wrapped_print(help, column > HELP_INDENT ? (size_t)column : HELP_INDENT);
}

static void help_print(const struct bench_command *command)
{
    fputs(command->usage, stdout);
    putchar('\n');
    for (size_t o = 0; o < command->option_count; o++) {
        const struct bench_option *option = &command->options[o];
        char left[64], right[TEXT_BYTES];

        snprintf(left, sizeof left, "--%-10s %-9s", option->name, option->value);
        snprintf(right, sizeof right, "%s%s%s%s", option->help,
                 *option->fallback ? " [" : "", option->fallback,
                 *option->fallback ? "]" : "");
        bench_word_print(left, right);
    }
}

/* The option of a name that may be cut short; NULL after a line. */
static const struct bench_option *option_find(const struct bench_command *command,
                                              const char *line_name, const char *name)
{
    const struct bench_option *found = NULL;
    char all[TEXT_BYTES] = "", like[TEXT_BYTES] = "";
    size_t count = 0;

    for (size_t o = 0; o < command->option_count; o++) {
        const struct bench_option *option = &command->options[o];
        char *list = strncmp(option->name, name, strlen(name)) == 0 ? like : all;
        size_t used = strlen(list);

        if (strcmp(option->name, name) == 0)
            return option;
        snprintf(list + used, TEXT_BYTES - used, "%s--%s", used ? ", " : "",
                 option->name);
        if (list == like) {
            found = option;
            count++;
        }
    }
    if (count == 1)
        return found;
    bench_option_complain(line_name, name, NULL,
                          count ? "several options begin so" : "unknown option",
                          count ? like : all);
    return NULL;
}

/* Reads argv[*a], and the word behind it where that is its value. */
static int option_read(const struct bench_command *command, int argc, char **argv, int *a,
                       const char **texts)
{
    const char *value = strchr(argv[*a], '=');
    const struct bench_option *option;
    char name[64], allowed[TEXT_BYTES];

    if (strncmp(argv[*a], "--", 2) != 0) {
        fprintf(stderr,
                "dl-bench %s: %s: not an option; allowed: options (see dl-bench %s "
                "--help)\n",
                argv[1], argv[*a], argv[1]);
        return 2;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[*a] + 2, "="), argv[*a] + 2);
    option = option_find(command, argv[1], name);
    if (!option)
        return 2;
    if (!*option->value) {
        if (value)
            return bench_option_complain(argv[1], option->name, value + 1,
                                         "a value too many", "no value");
        texts[option - command->options] = "yes";
        return BENCH_GO_ON;
    }
    if (!value && *a + 1 >= argc) {
        snprintf(allowed, sizeof allowed, "%s", option->value);
        if (*option->allowed)
            allowed_print(option, allowed, sizeof allowed);
        return bench_option_complain(argv[1], option->name, NULL, "a value is missing",
                                     allowed);
    }
    value = value ? value + 1 : argv[++*a];
    texts[option - command->options] = value;
    if (strcmp(value, "help") == 0 && command->words_print &&
        command->words_print(option->name))
        return 0;
    if (value_wrong(option, value)) {
        allowed_print(option, allowed, sizeof allowed);
        return bench_option_complain(argv[1], option->name, value,
                                     value_wrong(option, value), allowed);
    }
    return *option->allowed != 's' || device_is_known(argv[1], value) ? BENCH_GO_ON : 2;
}

int bench_options_read(const struct bench_command *command, int argc, char **argv,
                       void *values)
{
    const char **texts = values;
    int code = BENCH_GO_ON;

    for (size_t o = 0; o < command->option_count; o++)
        texts[o] = command->options[o].fallback;
    line_read.argc = argc;
    line_read.argv = argv;
    for (int a = 2; a < argc && code == BENCH_GO_ON; a++)
        if (strcmp(argv[a], "--help") == 0 || strcmp(argv[a], "-h") == 0) {
            help_print(command);
            return 0;
        } else {
            code = option_read(command, argc, argv, &a, texts);
        }
    return code;
}
