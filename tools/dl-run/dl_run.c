/* SPDX-License-Identifier: MIT */
/* dl-run: starts a program with DL in it, by setting its environment and becoming it. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "options/options.h"

struct run_command {
    /* NULL: not given, so that the environment stays */
    struct dl_option_value values[DL_OPTION_COUNT];
    char **program; /* borrowed from argv: the program and its arguments */
    /* The program's name may have been meant for this option, which takes a value only
     * after
     * '='; DL_OPTION_COUNT: there is no such option before it */
    enum dl_option before_program;
};

static inline bool run_command_has(const struct run_command *command,
                                   enum dl_option option)
{
    return command->values[option].text != NULL;
}

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

/* The option that a misspelt flag was meant for; DL_OPTION_COUNT: none is like it. */
static enum dl_option option_nearest(const char *flag, size_t flag_bytes)
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

/* Always DL_OPTION_COUNT, after a line that says what may have been meant. */
static enum dl_option complain_of_option(const char *word, size_t flag_bytes,
                                         const enum dl_option alike[2])
{
    const char *flag = word + strspn(word, "-"); /* also of "-layout" */
    enum dl_option near = option_nearest(flag, strcspn(flag, "="));
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

/* Reads argv. File names become absolute, since the program may change its directory.
 *   out     filled also on failure; the caller frees it with run_command_free
 *   returns false after one line on standard error that says what is wrong */
static bool run_command_parse(int argc, char **argv, struct run_command *out)
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

static void run_command_free(struct run_command *command)
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

/* The text of --help. */
static void run_help_print(FILE *to)
{
    char usage[DL_OPTION_TEXT_BYTES];
    fputs(
        "usage: dl-run [OPTION]... [--] PROGRAM [ARGUMENT]...\n\n"
        "Runs an OpenCL program with its buffers of structs in another data layout. The\n"
        "exit code is the program's, or 2: a bad option, 125: DL itself is not found,\n"
        "126: PROGRAM can't be run, 127: PROGRAM is not found.\n\n"
        "A value is the next word, or follows '='. A value in brackets is optional, and\n"
        "can only follow '='.\n\n",
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

enum { EXIT_USAGE = 2, EXIT_BROKEN = 125, EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127 };
#define LIBRARY "libdl_intercept.so"
/* The build tree's, or a folder of DL's own among an installation's libraries. */
static const char *const libraries[] = {"../lib/" LIBRARY, "../lib/dl/" LIBRARY,
                                        "../" DL_RUN_LIBDIR "/dl/" LIBRARY};

/* Looks for the library beside the folder of this program, also where there is no /proc.
 * The caller frees the path; NULL: it is not there. */
static char *find_library(void)
{
    const char *started_as = (const char *)getauxval(AT_EXECFN);
    char self[PATH_MAX], *candidate, *path = NULL;
    ssize_t bytes = readlink("/proc/self/exe", self, PATH_MAX - 1);

    self[bytes > 0 ? bytes : 0] = '\0';
    if (bytes <= 0 && !(started_as && realpath(started_as, self)))
        return NULL;
    *strrchr(self, '/') = '\0'; /* an absolute path always has one */
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !path; i++) {
        if (asprintf(&candidate, "%s/%s", self, libraries[i]) < 0)
            return NULL;
        path = realpath(candidate, NULL);
        free(candidate);
    }
    return path;
}

static bool list_has(const char *list, const char *separators, const char *entry)
{
    size_t entry_bytes = strlen(entry);
    while (*list) {
        size_t bytes = strcspn(list, separators);
        if (bytes == entry_bytes && memcmp(list, entry, bytes) == 0)
            return true;
        list += bytes;
        list += strspn(list, separators);
    }
    return false;
}

/* Appends an entry to a list in the environment, once. The user's own entries stay in
 * front: a sanitizer's runtime, for one, must be first. */
static bool append_to_list(const char *variable, const char *separators,
                           const char *entry)
{
    const char *old = getenv(variable);
    char *list = NULL;
    bool set;
    if (!old || !*old)
        return setenv(variable, entry, 1) == 0;
    if (list_has(old, separators, entry))
        return true; /* dl-run inside dl-run */
    if (asprintf(&list, "%s:%s", old, entry) < 0)
        return false;
    set = setenv(variable, list, 1) == 0;
    free(list);
    return set;
}

static bool is_quiet(void)
{
    char wrong[DL_OPTION_TEXT_BYTES];
    struct dl_option_value value;
    bool quiet = dl_option_read(DL_OPTION_log, &value, wrong) == DL_OK &&
                 (dl_option_is(&value, "quiet") || dl_option_is(&value, "error"));
    dl_option_value_free(&value);
    return quiet;
}

/* The dynamic linker splits LD_PRELOAD at blanks, too, and knows no quoting. */
static bool goes_by_layer(const struct run_command *command, const char *library)
{
    return run_command_has(command, DL_OPTION_layer) ||
           (library && strpbrk(library, " \t"));
}

/* Sets what the command line asks for, or where neither that nor the environment does,
 * dl-run's own default. */
static bool set_option(const struct run_command *command, enum dl_option option)
{
    const struct dl_option_row *row = dl_option_row(option);
    const char *text = command->values[option].text, *there;

    if (!row->environment)
        return true;
    there = getenv(row->environment);
    if (!text && (!there || !*there))
        text = row->run_initial;
    return !text || setenv(row->environment, text, 1) == 0;
}

/* Makes the name for LD_PRELOAD: a path by which each child's dynamic linker gets what it
 * can load (libdl_intercept/preload.cmake); where there is no such folder, the library.
 * The caller frees it. */
static char *find_preload(const char *library)
{
    const int folder_bytes = (int)(strrchr(library, '/') - library);
    char *path = NULL;
    bool there;

    if (asprintf(&path, "%.*s/preload/lib64/%s", folder_bytes, library, LIBRARY) < 0)
        return NULL;
    there = access(path, R_OK) == 0;
    free(path);
    if (!there)
        return strdup(library);
    return asprintf(&path, "%.*s/preload/$LIB/%s", folder_bytes, library, LIBRARY) < 0
               ? NULL
               : path;
}

static int set_environment(const struct run_command *command, const char *library)
{
    int exit_code = EXIT_BROKEN;
    const bool layer = goes_by_layer(command, library);
    const char *separators = layer ? ":" : ": \t";
    const char *variable = layer ? "OPENCL_LAYERS" : "LD_PRELOAD";
    char *entry = NULL;
    if (!library) {
        fprintf(
            stderr,
            "dl-run: %s is not in the folder `lib` beside dl-run's own: build or install "
            "DL again\n",
            LIBRARY);
        goto out;
    }
    if (strchr(library, ':')) {
        fprintf(stderr,
                "dl-run: %s can't be named in %s: its path holds a separator; install DL "
                "in a folder without a colon\n",
                library, variable);
        goto out;
    }
    for (int i = 0; i < DL_OPTION_COUNT; i++)
        if (!set_option(command, (enum dl_option)i))
            goto out_of_memory;
    entry = layer ? strdup(library) : find_preload(library);
    if (entry && append_to_list(variable, separators, entry)) {
        if (layer && !run_command_has(command, DL_OPTION_layer) && !is_quiet())
            fprintf(stderr,
                    "dl-run: warning: LD_PRELOAD can't name %s, whose path has a blank: "
                    "using OPENCL_LAYERS as with --layer\n",
                    library);
        exit_code = 0;
        goto out;
    }
out_of_memory:
    fputs("dl-run: out of memory\n", stderr);
out:
    free(entry);
    return exit_code;
}

/* Nothing else would say why nothing happens. */
static void warn_of_obstacle(const struct run_command *command, const char *library)
{
    const char *obstacle = NULL;
    struct program program;
    if (program_look(command->program[0], &program))
        obstacle = program_obstacle(&program, goes_by_layer(command, library));
    if (obstacle && !is_quiet())
        fprintf(stderr, "dl-run: warning: %s %s\n", program.path, obstacle);
}

/* Sets variables of the program's that are not DL's options. pyopencl may have kept
 * binaries that were built without DL, which have no text to read. They stay as they are,
 * for runs without DL: this has it build from source, as it does by itself for drivers
 * with a cache of their own. By its id the process can tell itself from those that it
 * starts (libdl_intercept/reports/facts.c). */
static void prepare_program(bool is_examined)
{
    char process[24];

    snprintf(process, sizeof process, "%ld", (long)getpid());
    setenv("PYOPENCL_NO_CACHE", "1", 0);
    if (!is_examined)
        setenv("DL_RUN_PROCESS", process, 1);
}

static int examine(const struct run_command *command, const char *library)
{
    const struct doctor doctor = {.library = library,
                                  .version = "dl-run " DL_RUN_VERSION,
                                  .layer = goes_by_layer(command, library),
                                  .program = command->program,
                                  .bundle = run_command_has(command, DL_OPTION_bundle),
                                  .logs = run_command_has(command, DL_OPTION_log)};
    prepare_program(true);
    return doctor_examine(&doctor);
}

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? dot : "";
}

/* Whether it was not started since it is a file that can be read and not executed. */
static bool is_script(const char *path, int error)
{
    struct stat file;

    return (error == EACCES || (error == ENOENT && !strchr(path, '/'))) &&
           stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, R_OK) == 0 &&
           access(path, X_OK) != 0;
}

