/* SPDX-License-Identifier: MIT */
/* The environment as it was at first, the table of options, their values, and texts about
 * both. */
#include "options/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the environment, and file names of a process ---- */

/* Variables that DL asks for besides its own; behind the first two those in which
 * launchers say a process's rank, MPI's first, since a batch system may start one process
 * that starts them all. */
static const char *const names[] = {
    "HOME",        "XDG_CACHE_HOME", "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",   "PMI_RANK",       "MV2_COMM_WORLD_RANK",
    "PALS_RANKID", "SLURM_PROCID",   NULL};
static const char *const *const rank_variables = names + 2;

/* Only digits, since it becomes part of a path. */
const char *dl_environment_rank(void)
{
    for (size_t i = 0; rank_variables[i]; i++) {
        const char *value = dl_environment_get(rank_variables[i]);

        if (value && *value && strspn(value, "0123456789") == strlen(value))
            return value;
    }
    return NULL;
}

/* Replaces %p by the process's number, %r by its rank in the job (0 if no launcher says
 * one) and %% by %. The caller frees the result; NULL: out of memory. */
static char *process_name(const char *name)
{
    const char *rank = dl_environment_rank();
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (const char *at = name; *at; at++) {
        char next = *at == '%' ? at[1] : '\0';

        if (next == 'p')
            fprintf(out, "%ld", (long)getpid());
        else if (next == 'r')
            fputs(rank ? rank : "0", out);
        else
            fputc(*at, out);
        at += next == 'p' || next == 'r' || next == '%';
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static const char *const none[] = {NULL};
static const char *const *kept;
static char *path_then; /* NULL: there was none */

/* Whether "NAME=value" is of a variable that DL reads. */
static bool is_asked_for(const char *entry)
{
    size_t bytes = strcspn(entry, "=");

    for (size_t i = 0; names[i]; i++)
        if (strlen(names[i]) == bytes && memcmp(names[i], entry, bytes) == 0)
            return true;
    return strncmp(entry, "DL_", 3) == 0;
}

static const char *path_now(void)
{
    for (char **at = environ; at && *at; at++)
        if (strncmp(*at, "PATH=", 5) == 0)
            return *at + 5;
    return NULL;
}

static bool has_program(const char *path, const char *name)
{
    bool found = false;

    for (size_t bytes; *path && !found; path += bytes + (path[bytes] == ':')) {
        char *file = NULL;

        bytes = strcspn(path, ":");
        found = asprintf(&file, "%.*s/%s", (int)bytes, path, name) > 0 &&
                access(file, X_OK) == 0;
        free(file);
    }
    return found;
}

bool dl_environment_lost_program(const char *name)
{
    static _Atomic uint64_t judged; /* a hash of the last PATH that was looked through,
                                       its last bit whether it lacks it */
    const char *path = path_now();
    uint64_t hash = 14695981039346656037u;

    if (!path_then || !path)
        return path_then;
    if (strcmp(path, path_then) == 0)
        return false;
    for (const char *at = path; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    if ((atomic_load(&judged) ^ hash) >> 1)
        atomic_store(&judged, (hash & ~1ull) | (!has_program(path, name) &&
                                                has_program(path_then, name)));
    return atomic_load(&judged) & 1;
}

/* One block: the list, then the strings. Without memory, dl_environment_get reads the
 * current environment. */
void dl_environment_keep(void)
{
    size_t count = 0, bytes = 0;
    const char **list;
    char *text;

    path_then = path_now() ? strdup(path_now()) : NULL;
    kept = none;
    if (getauxval(AT_SECURE) || !environ)
        return;
    for (char **at = environ; *at; at++) {
        if (is_asked_for(*at)) {
            count++;
            bytes += strlen(*at) + 1;
        }
    }
    list = malloc((count + 1) * sizeof *list + bytes);
    if (!list) {
        kept = NULL;
        return;
    }
    text = (char *)(list + count + 1);
    count = 0;
    for (char **at = environ; *at; at++) {
        if (is_asked_for(*at)) {
            list[count++] = text;
            text = stpcpy(text, *at) + 1;
        }
    }
    list[count] = NULL;
    kept = list;
}

const char *dl_environment_get(const char *name)
{
    size_t bytes = strlen(name);

    if (!kept)
        return secure_getenv(name);
    for (const char *const *at = kept; *at; at++)
        if (strncmp(*at, name, bytes) == 0 && (*at)[bytes] == '=')
            return *at + bytes + 1;
    return NULL;
}

const char *const *dl_environment_kept(void)
{
    return kept ? kept : none;
}

/* ---- the table ---- */

static const struct dl_option_row options[DL_OPTION_COUNT] = {
#define DL_OPTION(identifier, ...) [DL_OPTION_##identifier] = {__VA_ARGS__},
#include "options/options.def"
#undef DL_OPTION
};

const struct dl_option_row *dl_option_row(enum dl_option option)
{
    return &options[option];
}

enum dl_option dl_option_find_letter(char letter)
{
    int i = 0;

    while (i < DL_OPTION_COUNT && (!letter || options[i].letter != letter))
        i++;
    return (enum dl_option)i;
}

enum dl_option dl_option_complete(const char *flag, size_t flag_bytes,
                                  enum dl_option out[2])
{
    enum dl_option only = DL_OPTION_COUNT;
    int found = 0;

    out[0] = out[1] = DL_OPTION_COUNT;
    for (int i = 0; i < DL_OPTION_COUNT && flag_bytes > 0; i++) {
        if (strncmp(options[i].flag, flag, flag_bytes) != 0)
            continue;
        if (!options[i].flag[flag_bytes]) {
            out[0] = out[1] = DL_OPTION_COUNT;
            return (enum dl_option)i;
        }
        if (found < 2)
            out[found++] = (enum dl_option)i;
    }
    if (found == 1) {
        only = out[0];
        out[0] = DL_OPTION_COUNT;
    }
    return only;
}

/* ---- allowed values as text ---- */

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

const char *dl_option_usage(enum dl_option option, char *out)
{
    const struct dl_option_row *row = dl_option_row(option);

    snprintf(out, DL_OPTION_TEXT_BYTES, "%s%s%s", or_nothing(row->value),
             row->value && row->words ? "|" : "", or_nothing(row->words));
    return out;
}

static void append(char *out, const char *text, size_t text_bytes)
{
    size_t used = strlen(out);

    snprintf(out + used, DL_OPTION_TEXT_BYTES - used, "%.*s", (int)text_bytes, text);
}

/* "auto, asta or da" of "auto|asta|da" */
static void append_words(char *out, const char *words)
{
    while (*words) {
        size_t bytes = strcspn(words, "|");
        const char *next = words + bytes + (words[bytes] == '|');

        append(out, words, bytes);
        if (*next) {
            const char *link = strchr(next, '|') ? ", " : " or ";
            append(out, link, strlen(link));
        }
        words = next;
    }
}

const char *dl_option_allowed(enum dl_option option, char *out)
{
    static const char *const files[] = {
        [DL_VALUE_INPUT] = "a file that can be read",
        [DL_VALUE_LIBRARY] =
            "a library that can be read, or a library's name without a slash",
        [DL_VALUE_OUTPUT] = "a file that can be written",
        [DL_VALUE_FOLDER] = "a folder"};
    const struct dl_option_row *row = dl_option_row(option);

    if (row->type == DL_VALUE_NUMBER)
        snprintf(out, DL_OPTION_TEXT_BYTES, "a number from %" PRIu64 " to %" PRIu64,
                 row->smallest, row->largest);
    else if (row->type == DL_VALUE_BYTES || row->type == DL_VALUE_SHARE)
        snprintf(out, DL_OPTION_TEXT_BYTES,
                 "a number of bytes from %" PRIu64 " to %" PRIu64
                 ", k, M or G may follow%s",
                 row->smallest, row->largest,
                 row->type == DL_VALUE_SHARE ? ", or from 0% to 100%" : "");
    else if (row->type == DL_VALUE_FLAG)
        return strcpy(out, "no value");
    else
        strcpy(out, or_nothing(files[row->type]));
    if (row->words && *out)
        append(out, ", or ", strlen(", or "));
    append_words(out, or_nothing(row->words));
    return out;
}

/* ---- the word that was meant ---- */

enum { WORD_BYTES_MAX = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to add, leave out, change or swap with their neighbour (Damerau), whatever
 * their case. */
static size_t distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t rows[3][WORD_BYTES_MAX + 1], *before = rows[0], *above = rows[1],
                                        *here = rows[2], *next;

    for (size_t j = 0; j <= b_bytes; j++)
        above[j] = j;
    for (size_t i = 1; i <= a_bytes; i++) {
        here[0] = i;
        for (size_t j = 1; j <= b_bytes; j++) {
            int x = tolower((unsigned char)a[i - 1]),
                y = tolower((unsigned char)b[j - 1]);

            here[j] =
                smaller(smaller(above[j], here[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                here[j] = smaller(here[j], before[j - 2] + 1);
        }
        next = before;
        before = above;
        above = here;
        here = next;
    }
    return above[b_bytes];
}

size_t dl_word_distance(const char *word, size_t word_bytes, const char *other)
{
    size_t other_bytes = strlen(other), apart;

    if (word_bytes == 0 || word_bytes > WORD_BYTES_MAX || other_bytes > WORD_BYTES_MAX)
        return SIZE_MAX;
    apart = distance(word, word_bytes, other, other_bytes);
    return apart <= smaller(3, 1 + smaller(word_bytes, other_bytes) / 4) ? apart
                                                                         : SIZE_MAX;
}

/* Variables of others may begin like DL's (DL_DATA), so that a slip is only one or two
 * letters. */
static bool is_slip(size_t apart, size_t bytes)
{
    return apart < 2 || (apart == 2 && bytes >= 11);
}

const char *dl_variable_nearest(const char *variable, size_t bytes)
{
    const char *best = NULL;
    size_t best_apart = SIZE_MAX;

    for (int i = 0; i < DL_OPTION_COUNT; i++) {
        const char *name = dl_option_row((enum dl_option)i)->environment;
        size_t apart = name ? dl_word_distance(variable, bytes, name) : SIZE_MAX;

        if (name && strlen(name) == bytes && memcmp(name, variable, bytes) == 0)
            return NULL;
        if (apart < best_apart && is_slip(apart, bytes)) {
            best = name;
            best_apart = apart;
        }
    }
    return best;
}

/* ---- values: the only code that judges them ---- */

/* Whether `text` is one of the row's words, in any case unless a file may have that name.
 * `out` then has the word's number and, unless memory is lacking, its text. */
static bool find_word(const struct dl_option_row *row, const char *text,
                      struct dl_option_value *out)
{
    const bool any_case = row->type < DL_VALUE_INPUT;
    const char *word = row->words;
    size_t text_bytes;

    if (row->synonym && strcasecmp(text, row->synonym) == 0)
        text = row->synonym_of;
    text_bytes = strlen(text);
    for (uint64_t i = 0; word && *word; i++) {
        size_t bytes = strcspn(word, "|");
        if (bytes == text_bytes && (any_case ? strncasecmp(word, text, bytes)
                                             : strncmp(word, text, bytes)) == 0) {
            out->number = row->type == DL_VALUE_WORD ? i : 0;
            out->text = strndup(word, bytes);
            return true;
        }
        word += bytes + (word[bytes] == '|');
    }
    return false;
}

/* The functions below return an error in the text; NULL: none. */

/* Reads leading digits. */
static const char *read_digits(const char *text, const char **rest, uint64_t *out)
{
    char *end;
    unsigned long long number;

    if (*text < '0' || *text > '9')
        return "not a number"; /* strtoull would take a sign or blanks */
    errno = 0;
    number = strtoull(text, &end, 10);
    *rest = end;
    *out = number;
    return errno ? "too large" : NULL;
}

static const char *check_range(const struct dl_option_row *row, uint64_t number)
{
    return number < row->smallest  ? "too small"
           : number > row->largest ? "too large"
                                   : NULL;
}

static const char *read_number(const struct dl_option_row *row, const char *text,
                               struct dl_option_value *out)
{
    const char *rest = "";
    const char *wrong = read_digits(text, &rest, &out->number);

    if (*rest)
        return "not a number";
    return wrong ? wrong : check_range(row, out->number);
}

static const char *read_bytes(const struct dl_option_row *row, const char *text,
                              struct dl_option_value *out)
{
    static const char units[] = "kKmMgG";
    const char *rest = "", *unit;
    const char *wrong = read_digits(text, &rest, &out->number);
    unsigned shift = 0;

    if (*rest) {
        unit = strchr(units, *rest);
        if (!unit || rest[1])
            return "not a number of bytes";
        shift = 10 * (1 + (unsigned)(unit - units) / 2);
    }
    if (!wrong && out->number > UINT64_MAX >> shift)
        wrong = "too large";
    out->number <<= shift;
    return wrong ? wrong : check_range(row, out->number);
}

static const char *read_share(const struct dl_option_row *row, const char *text,
                              struct dl_option_value *out)
{
    const char *rest = "";
    const char *wrong = read_digits(text, &rest, &out->number);

    if (strcmp(rest, "%") != 0)
        return read_bytes(row, text, out);
    out->percent = true;
    return wrong || out->number > 100 ? "more than the whole device" : NULL;
}

static const char *check_input(const char *path)
{
    struct stat file;

    if (access(path, R_OK) != 0 || stat(path, &file) != 0)
        return strerror(errno);
    return S_ISDIR(file.st_mode) ? strerror(EISDIR) : NULL;
}

/* Whether a file has bytes that DL has not written there: "--trace ./program" would
 * destroy the program. What can't be read is left to the file's rights. */
static bool is_somebody_elses(const char *path, const char *const *begins)
{
    FILE *file = strncmp(path, "/dev/", 5) == 0 ? NULL : fopen(path, "re");
    char head[64] = "";
    size_t bytes = file ? fread(head, 1, sizeof head - 1, file) : 0;

    if (file)
        fclose(file);
    for (; *begins; begins++)
        if (strncmp(head, *begins, strlen(*begins)) == 0)
            return false;
    return bytes > 0;
}

/* A file that does not exist yet needs a folder. */
static const char *check_output(const struct dl_option_row *row, const char *path)
{
    const char *wrong = NULL, *slash = strrchr(path, '/');
    struct stat file;
    char *folder;

    if (!slash[1])
        return "not a file name";
    if (stat(path, &file) == 0) {
        if (S_ISDIR(file.st_mode))
            return strerror(EISDIR);
        if (S_ISREG(file.st_mode) && is_somebody_elses(path, row->begins))
            return "the option took this as its file, but it is there and the option did "
                   "not write it, so it stays: name another file";
        return access(path, W_OK) == 0 ? NULL : strerror(errno);
    }
    folder = strndup(path, (size_t)(slash - path) + 1);
    if (!folder || access(folder, W_OK) != 0)
        wrong = errno == ENOENT ? "its folder is not there" : strerror(errno);
    free(folder);
    return wrong;
}

/* Checks the file of this process. */
static const char *check_own_output(const struct dl_option_row *row, const char *path)
{
    char *own = process_name(path);
    const char *wrong = own ? check_output(row, own) : strerror(ENOMEM);

    free(own);
    return wrong;
}

/* A program may change its directory before it uses OpenCL. */
static char *make_absolute(const char *name)
{
    char here[PATH_MAX], *path = NULL;

    if (*name == '/')
        return strdup(name);
    if (!getcwd(here, sizeof here) ||
        asprintf(&path, "%s/%s", strcmp(here, "/") == 0 ? "" : here, name) < 0)
        return NULL;
    return path;
}

static const char *read_name(const struct dl_option_row *row, const char *text,
                             struct dl_option_value *out)
{
    const enum dl_value_type type = row->type;
    const char *wrong = NULL;
    char *path;

    if (type == DL_VALUE_LIBRARY && !strchr(text, '/'))
        return NULL; /* left to the dynamic linker's search */
    path = make_absolute(text);
    if (!path)
        return strerror(errno);
    if (type == DL_VALUE_INPUT || type == DL_VALUE_LIBRARY)
        wrong = check_input(path);
    else if (type == DL_VALUE_OUTPUT)
        wrong = check_own_output(row, path);
    if (wrong)
        free(path);
    else
        out->text = path;
    return wrong;
}

static const char *read_value(const struct dl_option_row *row, const char *text,
                              struct dl_option_value *out)
{
    if (!*text)
        return "empty";
    if (find_word(row, text, out))
        return NULL;
    switch (row->type) {
    case DL_VALUE_FLAG:
    case DL_VALUE_WORD:
        return "unknown";
    case DL_VALUE_NUMBER:
        return read_number(row, text, out);
    case DL_VALUE_BYTES:
        return read_bytes(row, text, out);
    case DL_VALUE_SHARE:
        return read_share(row, text, out);
    default:
        return read_name(row, text, out);
    }
}

/* Enough to recognize a value by, so that the allowed ones have room behind it. */
#define SHOWN "%.300s"

enum dl_status dl_option_parse(enum dl_option option, const char *text,
                               struct dl_option_value *out, char *wrong)
{
    struct dl_option_value value = {.text = NULL};
    char allowed[DL_OPTION_TEXT_BYTES];
    const char *why = read_value(dl_option_row(option), text, &value);

    if (why) {
        snprintf(wrong, DL_OPTION_TEXT_BYTES, SHOWN ": %s; allowed: %.500s", text, why,
                 dl_option_allowed(option, allowed));
        return DL_EINVAL;
    }
    if (!value.text)
        value.text = strdup(text);
    if (!value.text) {
        snprintf(wrong, DL_OPTION_TEXT_BYTES, SHOWN ": out of memory", text);
        return DL_ENOMEM;
    }
    *out = value;
    return DL_OK;
}

/* Defaults of files and folders are only for the help: their users make them. */
static void set_default(enum dl_option option, struct dl_option_value *out)
{
    const struct dl_option_row *row = dl_option_row(option);
    char wrong[DL_OPTION_TEXT_BYTES];

    *out = (struct dl_option_value){.text = NULL};
    if (row->initial && row->type < DL_VALUE_INPUT)
        (void)dl_option_parse(option, row->initial, out, wrong);
}

enum dl_status dl_option_read(enum dl_option option, struct dl_option_value *out,
                              char *wrong)
{
    const struct dl_option_row *row = dl_option_row(option);
    /* The user of a program with more rights than their own must not choose libraries
     * that it loads, or files that it reads and writes. */
    const char *text = row->environment ? dl_environment_get(row->environment) : NULL;
    char why[DL_OPTION_TEXT_BYTES];
    enum dl_status status;

    if (!text || !*text) {
        set_default(option, out);
        return DL_OK;
    }
    status = dl_option_parse(option, text, out, why);
    if (status != DL_OK) {
        snprintf(wrong, DL_OPTION_TEXT_BYTES, "%s=%.900s; %s%s", row->environment, why,
                 row->initial ? "using " : "ignored", row->initial ? row->initial : "");
        set_default(option, out);
    } else if (row->type == DL_VALUE_OUTPUT) {
        char *own = process_name(out->text);

        /* Without memory, the pattern is the name. */
        if (own) {
            free(out->text);
            out->text = own;
        }
    }
    return status;
}
