/* Parses and checks dl-run's command line against the option table. */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TILE_STRUCTS_MAX = 1 << 20 }; /* as libdl_intercept */

struct option {
    const char *flag, *environment, *value, *initial, *help;
};

static const struct option options[RUN_OPTION_COUNT] = {
#define X(identifier, flag, environment, value, initial, help)                           \
    {flag, environment, value, initial, help},
    DL_OPTION_MAP(X)
#undef X
};

const char *run_option_environment(enum run_option option)
{
    return options[option].environment;
}

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

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

static bool is_word_list(const char *value)
{
    return strchr(value, '|') &&
           strspn(value, "abcdefghijklmnopqrstuvwxyz|") == strlen(value);
}

static bool word_list_has(const char *list, const char *word)
{
    size_t word_bytes = strlen(word);
    const char *at = list;
    while (word_bytes) {
        size_t bytes = strcspn(at, "|");
        if (bytes == word_bytes && memcmp(at, word, bytes) == 0)
            return true;
        if (!at[bytes])
            break;
        at += bytes + 1;
    }
    return false;
}

/* A positive decimal number that fits 64 bits, then `*end`. */
static bool parse_number(const char *text, unsigned long long *out, const char **end)
{
    char *stop;
    if (*text < '0' || *text > '9')
        return false; /* strtoull would take a sign or blanks */
    errno = 0;
    *out = strtoull(text, &stop, 10);
    *end = stop;
    return errno == 0 && *out > 0;
}

static bool check_tile(const char *text)
{
    unsigned long long tile_structs;
    const char *end;
    if (strcmp(text, "auto") == 0)
        return true;
    if (!parse_number(text, &tile_structs, &end) || *end ||
        tile_structs > TILE_STRUCTS_MAX)
        return complain("--tile %s: not a number of structs from 1 to %d", text,
                        TILE_STRUCTS_MAX);
    return true;
}

static bool check_verify(const char *text)
{
    unsigned long long every;
    const char *end;
    if (!parse_number(text, &every, &end) || *end || every > 4294967295u)
        return complain("--verify=%s: not a number of launches", text);
    return true;
}

/* A number of bytes, with k, M or G behind it or without. */
static bool is_byte_count(const char *text)
{
    unsigned long long number;
    const char *end;
    if (strcmp(text, "0") == 0)
        return true;
    return parse_number(text, &number, &end) && strlen(end) <= 1 &&
           strchr("kKmMgG", *end);
}

static bool check_memory_cap(const char *text)
{
    unsigned long long number;
    const char *end;
    if (is_byte_count(text))
        return true;
    if (!parse_number(text, &number, &end))
        end = "?";
    if (strcmp(end, "%") == 0 && number > 100)
        return complain("--memory-cap %s: more than the whole device", text);
    if (strcmp(end, "%") != 0)
        return complain("--memory-cap %s: neither a number of bytes nor a percentage",
                        text);
    return true;
}

/* The absolute name of a file that must be readable now. */
static char *absolute_input(const char *flag, const char *name)
{
    struct stat file;
    char *path = realpath(name, NULL);
    bool usable = path && access(path, R_OK) == 0 && stat(path, &file) == 0;
    if (usable && S_ISDIR(file.st_mode)) {
        errno = EISDIR;
        usable = false;
    }
    if (!usable) {
        complain("--%s %s: %s", flag, name, strerror(errno));
        free(path);
        return NULL;
    }
    return path;
}

/* The absolute name of a file to be written when the program ends. */
static char *absolute_output(const char *flag, const char *name)
{
    char *path = NULL, *folder = NULL;
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    char *given = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
    if (!*base) {
        complain("--%s=%s: not a file name", flag, name);
        goto out;
    }
    folder = given ? realpath(given, NULL) : NULL;
    if (!folder || access(folder, W_OK) != 0) {
        complain("--%s=%s: can't write there: %s", flag, name, strerror(errno));
        goto out;
    }
    if (asprintf(&path, "%s/%s", strcmp(folder, "/") ? folder : "", base) < 0)
        path = NULL;
out:
    free(folder);
    free(given);
    return path;
}

/* The absolute name of a folder that need not be there. */
static char *absolute_folder(const char *flag, const char *name)
{
    char here[PATH_MAX], *path = NULL;
    if (*name == '/')
        return strdup(name);
    if (!getcwd(here, sizeof here) || asprintf(&path, "%s/%s", here, name) < 0) {
        complain("--%s %s: %s", flag, name, strerror(errno));
        return NULL;
    }
    return path;
}