/* Returns only when the program can't be run: with the exit code, after a line that says
 * why. */
static int become_program(const struct run_command *command)
{
    execvp(command->program[0], command->program);
    int error = errno;
    fprintf(stderr, "dl-run: %s: %s", command->program[0], strerror(error));
    if (error == ENOENT && !strchr(command->program[0], '/') &&
        access(command->program[0], X_OK) == 0) {
        fprintf(stderr, " in PATH; did you mean ./%s?", command->program[0]);
    } else if (error == ENOENT && command->before_program != DL_OPTION_COUNT &&
               strcmp(ending_of(command->program[0]), ".py") != 0) {
        const char *flag = dl_option_row(command->before_program)->flag;
        fprintf(stderr, " (a value of --%s comes after '=': --%s=%s)", flag, flag,
                command->program[0]);
    } else if (is_script(command->program[0], error) &&
               strcmp(ending_of(command->program[0]), ".cl") == 0) {
        fprintf(stderr,
                "; dl-run takes the program that builds this text: dl-annotate "
                "--detect --explain %s looks at the text alone",
                command->program[0]);
    } else if (is_script(command->program[0], error)) {
        fprintf(stderr,
                "%s; the file can't be executed: start what runs it, as `dl-run -- %s "
                "%s` does",
                error == ENOENT ? " in PATH" : "",
                strcmp(ending_of(command->program[0]), ".py") == 0 ? "python3" : "bash",
                command->program[0]);
    }
    fputc('\n', stderr);
    return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}

