/* SPDX-License-Identifier: MIT */
/* DL's options: one table (options.def) and one parser, for dl-run's command line, the
 * environment that libdl_intercept reads, --help and docs/options.md.
 *
 * Threads: all functions are safe. */
#ifndef DL_OPTIONS_H
#define DL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dl_status.h"

enum dl_option {
#define DL_OPTION(identifier, ...) DL_OPTION_##identifier,
#include "options/options.def"
#undef DL_OPTION
    DL_OPTION_COUNT
};

/* The values that are allowed besides the words of a row. File names become absolute; in
 * those of files to be written the environment's reader has %p and %r filled in
 * (see below), so that processes started by a process have files of their own. */
enum dl_value_type {
    DL_VALUE_FLAG,    /* none: the option is given or not */
    DL_VALUE_WORD,    /* nothing but the words */
    DL_VALUE_NUMBER,  /* decimal */
    DL_VALUE_BYTES,   /* a number, k, M or G behind it or not */
    DL_VALUE_SHARE,   /* bytes, or a percentage from 0% to 100% */
    DL_VALUE_INPUT,   /* a file that can be read now */
    DL_VALUE_LIBRARY, /* the same, or a name without a slash for the dynamic linker */
    DL_VALUE_OUTPUT,  /* a file that can be written now */
    DL_VALUE_FOLDER   /* a folder that need not be there */
};

struct dl_option_row {
    const char *flag;        /* "tile" of --tile */
    char letter;             /* 'h' of -h; 0: none */
    const char *environment; /* NULL: dl-run's own */
    enum dl_value_type type;
    const char *value; /* the value's name in the help; NULL: words alone */
    const char *words; /* "auto|off"; NULL: none */
    const char *synonym,
        *synonym_of; /* a word more that stands for one of the words; NULL: none */
    uint64_t smallest, largest; /* NUMBER; bytes of BYTES and SHARE */
    const char *initial;        /* the default; NULL: not given */
    const char *run_initial;    /* dl-run's own; NULL: the same */
    const char *left_out;       /* the value of --flag alone; NULL: it needs one */
    const char *begins[3]; /* OUTPUT: how a file that the option wrote begins, to NULL */
    const char *help;
};

struct dl_option_value {
    char *text; /* owned, as for the environment; NULL: not given, without a default */
    uint64_t number; /* NUMBER, BYTES, SHARE; WORD: which of the words, from 0 */
    bool percent;    /* SHARE: the number is a percentage */
};

enum { DL_OPTION_TEXT_BYTES = 1024 }; /* enough for every sentence below */

/* Never NULL. */
const struct dl_option_row *dl_option_row(enum dl_option option);
/* Finds the option of a letter; DL_OPTION_COUNT: there is none. */
enum dl_option dl_option_find_letter(char letter);

/* Finds the option of "--flag", given without its dashes and perhaps cut short.
 * DL_OPTION_COUNT: there is none, or several begin so, and `out` has two of them;
 * otherwise those are DL_OPTION_COUNT. */
enum dl_option dl_option_complete(const char *flag, size_t flag_bytes,
                                  enum dl_option out[2]);
/* The variable of DL's that one of another name, "DL_LAYOT", was meant for; NULL: it is
 * DL's, or hardly like any. */
const char *dl_variable_nearest(const char *variable, size_t bytes);
/* How many letters two words differ by; SIZE_MAX: one was hardly meant for the other. */
size_t dl_word_distance(const char *word, size_t word_bytes, const char *other);

/* Reads the value of an option that has one.
 *   out     the caller frees it with dl_option_value_free
 *   wrong   of DL_OPTION_TEXT_BYTES: "TEXT: the error; allowed: the allowed values"
 *   errors  DL_EINVAL: `wrong` says why; DL_ENOMEM: it does, too */
enum dl_status dl_option_parse(enum dl_option option, const char *text,
                               struct dl_option_value *out, char *wrong);

/* Reads the value of an option from the environment. It is the default if the variable is
 * not set, empty, wrong, or not trusted because the program has more rights than its
 * user. wrong   as above, "VARIABLE=" before it, and behind it the value used instead
 *   errors  as above; `out` is the default */
enum dl_status dl_option_read(enum dl_option option, struct dl_option_value *out,
                              char *wrong);
static inline void dl_option_value_free(struct dl_option_value *value)
{
    free(value->text);
    *value = (struct dl_option_value){.text = NULL};
}

/* Whether the value is this word of the option. */
static inline bool dl_option_is(const struct dl_option_value *value, const char *word)
{
    return value->text && strcmp(value->text, word) == 0;
}

/* Sentences, into `out` of DL_OPTION_TEXT_BYTES, which they return.
 * The value in the help: "N|auto", "" for a flag. */
const char *dl_option_usage(enum dl_option option, char *out);
/* "a number from 1 to 1048576, or auto" */
const char *dl_option_allowed(enum dl_option option, char *out);

/* ---- the environment ---- */

/* It is kept as it was when DL's library was loaded: a program may clear or change its
 * own before its first OpenCL call. */

/* Copies the variables that DL reads: those that begin with DL_, and those that say where
 * caches are and which rank of a job this is. From then on dl_environment_get reads the
 * copy. Called once, before other threads; a program with more rights than its user keeps
 * nothing.
 */
void dl_environment_keep(void);

/* Returns a variable's value; NULL: there is none, or it is not trusted. Without a copy
 * it is the current value; with one it is borrowed for the life of the process. */
const char *dl_environment_get(const char *name);

/* The rank of this process in its job, in digits, by the variables in which launchers say
 * it; NULL: none does. Borrowed as above. */
const char *dl_environment_rank(void);

/* The copied "NAME=value" strings, which end with NULL. Borrowed for the life of the
 * process. */
const char *const *dl_environment_kept(void);

/* Whether PATH had a program of that name at first, and no longer has since the program
 * changed PATH. `name` is always the same. */
bool dl_environment_lost_program(const char *name);

#endif