/* The value to put into the environment, or NULL after a complaint. */
static char *option_value(enum run_option option, const char *text)
{
    const struct option *known = &options[option];
    bool good = true;
    switch (option) {
    case RUN_OPTION_annotations:
        return absolute_input(known->flag, text);
    case RUN_OPTION_libclang:
        /* A bare name is left to the dynamic linker's search. */
        if (strchr(text, '/'))
            return absolute_input(known->flag, text);
        break;
    case RUN_OPTION_stats:
        if (strcmp(text, DL_STATS_TABLE) != 0)
            return absolute_output(known->flag, text);
        break;
    case RUN_OPTION_cache:
        if (strcmp(text, "off") != 0)
            return absolute_folder(known->flag, text);
        break;
    case RUN_OPTION_tile:
        good = check_tile(text);
        break;
    case RUN_OPTION_memory_cap:
        good = check_memory_cap(text);
        break;
    case RUN_OPTION_verify:
        good = check_verify(text);
        break;
    case RUN_OPTION_staging:
        good =
            is_byte_count(text) || complain("--staging %s: not a number of bytes", text);
        break;
    default:
        if (is_word_list(known->value) && !word_list_has(known->value, text))
            good = complain("--%s %s: not one of %s", known->flag, text, known->value);
        break;
    }
    return good ? strdup(text) : NULL;
}

/* What an option means that is given without a value; NULL: it needs one. */
static const char *value_left_out(int option)
{
    switch (option) {
    case RUN_OPTION_stats:
        return DL_STATS_TABLE;
    case RUN_OPTION_verify:
        return "1"; /* every launch */
    default:
        return NULL;
    }
}

static bool parse_flag(struct run_command *command, const char *name, int *at, int argc,
                       char **argv)
{
    size_t name_bytes = strcspn(name, "=");
    const char *text = name[name_bytes] ? name + name_bytes + 1 : NULL;
    int option = 0;
    while (option < RUN_OPTION_COUNT && (strlen(options[option].flag) != name_bytes ||
                                         memcmp(options[option].flag, name, name_bytes)))
        option++;
    if (option == RUN_OPTION_COUNT)
        return complain("unknown option --%.*s", (int)name_bytes, name);
    if (!text)
        text = value_left_out(option);
    if (!text && *at + 1 < argc)
        text = argv[++*at];
    if (!text || !*text || strcmp(text, "--") == 0)
        return complain("--%s needs a value: %s", options[option].flag,
                        options[option].value);

    char *value = option_value((enum run_option)option, text);
    if (!value)
        return false;
    free(command->values[option]);
    command->values[option] = value;
    return true;
}

bool run_command_parse(int argc, char **argv, struct run_command *out)
{
    int at = 1;
    memset(out, 0, sizeof *out);
    for (; at < argc && argv[at][0] == '-'; at++) {
        const char *word = argv[at];
        if (strcmp(word, "--") == 0) {
            at++;
            break;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            out->help = true;
        else if (strcmp(word, "--version") == 0)
            out->version = true;
        else if (strcmp(word, "--layer") == 0)
            out->layer = true;
        else if (strncmp(word, "--", 2) != 0)
            return complain("unknown option %s", word);
        else if (!parse_flag(out, word + 2, &at, argc, argv))
            return false;
    }
    if (at < argc)
        out->program = argv + at;
    else if (!out->help && !out->version)
        return complain("no program given");
    return true;
}

void run_command_free(struct run_command *command)
{
    for (int i = 0; i < RUN_OPTION_COUNT; i++)
        free(command->values[i]);
    memset(command, 0, sizeof *command);
}

void run_options_print(FILE *to)
{
    fputs(
        "usage: dl-run [OPTION]... [--] PROGRAM [ARGUMENT]...\n\n"
        "Runs an OpenCL program with its annotated buffers on another data layout. The\n"
        "program's exit code is its own; 2: a bad option, 125: DL itself is not found,\n"
        "126: PROGRAM can't be run, 127: PROGRAM is not found.\n\n",
        to);
    for (int i = 0; i < RUN_OPTION_COUNT; i++) {
        const struct option *known = &options[i];
        bool optional = value_left_out(i) != NULL;
        fprintf(to, "  --%s%s%s%s\n        %s", known->flag, optional ? "[=" : " ",
                known->value, optional ? "]" : "", known->help);
        fprintf(to, " (%s%s%s)\n", known->environment,
                *known->initial ? ", default " : "", known->initial);
    }
    fputs("  --layer\n        go through OPENCL_LAYERS instead of LD_PRELOAD\n"
          "  --help\n        this text\n"
          "  --version\n        DL's version\n",
          to);
}