/* ---- the glossary, docs/glossary.md: documents are left out of many installations ----
 */

enum { INDENT = 4, LINE_COLUMNS = 79 };

extern const char run_glossary_text[];

/* Skips what only marks a text up: `*` and backquotes, and of a link `[text](address)`
 * all but the text. Between backquotes, which `quoted` follows, all is text. */
static const char *skip_marks(const char *at, bool *quoted)
{
    for (; *at; at++) {
        if (*at == '`')
            *quoted = !*quoted;
        else if (*quoted)
            break;
        else if (at[0] == ']' && at[1] == '(')
            at += strcspn(at, ")");
        else if (!strchr("*[", *at))
            break;
    }
    return at;
}

/* Prints one cell, its end excluded, with lines that begin at `indent`. */
static void print_cell(const char *at, const char *end, int indent, FILE *to)
{
    bool quoted = false;
    int column = 0;

    while ((at = skip_marks(at, &quoted)) < end) {
        char word[LINE_COLUMNS];
        int bytes = 0;

        for (; at < end && *at != ' ' && bytes < LINE_COLUMNS - 1;
             at = skip_marks(at + 1, &quoted))
            word[bytes++] = *at;
        while (at < end && *at == ' ')
            at++;
        if (column && column + 1 + bytes > LINE_COLUMNS) {
            fputc('\n', to);
            column = 0;
        }
        column += fprintf(to, "%*s%.*s", column ? 1 : indent, "", bytes, word);
    }
    fputc('\n', to);
}

/* Returns the place of the next ` | ` or ` |` of a row, in which `\|` and those in
 * backquotes are text. */
static const char *cell_end(const char *at)
{
    bool quoted = false;

    for (; *at && *at != '\n'; at++) {
        if (*at == '`')
            quoted = !quoted;
        if (!quoted && at[0] == ' ' && at[1] == '|')
            break;
    }
    return at;
}

/* Prints the rows of the glossary's table as text, a word and below it what it means. */
static void words_print(FILE *to)
{
    const char *line = strstr(run_glossary_text, "\n|---|---|\n");

    for (line = line ? line + strlen("\n|---|---|\n") : ""; *line == '|';) {
        const char *word = line + strlen("| "), *word_end = cell_end(word);
        const char *meaning = word_end + strlen(" | "), *end = cell_end(meaning);

        print_cell(word, word_end, 0, to);
        print_cell(meaning, end, INDENT, to);
        line = strchr(end, '\n');
        line = line ? line + 1 : "";
    }
}

int main(int argc, char **argv)
{
    int exit_code = EXIT_USAGE;
    struct run_command command;
    char *library = NULL;
    bool help, words;
    if (!run_command_parse(argc, argv, &command))
        goto out;
    help = run_command_has(&command, DL_OPTION_help);
    words = run_command_has(&command, DL_OPTION_words);
    if (help || words || run_command_has(&command, DL_OPTION_version)) {
        if (help)
            run_help_print(stdout);
        else if (words)
            words_print(stdout);
        else
            puts("dl-run " DL_RUN_VERSION);
        exit_code = fflush(stdout) == 0 ? 0 : EXIT_BROKEN;
        goto out;
    }
    library = find_library();
    exit_code = set_environment(&command, library);
    if (exit_code == 0 && (run_command_has(&command, DL_OPTION_doctor) ||
                           run_command_has(&command, DL_OPTION_bundle))) {
        exit_code = examine(&command, library);
    } else if (exit_code == 0) {
        warn_of_obstacle(&command, library);
        prepare_program(false);
        exit_code = become_program(&command);
    }
out:
    free(library);
    run_command_free(&command);
    return exit_code;
}
